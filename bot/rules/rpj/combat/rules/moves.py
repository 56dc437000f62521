"""Moves: to another region or group, and cautious moves."""

from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.combat_traits import caution
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.module.condition_kinds import Need


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a move.

    Attributes:
        region: The region; None for one's own.
        beside: Somebody whose group is joined; None to stand alone.
        cover: The number of a cover that is gone into; None for none.
    """

    region: int | None = None
    beside: str | None = None
    cover: int | None = None


@dataclass(frozen=True, slots=True)
class RpjStep:
    """A possible move.

    Attributes:
        region: Where it leads.
        group: The group joined; None for a new one.
        leaves: Whether somebody is left behind, who may strike.
    """

    region: int
    group: int | None
    leaves: bool


def step_to(battle: Battle, id_: str, goal: Goal, steps: int = 1) -> RpjStep:
    """The move to a goal, if possible.

    Args:
        battle: The battle.
        id_: Who moves.
        goal: Where to.
        steps: How many moves it may take.

    Raises:
        UserError: If that is too far, no way leads there, or somebody keeps the mover away.

    Source: RPJ-GCS-10, RPJ-GCS-52, RPJ-MNV-07, RPJ-MNV-08, RPJ-COND-04.
    """
    mover, fight = battle.fight.fighter(id_), battle.fight
    battle.assert_free(id_)
    battle[id_].assert_can(Need.MOVE)
    if fight.is_cinematic:
        raise UserError("This fight is played in yards.", try_this="Move with /rpj-fight cinema walk.")
    if mover.turn.is_held:
        raise UserError(f"{mover.name} is held and can't move for the rest of this turn.")
    mover.under_fire.assert_may_move()
    friend = fight.fighter(goal.beside) if goal.beside is not None else None
    region = region_of(battle, id_, goal)
    fight.field.assert_region(region)
    if friend is not None and friend.region != region:
        raise UserError(f"{friend.name} is in {fight.field.name(friend.region)}.")
    _assert_near(battle, mover, region, steps)
    others = fight.group(mover)
    if goal.cover is not None:
        return _into_cover(battle, mover, goal.cover, region)
    if friend is None and region == mover.region and not others:
        raise UserError(f"{mover.name} is already alone there.")
    if friend is not None and friend.group == mover.group:
        raise UserError(f"{mover.name} and {friend.name} are already in the same group.")
    if friend is not None:
        _assert_welcome(battle, mover, friend)
    return RpjStep(region, friend.group if friend else None, bool(others))


def _into_cover(battle: Battle, mover: RpjCombatant, id_: int, region: int) -> RpjStep:
    """A move into cover: to its first group.

    Source: RPJ-FIRE-12.
    """
    fight = battle.fight
    placed = next((one for one in fight.covers if one.id == id_ and one.region == region), None)
    if placed is None:
        raise UserError("That cover is no longer there.")
    if mover.group in placed.groups:
        raise UserError(f"{mover.name} is already behind the {placed.cover.name}.")
    there = [one for one in fight.present if one.group == placed.groups[0]]
    if there:
        _assert_welcome(battle, mover, there[0])
    return RpjStep(region, placed.groups[0], bool(fight.group(mover)))


def _assert_near(battle: Battle, mover: RpjCombatant, region: int, steps: int) -> None:
    """Refuse a region too far away for one move."""
    field, reached = battle.fight.field, {mover.region}
    for _ in range(steps):
        reached |= {there for here in reached for there in field.exits(here)}
    if region not in reached:
        near = ", ".join(field.name(there) for there in field.exits(mover.region))
        raise UserError(
            f"{field.name(region)} isn't next to {field.name(mover.region)}.",
            f"From there, one move leads to {near}." if near else "There is no way out of there.",
        )


def _assert_welcome(battle: Battle, mover: RpjCombatant, friend: RpjCombatant) -> None:
    group = (friend, *battle.fight.group(friend))
    owner = next((one for one in group if one.id in mover.barred), None)
    if owner is not None:
        raise UserError(f"{owner.name} keeps {mover.name} away until {mover.name}'s next turn.")


def region_of(battle: Battle, id_: str, goal: Goal) -> int:
    """The region of a goal; without one named, that of whoever is joined, or the mover's own."""
    beside = id_ if goal.beside is None else goal.beside
    return goal.region or battle.fight.fighter(beside).region


def route(battle: Battle, id_: str, region: int) -> str:
    """A move in words, before it is made: "from Region 1 to Region 2"."""
    field, here = battle.fight.field, battle.fight.fighter(id_).region
    if region == here:
        return f"within {field.name(here)}"
    return f"from {field.name(here)} to {field.name(region)}"


def moved(battle: Battle, id_: str, step: RpjStep) -> Battle:
    """The battle after a move; its cost is paid before.

    Source: RPJ-GCS-10.
    """
    group = battle.fight.new_group if step.group is None else step.group
    after = battle.changed(id_, region=step.region, group=group)
    fighter = after.fight.fighter(id_)
    in_cover = bool(after.fight.covers_of(fighter))
    return after.under_fire(id_, fighter.under_fire.displaced(in_cover=in_cover))


def carried(battle: Battle, id_: str, region: int, group: int | None) -> Battle:
    """The battle after an ability moves a combatant: no free attacks, and a grapple ends.

    Source: RPJ-GCS-43, RPJ-GCS-56.
    """
    battle = battle.with_fight(battle.fight.without_grapple(id_))
    return moved(battle, id_, RpjStep(region, group, leaves=False))


@dataclass(frozen=True, slots=True)
class CautiousWalk:
    """A cautious move.

    Attributes:
        actions: Actions it costs; None for the whole turn.
        steps: Moves it is worth.
    """

    actions: int | None
    steps: int


def cautious_walk(battle: Battle, id_: str) -> CautiousWalk:
    """A combatant's current cost and distance of cautious movement.

    Raises:
        UserError: If it is not their turn, or too much of it is spent.

    Source: RPJ-GCS-45, RPJ-TRAIT-07, RPJ-APPX-08 (APPX-08a).
    """
    battle.assert_turn(id_)
    who = battle[id_]
    walk = caution(who.figure) if who.sheeted else None
    if walk is None or walk.actions is None or walk.actions > who.fighter.turn.received:
        if not who.fighter.turn.is_untouched:
            raise UserError(
                "Moving cautiously takes a whole turn.", "You have already used part of this one."
            )
        return CautiousWalk(None, walk.steps if walk else 1)
    return CautiousWalk(walk.actions, walk.steps)


def cautious_paid(battle: Battle, id_: str, walk: CautiousWalk) -> Battle:
    """The battle after paying for a cautious move.

    Source: RPJ-GCS-45.
    """
    return battle.end_turn_of(id_) if walk.actions is None else battle.spent(id_, walk.actions)
