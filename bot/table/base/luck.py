"""Luck: rolls measured against their exact chances."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from bot.rules.kernel import Family, Roll

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll's luck.

    Attributes:
        rank: The share of outcomes worse than this one, plus half of those equal to it: 0 to 1.
            On average it is one half, whatever the chances.
        variance: Its variance around that average.
        chance: How likely this outcome was.
    """

    rank: Fraction
    variance: Fraction
    chance: Fraction


def luck_of(roll: Roll) -> Luck | None:
    """Return how lucky a roll was, or None without exact chances."""
    if roll.odds is None or roll.outcome is None:
        return None
    if roll.verdict.family is Family.NEWS and roll.odds.needed is None:  # nothing of it is better or worse
        return None
    worse = Fraction(0)
    mine: Fraction | None = None
    cubes = Fraction(0)
    for name, chance in roll.odds.chances:
        share = chance.fraction
        cubes += share**3
        if name == roll.outcome and mine is None:
            mine = share
        elif mine is None:
            worse += share
    if mine is None:
        return None
    return Luck(rank=worse + mine / 2, variance=(1 - cubes) / 12, chance=mine)


def deviation(rolls: list[Luck]) -> float | None:
    """Return how many standard deviations the rolls lie above (or below) expectation.

    Returns:
        None if no roll could have come out differently.
    """
    spread = sum((luck.variance for luck in rolls), Fraction(0))
    if not spread:
        return None
    return float(sum((luck.rank - HALF for luck in rolls), Fraction(0))) / sqrt(spread)
