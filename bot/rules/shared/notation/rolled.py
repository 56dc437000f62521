"""What came of a roll: every die with all its faces, every set with what is kept of it."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.rules.kernel.dice import Fall
from bot.rules.shared.notation.arithmetic import total_of
from bot.rules.shared.notation.dice_pools import DicePool, ValuePool
from bot.rules.shared.notation.tree import Term, Value


class Rolled(NamedTuple):
    """A rolled expression.

    Attributes:
        term: What was rolled.
        value: The exact result.
        dice: The dice of each term, from left to right, whether kept or not.
        sets: The values of each set and of other parentheses, each behind those inside it.
        faces: The sides and the faces of dice thrown together, in order.
    """

    term: Term
    value: Value
    dice: Sequence[DicePool]
    sets: Sequence[ValuePool]
    faces: Sequence[tuple[int, Sequence[int]]]

    @property
    def total(self) -> int:
        """The result as a whole number: what stands behind the point is cut off."""
        return total_of(self.value)

    @property
    def throws(self) -> tuple[Fall, ...]:
        """Every die in the order in which it was thrown.

        Rolling the term again with `ReplayedDice` of them gives the same.
        """
        return tuple(Fall(sides, face) for sides, faces in self.faces for face in faces)
