"""Exact sums of independent numbers, within a bounded amount of work.

A measure says in how many cases each number comes; it stands for chances only once divided by all of
its cases. Sums of measures are multiplications of polynomials, and those are done as multiplications
of two long integers, each coefficient in a slot of its own: no loop in Python is as fast.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from bot.rules.shared.notation.arithmetic import simplest
from bot.rules.shared.notation.tree import Value

Measure: TypeAlias = Mapping[Value, int]
"""Cases in which each number comes, at least 1 each."""


class TooMuchWork(Exception):
    """The exact chances would take too long to work out."""


MOST_HELD = 10_000_000
"""The bytes of long integers one question may hold at once."""

LONGEST_CASES = 10_000
"""The bits of the number of all cases; Python writes no number of more than 4300 digits."""


class Work:
    """The work that may still be done for one question, in steps of roughly a tenth of a microsecond."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def multiply(self, bits: int, others: int) -> None:
        """Pay for the product of two numbers of so many bits, before it is made.

        Raises:
            TooMuchWork: If there is not so much work left, or no room for the product.
        """
        self.fit((bits + others) // 8)
        self.spend(3 + (bits + others) // 2500 + bits * others // 75_000)

    @staticmethod
    def fit(held: int) -> None:
        """Refuse to hold so many bytes at once.

        Raises:
            TooMuchWork: If that is more than one question may hold.
        """
        if held > MOST_HELD:
            raise TooMuchWork

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
    bits, others = sum(left.values()).bit_length(), sum(right.values()).bit_length()
    each = (10 if _are_whole(left) and _are_whole(right) else 60) + bits * others // 75_000
    work.spend(each * len(left) * len(right))
    return counted(
        (join(mine, theirs), cases * others)
        for mine, cases in left.items()
        for theirs, others in right.items()
    )


def _are_whole(measure: Measure) -> bool:
    """Whether all numbers are whole."""
    return all(isinstance(number, int) for number in measure)


def added(left: Measure, right: Measure, work: Work) -> Measure:
    """The sum of two independent numbers."""
    packing = Packing.of_product([(left, 1), (right, 1)])
    if min(len(left), len(right)) < 4 or packing.is_sparse(len(left) + len(right)):
        return joined(left, right, lambda mine, theirs: simplest(mine + theirs), work)
    work.fit(packing.size)
    work.spend(packing.multiplication)
    return packing.unpacked(packing.packed(left) * packing.packed(right))


def repeated(measure: Measure, times: int, work: Work) -> Measure:
    """The sum of *times* independent numbers, each from the same measure."""
    if times == 0:
        return {0: 1}
    packing = Packing.of_product([(measure, times)])
    work.fit(packing.size)
    work.spend(packing.multiplication)
    return packing.unpacked(packing.packed(measure) ** times)


def _unit(values: Iterable[Value]) -> Value:
    """The largest number of which all *values* are whole multiples; 1 if they are all 0."""
    numbers = list(values)
    whole = lcm(*(number.denominator for number in numbers))
    common = gcd(*(int(number * whole) for number in numbers))
    return simplest(Fraction(common, whole)) if common else 1


class Packing:
    """Measures as long integers: the number *n* units above *lowest* in slot *n*.

    Args:
        unit: All numbers are whole multiples of it.
        lowest: The lowest number of the product, in units.
        highest: Its highest number, in units.
        cases: All cases of the product; no coefficient is larger.
    """

    __slots__ = ("_bytes", "_lowest", "_slots", "_unit")

    def __init__(self, unit: Value, lowest: int, highest: int, cases: int) -> None:
        self._unit = unit
        self._lowest = lowest
        self._slots = highest - lowest + 1
        self._bytes = cases.bit_length() // 8 + 1

    @classmethod
    def of_product(cls, factors: Sequence[tuple[Measure, int]]) -> "Packing":
        """Room for a product of powers of measures."""
        unit = _unit(number for measure, _ in factors for number in measure)
        lowest, highest, cases = 0, 0, 1
        for measure, times in factors:
            lowest += min(measure) // unit * times
            highest += max(measure) // unit * times
            cases *= sum(measure.values()) ** times
        return cls(unit, lowest, highest, cases)

    @classmethod
    def of_kept(cls, values: Measure, most: int, cases: int) -> "Packing":
        """Room for the sum of up to *most* numbers, none below 0, in so many *cases*."""
        unit = _unit(values)
        return cls(unit, 0, most * (max(values) // unit), cases)

    def is_sparse(self, entries: int) -> bool:
        """Whether most slots would stay empty in measures of so many *entries*."""
        return self._slots > 50 * entries + 1000

    @property
    def size(self) -> int:
        """The bytes of a packed measure."""
        return self._bytes * self._slots

    @property
    def multiplication(self) -> int:
        """The steps a multiplication or power with a result of this size takes (measured)."""
        return 100 + int(self.size**1.585 / 480) + self.reading

    @property
    def reading(self) -> int:
        """The steps reading a packed measure takes (measured)."""
        return 8 * self._slots + self.size // 300

    def places(self, number: Value) -> int:
        """How far to shift a packed measure to make each of its numbers larger by *number*."""
        return number // self._unit * 8 * self._bytes

    def packed(self, measure: Measure) -> int:
        """A measure as one integer, its own lowest number in the first slot."""
        low = min(measure)
        slots = bytearray(((max(measure) - low) // self._unit + 1) * self._bytes)
        for number, cases in measure.items():
            at = (number - low) // self._unit * self._bytes
            slots[at : at + self._bytes] = cases.to_bytes(self._bytes, "little")
        return int.from_bytes(slots, "little")

    def unpacked(self, product: int) -> Measure:
        """The measure a product of packed measures stands for."""
        width = self._bytes
        slots = product.to_bytes(self._slots * width, "little")
        coefficients = (
            int.from_bytes(slots[at : at + width], "little") for at in range(0, len(slots), width)
        )
        return {
            simplest((self._lowest + slot) * self._unit): cases
            for slot, cases in enumerate(coefficients)
            if cases
        }
