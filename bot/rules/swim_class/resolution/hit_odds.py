"""How many attack dice get through the best defence: exact, without going through all cases."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

from bot.rules.kernel.odds import Distribution

SIDES = 6
IMPLICIT = 1


@dataclass(frozen=True, slots=True)
class SwimSide:
    """Dice of one side of an opposed roll.

    Attributes:
        groups: Of each kind of dice how many, and their modifier.
        fixed: Values that are known already.
        lowest: The lowest face that is counted; others are left out of the cases.
    """

    groups: tuple[tuple[int, int], ...] = ()
    fixed: tuple[int, ...] = ()
    lowest: int = 1


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


@lru_cache(maxsize=512)
def hit_ways(attack: SwimSide, defence: SwimSide, difficulty: int | None = None) -> Distribution[int]:
    """In how many cases so many attack dice get through the best defence.

    The dice are counted from the highest value down. What gets through is the most by which, at any
    value, the attack dice of that value or more outnumber such defence dice.

    Args:
        attack: The attack dice.
        defence: The defence dice, implicit 1s among its fixed values.
        difficulty: What an attack die must reach besides, or None.

    Source: SWIM-TASK-13, SWIM-OPP-03.
    """
    groups = [*attack.groups, *defence.groups]
    lows = [*[attack.lowest] * len(attack.groups), *[defence.lowest] * len(defence.groups)]
    values = [*attack.fixed, *(modifier + SIDES for _count, modifier in attack.groups)]
    floors = [*attack.fixed, *(modifier + attack.lowest for _count, modifier in attack.groups)]
    top, bottom = max(values, default=0), min(floors, default=1)
    bottom = bottom if difficulty is None else max(bottom, difficulty)
    top = max(top, *(modifier + SIDES for _count, modifier in defence.groups)) if defence.groups else top
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(count for count, _ in groups), 0): 1}
    for value in range(top, bottom - 1, -1):
        for place, (_count, modifier) in enumerate(groups):
            if lows[place] <= value - modifier <= SIDES:
                states = _thrown(states, place)
        known = sum(one >= value for one in attack.fixed) - sum(one >= value for one in defence.fixed)
        states = _compared(states, groups, len(attack.groups), known)
    ways: defaultdict[int, int] = defaultdict(int)
    open_faces = [
        min(SIDES, max(0, bottom - 1 - modifier)) - low + 1 if bottom - 1 - modifier >= low else 0
        for (_count, modifier), low in zip(groups, lows, strict=True)
    ]
    for (left, worst), cases in states.items():
        ways[worst] += cases * prod(faces**n for faces, n in zip(open_faces, left, strict=True))
    return Distribution({hits: cases for hits, cases in sorted(ways.items()) if cases}, _cases(groups, lows))


def _cases(groups: Sequence[tuple[int, int]], lows: Sequence[int]) -> int:
    return prod((SIDES + 1 - low) ** count for (count, _), low in zip(groups, lows, strict=True))


_States = dict[tuple[tuple[int, ...], int], int]


def _thrown(states: _States, place: int) -> _States:
    """Let any number of the dice left in a group show the next value."""
    after: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
    for (left, worst), cases in states.items():
        count = left[place]
        for shown in range(count + 1):
            rest = (*left[:place], count - shown, *left[place + 1 :])
            after[rest, worst] += cases * comb(count, shown)
    return after


def _compared(states: _States, groups: Sequence[tuple[int, int]], attackers: int, known: int) -> _States:
    """Note by how many the attack outnumbers the defence so far."""
    after: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
    sizes = [count for count, _ in groups]
    for (left, worst), cases in states.items():
        shown = [size - rest for size, rest in zip(sizes, left, strict=True)]
        ahead = known + sum(shown[:attackers]) - sum(shown[attackers:])
        after[left, max(worst, ahead)] += cases
    return after
