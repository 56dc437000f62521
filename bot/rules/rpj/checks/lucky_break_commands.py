"""The Lucky Break commands: show them, give one up permanently, restore it, make rolls final."""

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
    """The options of offering a way out."""

    target: CharacterId
    reason: str = Field(default="", max_length=200)


class RestoreOptions(Document):
    """The options of restoring lost Lucky Breaks."""

    target: CharacterId
    count: int = Field(default=1, ge=1, le=20)


class StandOptions(Document):
    """The options of making rolls final; everyone's where nobody is named."""

    target: CharacterId | None = None


def throw_in(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Add a third die to a rolled check, or keep another pair of the three.

    Source: RPJ-LUCK-02, RPJ-LUCK-03.
    """
    attempt = options.attempt
    figure = figure_in(scene, scene.character(attempt.character))
    if attempt.inputs.kept:
        return perform(scene, attempt, dice, f"keeps a different pair ({attempt.words})")
    return perform(scene, attempt, dice, f"spends a Lucky Break and {checks(attempt, figure)}")


declare(LUCKY_BREAK, AttemptOptions, throw_in)


def show_breaks(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show how many Lucky Breaks are left and what they can do.

    Source: RPJ-LUCK-01, RPJ-LUCK-02, RPJ-LUCK-04.
    """
    actor = scene.actor
    figure, cost = figure_in(scene, actor), module_in(scene.settings).luck.flashback_cost
    lost = figure.sheet.lucky_breaks_lost
    return Outcome(
        scene=scene,
        headline=f"has {lucky_breaks_left(actor)} of {figure.lucky_breaks} Lucky Breaks left",
        notes=(
            *((f"{lost} lost permanently.",) if lost else ()),
            f"Spend 1 to add a third die to your roll, before or after it. A flashback costs {cost}.",
            "You get all of them back when the session ends.",
        ),
        is_public=False,
    )


declare("breaks", NoOptions, show_breaks)


def offer_loss(scene: Scene, options: LossOptions, _dice: Dice) -> Outcome:
    """Offer a way out that costs one Lucky Break of every future session.

    Source: RPJ-LUCK-05.
    """
    target = scene.character(options.target)
    most = figure_in(scene, target).lucky_breaks
    lose_for_good(target, module_in(scene.settings))
    button = FollowUp(
        procedure="break_loss",
        options=NoOptions(),
        label=f"Give up a Lucky Break permanently · {most} → {most - 1} per session",
        character=target.id,
        group=LOSS_GROUP,
    )
    return Outcome(
        scene=scene,
        headline=f"offers {target.name} a way out: give up one Lucky Break permanently",
        notes=(options.reason,) if options.reason else (),
        follow_ups=(button,),
    )


declare("lose_break", LossOptions, offer_loss, gm_only=True, needs_actor=False)


def take_loss(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Give up one Lucky Break of every future session, and one of this session if any is left.

    Raises:
        UserError: If the maximum is 0 already.

    Source: RPJ-LUCK-05 (R-026).
    """
    poorer = lose_for_good(scene.actor, module_in(scene.settings))
    return Outcome(scene=scene.with_character(poorer), headline="gives up a Lucky Break permanently")


declare("break_loss", NoOptions, take_loss)


def restore(scene: Scene, options: RestoreOptions, _dice: Dice) -> Outcome:
    """Restore permanently lost Lucky Breaks; the next session starts with more.

    Raises:
        UserError: If none were lost.

    Source: RPJ-LUCK-06.
    """
    target = scene.character(options.target)
    lost = target.sheet.lucky_breaks_lost
    if not lost:
        raise UserError(f"{target.name} has no permanently lost Lucky Breaks.", "/gm award gives one now.")
    count = min(options.count, lost)
    what = "a lost Lucky Break" if count == 1 else f"{count} lost Lucky Breaks"
    return Outcome(
        scene=scene.with_character(give_back(target, count)), headline=f"restores {what} to {target.name}"
    )


declare("restore_break", RestoreOptions, restore, gm_only=True, needs_actor=False)


def let_stand(scene: Scene, options: StandOptions, _dice: Dice) -> Outcome:
    """Close the deadlines: rolls so far are final, and no Lucky Break changes them any more.

    Source: RPJ-LUCK-03 (R-023).
    """
    whose = "all rolls" if options.target is None else f"{scene.character(options.target).name}'s rolls"
    return Outcome(scene=scene, headline=f"makes {whose} final: no more Lucky Breaks", moments=(CLOSED,))


declare("stand", StandOptions, let_stand, gm_only=True, needs_actor=False)
