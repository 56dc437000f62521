"""The counted things: wounds of each Defense skill, scratches, and the purse."""

from collections.abc import Callable
from typing import cast

from bot.rules.kernel import ResourceRule
from bot.rules.swim_class.character.money import coins, priced, starting_silver
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import SwimSheet
from bot.rules.swim_class.character.skills import book_of
from bot.rules.swim_class.resolution.tables import Pool, SkillKey

SCRATCHES = "scratches"
PURSE = "purse_sp"
COMPOSURE = "composure"


def wounds_key(pool: Pool) -> str:
    """Key of the wounds of a pool."""
    return f"{pool.value}_wounds"


def _composure(sheet: object, settings: object) -> int:
    book = book_of(cast(SwimSettings, settings))
    return book.rank(cast(SwimSheet, sheet).ranks, COMPOSURE)


def _after_shopping(sheet: object, settings: object) -> int:
    """What is left of the starting money after the gear bought at creation (SWIM-CHAR-02)."""
    rates = cast(SwimSettings, settings)
    spent = sum(priced(item, rates) * item.quantity for item in cast(SwimSheet, sheet).items)
    return max(0, starting_silver(rates) - spent)


def _left(skill: SkillKey) -> Callable[[object, object, int], str]:
    """How wounds and scratches read where they have changed: what they leave of the skill."""

    def told(sheet: object, settings: object, amount: int) -> str:
        rank = book_of(cast(SwimSettings, settings)).rank(cast(SwimSheet, sheet).ranks, skill)
        return f"{rank - amount}/{rank}".replace("-", "−")

    return told


# Wounds have no cap: hit points go below zero (SWIM-COMB-07).
RESOURCES = (
    *(
        ResourceRule(
            key=wounds_key(pool),
            title=f"{pool.value.capitalize()} wounds",
            told_title=pool.value.capitalize(),
            is_burden=True,
            told=_left(pool.defence),
        )
        for pool in Pool
    ),
    ResourceRule(
        key=SCRATCHES,
        title="Scratches",
        cap=_composure,
        is_burden=True,
        told_title="Composure",
        told=_left(COMPOSURE),
    ),
    ResourceRule(
        key=PURSE,
        title="Purse (SP)",
        start=starting_silver(SwimSettings()),
        sheet_start=_after_shopping,
        told_title="Purse",
        told=lambda _sheet, settings, silver: coins(silver, cast(SwimSettings, settings)),
    ),
)
