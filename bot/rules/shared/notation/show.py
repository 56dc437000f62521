"""A roll in pieces, for a reply to draw."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.rules.shared.notation.dice_pools import DicePool, DieRolled, ValuePool
from bot.rules.shared.notation.limits import MAX_DECIMALS
from bot.rules.shared.notation.rolled import Rolled
from bot.rules.shared.notation.tree import (
    Chain,
    DiceTerm,
    Group,
    Literal,
    Operation,
    Operator,
    SetTerm,
    Signed,
    Term,
    Value,
    written,
)

SIGNS = {Operator.MINUS: "−", Operator.TIMES: "×", Operator.AT_LEAST: "≥", Operator.AT_MOST: "≤"}
"""Operators that are shown otherwise than they are stored; `parse` reads these too."""


@dataclass(frozen=True, slots=True)
class Text:
    """Plain words, numbers and signs.

    Attributes:
        text: What to show, spaces included.
        kept: Whether it counts towards the total.
    """

    text: str
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Label:
    """What a person wrote in brackets; not to be trusted as markup.

    Attributes:
        text: The words without their brackets.
        kept: Whether what it stands behind counts towards the total.
    """

    text: str
    kept: bool = True


@dataclass(frozen=True, slots=True)
class ShownDie:
    """One die.

    Attributes:
        sides: Its sides; 10 for percentile dice.
        rolled: Its faces in order, all but the last re-rolled, and what they count as.
        kept: Whether it counts towards the total.
    """

    sides: int
    rolled: DieRolled
    kept: bool = True


Fragment: TypeAlias = Text | Label | ShownDie


def fragments(rolled: Rolled) -> tuple[Fragment, ...]:
    """A roll as it is read, from left to right: ``4d6kh3 (`` die ``, `` die ... ``) + 2``.

    The total is not among them. Neighbouring texts that both count, or both do not, are one.
    """
    pieces: list[Fragment] = []
    for piece in _pieces(rolled.term, iter(rolled.dice), iter(rolled.sets)):
        last = pieces[-1] if pieces else None
        if isinstance(piece, Text) and isinstance(last, Text) and last.kept is piece.kept:
            pieces[-1] = Text(last.text + piece.text, last.kept)
        else:
            pieces.append(piece)
    return tuple(pieces)


def shown(value: Value) -> str:
    """A number with a true minus; what is no short decimal is a fraction."""
    sign = "−" if value < 0 else ""
    size: Value = -value if value < 0 else value
    if 10**MAX_DECIMALS % size.denominator:
        return f"{sign}{size.numerator}/{size.denominator}"
    return sign + written(size)


def _pieces(term: Term, dice: Iterator[DicePool], sets: Iterator[ValuePool]) -> Iterator[Fragment]:
    """The fragments of a term, whose dice and sets come next."""
    match term:
        case Literal():
            yield Text(written(term.value))
            yield from _behind((), term.labels)
        case DiceTerm():
            yield from _dice(next(dice))
        case SetTerm():
            yield from _set(term, dice, sets)
        case Group():
            yield Text("(")
            yield from _inside(term.inner, dice, sets)
            yield Text(")")
            yield from _behind(term.operations, term.labels)
        case Signed():
            yield Text("−" if term.minus else "+")
            yield from _pieces(term.operand, dice, sets)
        case Chain():
            yield from _pieces(term.first, dice, sets)
            for operator, operand in term.steps:
                yield Text(f" {SIGNS.get(operator, operator)} ")
                yield from _pieces(operand, dice, sets)


def _dice(pool: DicePool) -> Iterator[Fragment]:
    """Dice, each by itself, behind what was asked for."""
    term = pool.term
    yield Text(f"{term.number}{term.die}{_written(term.operations)} (")
    for place, die in enumerate(pool.dice):
        if place:
            yield Text(", ")
        yield ShownDie(term.sides, die, die.kept)
    yield Text(")")
    yield from _behind((), term.labels)


def _set(term: SetTerm, dice: Iterator[DicePool], sets: Iterator[ValuePool]) -> Iterator[Fragment]:
    """The values of a set."""
    members = [list(_pieces(member, dice, sets)) for member in term.members]
    kept = next(sets).kept
    yield Text("(")
    for place, member in enumerate(members):
        if place:
            yield Text(", ")
        yield from member if place in kept else _dropped(member)
    yield Text(",)" if len(members) == 1 else ")")
    yield from _behind(term.operations, term.labels)


def _inside(term: Term, dice: Iterator[DicePool], sets: Iterator[ValuePool]) -> Iterable[Fragment]:
    """What stands in parentheses; where it is no dice and no set, it may have been dropped whole."""
    pieces = list(_pieces(term, dice, sets))
    if isinstance(term, DiceTerm | SetTerm | Group) or next(sets).kept:
        return pieces
    return _dropped(pieces)


def _dropped(pieces: Iterable[Fragment]) -> Iterable[Fragment]:
    """The fragments of something dropped whole."""
    return (replace(piece, kept=False) for piece in pieces)


def _written(operations: tuple[Operation, ...]) -> str:
    """Operations as they are typed."""
    return "".join(map(str, operations))


def _behind(operations: tuple[Operation, ...], labels: tuple[str, ...]) -> Iterator[Fragment]:
    """What stands behind dice, a set, parentheses or a number."""
    if operations:
        yield Text(_written(operations))
    for label in labels:
        yield Text(" ")
        yield Label(label)
