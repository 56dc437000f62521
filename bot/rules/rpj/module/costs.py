"""The costs of levels, and the words for them."""

from math import ceil

from pydantic import Field

from bot.rules.kernel import TableRow
from bot.rules.rpj.module.tables import DATA

POINTS_A_TIER = 10


class _Named(TableRow):
    """A word and the lowest number it applies to."""

    name: str
    least: int = Field(alias="from")


_GRADES = DATA.rows("levels", "grade", _Named)
_POWERS = DATA.rows("levels", "power", _Named)


def triangle(level: int) -> int:
    """The sum of the numbers from 1 to a level; 0 for a level below 1."""
    return level * (level + 1) // 2 if level > 0 else 0


def raise_cost(now: int, wanted: int) -> int:
    """The cost of raising an attribute or a skill: each level costs its own number.

    Source: RPJ-ATTR-13 (R-014), RPJ-SKILL-02.
    """
    return max(triangle(wanted) - triangle(now), 0)


def grade(effective_level: int) -> str:
    """The word for an effective level of a skill.

    Source: RPJ-SKILL-05 (R-028).
    """
    return [row.name for row in _GRADES if row.least <= max(effective_level, 0)][-1]


def power_word(points: int) -> str:
    """The word for a character power; empty below the first.

    Source: RPJ-CHAR-04 (R-063).
    """
    reached = [row.name for row in _POWERS if row.least <= points]
    return reached[-1] if reached else ""


def tier_of(total_points: int) -> int:
    """The character tier of a character power.

    Source: RPJ-CHAR-05.
    """
    return total_points // POINTS_A_TIER


def sessions_to(target: int, total_points: int, points_a_session: int) -> int:
    """The number of sessions until a character power is reached.

    Args:
        target: The character power wanted.
        total_points: The character power now.
        points_a_session: Character points per session, at least 1.

    Source: RPJ-CHAR-20.
    """
    return max(ceil((target - total_points) / points_a_session), 0)
