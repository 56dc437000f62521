"""The exact chances of an expression, where it has finitely many results."""

from bisect import bisect_left
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from msgspec import Struct

from bot.rules.kernel.dice import Chance, Distribution
from bot.rules.shared.notation.dice_pools import reckon, total_of
from bot.rules.shared.notation.parser import (
    Chain,
    DiceTerm,
    DividedByZero,
    Group,
    Literal,
    Operation,
    Operator,
    SetTerm,
    Signed,
    Term,
    TooMuch,
)
from bot.rules.shared.notation.pool_odds import (
    LONGEST_CASES,
    Measure,
    NeverEnds,
    TooMuchWork,
    Work,
    added,
    counted,
    dice_total,
    joined,
    reduced,
    set_total,
)

MOST_WORK = 1_500_000
"""The work one question may cost, in steps: about a tenth of a second."""

QUICK_WORK = 20_000
"""The work of a question that may be answered where others wait: a few thousandths of a second."""


class Why(StrEnum):
    """Why an expression has no exact chances here."""

    ENDLESS = "the dice may go on for ever"
    DIVIDES_BY_ZERO = "the roll may divide by zero"
    TOO_LARGE = "there are too many to count"


class NoDistribution(Struct, frozen=True):
    """No exact chances, and why: the dice may go on for ever, the roll may fail, or it is too much work."""

    why: Why


class TotalOdds(Struct, frozen=True):
    """How likely each total is, exactly."""

    totals: Distribution[int]  # the cases of each total, in the smallest whole numbers

    @property
    def lowest(self) -> int:
        """The lowest total there can be."""
        return min(self.totals.ways)

    @property
    def highest(self) -> int:
        """The highest total there can be."""
        return max(self.totals.ways)

    @property
    def mean(self) -> Fraction:
        """What the totals are on average."""
        return Fraction(sum(total * ways for total, ways in self.totals.ways.items()), self.totals.of)

    @property
    def variance(self) -> Fraction:
        """How far the totals lie from their mean: the mean square of the distance."""
        squares = sum(total * total * ways for total, ways in self.totals.ways.items())
        return Fraction(squares, self.totals.of) - self.mean**2

    def exactly(self, total: int) -> Chance:
        """How likely *total* is."""
        return Chance(self.totals.ways.get(total, 0), self.totals.of)

    def at_least(self, target: int) -> Chance:
        """How likely a total of *target* or more is."""
        return self.totals.chance(lambda total: total >= target)

    def percentile(self, percent: int) -> int:
        """The lowest total that at least *percent* of 100 rolls do not exceed; 50 gives the median."""
        totals = sorted(self.totals.ways)
        reached = list(accumulate(self.totals.ways[total] * 100 for total in totals))
        return totals[bisect_left(reached, min(percent, 100) * self.totals.of)]


def distribution(term: Term, steps: int = MOST_WORK) -> TotalOdds | NoDistribution:
    """The exact chances of every total of an expression.

    Re-rolls that go on until no face matches are counted to their end; that a roll with too many of them
    is refused is left out of account.

    Args:
        term: The tree `parse` made of the expression.
        steps: The work it may cost.
    """
    try:
        measure = _measure(term, Work(steps))
    except NeverEnds:
        return NoDistribution(Why.ENDLESS)
    except DividedByZero:
        return NoDistribution(Why.DIVIDES_BY_ZERO)
    except (TooMuchWork, TooMuch):
        return NoDistribution(Why.TOO_LARGE)
    if sum(measure.values()).bit_length() > LONGEST_CASES:
        return NoDistribution(Why.TOO_LARGE)
    whole = reduced(counted((total_of(value), cases) for value, cases in measure.items()))
    return TotalOdds(Distribution.counted((int(value), cases) for value, cases in whole.items()))


def _measure(term: Term, work: Work) -> Measure:
    """In how many cases each value of a tree comes."""
    match term:
        case Literal():
            return {term.value: 1}
        case Signed():
            inner = _measure(term.operand, work)
            return {-value: cases for value, cases in inner.items()} if term.minus else inner
        case Chain():
            result = _measure(term.first, work)
            for operator, operand in term.steps:
                result = _reckoned(operator, result, _measure(operand, work), work)
            return result
        case DiceTerm() | SetTerm() | Group():
            return _pooled(term, (), work)


def _reckoned(operator: Operator, left: Measure, right: Measure, work: Work) -> Measure:
    """What one operator makes of two independent values."""
    if operator is Operator.PLUS:
        return added(left, right, work)
    if operator is Operator.MINUS:
        return added(left, {-value: cases for value, cases in right.items()}, work)
    if operator is Operator.OVER:
        work.spend(50 * len(left) * len(right))  # fractions are slow
    return reduced(joined(left, right, lambda mine, theirs: reckon(operator, mine, theirs), work))


def _pooled(term: Term, outer: tuple[Operation, ...], work: Work) -> Measure:
    """What dice, a set or a single value in parentheses add up to.

    Args:
        term: The pool.
        outer: Operations behind parentheses around it, which act on it after its own.
        work: What may still be spent.
    """
    match term:
        case DiceTerm():
            return dice_total(term, term.operations + outer, work)
        case Group():
            return _pooled(term.inner, term.operations + outer, work)
        case SetTerm():
            return _set(term, term.operations + outer, work)
        case _:
            alone = _measure(term, work)
            return set_total([alone], outer, work) if outer else alone


def _set(term: SetTerm, operations: tuple[Operation, ...], work: Work) -> Measure:
    """What the kept values of a set add up to."""
    members = [_measure(member, work) for member in term.members]
    if operations:
        return set_total(members, operations, work)
    result: Measure = {0: 1}
    for member in members:
        result = added(result, member, work)
    return result
