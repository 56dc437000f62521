"""Moves under fire: who may shoot before a move, and when a watched region is entered."""

from bot.rules.rpj.combat.rules.encounter import PendingMove, React, Waiting
from bot.rules.rpj.combat.rules.free_attacks import SHOTS, Trigger, chance_of
from bot.rules.rpj.combat.rules.moves import RpjStep as Stride
from bot.rules.rpj.combat.rules.moves import moved
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.suppression import is_triggered, shots_at_mover


def shot_at(stage: Stage, mover: str, trigger: Trigger) -> Stage:
    """The stage with the shots that somebody's move draws to be answered first; none by their own side.

    Source: RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27.
    """
    side = stage.fight.fighter(mover).side
    found = (
        chance_of(stage.battle, one.id, mover, trigger) for one in stage.fight.present if one.side is not side
    )
    waiting = tuple(Waiting(by=one.by, payment=one.payment) for one in found if one is not None)
    return stage.pushed(React(provoker=mover, trigger=trigger, waiting=waiting)) if waiting else stage


def under_fire(stage: Stage, mover: str, *, cautious: bool) -> Stage:
    """The stage with the shots drawn by the first move of somebody suppressed; from now on they have moved.

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
    """The stage once somebody has entered a watched region, before they go on there; None if nobody watches.

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
    """The stage after a cautious move: out of cover it stands in for a little.

    Source: RPJ-FIRE-28.
    """
    if not step.cautious:
        return stage
    fighter = stage.fight.fighter(step.mover)
    state = fighter.under_fire.cautious(in_cover=bool(stage.fight.covers_of(fighter)))
    return stage.with_battle(stage.battle.under_fire(step.mover, state))


def has_fired(stage: Stage, by: str, trigger: Trigger) -> Stage:
    """The stage after a shot out of turn: that of an overwatch ends it.

    Source: RPJ-FIRE-26, RPJ-FIRE-27.
    """
    if trigger is not Trigger.WATCHED:
        return stage
    state = stage.fight.fighter(by).under_fire.fired()
    return stage.with_battle(stage.battle.under_fire(by, state))


__all__ = ["SHOTS", "entering", "has_fired", "settled_in", "shot_at", "under_fire"]
