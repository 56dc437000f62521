"""The check: two dice, what is added, seven and the difficulty."""

from fractions import Fraction
from typing import Any

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, NamedTerm, Roll, Term, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.rpj.module.decision_tables import CHOICE, ChoiceInputs, choice_odds
from bot.rules.rpj.resolution.check import (
    CHECK,
    EXTRA,
    RpjResult,
    chance_words,
    check_odds,
    inputs_of,
    shown_dice,
)
from bot.rules.rpj.resolution.check_inputs import CheckKind, Policy, RpjCheckInputs, Word
from tests.dice import ScriptedDice
from tests.rules.rpj.throws import d6, enumerated, inputs, read, thrown, told


@pytest.mark.rule("RPJ-DICE-01")
class TestCheck:
    def test_a_total_of_7_succeeds_by_default(self) -> None:
        reading = read(inputs(), 3, 4)

        assert (reading.total, reading.result, reading.margin) == (7, RpjResult.EXACT, 0)

    def test_a_total_of_6_fails_by_default(self) -> None:
        reading = read(inputs(), 2, 4)

        assert (reading.total, reading.result, reading.margin) == (6, RpjResult.FAILURE, -1)

    def test_a_check_adds_and_lists_every_modifier(self) -> None:
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
            outcome="exact success",
            purpose="check",
        )

    def test_meeting_the_target_number_is_a_success(self) -> None:
        assert read(inputs(3, 8, -2), 3, 4).degrees == 0


@pytest.mark.rule("RPJ-DICE-02")
class TestTargetNumber:
    def test_bonuses_change_the_roll_and_the_difficulty_changes_the_target_number(self) -> None:
        roll = thrown(inputs(4, 10, 1, -2), 4, 3)

        assert (roll.total, roll.against, roll.outcome) == (10, "10+", "exact success")
        assert roll.terms == (Term("level", 4), Term("bonus", 1), Term("penalty", -2))

    @pytest.mark.parametrize(("difficulty", "target"), [(0, 7), (-1, 6), (3, 10), (12, 19)])
    def test_the_target_number_is_7_plus_the_difficulty(self, difficulty: int, target: int) -> None:
        assert RpjCheckInputs(difficulty=difficulty).target == target

    def test_the_opponents_bonuses_raise_the_target_number(self) -> None:
        asked = RpjCheckInputs(difficulty=1, opposition=(NamedTerm(label="on guard", value=2),))

        assert asked.target == 10


@pytest.mark.rule("RPJ-SKILL-09")
class TestDegrees:
    @pytest.mark.parametrize(
        ("total", "target", "degrees"), [pytest.param(9, 8, 1), pytest.param(10, 10, 0), (14, 10, 4)]
    )
    def test_degrees_are_the_margin_of_a_success(self, total: int, target: int, degrees: int) -> None:
        assert read(inputs(total - 7, target), 3, 4).degrees == degrees

    def test_a_failure_has_a_margin_but_no_degrees(self) -> None:
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
    def test_a_verdict_names_its_degrees_or_margin(self, target: int, title: str) -> None:
        assert thrown(inputs(0, target), 3, 4).verdict.title == title


@pytest.mark.rule("RPJ-SKILL-10")
class TestComplication:
    @pytest.mark.parametrize(
        ("total", "target", "result"),
        [(10, 10, RpjResult.EXACT), (11, 11, RpjResult.EXACT), (11, 10, RpjResult.SUCCESS)],
    )
    def test_an_exact_match_succeeds_and_may_bring_a_complication(
        self, total: int, target: int, result: RpjResult
    ) -> None:
        reading = read(inputs(total - 7, target), 3, 4)

        assert reading.result is result
        assert reading.result.is_success

    @pytest.mark.parametrize("kind", ["attribute bonus", "saving throw", "Luck", "damage save"])
    def test_only_skill_and_attribute_checks_can_have_complications(self, kind: str) -> None:
        assert thrown(inputs(0, 7, kind=kind), 3, 4).verdict.title == "success, 0 degrees"

    def test_an_attribute_check_in_place_of_a_skill_check_can_have_a_complication(self) -> None:
        assert read(inputs(0, 7, kind="attribute"), 3, 4).result is RpjResult.EXACT

    def test_a_critical_success_is_never_an_exact_match(self) -> None:
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
class TestOddsOfACheck:
    @pytest.mark.parametrize("case", CHECKS, ids=str)
    def test_the_odds_of_a_check_match_a_count_of_every_roll(self, case: dict[str, Any]) -> None:
        asked = _asked(case)

        assert enumerated(lambda dice: CHECK.resolve(asked, dice)) == told(check_odds(asked))

    @pytest.mark.parametrize("case", CHECKS, ids=str)
    def test_icepool_gives_the_same_odds_of_a_check(self, case: dict[str, Any]) -> None:
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

    def test_the_odds_go_from_worst_to_best_and_name_the_result_needed(self) -> None:
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

    def test_a_target_out_of_reach_succeeds_only_if_the_gm_accepts_double_sixes(self) -> None:
        odds = check_odds(inputs(0, 13))

        assert odds.enough == 0
        assert dict(odds.chances)["for the GM to decide"] == Chance(1, 36)


class TestCheckInputs:
    def test_a_check_with_an_unknown_field_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            inputs(luck=1)

    def test_a_check_cannot_start_with_more_dice_on_the_table_than_it_has(self) -> None:
        with pytest.raises(ValidationError, match="A check of 2 dice cannot have 3 on the table"):
            inputs(fallen=(1, 2, 3))

    @pytest.mark.parametrize("kept", [(0, 0), (1, 0), (1, 2), (-1, 0)])
    def test_the_two_dice_kept_must_be_different(self, kept: tuple[int, int]) -> None:
        with pytest.raises(ValidationError, match="Two different dice of 2 are kept"):
            inputs(kept=kept)

    def test_the_player_may_choose_which_two_of_three_dice_to_keep(self) -> None:
        roll = thrown(inputs(has_extra_die=True, kept=(0, 2)), 2, 6, 3)

        assert roll.total == 5
        assert [die.is_kept for die in roll.dice] == [True, False, True]

    def test_a_roll_keeps_the_inputs_of_its_check(self) -> None:
        asked = inputs(3, 9)

        assert inputs_of(thrown(asked, 3, 4)) == asked


@pytest.mark.rule("RPJ-DICE-03")
@pytest.mark.parametrize(
    ("ruled", "counted", "stands"),
    [((), (6, 6), True), ((1, 1), (1, 1), True), ((2, 6), (6, 2), True), ((1, 1), (6, 6), False)],
)
def test_the_gms_word_is_about_the_dice_it_was_given_on(
    ruled: tuple[int, ...], counted: tuple[int, ...], stands: bool
) -> None:
    said = inputs(word="accepted", ruled=ruled)

    assert said.word_on(counted) == ("accepted" if stands else None)


@pytest.mark.parametrize(
    ("more", "is_allowed"),
    [
        ({"kept": (0, 1)}, True),
        ({"kept": (1, 2)}, False),
        ({"kept": (1, 2), "has_extra_die": True}, True),
        ({"kept": (0, 2), "has_extra_die": True}, True),
        ({"kept": (1, 1)}, False),
        ({"kept": (1, 0)}, False),
        ({"kept": (-1, 0)}, False),
        ({"kept": (3, 4), "criticals": {"with_coins": True}}, True),
        ({"kept": (4, 5), "criticals": {"with_coins": True}}, False),
        ({"fallen": (1, 2)}, True),
        ({"fallen": (1, 2, 3)}, False),
        ({"fallen": (1, 2, 3), "has_extra_die": True}, True),
    ],
)
def test_two_different_dice_of_those_rolled_are_kept(more: dict[str, Any], is_allowed: bool) -> None:
    if is_allowed:
        assert inputs(**more)
    else:
        with pytest.raises(ValidationError):
            inputs(**more)


@pytest.mark.parametrize(
    ("asked", "faces", "labels"),
    [
        (inputs(), (3, 4), ["", ""]),
        (inputs(has_extra_die=True), (3, 4, 5), ["", "", EXTRA]),
        (inputs(criticals={"with_coins": True}), (2, 2, 1, 1, 2), [""] * 5),
        (inputs(criticals={"with_coins": True}, has_extra_die=True), (2, 2, 1, 1, 2, 1), [""] * 5 + [EXTRA]),
    ],
)
def test_only_the_die_of_a_lucky_break_is_marked_as_extra(
    asked: RpjCheckInputs, faces: tuple[int, ...], labels: list[str]
) -> None:
    assert [die.label for die in shown_dice(asked, faces)] == labels


@pytest.mark.rule("RPJ-SKILL-11")
@pytest.mark.parametrize(
    ("asked", "faces", "title"),
    [
        (inputs(4, 7), (2, 3), "success, 2 degrees"),
        (inputs(4, 8), (2, 3), "success, 1 degree"),
        (inputs(4, 9), (2, 3), "success, perhaps with a complication"),
        (inputs(4, 9, kind="attack"), (2, 3), "success, 0 degrees"),
        (inputs(4, 10), (2, 3), "failure by 1"),
        (inputs(4, 12), (2, 3), "failure by 3"),
        (inputs(0, 12), (6, 6), "critical success, 1 degree"),
        (inputs(1, 12), (6, 6), "critical success, 2 degrees"),
        (inputs(9, 2), (1, 1), "critical failure"),
        (inputs(0, 13), (6, 6), "critical success if the GM agrees"),
    ],
)
def test_a_result_is_told_with_its_degrees(asked: RpjCheckInputs, faces: tuple[int, int], title: str) -> None:
    verdict = thrown(asked, *faces).verdict

    assert verdict is not None
    assert verdict.title == title


ASK, ALWAYS, NEVER = Policy.ASK, Policy.ALWAYS, Policy.NEVER
ACCEPTED, OVERRULED = Word.ACCEPTED, Word.OVERRULED
UNDECIDED, FAILED = RpjResult.UNDECIDED, RpjResult.FAILURE
LUCKY, UNLUCKY = RpjResult.CRITICAL_SUCCESS, RpjResult.CRITICAL_FAILURE


@pytest.mark.rule("RPJ-DICE-03")
@pytest.mark.parametrize(
    ("policy", "word", "face", "target", "result"),
    [
        (ASK, None, 6, 12, LUCKY),
        (ASK, None, 6, 13, UNDECIDED),
        (ASK, ACCEPTED, 6, 13, LUCKY),
        (ASK, OVERRULED, 6, 13, FAILED),
        (ALWAYS, None, 6, 13, LUCKY),
        (NEVER, None, 6, 13, FAILED),
        (NEVER, ACCEPTED, 6, 13, LUCKY),
        (ASK, None, 1, 3, UNLUCKY),
        (ASK, None, 1, 2, UNDECIDED),
        (ASK, None, 1, 1, UNDECIDED),
        (ASK, ACCEPTED, 1, 2, UNLUCKY),
        (ASK, OVERRULED, 1, 2, RpjResult.EXACT),
        (ASK, OVERRULED, 1, 1, RpjResult.SUCCESS),
        (ASK, OVERRULED, 1, 3, FAILED),
        (ALWAYS, None, 1, 1, UNLUCKY),
        (NEVER, None, 1, 1, UNLUCKY),
    ],
)
def test_the_policy_and_the_gm_decide_about_criticals_against_the_total(
    policy: Policy, word: Word | None, face: int, target: int, result: RpjResult
) -> None:
    asked = inputs(0, target, criticals={"check_success": policy, "check_failure": policy}, word=word)

    assert read(asked, face, face).result is result
    fighting = {"check_success": NEVER, "check_failure": NEVER, "combat": policy}
    in_combat = read(inputs(0, target, kind="attack", criticals=fighting, word=word), face, face).result
    assert in_combat is (RpjResult.SUCCESS if result is RpjResult.EXACT else result)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (inputs(0, 7), "58%"),
        (inputs(0, 14, criticals={"check_success": "never"}), "0%"),
        (inputs(9, 2, word="overruled"), "100%"),
    ],
)
def test_the_chance_of_a_check_is_told_even_if_there_is_none(asked: RpjCheckInputs, words: str) -> None:
    assert chance_words(asked) == words


def halving(*items: str) -> ChoiceInputs:
    return ChoiceInputs(items=items, is_uniform=False)


NUMBERS = halving(*(str(number) for number in range(1, 25)))


@pytest.mark.rule("RPJ-DICE-09")
class TestHalvingChoice:
    def test_each_die_of_a_halving_choice_keeps_one_half(self) -> None:
        roll = CHOICE.resolve(NUMBERS, d6(5, 2, 1, 6, 4))

        assert roll.outcome == "15"
        assert [die.label for die in roll.dice] == ["13 to 24", "13 to 18", "13 to 15", "14 to 15", "15"]

    @pytest.mark.parametrize(
        ("items", "faces", "labels"),
        [
            ("ABC", (1, 6), ["A to B", "B"]),
            ("ABC", (6, 1), ["B to C", "B"]),
            ("ABCDE", (3, 4, 2), ["A to C", "B to C", "B"]),
            ("A", (), []),
        ],
    )
    def test_a_middle_item_belongs_to_the_half_that_is_kept(
        self, items: str, faces: tuple[int, ...], labels: list[str]
    ) -> None:
        roll = CHOICE.resolve(halving(*items), d6(*faces))

        assert [die.label for die in roll.dice] == labels

    def test_halving_three_items_does_not_make_them_equally_likely(self) -> None:
        assert choice_odds(halving("A", "B", "C")).chances == (
            ("A", Chance(1, 4)),
            ("B", Chance(2, 4)),
            ("C", Chance(1, 4)),
        )

    @pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 9])
    def test_the_odds_of_a_choice_match_a_count_of_every_roll(self, count: int) -> None:
        asked = halving(*"ABCDEFGHI"[:count])

        assert enumerated(lambda dice: CHOICE.resolve(asked, dice)) == told(choice_odds(asked))

    def test_icepool_gives_the_same_odds_of_a_choice(self) -> None:
        def narrowed(first: int, second: int, third: int) -> str:
            left = "ABCDE"
            for face in (first, second, third):
                size = -(-len(left) // 2)
                left = left[-size:] if face > 3 else left[:size]
            return left

        expected = icepool.map(narrowed, icepool.d6, icepool.d6, icepool.d6)

        assert told(choice_odds(halving(*"ABCDE"))) == {item: expected.probability(item) for item in "ABCDE"}


class TestUniformChoice:
    def test_a_uniform_choice_takes_one_die(self) -> None:
        roll = CHOICE.resolve(ChoiceInputs(items=("a", "b", "c")), ScriptedDice("d3:2"))

        assert roll.verdict.title == "b"

    def test_an_item_named_twice_is_twice_as_likely(self) -> None:
        asked = ChoiceInputs(items=("a", "b", "a"))

        assert choice_odds(asked).chances == (("a", Chance(2, 3)), ("b", Chance(1, 3)))
        assert enumerated(lambda dice: CHOICE.resolve(asked, dice)) == told(choice_odds(asked))

    @pytest.mark.parametrize("items", [(), ("a", " "), ("a",) * 101])
    def test_a_choice_takes_one_to_a_hundred_items(self, items: tuple[str, ...]) -> None:
        with pytest.raises(ValidationError):
            ChoiceInputs(items=items)
