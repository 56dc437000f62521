"""What an expression says: the tree a text is read into, and its text again.

Trees are values: equal expressions, however they were spaced, have equal trees. All of it is tuples,
because an expression has a dozen of them and more.
"""

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from bot.rules.kernel.errors import UserError

MAX_CHARACTERS = 200
"""Characters of an expression."""

MAX_DICE = 200
"""Dice written in one expression, added up."""

MAX_THROWS = 500
"""Dice thrown for one expression, re-rolls and explosions included."""

MAX_SIDES = 1000
"""Sides of a die."""

MAX_NUMBER = 1_000_000
"""The largest number that may be written."""

MAX_DECIMALS = 6
"""Digits after the decimal point of a written number."""

MAX_DEPTH = 20
"""Parentheses and signs inside each other."""

MAX_RESULT = 1_000_000_000_000
"""The largest result, also on the way, above or below zero."""


_EXCERPT = 12


def excerpt(text: str) -> str:
    """The beginning of *text*, on one line and without invisible characters."""
    shown = "".join(character if character.isprintable() else "�" for character in text[: _EXCERPT + 1])
    return shown if len(shown) <= _EXCERPT else shown[:_EXCERPT] + "…"


class Unreadable(UserError):
    """The expression is not in the dice notation.

    Attributes:
        expression: The whole text, as typed.
        position: The character where reading stopped, counted from 1; one past the end where the
            expression ends too early.
    """

    def __init__(self, expression: str, position: int, allowed: str, try_this: str = "") -> None:
        rest = expression[position - 1 :]
        if rest.strip():
            what = f"I can't read this from “{excerpt(rest)}” on (character {position})."
        elif expression.strip():
            what = f"The expression ends too early (after character {position - 1})."
        else:
            what = "There is nothing to roll."
        super().__init__(what, allowed, try_this)
        self.expression = expression
        self.position = position


class TooMuch(UserError):
    """The expression asks for more than one roll may have.

    Attributes:
        limit: The bound that was passed.
    """

    def __init__(self, what: str, allowed: str, limit: int, try_this: str = "") -> None:
        super().__init__(what, allowed, try_this)
        self.limit = limit


class NoSides(UserError):
    """A die without sides."""

    def __init__(self) -> None:
        super().__init__("A die with 0 sides can't be rolled.", "A die has 1 to 1000 sides.", "Try 1d6.")


class Endless(UserError):
    """Re-rolling or exploding that no face could ever stop."""

    def __init__(self, operation: str, die: str) -> None:
        super().__init__(
            f"“{operation}” on a {die} would never stop: every face calls for another roll.",
            "At least one face must end it.",
            "Try 2d6rr1 or 2d6e6.",
        )


class DividedByZero(UserError):
    """A division or a remainder by nothing."""

    def __init__(self) -> None:
        super().__init__("This roll divides by zero.", "What follows /, // or % can't be 0.")


def too_many_throws() -> TooMuch:
    """More dice than one roll may throw."""
    return TooMuch(
        f"This roll needs more than {MAX_THROWS} dice, re-rolls and explosions included.",
        f"A roll can throw at most {MAX_THROWS} dice.",
        MAX_THROWS,
        "Roll fewer dice, or re-roll fewer faces.",
    )


def too_large_number() -> TooMuch:
    """A number beyond what may be written."""
    return TooMuch(f"A number is larger than {MAX_NUMBER:,}.", "Write smaller numbers.", MAX_NUMBER)


def too_large_result() -> TooMuch:
    """A number beyond what can be shown."""
    return TooMuch(
        "The result is too large.",
        f"Results must be between −{MAX_RESULT:,} and {MAX_RESULT:,}.",
        MAX_RESULT,
        "Use smaller numbers.",
    )


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
    """Picks values out of a pool: the *number* highest, those above *number* ..."""

    pick: Pick  # what is compared
    number: int  # how many are picked for highest and lowest, else the value compared with

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
    """One thing done to a pool; ``kh1kl1`` is one keep with two selectors."""

    act: Act  # what is done
    # To which values; for minimum and maximum one `Pick.EQUAL` with the bound.
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
    """Dice of one kind, and what is done with them."""

    number: int  # how many are thrown at first
    sides: int  # faces of each; 10 for percentile dice
    percent: bool = False  # whether it is ``d%``, a die with the faces 0, 10, 20 ... 90.
    operations: tuple[Operation, ...] = ()  # what is done, in order
    labels: tuple[str, ...] = ()  # what stands in brackets behind it

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
    """Operators of equal strength, reckoned from left to right: ``1 + 2 - 3``."""

    first: "Term"  # what stands before the first operator
    steps: tuple[tuple[Operator, "Term"], ...]  # each operator with its right side


Term: TypeAlias = Literal | DiceTerm | SetTerm | Group | Signed | Chain


def written(value: Value) -> str:
    """A number that was written in an expression, as decimal digits."""
    if isinstance(value, int):
        return str(value)
    millionths = int(value * 10**MAX_DECIMALS)
    whole, rest = divmod(millionths, 10**MAX_DECIMALS)
    return f"{whole}.{rest:0{MAX_DECIMALS}d}".rstrip("0")
