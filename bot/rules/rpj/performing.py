"""Making a check and telling it: what it came to, why, and what can be done next."""

from bot.rules.dice import Dice
from bot.rules.rpj.attempts import Attempt
from bot.rules.rpj.check_buttons import buttons_after
from bot.rules.rpj.check_inputs import CheckInputs
from bot.rules.rpj.checks import Reading, Result, check, reading_of
from bot.rules.rpj.criticals import Critical
from bot.rules.rpj.difficulties import difficulty_label
from bot.rules.rpj.figure import Figure
from bot.rules.rpj.people import figure_in
from bot.rules.ruleset import Outcome, Scene


def perform(scene: Scene, attempt: Attempt, dice: Dice, headline: str = "") -> Outcome:
    """Roll a check (or what is still to fall of it) and tell what it came to.

    Args:
        scene: Where it happens.
        attempt: The check.
        dice: Where the dice come from.
        headline: What is done, where it is more than checking.

    Source: RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-09 to RPJ-SKILL-12.
    """
    roll = check(attempt.inputs, dice)
    reading = reading_of(roll)
    figure = figure_in(scene, scene.character(attempt.character))
    return Outcome(
        scene=scene,
        headline=headline or checks(attempt, figure),
        verdict=roll.verdict,
        rolls=(roll,),
        notes=notes_on(reading, attempt.inputs),
        follow_ups=buttons_after(attempt, roll, reading, figure),
        passed=None if reading.result is Result.UNDECIDED else reading.result.is_success,
        skill=attempt.skill or attempt.words,
    )


def checks(attempt: Attempt, figure: Figure) -> str:
    """What is tried, and how hard it is by name: "checks Concealment, Moderate".

    Source: RPJ-SKILL-24.
    """
    return f"checks {attempt.words}, {difficulty_label(attempt.inputs.difficulty, figure.module.ladder)}"


def notes_on(reading: Reading, inputs: CheckInputs) -> tuple[str, ...]:
    """Why a check came out as it did, in short sentences."""
    if reading.result is Result.UNDECIDED:
        asked = "Double sixes below" if reading.critical is Critical.SUCCESS else "Double ones that reach"
        return (f"{asked} {inputs.target}+: the GM says whether that counts.",)
    if reading.result is Result.CRITICAL_FAILURE and reading.margin >= 0:
        return ("A critical failure fails whatever it comes to.",)
    return ()
