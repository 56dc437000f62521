"""Warn before a roll that cannot succeed, and offer alternatives that could."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from bot.rules.kernel import FollowUp, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.swim_class.character.sheet import Outcome, Scene
from bot.rules.swim_class.checks.plans import PUSH_LIMIT, PoolPlan
from bot.rules.swim_class.checks.unopposed_roll import Prepared, prepare
from bot.rules.swim_class.resolution.number_words import WHOLE, progress_words
from bot.rules.swim_class.resolution.pools import NOTHING, SwimPoolInputs, best_progress, pool_odds

if TYPE_CHECKING:  # it rolls by this
    from bot.rules.swim_class.checks.rolling import PoolOptions

MOST_PUSH, MOST_FOCUS, MOST_OFFERED = 6, 2, 3

OptionsT = TypeVar("OptionsT", bound="PoolOptions")
_Way = tuple[OptionsT, Fraction, str]  # the options of another version, its chance, and words


def is_beyond(inputs: SwimPoolInputs) -> bool:
    """Whether a pool cannot reach the needed progress, or any at all."""
    most = best_progress(inputs)
    if inputs.needed is not None and inputs.at_once:
        return most // WHOLE < inputs.needed
    return not most


def warned(
    scene: Scene,
    procedure: str,
    options: OptionsT,
    plan: PoolPlan,
    words: str,
    prepared: Prepared | None = None,
) -> Outcome | None:
    """The warning instead of a roll that cannot succeed, with alternatives; None for other rolls.

    Args:
        scene: The scene before the roll.
        procedure: The procedure's key.
        options: Its options.
        plan: The roll.
        words: The action, as it follows the character's name.
        prepared: The roll with its pool, where the caller goes on with it; else it is prepared here.

    Raises:
        UserError: If the roll would not be allowed anyway.

    Source: SWIM-TASK-03.
    """
    if options.anyway:
        return None
    inputs = (prepared or prepare(scene, scene.actor, plan)).planned.inputs
    if not is_beyond(inputs):
        return None
    return _asking(scene, procedure, options, words, inputs, _others(scene, options, plan))


def warned_before(
    scene: Scene, procedure: str, options: OptionsT, plan: PoolPlan, field: str, words: str
) -> Outcome | None:
    """The warning instead of what needs a pushed roll first that cannot succeed; None where it can.

    Args:
        scene: The scene before it.
        procedure: The procedure's key.
        options: Its options.
        plan: The roll that it needs first, which takes no action.
        field: The option with that roll's push factor.
        words: The action, as it follows the character's name.

    Source: SWIM-TASK-03, SWIM-SKILL-19.
    """
    inputs = prepare(scene, scene.actor, plan, is_action=False).planned.inputs
    if options.anyway or not is_beyond(inputs):
        return None
    tried = [
        (field, times, replace(plan, push=times), f"Push {inputs.skill} ×{times}")
        for times in range(2, MOST_PUSH + 1)
    ]
    others = _reaching(scene, options, tried, is_action=False)
    return _asking(scene, procedure, options, words, inputs, others)


def _asking(
    scene: Scene,
    procedure: str,
    options: OptionsT,
    words: str,
    inputs: SwimPoolInputs,
    others: "list[_Way[OptionsT]]",
) -> Outcome:
    """The question before a roll that cannot succeed, with the best of the alternatives."""
    other = sorted(others, key=lambda one: -one[1])[:MOST_OFFERED]
    ways = [(chosen, f"{label} · {percent(chance)}") for chosen, chance, label in other]
    ways.append((evolve(options, anyway=True), "Roll anyway"))
    buttons = tuple(
        FollowUp(procedure=procedure, options=chosen, label=label, character=scene.actor_id, rewinds=True)
        for chosen, label in ways
    )
    return Outcome(scene=scene, headline=f"{words}: out of reach", notes=(_why(inputs),), follow_ups=buttons)


def _why(inputs: SwimPoolInputs) -> str:
    most = best_progress(inputs)
    if not most:
        return f"No die can reach {inputs.difficulty}. Nothing was rolled."
    best = progress_words(most)
    return f"These dice can make at most {best}, and you need {inputs.needed}. Nothing was rolled."


def _others(scene: Scene, options: OptionsT, plan: PoolPlan) -> "list[_Way[OptionsT]]":
    """The pushed or focused versions of a roll that could succeed."""
    if plan.push > 1 or plan.focus:
        return []
    pushes = range(2, MOST_PUSH + 1) if plan.difficulty <= PUSH_LIMIT else ()
    tried = [("push", times, replace(plan, push=times), f"Push ×{times}") for times in pushes]
    for points in range(1, MOST_FOCUS + 1):
        tried.append(("focus", points, replace(plan, focus=points), f"Focus −{points}"))
    return _reaching(scene, options, tried)


def _reaching(
    scene: Scene,
    options: OptionsT,
    tried: Sequence[tuple[str, int, PoolPlan, str]],
    *,
    is_action: bool = True,
) -> "list[_Way[OptionsT]]":
    """Those versions of a roll that could succeed, of options, their values, plans and words."""
    found = []
    for field, number, changed, words in tried:
        try:
            inputs = prepare(scene, scene.actor, changed, is_action=is_action).planned.inputs
        except UserError:  # that is not allowed
            continue
        if not is_beyond(inputs):
            found.append((options.model_copy(update={field: number}), _chance(inputs), words))
    return found


def _chance(inputs: SwimPoolInputs) -> Fraction:
    """The chance of the needed progress, or of any progress for a task that adds up."""
    if inputs.is_automatic:
        return Fraction(1)
    odds = pool_odds(inputs)
    if odds.enough is not None:
        return odds.enough
    return 1 - sum((chance.fraction for name, chance in odds.chances if name == NOTHING), start=Fraction(0))
