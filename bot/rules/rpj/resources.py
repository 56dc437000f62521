"""The counted thing, Lucky Breaks; and what a GM awards, character points."""

from typing import cast

from bot.rules.rpj.advancement import award
from bot.rules.rpj.figure import Figure
from bot.rules.rpj.luck import LUCKY_BREAKS
from bot.rules.rpj.settings import RpjSettings, module_in
from bot.rules.rpj.sheet import RpjSheet
from bot.rules.ruleset import AwardRule, ResourceRule

MORE_THAN_ANYBODY_HAS = 100


def _most(sheet: object, settings: object) -> int:
    return Figure(cast(RpjSheet, sheet), module_in(cast(RpjSettings, settings))).lucky_breaks


# A new character has all of them at once, whenever it comes (RPJ-LUCK-01, R-131); the GM's have none.
RESOURCES = (
    ResourceRule(key=LUCKY_BREAKS, title="Lucky Breaks", start=MORE_THAN_ANYBODY_HAS, npc_start=0, cap=_most),
)

AWARDS = (AwardRule(key="points", title="Character points", give=award),)
