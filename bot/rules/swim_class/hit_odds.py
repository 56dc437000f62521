"""How many attack dice get through the best defence: exact, without going through all cases."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb, prod

from msgspec import Struct

from bot.rules.kernel.odds import Distribution

SIDES = 6
IMPLICIT = 1


class SwimSide(Struct, frozen=True):
    """Dice of one side of an opposed roll."""

    groups: tuple[tuple[int, int], ...] = ()  # of each kind of dice how many, and their modifier
    fixed: tuple[int, ...] = ()  # values that are known already
    lowest: int = 1  # the lowest face that is counted; others are left out of the cases


def merged(groups: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Kinds of dice, those with the same modifier as one kind."""
    counts: defaultdict[int, int] = defaultdict(int)
    for count, modifier in groups:
        counts[modifier] += count
    return tuple((count, modifier) for modifier, count in counts.items() if count)


def effort(attack: SwimSide, defence: SwimSide) -> int:
    """About how much there is to count: what takes a tenth of a second is about 1,500."""
    counts = [count for count, _modifier in (*attack.groups, *defence.groups)]
    return prod(count + 1 for count in counts) * sum(count for count, _modifier in attack.groups)


class _Kind(Struct, frozen=True):
    """One kind of dice in a state.

    A state is one number: the most by which the attack was ahead so far, and how many dice of each kind are
    left, each in a place of its own (as the digits of a number are).
    """

    count: int  # how many there are
    modifier: int  # what is added to each
    lowest: int  # their lowest face that is counted
    place: int  # what one die left is worth in a state
    sign: int  # 1 for attack dice, -1 for defence dice

    def left(self, state: int) -> int:
        """How many of them have not shown their face yet."""
        return state // self.place % (self.count + 1)

    def faces_below(self, value: int) -> int:
        """How many of their faces come to less than a value, as long as any of them are left."""
        return min(SIDES, value - 1 - self.modifier) - self.lowest + 1


def _kinds(attack: SwimSide, defence: SwimSide, place: int) -> Iterator[_Kind]:
    for side, sign in ((attack, 1), (defence, -1)):
        for count, modifier in side.groups:
            yield _Kind(count, modifier, side.lowest, place, sign)
            place *= count + 1


@lru_cache(maxsize=512)
def hit_ways(attack: SwimSide, defence: SwimSide, difficulty: int | None = None) -> Distribution[int]:
    """In how many cases so many attack dice get through the best defence. [SWIM-TASK-13, SWIM-OPP-03]

    The dice are counted from the highest value down. What gets through is the most by which, at any
    value, the attack dice of that value or more outnumber such defence dice.

    Args:
        attack: The attack dice.
        defence: The defence dice, implicit 1s among its fixed values.
        difficulty: What an attack die must reach besides, or None.
    """
    most = len(attack.fixed) + sum(count for count, _modifier in attack.groups)
    kinds = tuple(_kinds(attack, defence, most + 1))
    top = max([*attack.fixed, *(kind.modifier + SIDES for kind in kinds)], default=0)
    bottom = min(
        [*attack.fixed, *(modifier + attack.lowest for _count, modifier in attack.groups)], default=top
    )
    bottom = bottom if difficulty is None else max(bottom, difficulty)
    states = {sum(kind.count * kind.place for kind in kinds): 1}
    for value in range(top, bottom - 1, -1):
        for kind in kinds:
            if kind.lowest <= value - kind.modifier <= SIDES:
                states = _thrown(states, kind, is_last=value - kind.modifier == kind.lowest)
        known = sum(one >= value for one in attack.fixed) - sum(one >= value for one in defence.fixed)
        states = _compared(states, kinds, most + 1, known)
    ways: defaultdict[int, int] = defaultdict(int)
    for state, cases in states.items():
        ways[state % (most + 1)] += cases * prod(
            kind.faces_below(bottom) ** kind.left(state) for kind in kinds
        )
    all_cases = prod((SIDES + 1 - kind.lowest) ** kind.count for kind in kinds)
    return Distribution({hits: cases for hits, cases in sorted(ways.items()) if cases}, all_cases)


def _thrown(states: dict[int, int], kind: _Kind, *, is_last: bool) -> dict[int, int]:
    """Let any number of the dice left of a kind show the next value, or all where it is their last."""
    after: defaultdict[int, int] = defaultdict(int)
    ways_of = [[comb(count, shown) for shown in range(count + 1)] for count in range(kind.count + 1)]
    for state, cases in states.items():
        left = kind.left(state)
        if is_last:
            after[state - left * kind.place] += cases
            continue
        for ways in ways_of[left]:
            after[state] += cases * ways
            state -= kind.place
    return after


def _compared(states: dict[int, int], kinds: Sequence[_Kind], size: int, known: int) -> dict[int, int]:
    """Note by how many the attack outnumbers the defence so far."""
    after: defaultdict[int, int] = defaultdict(int)
    aheads: dict[int, int] = {}
    for state, cases in states.items():
        worst = state % size
        rest = state - worst
        if rest not in aheads:
            aheads[rest] = known + sum(kind.sign * (kind.count - kind.left(rest)) for kind in kinds)
        after[rest + max(worst, aheads[rest])] += cases
    return after


def good_faces(difficulty: int, modifier: int) -> int:
    """How many faces of a die score. [SWIM-TASK-13]"""
    return min(SIDES, max(0, SIDES + 1 - (difficulty - modifier)))


def scoring_ways(groups: Sequence[tuple[int, int]], difficulty: int) -> list[int]:
    """In how many of all cases none, one, two ... dice score. [SWIM-TASK-13]

    Args:
        groups: Of each kind of dice how many, and their modifier.
        difficulty: What a die must reach.
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
