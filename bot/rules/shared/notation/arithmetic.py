"""Reckoning with exact numbers."""

import operator as plain
from collections.abc import Callable, Iterable
from fractions import Fraction

from bot.rules.shared.notation.limits import MAX_RESULT
from bot.rules.shared.notation.notation_errors import DividedByZero, too_large_result
from bot.rules.shared.notation.tree import Operator, Value


def _over(left: Value, right: Value) -> Value:
    """A division, whole where it comes out even."""
    return simplest(Fraction(left) / right)


_RECKON: dict[Operator, Callable[[Value, Value], Value]] = {
    Operator.PLUS: plain.add,
    Operator.MINUS: plain.sub,
    Operator.TIMES: plain.mul,
    Operator.OVER: _over,
    Operator.WHOLE_OVER: plain.floordiv,
    Operator.REMAINDER: plain.mod,
    Operator.EQUAL: lambda left, right: int(left == right),
    Operator.NOT_EQUAL: lambda left, right: int(left != right),
    Operator.AT_LEAST: lambda left, right: int(left >= right),
    Operator.AT_MOST: lambda left, right: int(left <= right),
    Operator.ABOVE: lambda left, right: int(left > right),
    Operator.BELOW: lambda left, right: int(left < right),
}


def simplest(value: Value) -> Value:
    """*value* as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def reckon(operator: Operator, left: Value, right: Value) -> Value:
    """What an operator makes of two numbers; comparisons make 1 or 0.

    Raises:
        DividedByZero: If it divides by 0.
        TooMuch: If the result is too large to be shown.
    """
    try:
        result = _RECKON[operator](left, right)
    except ZeroDivisionError:
        raise DividedByZero from None
    return _bounded(result)


def sum_of(values: Iterable[Value]) -> Value:
    """The sum of numbers.

    Raises:
        TooMuch: If it is too large to be shown.
    """
    return _bounded(sum(values))


def _bounded(result: Value) -> Value:
    """*result* in its simplest form, if it can be shown."""
    if not -MAX_RESULT <= result <= MAX_RESULT:
        raise too_large_result()
    return result if isinstance(result, int) else simplest(result)


def total_of(value: Value) -> int:
    """The whole number a result counts as: the part behind the point is cut off."""
    return int(value)
