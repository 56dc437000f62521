import csv
from fractions import Fraction
from pathlib import Path

import pytest

from bot.rules.kernel import Die
from bot.rules.kernel.dice import Chance, FairDice
from bot.rules.shared.notation import DividedByZero, Endless, Rolled, TooMuch, Unreadable, Value, roll
from bot.rules.shared.notation.roll import FreeRollInputs, free_roll
from tests.dice import ScriptedDice


def fallen(expression: str, script: str = "") -> Rolled:
    dice = ScriptedDice(script)
    rolled = roll(expression, dice)
    dice.assert_all_rolled()
    return rolled


def counted(expression: str, script: str) -> list[int]:
    """What the dice that count come to, from left to right."""
    return [die.value for dice in fallen(expression, script).dice for die in dice.dice if die.kept]


class TestKeepAndDrop:
    @pytest.mark.parametrize(
        ("expression", "kept"),
        [
            ("4d6", [4, 1, 6, 3]),
            ("4d6kh3", [4, 6, 3]),
            ("4d6kl1", [1]),
            ("4d6ph1", [4, 1, 3]),
            ("4d6pl1", [4, 6, 3]),
            ("4d6k>3", [4, 6]),
            ("4d6p<3", [4, 6, 3]),
            ("4d6k6", [6]),
            ("4d6p1p6", [4, 3]),
            ("4d6kh1kl1", [1, 6]),
            ("4d6kh3kl1", [4, 1, 6, 3]),
            ("4d6kh3pl1", [4, 6]),
            ("4d6kh9", [4, 1, 6, 3]),
            ("4d6kh0", []),
        ],
    )
    def test_only_kept_dice_count(self, expression: str, kept: list[int]) -> None:
        assert counted(expression, "d6:4 d6:1 d6:6 d6:3") == kept

    def test_of_equal_dice_the_first_is_kept(self) -> None:
        dice = fallen("3d6kh1", "d6:5 d6:5 d6:2").dice[0].dice

        assert [die.kept for die in dice] == [True, False, False]

    def test_advantage_counts_the_higher_of_two(self) -> None:
        assert fallen("2d20kh1 + 5", "d20:7 d20:16").total == 21


class TestReroll:
    def test_a_reroll_goes_on_until_no_die_matches(self) -> None:
        rolled = fallen("2d6rr1", "d6:1 d6:4 d6:1 d6:6")

        assert rolled.total == 10
        assert [[face.shown for face in die.faces] for die in rolled.dice[0].dice] == [[1, 1, 6], [4]]

    def test_a_single_reroll_happens_once_even_if_the_die_matches_again(self) -> None:
        assert counted("2d6ro<3", "d6:2 d6:5 d6:1") == [1, 5]

    def test_reroll_and_add_keeps_the_first_face(self) -> None:
        rolled = fallen("2d6ra6", "d6:6 d6:6 d6:3")

        assert rolled.total == 15
        assert [die.faces[-1].exploded for die in rolled.dice[0].dice] == [True, False, False]

    def test_a_dropped_die_is_not_rerolled(self) -> None:
        assert counted("2d6kh1rr1", "d6:1 d6:4") == [4]

    @pytest.mark.parametrize("expression", ["1d6rr<7", "1d6e>0", "4d6rrh1", "1d1e1", "1d2rr1rr2"])
    def test_a_reroll_that_no_face_can_stop_is_refused(self, expression: str) -> None:
        with pytest.raises(Endless):
            roll(expression, FairDice(b"any", "1"))


class TestExplode:
    def test_each_match_adds_a_die_that_may_explode_too(self) -> None:
        rolled = fallen("2d6e6", "d6:6 d6:2 d6:6 d6:3")

        assert rolled.total == 17
        assert [die.faces[-1].exploded for die in rolled.dice[0].dice] == [True, False, True, False]

    def test_exploded_dice_can_be_kept_or_dropped(self) -> None:
        assert counted("2d6e6kh2", "d6:6 d6:2 d6:5") == [6, 5]

    def test_an_explosion_is_refused_after_500_throws(self) -> None:
        with pytest.raises(TooMuch) as refusal:
            roll("200d1000e>1", FairDice(b"any", "1"))

        assert refusal.value.limit == 500


class TestMinimumAndMaximum:
    def test_a_face_counts_as_the_bound_and_is_still_shown(self) -> None:
        faces = [die.faces[-1] for die in fallen("3d6mi2ma5", "d6:1 d6:4 d6:6").dice[0].dice]

        assert [(face.shown, face.counts_as) for face in faces] == [(1, 2), (4, 4), (6, 5)]


class TestSets:
    def test_the_higher_of_two_totals_is_kept_whole(self) -> None:
        assert fallen("(1d6, 2d8)kh1", "d6:6 d8:3 d8:1").total == 6

    def test_operations_behind_parentheses_reach_the_dice_inside(self) -> None:
        assert counted("((4d6)kh3)kl1", "d6:4 d6:1 d6:6 d6:3") == [3]

    def test_a_sum_in_parentheses_is_kept_or_dropped_whole(self) -> None:
        assert fallen("(1d6 + 2)k3", "d6:1").total == 3
        assert fallen("(1d6 + 2)k3", "d6:2").total == 0

    def test_an_empty_set_counts_as_zero(self) -> None:
        assert fallen("() + (3,)").total == 3


class TestPercentileDice:
    def test_percentile_dice_show_tens_from_0_to_90(self) -> None:
        assert counted("3d%", "d10:1 d10:2 d10:10") == [0, 10, 90]


class TestArithmetic:
    @pytest.mark.parametrize(
        ("expression", "exact", "total"),
        [
            ("2 + 3 * 4", 14, 14),
            ("(2 + 3) * 4", 20, 20),
            ("10 - 3 - 2", 5, 5),
            ("7 / 2", Fraction(7, 2), 3),
            ("7 / 2 * 2", 7, 7),
            ("1 / 3 * 3", 1, 1),
            ("-7 / 2", Fraction(-7, 2), -3),
            ("7 // 2", 3, 3),
            ("-7 // 2", -4, -4),
            ("-7 % 3", 2, 2),
            ("0.1 + 0.2 == 0.3", 1, 1),
            ("2 > 1", 1, 1),
            ("2 < 1", 0, 0),
            ("2 != 1", 1, 1),
            ("1 <= 1 >= 2", 0, 0),
            ("2--3", 5, 5),
            ("+3", 3, 3),
        ],
    )
    def test_numbers_are_exact_and_the_total_is_cut_off(
        self, expression: str, exact: Value, total: int
    ) -> None:
        rolled = fallen(expression)

        assert (rolled.value, rolled.total) == (exact, total)

    @pytest.mark.parametrize("expression", ["1 / 0", "1 // 0", "1 % 0", "5 / (1d6 - 3)"])
    def test_a_division_by_zero_is_refused(self, expression: str) -> None:
        with pytest.raises(DividedByZero):
            roll(expression, ScriptedDice("d6:3"))

    @pytest.mark.parametrize(
        "expression", ["1000000 * 1000000 * 2", "-1000000 * 1000000 - 1", "(1000000 * 1000000, 1)"]
    )
    def test_a_result_too_large_to_show_is_refused(self, expression: str) -> None:
        with pytest.raises(TooMuch) as refusal:
            fallen(expression)

        assert refusal.value.limit == 1_000_000_000_000


def test_dice_are_thrown_from_left_to_right() -> None:
    assert fallen("2d6e6 + (1d4, d8ro1)kh1 - d10", "d6:6 d6:1 d6:2 d4:3 d8:1 d8:5 d10:2").total == 12


def test_two_selectors_of_one_operation_may_pick_the_same_die() -> None:
    assert counted("3d6ph1pl1", "d6:5 d6:5 d6:5") == [5, 5]
    assert counted("(3d6ph1)pl1", "d6:5 d6:5 d6:5") == [5]


def test_a_free_roll_stores_every_die_and_its_chance() -> None:
    rolled = free_roll(FreeRollInputs(expression="2d6kh1 / 2"), ScriptedDice("d6:3 d6:5"))

    assert rolled.dice == (Die(sides=6, face=3), Die(sides=6, face=5))
    assert (rolled.total, rolled.verdict.title) == (2, "2.5")
    assert rolled.odds is not None
    assert rolled.odds.enough == Chance(27, 36).fraction
    assert [name for name, _ in rolled.odds.chances] == ["less", "this", "more"]


@pytest.mark.parametrize(
    ("expression", "fall", "chances"),
    [
        ("2d6", "d6:3 d6:5", ["7/12", "5/36", "5/18"]),
        ("2d6kh1 / 2", "d6:3 d6:5", ["1/4", "4/9", "11/36"]),
        ("1d6", "d6:1", ["0", "1/6", "5/6"]),
        ("1d6", "d6:6", ["5/6", "1/6", "0"]),
    ],
)
def test_a_free_roll_tells_the_chances_of_less_just_this_and_more(
    expression: str, fall: str, chances: list[str]
) -> None:
    odds = free_roll(FreeRollInputs(expression=expression), ScriptedDice(fall)).odds

    assert odds is not None
    assert [str(chance.fraction) for _, chance in odds.chances] == chances


def test_a_free_roll_without_finite_chances_has_no_chance() -> None:
    assert free_roll(FreeRollInputs(expression="1d6e6"), ScriptedDice("d6:3")).odds is None


RESULTS = Path(__file__).with_name("results_of_d20.tsv")
NO_VALUE = {"refused": Unreadable, "endless": Endless, "divided by zero": DividedByZero}


def _results() -> list[dict[str, str]]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", restval="", quoting=csv.QUOTE_NONE))


WITH_VALUE = [row for row in _results() if row["value"] not in NO_VALUE]
WITHOUT = [row for row in _results() if row["value"] in NO_VALUE]


def _kept(ours: Rolled) -> str:
    """The faces that are kept of each term's dice, sorted: d20 re-rolls several dice in any order."""
    faces = [
        (sorted(die.value for die in pool.dice if die.kept), sum(len(die.faces) for die in pool.dice))
        for pool in ours.dice
    ]
    return " ".join(f"{','.join(map(str, kept))}/{count}" for kept, count in faces)


def test_the_table_has_every_kind_of_result() -> None:
    assert len(WITH_VALUE) > 500
    assert {row["value"] for row in WITHOUT} == set(NO_VALUE)


@pytest.mark.parametrize("row", WITH_VALUE, ids=lambda row: row["expression"])
def test_every_expression_comes_to_the_same_total_with_the_same_dice_kept(row: dict[str, str]) -> None:
    dice = ScriptedDice(row["dice"])

    ours = roll(row["expression"], dice)

    assert ours.value == Fraction(row["value"])
    assert ours.total == int(row["total"])
    assert " ".join(f"d{fall.sides}:{fall.face}" for fall in ours.throws) == row["dice"]
    assert _kept(ours) == row["kept"]


@pytest.mark.parametrize("row", WITHOUT, ids=lambda row: row["expression"])
def test_an_expression_without_a_value_is_refused_for_the_same_reason(row: dict[str, str]) -> None:
    with pytest.raises(NO_VALUE[row["value"]]):
        roll(row["expression"], FairDice(b"any", "1"))
