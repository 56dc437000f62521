"""Battles for tests: who stands where, with which sheet, in a line or two."""

from typing import Any

from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.combat.combatant import Battlefield, MookSheet, RpjCombatant, RpjKind, RpjTurn, Side, line
from bot.rules.rpj.combat.fight import MOOKS, Fight, Grapple
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.module.module import Module
from tests.rules.rpj.people import FANTASY, figure, module_with

GOBLIN = MookSheet(name="Goblin", attack=3, damage=1, defense=10)
Person = tuple[RpjCombatant, Stats | None]


def turn(actions: int = 2, received: int | None = None, **flags: bool) -> RpjTurn:
    """A turn with so many actions left."""
    return RpjTurn(actions=actions, received=actions if received is None else received, **flags)


def person(
    id_: str,
    attributes: str = "",
    *,
    module: Module = FANTASY,
    foe: bool = False,
    region: int = 1,
    group: int = 1,
    actions: int = 2,
    fighter: dict[str, Any] | None = None,
    **sheet: Any,
) -> Person:
    """Somebody with a sheet, two actions left unless told otherwise."""
    standing = {"region": region, "group": group, "turn": turn(actions), **(fighter or {})}
    one = RpjCombatant(
        id=id_,
        name=id_.capitalize(),
        kind=RpjKind.NPC if foe else RpjKind.PLAYER,
        side=Side.FOES if foe else Side.PLAYERS,
        **standing,
    )
    return one, figure(attributes, module, **sheet)


def mook(id_: str, sheet: MookSheet = GOBLIN, *, region: int = 1, group: int = 1, **more: Any) -> Person:
    """A mook with two actions left."""
    standing = {"turn": turn(2), "side": Side.FOES, **more}
    return RpjCombatant(
        id=id_, name=id_.capitalize(), kind=RpjKind.MOOK, mook=sheet, region=region, group=group, **standing
    ), None


def battle(
    *people: Person,
    turn_of: str = "ug",
    round_: int = 1,
    field: Battlefield | None = None,
    grapples: tuple[tuple[str, str], ...] = (),
    module: Module = FANTASY,
) -> Battle:
    """A fight under way, and somebody's turn if they are in it."""
    there = {fighter.id for fighter, _sheet in people}
    fight = Fight(
        field=field or line(6),
        combatants=tuple(fighter for fighter, _sheet in people),
        order=tuple(fighter.id for fighter, _sheet in people if fighter.kind is not RpjKind.MOOK),
        grapples=tuple(Grapple(a=a, b=b) for a, b in grapples),
        round=round_ if people else 0,
        turn=turn_of if turn_of in {*there, MOOKS} else "",
    )
    return Battle(fight, module, {fighter.id: sheet for fighter, sheet in people if sheet is not None})


def combat(base: Module = FANTASY, **changes: Any) -> Module:
    """A module with other numbers of a fight."""
    return module_with(base, combat={**base.combat.model_dump(mode="json"), **changes})


def with_weapon(id_: str, base: Module = FANTASY, **changes: Any) -> Module:
    """A module with one more weapon, or one changed."""
    rows: list[dict[str, Any]] = base.model_dump(mode="json")["weapons"]
    plain = {"id": id_, "name": id_.capitalize(), "skill": "large_blades", "attribute": "STR", "damage": 2}
    found = next((row for row in rows if row["id"] == id_), plain)
    return module_with(base, weapons=[*(row for row in rows if row["id"] != id_), {**found, **changes}])


def with_armor(id_: str, base: Module = FANTASY, **changes: Any) -> Module:
    """A module with one more set of armour, or one changed."""
    rows: list[dict[str, Any]] = base.model_dump(mode="json")["armor"]
    plain = {"id": id_, "name": id_.capitalize(), "saves": [5, 5]}
    found = next((row for row in rows if row["id"] == id_), plain)
    return module_with(base, armor=[*(row for row in rows if row["id"] != id_), {**found, **changes}])


def without_role(role: str, base: Module = FANTASY) -> Module:
    """A module none of whose skills is for something."""
    rows: list[dict[str, Any]] = base.model_dump(mode="json")["skills"]
    return module_with(
        base, skills=[{**row, "roles": [own for own in row["roles"] if own != role]} for row in rows]
    )
