"""Dice: the only source of randomness in the rules.

The rules take `Dice` as an argument and never make their own chance. `FairDice` are the dice of the
table, which anybody can check afterwards; `ReplayedDice` fall again as they fell once.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

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
