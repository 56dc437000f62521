"""Confirm Attributes: what an attribute of 6 or more makes of a natural 6."""

from typing import Any

import pytest

from bot.rules.kernel import Die
from bot.rules.kernel.odds import Chance
from bot.rules.sword_and_swarm.attributes import confirm_value, with_confirm
from bot.rules.sword_and_swarm.tests import attribute_odds
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import attribute_inputs, fell, rolled_attribute
from tests.rules.sword_and_swarm.vectors import vectors


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
