"""Reading an expression into a tree, and the tree's text again."""

import re
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
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


# Each alternative begins with a character no other one begins with, and none can match in two ways:
# reading is linear in the length of the text.
_TOKEN = re.compile(
    r"\s*+("
    r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
    r"|[dkpehl]|r[roa]|m[ia]"
    r"|[-+*%(),−–×÷≤≥≠]|//?|[=<>]=?|!="
    r"|\[[^\[\]]*\]"
    r")",
    re.IGNORECASE,
)

_ALPHABET = "You can use dice (2d6), numbers, + − * / // %, comparisons, parentheses and [labels]."


def tokens(text: str) -> list[str]:
    """Cut *text* up: into numbers, words, signs, and labels with their brackets.

    Returns:
        The tokens as a stack: the first one lies on top, as the last of the list, and an empty one for the
        end at the bottom.

    Raises:
        TooMuch: If the text is too long.
        Unreadable: At the first character that belongs to no token.
    """
    if len(text) > MAX_CHARACTERS:
        raise TooMuch(
            f"The expression has {len(text)} characters.",
            f"Use at most {MAX_CHARACTERS}.",
            MAX_CHARACTERS,
            "Roll it in parts.",
        )
    pieces = _TOKEN.split(text)  # what lies before, between and behind the tokens, and these
    if "".join(pieces[::2]).strip():
        raise _unknown(text)
    return ["", *pieces[-2::-2]]


def position(text: str, left: int) -> int:
    """Where the last *left* tokens of a text begin, its end counted as one: the character, from 1 on."""
    starts = [match.start(1) for match in _TOKEN.finditer(text)]
    return [*starts, len(text.rstrip())][-left] + 1


def _unknown(text: str) -> Unreadable:
    """The refusal of the first thing that is no token."""
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
    while text[at].isspace():
        at += 1
    while at and text[at].isalpha() and text[at - 1].isalpha():
        at -= 1
    if text[at] == "[":
        return Unreadable(
            text, at + 1, "A label must end with ] and can't contain brackets.", "Try 2d6 [fire]."
        )
    if text[at].isalpha():
        return Unreadable(text, at + 1, _ALPHABET, "Put words into brackets: 2d6 [fire].")
    return Unreadable(text, at + 1, _ALPHABET)


_STRENGTHS = {
    **dict.fromkeys(("==", "!=", "≠", ">=", "≥", "<=", "≤", ">", "<"), 0),
    **dict.fromkeys(("+", "-", "−", "–"), 1),
    **dict.fromkeys(("*", "×", "//", "/", "÷", "%"), 2),
}
_TYPOGRAPHIC = {"−": "-", "–": "-", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}
_OPERATORS = {sign: Operator(_TYPOGRAPHIC.get(sign, sign)) for sign in _STRENGTHS}
_IS_MINUS = {"+": False, "-": True, "−": True, "–": True}
_ACTS = {str(act): act for act in Act}
_BOUNDS = (Act.MINIMUM, Act.MAXIMUM)
_SET_ACTS = (Act.KEEP, Act.DROP)
_RANKS = {"h": Pick.HIGHEST, "l": Pick.LOWEST}
_COMPARISONS = {">": Pick.ABOVE, "<": Pick.BELOW, "=": Pick.EQUAL}
_NUMERALS = frozenset(".0123456789")  # what a number begins with
_DICE = ("d", "D")

_A_VALUE = "Dice (2d6), a number, a sign or an opening parenthesis can go there."
_A_CONTINUATION = "An operator, a [label] or the end can go there."
_A_SELECTOR = "h, l, >, < or a number can go there."


@lru_cache(maxsize=256)
def parse(text: str) -> Term:
    """Read an expression in the dice notation.

    Args:
        text: The expression; upper and lower case are the same, and spaces may stand between any two
            words, numbers and signs.

    Raises:
        Unreadable: If it is not in the notation; says at which character.
        TooMuch: If it asks for more than one roll may have.
        NoSides: If a die has 0 sides.
    """
    return _Reader(text).whole()


class _Reader:
    """Reads one expression from its first token to its last."""

    __slots__ = ("_depth", "_dice", "_left", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = tokens(text)
        self._depth = 0
        self._dice = 0

    def whole(self) -> Term:
        """The tree of the whole text."""
        term = self._chain(0)
        if self._left[-1]:
            raise self._stuck(_A_CONTINUATION)
        return term

    def _chain(self, weakest: int) -> Term:
        """Everything joined by operators of strength *weakest* or more."""
        left = self._left
        term = self._value()
        following = _STRENGTHS.get(left[-1], -1)
        while following >= weakest:
            strength, steps = following, []
            while following == strength:
                steps.append((_OPERATORS[left.pop()], self._chain(strength + 1)))
                following = _STRENGTHS.get(left[-1], -1)
            term = Chain(term, tuple(steps))
        return term

    def _value(self) -> Term:
        """Dice, a set, parentheses or a number, perhaps behind signs."""
        left = self._left
        ahead = left[-1]
        if ahead[:1] in _NUMERALS:
            if left[-2] not in _DICE:
                return Literal(self._number(), self._labels())
            number = self._whole_number()
            left.pop()
            return self._dice_term(number)
        if ahead in _DICE:
            left.pop()
            return self._dice_term(1)
        if ahead in _IS_MINUS:
            left.pop()
            self._deeper()
            signed = Signed(_IS_MINUS[ahead], self._value())
            self._depth -= 1
            return signed
        if ahead == "(":
            left.pop()
            return self._parenthesised()
        raise self._stuck(_A_VALUE, "Try 4d6kh3+2.")

    def _parenthesised(self) -> Term:
        """What follows an opening parenthesis, up to what stands behind the closing one."""
        self._deeper()
        left = self._left
        members: list[Term] = []
        is_set = left[-1] == ")"
        while left[-1] != ")":
            members.append(self._chain(0))
            if left[-1] != ",":
                break
            is_set = True
            left.pop()
        if left[-1] != ")":
            raise self._stuck("An operator, a comma or a closing parenthesis can go there.")
        left.pop()
        self._depth -= 1
        operations = self._operations(on_dice=False)
        labels = self._labels()
        if is_set:
            return SetTerm(tuple(members), operations, labels)
        return Group(members[0], operations, labels)

    def _dice_term(self, count: int) -> DiceTerm:
        """Dice, from behind their ``d`` on."""
        if percent := self._left[-1] == "%":
            self._left.pop()
            sides = 10
        elif self._left[-1][:1] in _NUMERALS:
            sides = self._whole_number()
        else:
            raise self._stuck("The number of sides, or %, must follow the d.", "Try 2d6.")
        self._check_dice(count, sides)
        return DiceTerm(count, sides, percent, self._operations(on_dice=True), self._labels())

    def _operations(self, *, on_dice: bool) -> tuple[Operation, ...]:
        """Everything done to the dice or set before it."""
        left = self._left
        found: tuple[Operation, ...] = ()
        while act := _ACTS.get(left[-1].lower()):
            if not on_dice and act not in _SET_ACTS:
                raise self._stuck("Only k (keep) and p (drop) work on what is in parentheses.")
            left.pop()
            selector = self._selector(act)
            if found and found[-1].act is act and act not in _BOUNDS:
                found = (*found[:-1], Operation(act, (*found[-1].selectors, selector)))
            else:
                found += (Operation(act, (selector,)),)
        return found

    def _selector(self, act: Act) -> Selector:
        """Which values an operation acts on."""
        left = self._left
        ahead = left[-1]
        if ahead[:1] in _NUMERALS:
            return Selector(Pick.EQUAL, self._whole_number())
        if act in _BOUNDS:
            raise self._stuck(f"A number must follow {act}.", f"Try 4d6{act}2.")
        pick = _RANKS.get(ahead.lower()) or _COMPARISONS.get(ahead)
        if pick is not None:
            left.pop()
            if left[-1][:1] in _NUMERALS:
                return Selector(pick, self._whole_number())
            if pick in _RANKS.values():
                return Selector(pick, 1)
        allowed = "A number can go there." if pick else _A_SELECTOR
        raise self._stuck(allowed, "Try 4d6kh3 or 2d6rr1.")

    def _labels(self) -> tuple[str, ...]:
        """The labels in brackets that follow."""
        left = self._left
        labels: tuple[str, ...] = ()
        while left[-1][:1] == "[":
            if words := left.pop()[1:-1].split():
                labels += (" ".join(words),)
        return labels

    def _number(self) -> Value:
        """The value of the written number that follows."""
        if "." in self._left[-1]:
            return self._decimal_number()
        number = int(self._left.pop())
        if number > MAX_NUMBER:
            raise too_large_number()
        return number

    def _decimal_number(self) -> Value:
        """The value of the written number that follows, which has a decimal point."""
        whole, _, decimals = self._left[-1].partition(".")
        decimals = decimals.rstrip("0")
        if len(decimals) > MAX_DECIMALS:
            raise TooMuch(
                f"The number at character {self._position()} has too many decimals.",
                f"Use at most {MAX_DECIMALS}.",
                MAX_DECIMALS,
            )
        number = int(whole or "0")
        if number > MAX_NUMBER:
            raise too_large_number()
        self._left.pop()
        return number + Fraction(int(decimals), 10 ** len(decimals)) if decimals else number

    def _whole_number(self) -> int:
        """The value of the written number that follows, which must have no decimal point."""
        if "." in self._left[-1]:
            raise Unreadable(self._text, self._position(), "It must be a whole number.")
        number = int(self._left.pop())
        if number > MAX_NUMBER:
            raise too_large_number()
        return number

    def _check_dice(self, count: int, sides: int) -> None:
        """Refuse impossible dice and too many of them."""
        if sides == 0:
            raise NoSides
        if sides > MAX_SIDES:
            raise TooMuch(
                f"A die with {sides} sides can't be rolled.",
                f"A die has 1 to {MAX_SIDES} sides.",
                MAX_SIDES,
                f"Try 1d{MAX_SIDES}.",
            )
        self._dice += count
        if self._dice > MAX_DICE:
            raise TooMuch(
                f"The expression has {self._dice} dice.",
                f"A roll can have at most {MAX_DICE}.",
                MAX_DICE,
                f"Try {MAX_DICE}d{sides}.",
            )

    def _deeper(self) -> None:
        """One more parenthesis or sign inside the others."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooMuch(
                f"More than {MAX_DEPTH} parentheses and signs are nested.",
                f"Use at most {MAX_DEPTH}.",
                MAX_DEPTH,
                "Leave out the ones you don't need.",
            )

    def _stuck(self, allowed: str, try_this: str = "") -> Unreadable:
        """The refusal to read on from the next token."""
        return Unreadable(self._text, self._position(), allowed, try_this)

    def _position(self) -> int:
        """Where the next token is, counted from 1."""
        return position(self._text, len(self._left))
