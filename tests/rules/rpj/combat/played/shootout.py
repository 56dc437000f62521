"""A shootout: Laeniel and Ug in region 1, an ogre and whoever comes with it in region 3."""

from typing import Any

from bot.rules.rpj.module.items import Ammunition
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.combat.played.brawl import fight, fighter
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import GameTable, rpj_table

FUTURE = RpjSettings(module=Shipped.SCIENCE_FICTION, fire_and_movement=True)
SCALED = FUTURE.model_copy(update={"damage_scales": True})
SHOOTER = sheet(
    "STR 6 CON 3 DEX 6 LUCK 4",
    skills=[known("hand_weapons", 4), known("dodge", 3), known("anti_vehicle_weapons", 2, linked="STR")],
    primary="Shifty",
    total_points=60,
    belongings=("pistol", "rifle", "rocket_launcher"),
)
GUARD = sheet(
    "STR 3 CON 3 DEX 3 LUCK 2",
    skills=[known("hand_weapons", 2), known("dodge", 2)],
    primary="Brawny",
    total_points=40,
    belongings=("rifle",),
)


def shootout(first: str = "Laeniel", *, settings: RpjSettings = FUTURE, **changes: Any) -> GameTable:
    """The first round has begun; Laeniel has a pistol in hand, Ug and the ogre have rifles.

    Args:
        first: Whose turn it is.
        settings: The campaign's settings.
        **changes: Changes of the sheets, by name in lower case.
    """
    people = {
        "Laeniel": SHOOTER.model_copy(update=changes.get("laeniel", {})),
        "Ug": GUARD.model_copy(update=changes.get("ug", {})),
    }
    table = rpj_table(settings, people)
    table.change("Ogre", **{**GUARD.model_dump(), **changes.get("ogre", {})})
    table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
    table.do("GM", "fight.field", regions=4)
    table.do("GM", "fight.place", who="Ogre", region="3")
    order = [first, *(name for name in ("Laeniel", "Ug", "Ogre") if name != first)]
    table.do("GM", "encounter.order", characters=tuple(order))
    table.do("GM", "encounter.next")
    return table


def cover(table: GameTable, who: str, what: str, **more: Any) -> None:
    """Put cover around somebody's group."""
    table.do("GM", "fire.cover", what=what, behind=who, **more)


def turns(table: GameTable, count: int) -> None:
    """Let so many turns pass."""
    for _ in range(count):
        table.do("GM", "encounter.next")


def ammunition(table: GameTable, who: str, weapon: str) -> Ammunition:
    """What somebody has for a weapon."""
    return table.named(who).sheet.ammunition[weapon]


def is_suppressed(table: GameTable, who: str) -> bool:
    """Whether somebody is suppressed."""
    return fighter(table, who).under_fire.is_suppressed


__all__ = ["ammunition", "cover", "fight", "fighter", "is_suppressed", "shootout", "turns"]
