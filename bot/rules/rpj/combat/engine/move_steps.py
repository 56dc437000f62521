"""Steps: moves, and the shots they draw."""

from bot.rules.kernel.dice import Dice
from bot.rules.rpj.combat.engine.free_attack_steps import React, Waiting, provoked
from bot.rules.rpj.combat.rules.free_attacks import Trigger, chance_of
from bot.rules.rpj.combat.rules.moves import RpjStep as Stride
from bot.rules.rpj.combat.rules.moves import moved
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.combat.state.suppression import is_triggered, shots_at_mover
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class PendingMove(Step, kind="going"):
    """A move to complete.

    Attributes:
        mover: Who moves.
        region: Where to.
        group: The group that is joined; None for a new one.
        cautious: Whether it is a cautious move.
    """

    mover: str
    region: int
    group: int | None = None
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

        Source: RPJ-GCS-10, RPJ-GCS-43 (R-108), RPJ-MNV-06 (R-138).
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
        stage = stage.with_battle(moved(stage.battle, self.mover, Stride(self.region, known, leaves=False)))
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

    Source: RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27.
    """
    side = stage.fight.fighter(mover).side
    found = (
        chance_of(stage.battle, one.id, mover, trigger) for one in stage.fight.present if one.side is not side
    )
    waiting = tuple(Waiting(by=one.by, payment=one.payment) for one in found if one is not None)
    return stage.pushed(React(provoker=mover, trigger=trigger, waiting=waiting)) if waiting else stage


def under_fire(stage: Stage, mover: str, *, cautious: bool) -> Stage:
    """The stage with the shots drawn by a suppressed combatant's first move.

    Source: RPJ-FIRE-25, RPJ-FIRE-29.
    """
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

    Source: RPJ-FIRE-26 (FIRE-26d), RPJ-FIRE-30.
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
    entered = stage.with_battle(moved(stage.battle, step.mover, Stride(step.region, None, leaves=False)))
    watched = shot_at(entered.pushed(step), step.mover, Trigger.WATCHED)
    return watched if isinstance(watched.steps[-1], React) else None


def settled_in(stage: Stage, step: PendingMove) -> Stage:
    """The stage after a cautious move, which counts as light cover in the open.

    Source: RPJ-FIRE-28.
    """
    if not step.cautious:
        return stage
    fighter = stage.fight.fighter(step.mover)
    state = fighter.under_fire.cautious(in_cover=bool(stage.fight.covers_of(fighter)))
    return stage.with_battle(stage.battle.under_fire(step.mover, state))


def has_fired(stage: Stage, by: str, trigger: Trigger) -> Stage:
    """The stage after a shot out of turn; a shot on overwatch ends the overwatch.

    Source: RPJ-FIRE-26, RPJ-FIRE-27.
    """
    if trigger is not Trigger.WATCHED:
        return stage
    state = stage.fight.fighter(by).under_fire.fired()
    return stage.with_battle(stage.battle.under_fire(by, state))
