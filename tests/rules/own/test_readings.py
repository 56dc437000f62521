"""Expressions of own games, and what is read off dice: rolling and reckoning agree, also with icepool."""

from collections.abc import Mapping
from fractions import Fraction

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import Dice
from bot.rules.own.dice_groups import ReadyGroup, dice_group, pool_of, read_off, reading, thrown
from bot.rules.own.expressions import (
    Amount,
    BadExpression,
    Expression,
    Name,
    NoAmount,
    Number,
    amount_of,
    bound,
    expression,
    in_order,
    lifted,
)
from bot.rules.own.reading_odds import TooMuchToCount, WantedReading, outcomes, ways_of
from tests.dice import ScriptedDice
from tests.rules.own.games import every_way

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


def pool(text: str) -> ReadyGroup:
    group = dice_group(text)
    numbers = [
        part.value if isinstance(part, Number) else 0 for part in (group.count, group.sides, group.kept)
    ]
    return pool_of(group, *numbers)


def reckoned(dice: Mapping[str, str], *readings: str) -> dict[tuple[int, ...], Fraction]:
    """The chances of readings."""
    pools, wanted = asked(dice, readings)
    ways, cases = ways_of(pools, wanted, None, 0)
    return {told: Fraction(many, cases) for told, many in ways.items()}


def asked(
    dice: Mapping[str, str], readings: tuple[str, ...]
) -> tuple[tuple[ReadyGroup, ...], tuple[WantedReading, ...]]:
    names = list(dice)
    return tuple(pool(text) for text in dice.values()), tuple(
        WantedReading(read.kind, tuple(map(names.index, read.groups)), read.sign, numbers(text))
        for text in readings
        for read in [reading(text)]
    )


def numbers(text: str) -> tuple[Amount, ...]:
    return tuple(part.value for part in reading(text).against if isinstance(part, Number))


def rolled(dice: Mapping[str, str], *readings: str) -> dict[tuple[int, ...], Fraction]:
    """The chances of readings, from every way in which the dice can be rolled."""

    def once(source: Dice) -> tuple[int, ...]:
        lying = {name: thrown(pool(text), source) for name, text in dice.items()}
        return tuple(read_off(reading(text), lying, numbers(text)) for text in readings)

    return every_way(once)


@pytest.mark.parametrize(
    ("dice", "readings"),
    [
        ({"a": "3d6"}, ("total a", "highest a", "lowest a")),
        ({"a": "3d6"}, ("middle a", "doubles a", "count a >= 5")),
        ({"a": "4d4 highest 3"}, ("total a", "doubles a", "lowest a")),
        ({"a": "4d4 lowest 2"}, ("total a", "middle a", "count a = 2")),
        ({"a": "2d6", "b": "2d4"}, ("highest a, b", "doubles a, b", "middle b, a")),
        ({"a": "2d6", "b": "d8"}, ("highest a", "highest b", "lowest a, b")),
        ({"a": "4dF"}, ("total a", "count a in 0..1")),
        ({"a": "2 cards"}, ("highest a", "suit a", "count a in hearts")),
        ({"a": "2 cards of 54"}, ("highest a", "suit a", "total a")),
        ({"a": "2 cards highest 1"}, ("total a",)),
        ({"a": "2 cards of 54"}, ("count a >= 11", "doubles a")),
        ({"a": "3d6", "b": "2d4"}, ("count a, b = 4", "count a != 1", "count b in 2..3")),
        ({"a": "3d6", "b": "d6"}, ("total a", "total b")),
    ],
)
def test_rolling_and_reckoning_agree(dice: Mapping[str, str], readings: tuple[str, ...]) -> None:
    assert reckoned(dice, *readings) == rolled(dice, *readings)


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 4),
    st.sampled_from((2, 3, 4, 6)),
    st.sampled_from(("", " highest", " lowest", " highest 2", " lowest 3")),
    st.lists(
        st.sampled_from(
            ("total a", "highest a", "lowest a", "middle a", "doubles a", "count a = 1", "count a > 2")
        ),
        min_size=1,
        max_size=3,
        unique=True,
    ),
)
def test_rolling_and_reckoning_agree_for_any_group(
    count: int, sides: int, keeping: str, readings: list[str]
) -> None:
    dice = {"a": f"{{{count}}}d{sides}{keeping}"}
    group = dice_group(dice["a"])
    one = pool_of(group, count, sides, group.kept.value if isinstance(group.kept, Number) else 1)
    names = tuple(
        WantedReading(read.kind, (0,), read.sign, numbers(text))
        for text in readings
        for read in [reading(text)]
    )

    def once(source: Dice) -> tuple[int, ...]:
        lying = {"a": thrown(one, source)}
        return tuple(read_off(reading(text), lying, numbers(text)) for text in readings)

    ways, cases = ways_of((one,), names, None, 0)
    assert {told: Fraction(many, cases) for told, many in ways.items()} == every_way(once)


class TestIcepool:
    def test_totals(self) -> None:
        assert reckoned({"a": "10d6"}, "total a") == pooled(10 @ icepool.d6)

    def test_the_highest_three_of_six(self) -> None:
        assert reckoned({"a": "6d10 highest 3"}, "total a") == pooled(icepool.d10.highest(6, 3))

    def test_the_highest_and_the_middle_one(self) -> None:
        assert reckoned({"a": "7d12"}, "highest a") == pooled(icepool.d12.highest(7))
        assert reckoned({"a": "5d8"}, "middle a") == pooled(icepool.d8.pool(5)[2])

    def test_successes(self) -> None:
        assert reckoned({"a": "20d10"}, "count a >= 8") == pooled(20 @ (icepool.d10 >= 8))

    def test_the_largest_set(self) -> None:
        sets = icepool.d6.pool(5).largest_count().map(lambda many: many if many > 1 else 0)

        assert reckoned({"a": "5d6"}, "doubles a") == pooled(sets)

    def test_aces_to_their_end(self) -> None:
        one = icepool.d6.explode(depth=10)

        assert reckoned({"a": "d6 aces"}, "total a") == pooled(one)
        assert reckoned({"a": "2d6 aces"}, "highest a") == pooled(one.highest(2))

    def test_cards(self) -> None:
        ranks = icepool.Deck(dict.fromkeys(range(2, 15), 4))

        assert reckoned({"a": "5 cards"}, "highest a") == pooled(ranks.deal(5).highest(1).sum())


def pooled(die: "icepool.Die[int]") -> dict[tuple[int, ...], Fraction]:
    return {(int(face),): Fraction(ways, die.denominator()) for face, ways in die.items() if ways}


class TestAnEdge:
    def once(self, edge: int) -> dict[tuple[int, ...], Fraction]:
        pools, wanted = asked({"a": "2d6"}, ("total a", "highest a"))
        ways, cases = ways_of(pools, wanted, 0, edge)
        return {told: Fraction(many, cases) for told, many in ways.items()}

    @pytest.mark.parametrize("edge", [1, -1])
    def test_the_better_total_of_two_rolls_counts(self, edge: int) -> None:
        def twice(source: Dice) -> tuple[int, int]:
            rolls = [sorted((source.roll(6), source.roll(6))) for _ in range(2)]
            best = max(rolls, key=lambda roll: edge * sum(roll))
            return sum(best), best[-1]

        assert self.once(edge) == every_way(twice)


class TestBounds:
    def test_outcomes_are_counted_before_the_work(self) -> None:
        pools, wanted = asked({"a": "d100", "b": "d100", "c": "d100"}, ("total a", "total b", "highest a, c"))

        assert outcomes(pools, wanted) == (1_000_000, 1_000_000)
        with pytest.raises(TooMuchToCount, match="1,000,000 outcomes"):
            ways_of(pools, wanted, None, 0)

    def test_long_work_is_refused_with_its_steps(self) -> None:
        pools, wanted = asked({"a": "20d100"}, ("highest a", "lowest a"))

        with pytest.raises(TooMuchToCount, match=r"these dice take about [\d,]+ steps to count; 250,000"):
            ways_of(pools, wanted, None, 0)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("21d6", "21 dice are too many; 20 is the most."),
            ("2d1001", "1001 sides are too many; 1,000 is the most."),
            ("0d6", "0 dice are too few; 1 is the least."),
            ("3 cards of 40", "a deck has 52 cards, or 54 with its jokers."),
            ("4dF aces", "only dice with two sides and more can have aces."),
            ("2d", "the number of sides should follow the d."),
            ("2x6", "I can't read the dice “2x6”. Write 2d6, {stat}d6, d{stat}, 4dF or 3 cards."),
        ],
    )
    def test_dice_that_cannot_be(self, text: str, sentence: str) -> None:
        with pytest.raises(BadExpression) as refused:
            dice_group(text)

        assert str(refused.value) == sentence

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("total a, a", "a group stands twice in this."),
            ("highest a > 3", "I can't read on from “> 3”. Only “count” compares."),
            ("count a", "say what to count: “count pool = 6”, “count pool >= 5” or “count pool in 1..2”."),
            (
                "count a in 3",
                "“in” is followed by a range (2..5) or a suit (clubs, diamonds, hearts, spades).",
            ),
            (
                "best a",
                "I can't read “best a”. Write total, highest, lowest, middle, doubles, suit or count, and a "
                "group of dice.",
            ),
        ],
    )
    def test_readings_that_cannot_be(self, text: str, sentence: str) -> None:
        with pytest.raises(BadExpression) as refused:
            reading(text)

        assert str(refused.value) == sentence


class TestRolling:
    def test_a_die_with_aces_is_rolled_on(self) -> None:
        assert [die.face for die in thrown(pool("2d6 aces"), ScriptedDice("d6:6 d6:6 d6:2 d6:3"))] == [14, 3]

    def test_after_ten_aces_the_die_lies(self) -> None:
        assert [die.face for die in thrown(pool("d4 aces"), ScriptedDice("d4:4 " * 11))] == [44]

    def test_dice_that_do_not_count_are_marked(self) -> None:
        found = thrown(pool("3d6 highest 2"), ScriptedDice("d6:4 d6:1 d6:4"))

        assert [(die.face, die.is_kept) for die in found] == [(4, True), (1, False), (4, True)]

    def test_cards_are_shown_by_rank_and_suit(self) -> None:
        found = thrown(pool("3 cards of 54"), ScriptedDice("d54:51 d53:1 d52:52"))

        assert [card.shown for card in found] == ["A♥", "2♣", "Joker"]
