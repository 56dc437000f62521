"""Lucky Breaks in fights: buttons under rolls."""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import SerializeAsAny, model_validator

from bot.rules.kernel import Document, FollowUp, Roll, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left, with_extra_die
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, paid_for, rescue_buttons
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.resolution.check import CHECK, inputs_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

LUCK = "fight.luck"
LUCKY_INITIATIVE = "fight.lucky_initiative"


def thrown(inputs: RpjCheckInputs, dice: Dice, rolled: RpjCheckInputs | None = None) -> Roll:
    """Roll a check, keeping dice that were already rolled for it."""
    return CHECK.resolve(rolled or inputs, dice)


class LuckyStep(Document):
    """The step a Lucky Break re-rolls, with the dice already rolled.

    Attributes:
        step: What was rolled for.
        rolled: The roll.
        earlier: What earlier saves of the same message came to, in words.
    """

    step: SerializeAsAny[Step]
    rolled: RpjCheckInputs
    earlier: str = ""

    @model_validator(mode="before")
    @classmethod
    def _read_older(cls, value: object) -> object:
        """Read buttons of older versions too."""
        if not isinstance(value, Mapping) or "step" in value:
            return value
        fields = {key: field for key, field in value.items() if key != "by"}
        for kind in fields.keys() & Step.kinds:
            fields["step"] = {"type": kind, **fields.pop(kind)}
        return fields

    @property
    def by(self) -> str:
        """Who rolled."""
        return self.step.whose[0]


def offer_lucky_break(stage: Stage, before: Stage, step: Step, roll: Roll, *, against: str) -> Stage:
    """The stage with Lucky Break buttons for players who have any left.

    Args:
        stage: The stage with the roll.
        before: The stage right before it, when all was paid.
        step: What it was rolled for.
        roll: The roll.
        against: Whose state it changed, or would have changed.

    Source: RPJ-LUCK-02, RPJ-LUCK-03 (R-020, R-023).
    """
    by = step.whose[0]
    character = stage.character(by)
    if character is None or character.owner is None or stage.paid is not None:
        return stage
    concerned = stage.character(against)
    rescue = Rescue(
        procedure=LUCK,
        options=lambda inputs: LuckyStep(step=step, rolled=inputs),
        window=window_of(*(() if concerned is None else (concerned.id,)), fighters=[against]),
    )
    most = stage.battle[by].figure.lucky_breaks
    buttons = rescue_buttons(character, most, roll, rescue)
    return replace(stage, paid=before.saved(), buttons=(*stage.buttons, *buttons)) if buttons else stage


def after_earlier(stage: Stage, words: str) -> Stage:
    """The stage whose Lucky Breaks replace the results of several rolls."""
    buttons = tuple(
        replace(one, options=evolve(one.options, earlier=words))
        if isinstance(one.options, LuckyStep)
        else one
        for one in stage.buttons
    )
    return replace(stage, buttons=buttons)


def with_luck_paid(stage: Stage, by: str, rolled: RpjCheckInputs) -> Stage:
    """The stage after paying for a third die.

    Raises:
        UserError: If it cannot be paid.

    Source: RPJ-LUCK-02.
    """
    character = stage.character(by)
    return stage if character is None else stage.in_scene(paid_for(stage.scene, character.id, rolled))


class LuckyInitiative(Document):
    """Options: add a third die to an initiative roll."""

    by: str
    inputs: RpjCheckInputs


def initiative_button(stage: Stage, id_: str, roll: Roll) -> Stage:
    """The stage with a button that adds a die to initiative, until the first turn.

    Source: RPJ-LUCK-02, RPJ-LUCK-03 (R-023).
    """
    character = stage.character(id_)
    left = 0 if character is None or character.owner is None else lucky_breaks_left(character)
    if character is None or left < 1 or inputs_of(roll).has_extra_die or stage.fight.has_begun:
        return stage
    button = FollowUp(
        procedure=LUCKY_INITIATIVE,
        options=LuckyInitiative(by=id_, inputs=with_extra_die(roll)),
        label=f"{character.name[:40]}: Lucky Break · {left} left",
        character=character.id,
        group=id_,
        window=window_of(is_initiative=True),
    )
    return replace(stage, buttons=(*stage.buttons, button))
