"""A roll in pieces, for a reply to draw."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.rules.shared.notation.limits import MAX_DECIMALS
from bot.rules.shared.notation.rolled import (
    ChainRolled,
    DiceRolled,
    DieRolled,
    GroupRolled,
    LiteralRolled,
    Part,
    Rolled,
    SetRolled,
    SignedRolled,
)
from bot.rules.shared.notation.tree import Operation, Operator, Value, written

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
    for piece in _pieces(rolled.part):
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


def _pieces(part: Part) -> Iterator[Fragment]:
    """The fragments of one part."""
    match part:
        case LiteralRolled():
            yield Text(written(part.term.value))
            yield from _behind((), part.term.labels)
        case DiceRolled():
            yield from _dice(part)
        case SetRolled():
            yield from _set(part)
        case GroupRolled():
            yield Text("(")
            yield from _dropped(part.inner, kept=part.kept)
            yield Text(")")
            yield from _behind(part.term.operations, part.term.labels)
        case SignedRolled():
            yield Text("−" if part.term.minus else "+")
            yield from _pieces(part.operand)
        case ChainRolled():
            yield from _pieces(part.first)
            for step in part.steps:
                yield Text(f" {SIGNS.get(step.operator, step.operator)} ")
                yield from _pieces(step.operand)


def _dice(part: DiceRolled) -> Iterator[Fragment]:
    """Dice, each by itself, behind what was asked for."""
    term = part.term
    yield Text(f"{term.count}{term.die}{_written(term.operations)} (")
    for place, die in enumerate(part.dice):
        if place:
            yield Text(", ")
        yield ShownDie(term.sides, die, die.kept)
    yield Text(")")
    yield from _behind((), term.labels)


def _set(part: SetRolled) -> Iterator[Fragment]:
    """The values of a set."""
    yield Text("(")
    for place, member in enumerate(part.members):
        if place:
            yield Text(", ")
        yield from _dropped(member.part, kept=member.kept)
    yield Text(",)" if len(part.members) == 1 else ")")
    yield from _behind(part.term.operations, part.term.labels)


def _dropped(part: Part, *, kept: bool) -> Iterator[Fragment]:
    """The fragments of a part that may have been dropped whole."""
    for piece in _pieces(part):
        yield piece if kept else replace(piece, kept=False)


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
