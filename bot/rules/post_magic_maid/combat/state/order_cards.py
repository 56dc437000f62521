"""Drawing the cards for the turn order."""

from math import comb

from pydantic import Field

from bot.rules.kernel import Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance
from bot.rules.post_magic_maid.resolution.cards import DECK, Card, card_of, draw_cards
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose


class CardInputs(Document):
    """The inputs of one draw: the cards that are out already."""

    gone: tuple[str, ...] = ()


def draw_order_card(inputs: CardInputs, dice: Dice) -> Roll:
    """Draw somebody's card for the turn order.

    Source: PMM-INI-02, PMM-INI-07, PMM-DECK-01.
    """
    (drawn,) = draw_cards(1, dice, gone=tuple(card_of(code) for code in inputs.gone))
    return Roll(
        rule=INITIATIVE_CARD.key,
        inputs=inputs,
        dice=(drawn.die,),
        verdict=Verdict(Family.NEWS, str(drawn.card)),
        outcome=drawn.card.code,
        purpose=MaidPurpose.INITIATIVE,
    )


INITIATIVE_CARD = RollRule(key="initiative_card", inputs=CardInputs, resolve=draw_order_card)


def code_drawn(roll: Roll) -> str:
    """The code of a drawn card, as stored in documents."""
    return str(roll.outcome)


# --- everybody's cards in one draw, as older journals hold them --------------------------------

JOKERS = ("no Joker", "a Joker", "both Jokers")


class DrawInputs(Document):
    """The inputs of several draws: who draws, in order, and the cards that are out already."""

    names: tuple[str, ...] = Field(min_length=1, max_length=len(DECK))
    gone: tuple[str, ...] = ()

    @property
    def cards_gone(self) -> tuple[Card, ...]:
        """The cards that are out already."""
        return tuple(card_of(code) for code in self.gone)


def draw_order_cards(inputs: DrawInputs, dice: Dice) -> Roll:
    """Draw a card for each, without replacement.

    Source: PMM-INI-02, PMM-INI-07, PMM-DECK-01.
    """
    drawn = draw_cards(len(inputs.names), dice, gone=inputs.cards_gone, labels=inputs.names)
    outcome = JOKERS[sum(one.card.is_joker for one in drawn)]
    return Roll(
        rule=INITIATIVE_DRAW.key,
        inputs=inputs,
        dice=tuple(one.die for one in drawn),
        verdict=Verdict(Family.NEWS, outcome),
        odds=draw_odds(inputs),
        outcome=outcome,
        purpose=MaidPurpose.INITIATIVE,
    )


def draw_odds(inputs: DrawInputs) -> Odds:
    """The exact chance of Jokers among the cards drawn."""
    left = [card for card in DECK if card not in inputs.cards_gone]
    jokers = sum(card.is_joker for card in left)
    drawn = len(inputs.names)
    return Odds(
        tuple(
            (name, Chance(comb(jokers, n) * comb(len(left) - jokers, drawn - n), comb(len(left), drawn)))
            for n, name in enumerate(JOKERS)
            if n <= drawn
        )
    )


INITIATIVE_DRAW = RollRule(key="initiative", inputs=DrawInputs, resolve=draw_order_cards, odds=draw_odds)
