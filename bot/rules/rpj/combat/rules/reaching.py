"""The range and area of magic in a fight."""

from collections.abc import Iterator

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.battlefield import ADJACENT, out_of_reach
from bot.rules.rpj.combat.state.fight import Fight
from bot.rules.rpj.module.abilities import Area, Reach, Recipe
from bot.rules.rpj.module.spells import RpjSpell

NEAR_BY = ("touch", "same group")
SIX_REGIONS = 6


def _assert_seen(battle: Battle, who: str, target: str) -> None:
    field = battle.fight.field
    start, end = battle.fight.fighter(who).region, battle.fight.fighter(target).region
    if not field.can_shoot(start, end):
        raise UserError(f"You can't see {field.name(end)} from {field.name(start)}.")


def assert_reached(battle: Battle, who: str, target: str, reach: Reach) -> None:
    """Refuse an ability whose target is out of range.

    Raises:
        UserError: If it is.

    Source: RPJ-WMAG-13, RPJ-WMAG-15.
    """
    if who == target:
        return
    whom = battle.fight.fighter(target)
    if reach in (Reach.TOUCH, Reach.NEAR):
        if not battle.fight.are_adjacent(battle.fight.fighter(who), whom):
            raise UserError(
                f"{whom.name} is too far away.", "It only reaches targets in your group.", "Move there first."
            )
        return
    _assert_seen(battle, who, target)
    distance = battle.fight.distance(battle.fight.fighter(who), whom)
    if reach is Reach.SIX_REGIONS and distance > SIX_REGIONS:
        raise UserError(f"{whom.name} is too far away.", f"It reaches {SIX_REGIONS} regions.")


def assert_spell_reaches(battle: Battle, who: str, target: str, spell: RpjSpell) -> None:
    """Refuse a spell without an attack roll whose target is out of its range.

    Raises:
        UserError: If it is.

    Source: RPJ-SMAG-03.
    """
    if who == target:
        return
    distance = battle.fight.distance(battle.fight.fighter(who), battle.fight.fighter(target))
    if spell.greatest_range is None:
        if spell.reach in NEAR_BY and distance != ADJACENT:
            raise UserError(f"{spell.name} only reaches targets in your group.", try_this="Move there first.")
        return
    least = ADJACENT if spell.least_range is None else spell.least_range
    if not least <= distance <= spell.greatest_range:
        raise out_of_reach(f"{spell.name} can't be cast", distance, least, spell.greatest_range)
    _assert_seen(battle, who, target)


def taken_in(fight: Fight, who: str, recipe: Recipe, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Everyone an ability affects, its target first.

    An area takes in friends and its user too, unless its targets are chosen: then those who are named,
    and where one alone is named, everybody there of the same side.

    Raises:
        UserError: If it concerns one target and several are named.

    Source: RPJ-WMAG-13, RPJ-WMAG-16 (WMAG-16b), RPJ-WMAG-17.
    """
    if recipe.area is Area.SINGLE:
        if len(targets) > 1:
            raise UserError("This affects one target only.", "Only an area affects several targets.")
        return targets
    if not targets:
        return ()
    inside = tuple(_inside(fight, recipe, targets[0]))
    if not recipe.is_selective:
        return inside
    if len(targets) > 1:
        return tuple(one for one in inside if one in targets)
    side = fight.fighter(targets[0]).side
    return tuple(one for one in inside if one == targets[0] or fight.fighter(one).side is side)


def _inside(fight: Fight, recipe: Recipe, center: str) -> Iterator[str]:
    middle = fight.fighter(center)
    yield center
    if recipe.area is Area.GROUP:
        yield from (one.id for one in fight.group(middle))
        return
    near = sorted(fight.field.numbers, key=lambda region: _steps(fight, middle.region, region))
    regions = near[: recipe.regions]
    yield from (one.id for one in fight.present if one.region in regions and one.id != center)


def _steps(fight: Fight, start: int, end: int) -> int:
    steps = fight.field.steps(start, end)
    return fight.field.regions + 1 if steps is None else steps
