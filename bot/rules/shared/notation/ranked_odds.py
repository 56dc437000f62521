"""Exact chances of dice that all behave alike, after one keep or drop that compares them.

The dice are gone through value by value, however many there are; sums are held as long integers.
"""

from collections import defaultdict
from collections.abc import Mapping
from math import comb

from bot.rules.shared.notation.measures import Measure, Packing, Work, repeated
from bot.rules.shared.notation.tree import Act, Operation, Pick


def ranked_total(
    values: Mapping[int, int], dropped: int, count: int, operation: Operation, work: Work
) -> Measure:
    """What *count* dice add up to after one keep or drop by rank.

    Args:
        values: The cases of each value of one die, none below 0, at least one.
        dropped: The cases in which a die was dropped before; it takes no part then.
        count: How many dice there are.
        operation: The keep or drop.
        work: What may still be spent.

    Raises:
        TooMuchWork: If there are too many dice and values.
    """
    packing = Packing.of_kept(dict(values.items()), dropped, count)
    product = 0
    for left in range(count + 1):
        others = comb(count, left) * dropped ** (count - left)
        if others:
            product += others * _dice_left(values, left, operation, packing, work)
    work.spend(packing.reading)
    return packing.unpacked(product)


def _dice_left(
    values: Mapping[int, int], count: int, operation: Operation, packing: Packing, work: Work
) -> int:
    """The packed sum of *count* dice none of which was dropped before."""
    best = _best_kept(operation, count)
    if best is None:
        return _by_any_selector(values, count, operation, packing, work)
    pick, number = best
    if number == 0:
        return int(sum(values.values()) ** count)
    if number == count:
        every = repeated(dict(values.items()), count, work)
        return packing.packed(every) << packing.places(min(every))
    order = sorted(values.items(), reverse=pick is Pick.HIGHEST)
    return _best(order, count, number, packing, work)


def _best_kept(operation: Operation, count: int) -> tuple[Pick, int] | None:
    """Which and how many of *count* dice are kept, where it is the highest or the lowest only."""
    if len(operation.selectors) > 1:
        return None
    (selector,) = operation.selectors
    number = min(selector.number, count)
    if operation.act is Act.KEEP:
        return selector.pick, number
    other = Pick.LOWEST if selector.pick is Pick.HIGHEST else Pick.HIGHEST
    return other, count - number


def _best(order: list[tuple[int, int]], count: int, number: int, packing: Packing, work: Work) -> int:
    """The packed sum of the *number* first of *count* dice, fewer than all.

    Args:
        order: The values with their cases, those that are kept first before the others.
        count: All dice.
        number: How many are kept.
        packing: How sums are packed.
        work: What may still be spent.
    """
    result = 0
    after = sum(cases for _, cases in order)
    sums = [1] + [0] * (number - 1)
    for value, cases in order:
        after -= cases
        following = [0] * number
        for taken, total in enumerate(sums):
            left, need = count - taken, number - taken
            enough = (cases + after) ** left
            for equal in range(need):
                work.spend(packing.addition(total, left * after.bit_length()))
                ways = comb(left, equal) * cases**equal
                following[taken + equal] += total * ways << packing.places(equal * value)
                enough -= ways * after ** (left - equal)
            result += total * enough << packing.places(need * value)
        sums = following
    return result


def _by_any_selector(
    values: Mapping[int, int], count: int, operation: Operation, packing: Packing, work: Work
) -> int:
    """The packed sum of what any selectors leave of *count* dice.

    ``sums[n]`` is what the *n* dice above the current value add up to.
    """
    sums: dict[int, int] = {0: 1}
    for value in sorted(values, reverse=True):
        following: defaultdict[int, int] = defaultdict(int)
        for above, total in sums.items():
            for equal in range(count - above + 1):
                picked = _picked_of_equal(operation, value, above, equal, count - above - equal)
                kept = picked if operation.act is Act.KEEP else equal - picked
                ways = comb(count - above, equal) * values[value] ** equal
                work.spend(packing.addition(total, ways.bit_length()))
                following[above + equal] += total * ways << packing.places(kept * value)
        sums = following
    return sums[count]


def _picked_of_equal(operation: Operation, value: int, above: int, equal: int, below: int) -> int:
    """How many of *equal* dice of one value are picked, with so many dice above and below it.

    Each selector picks equal dice in the same order, so several together pick as many as the greediest.
    """
    most = 0
    for selector in operation.selectors:
        if selector.pick is Pick.HIGHEST:
            picked = selector.number - above
        elif selector.pick is Pick.LOWEST:
            picked = selector.number - below
        else:
            picked = equal if selector.matches(value) else 0
        most = max(most, picked)
    return min(most, equal)
