"""Helping with a check, and retrying a failed one."""

from enum import StrEnum
from math import ceil

from bot.rules.kernel import evolve
from bot.rules.rpj.resolution.check import RpjReading
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class Assistance(StrEnum):
    """How hard an assist a helper attempts.

    Source: RPJ-SKILL-13.
    """

    EASY = "easy"
    HARD = "hard"


_PARTS = {Assistance.EASY: 3, Assistance.HARD: 2}


def assist_difficulty(assistance: Assistance, main: int) -> int:
    """The difficulty of the helper's check: a third or a half of the main one, rounded up.

    Source: RPJ-SKILL-14, RPJ-SKILL-15.
    """
    return ceil(main / _PARTS[assistance])


def assisted_difficulty(assistance: Assistance, main: int, helped: RpjReading) -> int:
    """The difficulty of the main check once the helper has rolled; a failed assist changes nothing.

    Source: RPJ-SKILL-13 (R-036), RPJ-SKILL-14, RPJ-SKILL-15 (R-038).
    """
    if helped.degrees is None:
        return main
    return main - (1 if assistance is Assistance.EASY else helped.degrees)


def retry(inputs: RpjCheckInputs, harder: int = 1) -> RpjCheckInputs:
    """The inputs of a retry after a partial failure, as hard as before or harder.

    Args:
        inputs: The check that failed.
        harder: By how much.

    Source: RPJ-SKILL-12 (R-034).
    """
    fresh = inputs.unthrown(has_extra_die=False)
    return evolve(fresh, difficulty=inputs.difficulty + harder)
