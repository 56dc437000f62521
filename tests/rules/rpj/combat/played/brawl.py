"""Fights at a small table: a brawl of Laeniel and Ug against an ogre, and a shootout across regions."""

from typing import Any

from bot.rules import kernel
from bot.rules.kernel import FollowUp
from bot.rules.rpj.character.sheet import Outcome
from bot.rules.rpj.combat.combatant import RpjCombatant
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.combat.rules.turns import fighter_named
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.items import Ammunition
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import FANTASY, LAENIEL, OGRE, UG, GameTable, d6, labels, rpj_table


def brawl(
    first: str = "Laeniel",
    *,
    settings: RpjSettings = FANTASY,
    together: bool = True,
    ogre: dict[str, Any] | None = None,
    laeniel: dict[str, Any] | None = None,
    ug: dict[str, Any] | None = None,
) -> GameTable:
    """The first round has begun, and it is somebody's turn; everybody defends as is best.

    Args:
        first: Whose turn it is.
        settings: The campaign's settings.
        together: Whether all stand in one group of region 1.
        ogre: Changes of the ogre's sheet.
        laeniel: Changes of Laeniel's.
        ug: Changes of Ug's.
    """
    people = {
        "Laeniel": LAENIEL.model_copy(update={"belongings": ("dagger", "bow"), **(laeniel or {})}),
        "Ug": UG.model_copy(update={"belongings": ("club",), **(ug or {})}),
    }
    table = rpj_table(settings, people)
    table.change("Ogre", **{**OGRE.model_dump(), "belongings": ("club",), **(ogre or {})})
    table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
    if together:
        table.do("GM", "fight.place", who="Ogre", beside="Ug")
    order = [first, *(name for name in ("Laeniel", "Ug", "Ogre") if name != first)]
    table.do("GM", "encounter.order", characters=tuple(order))
    for name in ("Laeniel", "Ug"):
        table.do(name, "fight.defense", defense="best")
    table.do("GM", "encounter.next")
    return table


def fight(table: GameTable) -> Fight:
    """The fight as it is kept."""
    return FIGHTS_KEPT.the(table.scene)


def in_shape_1(kept: Fight) -> dict[str, Any]:
    """A fight without anybody hidden as it was stored before: everybody twice, most in a part of its own."""
    body = kept.model_dump(mode="json")
    del body["shape"]
    fighters = body.pop("combatants")
    seats = [
        {key: one[key] for key in ("character", "name", "kind", "side", "wielded", "mook", "saves_lost")}
        for one in fighters
        if one["character"] is not None
    ]
    for one in fighters:
        del one["saves_lost"]
    whole = ("version", "steps", "stances", "legends", "surprise")
    rest = {key: body.pop(key) for key in whole}
    part = {**body, "fighters": fighters}
    return {**rest, "round": body["round"], "seats": seats, "lurking": [], "fight": part}


def fighter(table: GameTable, name: str) -> RpjCombatant:
    """Somebody in the fight."""
    return fighter_named(fight(table), name)


def health(table: GameTable, name: str) -> RpjHealth:
    """Somebody's health."""
    return table.named(name).sheet.health


def button(outcome: kernel.Outcome, label: str) -> FollowUp:
    """The first button whose label contains a text."""
    return next(one for one in outcome.follow_ups if label in one.label)


def press(table: GameTable, who: str, outcome: kernel.Outcome, label: str, fall: str = "") -> Outcome:
    """Press a button under a result."""
    return table.press(who, button(outcome, label), d6(fall) if fall else "")


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


__all__ = [
    "ammunition",
    "brawl",
    "button",
    "cover",
    "d6",
    "fight",
    "fighter",
    "health",
    "is_suppressed",
    "labels",
    "press",
    "shootout",
    "turns",
]
