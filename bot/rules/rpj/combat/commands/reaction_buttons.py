"""The buttons for what has to be decided or rolled before a fight goes on."""

from dataclasses import replace
from fractions import Fraction

from bot.rules.kernel import Audience, Document, FollowUp, Outcome
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.damage_saves import damage_save, next_save
from bot.rules.rpj.character.incapacity import bleeding_check
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.roll_deadlines import TOUCHES
from bot.rules.rpj.combat.commands.reaction_options import (
    MOOKS,
    AsideOptions,
    BleedOptions,
    DoomOptions,
    NoChoice,
    ReactOptions,
    RpjDefendOptions,
    SaveStepOptions,
    WardOptions,
    WonOptions,
)
from bot.rules.rpj.combat.engine.magic_steps import resisting, withstanding
from bot.rules.rpj.combat.rules.arms import chosen_arm
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check, is_open
from bot.rules.rpj.combat.rules.chances import at_mover
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.defenses import best_defense, defenses_of
from bot.rules.rpj.combat.rules.encounter import (
    Aside,
    Bleed,
    Ending,
    React,
    RpjPendingAttack,
    Saving,
    Step,
    Swarming,
    UnsavedDamage,
    Waiting,
    Won,
)
from bot.rules.rpj.combat.rules.free_attacks import SHOTS, Payment, Trigger
from bot.rules.rpj.combat.rules.helpless import coup_check
from bot.rules.rpj.combat.rules.maneuvers import Maneuver
from bot.rules.rpj.combat.rules.pending_magic import Ward, Withstand
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import counted
from bot.rules.rpj.combat.state.fighters import Fighter, RpjKind
from bot.rules.rpj.module.settings import settings_of
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

GROUP = "answer"


def chance(inputs: RpjCheckInputs) -> str:
    """The chance of a check, for people."""
    return percent(check_odds(inputs).enough or Fraction(0))


def attack_chance(battle: Battle, aim: RpjAim) -> str:
    """The chance of an attack against the better defence, for people."""
    whom = battle[aim.target]
    return "hits" if is_open(whom) else chance(attack_check(battle, aim, best_defense(whom)))


def questions(stage: Stage) -> tuple[FollowUp, ...]:
    """What can be pressed before the fight goes on; nothing where nothing comes first."""
    if not stage.steps:
        return ()
    match stage.steps[-1]:
        case React() as step:
            buttons = _reactions(stage, step)
        case RpjPendingAttack() | Swarming() as step:
            buttons = _defenses(stage, step)
        case Saving() as step:
            buttons = _saves(stage, step)
        case UnsavedDamage() as step:
            buttons = _doom(stage, step)
        case Bleed() as step:
            inputs = bleeding_check(stage.battle[step.who].figure.module)
            label = f"Fight for life on {inputs.target}+ · {chance(inputs)}"
            buttons = [_for(stage, step.who, "fight.bleed", BleedOptions(who=step.who), label)]
        case Aside() as step:
            buttons = _asides(stage, step)
        case Won() as step:
            buttons = _wins(stage, step)
        case Ending() as step:
            odds = chance(coup_check(stage.battle, step.actor, step.target))
            label = f"coup de grace on {stage.fight.fighter(step.target).name[:24]} · {odds}"
            buttons = [_for(stage, step.actor, "fight.finish_coup", NoChoice(), label)]
        case Ward() as step:
            buttons = _wards(stage, step)
        case Withstand() as step:
            inputs = withstanding(stage.battle, step)
            label = f"save with {step.attribute.word}, {inputs.target}+ · {chance(inputs)}"
            buttons = [_for(stage, step.target, "fight.withstand", WardOptions(target=step.target), label)]
        case _:
            buttons = []
    go_on = _gm("fight.go_on", NoChoice(), "Go on (GM)")
    return (*buttons, replace(go_on, deal=waits_for(stage.steps[-1], stage)))


def outcome(stage: Stage, headline: str, *about: Fighter) -> Outcome:
    """What is told of a stage, with the buttons for what comes next; of somebody hidden only to the GM."""
    return Outcome(
        scene=stage.kept(),
        headline=headline,
        verdict=stage.verdict,
        rolls=stage.rolls,
        notes=stage.notes,
        follow_ups=(*stage.buttons, *questions(stage)),
        paid=stage.paid,
        moments=tuple(f"{TOUCHES}{id_}" for id_ in sorted(stage.touched)),
        is_public=not any(one.is_hidden for one in about),
    )


def _gm(procedure: str, options: Document, label: str) -> FollowUp:
    return FollowUp(procedure=procedure, options=options, label=label[:80], audience=Audience.GM, group=GROUP)


def _for(
    stage: Stage, who: str, procedure: str, options: Document, label: str, group: str = GROUP
) -> FollowUp:
    """A button for whoever plays a fighter; the GM's for a mook that is no character."""
    name, character = stage.fight.fighter(who).name, stage.character(who)
    text = f"{name[:30]}: {label}"
    if character is None:
        return _gm(procedure, options, text)
    return FollowUp(
        procedure=procedure, options=options, label=text[:80], character=character.id, group=group
    )


# --- free attacks ------------------------------------------------------------------------------


def _reactions(stage: Stage, step: React) -> list[FollowUp]:
    buttons: list[FollowUp] = []
    others = [one for one in step.waiting if stage.fight.fighter(one.by).kind is not RpjKind.MOOK]
    for one in others:
        buttons += _reaction(stage, step, one)
    count = len(step.waiting) - len(others)
    if count:
        strikes = "Mooks: free attack" if count == 1 else f"{count} mooks: free attacks"
        buttons.append(_gm("fight.react", ReactOptions(by=MOOKS), strikes))
        buttons.append(_gm("fight.react", ReactOptions(by=MOOKS, strikes=False), "Mooks: let it pass"))
    return buttons


def _reaction(stage: Stage, step: React, one: Waiting) -> list[FollowUp]:
    """The strikes that are open to somebody, and letting it pass."""
    group = f"{GROUP} {one.by}"
    cost = "" if one.payment in (Payment.ROUND, Payment.NOTHING) else f" ({one.payment})"
    plain = "free attack" if step.trigger not in SHOTS else "shoot"
    if step.trigger in SHOTS and one.payment is Payment.ROUND:
        cost = " (free attack)"
    odds = _free_chance(stage, step, one)
    ways: list[Maneuver | None] = list(one.maneuvers)
    if step.trigger is not Trigger.ARRIVING:
        ways = [None, *ways]
    buttons = [
        _for(
            stage,
            one.by,
            "fight.react",
            ReactOptions(by=one.by, maneuver=way),
            f"{way.called if way else plain}{cost} · {odds}",
            group,
        )
        for way in ways
    ]
    no = ReactOptions(by=one.by, strikes=False)
    return [*buttons, _for(stage, one.by, "fight.react", no, "let it pass", group)]


def _free_chance(stage: Stage, step: React, one: Waiting) -> str:
    if step.trigger in SHOTS:
        shot = at_mover(stage.battle, one.by, step.provoker, SHOTS[step.trigger])
        return attack_chance(stage.battle, shot) if shot is not None else ""
    arm = chosen_arm(stage.battle[one.by], near=True)
    aim = RpjAim(attacker=one.by, target=step.provoker, arm=arm)
    return attack_chance(stage.battle, aim)


def _asides(stage: Stage, step: Aside) -> list[FollowUp]:
    target = stage.fight.fighter(step.target).name
    draw, stay = AsideOptions(owner=step.owner), AsideOptions(owner=step.owner, draws=False)
    return [
        _for(stage, step.owner, "fight.aside", draw, f"draw {target[:20]} aside"),
        _for(stage, step.owner, "fight.aside", stay, "stay"),
    ]


# --- defences and saves ------------------------------------------------------------------------


def _defenses(stage: Stage, step: RpjPendingAttack | Swarming) -> list[FollowUp]:
    """Dodge or absorb, for the one attacked; the attacker, or time, may have the better one taken.

    Source: RPJ-GCS-26.
    """
    whom = stage.battle[step.target]
    buttons = [
        _for(
            stage,
            step.target,
            "fight.defend",
            RpjDefendOptions(target=step.target, way=one.way),
            f"{one.way} ({one.value}+)",
        )
        for one in defenses_of(whom)
    ]
    return [*buttons, _better_defense(stage, step)]


def _better_defense(stage: Stage, step: RpjPendingAttack | Swarming) -> FollowUp:
    """The attacker's button that has the better defence taken, which time presses too.

    Source: RPJ-GCS-26.
    """
    attacker = stage.character(step.attacker if isinstance(step, RpjPendingAttack) else step.attackers[0])
    label = f"Pick the better defense for {stage.fight.fighter(step.target).name[:30]}"
    options = RpjDefendOptions(target=step.target)
    if attacker is None or attacker.owner is None:
        button = _gm("fight.defend", options, f"{label} (GM)")
    else:
        button = FollowUp(
            procedure="fight.defend", options=options, label=label, character=attacker.id, group=GROUP
        )
    return replace(button, after_seconds=settings_of(stage.scene).defense_seconds or None)


def _saves(stage: Stage, step: Saving) -> list[FollowUp]:
    whom, strike = stage.battle[step.target], step.strikes[0]
    spot = next_save(whom.figure, strike)
    if spot is None:
        return []
    inputs = damage_save(whom.figure, spot, strike)
    many = len(step.strikes)
    count = f" (1 of {many})" if many > 1 else ""
    own = SaveStepOptions(target=step.target)
    against = f"{inputs.target}+, {spot.layer.name[:16]}"
    buttons = [_for(stage, step.target, "fight.save", own, f"save{count} on {against} · {chance(inputs)}")]
    character = stage.character(step.target)
    has_luck = character is not None and lucky_breaks_left(character) > 0
    if many > 1:
        every = own.model_copy(update={"all": True})
        costs = " (Lucky Break on the last only)" if has_luck else ""
        buttons.append(_for(stage, step.target, "fight.save", every, f"roll all {many} saves{costs}"))
    if has_luck:
        lucky = own.model_copy(update={"lucky": True})
        odds = chance(inputs.model_copy(update={"has_extra_die": True}))
        buttons.append(_for(stage, step.target, "fight.save", lucky, f"save with a Lucky Break · {odds}"))
    return buttons


def _doom(stage: Stage, step: UnsavedDamage) -> list[FollowUp]:
    """The GM's word on damage that nobody saves against.

    Source: RPJ-SCALE-06.
    """
    name, deal = stage.fight.fighter(step.target).name[:24], doom_words(stage, step)
    home, spared = DoomOptions(target=step.target), DoomOptions(target=step.target, strikes=False)
    buttons = (
        _gm("fight.doom", home, f"{name}: {deal} (GM)"),
        _gm("fight.doom", spared, f"Spare {name} (GM)"),
    )
    return [replace(one, deal=deal) for one in buttons]


def doom_words(stage: Stage, step: UnsavedDamage) -> str:
    """What the GM confirms, or spares somebody."""
    is_able = stage.battle[step.target].is_able
    return "no save, effectively lethal" if is_able else "shot while helpless, killed"


def _wins(stage: Stage, step: Won) -> list[FollowUp]:
    """Getting out of a grapple, or doing damage in it.

    Source: RPJ-GCS-54, RPJ-GCS-55.
    """
    kept = 1 if stage.fight.fighter(step.winner).turn.actions >= 2 else 0
    out, hurt = WonOptions(winner=step.winner), WonOptions(winner=step.winner, damage=True)
    damage = stage.battle.rules.grapple_damage
    return [
        _for(stage, step.winner, "fight.won", out, f"break free (keeps {kept})"),
        _for(stage, step.winner, "fight.won", hurt, f"do {damage} damage (all actions)"),
    ]


def _wards(stage: Stage, step: Ward) -> list[FollowUp]:
    """Resisting magic, or letting it come.

    Source: RPJ-SMAG-18.
    """
    odds = chance(resisting(stage.battle, step))
    yes, no = WardOptions(target=step.target), WardOptions(target=step.target, resists=False)
    return [
        _for(stage, step.target, "fight.ward", yes, f"resist with {step.value} · {odds}"),
        _for(stage, step.target, "fight.ward", no, "let it come"),
    ]


def waits_for(step: Step, stage: Stage) -> str:
    """Who has to decide or to roll, as a sentence without an end."""
    names = stage.fight.fighter
    match step:
        case React(provoker=provoker, trigger=trigger, waiting=waiting):
            whose = ", ".join(counted(names(one.by) for one in waiting))
            return f"{names(provoker).name} {trigger}: free attacks are open to {whose}"
        case RpjPendingAttack(target=target) | Swarming(target=target):
            return f"{names(target).name} is attacked and chooses a defense"
        case Saving(target=target, strikes=strikes):
            count = f", {len(strikes)} to go" if len(strikes) > 1 else ""
            return f"{names(target).name} is hit and saves{count}"
        case UnsavedDamage(target=target):
            how = "struck by giga damage" if stage.battle[target].is_able else "shot while helpless"
            return f"{names(target).name} is {how}: the GM decides"
        case Bleed(who=who):
            return f"{names(who).name} bleeds"
        case Aside(owner=owner):
            return f"{names(owner).name} may draw the target aside"
        case Ending(actor=actor, target=target):
            return f"{names(actor).name} goes on with the coup de grace on {names(target).name}"
        case Won(winner=winner):
            return f"{names(winner).name} has won the grapple check"
        case Ward(target=target, name=name):
            return f"{names(target).name} may resist {name}"
        case Withstand(target=target, name=name):
            return f"{names(target).name} saves against {name}"
    return "Something is being done"
