"""Expressions of an own game: `sum + stat - (1 if harm >= 3 else 0)`, read by a whitelist and nothing else.

Truth is 1 and 0. Division is exact. An expression is bound to the names whose values are known; what is left
over is a function of a row of readings, so that thousands of outcomes are gone through quickly.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

MOST_CHARACTERS = 200
MOST_PARTS = 80
MOST_DEPTH = 20
MOST_NUMBER = 1_000_000
MOST_RESULT = 1_000_000_000
MOST_DICE, MOST_SIDES = 20, 1000

Amount: TypeAlias = int | Fraction
Row: TypeAlias = Sequence[Amount]
RowFunction: TypeAlias = Callable[[Row], Amount]
T = TypeVar("T")


class BadExpression(ValueError):
    """A text that is no expression; the message is a sentence."""


class NoAmount(ValueError):
    """An expression that has no value; the message is the end of a sentence ("divides by zero")."""


class Number(Struct, frozen=True):
    """A written number."""

    value: int


class Name(Struct, frozen=True):
    """A name, of somebody else's sheet with its owner and a dot: ``at.soak``."""

    name: str


class DiceSum(Struct, frozen=True):
    """Dice in an effect: ``2d6``."""

    number: int
    sides: int


class Applied(Struct, frozen=True):
    """An operator or a function with what it is applied to; ``if`` has the condition first."""

    sign: str
    parts: tuple["Expression", ...]


Expression: TypeAlias = Number | Name | DiceSum | Applied
ZERO = Number(0)

_TOKEN = re.compile(
    r"\s*+([0-9]*d(?:[0-9]+|%)(?![a-z0-9_])|[0-9]+|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?"
    r"|[-+*/%(),−–×÷≤≥≠]|[<>=]=?|!=)"
)
_TYPOGRAPHIC = {"−": "-", "–": "-", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "==": "="}
COMPARISONS: Mapping[str, Callable[[Amount, Amount], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS = frozenset({"if", "else", "and", "or", "not"})
FUNCTIONS = {"min": (2, 20), "max": (2, 20), "floor": (1, 1), "ceil": (1, 1), "abs": (1, 1)}
RESERVED = _WORDS | set(FUNCTIONS)
_DICE = re.compile(r"([0-9]*)d([0-9]+|%)")
_SHOWN = 24


def excerpt(text: str) -> str:
    """The beginning of a text that somebody wrote, on one line and without invisible characters."""
    shown = "".join(sign if sign.isprintable() else "�" for sign in text[: _SHOWN + 1])
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"


@lru_cache(maxsize=2048)
def expression(text: str, *, with_dice: bool = False) -> Expression:
    """Read an expression.

    Args:
        text: What somebody wrote.
        with_dice: Whether dice (``2d6``) may stand in it.

    Raises:
        BadExpression: If it is none, or there is too much in it.
    """
    return _ExpressionReader(text, with_dice=with_dice).whole()


class _ExpressionReader:
    """Reads one expression from its first token to its last; weak operators are read first."""

    def __init__(self, text: str, *, with_dice: bool) -> None:
        if len(text) > MOST_CHARACTERS:
            raise BadExpression(f"this has {len(text)} characters; {MOST_CHARACTERS} is the most.")
        self._tokens: list[str] = []
        self._depth = 0
        self._with_dice = with_dice
        at = 0
        while text[at:].strip():
            found = _TOKEN.match(text, at)
            if found is None:
                raise BadExpression(f"I can't read “{excerpt(text[at:].strip())}” in an expression.")
            self._tokens.append(_TYPOGRAPHIC.get(found[1], found[1]))
            at = found.end()
        if len(self._tokens) > MOST_PARTS:
            raise BadExpression(f"this has {len(self._tokens)} parts; {MOST_PARTS} is the most.")
        self._tokens.append("")
        self._at = 0

    def whole(self) -> Expression:
        """The whole text as one expression."""
        found = self._choice()
        if self._next:
            raise BadExpression(f"I can't read on from “{self._next}”. Is an operator missing before it?")
        return found

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _takes(self, *tokens: str) -> str:
        found = self._next if self._next in tokens else ""
        self._at += bool(found)
        return found

    def _needs(self, token: str) -> None:
        if not self._takes(token):
            rest = f"before “{self._next}”" if self._next else "at the end"
            raise BadExpression(f"“{token}” is missing {rest}.")

    def _choice(self) -> Expression:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise BadExpression(f"more than {MOST_DEPTH} parentheses and signs stand within each other.")
        found = self._either()
        if self._takes("if"):
            condition = self._either()
            self._needs("else")
            found = Applied("if", (condition, found, self._choice()))
        self._depth -= 1
        return found

    def _either(self) -> Expression:
        found = self._both()
        while self._takes("or"):
            found = Applied("or", (found, self._both()))
        return found

    def _both(self) -> Expression:
        found = self._negation()
        while self._takes("and"):
            found = Applied("and", (found, self._negation()))
        return found

    def _negation(self) -> Expression:
        signs = 0
        while self._takes("not"):
            signs += 1
        found = self._comparison()
        for _ in range(signs):
            found = Applied("not", (found,))
        return found

    def _comparison(self) -> Expression:
        found = self._sum()
        if sign := self._takes(*COMPARISONS):
            found = Applied(sign, (found, self._sum()))
            if self._next in COMPARISONS:
                raise BadExpression("compare two things at a time: “n >= 1 and n <= 3”.")
        return found

    def _sum(self) -> Expression:
        found = self._product()
        while sign := self._takes("+", "-"):
            found = Applied(sign, (found, self._product()))
        return found

    def _product(self) -> Expression:
        found = self._signed()
        while sign := self._takes("*", "/", "%"):
            found = Applied(sign, (found, self._signed()))
        return found

    def _signed(self) -> Expression:
        minus = False
        while sign := self._takes("+", "-"):
            minus ^= sign == "-"
        found = self._atom()
        if not minus:
            return found
        return Number(-found.value) if isinstance(found, Number) else Applied("negate", (found,))

    def _atom(self) -> Expression:
        sign = self._next
        if not sign:
            raise BadExpression("this ends too early." if self._at else "there is nothing in this.")
        self._at += 1
        if sign == "(":
            found = self._choice()
            self._needs(")")
            return found
        if dice := _DICE.fullmatch(sign):
            return self._dice(dice)
        if sign.isdecimal():
            return _number(sign)
        if sign in FUNCTIONS:
            return self._call(sign)
        if sign in _WORDS or not sign[0].isalpha():
            raise BadExpression(f"a number or a name should stand where “{sign}” is.")
        return Name(sign)

    def _dice(self, found: re.Match[str]) -> Expression:
        if not self._with_dice:
            raise BadExpression(f"“{found[0]}” can't stand here: name the dice under “dice” and read them.")
        number = _number(found[1] or "1").value
        sides = 100 if found[2] == "%" else _number(found[2]).value
        if not (1 <= number <= MOST_DICE and 1 <= sides <= MOST_SIDES):
            raise BadExpression(f"1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides are allowed.")
        return DiceSum(number, sides)

    def _call(self, name: str) -> Expression:
        self._needs("(")
        parts = [self._choice()]
        while self._takes(","):
            parts.append(self._choice())
        self._needs(")")
        least, most = FUNCTIONS[name]
        if not least <= len(parts) <= most:
            amount = "one thing" if most == 1 else "two things or more"
            raise BadExpression(f"“{name}” takes {amount} in its parentheses.")
        return Applied(name, tuple(parts))


def _number(token: str) -> Number:
    if len(token) > len(str(MOST_NUMBER)) or int(token) > MOST_NUMBER:
        raise BadExpression(f"“{excerpt(token)}” is larger than {MOST_NUMBER:,}.")
    return Number(int(token))


def names_in(found: Expression) -> Iterator[str]:
    """Every name that an expression mentions, once for each time."""
    if isinstance(found, Name):
        yield found.name
    elif isinstance(found, Applied):
        for part in found.parts:
            yield from names_in(part)


def size_of(found: Expression) -> int:
    """How many parts an expression has."""
    return 1 + sum(map(size_of, found.parts)) if isinstance(found, Applied) else 1


def lifted(found: Expression, open_names: frozenset[str], parts: dict[Expression, str]) -> Expression:
    """Replace all that does not depend on some names by parameters ``#0``, ``#1`` ….

    Args:
        open_names: Those names: what the dice decide.
        parts: The parameters so far, each with its name; new ones are added.
    """
    if isinstance(found, Number) or (isinstance(found, Name) and found.name in open_names):
        return found
    if not isinstance(found, Applied) or open_names.isdisjoint(names_in(found)):
        return Name(parts.setdefault(found, f"#{len(parts)}"))
    if found.sign not in ("+", "-"):
        return replace(found, parts=tuple(lifted(part, open_names, parts) for part in found.parts))
    apart: dict[bool, list[tuple[str, Expression]]] = {True: [], False: []}
    for sign, part in summands(found):
        apart[open_names.isdisjoint(names_in(part))].append((sign, part))
    whole = _summed([(sign, lifted(part, open_names, parts)) for sign, part in apart[False]])
    if not apart[True]:
        return whole
    return Applied("+", (whole, lifted(_summed(apart[True]), open_names, parts)))


def summands(found: Expression, sign: str = "+") -> Iterator[tuple[str, Expression]]:
    """What is added up in an expression, each with its sign."""
    if isinstance(found, Applied) and found.sign in ("+", "-"):
        left, right = found.parts
        yield from summands(left, sign)
        yield from summands(right, sign if found.sign == "+" else "-" if sign == "+" else "+")
    else:
        yield sign, found


def _summed(parts: Sequence[tuple[str, Expression]]) -> Expression:
    (sign, whole), *others = parts
    whole = whole if sign == "+" else Applied("negate", (whole,))
    for sign, part in others:
        whole = Applied(sign, (whole, part))
    return whole


def _times(left: Amount, right: Amount) -> Amount:
    return within(left * right)


def _over(left: Amount, right: Amount) -> Amount:
    if not right:
        raise NoAmount("divides by zero")
    found = Fraction(left) / right
    return within(found.numerator if found.denominator == 1 else found)


def _rest(left: Amount, right: Amount) -> Amount:
    if not right:
        raise NoAmount("divides by zero")
    return left % right


def within(amount: Amount) -> Amount:
    """The amount itself.

    Raises:
        NoAmount: If it is beyond what an own game reckons with.
    """
    if not -MOST_RESULT <= amount <= MOST_RESULT or amount.denominator > MOST_RESULT:
        raise NoAmount(f"becomes larger than {MOST_RESULT:,}")
    return amount


_PLAIN: Mapping[str, Callable[[Amount, Amount], Amount]] = {
    **COMPARISONS,
    "+": operator.add,
    "-": operator.sub,
    "*": _times,
    "/": _over,
    "%": _rest,
    "min": min,
    "max": max,
}
_SINGLE: Mapping[str, Callable[[Amount], Amount]] = {
    "negate": lambda amount: -amount,
    "not": operator.not_,
    "floor": floor,
    "ceil": ceil,
    "abs": lambda amount: max(amount, -amount),
}

Known: TypeAlias = Mapping[str, "Amount | NoAmount"]
"""The values of names, or why one has none."""


def bound(
    found: Expression,
    known: Known,
    places: Mapping[str, int],
    roll: Callable[[DiceSum], Amount] | None = None,
) -> Amount | RowFunction:
    """The value of an expression, or where it depends on a row, the function that reckons it.

    Args:
        found: The expression; every name in it is known or has a place.
        known: The values of names.
        places: Where in the row the values of the others are.
        roll: What dice in it come to.
    """
    if isinstance(found, Number):
        return found.value
    if isinstance(found, Name):
        if found.name in places:
            return operator.itemgetter(places[found.name])
        amount = known[found.name]
        return _failing(amount) if isinstance(amount, NoAmount) else amount
    if isinstance(found, DiceSum):
        return roll(found) if roll is not None else _failing(NoAmount("rolls dice"))
    if (join := _PLAIN.get(found.sign)) is not None:
        first, *others = found.parts
        joined = bound(first, known, places, roll)
        for part in others:
            joined = _joined(join, joined, bound(part, known, places, roll))
        return joined
    if found.sign == "if":
        return _chosen(found, known, places, roll)
    parts = [bound(part, known, places, roll) for part in found.parts]
    if found.sign in _SINGLE:
        return _single(_SINGLE[found.sign], parts[0])
    return _both_or_either(parts[0], parts[1], is_both=found.sign == "and")


def _failing(error: NoAmount) -> RowFunction:
    def fail(_row: Row) -> Amount:
        raise error

    return fail


def _single(change: Callable[[Amount], Amount], part: Amount | RowFunction) -> Amount | RowFunction:
    if callable(part):
        return lambda row: change(part(row))
    return change(part)


def _joined(
    join: Callable[[Amount, Amount], Amount], left: Amount | RowFunction, right: Amount | RowFunction
) -> Amount | RowFunction:
    if callable(left):
        if callable(right):
            return lambda row: join(left(row), right(row))
        return lambda row: join(left(row), right)
    if callable(right):
        return lambda row: join(left, right(row))
    try:
        return join(left, right)
    except NoAmount as error:  # it may stand where it is never looked at
        return _failing(error)


def _both_or_either(
    left: Amount | RowFunction, right: Amount | RowFunction, *, is_both: bool
) -> Amount | RowFunction:
    if not callable(left):
        if bool(left) is not is_both:
            return int(not is_both)
        return (lambda row: bool(right(row))) if callable(right) else int(bool(right))
    if callable(right):
        if is_both:
            return lambda row: bool(left(row)) and bool(right(row))
        return lambda row: bool(left(row)) or bool(right(row))
    is_true = bool(right)
    if is_both:
        return lambda row: bool(left(row)) and is_true
    return lambda row: bool(left(row)) or is_true


def _chosen(
    found: Applied,
    known: Known,
    places: Mapping[str, int],
    roll: Callable[[DiceSum], Amount] | None,
) -> Amount | RowFunction:
    condition = bound(found.parts[0], known, places, roll)
    if not callable(condition):
        return bound(found.parts[1 if condition else 2], known, places, roll)
    then, otherwise = (bound(part, known, places, roll) for part in found.parts[1:])
    yes: RowFunction = then if callable(then) else lambda _row: then
    no: RowFunction = otherwise if callable(otherwise) else lambda _row: otherwise
    return lambda row: yes(row) if condition(row) else no(row)


def amount_of(found: Expression, known: Known, roll: Callable[[DiceSum], Amount] | None = None) -> Amount:
    """The value of an expression whose names are all known.

    Raises:
        NoAmount: If it has none.
    """
    if isinstance(found, Number):
        return found.value
    value = bound(found, known, {}, roll)
    return within(+value(()) if callable(value) else +value)


def in_order(needs: Mapping[T, set[T]]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Things in an order in which each comes after what it needs, and those in a circle or behind one."""
    left, order = dict(needs), list[T]()
    while ready := [one for one, needed in left.items() if needed.isdisjoint(left)]:
        order += ready
        for one in ready:
            del left[one]
    return tuple(order), tuple(left)
