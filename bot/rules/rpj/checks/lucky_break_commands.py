"""What one does about Lucky Breaks besides rolling: look, give one up for good, take it back."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.lucky_breaks import give_back, lose_for_good, lucky_breaks_left
from bot.rules.rpj.character.roll_deadlines import CLOSED
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.pending_check import AttemptOptions
from bot.rules.rpj.checks.perform import checks, perform
from bot.rules.rpj.module.settings import module_in

LOSS_GROUP = "loss"
LUCKY_BREAK = "lucky_break"


class LossOptions(Document):
    """Whom a way out is offered, and from what."""

    target: CharacterId
    reason: str = Field(default="", max_length=200)


class RestoreOptions(Document):
    """Who gets how many lost Lucky Breaks back."""

    target: CharacterId
    count: int = Field(default=1, ge=1, le=20)


class StandOptions(Document):
    """Whose rolls stand from now on; everybody's where nobody is named."""

    target: CharacterId | None = None


def throw_in(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Throw a third die into a check that was rolled, or keep other dice of the three.

    Source: RPJ-LUCK-02, RPJ-LUCK-03.
    """
    attempt = options.attempt
    figure = figure_in(scene, scene.character(attempt.character))
    how = "keeps other dice" if attempt.inputs.kept else "spends a Lucky Break"
    return perform(scene, attempt, dice, f"{how} and {checks(attempt, figure)}")


declare(LUCKY_BREAK, AttemptOptions, throw_in)


def show_breaks(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Tell how many Lucky Breaks are left, and what they buy.

    Source: RPJ-LUCK-01, RPJ-LUCK-02, RPJ-LUCK-04.
    """
    actor = scene.actor
    figure, cost = figure_in(scene, actor), module_in(scene.settings).luck.flashback_cost
    lost = figure.sheet.lucky_breaks_lost
    return Outcome(
        scene=scene,
        headline=f"has {lucky_breaks_left(actor)} of {figure.lucky_breaks} Lucky Breaks left",
        notes=(
            *((f"{lost} lost for good.",) if lost else ()),
            f"One throws a third die into a roll of your own, before or after it; {cost} buy a flashback.",
            "They all come back when the session ends.",
        ),
        is_public=False,
    )


declare("breaks", NoOptions, show_breaks)


def offer_loss(scene: Scene, options: LossOptions, _dice: Dice) -> Outcome:
    """Offer somebody a way out at the price of one Lucky Break of every session to come.

    Source: RPJ-LUCK-05.
    """
    target = scene.character(options.target)
    most = figure_in(scene, target).lucky_breaks
    lose_for_good(target, module_in(scene.settings))
    button = FollowUp(
        procedure="break_loss",
        options=NoOptions(),
        label=f"Give up a Lucky Break for good · {most} → {most - 1} a session",
        character=target.id,
        group=LOSS_GROUP,
    )
    return Outcome(
        scene=scene,
        headline=f"offers {target.name} a way out for a Lucky Break for good",
        notes=(options.reason,) if options.reason else (),
        follow_ups=(button,),
    )


declare("lose_break", LossOptions, offer_loss, gm_only=True, needs_actor=False)


def take_loss(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Give up one Lucky Break of every session to come, and one of this session if any is left.

    Raises:
        UserError: If the maximum is 0 already.

    Source: RPJ-LUCK-05 (R-026).
    """
    poorer = lose_for_good(scene.actor, module_in(scene.settings))
    return Outcome(scene=scene.with_character(poorer), headline="gives up a Lucky Break for good")


declare("break_loss", NoOptions, take_loss)


def restore(scene: Scene, options: RestoreOptions, _dice: Dice) -> Outcome:
    """Hand back Lucky Breaks that were lost for good; the next session starts with more.

    Raises:
        UserError: If none were lost.

    Source: RPJ-LUCK-06.
    """
    target = scene.character(options.target)
    lost = target.sheet.lucky_breaks_lost
    if not lost:
        raise UserError(f"{target.name} has lost no Lucky Break for good.", "/gm award adds one now.")
    count = min(options.count, lost)
    what = "a lost Lucky Break" if count == 1 else f"{count} lost Lucky Breaks"
    return Outcome(
        scene=scene.with_character(give_back(target, count)), headline=f"gives {what} back to {target.name}"
    )


declare("restore_break", RestoreOptions, restore, gm_only=True, needs_actor=False)


def let_stand(scene: Scene, options: StandOptions, _dice: Dice) -> Outcome:
    """Close the windows: what was rolled so far stands, and no Lucky Break changes it any more.

    Source: RPJ-LUCK-03 (R-023).
    """
    whose = "everybody" if options.target is None else scene.character(options.target).name
    return Outcome(scene=scene, headline=f"lets stand what was rolled by {whose}", moments=(CLOSED,))


declare("stand", StandOptions, let_stand, gm_only=True, needs_actor=False)
