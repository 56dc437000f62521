"""What is so for every text anybody may type."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import (
    Fragment,
    Label,
    Rolled,
    ShownDie,
    TotalOdds,
    Value,
    distribution,
    fragments,
    parse,
    roll,
    shown,
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
