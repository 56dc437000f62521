"""The test commands: own attribute, opponent's attribute, obstacle and proficiency."""

from pydantic import Field

from bot.rules.kernel import CharacterId, declare
from bot.rules.kernel.dice import Dice
from bot.rules.sword_and_swarm.character.sheet import Outcome, Scene
from bot.rules.sword_and_swarm.checks.performing import perform
from bot.rules.sword_and_swarm.checks.trials import (
    Opposition,
    SwarmCircumstances,
    assert_may_force,
    obstacle_trial,
    own_trial,
    proficiency_trial,
    versus_trial,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute


class OwnOptions(SwarmCircumstances):
    """The attribute to test."""

    attribute: SwarmAttribute


class VersusOptions(SwarmCircumstances):
    """The opponent's attribute to test.

    Attributes:
        attribute: The attribute.
        target: The opponent; None if only the number is known.
        value: The number; None if a target is given.
    """

    attribute: SwarmAttribute
    target: CharacterId | None = None
    value: int | None = Field(default=None, ge=0, le=HIGHEST)


class ObstacleOptions(SwarmCircumstances):
    """The obstacle to test: its difficulty from 0 to 10, or its name."""

    obstacle: str = Field(max_length=100)


class ProficiencyOptions(SwarmCircumstances):
    """The proficiency to test, and its difficulty as a number or a name."""

    proficiency: str = Field(max_length=100)
    difficulty: str = Field(max_length=100)


def own_attribute(scene: Scene, options: OwnOptions, dice: Dice) -> Outcome:
    """Test the actor's own attribute.

    Source: SWARM-TEST-02.
    """
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    return perform(scene, actor.id, own_trial(scene, actor, options.attribute, options), dice)


declare("test", OwnOptions, own_attribute, can_repeat=True)


def versus(scene: Scene, options: VersusOptions, dice: Dice) -> Outcome:
    """Test an opponent's attribute.

    Source: SWARM-TEST-03.
    """
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    against = Opposition(options.attribute, options.target, options.value)
    return perform(scene, actor.id, versus_trial(scene, actor, against, options), dice)


declare("versus", VersusOptions, versus, can_repeat=True)


def obstacle(scene: Scene, options: ObstacleOptions, dice: Dice) -> Outcome:
    """Test an obstacle.

    Source: SWARM-TEST-04.
    """
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    return perform(scene, actor.id, obstacle_trial(scene, actor, options.obstacle, options), dice)


declare("obstacle", ObstacleOptions, obstacle, can_repeat=True)


def proficiency(scene: Scene, options: ProficiencyOptions, dice: Dice) -> Outcome:
    """Test a proficiency.

    Source: SWARM-PROF-01.
    """
    assert_may_force(scene, is_forced=options.forced)
    actor = scene.actor
    trial = proficiency_trial(scene, actor, options.proficiency, options.difficulty, options)
    return perform(scene, actor.id, trial, dice)


declare("proficiency", ProficiencyOptions, proficiency, can_repeat=True)
