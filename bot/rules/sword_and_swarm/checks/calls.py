"""Tests that the GM asks for: the player gets a button that rolls."""

from pydantic import Field

from bot.rules.kernel import CharacterId, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import signed
from bot.rules.sword_and_swarm.character.sheet import Character, Outcome, Scene
from bot.rules.sword_and_swarm.checks.performing import chance_of, is_asked, kind_words, perform
from bot.rules.sword_and_swarm.checks.trials import (
    SwarmCircumstances,
    Trial,
    obstacle_trial,
    own_trial,
    proficiency_trial,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute
from bot.rules.sword_and_swarm.resolution.edges import Edge
from bot.rules.sword_and_swarm.resolution.proficiency_tests import ProficiencyInputs, difficulty_words


class SwarmAnswerOptions(SwarmCircumstances):
    """The test that the GM asks for: an attribute, an obstacle or a proficiency.

    Attributes:
        attribute: The character's own attribute.
        obstacle: An obstacle.
        proficiency: A proficiency, with its difficulty.
        difficulty: The difficulty of the proficiency test.
    """

    attribute: SwarmAttribute | None = None
    obstacle: str = Field(default="", max_length=100)
    proficiency: str = Field(default="", max_length=100)
    difficulty: str = Field(default="", max_length=100)


class SwarmCallOptions(SwarmAnswerOptions):
    """The test and the character the GM asks."""

    character: CharacterId


def _trial(scene: Scene, character: Character, asked: SwarmAnswerOptions) -> Trial:
    wanted = [bool(asked.attribute), bool(asked.obstacle), bool(asked.proficiency)]
    if wanted.count(True) != 1:
        raise UserError(
            "Choose exactly one test.",
            "Give an attribute, an obstacle, or a proficiency with its difficulty.",
        )
    if asked.difficulty and not asked.proficiency:
        raise UserError("Only a proficiency test has a difficulty.", "Leave it out, or choose a proficiency.")
    if asked.attribute:
        return own_trial(scene, character, asked.attribute, asked)
    if asked.obstacle:
        return obstacle_trial(scene, character, asked.obstacle, asked)
    return proficiency_trial(scene, character, asked.proficiency, asked.difficulty, asked)


def call_for(scene: Scene, options: SwarmCallOptions, _dice: Dice) -> Outcome:
    """Ask a character for a test, and give the player a button that rolls it.

    Source: SWARM-TEST-01.
    """
    character = scene.character(options.character)
    asked = SwarmAnswerOptions(**options.model_dump(exclude={"character"}))
    trial = _trial(scene, character, asked)
    button = FollowUp(
        procedure="answer",
        options=asked,
        label=f"Test {trial.words} · {_chances(scene, character, trial)}"[:80],
        character=character.id,
        group="answer",
    )
    return Outcome(
        scene=scene,
        headline=f"asks {character.name} to test {_asked_words(trial)} ({kind_words(trial.inputs)})",
        follow_ups=(button,),
    )


declare("call", SwarmCallOptions, call_for, gm_only=True, needs_actor=False)


def _chances(scene: Scene, character: Character, trial: Trial) -> str:
    """The chance of a test, and that with a re-roll where the player will be asked about it."""
    chance = percent(chance_of(trial.inputs))
    if not is_asked(scene, character.id, trial.inputs):
        return chance
    return f"{percent(chance_of(evolve(trial.inputs, edge=Edge.NONE)))}, {chance} with a re-roll"


def _asked_words(trial: Trial) -> str:
    """A test with its difficulty, its modifiers and its edge."""
    inputs = trial.inputs
    against = (
        f" against {difficulty_words(inputs.difficulty)}" if isinstance(inputs, ProficiencyInputs) else ""
    )
    modifiers = [
        f"{signed(one.value)} {one.label}".strip() for one in (modifier.term for modifier in inputs.modifiers)
    ]
    edge = "" if inputs.edge is Edge.NONE else f"with {inputs.edge}"
    return ", ".join(part for part in (f"{trial.words}{against}", *modifiers, edge) if part)


def answer(scene: Scene, options: SwarmAnswerOptions, dice: Dice) -> Outcome:
    """Make the test that the GM asked for; only the GM's button calls this."""
    actor = scene.actor
    return perform(scene, actor.id, _trial(scene, actor, options), dice)


declare("answer", SwarmAnswerOptions, answer)
