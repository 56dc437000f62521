"""What an expression says: the tree a text is read into, and its text again.

Trees are values: equal expressions, however they were spaced, have equal trees. All of it is tuples,
because an expression has a dozen of them and more.
"""

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from bot.rules.shared.notation.limits import MAX_DECIMALS

Value: TypeAlias = int | Fraction
"""A number as it is reckoned with: exact always, whole wherever it can be."""


class Pick(StrEnum):
    """Which values a selector picks out."""

    EQUAL = ""
    HIGHEST = "h"
    LOWEST = "l"
    ABOVE = ">"
    BELOW = "<"


class Selector(NamedTuple):
    """Picks values out of a pool: the *number* highest, those above *number* ...

    Attributes:
        pick: What is compared.
        number: How many are picked for highest and lowest, else the value compared with.
    """

    pick: Pick
    number: int

    @property
    def by_rank(self) -> bool:
        """Whether the pick depends on the other values of the pool."""
        return self.pick in (Pick.HIGHEST, Pick.LOWEST)

    def matches(self, value: Value) -> bool:
        """Whether one value is picked, for a selector that is not by rank."""
        if self.pick is Pick.ABOVE:
            return value > self.number
        if self.pick is Pick.BELOW:
            return value < self.number
        return value == self.number

    def __str__(self) -> str:
        return f"{self.pick}{self.number}"


class Act(StrEnum):
    """What is done with the values picked."""

    KEEP = "k"
    DROP = "p"
    REROLL = "rr"
    REROLL_ONCE = "ro"
    REROLL_AND_ADD = "ra"
    EXPLODE = "e"
    MINIMUM = "mi"
    MAXIMUM = "ma"


class Operation(NamedTuple):
    """One thing done to a pool; ``kh1kl1`` is one keep with two selectors.

    Attributes:
        act: What is done.
        selectors: To which values; for minimum and maximum one `Pick.EQUAL` with the bound.
    """

    act: Act
    selectors: tuple[Selector, ...]

    @property
    def by_rank(self) -> bool:
        """Whether what happens to one value depends on the others."""
        return any(selector.by_rank for selector in self.selectors)

    def matches(self, value: Value) -> bool:
        """Whether any selector picks *value*, for an operation that is not by rank."""
        return any(selector.matches(value) for selector in self.selectors)

    def __str__(self) -> str:
        return "".join(f"{self.act}{selector}" for selector in self.selectors)


class Literal(NamedTuple):
    """A written number."""

    value: Value
    labels: tuple[str, ...] = ()


class DiceTerm(NamedTuple):
    """Dice of one kind, and what is done with them.

    Attributes:
        number: How many are thrown at first.
        sides: Faces of each; 10 for percentile dice.
        percent: Whether it is ``d%``, a die with the faces 0, 10, 20 ... 90.
        operations: What is done, in order.
        labels: What stands in brackets behind it.
    """

    number: int
    sides: int
    percent: bool = False
    operations: tuple[Operation, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def die(self) -> str:
        """The name of one of these dice, such as ``d6`` or ``d%``."""
        return "d%" if self.percent else f"d{self.sides}"

    @property
    def faces(self) -> range:
        """What can come up on one of these dice."""
        return range(0, 100, 10) if self.percent else range(1, self.sides + 1)


class SetTerm(NamedTuple):
    """Several values side by side, such as ``(1d6, 2d8)``, and which of them are kept."""

    members: tuple["Term", ...]
    operations: tuple[Operation, ...] = ()
    labels: tuple[str, ...] = ()


class Group(NamedTuple):
    """Something in parentheses; operations behind them act on the dice or set inside."""

    inner: "Term"
    operations: tuple[Operation, ...] = ()
    labels: tuple[str, ...] = ()


class Signed(NamedTuple):
    """A sign and what it stands before."""

    minus: bool
    operand: "Term"


class Operator(StrEnum):
    """What stands between two numbers."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    OVER = "/"
    WHOLE_OVER = "//"
    REMAINDER = "%"
    EQUAL = "=="
    NOT_EQUAL = "!="
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"


class Chain(NamedTuple):
    """Operators of equal strength, reckoned from left to right: ``1 + 2 - 3``.

    Attributes:
        first: What stands before the first operator.
        steps: Each operator with its right side.
    """

    first: "Term"
    steps: tuple[tuple[Operator, "Term"], ...]


Term: TypeAlias = Literal | DiceTerm | SetTerm | Group | Signed | Chain


def written(value: Value) -> str:
    """A number that was written in an expression, as decimal digits."""
    if isinstance(value, int):
        return str(value)
    millionths = int(value * 10**MAX_DECIMALS)
    whole, rest = divmod(millionths, 10**MAX_DECIMALS)
    return f"{whole}.{rest:0{MAX_DECIMALS}d}".rstrip("0")
