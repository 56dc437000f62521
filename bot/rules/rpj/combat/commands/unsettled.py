"""What a fight still waits for: every step that is not done, by name, and how it is settled or waived."""

from collections.abc import Callable
from dataclasses import replace

from bot.rules.kernel import Outcome, Scene, Unsettled
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.combat.commands.reaction_buttons import GROUP, outcome, questions
from bot.rules.rpj.combat.commands.reaction_commands import push_on
from bot.rules.rpj.combat.commands.reaction_options import NoChoice
from bot.rules.rpj.combat.engine.step_engine import run
from bot.rules.rpj.combat.rules.encounter import (
    FIGHTS_KEPT,
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
    Step,
    Suppressing,
    Swarming,
    UnsavedDamage,
    Won,
    Wrestle,
)
from bot.rules.rpj.combat.rules.pending_magic import Harm, Touch, Ward, Wield, Withstand
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import counted


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """What the fight of the channel waits for; what comes first stands first.

    Source: RPJ-GCS-31, RPJ-GCS-43, RPJ-GCS-66.
    """
    if FIGHTS_KEPT.find(scene) is None:
        return ()
    stage = Stage.of(scene)
    return tuple(_unsettled(stage, place) for place in reversed(range(len(stage.steps))))


def unsettled_anywhere(scene: Scene) -> tuple[Unsettled, ...]:
    """What the fights of all channels wait for."""
    channels = [key.partition("/")[2] for key in scene.keys(ENCOUNTER)]
    return tuple(
        _from_afar(one, channel) for channel in channels for one in unsettled(replace(scene, channel=channel))
    )


def _from_afar(one: Unsettled, channel: str) -> Unsettled:
    """Something that waits in a channel, to be settled from another one."""

    def settle(scene: Scene, dice: Dice) -> Outcome:
        done = one.settle(replace(scene, channel=channel), dice)
        return replace(done, scene=replace(done.scene, channel=scene.channel))

    def waive(scene: Scene) -> Scene:
        return replace(one.waive(replace(scene, channel=channel)), channel=scene.channel)

    return replace(one, channel=channel, settle=settle, waive=waive)


def _unsettled(stage: Stage, place: int) -> Unsettled:
    step = stage.steps[place]
    is_first = place == len(stage.steps) - 1
    answers = [one for one in questions(stage) if one.procedure != "fight.go_on"] if is_first else []
    concerned = (stage.character(id_) for id_ in _whose(step))
    return Unsettled(
        what=step_words(stage, step),
        concerns=tuple(one.id for one in concerned if one is not None),
        answers=tuple(answers),
        settle=_settled,
        waive=_without(place),
    )


def _whose(step: Step) -> tuple[str, ...]:
    """Whose answer or action a step is."""
    match step:
        case (
            React(provoker=id_) | PendingMove(mover=id_) | Bleed(who=id_) | Won(winner=id_) | Aside(owner=id_)
        ):
            return (id_,)
        case (
            RpjPendingAttack(attacker=by, target=id_)
            | Ward(caster=by, target=id_)
            | Withstand(caster=by, target=id_)
        ):
            return (by, id_)
        case Swarming(target=id_) | Saving(target=id_) | UnsavedDamage(target=id_) | Harm(target=id_):
            return (id_,)
        case Suppressing(attacker=id_) | Razing(attacker=id_):
            return (id_,)
        case Ending(actor=id_) | Grasp(actor=id_) | Wrestle(actor=id_) | HelpingHand(actor=id_):
            return (id_,)
        case Touch(actor=id_) | Wield(actor=id_):
            return (id_,)


def _settled(scene: Scene, dice: Dice) -> Outcome:
    """Settle what comes first: free attacks pass, everything else is rolled.

    Whoever bleeds rolls once, and no turn is passed on.
    """
    stage = Stage.of(scene)
    top = stage.steps[-1]
    if isinstance(top, Bleed):
        done = outcome(run(stage.popped(), top, dice), "rolls against bleeding out")
    else:
        done = push_on(scene, NoChoice(), dice)
    return replace(done, follow_ups=tuple(one for one in done.follow_ups if not _asks(one.group)))


def _asks(group: str) -> bool:
    """Whether a button asks for a step that is settled here anyway."""
    return group == GROUP or group.startswith(f"{GROUP} ")


def _without(place: int) -> Callable[[Scene], Scene]:
    def waive(scene: Scene) -> Scene:
        stage = Stage.of(scene)
        return stage.with_steps((*stage.steps[:place], *stage.steps[place + 1 :])).kept()

    return waive


def step_words(stage: Stage, step: Step) -> str:
    """What is still to be done, as a thing: "Ilsa’s save against 9 damage"."""

    def name(id_: str) -> str:
        return stage.fight.fighter(id_).name

    match step:
        case React(provoker=provoker, trigger=trigger, waiting=waiting):
            whose = ", ".join(counted(stage.fight.fighter(one.by) for one in waiting))
            return f"Free attack of {whose} while {name(provoker)} {trigger}"
        case RpjPendingAttack(attacker=attacker, target=target):
            return f"{name(attacker)}’s attack on {name(target)}"
        case Swarming(attackers=attackers, target=target):
            whose = ", ".join(counted(stage.fight.fighter(one) for one in attackers))
            return f"Attack of {whose} on {name(target)}"
        case Saving(target=target, strikes=strikes):
            damage = f"{strikes[0].damage} damage".replace("-", "−")
            return f"{name(target)}’s {_saves(len(strikes))} against {damage}"
        case UnsavedDamage(target=target):
            return f"The GM’s word on what strikes {name(target)} without a save"
        case PendingMove(mover=mover, region=region):
            return f"{name(mover)}’s move to {stage.fight.field.name(region)}"
        case Bleed(who=who):
            return f"{name(who)}’s roll against bleeding out"
        case Aside(owner=owner, target=target):
            return f"Whether {name(owner)} draws {name(target)} aside"
        case Won(winner=winner):
            return f"What {name(winner)} does with the grapple check won"
        case Ward(target=target, name=magic) | Withstand(target=target, name=magic):
            return f"{name(target)}’s roll against {magic}"
        case Harm(target=target):
            return f"What magic does to {name(target)}"
        case Suppressing(attacker=attacker) | Razing(attacker=attacker):
            return f"{name(attacker)}’s shots"
        case Ending(actor=actor, target=target):
            return f"{name(actor)}’s coup de grace on {name(target)}"
        case Grasp(actor=actor) | Wrestle(actor=actor):
            return f"{name(actor)}’s grapple"
        case HelpingHand(actor=actor, target=target):
            return f"{name(actor)}’s helping hand for {name(target)}"
        case Touch(actor=actor) | Wield(actor=actor):
            return f"{name(actor)}’s magic"


def _saves(count: int) -> str:
    return "save" if count == 1 else f"{count} saves"
