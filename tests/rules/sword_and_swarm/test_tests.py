"""Attribute tests: one d6 against one's own attribute, an opponent's, or an obstacle."""

from typing import Any

import pytest

from bot.rules.kernel import Die, Family, Roll, Term, Verdict
from bot.rules.kernel.dice import Chance, WrongDie
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.tests import (
    AttributeInputs,
    Edge,
    SwarmKind,
    attribute_odds,
    attribute_test,
    edge_of,
)
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import (
    attribute_inputs,
    faces,
    fell,
    lay,
    rolled_attribute,
    script,
    sheet,
    vectors,
)


def success_chance(row: dict[str, Any]) -> Chance:
    odds = attribute_odds(attribute_inputs(row))
    assert odds.needed == "success"
    return dict(odds.chances)["success"]


@pytest.mark.rule("SWARM-TEST-01")
class TestDice:
    def test_an_attribute_test_rolls_one_die_and_a_proficiency_test_two(self, table: GameTable) -> None:
        table.do("Ash", "test", "d6:2", attribute="Key")
        table.do("Ash", "proficiency", "d6:6 d6:6", proficiency="Architecture", difficulty="8")

        assert [fall.sides for fall in table.falls] == [6, 6, 6]

    def test_no_option_takes_a_die_face(self) -> None:
        asked = {name for one in RULESET.procedures.values() for name in one.options.model_fields}

        assert asked & {"die", "dice", "face", "faces", "roll", "rolled"} == set()

    def test_no_other_dice_are_rolled(self) -> None:
        with pytest.raises(WrongDie):
            attribute_test(attribute_inputs({"kind": "own", "value": 3}), faces(""))


@pytest.mark.rule("SWARM-TEST-02")
class TestOwnAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-02"))
    def test_a_roll_at_or_below_the_attribute_succeeds(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-TEST-02"))
    def test_each_point_of_the_attribute_is_one_face_in_six(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])

    def test_an_own_test_shows_its_die_its_target_and_its_odds(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:3", attribute="Key")

        (roll,) = done.rolls
        assert done.headline == "tests Key (own attribute)"
        assert done.notes == ()
        assert roll == Roll(
            rule="attribute",
            inputs=roll.inputs,
            dice=(Die(sides=6, face=3),),
            against="Key 3: 3 or less",
            verdict=Verdict(Family.SUCCESS, "success"),
            odds=attribute_odds(attribute_inputs({"kind": "own", "value": 3})),
            outcome="success",
            purpose="test",
            roller=roll.roller,
        )

    def test_a_failure_is_told_by_the_line_of_its_dice(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:4", attribute="Key")

        assert done.verdict == Verdict(Family.FAILURE, "failure")
        assert done.notes == ()


@pytest.mark.rule("SWARM-TEST-03")
class TestOpponentsAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-03"))
    def test_only_a_higher_roll_beats_an_opponent(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-TEST-03"))
    def test_each_point_of_an_opponents_attribute_costs_one_face_in_six(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])

    def test_a_character_at_the_table_can_be_the_opponent(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:4", attribute="Key", target="Ogre")

        assert done.headline == "tests Ogre's Key (opponent's attribute)"
        assert done.notes == ()
        assert (done.rolls[0].total, done.rolls[0].against) == (4, "Ogre's Key 3: 4 or more")

    def test_an_opponent_can_be_just_a_number(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:4", attribute="Shield", value=4)

        assert done.headline == "tests Shield (opponent's attribute)"
        assert done.notes == ()

    @pytest.mark.parametrize(
        "kind", ["opponent's attribute", "opponent\N{RIGHT SINGLE QUOTATION MARK}s attribute"]
    )
    def test_a_stored_test_against_an_opponent_is_read_with_either_apostrophe(self, kind: str) -> None:
        stored = AttributeInputs.model_validate({"kind": kind, "name": "Key", "value": 3})

        assert stored.kind is SwarmKind.OPPONENT
        assert stored.model_dump(mode="json")["kind"] == "opponent's attribute"

    def test_an_opponents_number_can_be_zero(self, table: GameTable) -> None:
        assert fell(table.do("Ash", "versus", "d6:1", attribute="Shield", value=0)) == "success"

    @pytest.mark.parametrize("given", [{}, {"target": "Ogre", "value": 3}])
    def test_a_versus_test_needs_exactly_one_opponent(self, table: GameTable, given: dict[str, Any]) -> None:
        mistake = table.refused("Ash", "versus", attribute="Shield", **given)

        assert mistake.what == "Choose either an opponent or a number."

    def test_a_character_cannot_oppose_itself(self, table: GameTable) -> None:
        mistake = table.refused("Ash", "versus", attribute="Shield", target="Ash")

        assert mistake.what == "You can't oppose yourself."


@pytest.mark.rule("SWARM-TEST-04")
class TestObstacle:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-04"))
    def test_an_obstacle_is_tested_like_an_opponents_attribute(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    def test_an_obstacle_can_be_given_by_its_difficulty(self, table: GameTable) -> None:
        done = table.do("Ash", "obstacle", "d6:5", obstacle=" 4 ")

        assert done.headline == "tests difficulty 4 (obstacle)"
        assert done.notes == ()
        assert done.rolls[0].against == "difficulty 4: 5 or more"

    def test_an_obstacle_can_be_given_by_its_name(self, table: GameTable) -> None:
        table.do("GM", "add_obstacle", name="Rope bridge", difficulty=7)

        done = table.do("Ash", "obstacle", "d6:6 d6:3", obstacle="rope  bridge")

        assert done.headline == "tests Rope bridge, difficulty 7 (obstacle)"
        assert done.rolls[0].against == "Rope bridge 7 (2): a 6 is confirmed by 3 or more"

    @pytest.mark.parametrize("typed", ["11", "-1", "high", "16 herculean", "", "9" * 50])
    def test_an_obstacle_above_ten_is_refused(self, table: GameTable, typed: str) -> None:
        mistake = table.refused("Ash", "obstacle", obstacle=typed)

        assert mistake.what == f"There is no obstacle “{typed}”."
        assert mistake.allowed == "Give a difficulty from 0 to 10."

    def test_an_unknown_obstacle_is_answered_with_the_known_ones(self, table: GameTable) -> None:
        table.do("GM", "add_obstacle", name="Wall", difficulty=6)

        mistake = table.refused("Ash", "obstacle", obstacle="Fence")

        assert mistake.allowed == "Give a difficulty from 0 to 10, or choose from: Wall."


@pytest.mark.rule("SWARM-TEST-05")
class TestNaturalAndModified:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-05"))
    def test_a_total_can_lie_outside_one_to_six(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert (roll.outcome, roll.total) == (row["result"], row["total"])

    def test_a_modified_roll_shows_the_face_and_the_total(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:1", attribute="Shield", value=2, bonus=-4)

        assert done.rolls[0].terms == (Term("penalty", -4),)
        assert done.notes == ()


@pytest.mark.rule("SWARM-TEST-06")
class TestOutcome:
    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-TEST-06"))
    def test_the_chances_of_both_sides_add_up_to_one(self, row: dict[str, Any]) -> None:
        assert success_chance(row) == Chance(row["ways"], row["of"])

    def test_an_attribute_test_has_two_results_only(self) -> None:
        odds = attribute_odds(attribute_inputs({"kind": "own", "value": 3}))

        assert odds.chances == (("failure", Chance(18, 36)), ("success", Chance(18, 36)))


@pytest.mark.rule("SWARM-TEST-07")
class TestAdvantage:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-07"))
    def test_advantage_re_rolls_a_failure_once_and_the_second_roll_stands(self, row: dict[str, Any]) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-TEST-07"))
    def test_the_odds_include_a_re_roll_with_advantage(self, row: dict[str, Any]) -> None:
        assert success_chance(row).fraction == Chance(row["ways"], row["of"]).fraction

    def test_advantage_re_rolls_automatically_by_default(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:5 d6:2", attribute="Key", advantage=True)

        assert done.headline == "tests Key with advantage (own attribute)"
        assert done.notes == ("Advantage re-rolled the first failure.",)
        assert done.rolls[0].dice == (Die(sides=6, face=5, is_kept=False), Die(sides=6, face=2))
        assert done.follow_ups == ()

    def test_a_player_who_wants_to_be_asked_gets_a_button_with_its_chance(self, table: GameTable) -> None:
        table.do("Ash", "prefer", attribute="ask")

        failed = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)

        assert fell(failed) == "failure"
        assert failed.notes == ("75% with the re-roll that advantage allows.",)
        assert failed.follow_ups[0].note == "Advantage allows one re-roll."
        assert [button.label for button in failed.follow_ups] == ["Roll again · 50%", "Keep the failure"]

        again = table.press("Ash", failed.follow_ups[0], "d6:2")

        assert again.headline == "re-rolls Key (own attribute)"
        assert again.verdict == Verdict(Family.SUCCESS, "success")
        assert again.notes == ("The second result stands.",)
        assert again.follow_ups == ()

    def test_a_re_roll_can_be_taken_once(self, table: GameTable) -> None:
        table.do("Ash", "prefer", attribute="ask")
        failed = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)
        table.press("Ash", failed.follow_ups[0], "d6:6")

        options = failed.follow_ups[0].options.model_dump()

        assert table.refused("Ash", "reroll", **options).what == "This re-roll is no longer available."

    def test_a_refused_re_roll_stays_a_failure(self, table: GameTable) -> None:
        table.do("Ash", "prefer", attribute="ask")
        failed = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)

        kept = table.press("Ash", failed.follow_ups[1])

        assert kept.headline == "keeps the result of Key"
        assert kept.verdict == Verdict(Family.FAILURE, "failure")
        options = failed.follow_ups[0].options.model_dump()
        assert table.refused("Ash", "reroll", **options).what == "This re-roll is no longer available."

    def test_a_re_roll_belongs_to_its_character(self, table: GameTable) -> None:
        table.do("Ash", "prefer", attribute="ask")
        failed = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)

        options = failed.follow_ups[0].options.model_dump()

        assert table.refused("Bram", "reroll", **options).what == "This re-roll is no longer available."

    def test_advantage_offers_no_re_roll_after_a_success(self, table: GameTable) -> None:
        table.settings(adv_attribute="ask")

        assert table.do("Ash", "test", "d6:1", attribute="Key", advantage=True).follow_ups == ()

    def test_the_campaigns_setting_applies_to_players_without_a_preference(self, table: GameTable) -> None:
        table.settings(adv_attribute="ask")
        table.do("Bram", "prefer", attribute="auto")

        asked = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)
        at_once = table.do("Bram", "test", "d6:5 d6:6", attribute="Key", advantage=True)

        assert (len(asked.follow_ups), len(at_once.follow_ups)) == (2, 0)

    def test_a_preference_is_private_and_can_be_taken_back(self, table: GameTable) -> None:
        told = table.do("Ash", "prefer", attribute="ask", proficiency="auto")
        back = table.do("Ash", "prefer", attribute="campaign", proficiency="campaign")

        assert not told.is_public
        assert told.notes == (
            "Attribute tests: you choose each time.",
            "Proficiency tests: re-rolled automatically.",
        )
        assert back.notes == (
            "Attribute tests: re-rolled automatically.",
            "Proficiency tests: you choose each time.",
        )
        assert table.refused("Ash", "prefer").what == "Choose at least one option."


@pytest.mark.rule("SWARM-TEST-08")
class TestDisadvantage:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-TEST-08"))
    def test_disadvantage_re_rolls_a_success_once_and_the_second_roll_stands(
        self, row: dict[str, Any]
    ) -> None:
        assert rolled_attribute(row).outcome == row["result"]

    @pytest.mark.parametrize("row", vectors("attribute_chance", "SWARM-TEST-08"))
    def test_the_odds_include_a_re_roll_with_disadvantage(self, row: dict[str, Any]) -> None:
        assert success_chance(row).fraction == Chance(row["ways"], row["of"]).fraction

    def test_disadvantage_shows_both_rolls_and_offers_no_choice(self, table: GameTable) -> None:
        table.settings(adv_attribute="ask")

        done = table.do("Ash", "test", "d6:2 d6:5", attribute="Mallet", disadvantage=True)

        assert done.headline == "tests Mallet with disadvantage (own attribute)"
        assert done.notes == ("Disadvantage re-rolled the first success.",)
        assert [(die.face, die.is_kept) for die in done.rolls[0].dice] == [(2, False), (5, True)]
        assert done.follow_ups == ()


@pytest.mark.rule("SWARM-TEST-09")
class TestBothAtOnce:
    def test_advantage_and_disadvantage_cancel_out(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True, disadvantage=True)

        assert fell(done) == "failure"
        assert done.headline == "tests Key (own attribute)"
        assert done.notes == ("Advantage and disadvantage cancel out.",)

    @pytest.mark.parametrize(
        ("advantages", "disadvantages", "edge"),
        [
            (0, 0, Edge.NONE),
            (1, 0, Edge.ADVANTAGE),
            (2, 0, Edge.ADVANTAGE),
            (0, 3, Edge.DISADVANTAGE),
            (2, 1, Edge.NONE),
            (1, 1, Edge.NONE),
        ],
    )
    def test_several_advantages_count_as_one_and_one_of_each_as_neither(
        self, advantages: int, disadvantages: int, edge: Edge
    ) -> None:
        assert edge_of(advantages=advantages, disadvantages=disadvantages) is edge

    def test_no_test_is_rolled_a_third_time(self) -> None:
        row = {"kind": "own", "value": 3, "edge": "advantage", "dice": "5 6"}

        assert rolled_attribute(row).outcome == "failure"


class TestZeroAndTen:
    def test_an_attribute_of_zero_leaves_no_roll_low_enough(self) -> None:
        done = lay(sheet(key=3)).do("Ash", "test", script("1"), attribute="Key", bonus=-3)

        assert done.rolls[0].against == "Key 3 − 3 = 0: no roll is low enough"

    def test_a_target_of_six_or_more_mentions_the_confirmed_six(self) -> None:
        done = lay(sheet(key=8)).do("Ash", "test", script("2"), attribute="Key")

        assert done.rolls[0].against == "Key 8 (3): 5 or less, or a confirmed 6"
