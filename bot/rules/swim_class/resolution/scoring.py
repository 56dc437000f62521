"""How many dice score against a difficulty, in how many of all cases."""

from collections.abc import Sequence
from math import comb

from bot.rules.swim_class.resolution.hit_odds import SIDES


def good_faces(difficulty: int, modifier: int) -> int:
    """How many faces of a die score.

    Source: SWIM-TASK-13.
    """
    return min(SIDES, max(0, SIDES + 1 - (difficulty - modifier)))


def scoring_ways(groups: Sequence[tuple[int, int]], difficulty: int) -> list[int]:
    """In how many of all cases none, one, two ... dice score.

    Args:
        groups: Of each kind of dice how many, and their modifier.
        difficulty: What a die must reach.

    Source: SWIM-TASK-13.
    """
    ways = [1]
    for count, modifier in groups:
        good = good_faces(difficulty, modifier)
        own = [comb(count, k) * good**k * (SIDES - good) ** (count - k) for k in range(count + 1)]
        joined = [0] * (len(ways) + count)
        for before, these in enumerate(ways):
            for k, more in enumerate(own):
                joined[before + k] += these * more
        ways = joined
    return ways
