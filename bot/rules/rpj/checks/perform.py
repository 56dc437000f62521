"""Rolling a check: the result, the reason, and what can be done next."""

from bot.rules.kernel import evolve
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


def perform(
    scene: Scene, attempt: RpjAttempt, dice: Dice, headline: str = "", figure: Stats | None = None
) -> Outcome:
    """Roll a check, or its missing dice, and report the result.

    Args:
        scene: The scene.
        attempt: The check.
        dice: The source of dice.
        headline: The headline, where it is not the usual one.
        figure: The stats of who rolls, where they were read in this scene already.

    Raises:
        UserError: If a Lucky Break cannot be paid for.

    Source: RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-09 to RPJ-SKILL-12, RPJ-SMAG-16.
    """
    if attempt.inputs.kind is CheckKind.SKILL:
        scene = broken(scene, attempt.character)
    paid = paid_for(scene, attempt.character, attempt.inputs)
    roller = paid.character(attempt.character)
    roll = check(attempt.inputs, dice).by(roller)
    reading = reading_of(roll)
    if figure is None or figure.sheet is not roller.sheet:
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
    """How a check is resolved again with other dice.

    Source: RPJ-LUCK-02, RPJ-LUCK-03.
    """
    return Rescue(
        procedure="lucky_break",
        options=lambda inputs: AttemptOptions(attempt=evolve(attempt, inputs=inputs)),
        window=attempt.window,
        improves=attempt.inputs.kind.may_complicate,
    )


def checks(attempt: RpjAttempt, figure: Stats) -> str:
    """What is checked, with the opposition or the difficulty: "checks Concealment, Moderate".

    Source: RPJ-SKILL-24.
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
