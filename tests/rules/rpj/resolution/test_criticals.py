"""Criticals: what makes one, and what it is worth."""

import pytest

from bot.rules.kernel import Die, Family, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.rpj.character.lucky_breaks import with_extra_die, with_word
from bot.rules.rpj.resolution.check import (
    RpjResult,
    check_odds,
)
from bot.rules.rpj.resolution.check_inputs import Critical
from tests.rules.rpj.throws import inputs, read, thrown


@pytest.mark.rule("RPJ-DICE-03")
class TestCriticals:
    def test_double_sixes_below_the_target_number_wait_for_the_gm(self) -> None:
        roll = thrown(inputs(0, 20), 6, 6)

        assert (roll.total, roll.outcome) == (12, "for the GM to decide")
        assert roll.verdict == Verdict(Family.PARTIAL, "critical success if the GM agrees")

    @pytest.mark.parametrize(
        ("word", "result"), [("accepted", RpjResult.CRITICAL_SUCCESS), ("overruled", RpjResult.FAILURE)]
    )
    def test_the_gm_decides_about_a_critical_without_a_new_die(self, word: str, result: RpjResult) -> None:
        decided = thrown(inputs(0, 20, fallen=(6, 6), word=word))

        assert decided.dice == ()
        assert decided.outcome == result
        assert [(die.face, die.is_kept) for die in decided.earlier] == [(6, True), (6, True)]

    def test_double_ones_fail_whatever_the_total(self) -> None:
        reading = read(inputs(8, 9), 1, 1)

        assert (reading.total, reading.result, reading.critical) == (
            10,
            RpjResult.CRITICAL_FAILURE,
            Critical.FAILURE,
        )

    def test_the_gm_can_overrule_double_ones(self) -> None:
        assert read(inputs(8, 9, fallen=(1, 1), word="overruled")).result is RpjResult.SUCCESS

    @pytest.mark.parametrize(
        ("extra", "result", "total", "degrees"),
        [(1, RpjResult.CRITICAL_FAILURE, 10, None), (3, RpjResult.SUCCESS, 12, 3)],
    )
    def test_criticals_depend_on_the_two_dice_kept(
        self, extra: int, result: RpjResult, total: int, degrees: int | None
    ) -> None:
        reading = read(inputs(8, 9, fallen=(1, 1), has_extra_die=True), extra)

        assert (reading.result, reading.total, reading.degrees) == (result, total, degrees)

    def test_the_gms_decision_about_one_critical_does_not_cover_another(self) -> None:
        wide = {"criticals": {"mode": "wide"}, "confirmation": 5}
        overruled = with_word(thrown(inputs(0, 20, fallen=(5, 6), **wide)), "overruled")

        same = thrown(with_extra_die(thrown(overruled)), 1)
        other = thrown(with_extra_die(thrown(overruled)), 6)

        assert (same.outcome, other.outcome) == (RpjResult.FAILURE, RpjResult.UNDECIDED)

    def test_the_gms_decision_stands_while_the_same_two_dice_are_kept(self) -> None:
        overruled = with_word(thrown(inputs(8, 9, fallen=(1, 1))), "overruled")

        assert thrown(with_extra_die(thrown(overruled)), 1).outcome == RpjResult.SUCCESS

    def test_a_critical_success_has_one_more_degree(self) -> None:
        reading = read(inputs(2, 10), 6, 6)

        assert (reading.total, reading.result, reading.degrees) == (14, RpjResult.CRITICAL_SUCCESS, 5)

    def test_a_six_and_a_five_are_no_critical(self) -> None:
        assert read(inputs(), 6, 5).critical is Critical.NONE

    def test_the_gm_is_never_asked_about_criticals_on_damage_saves(self) -> None:
        save = {"kind": "damage save"}

        assert read(inputs(0, 15, **save), 6, 6).result is RpjResult.CRITICAL_SUCCESS
        assert read(inputs(0, 2, **save), 1, 1).result is RpjResult.CRITICAL_FAILURE

    @pytest.mark.parametrize(
        ("policy", "result"),
        [
            ("ask", RpjResult.UNDECIDED),
            ("always", RpjResult.CRITICAL_SUCCESS),
            ("never", RpjResult.FAILURE),
        ],
    )
    def test_a_campaign_may_decide_in_advance_about_double_sixes_below_the_target(
        self, policy: str, result: RpjResult
    ) -> None:
        assert read(inputs(0, 20, criticals={"check_success": policy}), 6, 6).result is result

    @pytest.mark.parametrize(
        ("level", "word", "result"),
        [
            (8, None, RpjResult.UNDECIDED),
            (8, "accepted", RpjResult.CRITICAL_FAILURE),
            (8, "overruled", RpjResult.SUCCESS),
            (0, None, RpjResult.CRITICAL_FAILURE),
        ],
    )
    def test_a_campaign_may_have_the_gm_decide_about_double_ones(
        self, level: int, word: str | None, result: RpjResult
    ) -> None:
        asked = inputs(level, 9, fallen=(1, 1), word=word, criticals={"check_failure": "ask"})

        assert read(asked).result is result

    def test_each_kind_of_critical_has_a_chance_of_1_in_36(self) -> None:
        chances = dict(check_odds(inputs()).chances)

        assert (chances["critical success"], chances["critical failure"]) == (Chance(1, 36), Chance(1, 36))


@pytest.mark.rule("RPJ-SKILL-11")
class TestDegreesOfCriticals:
    @pytest.mark.parametrize(
        ("level", "target", "more", "degrees"),
        [(2, 10, {}, 5), (0, 12, {}, 1), (0, 15, {"word": "accepted"}, 1)],
    )
    def test_a_critical_success_has_one_more_degree_and_at_least_1(
        self, level: int, target: int, more: dict[str, str], degrees: int
    ) -> None:
        assert read(inputs(level, target, fallen=(6, 6), **more)).degrees == degrees


@pytest.mark.rule("RPJ-DICE-04")
class TestRarerCriticals:
    @pytest.mark.parametrize(
        ("pair", "confirmation", "critical"),
        [
            ((6, 6), 4, Critical.SUCCESS),
            ((6, 6), 3, Critical.NONE),
            ((1, 1), 3, Critical.FAILURE),
            ((1, 1), 4, Critical.NONE),
        ],
    )
    def test_a_rarer_critical_is_confirmed_by_one_more_die(
        self, pair: tuple[int, int], confirmation: int, critical: Critical
    ) -> None:
        roll = thrown(inputs(criticals={"mode": "confirm"}), *pair, confirmation)

        assert read(inputs(criticals={"mode": "confirm"}), *pair, confirmation).critical is critical
        pips = "⚀⚁⚂⚃⚄⚅"[confirmation - 1]
        assert roll.dice[2] == Die(
            sides=6, face=confirmation, label="confirmation", shown=f"confirmation {pips}"
        )
        assert roll.total == sum(pair)

    def test_a_pair_that_could_not_be_critical_rolls_no_confirmation_die(self) -> None:
        assert len(thrown(inputs(criticals={"mode": "confirm"}), 5, 6).dice) == 2

    def test_each_kind_of_rarer_critical_has_a_chance_of_1_in_72(self) -> None:
        chances = dict(check_odds(inputs(criticals={"mode": "confirm"})).chances)

        assert chances["critical success"] == chances["critical failure"] == Chance(3, 216)

    def test_a_campaign_sets_the_bounds_for_confirming_a_critical(self) -> None:
        rare = {"mode": "confirm", "confirm_fail_max": 1, "confirm_success_min": 6}

        assert read(inputs(criticals=rare), 1, 1, 2).critical is Critical.NONE
        assert read(inputs(criticals=rare), 6, 6, 5).critical is Critical.NONE


@pytest.mark.rule("RPJ-DICE-05")
class TestMoreFrequentCriticals:
    @pytest.mark.parametrize(
        ("faces", "critical", "sum_"),
        [
            ((1, 2, 2), Critical.FAILURE, 3),
            ((1, 2, 4), Critical.NONE, 3),
            ((5, 6, 5), Critical.SUCCESS, 11),
            ((5, 6, 3), Critical.NONE, 11),
            ((6, 6), Critical.SUCCESS, 12),
            ((1, 1), Critical.FAILURE, 2),
        ],
    )
    def test_a_3_and_an_11_roll_a_confirmation_die_where_criticals_are_frequent(
        self, faces: tuple[int, ...], critical: Critical, sum_: int
    ) -> None:
        reading = read(inputs(criticals={"mode": "wide"}), *faces)

        assert (reading.critical, reading.total) == (critical, sum_)

    def test_each_kind_of_frequent_critical_has_a_chance_of_2_in_36(self) -> None:
        chances = dict(check_odds(inputs(criticals={"mode": "wide"})).chances)

        assert chances["critical success"] == chances["critical failure"] == Chance(12, 216)

    def test_a_lucky_break_that_leaves_the_critical_pair_keeps_its_confirmation_die(self) -> None:
        lying = inputs(0, 7, fallen=(5, 6), confirmation=5, has_extra_die=True, criticals={"mode": "wide"})

        assert read(lying, 2).critical is Critical.SUCCESS

    def test_a_lucky_break_that_makes_a_critical_pair_rolls_its_confirmation_die(self) -> None:
        lying = inputs(0, 7, fallen=(2, 6), has_extra_die=True, criticals={"mode": "wide"})

        assert read(lying, 5, 6).critical is Critical.SUCCESS
