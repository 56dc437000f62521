"""What a fight still waits for: every pending step, and its buttons to settle or skip it."""

from collections.abc import Callable
from dataclasses import replace

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.character.sheet import Outcome, Scene, Unsettled
from bot.rules.rpj.combat.engine.answers import GROUP
from bot.rules.rpj.combat.engine.stack import go_on, outcome
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """What the channel's fight waits for, in order.

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
    """A pending step with buttons that work from another channel."""

    def settle(scene: Scene, dice: Dice) -> Outcome:
        done = one.settle(replace(scene, channel=channel), dice)
        return replace(done, scene=replace(done.scene, channel=scene.channel))

    def waive(scene: Scene) -> Scene:
        return replace(one.waive(replace(scene, channel=channel)), channel=scene.channel)

    return replace(one, channel=channel, settle=settle, waive=waive)


def _unsettled(stage: Stage, place: int) -> Unsettled:
    step = stage.steps[place]
    is_first = place == len(stage.steps) - 1
    concerned = (stage.character(id_) for id_ in step.whose)
    return Unsettled(
        what=step.words(stage),
        concerns=tuple(one.id for one in concerned if one is not None),
        answers=step.questions(stage) if is_first else (),
        settle=_settled,
        waive=_without(place),
    )


def _settled(scene: Scene, dice: Dice) -> Outcome:
    """Settle the first step: free attacks are skipped, everything else is rolled.

    Whoever bleeds rolls once, and no turn is passed on.
    """
    stage = Stage.of(scene)
    top = stage.steps[-1]
    words = top.pushed_words(stage)
    done = outcome(go_on(top.settled(stage, dice), dice), words)
    return replace(done, follow_ups=tuple(one for one in done.follow_ups if not _asks(one.group)))


def _asks(group: str) -> bool:
    """Whether a button belongs to a step that is settled here anyway."""
    return group == GROUP or group.startswith(f"{GROUP} ")


def _without(place: int) -> Callable[[Scene], Scene]:
    def waive(scene: Scene) -> Scene:
        stage = Stage.of(scene)
        return stage.with_steps((*stage.steps[:place], *stage.steps[place + 1 :])).saved()

    return waive
