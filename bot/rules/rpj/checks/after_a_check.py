"""What follows a check: decisions, retries, complications, Lucky Breaks, consequences of its own."""

from collections.abc import Callable

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    NoOptions,
    Roll,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.lucky_breaks import (
    CLOSED,
    LUCKY_GROUP,
    Rescue,
    give_back,
    hopeless_note,
    lose_for_good,
    lucky_breaks_left,
    paid_for,
    rescue_buttons,
    window_of,
    with_word,
)
from bot.rules.rpj.character.sheet import Outcome, Scene, figure_in
from bot.rules.rpj.checks.attempts import (
    AttemptOptions,
    ComplicationOptions,
    RetryOptions,
    RpjAttempt,
    ToggleOptions,
    WordOptions,
    checks,
    offered_complication,
    perform,
    retry,
    retry_buttons,
)
from bot.rules.rpj.module.decision_tables import TableInputs, roll_on_table
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.resolution.check import RpjResult, check, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs, Word

COMPLICATIONS = "complications"


@procedure("roll")
def roll_attempt(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Roll a check that a button offered."""
    return perform(scene, options.attempt, dice)


@procedure("critical", gm_only=True)
def say_word(scene: Scene, options: WordOptions, dice: Dice) -> Outcome:
    """Decide whether a critical counts or only the total; no die is rolled.

    [RPJ-DICE-03 (R-002), RPJ-GM-04]
    """
    verb = "accepts" if options.word == Word.ACCEPTED.value else "overrules"
    headline = f"{options.attempt.action}; the GM {verb} the critical"
    return perform(scene, options.attempt, dice, headline)


@procedure("toggle")
def apply_toggle(scene: Scene, options: ToggleOptions, dice: Dice) -> Outcome:
    """Add the bonus of a trait whose condition a player claims; no die is rolled.

    [RPJ-TRAIT-02, RPJ-TRAIT-06]
    """
    attempt = options.attempt
    inputs = evolve(attempt.inputs, terms=(*attempt.inputs.terms, options.term))
    headline = f"{attempt.action}, {options.term.label}"
    return perform(scene, evolve(attempt, inputs=inputs), dice, headline)


@procedure("retry", gm_only=True)
def offer_retry(scene: Scene, options: RetryOptions, dice: Dice) -> Outcome:
    """Offer a retry after a partial failure, as hard as before or harder.

    Until the retry is rolled, a Lucky Break can still turn the failure.

    [RPJ-SKILL-12 (R-034), RPJ-LUCK-03 (R-023)]
    """
    failed = options.attempt
    target = retry(failed.inputs, options.harder).target
    shown = _shown_again(scene, failed, dice)
    return Outcome(
        scene=scene,
        headline=f"can try again: {failed.words}, against {target}+",
        verdict=Verdict(Family.PARTIAL, "partial failure"),
        rolls=shown.rolls,
        notes=("Nothing is lost or won yet.",),
        follow_ups=(*retry_buttons(options), *_lucky_buttons(shown)),
    )


@procedure("cost", gm_only=True)
def succeed_at_a_cost(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Turn a failure into a success with a complication; a Lucky Break can still do better.

    [RPJ-SKILL-12, RPJ-LUCK-03 (R-023)]
    """
    attempt = options.attempt
    shown = _shown_again(scene, attempt, dice)
    return Outcome(
        scene=scene,
        headline=f"{attempt.action}; it works, at a cost",
        verdict=Verdict(Family.PARTIAL, "success at a cost"),
        rolls=shown.rolls,
        follow_ups=(*offered_complication(attempt)[:1], *_lucky_buttons(shown)),
        passed=True,
        skill=attempt.skill or attempt.words,
    )


def _shown_again(scene: Scene, failed: RpjAttempt, dice: Dice) -> Outcome:
    """A failed check shown again with its dice; empty for an older button without dice."""
    return perform(scene, failed, dice) if failed.inputs.fallen else Outcome(scene=scene, headline="")


def _lucky_buttons(shown: Outcome) -> tuple[FollowUp, ...]:
    return tuple(one for one in shown.follow_ups if one.group == LUCKY_GROUP)


@procedure("complicate", gm_only=True)
def complicate(scene: Scene, options: ComplicationOptions, dice: Dice) -> Outcome:
    """Add a complication, draw one from the module's table, or waive it; the success stands.

    Raises:
        UserError: If the module has no table of complications.

    [RPJ-SKILL-10 (R-030)]
    """
    what = options.attempt.words
    if options.is_waived:
        return Outcome(scene=scene, headline=f"{what}: no complication")
    if options.text.strip():
        return Outcome(scene=scene, headline=f"has a complication: {what}", notes=(options.text.strip(),))
    module = module_in(scene.settings)
    table = next((table for table in module.tables if table.id == COMPLICATIONS), None)
    if table is None:
        raise UserError("This campaign has no complications table.", try_this="Write what goes wrong.")
    roll = roll_on_table(TableInputs.of(table), dice)
    return Outcome(
        scene=scene,
        headline=f"has a complication: {what}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(table.row(str(roll.outcome)).text,),
    )


class NamedComplicationOptions(Document):
    """The options of a complication the GM announces."""

    target: CharacterId
    text: str = Field(min_length=1, max_length=300)


@procedure("complication", gm_only=True, needs_actor=False)
def name_complication(scene: Scene, options: NamedComplicationOptions, _dice: Dice) -> Outcome:
    """Announce what goes wrong despite a success, or what makes a failure worse.

    [RPJ-SKILL-10, RPJ-DICE-03, RPJ-GM-04]
    """
    who = scene.character(options.target).name
    return Outcome(scene=scene, headline=f"adds a complication for {who}", notes=(options.text.strip(),))


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


@procedure(LUCKY_BREAK)
def throw_in(scene: Scene, options: AttemptOptions, dice: Dice) -> Outcome:
    """Add a third die to a rolled check, or keep another pair of the three. [RPJ-LUCK-02, RPJ-LUCK-03]"""
    attempt = options.attempt
    figure = figure_in(scene, scene.character(attempt.character))
    if attempt.inputs.kept:
        return perform(scene, attempt, dice, f"keeps a different pair ({attempt.words})")
    return perform(scene, attempt, dice, f"spends a Lucky Break and {checks(attempt, figure)}")


@procedure("breaks")
def show_breaks(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show how many Lucky Breaks are left and what they can do. [RPJ-LUCK-01, RPJ-LUCK-02, RPJ-LUCK-04]"""
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


@procedure("lose_break", gm_only=True, needs_actor=False)
def offer_loss(scene: Scene, options: LossOptions, _dice: Dice) -> Outcome:
    """Offer a way out that costs one Lucky Break of every future session. [RPJ-LUCK-05]"""
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


@procedure("break_loss")
def take_loss(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Give up one Lucky Break of every future session, and one of this session if any is left.

    Raises:
        UserError: If the maximum is 0 already.

    [RPJ-LUCK-05 (R-026)]
    """
    poorer = lose_for_good(scene.actor, module_in(scene.settings))
    return Outcome(scene=scene.with_character(poorer), headline="gives up a Lucky Break permanently")


@procedure("restore_break", gm_only=True, needs_actor=False)
def restore(scene: Scene, options: RestoreOptions, _dice: Dice) -> Outcome:
    """Restore permanently lost Lucky Breaks; the next session starts with more. [RPJ-LUCK-06]

    Raises:
        UserError: If none were lost.
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


@procedure("stand", gm_only=True, needs_actor=False)
def let_stand(scene: Scene, options: StandOptions, _dice: Dice) -> Outcome:
    """Close the deadlines: rolls so far are final, and no Lucky Break changes them any more.

    [RPJ-LUCK-03 (R-023)]
    """
    whose = "all rolls" if options.target is None else f"{scene.character(options.target).name}'s rolls"
    return Outcome(scene=scene, headline=f"makes {whose} final: no more Lucky Breaks", moments=(CLOSED,))


class OwnRoll(Struct, frozen=True, kw_only=True):
    """How such a check is rolled and resolved again."""

    procedure: str  # key of the procedure that rolls it and applies its consequences
    options: Callable[[RpjCheckInputs], Document]  # its options for dice already rolled
    roller: CharacterId
    concerns: tuple[CharacterId, ...] = ()  # other characters whose state depends on it
    improves: bool = False  # whether a better success matters

    def thrown(self, scene: Scene, inputs: RpjCheckInputs, dice: Dice) -> tuple[Scene, Roll]:
        """Pay for a Lucky Break if there is one, and roll. [RPJ-LUCK-02]

        Raises:
            UserError: If a Lucky Break cannot be paid for.
        """
        return paid_for(scene, self.roller, inputs), check(inputs, dice).by(scene.character(self.roller))

    def buttons(self, scene: Scene, roll: Roll) -> tuple[FollowUp, ...]:
        """The Lucky Break buttons, and the GM's buttons for an undecided critical.

        [RPJ-LUCK-02, RPJ-LUCK-03, RPJ-DICE-03]
        """
        roller = scene.character(self.roller)
        rescue = Rescue(
            procedure=self.procedure,
            options=self.options,
            window=window_of(self.roller, *self.concerns),
            improves=self.improves,
        )
        return (*rescue_buttons(roller, roll, rescue), *word_buttons(rescue, self.roller, roll))

    def notes(self, scene: Scene, roll: Roll) -> tuple[str, ...]:
        """A note that a Lucky Break can't turn the roll, where someone might expect it could."""
        return hopeless_note(scene.character(self.roller), roll)


def word_buttons(rescue: Rescue, who: CharacterId, roll: Roll) -> tuple[FollowUp, ...]:
    """The GM's buttons for an undecided critical. [RPJ-DICE-03 (R-002), RPJ-HEALTH-13]"""
    words = {"accepted": "Accept", "overruled": "Overrule"} if is_open(roll) else {}
    return tuple(
        FollowUp(
            procedure=rescue.procedure,
            options=rescue.options(with_word(roll, word)),
            label=f"{verb} the critical (GM)",
            audience=Audience.GM,
            character=who,
            group="word",
            rewinds=True,
        )
        for word, verb in words.items()
    )


def is_open(roll: Roll) -> bool:
    """Whether a roll still waits for the GM's decision."""
    return reading_of(roll).result is RpjResult.UNDECIDED


def came_off(roll: Roll) -> bool | None:
    """Whether a roll is a success; None while it waits for the GM's decision."""
    return None if is_open(roll) else reading_of(roll).result.is_success
