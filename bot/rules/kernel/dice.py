"""Dice, the only source of randomness in the rules, and exact chances, never a sample."""

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

Card = TypeVar("Card")


class Dice(Protocol):
    """A source of die rolls."""

    def roll(self, sides: int) -> int:
        """Roll one die.

        Args:
            sides: Faces of the die, at least 1.

        Returns:
            A face from 1 to *sides*.
        """
        ...


class Fall(NamedTuple):
    """One die as it fell: *face* of 1 to *sides*."""

    sides: int
    face: int


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed, in hexadecimal: what is published before the seed is used."""
    return hashlib.sha256(seed).hexdigest()


class FairDice:
    """Dice derived from a secret seed and the interaction they are rolled for.

    Die number *n* of an interaction (counted from 0) is HMAC-SHA256 with the seed as key over the text
    ``<interaction id>:<n>``, read as a 256-bit big-endian number *v*. Where *v* lies in the last,
    incomplete block of *sides* numbers it is thrown away and the next *n* is taken, so that every face
    is equally likely; else the face is ``v % sides + 1``.

    Args:
        seed: The campaign's secret seed, 32 bytes.
        interaction: The id of the interaction the dice are rolled for.
    """

    def __init__(self, seed: bytes, interaction: str) -> None:
        self._seed = seed
        self._interaction = interaction
        self._counter = 0
        self.fallen: list[Fall] = []

    def roll(self, sides: int) -> int:
        """Roll one die; see the class for how its face follows."""
        limit = (1 << 256) - (1 << 256) % sides
        while True:
            message = f"{self._interaction}:{self._counter}".encode()
            value = int.from_bytes(hmac.digest(self._seed, message, "sha256"), "big")
            self._counter += 1
            if value < limit:
                break
        face = value % sides + 1
        self.fallen.append(Fall(sides, face))
        return face


class WrongDie(Exception):
    """The rules rolled other dice than the script has."""


class ReplayedDice:
    """Dice that repeat recorded faces.

    Args:
        falls: The dice in the order in which they were rolled.
    """

    def __init__(self, falls: Iterable[Fall]) -> None:
        self._waiting = list(falls)
        self._waiting.reverse()

    def roll(self, sides: int) -> int:
        """The next face of the script.

        Raises:
            WrongDie: If the script is used up, or its next die has other sides.
        """
        if not self._waiting:
            raise WrongDie(f"the rules rolled a d{sides}, but the script is used up")
        fall = self._waiting.pop()
        if fall.sides != sides:
            raise WrongDie(f"the rules rolled a d{sides}; the script says d{fall.sides}:{fall.face}")
        return fall.face

    def assert_all_rolled(self) -> None:
        """Raise `WrongDie` if a die of the script was never rolled."""
        if self._waiting:
            left = " ".join(f"d{fall.sides}:{fall.face}" for fall in reversed(self._waiting))
            raise WrongDie(f"never rolled: {left}")


def draw(cards: Sequence[Card], count: int, dice: Dice) -> list[Card]:
    """Draw cards one after the other, without replacement.

    The first draw is a die with as many sides as there are cards, the next one with one side less: the
    face counts into what is left, in the order given.

    Args:
        cards: The whole deck, in its printed order.
        count: How many to draw, at most as many as there are.
        dice: Where the chance comes from.
    """
    left = list(cards)
    return [left.pop(dice.roll(len(left)) - 1) for _ in range(count)]


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
