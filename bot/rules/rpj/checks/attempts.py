"""An attempt: a check with everything its message needs, its roll, and the buttons under it."""

from enum import StrEnum
from math import ceil
from typing import Literal

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Deadline,
    Document,
    FollowUp,
    NamedTerm,
    Roll,
    TextField,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import counted, signed
from bot.rules.rpj.character.casters import broken
from bot.rules.rpj.character.incapacity import assert_in_action
from bot.rules.rpj.character.lucky_breaks import (
    Rescue,
    hopeless_note,
    paid_for,
    rescue_buttons,
    window_of,
    with_word,
)
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.module.basics import RpjAttribute, difficulty_label
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import RollBonus, RollTarget, toggles
from bot.rules.rpj.resolution.check import (
    RpjReading,
    RpjResult,
    as_fallen,
    chance_words,
    check,
    dice_of,
    inputs_of,
    reading_of,
)
from bot.rules.rpj.resolution.check_inputs import CheckKind, Critical, RpjCheckInputs, Word
from bot.rules.shared.countdowns import Attempt as Counted
from bot.rules.shared.countdowns import Kind, Side, attempted, day_of, started

ROLL_GROUP = "roll"


class RpjAttempt(Document):
    """A check to be rolled, or rolled in part, with its texts."""

    character: CharacterId  # who rolls
    words: str = Field(max_length=300)  # what is checked, after the verb: "Concealment"
    verb: str = Field(default="checks", max_length=40)  # the verb after the character's name
    inputs: RpjCheckInputs  # the inputs of the check, including dice already rolled
    # The skill it counts as for countdowns; the words where empty.
    skill: str = Field(default="", max_length=100)
    is_once: bool = False  # whether it cannot be retried
    on: RollTarget = RollTarget.SKILL  # the kind of roll, for traits
    of: str = ""  # the id of the skill, or the attribute, for traits
    # Other characters whose state depends on it; a roll or action of theirs is a deadline too.
    concerns: tuple[CharacterId, ...] = ()
    # The opposition, where shown in place of the difficulty: "against level 4".
    opposition: str = Field(default="", max_length=300)

    @property
    def window(self) -> Deadline:
        """The deadline until which it can still be changed."""
        return window_of(self.character, *self.concerns)

    @property
    def action(self) -> str:
        """The action without its difficulty: "checks Concealment", "checks Trade against level 4"."""
        return f"{self.verb} {self.words} {self.opposition}".rstrip()

    @property
    def chance(self) -> str:
        """The chance that it succeeds, as text ("58%")."""
        return chance_words(self.inputs)


class AttemptOptions(Document):
    """The attempt that a button rolls."""

    attempt: RpjAttempt


class Assistance(StrEnum):
    """How hard an assist a helper attempts. [RPJ-SKILL-13]"""

    EASY = "easy"
    HARD = "hard"


_PARTS = {Assistance.EASY: 3, Assistance.HARD: 2}


def assist_difficulty(assistance: Assistance, main: int) -> int:
    """The difficulty of the helper's check: a third or a half of the main one, rounded up.

    [RPJ-SKILL-14, RPJ-SKILL-15]
    """
    return ceil(main / _PARTS[assistance])


def assisted_difficulty(assistance: Assistance, main: int, helped: RpjReading) -> int:
    """The difficulty of the main check once the helper has rolled; a failed assist changes nothing.

    [RPJ-SKILL-13 (R-036), RPJ-SKILL-14, RPJ-SKILL-15 (R-038)]
    """
    if helped.degrees is None:
        return main
    return main - (1 if assistance is Assistance.EASY else helped.degrees)


def retry(inputs: RpjCheckInputs, harder: int = 1) -> RpjCheckInputs:
    """The inputs of a retry after a partial failure, as hard as before or harder. [RPJ-SKILL-12 (R-034)]

    Args:
        inputs: The check that failed.
        harder: By how much.
    """
    fresh = inputs.unthrown(has_extra_die=False)
    return evolve(fresh, difficulty=inputs.difficulty + harder)


SUCCESSES, FAILURES = 4, 2
LONGEST = 40
COUNTED = (CheckKind.SKILL, CheckKind.ATTRIBUTE)


class DuelOptions(Document):
    """The options of turning a check into a countdown."""

    attempt: RpjAttempt  # the check
    succeeded: bool
    successes: int = Field(default=SUCCESSES, ge=1, le=12)  # how many successes win
    failures: int = Field(default=FAILURES, ge=1, le=12)  # how many failures lose


@procedure("duel", gm_only=True)
def make_a_duel(scene: Scene, options: DuelOptions, _dice: Dice) -> Outcome:
    """Make a check the first step of two countdowns that race each other. [RPJ-GM-03, RPJ-COUNT-11]"""
    words = options.attempt.words[:LONGEST]
    first = Counted(
        succeeded=options.succeeded,
        side=Side.PLAYERS,
        member=options.attempt.character,
        skill=options.attempt.skill or words,
        day=day_of(scene.clock),
    )
    duel = (
        started(words, Kind.SUCCESS, options.successes, since=scene.clock),
        started(f"{words}: complication", Kind.FAILURE, options.failures, since=scene.clock),
    )
    return Outcome(
        scene=scene,
        headline=f"starts a countdown with {words}: one roll is not enough",
        notes=(
            f"{counted(options.successes, 'success', 'successes')} win, "
            f"{counted(options.failures, 'failure')} lose; this check counts.",
            f"For further checks, choose the countdown “{words}”.",
        ),
        countdowns=tuple(attempted(one, first) for one in duel),
    )


def duel_button(attempt: RpjAttempt, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's button that turns a check into a countdown. [RPJ-GM-03]"""
    if reading.result is RpjResult.UNDECIDED or attempt.inputs.kind not in COUNTED:
        return ()
    options = DuelOptions(attempt=attempt, succeeded=reading.result.is_success)
    return (
        FollowUp(
            procedure="duel",
            options=options,
            label="Countdown (GM)",
            audience=Audience.GM,
            character=attempt.character,
            group="duel",
        ),
    )


RETRIED = (CheckKind.SKILL, CheckKind.ATTRIBUTE, CheckKind.ATTRIBUTE_BONUS)
MOST_HARDER = 3
WHAT_GOES_WRONG = TextField(
    key="text",
    prompt="What goes wrong? Empty: draw one.",
    longest=300,
    is_required=False,
    is_long=True,
)


class WordOptions(Document):
    """The options of the GM's decision about a critical."""

    attempt: RpjAttempt
    word: Literal["accepted", "overruled"]


class RetryOptions(Document):
    """The options of a retry."""

    attempt: RpjAttempt  # the failed check with its dice
    harder: int = Field(default=1, ge=0, le=MOST_HARDER)  # how much harder the retry is


class ComplicationOptions(Document):
    """The options of a complication."""

    attempt: RpjAttempt  # the check
    is_waived: bool = False  # whether there is none
    text: str = Field(default="", max_length=300)  # what goes wrong; empty draws it from the module's table


class ToggleOptions(Document):
    """The options of claiming a trait's condition after a roll."""

    attempt: RpjAttempt  # the check with its dice
    term: NamedTerm  # what the trait adds


def buttons_after(
    attempt: RpjAttempt, roll: Roll, reading: RpjReading, figure: Stats
) -> tuple[FollowUp, ...]:
    """All buttons under a check, in their order."""
    return (
        *_critical_buttons(attempt, roll, reading),
        *_toggle_buttons(attempt, roll, reading, figure),
        *_failure_buttons(attempt, roll, reading),
        *complication_buttons(attempt, reading),
        *duel_button(attempt, reading),
    )


def _for_gm(
    attempt: RpjAttempt, procedure: str, options: Document, label: str, group: str = ROLL_GROUP
) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=options,
        label=f"{label} (GM)",
        audience=Audience.GM,
        character=attempt.character,
        group=group,
        rewinds=group == ROLL_GROUP,
    )


def _critical_buttons(attempt: RpjAttempt, roll: Roll, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for a critical that contradicts the total. [RPJ-DICE-03 (R-002), RPJ-GM-04]"""
    if reading.critical is Critical.NONE:
        return ()
    faces, _confirmation = dice_of(roll)
    if inputs_of(roll).word_on(faces[place] for place in reading.kept) is not None:
        return ()
    if (reading.margin >= 0) != (reading.critical is Critical.FAILURE):
        return ()
    labels = {Word.OVERRULED: "Overrule the critical"}
    if reading.result is RpjResult.UNDECIDED:
        labels = {Word.ACCEPTED: "Accept the critical", **labels}
    return tuple(
        _for_gm(
            attempt,
            "critical",
            WordOptions.model_validate(
                {"attempt": evolve(attempt, inputs=with_word(roll, word)), "word": word.value}
            ),
            label,
        )
        for word, label in labels.items()
    )


def _toggle_buttons(
    attempt: RpjAttempt, roll: Roll, reading: RpjReading, figure: Stats
) -> tuple[FollowUp, ...]:
    """The trait conditions that would change a check's result if claimed.

    The player claims what helps a failed check, the GM what would turn a success into a failure.

    [RPJ-TRAIT-02, RPJ-TRAIT-03, RPJ-TRAIT-06]
    """
    if reading.critical is not Critical.NONE:
        return ()
    said = {term.label for term in attempt.inputs.terms}
    skill = figure.module.skill(attempt.of)
    offered = toggles(figure.effects, attempt.on, of=attempt.of, tags=skill.tags if skill else ())
    return tuple(
        _toggle_button(evolve(attempt, inputs=as_fallen(roll)), effect)
        for effect in figure.effects
        if isinstance(effect, RollBonus)
        and effect.on is attempt.on
        and effect.of in ("", attempt.of)
        and effect.when.toggle in offered
        and effect.when.toggle not in said
        and (reading.margin <= 0 < effect.value or 0 <= reading.margin < -effect.value)
    )


def _toggle_button(attempt: RpjAttempt, effect: RollBonus) -> FollowUp:
    label, is_bonus = f"{signed(effect.value)} {effect.when.toggle}", effect.value > 0
    return FollowUp(
        procedure="toggle",
        options=ToggleOptions(attempt=attempt, term=NamedTerm(label=effect.when.toggle, value=effect.value)),
        label=label if is_bonus else f"{label} (GM)",
        audience=Audience.OWNER if is_bonus else Audience.GM,
        character=attempt.character,
        group=ROLL_GROUP,
        window=attempt.window,
        rewinds=True,
    )


def _failure_buttons(attempt: RpjAttempt, roll: Roll, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for a failure. [RPJ-SKILL-12 (R-034)]"""
    if reading.result not in (RpjResult.FAILURE, RpjResult.CRITICAL_FAILURE):
        return ()
    if attempt.is_once or inputs_of(roll).kind not in RETRIED:
        return ()
    failed = evolve(attempt, inputs=as_fallen(roll))
    return (
        _for_gm(attempt, "retry", RetryOptions(attempt=failed), "Retry"),
        _for_gm(attempt, "cost", AttemptOptions(attempt=failed), "At a cost"),
    )


def retry_buttons(options: RetryOptions) -> tuple[FollowUp, ...]:
    """The retry button, and the GM's menu of its difficulty. [RPJ-SKILL-12 (R-034)]"""
    failed = options.attempt
    following = evolve(failed, inputs=retry(failed.inputs, options.harder))
    again = FollowUp(
        procedure="roll",
        options=AttemptOptions(attempt=following),
        label=f"Try again against {following.inputs.target}+ · {following.chance}",
        character=failed.character,
        group=ROLL_GROUP,
        rewinds=True,
    )
    choices = tuple(
        Choice(str(harder), f"{harder} harder" if harder else "As hard as before", _against(failed, harder))
        for harder in range(MOST_HARDER + 1)
    )
    harder = FollowUp(
        procedure="retry",
        options=options,
        label="Set the difficulty (GM)",
        audience=Audience.GM,
        character=failed.character,
        choices=choices,
        chosen="harder",
        group=ROLL_GROUP,
        rewinds=True,
    )
    return again, harder


def _against(failed: RpjAttempt, harder: int) -> str:
    following = evolve(failed, inputs=retry(failed.inputs, harder))
    return f"{following.inputs.target}+ · {following.chance}"


def complication_buttons(attempt: RpjAttempt, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's buttons for an exact success and for a critical failure.

    [RPJ-SKILL-10 (R-030), RPJ-DICE-03]
    """
    if reading.result is RpjResult.CRITICAL_FAILURE and attempt.inputs.kind in RETRIED:
        return offered_complication(attempt)[:1]
    return offered_complication(attempt) if reading.result is RpjResult.EXACT else ()


def offered_complication(attempt: RpjAttempt) -> tuple[FollowUp, ...]:
    """The buttons for a complication, written by the GM or drawn from the module's table, or none."""
    named = _for_gm(
        attempt, "complicate", ComplicationOptions(attempt=attempt), "Add a complication", "complication"
    )
    return (
        replace(named, blanks=(WHAT_GOES_WRONG,)),
        _for_gm(
            attempt,
            "complicate",
            ComplicationOptions(attempt=attempt, is_waived=True),
            "No complication",
            "complication",
        ),
    )


def assert_can_check(scene: Scene, who: Character) -> None:
    """Refuse a check of somebody out of action, unless the GM rolls it for them.

    Raises:
        UserError: If the character is incapacitated, knocked out or dead.

    [RPJ-GCS-32, RPJ-GCS-34]
    """
    if scene.is_gm:
        return
    is_dead = who.sheet.health.out is Out.DEAD
    still = "The GM can still roll for them." if is_dead else "Saving throws and Luck are still possible."
    assert_in_action(who.name, who.sheet.health, "make checks", still)


def perform(
    scene: Scene, attempt: RpjAttempt, dice: Dice, headline: str = "", figure: Stats | None = None
) -> Outcome:
    """Roll a check, or its missing dice, and report the result.

    Args:
        attempt: The check.
        dice: The source of dice.
        headline: The headline, where it is not the usual one.
        figure: The stats of who rolls, where they were read in this scene already.

    Raises:
        UserError: If a Lucky Break cannot be paid for, or whoever rolls is out of action.

    [RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-09 to RPJ-SKILL-12, RPJ-SMAG-16, RPJ-GCS-32]
    """
    is_act = attempt.inputs.kind in RETRIED and attempt.of != RpjAttribute.LUCK
    if is_act and not attempt.inputs.fallen:
        assert_can_check(scene, scene.character(attempt.character))
    if attempt.inputs.kind is CheckKind.SKILL:
        scene = broken(scene, attempt.character)
    paid = paid_for(scene, attempt.character, attempt.inputs)
    roller = paid.character(attempt.character)
    roll = check(attempt.inputs, dice).by(roller)
    reading = reading_of(roll)
    if figure is None or figure.sheet is not roller.sheet:
        figure = figure_in(paid, roller)
    rescues = rescue_buttons(roller, roll, rescue_of(attempt))
    return Outcome(
        scene=paid,
        paid=paid,
        headline=headline or checks(attempt, figure),
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*notes_on(reading, attempt.inputs), *(() if rescues else hopeless_note(roller, roll))),
        follow_ups=(*rescues, *buttons_after(attempt, roll, reading, figure)),
        passed=None if reading.result is RpjResult.UNDECIDED else reading.result.is_success,
        skill=attempt.skill or attempt.words,
    )


def rescue_of(attempt: RpjAttempt) -> Rescue:
    """How a check is resolved again with other dice. [RPJ-LUCK-02, RPJ-LUCK-03]"""
    return Rescue(
        procedure="lucky_break",
        options=lambda inputs: AttemptOptions(attempt=evolve(attempt, inputs=inputs)),
        window=attempt.window,
        improves=attempt.inputs.kind.may_complicate,
    )


def checks(attempt: RpjAttempt, figure: Stats) -> str:
    """What is checked, with the opposition or the difficulty: "checks Concealment, Moderate".

    [RPJ-SKILL-24]
    """
    spent = "spends a Lucky Break and " if attempt.inputs.has_extra_die and not attempt.inputs.fallen else ""
    if attempt.opposition:
        return f"{spent}{attempt.action}"
    return f"{spent}{attempt.action}, {difficulty_label(attempt.inputs.difficulty, figure.module.ladder)}"


def notes_on(reading: RpjReading, inputs: RpjCheckInputs) -> tuple[str, ...]:
    """Why a check has its result, in short sentences."""
    if reading.result is RpjResult.UNDECIDED:
        asked = (
            "Double sixes, but below" if reading.critical is Critical.SUCCESS else "Double ones that reach"
        )
        return (f"{asked} {inputs.target}+: the GM decides whether that counts.",)
    if reading.result is RpjResult.CRITICAL_FAILURE and reading.margin >= 0:
        return ("A critical failure fails whatever the total.",)
    return ()
