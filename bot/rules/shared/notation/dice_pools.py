"""Dice and values on the table, and what operations do to them."""

import operator as plain
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from typing import NamedTuple

from msgspec import Struct

from bot.rules.kernel.dice import Dice
from bot.rules.shared.notation.parser import (
    MAX_RESULT,
    MAX_THROWS,
    Act,
    DiceTerm,
    DividedByZero,
    Endless,
    Operation,
    Operator,
    Pick,
    Selector,
    Value,
    too_large_result,
    too_many_throws,
)


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


_GREEDIEST: dict[Pick, Callable[[list[int]], int]] = {
    Pick.HIGHEST: max,
    Pick.LOWEST: max,
    Pick.ABOVE: min,
    Pick.BELOW: max,
}


def picked(selector: Selector, values: Sequence[Value], kept: Sequence[int]) -> list[int]:
    """The places in *values* one selector picks.

    Of equal values the earlier one is picked first, as highest and as lowest.

    Args:
        selector: What is picked.
        values: Every value of the pool, dropped ones too.
        kept: The places of those still kept, in order; only they can be picked.
    """
    if selector.pick is Pick.HIGHEST:
        return sorted(kept, key=values.__getitem__, reverse=True)[: selector.number]
    if selector.pick is Pick.LOWEST:
        return sorted(kept, key=values.__getitem__)[: selector.number]
    return [place for place in kept if selector.matches(values[place])]


def all_picked(operation: Operation, values: Sequence[Value], kept: Sequence[int]) -> list[int]:
    """The places any selector of *operation* picks, in the order of the pool."""
    if len(operation.selectors) == 1:
        return sorted(picked(operation.selectors[0], values, kept))
    places = {place for selector in _greediest(operation) for place in picked(selector, values, kept)}
    exactly = {selector.number for selector in operation.selectors if selector.pick is Pick.EQUAL}
    places.update(place for place in kept if values[place] in exactly)
    return sorted(places)


def _greediest(operation: Operation) -> Iterator[Selector]:
    """The selectors that pick all that others of their kind do; those of one value are left out."""
    for pick, greediest in _GREEDIEST.items():
        numbers = [selector.number for selector in operation.selectors if selector.pick is pick]
        if numbers:
            yield Selector(pick, greediest(numbers))


def first_picked(operation: Operation, values: Sequence[Value], kept: Sequence[int]) -> int | None:
    """The one place the first selector that picks anything picks first."""
    for selector in operation.selectors:
        if places := picked(selector, values, kept):
            return places[0]
    return None


class Face(NamedTuple):
    """One face that came up."""

    shown: int  # the number on the die
    counts_as: int  # the number it counts as, other than *shown* where a minimum or maximum changed it
    exploded: bool = False  # whether it called for another die


class DieRolled(NamedTuple):
    """One die on the table."""

    faces: tuple[Face, ...]  # what came up, in order; all but the last were re-rolled
    kept: bool  # whether it counts

    @property
    def value(self) -> int:
        """What the die counts as, were it kept."""
        return self.faces[-1].counts_as


class DiceTable:
    """Where the dice of one expression are thrown, and counted.

    Attributes:
        faces: The sides and the faces of dice thrown together, in order.
        dice: The dice of each term, from left to right.
        sets: The values of each set and of other parentheses, each behind those inside it.
    """

    __slots__ = ("_source", "_throws_left", "dice", "faces", "sets")

    def __init__(self, dice: Dice) -> None:
        self._source = dice
        self._throws_left = MAX_THROWS
        self.faces: list[tuple[int, list[int]]] = []
        self.dice: list[DicePool] = []
        self.sets: list[ValuePool] = []

    def throw(self, term: DiceTerm, number: int) -> list[int]:
        """Throw so many dice of *term* and read their faces.

        Raises:
            TooMuch: If they are more than one expression may throw.
        """
        self._throws_left -= number
        if self._throws_left < 0:
            raise too_many_throws()
        faces = list(map(self._source.roll, repeat(term.sides, number)))
        self.faces.append((term.sides, faces))
        return [(face - 1) * 10 for face in faces] if term.percent else faces[:]


class DicePool(Struct):
    """Dice of one term; those that explosions add lie behind the others."""

    term: DiceTerm  # what was asked for
    values: list[int]  # what each die counts as, were it kept
    kept: Sequence[int]  # the places in *values* of the dice that count
    faces: dict[int, list[Face]]  # all faces of a die with more to tell than its value, by its place

    @property
    def total(self) -> int:
        """What the dice still kept add up to."""
        return sum(map(self.values.__getitem__, self.kept))

    @property
    def dice(self) -> tuple[DieRolled, ...]:
        """The dice one by one."""
        kept = set(self.kept)
        return tuple(
            DieRolled(tuple(self.faces.get(place, (Face(value, value),))), place in kept)
            for place, value in enumerate(self.values)
        )

    def operate(self, operation: Operation, table: DiceTable) -> None:
        """Do one operation to the dice still kept; more of them are thrown on *table*.

        Raises:
            Endless: If no face could ever stop it.
            TooMuch: If it needs too many throws.
        """
        match operation.act:
            case Act.KEEP:
                self.kept = all_picked(operation, self.values, self.kept)
            case Act.DROP:
                dropped = set(all_picked(operation, self.values, self.kept))
                self.kept = [place for place in self.kept if place not in dropped]
            case Act.REROLL:
                self._reroll_until_none(operation, table)
            case Act.REROLL_ONCE:
                self._reroll(all_picked(operation, self.values, self.kept), table)
            case Act.REROLL_AND_ADD:
                place = first_picked(operation, self.values, self.kept)
                if place is not None:
                    self._explode([place], table)
            case Act.EXPLODE:
                self._explode_until_none(operation, table)
            case Act.MINIMUM:
                bound = operation.selectors[0].number
                self._recount([place for place in self.kept if self.values[place] < bound], bound)
            case Act.MAXIMUM:
                bound = operation.selectors[0].number
                self._recount([place for place in self.kept if self.values[place] > bound], bound)

    def _faces_at(self, place: int) -> list[Face]:
        """The faces of the die at *place*, to be added to or changed."""
        value = self.values[place]
        return self.faces.setdefault(place, [Face(value, value)])

    def _reroll(self, places: list[int], table: DiceTable) -> None:
        """Throw the dice at *places* again."""
        for place, face in zip(places, table.throw(self.term, len(places)), strict=True):
            self._faces_at(place).append(Face(face, face))
            self.values[place] = face

    def _reroll_until_none(self, operation: Operation, table: DiceTable) -> None:
        """Throw again what is picked until nothing is."""
        places = all_picked(operation, self.values, self.kept)
        if places and (operation.by_rank or all(map(operation.matches, self.term.faces))):
            raise Endless(str(operation), self.term.die)
        while places:
            self._reroll(places, table)
            places = all_picked(operation, self.values, places)

    def _explode(self, places: list[int], table: DiceTable) -> None:
        """Throw one more die for each one at *places*."""
        for place in places:
            faces = self._faces_at(place)
            faces[-1] = faces[-1]._replace(exploded=True)
        before = len(self.values)
        self.values += table.throw(self.term, len(places))
        self.kept = [*self.kept, *range(before, len(self.values))]

    def _explode_until_none(self, operation: Operation, table: DiceTable) -> None:
        """Throw one more die for each one picked, and for each of those in turn."""
        places = all_picked(operation, self.values, self.kept)
        if places and not operation.by_rank and all(map(operation.matches, self.term.faces)):
            raise Endless(str(operation), self.term.die)
        exploded: set[int] = set()
        while places:
            self._explode(places, table)
            exploded.update(places)
            places = [
                place for place in all_picked(operation, self.values, self.kept) if place not in exploded
            ]

    def _recount(self, places: list[int], bound: int) -> None:
        """Let the dice at *places* count as *bound*, whatever they show."""
        for place in places:
            faces = self._faces_at(place)
            faces[-1] = faces[-1]._replace(counts_as=bound)
            self.values[place] = bound


class ValuePool(Struct):
    """The values of a set, or the one value in parentheses."""

    values: list[Value]  # all of them
    kept: Sequence[int]  # the places in *values* of those that count

    @property
    def total(self) -> Value:
        """What the values still kept add up to.

        Raises:
            TooMuch: If it is too large to be shown.
        """
        return sum_of(self.values[place] for place in self.kept)

    def operate(self, operation: Operation, _table: DiceTable) -> None:
        """Keep or drop some of the values still kept."""
        places = all_picked(operation, self.values, self.kept)
        if operation.act is Act.DROP:
            places = [place for place in self.kept if place not in places]
        self.kept = places
