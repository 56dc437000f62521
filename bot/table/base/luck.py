"""How lucky rolls were, measured against their exact chances."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from bot.rules.kernel import Family, Roll

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll's luck.

    Attributes:
        rank: The share of outcomes worse than the one that came, with half of those like it: 0 to 1.
            On average it is one half, whatever the chances.
        variance: How far it spreads around that.
        chance: How likely the outcome was that came.
    """

    rank: Fraction
    variance: Fraction
    chance: Fraction


def luck_of(roll: Roll) -> Luck | None:
    """How lucky a roll was, or None where it has no exact chances to measure it by."""
    if roll.odds is None or roll.fell is None:
        return None
    if roll.verdict.family is Family.NEWS and roll.odds.needed is None:  # nothing of it is better or worse
        return None
    worse = Fraction(0)
    mine: Fraction | None = None
    cubes = Fraction(0)
    for name, chance in roll.odds.chances:
        share = chance.fraction
        cubes += share**3
        if name == roll.fell and mine is None:
            mine = share
        elif mine is None:
            worse += share
    if mine is None:
        return None
    return Luck(rank=worse + mine / 2, variance=(1 - cubes) / 12, chance=mine)


def deviation(rolls: list[Luck]) -> float | None:
    """How many standard deviations the rolls lie above (or below) what was to be expected.

    Returns:
        None where nothing could have come otherwise.
    """
    spread = sum((luck.variance for luck in rolls), Fraction(0))
    if not spread:
        return None
    return float(sum((luck.rank - HALF for luck in rolls), Fraction(0))) / sqrt(spread)
