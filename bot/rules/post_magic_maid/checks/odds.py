"""Post-magic-maid's page of `/odds`."""

from math import comb
from typing import Literal

from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, Odds, OddsForm
from bot.rules.kernel.odds import Chance
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.checks.tier_check import AttributeDie, Magic, MaidCheckInputs, check_odds
from bot.rules.post_magic_maid.resolution.cards import DECK
from bot.rules.post_magic_maid.resolution.tiers import MaidTier

DieSize = Literal["d6", "d8", "d12", "d20", "d32"]


class MaidOddsQuestion(Document):
    """The check to compute the chances of."""

    first: DieSize = Field(default="d8", description="Die of one attribute")
    second: DieSize = Field(default="d8", description="Die of the other attribute")
    modifier: int = Field(default=0, ge=0, le=30, description="Attribute and ability bonuses together")
    bonus_dice: int = Field(default=0, ge=0, le=7, description="Bonus d8s added")
    magic: bool = Field(default=False, description="Add a magic d6")
    penalty: int = Field(
        default=0, ge=0, le=50, description="Penalty, such as 5, 10 or 15 for several actions"
    )
    needed: Literal["10", "15", "20", "25"] | None = Field(default=None, description="The tier you need")


def answer_odds(question: MaidOddsQuestion) -> Odds:
    """The exact chance of each tier.

    Source: PMM-CHK-02, PMM-CHK-03.
    """
    return check_odds(
        MaidCheckInputs(
            first=AttributeDie(attribute=MaidAttribute.INT, sides=int(question.first.removeprefix("d"))),
            second=AttributeDie(attribute=MaidAttribute.STR, sides=int(question.second.removeprefix("d"))),
            terms=(NamedTerm(label="modifier", value=question.modifier - question.penalty),),
            bonus_dice=question.bonus_dice,
            magic=Magic.ATTACK if question.magic else Magic.NONE,
            needed=MaidTier(question.needed) if question.needed else None,
        )
    )


ODDS = OddsForm(question=MaidOddsQuestion, answer=answer_odds)


def draw_chance(wanted: int, least: int, drawn: int) -> Chance:
    """The chance of drawing at least a number of certain cards from the full deck.

    Args:
        wanted: How many such cards the deck holds.
        least: How many of them must come.
        drawn: How many cards are drawn.

    Source: PMM-DECK-01.
    """
    rest = len(DECK) - wanted
    ways = sum(comb(wanted, n) * comb(rest, drawn - n) for n in range(least, min(wanted, drawn) + 1))
    return Chance(ways, comb(len(DECK), drawn))
