"""Proficiency tests: 2d6, the modifier of an attribute and ranks against a difficulty."""

from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, Roll, Term, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.sword_and_swarm.performing import read_difficulty
from bot.rules.sword_and_swarm.sheet import SwarmSheet
from bot.rules.sword_and_swarm.tests import (
    attribute_odds,
    confirm_value,
    proficiency_modifier,
    proficiency_odds,
    with_confirm,
)
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import (
    attribute_inputs,
    fell,
    lay,
    proficiency_inputs,
    rolled_attribute,
    rolled_proficiency,
    sheet,
    vectors,
)

TRAINED = {"Architecture": 2}
REACHED = ("SWARM-PROF-01", "SWARM-PROF-03", "SWARM-PROF-04", "SWARM-PROF-07", "SWARM-PROF-08")


@pytest.mark.rule("SWARM-PROF-01")
class TestProficiencyTest:
    @pytest.mark.rule("SWARM-PROF-03", "SWARM-PROF-04", "SWARM-PROF-07", "SWARM-PROF-08")
    @pytest.mark.parametrize("row", vectors("proficiency_test", *REACHED))
    def test_dice_modifier_ranks_and_bonuses_must_reach_the_difficulty_and_ones_make_it_worse(
        self, row: dict[str, Any]
    ) -> None:
        roll = rolled_proficiency(row)

        assert (roll.total, roll.outcome) == (row["total"], row["result"])

    def test_a_proficiency_test_shows_its_dice_terms_and_odds(self) -> None:
        table = lay(sheet(proficiencies=TRAINED))

        done = table.do("Ash", "proficiency", "d6:3 d6:4", proficiency="architecture", difficulty="10")

        (roll,) = done.rolls
        assert done.headline == "tests Architecture (proficiency, Runes)"
        assert done.notes == ()
        assert roll == Roll(
            rule="proficiency",
            inputs=roll.inputs,
            dice=(Die(sides=6, face=3), Die(sides=6, face=4)),
            terms=(Term("Runes", 1), Term("ranks", 2)),
            total=10,
            against="10 (difficult)",
            verdict=Verdict(Family.SUCCESS, "success"),
            odds=proficiency_odds(proficiency_inputs({"value": 5, "ranks": 2, "difficulty": 10})),
            outcome="success",
            purpose="test",
            roller=roll.roller,
        )


@pytest.mark.rule("SWARM-PROF-02")
class TestGoverningAttribute:
    def test_architecture_uses_runes(self, table: GameTable) -> None:
        shown = table.do("Ash", "show_lists")

        assert "Proficiencies: Architecture (Runes)" in shown.notes
        assert not shown.is_public

    def test_the_gm_adds_other_proficiencies(self, table: GameTable) -> None:
        added = table.do("GM", "add_proficiency", name="Riding", attribute="Key")

        assert added.headline == "adds Riding: Key (campaign proficiencies)"
        done = table.do("Ash", "proficiency", "d6:3 d6:4", proficiency="riding", difficulty="6")
        assert done.headline == "tests Riding (proficiency, Key)"
        assert done.rolls[0].terms == (Term("Key", -1),)

    def test_an_unknown_proficiency_is_refused(self, table: GameTable) -> None:
        mistake = table.refused("Ash", "proficiency", proficiency="Juggling", difficulty="6")

        assert mistake.what == "There is no proficiency “Juggling” in this campaign."
        assert mistake.allowed == "Choose from: Architecture."


@pytest.mark.rule("SWARM-PROF-03")
class TestSeriousFailure:
    def test_a_serious_failure_gives_its_reason(self, table: GameTable) -> None:
        done = table.do("Ash", "proficiency", "d6:1 d6:5", proficiency="Architecture", difficulty="8")

        assert done.verdict == Verdict(Family.FAILURE, "serious failure")
        assert done.notes == ("7 is below 8, and one die shows a 1: serious.",)

    def test_a_plain_failure_is_told_by_the_line_of_its_dice(self, table: GameTable) -> None:
        done = table.do("Ash", "proficiency", "d6:2 d6:3", proficiency="Architecture", difficulty="8")

        assert done.notes == ()


@pytest.mark.rule("SWARM-PROF-04")
class TestDisastrousFailure:
    def test_a_disaster_happens_once_in_thirty_six(self) -> None:
        odds = proficiency_odds(proficiency_inputs({"value": 4, "ranks": 0, "difficulty": 8}))

        assert dict(odds.chances)["disastrous failure"] == Chance(1, 36)

    def test_a_disaster_gives_its_reason(self, table: GameTable) -> None:
        done = table.do("Ash", "proficiency", "d6:1 d6:1", proficiency="Architecture", difficulty="2")

        assert done.verdict == Verdict(Family.FAILURE, "disastrous failure")
        assert done.notes == ("Both dice show a 1: disastrous, whatever the total.",)


@pytest.mark.rule("SWARM-PROF-05")
class TestAttributeModifier:
    @pytest.mark.parametrize("row", vectors("modifier", "SWARM-PROF-05"))
    def test_every_attribute_has_its_modifier(self, row: dict[str, Any]) -> None:
        assert proficiency_modifier(row["attribute"]) == row["modifier"]

    def test_star_below_zero_counts_as_zero(self) -> None:
        table = lay(sheet(star=-1))
        table.do("GM", "add_proficiency", name="Rallying", attribute="Star")

        done = table.do(
            "GM Ash", "proficiency", "d6:6 d6:6", proficiency="Rallying", difficulty="6", forced=True
        )

        assert done.rolls[0].terms == (Term("Star", -3),)


@pytest.mark.rule("SWARM-PROF-06")
class TestDifficulties:
    @pytest.mark.parametrize("row", vectors("at_least", "SWARM-PROF-06"))
    def test_two_dice_reach_each_number_as_often_as_the_book_says(self, row: dict[str, Any]) -> None:
        pairs = [sum(pair) for pair in product(range(1, 7), repeat=2)]

        assert sum(total >= row["number"] for total in pairs) == row["ways"]

    @pytest.mark.parametrize("row", vectors("proficiency_chance", "SWARM-PROF-06"))
    def test_each_result_has_its_exact_chance(self, row: dict[str, Any]) -> None:
        odds = proficiency_odds(proficiency_inputs(row))

        assert [chance for _name, chance in odds.chances] == [
            Chance(ways, row["of"]) for ways in row["chances"]
        ]

    @pytest.mark.parametrize("row", vectors("success_chance", "SWARM-PROF-06"))
    def test_a_success_has_its_exact_chance(self, row: dict[str, Any]) -> None:
        odds = proficiency_odds(proficiency_inputs(row))

        assert odds.chances[-1] == ("success", Chance(row["ways"], row["of"]))

    @pytest.mark.parametrize(
        ("typed", "difficulty"),
        [
            ("6 simple", 6),
            ("challenging", 8),
            ("Difficult", 10),
            ("12 masterly", 12),
            ("14", 14),
            ("16 herculean", 16),
            ("7", 7),
            ("20", 20),
            ("1", 1),
            ("1000", 1000),
        ],
    )
    def test_a_difficulty_can_be_a_name_or_any_number(self, typed: str, difficulty: int) -> None:
        assert read_difficulty(typed) == difficulty

    @pytest.mark.parametrize(
        ("difficulty", "shown"), [("9", "9"), ("14", "14 (daunting)"), ("18", "18 (herculean)")]
    )
    def test_a_difficulty_is_shown_with_its_name(self, table: GameTable, difficulty: str, shown: str) -> None:
        done = table.do("Ash", "proficiency", "d6:2 d6:3", proficiency="Architecture", difficulty=difficulty)

        assert done.rolls[0].against == shown

    @pytest.mark.parametrize("typed", ["", "0", "-3", "1001", "hard", "10 difficult things", "9" * 60])
    def test_an_unknown_difficulty_is_refused(self, table: GameTable, typed: str) -> None:
        mistake = table.refused("Ash", "proficiency", proficiency="Architecture", difficulty=typed)

        assert mistake.what == f"“{typed}” isn't a difficulty."


@pytest.mark.rule("SWARM-PROF-07")
class TestBonuses:
    def test_each_bonus_is_named(self, table: GameTable) -> None:
        done = table.do(
            "Ash",
            "proficiency",
            "d6:3 d6:3",
            proficiency="Architecture",
            difficulty="8",
            bonus=2,
            more="−1 fog",
        )

        assert done.rolls[0].terms == (Term("Runes", 1), Term("bonus", 2), Term("fog", -1))


@pytest.mark.rule("SWARM-PROF-08")
class TestAdvantage:
    def test_advantage_asks_because_the_second_roll_can_be_worse(self, table: GameTable) -> None:
        failed = table.do(
            "Ash",
            "proficiency",
            "d6:2 d6:3",
            proficiency="Architecture",
            difficulty="8",
            advantage=True,
        )

        assert failed.headline == "tests Architecture with advantage (proficiency, Runes)"
        assert failed.verdict == Verdict(Family.FAILURE, "failure")
        assert [button.label for button in failed.follow_ups] == ["Roll again · 58%", "Keep the failure"]
        assert failed.notes == ("83% with the re-roll that advantage allows.",)  # F-SMALL-22

        again = table.press("Ash", failed.follow_ups[0], "d6:1 d6:1")

        assert again.headline == "re-rolls Architecture (proficiency, Runes)"
        assert [(die.face, die.is_kept) for die in again.rolls[0].earlier] == [(2, False), (3, False)]
        assert again.verdict == Verdict(Family.FAILURE, "disastrous failure")

    def test_a_disaster_that_reaches_the_difficulty_can_be_re_rolled(self) -> None:
        table = lay(sheet(runes=8, proficiencies={"Architecture": 5}))

        failed = table.do(
            "Ash", "proficiency", "d6:1 d6:1", proficiency="Architecture", difficulty="10", advantage=True
        )

        assert failed.rolls[0].total == 10
        assert failed.follow_ups[1].label == "Keep the disastrous failure"

    def test_a_player_can_prefer_automatic_re_rolls(self, table: GameTable) -> None:
        table.do("Ash", "prefer", proficiency="auto")

        done = table.do(
            "Ash",
            "proficiency",
            "d6:1 d6:1 d6:5 d6:4",
            proficiency="Architecture",
            difficulty="8",
            advantage=True,
        )

        assert fell(done) == "success"
        assert [die.is_kept for die in done.rolls[0].dice] == [False, False, True, True]


@pytest.mark.rule("SWARM-PROF-09")
class TestRanks:
    @pytest.mark.parametrize("row", vectors("proficiency_test", "SWARM-PROF-09"))
    def test_a_character_can_test_without_ranks(self, row: dict[str, Any]) -> None:
        assert rolled_proficiency(row).outcome == row["result"]

    def test_a_proficiency_that_needs_training_needs_ranks(self, table: GameTable) -> None:
        table.do("GM", "add_proficiency", name="Locks", attribute="Key", trained_only=True)

        mistake = table.refused("Ash", "proficiency", proficiency="Locks", difficulty="6")
        assert mistake.what == "Locks needs training, and Ash has no ranks in it."

        table.do("GM", "ranks", target="Ash", proficiency="locks", ranks=1)
        assert fell(table.do("Ash", "proficiency", "d6:3 d6:3", proficiency="Locks", difficulty="6"))

    def test_the_gm_sets_ranks(self, table: GameTable) -> None:
        done = table.do("GM", "ranks", target="Ash", proficiency="architecture", ranks=2)

        assert done.headline == "sets Ash's ranks in Architecture"
        assert done.notes == ("Architecture 0 → 2",)
        assert table.named("Ash").sheet == sheet(proficiencies=TRAINED)

        table.do("GM", "ranks", target="Ash", proficiency="Architecture", ranks=0)
        assert table.named("Ash").sheet == sheet()

    def test_ranks_in_an_unlisted_proficiency_can_be_removed(self, table: GameTable) -> None:
        table.do("GM", "add_proficiency", name="Riding", attribute="Key")
        table.do("GM", "ranks", target="Ash", proficiency="Riding", ranks=3)
        table.do("GM", "remove", name="Riding")

        assert table.do("GM", "ranks", target="Ash", proficiency="Riding", ranks=0).notes == ("Riding 3 → 0",)
        assert (
            table.refused("GM", "ranks", target="Ash", proficiency="Riding", ranks=1).what
            == "There is no proficiency “Riding” in this campaign."
        )

    def test_negative_ranks_are_rejected(self) -> None:
        with pytest.raises(ValidationError):
            SwarmSheet.model_validate({**sheet().model_dump(), "proficiencies": {"Architecture": -1}})


def success_chance(row: dict[str, Any]) -> Chance:
    return dict(attribute_odds(attribute_inputs(row)).chances)["success"]


@pytest.mark.rule("SWARM-CONF-01")
class TestConfirmAttribute:
    @pytest.mark.parametrize("row", vectors("confirm", "SWARM-CONF-01"))
    def test_a_confirm_attribute_is_five_lower_and_stands_in_brackets(self, row: dict[str, Any]) -> None:
        assert with_confirm(row["value"]) == row["shown"]

    def test_an_attribute_below_six_has_no_confirm(self) -> None:
        assert [confirm_value(value) for value in (0, 5, 6, 10)] == [None, None, 1, 5]


@pytest.mark.rule("SWARM-CONF-02")
class TestOwnAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-CONF-02"))
    def test_a_second_die_decides_a_natural_six(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    def test_the_confirm_roll_is_shown_as_its_own_die(self, table: GameTable) -> None:
        done = table.do("GM Ogre", "test", "d6:6 d6:3", attribute="Mallet")

        assert done.rolls[0].dice == (
            Die(sides=6, face=6),
            Die(sides=6, face=3, label="confirm", shown="confirm ⚂ 3"),
        )
        assert done.rolls[0].against == "Mallet 7 (2): a 6 is confirmed by 2 or less"
        assert done.notes == ("A natural 6, not confirmed: 3 is above 2.",)


@pytest.mark.rule("SWARM-CONF-03")
class TestOpponentsAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-CONF-03"))
    def test_a_natural_six_that_is_not_enough_gets_a_second_die(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert roll.outcome == row["result"]
        assert roll.total == row.get("total", None if len(roll.dice) == 2 else roll.dice[0].face)

    def test_modifiers_count_on_the_confirm_die_too(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:6 d6:3", attribute="Shield", value=8, bonus=1)

        assert done.rolls[0].total is None
        assert done.rolls[0].against == "Shield 8 (3): a 6 is confirmed by 3 or more"
        assert done.notes == ("A natural 6, confirmed: 3 + 1 = 4 is higher than 3.",)

    def test_an_opponents_attribute_of_six_or_more_mentions_the_confirmed_six(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:5", attribute="Mallet", target="Ogre")

        assert done.rolls[0].against == "Ogre's Mallet 7 (2): only a confirmed 6 succeeds"

    @pytest.mark.parametrize(
        ("value", "bonus", "said"),
        [
            (6, -4, "a 6 is confirmed by 6 or more"),
            (7, -1, "a 6 is confirmed by 4 or more"),
            (9, 2, "a 6 is confirmed by 3 or more"),
            (10, -2, "no roll confirms a 6"),
            (10, -3, "no roll confirms a 6"),
        ],
    )
    def test_the_confirming_face_includes_the_bonus_f_small_01(
        self, table: GameTable, value: int, bonus: int, said: str
    ) -> None:
        done = table.do("Ash", "versus", "d6:6 d6:1", attribute="Shield", value=value, bonus=bonus)

        assert done.rolls[0].against == f"Shield {value} ({value - 5}): {said}"
        assert fell(done) == "failure"

    @pytest.mark.parametrize(
        ("value", "bonus", "said"),
        [
            (5, -1, "Shield 5: no roll is high enough"),
            (6, 1, "Shield 6 (1): 7 or more"),
            (8, 2, "Shield 8 (3): only a confirmed 6 succeeds"),
            (10, -2, "Shield 10 (5): no roll is high enough"),
        ],
    )
    def test_only_results_a_die_can_reach_are_said_to_succeed_f_small_01(
        self, table: GameTable, value: int, bonus: int, said: str
    ) -> None:
        done = table.do("Ash", "versus", "d6:2", attribute="Shield", value=value, bonus=bonus)

        assert done.rolls[0].against == said


@pytest.mark.rule("SWARM-CONF-04")
class TestWhatTriggersIt:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-CONF-04"))
    def test_only_a_natural_six_against_six_or_more_is_confirmed(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert roll.outcome == row["result"]
        if "total" in row:
            assert roll.total == row["total"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-CONF-04"))
    def test_a_five_with_a_penalty_is_harder_than_a_six_with_one(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])

    def test_a_campaign_can_allow_confirming_an_impossible_six(self, table: GameTable) -> None:
        table.settings(confirm_when_impossible=True)

        done = table.do("Ash", "versus", "d6:6 d6:2", attribute="Shield", value=2, bonus=-4)

        assert fell(done) == "success"
        assert done.rolls[0].against == "Shield 2: a 6 is confirmed by 2 or more"
        assert done.notes == ("A natural 6, confirmed: 2 − 4 = −2 is higher than −3.",)

    def test_the_confirming_face_is_shown_against_five_or_less_f_small_01(self, table: GameTable) -> None:
        table.settings(confirm_when_impossible=True)

        done = table.do("Ash", "versus", "d6:6 d6:2", attribute="Shield", value=4, bonus=-3)

        assert fell(done) == "failure"
        assert done.rolls[0].against == "Shield 4: a 6 is confirmed by 3 or more"
        assert done.notes == ("A natural 6, not confirmed: 2 − 3 = −1 is not higher than −1.",)


@pytest.mark.rule("SWARM-CONF-05")
class TestWithAdvantageAndDisadvantage:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-CONF-05"))
    def test_a_re_roll_repeats_the_whole_test(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-CONF-05"))
    def test_the_odds_of_a_re_roll_include_the_confirm_die(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])

    def test_both_whole_tests_are_shown(self, table: GameTable) -> None:
        done = table.do("GM Ogre", "test", "d6:6 d6:3 d6:2", attribute="Mallet", advantage=True)

        assert [(die.face, die.label, die.is_kept) for die in done.rolls[0].dice] == [
            (6, "", False),
            (3, "confirm", False),
            (2, "", True),
        ]


@pytest.mark.rule("SWARM-CONF-06")
class TestOddsWithModifiers:
    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-CONF-06"))
    def test_a_modifier_is_worth_as_much_as_a_point_of_the_attribute(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])
