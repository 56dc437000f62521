"""Exact chances of dice that all behave alike, after one keep or drop that compares them.

The dice are gone through value by value, however many there are; sums are held as long integers.
"""

from collections.abc import Iterable, Mapping
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
    best = _best_kept(operation, count)
    cases = sum(values.values()) + dropped
    work.multiply(count * cases.bit_length(), count * cases.bit_length())
    packing = Packing.of_kept(dict(values.items()), count if best is None else best[1], cases**count)
    product = _Sums(packing, work)
    for left in range(count + 1):
        others = comb(count, left) * dropped ** (count - left)
        if others:
            product.add(0, _dice_left(values, left, operation, packing, work), others, 0)
    work.fit(packing.size)
    work.spend(packing.reading)
    return packing.unpacked(product[0])


class _Sums:
    """Packed sums, each by how many dice it is of; what they take is paid for before it is made."""

    __slots__ = ("_by_dice", "_held", "_packing", "_work")

    def __init__(self, packing: Packing, work: Work, held: int = 0) -> None:
        self._packing = packing
        self._work = work
        self._held = held
        self._by_dice: dict[int, int] = {}

    def __getitem__(self, dice: int) -> int:
        return self._by_dice.get(dice, 0)

    def add(self, dice: int, total: int, ways: int, larger: int) -> None:
        """Add *total*, in so many *ways* and with each number *larger* by so much, to the sum of *dice*.

        Raises:
            TooMuchWork: If there is not so much work left, or no room for the sum.
        """
        if not total or not ways:
            return
        before = self[dice]
        length = total.bit_length() + ways.bit_length() + self._packing.places(larger)
        held = self._held + max(0, length - before.bit_length()) // 8
        self._work.fit(held + 3 * length // 8)  # the product, shifted and added, beside the old sum
        multiplying = total.bit_length() * ways.bit_length() // 75_000
        self._work.spend(30 + length // 1200 + multiplying)
        self._by_dice[dice] = before + (total * ways << self._packing.places(larger))
        self._held = held

    def following(self) -> "_Sums":
        """Return where the next sums are made while these are still held."""
        return _Sums(self._packing, self._work, sum(map(int.bit_length, self._by_dice.values())) // 8)

    def items(self) -> Iterable[tuple[int, int]]:
        """Return each number of dice with its sum."""
        return self._by_dice.items()


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
        work.fit(packing.size)
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
    result = _Sums(packing, work)
    after = sum(cases for _, cases in order)
    sums = _Sums(packing, work)
    sums.add(0, 1, 1, 0)
    for value, cases in order:
        after -= cases
        following = sums.following()
        for taken, total in sums.items():
            left, need = count - taken, number - taken
            bits = left * (cases + after).bit_length()
            work.multiply(bits, bits)
            enough = (cases + after) ** left
            for equal in range(need):
                work.multiply(bits, after.bit_length())
                ways = comb(left, equal) * cases**equal
                following.add(taken + equal, total, ways, equal * value)
                enough -= ways * after ** (left - equal)
            result.add(0, total, enough, need * value)
        sums = following
    return result[0]


def _by_any_selector(
    values: Mapping[int, int], count: int, operation: Operation, packing: Packing, work: Work
) -> int:
    """The packed sum of what any selectors leave of *count* dice.

    ``sums[n]`` is what the *n* dice above the current value add up to.
    """
    sums = _Sums(packing, work)
    sums.add(0, 1, 1, 0)
    for value in sorted(values, reverse=True):
        following = sums.following()
        for above, total in sums.items():
            for equal in range(count - above + 1):
                work.spend(10 * len(operation.selectors))
                work.multiply(equal * values[value].bit_length(), equal * values[value].bit_length())
                picked = _picked_of_equal(operation, value, above, equal, count - above - equal)
                kept = picked if operation.act is Act.KEEP else equal - picked
                ways = comb(count - above, equal) * values[value] ** equal
                following.add(above + equal, total, ways, kept * value)
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
