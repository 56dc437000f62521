"""The encounter: combatants, order and what each has left this round."""

from collections.abc import Iterable
from math import comb

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Chance, Dice
from bot.rules.post_magic_maid.cards import DECK, Card, MaidPurpose, card_of, draw_cards
from bot.rules.post_magic_maid.sheet import Character, Scene
from bot.rules.shared.encounters import Combatant, FightPlace, InTurn


class MaidCombatant(Combatant):
    """One combatant."""

    card: str = ""  # the card drawn for the order, or nothing before the draw
    drawn: int = 0  # which draw of the encounter it was, from 1
    redrawn: tuple[str, ...] = ()  # cards drawn again to break a tie
    has_automatic: bool = False  # the next check this round is an automatic 25
    bonus_dice: int = Field(default=0, ge=0)  # bonus d8s left this round
    aces_to_give: int = Field(default=0, ge=0)  # spare aces left to give away this round
    has_blitzed: bool = False  # whether a Blitz Point was burned this round
    # Actions announced for this round; 0 where nothing was announced.
    actions_declared: int = Field(default=0, ge=0)
    actions_used: int = Field(default=0, ge=0)  # actions taken this round
    has_rolled: bool = False  # whether anything was rolled on the current turn

    @property
    def drawn_card(self) -> Card:
        """The card drawn for the order."""
        return card_of(self.card)

    @property
    def has_acted(self) -> bool:
        """Whether no action is left this round."""
        return self.actions_used >= max(1, self.actions_declared)

    def cleared(self) -> "MaidCombatant":
        """The same combatant at the beginning of a round."""
        return MaidCombatant(
            character=self.character, name=self.name, card=self.card, drawn=self.drawn, redrawn=self.redrawn
        )

    @property
    def by_card(self) -> tuple[int, int]:
        """The sort key for a newcomer's place: rank, then suit; the later of two Jokers goes first."""
        card = self.drawn_card
        return -card.strength, -self.drawn if card.is_joker else "♠♥♦♣".index(card.suit)

    @property
    def standing(self) -> tuple[int, tuple[int, ...], int]:
        """The sort key of the order, ascending: rank, redrawn cards, suit. [PMM-INI-02 to PMM-INI-05]"""
        rank, suit = self.by_card
        return rank, tuple(-card_of(code).strength for code in self.redrawn), suit


class MaidEncounter(InTurn[MaidCombatant]):
    """A fight in a channel; before the draw it is in round 0."""

    starter: CharacterId | None = None  # who began it, or None where nobody acts before the draw
    is_opposed: bool = False  # whether somebody stood ready to stop them; then nobody acts before the draw
    draws: int = 0  # cards drawn so far
    chooser: CharacterId | None = None  # the Joker's holder while they may choose, or None
    first: CharacterId | None = None  # whom they let go first, or None
    last: CharacterId | None = None  # whom they let go last, or None

    def is_turn_of(self, character: CharacterId) -> bool:
        """Whether a character is acting: the starter before the draw, then whoever's turn it is."""
        current = self.current
        if current is None:
            return character == self.starter and not self.is_opposed
        return current.character == character

    def is_on(self, character: CharacterId) -> bool:
        """Whether a combatant may act now; before the draw only the starter may, once."""
        if not self.is_turn_of(character):
            return False
        combatant = self.combatant(character)
        return combatant is not None and (self.has_begun or not combatant.has_acted)

    def without(self, character: CharacterId) -> "MaidEncounter":
        """The same encounter without a combatant and without any choice about them."""
        kept = {
            name: None if getattr(self, name) == character else getattr(self, name)
            for name in ("starter", "chooser", "first", "last")
        }
        return super().without(character).changed(**kept)

    def cleared(self) -> "MaidEncounter":
        """The same encounter without anything that lasts a round."""
        return self.ordered(combatant.cleared() for combatant in self.shown)


def in_order(
    combatants: Iterable[MaidCombatant], first: CharacterId | None = None, last: CharacterId | None = None
) -> tuple[MaidCombatant, ...]:
    """The combatants in turn order: by card, except those placed by a Joker's holder.

    [PMM-INI-02 to PMM-INI-05]
    """
    by_cards = sorted(combatants, key=lambda combatant: combatant.standing)
    ahead = [combatant for combatant in by_cards if combatant.character == first]
    behind = [combatant for combatant in by_cards if combatant.character == last]
    between = [combatant for combatant in by_cards if combatant.character not in {first, last}]
    return (*ahead, *between, *behind)


ENCOUNTERS = FightPlace(MaidEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep
find_combatant = ENCOUNTERS.combatant


def with_combatant(scene: Scene, combatant: MaidCombatant) -> Scene:
    """The same scene with one combatant of its encounter changed."""
    return with_encounter(scene, the_encounter(scene).with_combatant(combatant))


def new_combatant(_scene: Scene, character: Character) -> MaidCombatant:
    """Make a combatant for a character."""
    return MaidCombatant(character=character.id, name=character.name)


class CardInputs(Document):
    """The inputs of one draw: the cards that are out already."""

    gone: tuple[str, ...] = ()


def draw_order_card(inputs: CardInputs, dice: Dice) -> Roll:
    """Draw somebody's card for the turn order. [PMM-INI-02, PMM-INI-07, PMM-DECK-01]"""
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
    """Draw a card for each, without replacement. [PMM-INI-02, PMM-INI-07, PMM-DECK-01]"""
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
