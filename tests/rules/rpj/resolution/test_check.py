"""The check: two dice, what is added, seven and the difficulty."""

from fractions import Fraction
from typing import Any

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, NamedTerm, Roll, Term, Verdict
from bot.rules.kernel.odds import Chance
from bot.rules.rpj.resolution.check import CHECK, RpjResult, check_odds, inputs_of
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs
from tests.rules.rpj.throws import d6, enumerated, inputs, read, thrown, told


@pytest.mark.rule("RPJ-DICE-01")
class TestCheck:
    def test_seven_succeeds_where_nothing_else_is_said(self) -> None:
        reading = read(inputs(), 3, 4)

        assert (reading.total, reading.result, reading.margin) == (7, RpjResult.EXACT, 0)

    def test_six_fails(self) -> None:
        reading = read(inputs(), 2, 4)

        assert (reading.total, reading.result, reading.margin) == (6, RpjResult.FAILURE, -1)

    def test_everything_is_added_and_told(self) -> None:
        asked = RpjCheckInputs(
            terms=(NamedTerm(label="Stealth", value=3), NamedTerm(label="rain", value=-2)), difficulty=1
        )

        assert CHECK.resolve(asked, d6(3, 4)) == Roll(
            rule="check",
            inputs=asked,
            dice=(Die(sides=6, face=3), Die(sides=6, face=4)),
            terms=(Term("Stealth", 3), Term("rain", -2)),
            total=8,
            against="8+",
            verdict=Verdict(Family.PARTIAL, "success, perhaps with a complication"),
            odds=check_odds(asked),
            fell="exact success",
            purpose="check",
        )

    def test_meeting_the_target_number_is_enough(self) -> None:
        assert read(inputs(3, 8, -2), 3, 4).degrees == 0


@pytest.mark.rule("RPJ-DICE-02")
class TestTargetNumber:
    def test_bonuses_and_penalties_go_to_the_roll_and_the_difficulty_to_the_target(self) -> None:
        roll = thrown(inputs(4, 10, 1, -2), 4, 3)

        assert (roll.total, roll.against, roll.fell) == (10, "10+", "exact success")
        assert roll.terms == (Term("level", 4), Term("bonus", 1), Term("penalty", -2))

    @pytest.mark.parametrize(("difficulty", "target"), [(0, 7), (-1, 6), (3, 10), (12, 19)])
    def test_it_is_seven_and_the_difficulty(self, difficulty: int, target: int) -> None:
        assert RpjCheckInputs(difficulty=difficulty).target == target

    def test_what_the_other_side_adds_goes_to_the_target_number(self) -> None:
        asked = RpjCheckInputs(difficulty=1, opposition=(NamedTerm(label="on guard", value=2),))

        assert asked.target == 10


@pytest.mark.rule("RPJ-SKILL-09")
class TestDegrees:
    @pytest.mark.parametrize(
        ("total", "target", "degrees"), [pytest.param(9, 8, 1), pytest.param(10, 10, 0), (14, 10, 4)]
    )
    def test_they_are_the_margin_of_a_success(self, total: int, target: int, degrees: int) -> None:
        assert read(inputs(total - 7, target), 3, 4).degrees == degrees

    def test_a_failure_has_a_margin_and_no_degrees(self) -> None:
        reading = read(inputs(0, 9), 3, 4)

        assert (reading.margin, reading.degrees) == (-2, None)

    @pytest.mark.parametrize(
        ("target", "title"),
        [
            (8, "failure by 1"),
            (7, "success, perhaps with a complication"),
            (6, "success, 1 degree"),
            (3, "success, 4 degrees"),
        ],
    )
    def test_they_are_told(self, target: int, title: str) -> None:
        assert thrown(inputs(0, target), 3, 4).verdict.title == title


@pytest.mark.rule("RPJ-SKILL-10")
class TestComplication:
    @pytest.mark.parametrize(
        ("total", "target", "result"),
        [(10, 10, RpjResult.EXACT), (11, 11, RpjResult.EXACT), (11, 10, RpjResult.SUCCESS)],
    )
    def test_an_exact_match_may_bring_one_and_succeeds(
        self, total: int, target: int, result: RpjResult
    ) -> None:
        reading = read(inputs(total - 7, target), 3, 4)

        assert reading.result is result
        assert reading.result.is_success

    @pytest.mark.parametrize("kind", ["attribute bonus", "saving throw", "Luck", "damage save"])
    def test_only_skill_and_attribute_checks_have_them(self, kind: str) -> None:
        assert thrown(inputs(0, 7, kind=kind), 3, 4).verdict.title == "success, 0 degrees"

    def test_an_attribute_check_that_stands_in_for_a_skill_has_them(self) -> None:
        assert read(inputs(0, 7, kind="attribute"), 3, 4).result is RpjResult.EXACT

    def test_a_critical_success_is_no_exact_match(self) -> None:
        reading = read(inputs(0, 12), 6, 6)

        assert (reading.result, reading.degrees) == (RpjResult.CRITICAL_SUCCESS, 1)


CHECKS: list[dict[str, Any]] = [
    {},
    {"level": 4, "target": 11},
    {"level": 6, "target": 20},
    {"level": 8, "target": 9},
    {"level": 8, "target": 9, "criticals": {"check_failure": "ask"}},
    {"target": 14, "criticals": {"check_success": "never"}},
    {"target": 14, "criticals": {"check_success": "always"}},
    {"target": 14, "kind": "damage save"},
    {"target": 14, "kind": "damage save", "criticals": {"combat": "ask"}},
    {"level": 2, "target": 9, "criticals": {"mode": "confirm"}},
    {"level": 2, "target": 14, "criticals": {"mode": "wide"}},
    {"level": 2, "target": 9, "criticals": {"mode": "wide", "confirm_fail_max": 1, "confirm_success_min": 2}},
    {"level": 4, "target": 11, "has_extra_die": True},
    {"level": 4, "target": 11, "has_extra_die": True, "criticals": {"mode": "wide"}},
    {"level": 4, "target": 11, "has_extra_die": True, "criticals": {"mode": "confirm"}},
    {"level": 4, "target": 13, "has_extra_die": True, "fallen": (2, 3)},
    {"level": 4, "target": 13, "has_extra_die": True, "fallen": (5, 6), "criticals": {"mode": "wide"}},
    {
        "target": 13,
        "has_extra_die": True,
        "fallen": (5, 6),
        "confirmation": 2,
        "criticals": {"mode": "wide"},
    },
]


def _asked(case: dict[str, Any]) -> RpjCheckInputs:
    rest = {key: value for key, value in case.items() if key not in ("level", "target")}
    return inputs(case.get("level", 0), case.get("target", 7), **rest)


@pytest.mark.rule("RPJ-DICE-10")
class TestOdds:
    @pytest.mark.parametrize("case", CHECKS, ids=str)
    def test_every_fall_of_the_dice_counted_gives_the_odds(self, case: dict[str, Any]) -> None:
        asked = _asked(case)

        assert enumerated(lambda dice: CHECK.resolve(asked, dice)) == told(check_odds(asked))

    @pytest.mark.parametrize("case", CHECKS, ids=str)
    def test_icepool_agrees(self, case: dict[str, Any]) -> None:
        asked = _asked(case)
        dice = [icepool.Die([face]) for face in asked.fallen]
        dice += [icepool.d6] * (asked.dice - len(dice))
        confirmation = icepool.d6 if asked.confirmation is None else icepool.Die([asked.confirmation])
        low, high = asked.criticals.confirm_fail_max, asked.criticals.confirm_success_min
        mode = str(asked.criticals.mode)
        save = asked.kind is CheckKind.DAMAGE_SAVE
        lucky = str(asked.criticals.combat if save else asked.criticals.check_success)
        unlucky = str(asked.criticals.combat if save else asked.criticals.check_failure)

        def outcome(*faces: int) -> str:
            *rolled, confirmed = faces
            summed = sum(sorted(rolled)[-2:])
            total = summed + asked.modifier
            is_low = {"normal": summed == 2, "confirm": summed == 2 and confirmed <= low}.get(
                mode, summed == 2 or (summed == 3 and confirmed <= low)
            )
            is_high = {"normal": summed == 12, "confirm": summed == 12 and confirmed >= high}.get(
                mode, summed == 12 or (summed == 11 and confirmed >= high)
            )
            if is_low and (total < asked.target or unlucky == "always"):
                return "critical failure"
            if is_high and (total >= asked.target or lucky == "always"):
                return "critical success"
            if is_low or (is_high and lucky == "ask"):
                return "for the GM to decide"
            if total == asked.target and not save:
                return "exact success"
            return "success" if total >= asked.target else "failure"

        expected = icepool.map(outcome, *dice, confirmation)

        assert told(check_odds(asked)) == {name: expected.probability(name) for name in expected}

    def test_they_go_from_the_worst_to_the_best_and_say_what_is_enough(self) -> None:
        odds = check_odds(inputs(4, 11))

        assert odds.chances == (
            ("critical failure", Chance(1, 36)),
            ("failure", Chance(14, 36)),
            ("exact success", Chance(6, 36)),
            ("success", Chance(14, 36)),
            ("critical success", Chance(1, 36)),
        )
        assert odds.needed == "exact success"
        assert odds.enough == Fraction(21, 36)

    def test_what_is_out_of_reach_has_no_chance_but_the_gms_word(self) -> None:
        odds = check_odds(inputs(0, 13))

        assert odds.enough == 0
        assert dict(odds.chances)["for the GM to decide"] == Chance(1, 36)


class TestInputs:
    def test_unknown_fields_are_refused(self) -> None:
        with pytest.raises(ValidationError):
            inputs(luck=1)

    def test_more_dice_cannot_lie_there_than_the_check_has(self) -> None:
        with pytest.raises(ValidationError, match="A check of 2 dice cannot have 3 on the table"):
            inputs(fallen=(1, 2, 3))

    @pytest.mark.parametrize("kept", [(0, 0), (1, 0), (1, 2), (-1, 0)])
    def test_two_different_dice_are_kept(self, kept: tuple[int, int]) -> None:
        with pytest.raises(ValidationError, match="Two different dice of 2 are kept"):
            inputs(kept=kept)

    def test_which_of_three_dice_are_kept_may_be_chosen(self) -> None:
        roll = thrown(inputs(has_extra_die=True, kept=(0, 2)), 2, 6, 3)

        assert roll.total == 5
        assert [die.is_kept for die in roll.dice] == [True, False, True]

    def test_they_are_found_in_the_roll_again(self) -> None:
        asked = inputs(3, 9)

        assert inputs_of(thrown(asked, 3, 4)) == asked
