"""Luck: rolls measured against their exact chances."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, lgamma, log, sqrt

from msgspec import Struct

from bot.rules.kernel import Family, Roll


@lru_cache(maxsize=512)
def average_chance(sides: int, rolls: int, total: int) -> Fraction:
    """Return the chance that fair dice are on average at least as far off as these.

    Counted, not simulated: the ways to reach a sum, by inclusion and exclusion, of all ways there are.

    Args:
        sides: Of each die.
        rolls: How many dice.
        total: Their sum.
    """
    twice_off = abs(2 * total - rolls * (sides + 1))
    if not rolls or not twice_off:
        return Fraction(1)
    most = (rolls * (sides - 1) - twice_off) // 2  # the sum of what each die shows above 1, at the low end
    ways = sum(
        (-1) ** over * comb(rolls, over) * comb(most - sides * over + rolls, rolls)
        for over in range(min(rolls, most // sides) + 1)
    )
    return Fraction(2 * ways, sides**rolls)


@lru_cache(maxsize=512)
def faces_chance(counts: tuple[int, ...]) -> float:
    """Return the chance that some face of a fair die comes at least as much too often or too seldom.

    Each face's count is weighed as if it came by itself (Poisson); given the number of dice, that is the
    multinomial distribution, to the last digits of a double.

    Args:
        counts: How often each face came, of all faces.
    """
    sides, rolls = len(counts), sum(counts)
    off = max((abs(count * sides - rolls) for count in counts), default=0)
    if not rolls or not off:
        return 1.0
    within = [count for count in range(rolls + 1) if abs(count * sides - rolls) < off]
    mean = rolls / sides
    weights = [_poisson(mean, count) for count in within]
    sums = [1.0, *[0.0] * rolls]
    for _face in counts:
        sums = _added(sums, within, weights)
    return min(1.0, max(0.0, 1 - sums[rolls] / _poisson(rolls, rolls)))


def _added(sums: Sequence[float], within: Sequence[int], weights: Sequence[float]) -> list[float]:
    """Return the weights of all sums with one more face."""
    longer = [0.0] * len(sums)
    for before, weight in enumerate(sums):
        if weight:
            for count, chance in zip(within, weights, strict=True):
                if before + count >= len(sums):
                    break
                longer[before + count] += weight * chance
    return longer


def _poisson(mean: float, count: int) -> float:
    return exp(count * log(mean) - mean - lgamma(count + 1))


HALF = Fraction(1, 2)


class Luck(Struct, frozen=True):
    """One roll's luck."""

    # The share of outcomes worse than this one, plus half of those equal to it: 0 to 1. On average it is one
    # half, whatever the chances.
    rank: Fraction
    variance: Fraction  # its variance around that average
    chance: Fraction  # how likely this outcome was


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
