"""A check that would decide too much: it becomes the first step of a countdown."""

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
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
    """A check that is to be a countdown.

    Attributes:
        attempt: The check.
        succeeded: What it came to.
        successes: How many successes decide it.
        failures: How many failures lose it.
    """

    attempt: RpjAttempt
    succeeded: bool
    successes: int = Field(default=SUCCESSES, ge=1, le=12)
    failures: int = Field(default=FAILURES, ge=1, le=12)


def make_a_duel(scene: Scene, options: DuelOptions, _dice: Dice) -> Outcome:
    """Let a check that would decide too much be the first step of two countdowns that run against each other.

    Source: RPJ-GM-03, RPJ-COUNT-11.
    """
    words = options.attempt.words[:LONGEST]
    counted = Counted(
        succeeded=options.succeeded,
        side=Side.PLAYERS,
        member=options.attempt.character,
        skill=options.attempt.skill or words,
        day=day_of(scene.clock),
    )
    duel = (
        started(words, Kind.SUCCESS, options.successes, since=scene.clock),
        started(f"{words} goes wrong", Kind.FAILURE, options.failures, since=scene.clock),
    )
    return Outcome(
        scene=scene,
        headline=f"does not decide it at once: {words}",
        notes=(
            f"It takes {options.successes} successes before {options.failures} failures; this check counts.",
            f"Further checks name the countdown “{words}”.",
        ),
        countdowns=tuple(attempted(one, counted) for one in duel),
    )


declare("duel", DuelOptions, make_a_duel, gm_only=True)


def duel_button(attempt: RpjAttempt, reading: RpjReading) -> tuple[FollowUp, ...]:
    """What lets the GM turn a check into a countdown.

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
