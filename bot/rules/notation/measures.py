"""Exact sums of independent numbers, within a bounded amount of work.

A measure says in how many cases each number comes; it stands for chances only once divided by all of
its cases. Sums of measures are multiplications of polynomials, and those are done as multiplications
of two long integers, each coefficient in a slot of its own: no loop in Python is as fast.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import gcd
from typing import TypeAlias

from bot.rules.notation.arithmetic import simplest
from bot.rules.notation.tree import Value

Measure: TypeAlias = Mapping[Value, int]
"""Cases in which each number comes, at least 1 each."""


class TooMuchWork(Exception):
    """The exact chances would take too long to work out."""


class Work:
    """The work that may still be done for one question, in steps of roughly a tenth of a microsecond."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take *steps* off what is left.

        Raises:
            TooMuchWork: If there is not so much left.
        """
        self.left -= steps
        if self.left < 0:
            raise TooMuchWork


def counted(results: Iterable[tuple[Value, int]]) -> Measure:
    """The measure of (number, cases) pairs; cases of equal numbers are added up."""
    cases: defaultdict[Value, int] = defaultdict(int)
    for number, ways in results:
        cases[number] += ways
    return cases


def reduced(measure: Measure) -> Measure:
    """The same chances in the smallest whole numbers."""
    common = gcd(*measure.values())
    return {number: cases // common for number, cases in measure.items() if cases}


def joined(left: Measure, right: Measure, join: Callable[[Value, Value], Value], work: Work) -> Measure:
    """What comes of two independent numbers together."""
    work.spend(12 * len(left) * len(right))
    return counted(
        (join(mine, theirs), cases * others)
        for mine, cases in left.items()
        for theirs, others in right.items()
    )


def added(left: Measure, right: Measure, work: Work) -> Measure:
    """The sum of two independent numbers."""
    packing = Packing.of([(left, 1), (right, 1)])
    if packing is None or min(len(left), len(right)) < 4:
        return joined(left, right, lambda mine, theirs: simplest(mine + theirs), work)
    work.spend(packing.multiplication)
    return packing.unpacked(packing.packed(left) * packing.packed(right))


def repeated(measure: Measure, times: int, work: Work) -> Measure:
    """The sum of *times* independent numbers, each from the same measure."""
    if times == 0:
        return {0: 1}
    packing = Packing.of([(measure, times)])
    if packing is None:
        result: Measure = {0: 1}
        for _ in range(times):
            result = joined(result, measure, lambda mine, theirs: simplest(mine + theirs), work)
        return result
    work.spend(2 * packing.multiplication)
    return packing.unpacked(packing.packed(measure) ** times)


class Packing:
    """Measures of whole numbers as long integers: number *n* in slot *n* - *lowest*.

    Args:
        lowest: The lowest number in each measure that is packed, added up over the factors.
        slots: How many numbers the product has room for.
        cases: All cases of the product; no coefficient is larger.
    """

    __slots__ = ("_bytes", "_lowest", "_slots")

    def __init__(self, lowest: int, slots: int, cases: int) -> None:
        self._lowest = lowest
        self._slots = slots
        self._bytes = cases.bit_length() // 8 + 1

    @classmethod
    def of(cls, factors: Iterable[tuple[Measure, int]]) -> "Packing | None":
        """Room for a product of powers of measures; None if they have fractions or wide gaps."""
        lowest, highest, cases, entries = 0, 0, 1, 0
        for measure, times in factors:
            if not all(isinstance(number, int) for number in measure):
                return None
            low, high = int(min(measure)), int(max(measure))
            if high - low > 50 * len(measure) + 1000:
                return None
            lowest += low * times
            highest += high * times
            cases *= sum(measure.values()) ** times
            entries += len(measure) * times
        return cls(lowest, highest - lowest + 1, cases)

    @property
    def multiplication(self) -> int:
        """The steps one multiplication of this size takes."""
        return 1000 + int((self._bytes * self._slots) ** 1.585 / 250) + 3 * self._slots

    @property
    def bits(self) -> int:
        """The width of a slot."""
        return 8 * self._bytes

    def packed(self, measure: Measure) -> int:
        """A measure as one integer, its own lowest number in slot 0."""
        low = int(min(measure))
        slots = bytearray((int(max(measure)) - low + 1) * self._bytes)
        for number, cases in measure.items():
            at = (int(number) - low) * self._bytes
            slots[at : at + self._bytes] = cases.to_bytes(self._bytes, "little")
        return int.from_bytes(slots, "little")

    def unpacked(self, product: int) -> Measure:
        """The measure a product of packed measures stands for."""
        width = self._bytes
        slots = product.to_bytes(self._slots * width, "little")
        coefficients = (
            int.from_bytes(slots[at : at + width], "little") for at in range(0, len(slots), width)
        )
        return {self._lowest + slot: cases for slot, cases in enumerate(coefficients) if cases}
