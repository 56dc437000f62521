"""Worked examples of rolling and fighting, each played from its command to its end."""

import pytest

from tests.rules.swim_class.play import faced, lay_table, sheet, solo, words


@pytest.mark.rule("SWIM-TASK-06")
def test_flight_with_a_bonus_is_automatic_in_still_air_and_rolled_against_wind() -> None:
    table = lay_table(Ash=sheet({"flight": 2}), Bram=sheet({"wind": 1}))
    assert words(table.do("Ash", "move", how="flight", modifier=1)) == "hovers, 1 square, automatic"

    blown = table.do("Ash", "move", "3 2", how="flight", modifier=1, wind="Bram")
    assert words(blown) == "2 dice to stop"


@pytest.mark.rule("SWIM-TASK-08")
def test_only_natural_1s_of_the_share_that_misses_count_and_the_first_is_ignored() -> None:
    """F-SWIM-19: a message of the defender's says whose dice the 1s are."""
    table = lay_table(Ash=sheet({"basic_melee": 5}), Beast=sheet({"physical_defense": 2}))
    table.do("Ash", "attack", "6 4 1 1 1", skill="basic melee", targets=("Orc", "Beast"), shares="3,2")
    assert words(table.do("GM Orc", "defend", "2", skill="physical defense")) == "2 hits"
    done = table.do("GM Beast", "defend", "3 3", skill="physical defense")

    assert words(done) == "no hit"
    assert "Ash rolled 2 natural 1s: first ignored, 1 critical (1 damage)." in done.notes


@pytest.mark.rule("SWIM-TASK-08")
def test_implicit_1s_are_never_criticals() -> None:
    table = lay_table(Ash=sheet({"basic_melee": 3}))
    table.do("Ash", "attack", "6 6 6", skill="basic melee", targets=("Orc",))
    done = table.do("GM Orc", "defend", "1", skill="physical defense")

    assert faced(done) == "through: 6, 6, 6"
    assert "Orc rolled 1 natural 1: first ignored, no critical." in done.notes


@pytest.mark.rule("SWIM-TASK-09")
def test_a_critical_failure_in_melee_hurts_the_attacker() -> None:
    table = lay_table(Ash=sheet({"basic_melee": 2}), Orc=sheet({"physical_defense": 2}))
    table.do("Ash", "attack", "1 1", skill="basic melee", targets=("Orc",))
    done = table.do("GM Orc", "defend", "3 3", skill="physical defense")
    (suffer, _waive) = done.follow_ups
    assert suffer.label == "Take it: 1 damage to yourself"
    table.press("Ash", suffer)

    assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (1, 0)


@pytest.mark.rule("SWIM-OPP-04")
def test_implicit_1s_get_the_defenders_distance_bonus() -> None:
    table = lay_table(
        Ash=sheet({"basic_ranged": 4}, items=["Common Bow", "Arrow"]), Orc=sheet({"physical_defense": 3})
    )
    table.do("Ash", "attack", "6 3 3 2", skill="basic ranged", targets=("Orc",), distance=6)
    done = table.do("GM Orc", "defend", "5 3 2", skill="physical defense")

    assert faced(done) == "8 stops 7, (4) stops 4, 5 stops 4, 6 stops 3"


@pytest.mark.rule("SWIM-OPP-05")
def test_a_willing_friend_does_not_oppose_fly() -> None:
    done = solo({"wind": 2}).do("Ash", "cast", "4 2", spell="fly", targets=("Bram",))

    assert words(done) == "hovers"


@pytest.mark.rule("SWIM-OPP-06")
def test_a_flight_against_wind_must_meet_its_difficulty_before_the_wind_opposes() -> None:
    table = lay_table(Ash=sheet({"flight": 3}), Bram=sheet({"wind": 1}))
    table.do("Ash", "move", "5 2 1", how="flight", wind="Bram")
    done = table.do("Bram", "defend", "3", skill="wind")

    assert (faced(done), words(done)) == ("3 stops 2 · through: 5", "Ash hovers")


@pytest.mark.rule("SWIM-ADV-04")
def test_walking_with_half_an_action_does_not_advance_the_skill() -> None:
    table = solo({"walk": 5})
    assert words(table.do("Ash", "move", "5 2", push=2, half=True)) == "4 squares"
    assert table.rank("Ash", "walk") == 5


@pytest.mark.rule("SWIM-ADV-06")
def test_a_bow_shot_that_advances_the_skill_gives_the_next_shot_one_more_die() -> None:
    table = lay_table(
        Ash=sheet({"basic_ranged": 3}, items=["Common Bow"]), Orc=sheet({"physical_defense": 1})
    )
    table.do("GM", "give", target="Ash", item="Arrow", quantity=20)
    shot = {"skill": "basic ranged", "targets": ("Orc",), "distance": 1}
    assert "Arrow: 19 left." in table.do("Ash", "attack", "5 4 4", **shot).notes
    table.do("GM Orc", "defend", "2")

    assert len(table.do("Ash", "attack", "6 3 3 2", **shot).rolls[0].dice) == 4


@pytest.mark.rule("SWIM-COMB-03")
def test_a_melee_attack_can_be_dodged_or_parried() -> None:
    table = lay_table(Orc=sheet({"basic_melee": 3}, items=["Great Sword"]))
    struck = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))
    menu = next(button for button in struck.follow_ups if button.choices)

    assert {choice.label for choice in menu.choices} == {
        "Physical Defense, 1 die",
        "Basic Melee, 3 dice",
    }
    parried = table.press("GM Orc", menu, "3 2 1", choose="basic_melee")
    assert [die.shown for die in parried.rolls[0].dice] == ["⚂→4", "⚁→3", "⚀→2"]


@pytest.mark.rule("SWIM-COMB-13", "SWIM-COMB-14")
def test_rank_1_in_reserve_adds_no_die_and_an_unused_prepared_action_is_lost() -> None:
    table = lay_table(Orc=sheet({"basic_melee": 2}))
    assert table.do("Ash", "reserve", skill="brawn").notes == ("+0 dice on one defense.",)
    table.do("GM Orc", "attack", "2 2", skill="basic melee", targets=("Ash",))
    assert len(table.do("Ash", "defend", "3", skill="physical defense").rolls[0].dice) == 1

    table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
    table.do("Ash", "reserve", skill="spot", kind="action", trigger="the door opens")
    table.do("Ash", "encounter.next")
    assert "The reserve is lost." in table.do("GM", "encounter.next").notes
    assert table.refused("Ash", "trigger") == "Ash has no prepared action."


@pytest.mark.rule("SWIM-COMB-17")
def test_the_beast_preset_has_the_ranks_of_the_books_example() -> None:
    table = lay_table()
    table.do("GM", "preset", target="Beast", preset="Beast")

    assert [table.rank("Beast", skill) for skill in ("walk", "physical_defense", "swim")] == [2, 3, 1]


@pytest.mark.rule("SWIM-MAGIC-05")
def test_a_power_can_have_a_difficulty_and_stay_unopposed() -> None:
    table = solo({"life": 2})
    table.give("Orc", tags=("undead",))
    table.do("Ash", "cast", "4 2", spell="heal", targets=("Orc",), distance=0)

    assert words(table.do("GM Orc", "decline")) == "1 hit"
