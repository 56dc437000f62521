"""Straining is asked for first."""

import pytest

from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

pytestmark = pytest.mark.rule("SWIM-POOL-06")


def labels(table: GameTable) -> list[tuple[str, str]]:
    assert table.last is not None
    return [(button.label, button.audience) for button in table.last.follow_ups]


def test_straining_first_shows_its_gain_and_its_cost_without_rolling() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)

    assert (asked.headline, asked.verdict, asked.rolls) == ("wants to strain Spot", None, ())
    assert asked.notes == ("6 dice, then Spot 3 → 2, for good. The GM allows it in desperate situations.",)
    assert labels(table) == [("Allow: 6 dice, then Spot 3 → 2", "gm"), ("Roll without straining", "owner")]
    assert table.rank("Ash", "spot") == 3


def test_a_strained_roll_the_gm_allows_is_made_for_the_player_character() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("GM Ash", asked.follow_ups[0], "5 5 1 1 1 1")

    assert words(done) == "2 progress"
    assert table.rank("Ash", "spot") == 2


def test_the_player_may_roll_without_straining_instead() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("Ash", asked.follow_ups[1], "5 1 1")

    assert (words(done), table.rank("Ash", "spot")) == ("1 progress", 3)


def test_straining_a_skill_of_rank_1_is_refused_without_asking_the_gm(table: GameTable) -> None:
    assert table.why("Ash", "roll", skill="spot", strain=True, consented=False) == (
        "Spot 1 can't be strained."
    )


def test_straining_a_defense_also_needs_the_gms_permission() -> None:
    table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 2}))
    table.do("GM Orc", "attack", "2 3", skill="basic melee", targets=("Ash",))
    table.do("Ash", "defend", skill="physical defense", strain=True, consented=False)

    assert labels(table)[0] == ("Allow: 4 dice, then Physical Defense 2 → 1", "gm")


def test_straining_an_automatic_success_shows_only_its_cost() -> None:
    table = solo({"spot": 2})
    table.do("Ash", "roll", skill="spot", strain=True, consented=False)

    assert labels(table)[0][0] == "Allow: Spot 2 → 1"


def test_further_parts_of_a_strained_action_need_no_second_permission() -> None:
    table = solo({"climb": 2})
    table.do("Ash", "roll", "5 3", skill="climb", difficulty=4, dice=2, strain=True)
    done = table.do("Ash", "roll", "5 5", skill="climb", difficulty=4, dice=2, strain=True, consented=False)

    assert words(done) == "2 progress"


@pytest.mark.rule("SWIM-ADV-05", "SWIM-ADV-07", "SWIM-POOL-06")
def test_an_advance_of_a_strained_skill_is_an_epic_success_without_a_gain() -> None:
    table = solo({"climb": 2})
    table.do("Ash", "roll", "4 5 6 4", skill="climb", difficulty=4, strain=True)

    assert table.rank("Ash", "climb") == 2
    assert [(one.before, one.after) for one in table.sheet("Ash").epics] == [(2, 3)]
