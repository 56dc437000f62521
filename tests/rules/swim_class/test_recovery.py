"""Brief rests, and what the message of a longer one says. How hours are shared: tests/rules/shared."""

import pytest

from tests.rules.shared.test_resting import button, wounded
from tests.rules.swim_class.play import lay_table


@pytest.mark.rule("SWIM-REST-02", "SWIM-COMB-12")
class TestBriefRest:
    def test_a_brief_rest_takes_no_time_and_is_not_shared(self) -> None:
        table = wounded()
        done = table.do("Ash", "rest", "1 2")

        assert (done.headline, done.gathering, table.scene.clock) == ("takes a brief rest", "", 0)
        assert table.points("Ash", "scratches") == 0

    def test_nobody_rests_in_the_middle_of_a_fight(self) -> None:
        table = wounded()
        table.do("Ash", "encounter.start", others=("Orc",))

        assert table.refused("Ash", "rest") == "Ash is in a fight."
        assert table.refused("Ash", "rest", hours=2) == "Ash is in a fight."


@pytest.mark.rule("SWIM-COMB-11", "SWIM-COMB-12")
class TestRestMessage:
    """F-SWIM-11"""

    def test_the_message_of_a_rest_shows_its_dice(self) -> None:
        table = wounded()
        done = table.do("Ash", "rest", "1 2  6 1 1 1  6 2 2 2", hours=2, now=True)

        assert not done.is_brief
        assert done.notes == ()
        assert len(done.rolls) == 3

    def test_the_message_of_a_shared_rest_names_who_advanced_or_healed(self) -> None:
        table = wounded()
        table.do("Ash", "rest", hours=1)
        table.press("Bram", button(table, "Rest too"))
        done = table.press("Ash", button(table, "Rest now"), "4 5  6 1 1 1  1")

        assert done.notes == ("Ash: Epic success: Composure 2 → 3.", "Bram: nothing healed.")

    def test_the_message_of_a_rest_says_when_there_was_nothing_to_heal(self) -> None:
        assert lay_table().do("Cleo", "rest", hours=1, now=True).notes == ("Nothing to heal.",)
