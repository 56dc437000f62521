"""Making a check and telling it: what it came to, why, and what can be done next."""

from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.concentration import broken
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.check_buttons import buttons_after
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, hopeless_note, paid_for, rescue_buttons
from bot.rules.rpj.checks.pending_check import AttemptOptions, RpjAttempt
from bot.rules.rpj.module.difficulties import difficulty_label
from bot.rules.rpj.resolution.check import RpjReading, RpjResult, check, reading_of
from bot.rules.rpj.resolution.criticals import Critical
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs


def perform(scene: Scene, attempt: RpjAttempt, dice: Dice, headline: str = "") -> Outcome:
    """Roll a check (or what is still to fall of it) and tell what it came to.

    Args:
        scene: Where it happens.
        attempt: The check.
        dice: Where the dice come from.
        headline: What is done, where it is more than checking.

    Raises:
        UserError: If a Lucky Break cannot be paid.

    Source: RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-09 to RPJ-SKILL-12, RPJ-SMAG-16.
    """
    if attempt.inputs.kind is CheckKind.SKILL:
        scene = broken(scene, attempt.character)
    paid = paid_for(scene, attempt.character, attempt.inputs)
    roller = paid.character(attempt.character)
    roll = check(attempt.inputs, dice).by(roller)
    reading = reading_of(roll)
    figure = figure_in(paid, roller)
    return Outcome(
        scene=paid,
        paid=paid,
        headline=headline or checks(attempt, figure),
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*notes_on(reading, attempt.inputs), *hopeless_note(roller, roll)),
        follow_ups=(
            *rescue_buttons(roller, figure.lucky_breaks, roll, rescue_of(attempt)),
            *buttons_after(attempt, roll, reading, figure),
        ),
        passed=None if reading.result is RpjResult.UNDECIDED else reading.result.is_success,
        skill=attempt.skill or attempt.words,
    )


def rescue_of(attempt: RpjAttempt) -> Rescue:
    """How a check is made once more with other dice.

    Source: RPJ-LUCK-02, RPJ-LUCK-03.
    """
    return Rescue(
        procedure="lucky_break",
        options=lambda inputs: AttemptOptions(attempt=attempt.anew(inputs)),
        window=attempt.window,
        improves=attempt.inputs.kind.may_complicate,
    )


def checks(attempt: RpjAttempt, figure: Stats) -> str:
    """What is tried, and against whom or how hard it is by name: "checks Concealment, Moderate".

    Source: RPJ-SKILL-24.
    """
    spent = "spends a Lucky Break and " if attempt.inputs.has_extra_die and not attempt.inputs.fallen else ""
    if attempt.opposition:
        return f"{spent}{attempt.deed}"
    return f"{spent}{attempt.deed}, {difficulty_label(attempt.inputs.difficulty, figure.module.ladder)}"


def notes_on(reading: RpjReading, inputs: RpjCheckInputs) -> tuple[str, ...]:
    """Why a check came out as it did, in short sentences."""
    if reading.result is RpjResult.UNDECIDED:
        asked = "Double sixes below" if reading.critical is Critical.SUCCESS else "Double ones that reach"
        return (f"{asked} {inputs.target}+: the GM says whether that counts.",)
    if reading.result is RpjResult.CRITICAL_FAILURE and reading.margin >= 0:
        return ("A critical failure fails whatever it comes to.",)
    return ()
