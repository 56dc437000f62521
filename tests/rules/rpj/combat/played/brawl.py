"""A fight at a small table: Laeniel and Ug against an ogre, whose turns begin as told."""

from typing import Any

from bot.rules import kernel
from bot.rules.kernel import FollowUp
from bot.rules.rpj.character.sheet import Outcome
from bot.rules.rpj.combat.combatant import RpjCombatant
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.combat.rules.stage import fighter_named
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.settings import RpjSettings
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


__all__ = ["brawl", "button", "d6", "fight", "fighter", "health", "labels", "press"]
