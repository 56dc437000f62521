"""What came of a roll: every die with all its faces, every number on the way.

All of it is tuples, because a roll makes a dozen of them and more.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from bot.rules.kernel.dice import Fall
from bot.rules.shared.notation.arithmetic import total_of
from bot.rules.shared.notation.tree import (
    DiceTerm,
    Group,
    Literal,
    Operator,
    SetTerm,
    Signed,
    Term,
    Value,
)


class Face(NamedTuple):
    """One face that came up.

    Attributes:
        shown: The number on the die.
        counts_as: The number it counts as, other than *shown* where a minimum or maximum changed it.
        exploded: Whether it called for another die.
    """

    shown: int
    counts_as: int
    exploded: bool = False


class DieRolled(NamedTuple):
    """One die on the table.

    Attributes:
        faces: What came up, in order; all but the last were re-rolled.
        kept: Whether it counts.
    """

    faces: tuple[Face, ...]
    kept: bool

    @property
    def value(self) -> int:
        """What the die counts as, were it kept."""
        return self.faces[-1].counts_as


class LiteralRolled(NamedTuple):
    """A written number."""

    term: Literal
    total: Value


class DiceRolled(NamedTuple):
    """Dice of one kind, with those that explosions added behind the others."""

    term: DiceTerm
    dice: tuple[DieRolled, ...]
    total: int


class RolledMember(NamedTuple):
    """One value of a set, and whether it counts."""

    part: "Part"
    kept: bool


class SetRolled(NamedTuple):
    """Values side by side."""

    term: SetTerm
    members: tuple[RolledMember, ...]
    total: Value


class GroupRolled(NamedTuple):
    """Something in parentheses; not kept where an operation behind them dropped it whole."""

    term: Group
    inner: "Part"
    kept: bool
    total: Value


class SignedRolled(NamedTuple):
    """A sign and what came of its operand."""

    term: Signed
    operand: "Part"
    total: Value


class StepRolled(NamedTuple):
    """One operator and what came of its right side."""

    operator: Operator
    operand: "Part"


class ChainRolled(NamedTuple):
    """Operators of equal strength, reckoned from left to right."""

    first: "Part"
    steps: tuple[StepRolled, ...]
    total: Value


Part: TypeAlias = LiteralRolled | DiceRolled | SetRolled | GroupRolled | SignedRolled | ChainRolled


class Rolled(NamedTuple):
    """A rolled expression.

    Attributes:
        term: What was rolled.
        part: What came of it, shaped like the term.
        throws: Every die in the order in which it was thrown; rolling the term again with
            `ReplayedDice` of them gives the same.
    """

    term: Term
    part: Part
    throws: tuple[Fall, ...]

    @property
    def total(self) -> int:
        """The result as a whole number: what stands behind the point is cut off."""
        return total_of(self.part.total)

    @property
    def dice(self) -> tuple[DiceRolled, ...]:
        """All dice of the expression, from left to right, whether kept or not."""
        return tuple(_dice_in(self.part))


def _dice_in(part: Part) -> Iterator[DiceRolled]:
    """The dice in a part, from left to right."""
    match part:
        case DiceRolled():
            yield part
        case SetRolled():
            for member in part.members:
                yield from _dice_in(member.part)
        case GroupRolled():
            yield from _dice_in(part.inner)
        case SignedRolled():
            yield from _dice_in(part.operand)
        case ChainRolled():
            yield from _dice_in(part.first)
            for step in part.steps:
                yield from _dice_in(step.operand)
        case LiteralRolled():
            return
