"""Exact chances: whole numbers of ways over whole numbers of cases, never a sample and never a float."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


class Chance(Struct, frozen=True):
    """*ways* out of *of* equally likely cases."""

    ways: int  # cases in which it happens, from 0 to *of*
    of: int  # all cases, at least 1

    @property
    def fraction(self) -> Fraction:
        """The chance as a number from 0 to 1."""
        return Fraction(self.ways, self.of)


class Distribution(Struct, Generic[T], frozen=True):
    """An exact probability distribution."""

    ways: Mapping[T, int]  # each possible result with its number of cases, at least 1 each
    of: int  # all cases

    @staticmethod
    def counted(results: Iterable[tuple[T, int]]) -> "Distribution[T]":
        """Add up (result, cases) pairs."""
        ways: defaultdict[T, int] = defaultdict(int)
        for result, cases in results:
            ways[result] += cases
        kept = {result: cases for result, cases in ways.items() if cases}
        return Distribution(kept, sum(kept.values()))

    def map(self, change: Callable[[T], U]) -> "Distribution[U]":
        """The distribution with a function applied to each result."""
        return Distribution.counted((change(result), cases) for result, cases in self.ways.items())

    def with_(self, other: "Distribution[U]", join: Callable[[T, U], V]) -> "Distribution[V]":
        """The combination with another, independent distribution."""
        return Distribution.counted(
            (join(mine, theirs), cases * others)
            for mine, cases in self.ways.items()
            for theirs, others in other.ways.items()
        )

    def chance(self, holds: Callable[[T], bool]) -> Chance:
        """The chance of a result for which *holds* is true."""
        return Chance(sum(cases for result, cases in self.ways.items() if holds(result)), self.of)


def certain(result: T) -> Distribution[T]:
    """The distribution of a certain result."""
    return Distribution({result: 1}, 1)


def die(sides: int) -> Distribution[int]:
    """One fair die with faces 1 to *sides*."""
    return Distribution(dict.fromkeys(range(1, sides + 1), 1), sides)


def total(parts: Iterable[Distribution[int]]) -> Distribution[int]:
    """The distribution of the sum of independent numbers; 0 if there are none."""
    result = certain(0)
    for part in parts:
        result = result.with_(part, lambda sum_, face: sum_ + face)
    return result


def percent(chance: Chance | Fraction) -> str:
    """A chance for people: ``58%``, ``0.4%``; never 0% for what can be or 100% for what may fail."""
    if isinstance(chance, Chance):
        ways, of = chance.ways, chance.of
    else:
        ways, of = chance.numerator, chance.denominator
    if ways in (0, of):
        return "100%" if ways else "0%"
    if 100 * ways > 99 * of:
        return "> 99%"
    if 2000 * ways >= 19 * of:
        return f"{_rounded(100 * ways, of)}%"
    return f"0.{max(1, _rounded(1000 * ways, of))}%" if 2000 * ways >= of else "< 0.1%"


def _rounded(part: int, whole: int) -> int:
    """Round a ratio to a whole number, halves to even, so that two halves make 100%."""
    number, rest = divmod(part, whole)
    return number + (2 * rest > whole or (2 * rest == whole and number % 2 == 1))
