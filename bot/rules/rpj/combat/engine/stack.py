"""The fight's step stack: run pending steps until one needs a decision or a roll."""

from dataclasses import replace
from typing import TypeVar

from bot.rules.kernel import FollowUp, NoOptions
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.roll_deadlines import TOUCHES
from bot.rules.rpj.character.sheet import Outcome
from bot.rules.rpj.combat.engine.answers import gm_button
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.combat.state.step import Step

StepT = TypeVar("StepT", bound=Step)
NEWER = "What comes next is on the fight's last message and on the board."


def go_on(stage: Stage, dice: Dice) -> Stage:
    """Run every step that waits for nobody."""
    while stage.steps:
        top, stage = stage.steps[-1].now(stage), stage.popped()
        if top is None:
            continue
        if top.waits(stage):
            return stage.pushed(top)
        stage = top.run(stage, dice)
    return stage


def first(stage: Stage, kind: type[StepT], **asked: str) -> StepT:
    """The first step, if it is the one being answered.

    Args:
        stage: The fight.
        kind: The kind of step.
        asked: What its fields must be, such as whom it asks.

    Raises:
        UserError: If another step comes first.
    """
    top = stage.steps[-1] if stage.steps else None
    if not isinstance(top, kind) or any(getattr(top, field) != value for field, value in asked.items()):
        raise UserError("This has already been decided.", NEWER)
    return top


def questions(stage: Stage) -> tuple[FollowUp, ...]:
    """The buttons of the first step; none if no step is pending."""
    if not stage.steps:
        return ()
    top = stage.steps[-1]
    go_on_button = gm_button("fight.go_on", NoOptions(), "Continue (GM)")
    return (*top.questions(stage), replace(go_on_button, deal=top.waiting_words(stage)))


def outcome(stage: Stage, headline: str, *about: RpjCombatant) -> Outcome:
    """The message about a stage, with the next step's buttons; GM-only for hidden combatants."""
    return Outcome(
        scene=stage.saved(),
        headline=headline,
        verdict=stage.verdict,
        rolls=stage.rolls,
        notes=stage.notes,
        follow_ups=(*stage.buttons, *questions(stage)),
        paid=stage.paid,
        moments=tuple(f"{TOUCHES}{id_}" for id_ in sorted(stage.touched)),
        is_public=not any(one.is_hidden for one in about),
    )
