"""Expressions of own games: what can be said, what it comes to, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.own.expressions import (
    Amount,
    BadExpression,
    Expression,
    Name,
    NoAmount,
    amount_of,
    bound,
    expression,
    in_order,
    lifted,
)

KNOWN = {"bold": 2, "harm": 3, "at.soak": 1, "none": 0}


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 − 2 − 1", 4),
        ("-bold + --bold", 0),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("7 / 2", Fraction(7, 2)),
        ("6 ÷ 2", 3),
        ("floor(7 / 2) + ceil(7 / 2)", 7),
        ("abs(1 - 4) + min(4, 2, 3) + max(1, 5)", 10),
        ("bold = 2 and harm >= 3", 1),
        ("bold == 2 or 1 / 0", 1),
        ("not bold", 0),
        ("not not bold", 1),
        ("bold != 2", 0),
        ("bold ≤ 2 and bold ≥ 2 and not bold ≠ 2", 1),
        ("10 - (1 if harm >= 3 else 0)", 9),
        ("1 if none else 2 if bold > 5 else 3", 3),
        ("10 / none if none else 4", 4),
        ("none and 1 / none", 0),
        ("at.soak + 1", 2),
        ("(bold > 1) + (harm > 1)", 2),
    ],
)
def test_what_an_expression_comes_to(text: str, amount: Amount) -> None:
    assert amount_of(expression(text), KNOWN) == amount


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is nothing in this."),
        ("1 +", "this ends too early."),
        ("1 2", "I can't read on from “2”. Is an operator missing before it?"),
        ("(1", "“)” is missing at the end."),
        ("min(1 2)", "“)” is missing before “2”."),
        ("min(1)", "“min” takes two things or more in its parentheses."),
        ("floor(1, 2)", "“floor” takes one thing in its parentheses."),
        ("1 if 2", "“else” is missing at the end."),
        ("* 2", "a number or a name should stand where “*” is."),
        ("2 ** 3", "a number or a name should stand where “*” is."),
        ("__import__('os')", "I can't read “__import__('os')” in an expression."),
        ("bold.__class__", "I can't read “.__class__” in an expression."),
        ("bold[0]", "I can't read “[0]” in an expression."),
        ("'a' + 'b'", "I can't read “'a' + 'b'” in an expression."),
        ("lambda: 1", "I can't read “: 1” in an expression."),
        ("bold(1)", "I can't read on from “(”. Is an operator missing before it?"),
        ("1000001", "“1000001” is larger than 1,000,000."),
        ("1.5", "I can't read “.5” in an expression."),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadExpression) as refused:
        expression(text)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 / none", "divides by zero"),
        ("1 % none", "divides by zero"),
        ("1000000 * 1000", ""),
        ("1000000 * 1000 + 1", "becomes larger than 1,000,000,000"),
        ("1000000 * 1000000", "becomes larger than 1,000,000,000"),
        ("1 / 999999 / 999999", "becomes larger than 1,000,000,000"),
    ],
)
def test_what_comes_to_nothing(text: str, why: str) -> None:
    if not why:
        assert amount_of(expression(text), KNOWN) == 1_000_000_000
        return
    with pytest.raises(NoAmount, match=why):
        amount_of(expression(text), KNOWN)


def test_dice_stand_only_where_they_may() -> None:
    rolled = amount_of(expression("2d6 + d% - 1", with_dice=True), {}, lambda dice: dice.number * dice.sides)

    assert rolled == 111
    with pytest.raises(BadExpression, match="“2d6” can't stand here"):
        expression("2d6")
    with pytest.raises(BadExpression, match="1 to 20 dice of 1 to 1000 sides"):
        expression("21d6", with_dice=True)


def test_what_no_die_decides_becomes_a_parameter() -> None:
    parts: dict[Expression, str] = {}
    found = lifted(expression("n + bold * 2 - (harm + bold * 2) + 1"), frozenset({"n"}), parts)

    assert list(parts.values()) == ["#0"]
    known = amount_of(next(iter(parts)), {"bold": 2, "harm": 3})
    reckon = bound(found, {"#0": known}, {"n": 0})
    assert callable(reckon)
    assert (known, reckon((5,))) == (-2, 3)


def test_things_are_put_in_order_and_circles_found() -> None:
    assert in_order({"a": {"b"}, "b": set(), "c": {"d"}, "d": {"c"}, "e": {"d"}}) == (
        ("b", "a"),
        ("c", "d", "e"),
    )


@given(st.text(max_size=60))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        read: object = expression(text)
    except BadExpression as error:
        read = str(error)

    assert not isinstance(read, str) or read.endswith((".", "?"))


@given(
    st.recursive(
        st.integers(0, 50).map(str) | st.sampled_from(("bold", "harm")),
        lambda inner: st.tuples(inner, st.sampled_from(("+", "-", "*")), inner).map(
            lambda three: f"({' '.join(three)})"
        ),
        max_leaves=6,
    )
)
def test_a_row_gives_what_known_names_give(text: str) -> None:
    places = {"bold": 0, "harm": 1}
    reckon = bound(expression(text), {}, places)
    value = reckon((2, 3)) if callable(reckon) else reckon

    assert value == amount_of(expression(text), KNOWN)
    assert isinstance(expression("bold"), Name)
