"""Straining is asked for first."""

import pytest

from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

pytestmark = pytest.mark.rule("SWIM-POOL-06")


def labels(table: GameTable) -> list[tuple[str, str]]:
    assert table.last is not None
    return [(button.label, button.audience) for button in table.last.follow_ups]


def test_what_it_brings_and_costs_is_told_and_nothing_happens_yet() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)

    assert (asked.headline, asked.verdict, asked.rolls) == ("wants to strain Spot", None, ())
    assert asked.notes == ("6 dice, then Spot 3 → 2, for good. The GM allows it in desperate situations.",)
    assert labels(table) == [("Allow: 6 dice, then Spot 3 → 2", "gm"), ("Roll without straining", "owner")]
    assert table.rank("Ash", "spot") == 3


def test_the_gm_allows_it_and_it_is_rolled_as_the_character() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("GM Ash", asked.follow_ups[0], "5 5 1 1 1 1")

    assert words(done) == "2 progress"
    assert table.rank("Ash", "spot") == 2


def test_or_the_player_rolls_without_it() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("Ash", asked.follow_ups[1], "5 1 1")

    assert (words(done), table.rank("Ash", "spot")) == ("1 progress", 3)


def test_what_would_not_be_allowed_is_said_at_once(table: GameTable) -> None:
    assert table.refused("Ash", "roll", skill="spot", strain=True, consented=False) == (
        "Spot 1 can't be strained."
    )


def test_a_defence_is_asked_for_too() -> None:
    table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 2}))
    table.do("GM Orc", "attack", "2 3", skill="basic melee", targets=("Ash",))
    table.do("Ash", "defend", skill="physical defense", strain=True, consented=False)

    assert labels(table)[0] == ("Allow: 4 dice, then Physical Defense 2 → 1", "gm")


def test_where_every_die_scores_the_cost_alone_is_told() -> None:
    table = solo({"spot": 2})
    table.do("Ash", "roll", skill="spot", strain=True, consented=False)

    assert labels(table)[0][0] == "Allow: Spot 2 → 1"


def test_further_parts_of_a_strained_action_are_not_asked_for_again() -> None:
    table = solo({"climb": 2})
    table.do("Ash", "roll", "5 3", skill="climb", difficulty=4, dice=2, strain=True)
    done = table.do("Ash", "roll", "5 5", skill="climb", difficulty=4, dice=2, strain=True, consented=False)

    assert words(done) == "2 progress"
