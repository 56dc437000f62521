"""Turning a check that would decide too much into the first step of a countdown."""

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.pending_check import RpjAttempt
from bot.rules.rpj.resolution.check import RpjReading, RpjResult
from bot.rules.rpj.resolution.inputs import CheckKind
from bot.rules.shared.countdowns import Attempt as Counted
from bot.rules.shared.countdowns import Kind, Side, attempted, day_of, started

SUCCESSES, FAILURES = 4, 2
LONGEST = 40
COUNTED = (CheckKind.SKILL, CheckKind.ATTRIBUTE)


class DuelOptions(Document):
    """The options of turning a check into a countdown.

    Attributes:
        attempt: The check.
        succeeded: Whether it succeeded.
        successes: How many successes win.
        failures: How many failures lose.
    """

    attempt: RpjAttempt
    succeeded: bool
    successes: int = Field(default=SUCCESSES, ge=1, le=12)
    failures: int = Field(default=FAILURES, ge=1, le=12)


def make_a_duel(scene: Scene, options: DuelOptions, _dice: Dice) -> Outcome:
    """Make a check the first step of two countdowns that race each other.

    Source: RPJ-GM-03, RPJ-COUNT-11.
    """
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


declare("duel", DuelOptions, make_a_duel, gm_only=True)


def duel_button(attempt: RpjAttempt, reading: RpjReading) -> tuple[FollowUp, ...]:
    """The GM's button that turns a check into a countdown.

    Source: RPJ-GM-03.
    """
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
