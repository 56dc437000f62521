"""Rolls of a fight besides attacks and saves: bleeding, coups de grace, grapples, helping hands."""

from dataclasses import replace

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.incapacity import after_bleeding, bleeding_check, helped
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.encounter import Bleed, Ending, Grasp, HelpingHand, Won, Wrestle
from bot.rules.rpj.combat.rules.grappling import checked, grapple_check, grappled, lost, touch_check
from bot.rules.rpj.combat.rules.helpless import coup_check, helping_check, killed
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

NO_EFFECT = Verdict(Family.FAILURE, "no effect")


def roll_bleed(stage: Stage, step: Bleed, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll for somebody who bleeds.

    Source: RPJ-GCS-33, RPJ-GCS-34.
    """
    whom = stage.battle[step.who]
    if not whom.health.is_bleeding:
        return stage
    before = stage
    roll = thrown(bleeding_check(whom.figure.module), dice, rolled)
    health = after_bleeding(whom.health, roll, stage.battle.rules)
    failed = "dies" if health.out is Out.DEAD else f"bleeds, {health.bleeding} of "
    if health.out is not Out.DEAD:
        failed += str(stage.battle.rules.bleeding_failures)
    verdict = Verdict(Family.SUCCESS, "stabilized") if health.is_stable else Verdict(Family.FAILURE, failed)
    stage = stage.rolled(step.who, roll, verdict=verdict).with_health(step.who, health)
    return offer_lucky_break(stage, before, step, roll, by=step.who, against=step.who)


def roll_coup(stage: Stage, step: Ending, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll a coup de grace.

    Source: RPJ-GCS-36.
    """
    actor, target = stage.battle[step.actor], stage.battle[step.target]
    if not actor.is_able or target.is_able:
        return stage.told(f"{actor.name}’s coup de grace comes to nothing.")
    before = stage
    roll = thrown(coup_check(stage.battle, step.actor, step.target), dice, rolled)
    kills = reading_of(roll).result.is_success
    verdict = Verdict(Family.SUCCESS, f"{target.name} dies") if kills else NO_EFFECT
    stage = stage.rolled(step.actor, roll, verdict=verdict).concerning(step.target)
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=step.target)
    return stage.with_health(step.target, killed(target.health)) if kills else stage


def roll_grasp(stage: Stage, step: Grasp, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll to take hold of somebody; a grapple check follows at once.

    Source: RPJ-GCS-50 (R-112).
    """
    before = stage
    roll = thrown(touch_check(stage.battle, step.actor, step.target), dice, rolled)
    holds = reading_of(roll).result.is_success
    stage = stage.rolled(step.actor, roll).concerning(step.target)
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=step.target)
    if not holds:
        return replace(stage, verdict=Verdict(Family.FAILURE, "no hold"))
    stage = stage.with_battle(checked(grappled(stage.battle, step.actor, step.target), step.actor))
    return stage.told("They hold each other.").pushed(Wrestle(actor=step.actor))


def roll_wrestle(stage: Stage, step: Wrestle, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll a grapple check; the winner has a choice, the loser has nothing left of the turn.

    Source: RPJ-GCS-53.
    """
    hold = stage.fight.grapple(step.actor)
    if hold is None:
        return stage
    before, other = stage, hold.other(step.actor)
    roll = thrown(grapple_check(stage.battle, step.actor, other), dice, rolled)
    wins = reading_of(roll).result.is_success
    verdict = Verdict(Family.SUCCESS, "wins") if wins else Verdict(Family.FAILURE, "loses")
    stage = stage.rolled(step.actor, roll, verdict=verdict).concerning(step.actor, other)
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=other)
    if wins:
        return stage.pushed(Won(winner=step.actor))
    stage = stage.told(f"{stage.battle[step.actor].name} has no actions left this turn.")
    return stage.with_battle(lost(stage.battle, step.actor))


def roll_help(stage: Stage, step: HelpingHand, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll for a helping hand.

    Source: RPJ-GCS-37, RPJ-GCS-38.
    """
    before, target = stage, stage.battle[step.target]
    roll = thrown(helping_check(stage.battle[step.actor].figure), dice, rolled)
    works = reading_of(roll).result.is_success
    verdict = Verdict(Family.SUCCESS, "back up") if works else Verdict(Family.FAILURE, "no change")
    stage = stage.rolled(step.actor, roll, verdict=verdict).concerning(step.target)
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=step.target)
    if not works:
        return stage
    stage = stage.with_health(step.target, helped(target.health))
    return stage.told(f"{target.name} is up again, weak: 1 action, attacks at −1, one save of 7+.")
