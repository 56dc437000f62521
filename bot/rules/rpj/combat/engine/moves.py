"""Moves: to another region or group, cautious moves, and the shots they draw."""

from msgspec import Struct

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import caution
from bot.rules.rpj.combat.combatant import RpjCombatant, is_triggered, shots_at_mover
from bot.rules.rpj.combat.engine.free_attacks import React, Trigger, Waiting, chance_of, provoked
from bot.rules.rpj.combat.fight import Step
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs


class Goal(Struct, frozen=True):
    """The goal of a move."""

    region: int | None = None  # the region; None for one's own
    beside: str | None = None  # somebody whose group is joined; None to stand alone
    cover: int | None = None  # the number of a cover that is gone into; None for none


class RpjStep(Struct, frozen=True):
    """A possible move."""

    region: int  # where it leads
    group: int | None  # the group joined; None for a new one
    leaves: bool  # whether somebody is left behind, who may strike


def step_to(battle: Battle, id_: str, goal: Goal, steps: int = 1) -> RpjStep:
    """The move to a goal, if possible. [RPJ-GCS-10, RPJ-GCS-52, RPJ-MNV-07, RPJ-MNV-08, RPJ-COND-04]

    Args:
        id_: Who moves.
        goal: Where to.
        steps: How many moves it may take.

    Raises:
        UserError: If that is too far, no way leads there, or somebody keeps the mover away.
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
    """A move into cover: to its first group. [RPJ-FIRE-12]"""
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
    """The battle after a move; its cost is paid before. [RPJ-GCS-10]"""
    group = battle.fight.new_group if step.group is None else step.group
    after = battle.changed(id_, region=step.region, group=group)
    fighter = after.fight.fighter(id_)
    in_cover = bool(after.fight.covers_of(fighter))
    return after.under_fire(id_, fighter.under_fire.displaced(in_cover=in_cover))


def carried(battle: Battle, id_: str, region: int, group: int | None) -> Battle:
    """The battle after an ability moves a combatant: no free attacks, and a grapple ends.

    [RPJ-GCS-43, RPJ-GCS-56]
    """
    battle = battle.with_fight(battle.fight.without_grapple(id_))
    return moved(battle, id_, RpjStep(region, group, leaves=False))


class CautiousWalk(Struct, frozen=True):
    """A cautious move."""

    actions: int | None  # actions it costs; None for the whole turn
    steps: int  # moves it is worth


def cautious_walk(battle: Battle, id_: str) -> CautiousWalk:
    """A combatant's current cost and distance of cautious movement.

    Raises:
        UserError: If it is not their turn, or too much of it is spent.

    [RPJ-GCS-45, RPJ-TRAIT-07, RPJ-APPX-08 (APPX-08a)]
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
    """The battle after paying for a cautious move. [RPJ-GCS-45]"""
    return battle.end_turn_of(id_) if walk.actions is None else battle.spent(id_, walk.actions)


class PendingMove(Step, kind="going"):
    """A move to complete."""

    mover: str  # who moves
    region: int  # where to
    group: int | None = None  # the group that is joined; None for a new one
    cautious: bool = False

    @property
    def goal(self) -> int:
        """The region it leads to."""
        return self.region

    @property
    def whose(self) -> tuple[str, ...]:
        """The mover."""
        return (self.mover,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Complete the move and offer the free attacks it provokes.

        [RPJ-GCS-10, RPJ-GCS-43 (R-108), RPJ-MNV-06 (R-138)]
        """
        mover = stage.battle[self.mover]
        if not mover.is_able or mover.fighter.turn.is_held:
            return stage.noted(f"{mover.name} doesn't move.")
        watched = entering(stage, self)
        if watched is not None:
            return watched
        there = {one.group for one in stage.fight.present if one.region == self.region}
        there |= {group for one in stage.fight.covers if one.region == self.region for group in one.groups}
        known = self.group if self.group in there or self.group == stage.fight.new_group else None
        stage = stage.with_battle(moved(stage.battle, self.mover, RpjStep(self.region, known, leaves=False)))
        stage = settled_in(stage, self).concerning(self.mover).noted(where(stage, self.mover))
        return provoked(stage, self.mover, Trigger.ARRIVING)

    def words(self, stage: Stage) -> str:
        """The move, as a phrase."""
        return f"{stage.fight.fighter(self.mover).name}'s move to {stage.fight.field.name(self.region)}"


def where(stage: Stage, id_: str) -> str:
    """Where a combatant stands and with whom, as a sentence."""
    fighter = stage.fight.fighter(id_)
    region = stage.fight.field.name(fighter.region)
    others = ", ".join(one.name for one in stage.fight.group(fighter))
    return f"{fighter.name} is in {region}, {f'beside {others}' if others else 'alone'}."


def shot_at(stage: Stage, mover: str, trigger: Trigger) -> Stage:
    """The stage with the shots a move draws to resolve first; none from the mover's side.

    [RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27]
    """
    side = stage.fight.fighter(mover).side
    found = (
        chance_of(stage.battle, one.id, mover, trigger) for one in stage.fight.present if one.side is not side
    )
    waiting = tuple(Waiting(by=one.by, payment=one.payment) for one in found if one is not None)
    return stage.pushed(React(provoker=mover, trigger=trigger, waiting=waiting)) if waiting else stage


def under_fire(stage: Stage, mover: str, *, cautious: bool) -> Stage:
    """The stage with the shots drawn by a suppressed combatant's first move. [RPJ-FIRE-25, RPJ-FIRE-29]"""
    fighter = stage.fight.fighter(mover)
    is_first = bool(shots_at_mover(fighter.under_fire))
    in_cover = bool(stage.fight.covers_of(fighter))
    state = fighter.under_fire.moved(leaves_cover=not in_cover)
    stage = stage.with_battle(stage.battle.under_fire(mover, state))
    if not is_first:
        return stage
    return shot_at(stage, mover, Trigger.UNDER_FIRE_CAUTIOUS if cautious else Trigger.UNDER_FIRE)


def entering(stage: Stage, step: PendingMove) -> Stage | None:
    """The stage with overwatch shots at someone entering a region; None if nobody watches it.

    Whoever is dropped by the shot lies there in a group of their own.

    [RPJ-FIRE-26 (FIRE-26d), RPJ-FIRE-30]
    """
    fighter = stage.fight.fighter(step.mover)
    watchers = [
        one
        for one in stage.fight.present
        if one.side is not fighter.side
        and is_triggered(one.under_fire, fighter.region, step.region, is_cautious=step.cautious)
    ]
    if not watchers:
        return None
    entered = stage.with_battle(moved(stage.battle, step.mover, RpjStep(step.region, None, leaves=False)))
    watched = shot_at(entered.pushed(step), step.mover, Trigger.WATCHED)
    return watched if isinstance(watched.steps[-1], React) else None


def settled_in(stage: Stage, step: PendingMove) -> Stage:
    """The stage after a cautious move, which counts as light cover in the open. [RPJ-FIRE-28]"""
    if not step.cautious:
        return stage
    fighter = stage.fight.fighter(step.mover)
    state = fighter.under_fire.cautious(in_cover=bool(stage.fight.covers_of(fighter)))
    return stage.with_battle(stage.battle.under_fire(step.mover, state))


def has_fired(stage: Stage, by: str, trigger: Trigger) -> Stage:
    """The stage after a shot out of turn; a shot on overwatch ends the overwatch.

    [RPJ-FIRE-26, RPJ-FIRE-27]
    """
    if trigger is not Trigger.WATCHED:
        return stage
    state = stage.fight.fighter(by).under_fire.fired()
    return stage.with_battle(stage.battle.under_fire(by, state))
