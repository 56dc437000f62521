"""The grammar: trees and the ways it allows to write them, drawn together, and then read back."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice
from bot.rules.shared.notation import DividedByZero, Term, TooMuch, Unreadable, Value, parse, roll
from bot.rules.shared.notation.tree import (
    Act,
    Chain,
    DiceTerm,
    Group,
    Literal,
    Operation,
    Operator,
    Pick,
    Selector,
    SetTerm,
    Signed,
)

T = TypeVar("T")
OPERATORS = (
    {"==": Operator.EQUAL, "!=": Operator.NOT_EQUAL, ">=": Operator.AT_LEAST, "<=": Operator.AT_MOST}
    | {">": Operator.ABOVE, "<": Operator.BELOW}
    | {"≠": Operator.NOT_EQUAL, "≥": Operator.AT_LEAST, "≤": Operator.AT_MOST},
    {"+": Operator.PLUS, "-": Operator.MINUS, "−": Operator.MINUS, "–": Operator.MINUS},
    {"*": Operator.TIMES, "/": Operator.OVER, "//": Operator.WHOLE_OVER, "%": Operator.REMAINDER}
    | {"×": Operator.TIMES, "÷": Operator.OVER},
)
SIGNS = {"+": False, "-": True, "−": True, "–": True}
PICKS = {"": Pick.EQUAL, "=": Pick.EQUAL, ">": Pick.ABOVE, "<": Pick.BELOW}
RANKS = {"h": Pick.HIGHEST, "H": Pick.HIGHEST, "l": Pick.LOWEST, "L": Pick.LOWEST}
NUMBERS: dict[str, int] = {"0": 0, "1": 1, "3": 3, "007": 7, "20": 20, "1000": 1000}
DECIMALS: dict[str, Value] = {
    "1.": 1,
    ".5": Fraction(1, 2),
    "2.250": Fraction(9, 4),
    "0.000001": Fraction(1, 10**6),
}
LABELS = {"[fire]": "fire", "[ Cold\n iron ]": "Cold iron", "[2d6 + é]": "2d6 + é", "[]": "", "[ ]": ""}
BOUNDS = (Act.MINIMUM, Act.MAXIMUM)


class Author:
    """Draws trees, and writes each as tokens in one of the ways the grammar allows."""

    def __init__(self, draw: st.DrawFn, acts: Sequence[Act]) -> None:
        self.draw, self.acts, self.tokens = draw, acts, list[str]()

    def any_of(self, these: Sequence[T]) -> T:
        return self.draw(st.sampled_from(these))

    def write(self, meanings: dict[str, T]) -> T:
        token = self.any_of(list(meanings))
        self.tokens += [token] if token else []
        return meanings[token]

    def chain(self, size: int, weakest: int = 0) -> Term:
        strength = self.any_of(range(weakest, 4))
        if strength == 3 or size == 0:
            return self.value(size)
        first = self.chain(size - 1, strength + 1)
        steps = [
            (self.write(OPERATORS[strength]), self.chain(size - 1, strength + 1))
            for _ in range(self.any_of((1, 2)))
        ]
        return Chain(first, tuple(steps))

    def value(self, size: int) -> Term:
        kind = self.any_of((DiceTerm, Literal, Group, SetTerm, Signed) if size else (DiceTerm, Literal))
        if kind is DiceTerm:
            return self.dice()
        if kind is Literal:
            return Literal(self.write({**NUMBERS, **DECIMALS}), self.labels())
        if kind is Signed:
            return Signed(self.write(SIGNS), self.value(size - 1))
        self.write({"(": None})
        members = []
        for place in range(1 if kind is Group else self.any_of((0, 1, 2))):
            self.write({",": None} if place else {"": None})
            members.append(self.chain(size - 1))
        if kind is SetTerm and members:
            self.write({",": None} if len(members) == 1 else {"": None, ",": None})
        self.write({")": None})
        done, labels = self.operations((Act.KEEP, Act.DROP)), self.labels()
        return Group(members[0], done, labels) if kind is Group else SetTerm(tuple(members), done, labels)

    def dice(self) -> DiceTerm:
        number = self.write({"": 1, "1": 1, "2": 2, "05": 5})
        self.write({"d": None, "D": None})
        sides = self.write({"6": 6, "020": 20, "%": 0})
        return DiceTerm(number, sides or 10, sides == 0, self.operations(self.acts), self.labels())

    def operations(self, acts: Sequence[Act]) -> tuple[Operation, ...]:
        found: list[Operation] = []
        for _ in range(self.any_of((0, 0, 1, 3))):
            act = self.write({str(act): act for act in acts} | {act.upper(): act for act in acts})
            if act in BOUNDS:
                found.append(Operation(act, (Selector(Pick.EQUAL, self.write(NUMBERS)),)))
            elif found and found[-1].act is act:
                found[-1] = Operation(act, (*found[-1].selectors, self.selector()))
            else:
                found.append(Operation(act, (self.selector(),)))
        return tuple(found)

    def selector(self) -> Selector:
        pick = self.write(PICKS | RANKS)
        return Selector(pick, self.write(NUMBERS | {"": 1} if pick in RANKS.values() else NUMBERS))

    def labels(self) -> tuple[str, ...]:
        found = [self.write(LABELS) for _ in range(self.any_of((0, 0, 0, 1, 2)))]
        return tuple(label for label in found if label)


class Spelled(NamedTuple):
    """A tree, and the tokens of one way to write it with the spaces before each."""

    term: Term
    tokens: list[str]


@st.composite
def spelled(draw: st.DrawFn, acts: Sequence[Act] = tuple(Act)) -> Spelled:
    author = Author(draw, acts)
    term = author.chain(3)
    spaces = draw(st.lists(st.sampled_from(["", "", " ", "\t\n", "\u00a0"]), min_size=1, max_size=9))
    return Spelled(term, [spaces[place % len(spaces)] + token for place, token in enumerate(author.tokens)])


def is_short(found: Spelled) -> bool:
    return len("".join(found.tokens)) <= 190


@settings(max_examples=300, deadline=None)
@given(spelled().filter(is_short))
def test_every_spelling_of_a_tree_is_read_as_that_tree(found: Spelled) -> None:
    assert parse("".join(found.tokens)) == found.term


@settings(deadline=None)
@given(spelled().filter(is_short), st.integers(0), st.sampled_from(["?", "x", "]", "²"]))
def test_a_refusal_points_at_the_first_character_that_is_no_token(
    found: Spelled, place: int, wrong: str
) -> None:
    place %= len(found.tokens) + 1
    before = "".join(found.tokens[:place]) + " "
    text = before + wrong + "".join(found.tokens[place:])

    with pytest.raises(Unreadable) as refusal:
        parse(text)

    assert (refusal.value.expression, refusal.value.position) == (text, len(before) + 1)


@settings(deadline=None)
@given(spelled().filter(is_short), st.sampled_from(["", "(", "(1,(", "d", "d6k>", "d6mi", "-", "d6kh1ro"]))
def test_an_expression_that_ends_too_early_is_refused_at_its_end(found: Spelled, cut: str) -> None:
    text = "".join(found.tokens) + " +" + cut

    with pytest.raises(Unreadable, match="ends too early") as refusal:
        parse(text + "  ")

    assert refusal.value.position == len(text) + 1


@settings(deadline=None)
@given(spelled((Act.KEEP, Act.DROP, *BOUNDS)).filter(is_short), st.binary(min_size=1, max_size=8))
def test_dice_are_thrown_in_the_order_in_which_they_are_written(found: Spelled, seed: bytes) -> None:
    try:
        rolled = roll("".join(found.tokens), FairDice(seed, "1"))
    except (DividedByZero, TooMuch):
        assume(False)

    written = list(_dice_in(found.term))
    assert [pool.term for pool in rolled.dice] == written
    assert [fall.sides for fall in rolled.throws] == [one.sides for one in written for _ in range(one.number)]


def _dice_in(term: Term) -> Iterator[DiceTerm]:
    match term:
        case DiceTerm():
            yield term
        case Group():
            yield from _dice_in(term.inner)
        case SetTerm():
            for member in term.members:
                yield from _dice_in(member)
        case Signed():
            yield from _dice_in(term.operand)
        case Chain():
            for one in (term.first, *(operand for _, operand in term.steps)):
                yield from _dice_in(one)
