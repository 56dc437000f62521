"""An assisted check at one message: the helper's buttons, and what they do to the main check."""

import pytest

from bot.rules.kernel.gathering import SharedResult
from bot.rules.rpj.character.lucky_breaks import LUCKY_GROUP
from bot.rules.rpj.teamwork.assisting import Assisted, result_of_assisted
from tests.rules.gathering import Together, opened
from tests.rules.rpj.table import GameTable, d6, rpj_table


@pytest.fixture
def table() -> GameTable:
    return rpj_table()


def basket(table: GameTable, helper: str | None = "Laeniel", difficulty: str = "5") -> Together:
    """Ug weaves a basket (Crafting), difficulty 5."""
    options = {} if helper is None else {"helper": helper}
    return opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty=difficulty, **options))


def kept(asked: Together) -> Assisted:
    found = asked.table.scene.document(asked.key)
    assert isinstance(found, Assisted)
    return found


@pytest.mark.rule("RPJ-SKILL-13")
class TestAssisting:
    def test_the_helper_has_an_easy_and_a_hard_button_with_their_chances(self, table: GameTable) -> None:
        asked = basket(table)

        assert asked.labels == [
            "Laeniel: help, easy 9+ · 83%",
            "Laeniel: help, hard 10+ · 72%",
            "Ug: roll alone against 12+ · 3%",
        ]
        assert asked.verdict is None
        assert asked.view().lines == (
            "Easy (9+): difficulty −1. Hard (10+): difficulty −1 per degree of success.",
        )

    def test_without_a_named_helper_the_first_to_press_helps(self, table: GameTable) -> None:
        asked = basket(table, helper=None)
        assert asked.labels[:2] == ["Help, easy 9+", "Help, hard 10+"]

        asked.press("Laeniel", "Help, easy", d6("3 5"))

        assert [part.who for part in asked.view().parts] == ["Laeniel"]
        assert table.refused("Ogre", "assist", at=asked.key, how="easy").what == (
            "It is too late to help: someone has helped, or the check is rolled."
        )

    def test_a_failed_assist_leaves_the_target_number_unchanged(self, table: GameTable) -> None:
        asked = basket(table)

        asked.press("Laeniel", "Laeniel: help, hard", d6("1 2"))

        assert asked.view().lines == ("It stays at 12+.",)
        assert asked.labels[0].startswith("Ug: roll against 12+ · ")

    def test_a_player_cannot_help_themselves(self, table: GameTable) -> None:
        asked = basket(table, helper=None)

        assert (
            table.refused("Ug", "assisted", skill="Crafting", helper="Ug").what == "You can't help yourself."
        )
        assert table.refused("Ug", "assist", at=asked.key, how="easy").what == "You can't help yourself."

    def test_a_player_may_roll_without_waiting_for_help(self, table: GameTable) -> None:
        asked = basket(table)

        asked.press("Ug", "Ug: roll alone", d6("6 5"))

        assert (asked.labels, [part.who for part in asked.view().parts]) == ([], ["Ug"])
        assert table.refused("Laeniel", "assist", at=asked.key, how="hard")
        assert (
            table.refused("Ug", "assisted_main", at=asked.key).what == "This check has already been rolled."
        )

    @pytest.mark.rule("RPJ-COUNT-10", "RPJ-COUNT-11")
    @pytest.mark.parametrize(("fall", "passed"), [("6 5", True), ("1 2", False)])
    def test_the_main_check_counts_for_whoever_makes_it_once_it_is_rolled(
        self, table: GameTable, fall: str, passed: bool
    ) -> None:
        asked = basket(table)
        asked.press("Laeniel", "Laeniel: help, easy", d6("6 5"))
        before = result_of_assisted(kept(asked), table.scene)

        asked.press("Ug", "Ug: roll against 11+", d6(fall))

        assert before is None
        assert result_of_assisted(kept(asked), table.scene) == SharedResult(
            passed=passed, by=table.ids["Ug"], skill="Crafting"
        )

    def test_a_main_check_the_gm_has_not_decided_does_not_count(self, table: GameTable) -> None:
        asked = basket(table, difficulty="9")

        asked.press("Ug", "Ug: roll alone", d6("6 6"))

        assert result_of_assisted(kept(asked), table.scene) is None


class TestEasyAssist:
    @pytest.mark.rule("RPJ-SKILL-14")
    def test_an_easy_assist_lowers_the_target_number_by_1_whatever_its_degrees(
        self, table: GameTable
    ) -> None:
        asked = basket(table)

        asked.press("Laeniel", "Laeniel: help, easy", d6("6 5"))

        assert asked.view().lines == ("Against 12+ → 11+.",)
        done = asked.press("Ug", "Ug: roll against 11+", d6("6 5"))
        assert done.rolls[0].against == "11+"
        assert asked.view().verdict == done.verdict


class TestHardAssist:
    @pytest.mark.rule("RPJ-SKILL-15")
    def test_a_hard_assist_lowers_the_target_number_by_1_per_degree(self, table: GameTable) -> None:
        asked = basket(table, difficulty="6")

        done = asked.press("Laeniel", "Laeniel: help, hard 10+", d6("5 4"))

        total = done.rolls[0].total
        assert total is not None
        assert asked.view().lines == (f"Against 13+ → {13 - (total - 10)}+.",)

    @pytest.mark.rule("RPJ-SKILL-13", "RPJ-LUCK-03")
    def test_a_lucky_break_on_an_assist_also_lowers_the_main_checks_target(self, table: GameTable) -> None:
        asked = basket(table, difficulty="6")
        failed = asked.press("Laeniel", "Laeniel: help, hard 10+", d6("1 2"))
        assert asked.view().lines == ("It stays at 13+.",)
        lucky = next(one for one in failed.follow_ups if one.group == LUCKY_GROUP)
        assert lucky.window is not None
        assert table.ids["Ug"] in lucky.window.concerns  # the main roll uses the result, and closes it

        asked.follow("Laeniel", lucky, d6("6"))

        assert asked.view().lines[0].startswith("Against 13+ → ")
