"""Doing what is still to be done in a fight, step by step, until somebody has to decide or to roll."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.damage_saves import Strike, after_save, damage_save, next_save
from bot.rules.rpj.combat.engine.apply_damage import (
    crushed,
    hurt,
    is_players,
    is_saved_against,
    mook_struck,
    unsaved,
    without_roll,
)
from bot.rules.rpj.combat.engine.fire_steps import raze, suppress_group
from bot.rules.rpj.combat.engine.grapple_and_bleeding_steps import (
    roll_bleed,
    roll_coup,
    roll_grasp,
    roll_help,
    roll_wrestle,
)
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.engine.magic_steps import roll_touch, roll_ward, roll_wield, roll_withstand
from bot.rules.rpj.combat.engine.under_fire_steps import entering, settled_in
from bot.rules.rpj.combat.rules.arms import chosen_arm, mook_arm
from bot.rules.rpj.combat.rules.attacks import (
    Hit,
    RpjAim,
    attack_check,
    hit_of,
    is_open,
    multi_attack,
    sure_hit,
    targeted,
)
from bot.rules.rpj.combat.rules.defenses import Way, best_defense, chosen_defense, defenses_of, stated
from bot.rules.rpj.combat.rules.encounter import (
    Aside,
    Bleed,
    Ending,
    Grasp,
    HelpingHand,
    PendingMove,
    Razing,
    React,
    RpjPendingAttack,
    Saving,
    Stance,
    Step,
    Suppressing,
    Swarming,
    UnsavedDamage,
    Waiting,
    Won,
    Wrestle,
)
from bot.rules.rpj.combat.rules.free_attacks import Trigger, chance_of, chances
from bot.rules.rpj.combat.rules.maneuvers import Maneuver, held, pushed_away
from bot.rules.rpj.combat.rules.moves import RpjStep as Stride
from bot.rules.rpj.combat.rules.moves import moved
from bot.rules.rpj.combat.rules.pending_magic import Harm, Touch, Ward, Wield, Withstand
from bot.rules.rpj.combat.rules.shooting import is_shot, may_be_shot
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.swarms import hits, swarm
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

HIT = Verdict(Family.SUCCESS, "hit")
CRITICAL_HIT = Verdict(Family.SUCCESS, "critical hit")
MISS = Verdict(Family.FAILURE, "miss")


def go_on(stage: Stage, dice: Dice) -> Stage:
    """Do everything that waits for nobody."""
    while stage.steps:
        stage = _refreshed(stage)
        if not stage.steps or waits(stage, stage.steps[-1]):
            break
        stage = run(stage.popped(), stage.steps[-1], dice)
    return stage


def waits(stage: Stage, step: Step) -> bool:
    """Whether a step waits for somebody to decide or to roll; the GM's characters roll at once.

    A coup de grace that somebody could strike before waits, so that it is told in a message of its own.
    """
    match step:
        case React() | Aside() | Won() | Ending():
            return True
        case RpjPendingAttack(target=target, way=None) | Swarming(target=target, way=None):
            return not _is_ranged(stage, step) and _asks(stage, target)
        case Saving(target=who, strikes=strikes):
            return is_players(stage, who) and is_saved_against(stage, who, strikes[0])
        case Bleed(who=who) | Ward(target=who) | Withstand(target=who):
            return is_players(stage, who)
        case UnsavedDamage(target=who):
            return is_players(stage, who) or not stage.battle[who].is_able
    return False


def _asks(stage: Stage, target: str) -> bool:
    """Whether somebody chooses their defence themselves, and has a choice.

    Source: RPJ-GCS-26.
    """
    whom = stage.battle[target]
    if stage.encounter.stance(whom.fighter) is not Stance.ASK or not whom.is_able or is_open(whom):
        return False
    return len(defenses_of(whom)) > 1


def _is_ranged(stage: Stage, step: RpjPendingAttack | Swarming) -> bool:
    """Whether an attack is met by the ranged defence, so that nobody chooses.

    Source: RPJ-FIRE-01.
    """
    if isinstance(step, RpjPendingAttack):
        arm = chosen_arm(stage.battle[step.attacker], step.weapon)
    else:
        arm = mook_arm(stage.battle[step.attackers[0]])
    return is_shot(stage.battle, arm.greatest)


def _refreshed(stage: Stage) -> Stage:
    """The same stage without free attacks that nobody can make any more, nor the dead to draw aside.

    Source: RPJ-GCS-42, RPJ-GCS-43.
    """
    top = stage.steps[-1]
    if isinstance(top, Aside) and stage.battle[top.target].health.out is Out.DEAD:
        less = stage.popped()
        return _refreshed(less) if less.steps else less
    if not isinstance(top, React):
        return stage
    is_able = stage.battle[top.provoker].is_able
    now = [chance_of(stage.battle, one.by, top.provoker, top.trigger) for one in top.waiting if is_able]
    still = tuple(
        Waiting(by=one.by, payment=one.payment, maneuvers=one.maneuvers) for one in now if one is not None
    )
    if not still:
        less = stage.popped()
        return _refreshed(less) if less.steps else less
    return stage.popped().pushed(top.model_copy(update={"waiting": still}))


def provoked(stage: Stage, provoker: str, trigger: Trigger, only: str | None = None) -> Stage:
    """The same stage with the free attacks that something provokes to be answered first.

    Source: RPJ-GCS-43 (R-108, R-109).
    """
    waiting = tuple(
        Waiting(by=one.by, payment=one.payment, maneuvers=one.maneuvers)
        for one in chances(stage.battle, provoker, trigger, only)
    )
    return stage.pushed(React(provoker=provoker, trigger=trigger, waiting=waiting)) if waiting else stage


def run(stage: Stage, step: Step, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
    """Do a step that has been taken off what is to be done.

    Args:
        stage: The stage without it.
        step: What is done.
        dice: Where the dice come from.
        rolled: Its roll, where dice of it lie on the table already.
    """
    doing: Callable[[Stage, Any, Dice, RpjCheckInputs | None], Stage] = _RUNS[type(step)]
    return doing(stage, step, dice, rolled)


# --- attacks -----------------------------------------------------------------------------------


def _is_there(stage: Stage, step: RpjPendingAttack | Swarming) -> bool:
    """Whether the target of an attack can still be attacked; the helpless only be shot.

    Source: RPJ-GCS-32, RPJ-FIRE-15 (FIRE-15b).
    """
    whom = stage.battle[step.target]
    return whom.is_able or (_is_ranged(stage, step) and whom.mook is None and may_be_shot(whom))


def _blow(stage: Stage, step: RpjPendingAttack, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    attacker, target = stage.battle[step.attacker], stage.battle[step.target]
    if not attacker.is_able or not _is_there(stage, step):
        return stage.told(f"{attacker.name}’s attack comes to nothing.")
    arm = chosen_arm(attacker, step.weapon)
    aim = RpjAim(attacker=step.attacker, target=step.target, arm=arm, terms=step.terms, shot=step.shot)
    defense = chosen_defense(target, step.way)
    defense = defense if step.number is None else stated(defense, step.number)
    stage = stage.with_battle(targeted(stage.battle, step.target)).concerning(step.target)
    before = stage
    if step.lucky and rolled is None:
        rolled = attack_check(stage.battle, aim, defense).model_copy(update={"has_extra_die": True})
    extras = [chosen_arm(attacker, extra) for extra in step.extras]
    if is_open(target):
        hit = sure_hit(arm, extras, lethal=step.lethal)
    elif extras and rolled is None:
        hit = multi_attack(stage.battle, aim, extras, defense, dice)
    else:
        hit = hit_of(thrown(attack_check(stage.battle, aim, defense), dice, rolled), arm, lethal=step.lethal)
    verdict = MISS if hit.strike is None else CRITICAL_HIT if hit.is_critical else HIT
    stage = stage.rolled(step.attacker, *hit.rolls, verdict=verdict)
    if hit.rolls:
        stage = offer_lucky_break(stage, before, step, hit.rolls[0], by=step.attacker, against=step.target)
    if hit.strike is None:
        riposte = not arm.is_ranged and not step.is_free
        return provoked(stage, step.attacker, Trigger.MISSED, step.target) if riposte else stage
    if arm.is_harmless:
        return stage.told(f"{arm.name} takes hold of {target.name}.")
    if target.mook is None:
        return _landed(_with_maneuver(stage, step), step.target, hit, spare=step.spare)
    stage = _landed(stage, step.target, hit, spare=step.spare)
    return _with_maneuver(stage, step) if stage.battle[step.target].is_able else stage


def _with_maneuver(stage: Stage, step: RpjPendingAttack) -> Stage:
    """What a maneuver does when its free attack hits.

    Source: RPJ-MNV-06 to RPJ-MNV-08.
    """
    owner, target = stage.battle[step.attacker].name, stage.battle[step.target].name
    match step.maneuver:
        case Maneuver.HOLDING:
            stays = (
                one for one in stage.steps if not (isinstance(one, PendingMove) and one.mover == step.target)
            )
            stage = stage.with_battle(held(stage.battle, step.target)).with_steps(stays)
            return stage.told(f"{target} is held and does not move for the rest of this turn.")
        case Maneuver.GUARDING:
            stage = stage.with_battle(pushed_away(stage.battle, step.attacker, step.target))
            return stage.told(f"{target} is driven off and cannot come near {owner} until the next turn.")
        case Maneuver.WATCHFUL:
            return stage.pushed(Aside(owner=step.attacker, target=step.target))
    return stage


def _landed(stage: Stage, target: str, *struck: Hit, spare: bool = False) -> Stage:
    """What hits do: mooks are down, critical hits take a save, the others are saved against.

    Source: RPJ-GCS-30, RPJ-GCS-31, RPJ-GCS-48, RPJ-HEALTH-17.
    """
    if stage.battle[target].mook is not None:
        return mook_struck(stage, target, *struck, spare=spare)
    if not stage.battle[target].is_able:
        strike = next(hit.strike for hit in struck if hit.strike is not None)
        return stage.pushed(UnsavedDamage(target=target, strike=strike))
    strikes: list[Strike] = []
    for hit in struck:
        if hit.strike is not None and hit.is_critical:
            stage = without_roll(stage, target, hit.strike)
        elif hit.strike is not None:
            strikes += [hit.strike.model_copy(update={"hits": 1})] * hit.strike.hits
    return stage.pushed(Saving(target=target, strikes=tuple(strikes))) if strikes else stage


def _swarm(stage: Stage, step: Swarming, dice: Dice, _rolled: RpjCheckInputs | None) -> Stage:
    target = stage.battle[step.target]
    able = [id_ for id_ in step.attackers if stage.battle[id_].is_able]
    if not able or not _is_there(stage, step):
        return stage.told("The attacks come to nothing.")
    aims = [
        RpjAim(
            attacker=id_,
            target=step.target,
            arm=mook_arm(stage.battle[id_]),
            terms=step.terms,
            shot=step.shot,
        )
        for id_ in able
    ]
    defense = chosen_defense(target, step.way)
    stage = stage.with_battle(targeted(stage.battle, step.target)).concerning(step.target)
    swarmed = swarm(stage.battle, aims, defense, min(step.rolls, len(aims)), dice)
    count = hits(swarmed)
    words = f"{count} of {len(aims)} hit" if count else "none hits"
    verdict = Verdict(Family.SUCCESS if count else Family.FAILURE, words)
    for one in swarmed[: step.rolls]:
        stage = stage.rolled(one.aim.attacker, *one.hit.rolls[:1], verdict=verdict)
    landed = [one.hit for one in swarmed if one.hit.strike is not None]
    return _landed(stage, step.target, *landed) if landed else stage


# --- damage ------------------------------------------------------------------------------------


def _saves(stage: Stage, step: Saving, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll the first of some damage saves; the others wait.

    Source: RPJ-GCS-31, RPJ-HEALTH-12, RPJ-HEALTH-17.
    """
    whom, strike, rest = stage.battle[step.target], step.strikes[0], step.strikes[1:]
    spot = next_save(whom.figure, strike) if whom.is_able else None
    if spot is None:
        return stage
    if rest:
        stage = stage.pushed(step.model_copy(update={"strikes": rest}))
    settled = unsaved(stage, step.target, strike, spot)
    if settled is not None:
        return settled
    before = stage
    roll = thrown(damage_save(whom.figure, spot, strike), dice, rolled)
    struck = after_save(whom.figure, spot, strike, roll)
    saved = Verdict(Family.SUCCESS, "saved")
    lost = Verdict(Family.FAILURE, "loses all saves" if struck.is_whole else f"loses {spot.target}+")
    stage = stage.rolled(step.target, roll, verdict=lost if struck.lost else saved).concerning(step.target)
    alone = step.model_copy(update={"strikes": (strike,)})
    stage = offer_lucky_break(stage, before, alone, roll, by=step.target, against=step.target)
    if struck.lost is None:
        return stage.told(f"{whom.name}’s {spot.layer.name} holds.")
    if not is_players(stage, step.target):
        stage = stage.told(f"{whom.name} loses a save.")
    if struck.breaks and spot.layer.kind is not LayerKind.BASE:
        stage = stage.told(f"{whom.name}’s {spot.layer.name} is broken.")
    return hurt(stage, step.target, struck.health)


def _doom(stage: Stage, step: UnsavedDamage, _dice: Dice, _rolled: RpjCheckInputs | None) -> Stage:
    """Giga damage that strikes home, or a shot at somebody helpless.

    Source: RPJ-SCALE-06, RPJ-FIRE-15 (FIRE-15b).
    """
    whom = stage.battle[step.target]
    if not whom.is_able:
        dead = whom.health.model_copy(update={"out": Out.DEAD})
        verdict = Verdict(Family.FAILURE, f"{whom.name} dies")
        return replace(stage.with_health(step.target, dead), verdict=stage.verdict or verdict)
    return crushed(stage, step.target, step.strike)


def _going(stage: Stage, step: PendingMove, _dice: Dice, _rolled: RpjCheckInputs | None) -> Stage:
    """Complete a move, and let those strike who watch for it.

    Source: RPJ-GCS-10, RPJ-GCS-43 (R-108), RPJ-MNV-06 (R-138).
    """
    mover = stage.battle[step.mover]
    if not mover.is_able or mover.fighter.turn.is_held:
        return stage.told(f"{mover.name} stays.")
    watched = entering(stage, step)
    if watched is not None:
        return watched
    there = {one.group for one in stage.fight.present if one.region == step.region}
    there |= {group for one in stage.fight.covers if one.region == step.region for group in one.groups}
    known = step.group if step.group in there or step.group == stage.fight.new_group else None
    stage = stage.with_battle(moved(stage.battle, step.mover, Stride(step.region, known, leaves=False)))
    stage = settled_in(stage, step).concerning(step.mover).told(where(stage, step.mover))
    return provoked(stage, step.mover, Trigger.ARRIVING)


def _harm(stage: Stage, step: Harm, _dice: Dice, _rolled: RpjCheckInputs | None) -> Stage:
    """What magic does to somebody: damage is saved against as that of a weapon is.

    Source: RPJ-SMAG-07, RPJ-WMAG-11.
    """
    if step.strike is None or not stage.battle[step.target].is_able:
        return stage
    stage = stage.with_battle(targeted(stage.battle, step.target)).concerning(step.target)
    return _landed(stage, step.target, Hit((), step.strike))


def where(stage: Stage, id_: str) -> str:
    """Where somebody stands, and with whom, as a sentence."""
    fighter = stage.fight.fighter(id_)
    region = stage.fight.field.name(fighter.region)
    others = ", ".join(one.name for one in stage.fight.group(fighter))
    return f"{fighter.name} is in {region}, {f'beside {others}' if others else 'alone'}."


_RUNS: dict[type, Callable[[Stage, Any, Dice, RpjCheckInputs | None], Stage]] = {
    RpjPendingAttack: _blow,
    Swarming: _swarm,
    Saving: _saves,
    UnsavedDamage: _doom,
    Bleed: roll_bleed,
    Ending: roll_coup,
    PendingMove: _going,
    Suppressing: suppress_group,
    Razing: raze,
    Grasp: roll_grasp,
    Wrestle: roll_wrestle,
    HelpingHand: roll_help,
    Touch: roll_touch,
    Wield: roll_wield,
    Ward: roll_ward,
    Withstand: roll_withstand,
    Harm: _harm,
}


def met(stage: Stage, way: Way | None) -> Stage:
    """The attack that waits, met so; the better way without a choice.

    Source: RPJ-GCS-26 (R-081).
    """
    top = stage.steps[-1]
    if not isinstance(top, RpjPendingAttack | Swarming):
        return stage
    whom = stage.battle[top.target]
    chosen = best_defense(whom) if way is None else chosen_defense(whom, way)
    return replace(stage.popped().pushed(top.model_copy(update={"way": chosen.way})))
