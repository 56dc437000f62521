"""Dice expressions as they are read, and what is so for every text anybody may type."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import (
    DividedByZero,
    Fragment,
    Label,
    NoSides,
    Rolled,
    ShownDie,
    Term,
    TooMuch,
    TotalOdds,
    Unreadable,
    Value,
    distribution,
    fragments,
    parse,
    roll,
    shown,
)
from bot.rules.shared.notation.parser import (
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
from tests.dice import ScriptedDice
from tests.rules.shared.notation.expressions import evenly, expressions

_fragments_of_expressions = st.lists(
    st.sampled_from(
        [*"0123456789dkpehlrom+-*/%<>=!(),.[] ", "rr", "ro", "ra", "mi", "ma", "99", "2d6", "\n", "−"]
    ),
    max_size=60,
).map("".join)
_repeated = st.builds(
    lambda piece, times, tail: piece * times + tail,
    st.text("0123456789dkpehlroma+-*/%<>=!(),.[] ", min_size=1, max_size=4),
    st.integers(1, 80),
    st.text("0123456789d)]", max_size=3),
)


class TestSpellings:
    @pytest.mark.parametrize(
        ("typed", "spaced"),
        [
            ("2D6", "2d6"),
            ("D20", "1d20"),
            ("4d6 kh 3", "4d6kh3"),
            (" 4 d 6 k h 3 + 2 ", "4d6kh3 + 2"),
            ("\t2d6\n+\u00a01", "2d6 + 1"),
            ("2d20KL1", "2d20kl1"),
            ("2d20kl", "2d20kl1"),
            ("4d6pl", "4d6pl1"),
            ("4d6k=6", "4d6k6"),
            ("4d6RR<3", "4d6rr<3"),
            ("d%", "1d%"),
            ("d % % 3", "1d% % 3"),
            ("3 − 1 × 2 ÷ 4", "3 - 1 * 2 / 4"),
            ("1 ≤ 2", "1 <= 2"),
            ("(1d6,2d8,)kh1", "(1d6, 2d8)kh1"),
            ("( 3 , )", "(3,)"),
            ("( )", "()"),
            ("1.50 + .5 + 2.", "1.5 + 0.5 + 2"),
            ("2d6[ cold  iron ][]", "2d6 [cold iron]"),
            ("-(1d8+3)[healing]", "-(1d8 + 3) [healing]"),
        ],
    )
    def test_case_and_spaces_between_words_do_not_matter(self, typed: str, spaced: str) -> None:
        assert evenly(parse(typed)) == spaced

    def test_a_label_keeps_its_case(self) -> None:
        assert evenly(parse("2D6 [Holy Fire]")) == "2d6 [Holy Fire]"


class TestRefusals:
    @pytest.mark.parametrize(
        ("typed", "what"),
        [
            ("4d6kx", "I can't read this from “kx” on (character 4)."),
            ("2d6 + attack roll", "I can't read this from “attack roll” on (character 7)."),
            ("4d6 + kh 3", "I can't read this from “kh 3” on (character 7)."),
            ("3kh1", "I can't read this from “kh1” on (character 2)."),
            ("2d6 3", "I can't read this from “3” on (character 5)."),
            ("(1, 2)e6", "I can't read this from “e6” on (character 7)."),
            ("2d6 [fire", "I can't read this from “[fire” on (character 5)."),
            ("1d6 + 🎲🎲🎲", "I can't read this from “🎲🎲🎲” on (character 7)."),
            ("1d6 \x07\u202e", "I can't read this from “��” on (character 5)."),
            ("1d6mi<3", "I can't read this from “<3” on (character 6)."),
            ("2d6.5", "I can't read this from “6.5” on (character 3)."),
            ("((2d6)", "The expression ends too early (after character 6)."),
            ("2d6 +  ", "The expression ends too early (after character 5)."),
            ("4d6k", "The expression ends too early (after character 4)."),
            ("", "There is nothing to roll."),
            ("  ", "There is nothing to roll."),
        ],
    )
    def test_a_refusal_points_at_the_unreadable_place(self, typed: str, what: str) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse(typed)

        assert refusal.value.what == what
        assert refusal.value.allowed

    @pytest.mark.parametrize("before", ["", "-1 + " * 5, "(1) + " * 5], ids=["alone", "signs", "parentheses"])
    @pytest.mark.parametrize("opened", ["(", "-"])
    def test_only_what_is_open_counts_as_nested(self, before: str, opened: str) -> None:
        def nested(depth: int) -> str:
            return before + opened * depth + "1" + (")" * depth if opened == "(" else "")

        assert parse(nested(20))
        with pytest.raises(TooMuch, match="More than 20 parentheses and signs are nested"):
            parse(nested(21))

    def test_the_position_in_a_refusal_is_counted_from_one(self) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse("2d6 + ?")

        assert refusal.value.position == 7

    def test_a_long_unreadable_remainder_is_quoted_in_part(self) -> None:
        with pytest.raises(Unreadable, match="from “attack the d…” on"):
            parse("1d20 attack the dragon grappled")

    def test_a_refusal_of_words_suggests_brackets(self) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse("1d20 to hit")

        assert refusal.value.try_this == "Put words into brackets: 2d6 [fire]."

    def test_a_die_without_sides_is_refused(self) -> None:
        with pytest.raises(NoSides):
            parse("1d0")

    @pytest.mark.parametrize(
        ("typed", "limit"),
        [
            ("1" * 201, 200),
            ("201d6", 200),
            ("100d6 + 101d4", 200),
            ("1d1001", 1000),
            ("1000001", 1_000_000),
            ("1000000.5 + 1000001.5", 1_000_000),
            ("4d6kh1000001", 1_000_000),
            ("0.1234567", 6),
            ("(" * 21 + "1" + ")" * 21, 20),
            ("-" * 21 + "1", 20),
        ],
    )
    def test_an_expression_beyond_the_limits_is_refused(self, typed: str, limit: int) -> None:
        with pytest.raises(TooMuch) as refusal:
            parse(typed)

        assert refusal.value.limit == limit

    @pytest.mark.parametrize(
        "typed", ["1" + "+1" * 99, "200d1000", "1000000", "(" * 20 + "1" + ")" * 20, "0" * 199 + "7"]
    )
    def test_an_expression_at_the_limits_is_read(self, typed: str) -> None:
        assert parse(typed)

    def test_every_refusal_is_a_user_error(self) -> None:
        assert issubclass(Unreadable, UserError)
        assert issubclass(TooMuch, UserError)
        assert issubclass(NoSides, UserError)


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


@settings(max_examples=1000, deadline=None)
@given(st.one_of(st.text(), _fragments_of_expressions, _repeated))
def test_any_input_is_rolled_or_refused_with_a_sentence(text: str) -> None:
    try:
        outcome: Rolled | UserError = roll(text, FairDice(b"any", "1"))
    except UserError as mistake:
        outcome = mistake

    if isinstance(outcome, UserError):
        assert outcome.what
    else:
        assert len(outcome.throws) <= 500
        assert abs(outcome.total) <= 1_000_000_000_000


@settings(deadline=None)
@given(expressions())
def test_parsing_the_text_of_a_tree_gives_the_same_tree(text: str) -> None:
    term = parse(text)

    assert parse(evenly(term)) == term
    assert parse(text.upper().replace("D", " D ")) == parse(text.upper())


@settings(deadline=None)
@given(expressions(), st.binary(min_size=1, max_size=8))
def test_the_same_faces_give_the_same_roll_again(text: str, seed: bytes) -> None:
    try:
        rolled = roll(text, FairDice(seed, "1"))
    except UserError:
        assume(False)
    again = roll(text, ReplayedDice(rolled.throws))

    assert again == rolled
    assert fragments(again) == fragments(rolled)


@settings(deadline=None)
@given(expressions(), st.binary(min_size=1, max_size=8))
def test_every_rolled_total_has_a_chance(text: str, seed: bytes) -> None:
    odds = distribution(parse(text))
    assume(isinstance(odds, TotalOdds))
    assert isinstance(odds, TotalOdds)
    try:
        total = roll(text, FairDice(seed, "1")).total
    except UserError:
        assume(False)

    assert odds.exactly(total).ways > 0
    assert odds.lowest <= total <= odds.highest


def drawn(expression: str, script: str = "") -> str:
    """A roll in plain characters: ``~dropped~``, ``{label}``, ``1>2`` counts as, ``6!`` exploded."""
    return "".join(map(_drawn, fragments(roll(expression, ScriptedDice(script)))))


def _drawn(fragment: Fragment) -> str:
    match fragment:
        case ShownDie():
            faces = [
                f"{face.shown}{'!' if face.exploded else ''}"
                + (f">{face.counts_as}" if face.counts_as != face.shown else "")
                for face in fragment.rolled.faces
            ]
            text = "/".join(faces)
        case Label():
            text = f"{{{fragment.text}}}"
        case _:
            text = fragment.text
    return text if fragment.kept else f"~{text}~"


@pytest.mark.parametrize(
    ("expression", "script", "line"),
    [
        ("4d6kh3+2", "d6:4 d6:1 d6:6 d6:3", "4d6kh3 (4, ~1~, 6, 3) + 2"),
        ("2d6ro1", "d6:1 d6:3 d6:5", "2d6ro1 (1/5, 3)"),
        ("1d6e6", "d6:6 d6:2", "1d6e6 (6!, 2)"),
        ("2d6mi2 [fire] * 3", "d6:1 d6:3", "2d6mi2 (1>2, 3) {fire} × 3"),
        ("(1d4, 2d6kh1)kh1", "d4:4 d6:1 d6:3", "(1d4 (4), ~2d6kh1 (~~1~~, ~~3~~)~)kh1"),
        ("(1d6+2)k3 - -1", "d6:2", "(~1d6 (~~2~~) + 2~)k3 − −1"),
        ("(3,) >= 1.5", "", "(3,) ≥ 1.5"),
        ("d%", "d10:1", "1d% (0)"),
    ],
)
def test_a_roll_is_drawn_from_left_to_right(expression: str, script: str, line: str) -> None:
    assert drawn(expression, script) == line


def test_neighbouring_texts_are_one_fragment() -> None:
    assert len(fragments(roll("1 + 2 - 3", ScriptedDice("")))) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (-3, "−3"), (Fraction(7, 2), "3.5"), (Fraction(-1, 4), "−0.25"), (Fraction(1, 3), "1/3")],
)
def test_a_number_is_shown_as_a_short_decimal_or_a_fraction(value: Value, text: str) -> None:
    assert shown(value) == text
