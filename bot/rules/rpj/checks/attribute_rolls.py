"""The commands for attribute checks, saving throws and Luck checks."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.pending_check import RpjAttempt
from bot.rules.rpj.checks.perform import perform
from bot.rules.rpj.checks.skill_check_command import HowOptions, with_toggles
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import RollTarget, toggles
from bot.rules.rpj.resolution.inputs import CheckKind


class RpjRolled(StrEnum):
    """What is added to the roll: an attribute's level, its bonus, or its level as a saving throw.

    Source: RPJ-ATTR-03 to RPJ-ATTR-05.
    """

    LEVEL = "level"
    BONUS = "bonus"
    SAVE = "saving throw"


KINDS = {
    RpjRolled.LEVEL: CheckKind.ATTRIBUTE,
    RpjRolled.BONUS: CheckKind.ATTRIBUTE_BONUS,
    RpjRolled.SAVE: CheckKind.SAVING_THROW,
}
_TARGETS = {
    CheckKind.ATTRIBUTE: RollTarget.ATTRIBUTE,
    CheckKind.ATTRIBUTE_BONUS: RollTarget.ATTRIBUTE_BONUS,
    CheckKind.SAVING_THROW: RollTarget.SAVING_THROW,
    CheckKind.LUCK: RollTarget.LUCK,
}
_WORDS = {
    CheckKind.ATTRIBUTE: "{}",
    CheckKind.ATTRIBUTE_BONUS: "{} bonus",
    CheckKind.SAVING_THROW: "{} saving throw",
    CheckKind.LUCK: "{}",
}


class AttributeOptions(HowOptions):
    """The options of an attribute check.

    Attributes:
        attribute: The attribute.
        rolled: Its level, its bonus, or its level as a saving throw.
    """

    attribute: RpjAttribute
    rolled: RpjRolled = RpjRolled.LEVEL


class RpjLuckOptions(HowOptions):
    """The options of a Luck check.

    Attributes:
        stake: What is at stake.
    """

    stake: str = Field(default="", max_length=120)


def attribute_toggles(figure: Stats, attribute: RpjAttribute, kind: CheckKind) -> tuple[str, ...]:
    """The trait conditions a player may claim for an attribute roll."""
    return toggles(figure.effects, _TARGETS[kind], of=attribute, attribute=attribute)


def attribute_attempt(
    who: CharacterId, figure: Stats, attribute: RpjAttribute, kind: CheckKind, situation: Situation
) -> RpjAttempt:
    """An attribute check, ready to be rolled.

    Source: RPJ-ATTR-03 to RPJ-ATTR-06.
    """
    words = _WORDS[kind].format(attribute.word)
    situation = with_toggles(situation, attribute_toggles(figure, attribute, kind), words)
    return RpjAttempt(
        character=who,
        words=words,
        verb="makes a" if kind is CheckKind.SAVING_THROW else "checks",
        inputs=attribute_check(figure, attribute, situation, kind),
        skill=words,
        on=_TARGETS[kind],
        of=attribute,
    )


def roll_attribute(scene: Scene, options: AttributeOptions, dice: Dice) -> Outcome:
    """Roll an attribute check, an attribute bonus check or a saving throw.

    Source: RPJ-ATTR-03, RPJ-ATTR-04, RPJ-ATTR-05, RPJ-SKILL-20.
    """
    figure = figure_in(scene, scene.actor)
    kind = KINDS[options.rolled]
    situation = options.situation(figure.module)
    return perform(scene, attribute_attempt(scene.actor.id, figure, options.attribute, kind, situation), dice)


declare("attribute", AttributeOptions, roll_attribute, is_check=True, can_repeat=True)


def roll_luck(scene: Scene, options: RpjLuckOptions, dice: Dice) -> Outcome:
    """Roll a Luck check for how a catastrophe turns out.

    Source: RPJ-ATTR-06, RPJ-SKILL-20.
    """
    figure = figure_in(scene, scene.actor)
    situation = options.situation(figure.module)
    attempt = attribute_attempt(scene.actor.id, figure, RpjAttribute.LUCK, CheckKind.LUCK, situation)
    stake = options.stake.strip()
    if stake:
        attempt = evolve(attempt, words=f"Luck ({stake})", verb="trusts to")
    return perform(scene, attempt, dice)


declare("luck", RpjLuckOptions, roll_luck, is_check=True, can_repeat=True)
