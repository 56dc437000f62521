"""The counted things: wounds of each Defense skill, scratches, and the purse."""

from typing import cast

from bot.rules.ruleset import ResourceRule
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import SwimSheet
from bot.rules.swim_class.skills import book_of
from bot.rules.swim_class.tables import Pool

SCRATCHES = "scratches"
PURSE = "purse_sp"
STARTING_GOLD = 100
COMPOSURE = "composure"


def wounds_key(pool: Pool) -> str:
    """Key of the wounds of a pool."""
    return f"{pool.value}_wounds"


def _composure(sheet: object, settings: object) -> int:
    book = book_of(cast(SwimSettings, settings))
    return book.rank(cast(SwimSheet, sheet).ranks, COMPOSURE)


# Wounds have no cap: hit points go below zero (SWIM-COMB-07).
RESOURCES = (
    *(ResourceRule(key=wounds_key(pool), title=f"{pool.value.capitalize()} wounds") for pool in Pool),
    ResourceRule(key=SCRATCHES, title="Scratches", cap=_composure),
    ResourceRule(key=PURSE, title="Purse (SP)", start=STARTING_GOLD * 10),
)
