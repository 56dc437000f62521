"""Rolling an expression, and the roll as a reply and the journal need it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Chance, Dice, Fall
from bot.rules.shared.notation.dice_pools import DicePool, DiceTable, DieRolled, ValuePool, reckon, total_of
from bot.rules.shared.notation.distribution import NoDistribution, TotalOdds, distribution
from bot.rules.shared.notation.parser import (
    MAX_DECIMALS,
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
    parse,
    written,
)


class Rolled(NamedTuple):
    """A rolled expression."""

    term: Term
    value: Value  # the exact result
    dice: Sequence[DicePool]  # the dice of each term, from left to right, whether kept or not
    sets: Sequence[ValuePool]  # the values of each set and of other parentheses, each behind those inside it
    faces: Sequence[tuple[int, Sequence[int]]]  # the sides and the faces of dice thrown together, in order

    @property
    def total(self) -> int:
        """The result as a whole number: what stands behind the point is cut off."""
        return total_of(self.value)

    @property
    def throws(self) -> tuple[Fall, ...]:
        """Every die in the order in which it was thrown.

        Rolling the term again with `ReplayedDice` of them gives the same.
        """
        return tuple(Fall(sides, face) for sides, faces in self.faces for face in faces)


def roll(expression: str | Term, dice: Dice) -> Rolled:
    """Roll an expression.

    Args:
        expression: A text in the dice notation, or the tree `parse` made of one.
        dice: Where the faces come from; percentile dice are thrown as a d10.

    Raises:
        UserError: If the text can't be read, asks for too much, divides by zero or never ends. Dice may
            have been thrown by then.
    """
    term = parse(expression) if isinstance(expression, str) else expression
    table = DiceTable(dice)
    value = _value(term, table)
    return Rolled(term, value, table.dice, table.sets, table.faces)


def _value(term: Term, table: DiceTable) -> Value:
    """What a tree comes to."""
    match term:
        case Literal():
            return term.value
        case Chain():
            value = _value(term.first, table)
            for operator, operand in term.steps:
                value = reckon(operator, value, _value(operand, table))
            return value
        case DiceTerm() | SetTerm() | Group():
            return _pool(term, table).total
        case Signed():
            value = _value(term.operand, table)
            return -value if term.minus else value


def _pool(term: Term, table: DiceTable) -> DicePool | ValuePool:
    """The dice or values in a term after its operations; parentheses are looked into."""
    match term:
        case DiceTerm():
            pool: DicePool | ValuePool = _dice(term, table)
        case SetTerm():
            pool = _set(term.members, table)
        case Group():
            pool = _pool(term.inner, table)
        case _:
            return _set([term], table)
    for operation in term.operations:
        pool.operate(operation, table)
    return pool


def _dice(term: DiceTerm, table: DiceTable) -> DicePool:
    """The dice of a term as they first fall."""
    pool = DicePool(term, table.throw(term, term.number), range(term.number), {})
    table.dice.append(pool)
    return pool


def _set(members: Sequence[Term], table: DiceTable) -> ValuePool:
    """The values of *members*."""
    pool = ValuePool([_value(member, table) for member in members], range(len(members)))
    table.sets.append(pool)
    return pool


SIGNS = {Operator.MINUS: "−", Operator.TIMES: "×", Operator.AT_LEAST: "≥", Operator.AT_MOST: "≤"}
"""Operators that are shown otherwise than they are stored; `parse` reads these too."""


class Text(Struct, frozen=True):
    """Plain words, numbers and signs."""

    text: str  # what to show, spaces included
    kept: bool = True  # whether it counts towards the total


class Label(Struct, frozen=True):
    """What a person wrote in brackets; not to be trusted as markup."""

    text: str  # the words without their brackets
    kept: bool = True  # whether what it stands behind counts towards the total


class ShownDie(Struct, frozen=True):
    """One die."""

    sides: int  # its sides; 10 for percentile dice
    rolled: DieRolled  # its faces in order, all but the last re-rolled, and what they count as
    kept: bool = True  # whether it counts towards the total


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
            yield from _dice_pieces(next(dice))
        case SetTerm():
            yield from _set_pieces(term, dice, sets)
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


def _dice_pieces(pool: DicePool) -> Iterator[Fragment]:
    """Dice, each by itself, behind what was asked for."""
    term = pool.term
    yield Text(f"{term.number}{term.die}{_written(term.operations)} (")
    for place, die in enumerate(pool.dice):
        if place:
            yield Text(", ")
        yield ShownDie(term.sides, die, die.kept)
    yield Text(")")
    yield from _behind((), term.labels)


def _set_pieces(term: SetTerm, dice: Iterator[DicePool], sets: Iterator[ValuePool]) -> Iterator[Fragment]:
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


class FreeRollInputs(Document):
    """What somebody typed to roll."""

    expression: str = Field(max_length=500)


def free_roll(inputs: FreeRollInputs, dice: Dice) -> Roll:
    """Roll an expression, and count its chances.

    Raises:
        UserError: If it cannot be read or is too much.
    """
    return free_roll_among(inputs, dice, distribution(parse(inputs.expression)))


def free_roll_among(inputs: FreeRollInputs, dice: Dice, found: TotalOdds | NoDistribution) -> Roll:
    """Roll an expression whose chances were counted before.

    Args:
        inputs: The expression.
        dice: Where the faces come from.
        found: The chances of its totals, if there are any.

    Raises:
        UserError: If it cannot be read or is too much.
    """
    rolled = roll(inputs.expression, dice)
    return Roll(
        rule=FREE_ROLL.key,
        inputs=inputs,
        dice=tuple(Die(sides=fall.sides, face=fall.face) for fall in rolled.throws),
        total=rolled.total,
        verdict=Verdict(Family.NEWS, shown(rolled.value)),
        odds=_odds_around(rolled.total, found),
        outcome="this",
        purpose="roll",
    )


def _odds_around(total: int, found: TotalOdds | NoDistribution) -> Odds | None:
    """The chances of less, of just this, and of more; None where there is no exact distribution."""
    if isinstance(found, NoDistribution):
        return None
    least, this = found.at_least(total), found.exactly(total)
    less = Chance(least.of - least.ways, least.of)
    more = least.fraction - this.fraction
    return Odds(
        (("less", less), ("this", this), ("more", Chance(more.numerator, more.denominator))), needed="this"
    )


FREE_ROLL = RollRule(key="notation", inputs=FreeRollInputs, resolve=free_roll)
