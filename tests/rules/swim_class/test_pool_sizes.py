"""Bigger, smaller and divided pools."""

from typing import Any

import pytest

from bot.rules.swim_class.encounter import (
    the_encounter,
)
from bot.rules.swim_class.plans import combined_dice
from tests.rules.offers import SteadyDice
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words
from tests.rules.swim_class.test_acts import begun


def size(table: GameTable, faces: str, **options: object) -> int:
    """How many dice a roll has."""
    return len(table.do("Ash", "roll", faces, **options).rolls[0].dice)


def fighting(*order: str, **ranks: dict[str, int]) -> GameTable:
    """A fight in which those named act in this order."""
    table = lay_table(**{name: sheet(held) for name, held in ranks.items()})
    faces = " ".join(str(6 - place) for place in range(len(order)))
    table.do(f"GM {order[0]}", "encounter.start", faces, others=order[1:], at_once=True)
    return table


@pytest.mark.rule("SWIM-POOL-01")
class TestCombining:
    @pytest.mark.parametrize(
        ("base", "added", "whole"), [(3, [3], 5), (1, [3], 2), (1, [1], 1), (2, [2, 3], 4), (2, [9, 9], 4)]
    )
    def test_each_added_skill_gives_up_a_die_and_at_most_doubles_the_pool(
        self, base: int, added: list[int], whole: int
    ) -> None:
        assert base + sum(combined_dice(base, added, cap=True)) == whole

    def test_a_running_jump_combines_jump_and_walk(self) -> None:
        done = solo({"jump": 3, "walk": 3}).do("Ash", "jump", gap=10, add="walk")

        assert words(done) == "success, 5 progress of 5, automatic"

    def test_a_modifier_applies_only_to_the_dice_of_its_own_skill(self) -> None:
        table = solo({"jump": 2, "walk": 2}, traits={"fins": 1})
        roll = table.do("Ash", "roll", "3 3 3", skill="jump", add="walk", push=3).rolls[0]

        assert [die.shown for die in roll.dice] == ["⚂", "⚂", "＋⚂→2"]


@pytest.mark.rule("SWIM-POOL-02")
class TestBuildUp:
    def test_a_build_up_takes_a_round_per_skill_and_is_released_as_one_roll(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 3, "brawn": 3}, Orc={"physical_defense": 3})
        kept = table.do("Ash", "buildup", "5 4 2", skill="basic melee", attack=True)
        assert words(kept) == "3 dice banked"
        table.do("Ash", "encounter.next")
        table.do("GM", "encounter.next")

        struck = table.do("Ash", "attack", "6 3", skill="basic melee", add="brawn", targets=("Orc",))

        assert words(struck) == "5 dice to stop"
        assert words(table.do("GM Orc", "defend", "6 4 3", skill="physical defense")) == "2 hits"

    def test_a_build_up_in_combat_may_exceed_double_the_base_skill(self) -> None:
        table = fighting("Ash", "Orc", Ash={"jump": 1, "walk": 3})
        table.do("Ash", "buildup", "5 4", skill="walk", base="jump")
        table.do("Ash", "encounter.next")
        table.do("GM", "encounter.next")

        assert words(table.do("Ash", "roll", "6", skill="jump", push=2)) == "6 progress"

    def test_a_build_up_may_begin_with_its_base_skill(self) -> None:
        table = fighting("Ash", "Orc", Ash={"jump": 1, "walk": 3})
        assert words(table.do("Ash", "buildup", "6", skill="jump")) == "1 die banked"
        table.do("Ash", "encounter.next")
        table.do("GM", "encounter.next")
        released = table.do("Ash", "roll", "5 4", skill="jump", add="walk", push=2)

        assert [die.shown for die in released.rolls[0].dice] == ["＋⚄", "＋⚃"]
        assert words(released) == "6 progress"

    def test_a_build_up_takes_only_one_contribution_a_round(self) -> None:
        table = fighting("Ash", "Bram", Ash={"jump": 2}, Bram={"throw": 4})
        table.do("Ash", "buildup", "5 4", skill="jump")
        table.do("Ash", "encounter.next")

        assert table.why("Bram", "buildup", skill="throw", owner="Ash") == "Only one contribution per round."

    def test_a_build_up_can_be_abandoned(self, table: GameTable) -> None:
        assert table.why("Ash", "abandon") == "Ash has no build-up."
        table.do("Ash", "buildup", "5", skill="jump")
        assert table.do("Ash", "abandon").headline == "abandons the build-up"

    def test_skills_cannot_be_combined_in_a_single_roll_in_combat(self) -> None:
        table = fighting("Ash", "Orc", Ash={"jump": 2, "walk": 2})

        assert table.why("Ash", "roll", skill="jump", add="walk").startswith("In combat, you combine")

    def test_a_skill_of_rank_1_adds_no_dice_to_a_build_up(self) -> None:
        table = fighting("Ash", "Orc", Ash={"jump": 2})

        assert table.why("Ash", "buildup", skill="walk", base="jump") == "A skill of rank 1 adds no dice."


@pytest.mark.rule("SWIM-POOL-03")
class TestBrokenBuildUp:
    def test_two_natural_1s_break_a_build_up(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 3})
        done = table.do("Ash", "buildup", "1 1 5", skill="basic melee")

        assert words(done) == "broken"
        assert table.why("Ash", "abandon") == "Ash has no build-up."

    def test_a_single_natural_1_does_not_break_a_build_up(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 3})

        assert words(table.do("Ash", "buildup", "1 4 5", skill="basic melee")) == "3 dice banked"

    def test_a_critical_failure_between_two_rounds_breaks_a_build_up(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 3, "physical_defense": 2}, Orc={"basic_melee": 2})
        table.do("Ash", "buildup", "2 4 5", skill="basic melee", attack=True)
        table.do("Ash", "encounter.next")
        table.do("GM Orc", "attack", "6 6", skill="basic melee", targets=("Ash",))
        done = table.do("Ash", "defend", "1 1", skill="physical defense")

        assert "Ash's build-up is broken." in done.notes

    def test_the_last_round_of_a_build_up_is_judged_together_with_the_rest(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 3}, Orc={"physical_defense": 5})
        table.do("Ash", "buildup", "1 4 5", skill="basic melee", attack=True)
        table.do("Ash", "encounter.next")
        table.do("GM", "encounter.next")
        table.do("Ash", "attack", "1 2", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "6 6 6 6 6", skill="physical defense")

        assert "Ash rolled 2 natural 1s: first ignored, 1 critical (1 damage)." in done.notes


@pytest.mark.rule("SWIM-POOL-04")
class TestHelpFromFriends:
    @pytest.mark.parametrize(("rank", "dice"), [(2, "5 4 3"), (3, "5 4 3 2"), (4, "5 4 3 2")])
    def test_a_friend_lends_dice_up_to_double_the_base_skill(self, rank: int, dice: str) -> None:
        table = lay_table(Ash=sheet({"jump": 2}), Bram=sheet({"throw": rank}))
        table.do("Bram", "aid", target="Ash", skill="throw", roll="jump")

        assert size(table, dice, skill="jump", push=2) == len(dice.split())

    def test_two_friends_can_lend_dice_to_one_roll(self) -> None:
        table = lay_table(Ash=sheet({"climb": 3}), Bram=sheet({"climb": 3}), Cleo=sheet({"climb": 3}))
        table.do("Bram", "aid", target="Ash", skill="climb")
        table.do("Cleo", "aid", target="Ash", skill="climb")

        assert size(table, "1 2 3 4 5 6", skill="climb", difficulty=4) == 6

    def test_in_combat_each_helper_takes_a_round_and_the_pool_has_no_limit(self) -> None:
        table = fighting("Bram", "Ash", Ash={"jump": 2}, Bram={"throw": 4})
        table.do("Bram", "buildup", "5 4 3", skill="throw", base="jump", owner="Ash")
        table.do("Bram", "encounter.next")
        assert table.why("Ash", "roll", skill="jump", push=2) == "Only one contribution per round."
        table.do("Ash", "encounter.next")
        table.do("Bram", "encounter.next")

        assert words(table.do("Ash", "roll", "6 6", skill="jump", push=2)) == "10 progress"

    def test_the_campaign_may_let_all_helpers_contribute_in_one_round(self) -> None:
        table = fighting("Bram", "Ash", Ash={"jump": 2}, Bram={"throw": 4})
        table.settings(convergence_parallel=True)
        table.do("Bram", "buildup", "5 4 3", skill="throw", base="jump", owner="Ash")
        table.do("Bram", "encounter.next")

        assert words(table.do("Ash", "roll", "6 6", skill="jump", push=2)) == "10 progress"

    def test_nobody_can_help_themselves_or_help_directly_in_combat(self) -> None:
        assert lay_table().why("Ash", "aid", target="Ash", skill="climb") == "You can't help yourself."
        table = fighting("Ash", "Bram")
        assert table.why("Ash", "aid", target="Bram", skill="climb").startswith("In combat")


@pytest.mark.rule("SWIM-POOL-05")
class TestWindUp:
    @pytest.mark.parametrize(("rank", "times", "dice"), [(3, 2, 5), (3, 3, 6), (1, 5, 1)])
    def test_a_wind_up_combines_a_skill_with_itself(self, rank: int, times: int, dice: int) -> None:
        table = solo({"brawn": rank})

        assert size(table, " ".join("3" * dice), skill="brawn", windup=times, difficulty=4) == dice

    def test_a_wind_up_in_combat_has_no_limit(self) -> None:
        table = fighting("Ash", "Orc", Ash={"brawn": 3})
        for faces in ("4 4 4", "5 5"):
            table.do("Ash", "buildup", faces, skill="brawn")
            table.do("Ash", "encounter.next")
            table.do("GM", "encounter.next")

        assert words(table.do("Ash", "roll", "6 6", skill="brawn", difficulty=4)) == "7 progress"


@pytest.mark.rule("SWIM-POOL-06")
class TestStraining:
    @pytest.mark.parametrize(("rank", "dice", "after"), [(3, 6, 2), (2, 4, 1)])
    def test_straining_doubles_the_dice_once_and_costs_a_rank(self, rank: int, dice: int, after: int) -> None:
        table = solo({"spot": rank})

        assert size(table, " ".join("3" * dice), skill="spot", difficulty=4, strain=True) == dice
        assert table.rank("Ash", "spot") == after

    def test_a_skill_of_rank_1_cannot_be_strained(self, table: GameTable) -> None:
        assert table.why("Ash", "roll", skill="spot", strain=True) == "Spot 1 can't be strained."

    def test_a_strained_defense_loses_a_hit_point(self) -> None:
        table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 1}))
        table.set("Ash", "physical_wounds", 1)
        table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))
        table.do("Ash", "defend", "3 3 3 3", skill="physical defense", strain=True)

        assert table.why("Ash", "roll", skill="spot") == "Ash is down."

    def test_straining_does_not_double_the_dice_of_an_artifact(self) -> None:
        table = solo({"earth": 2}, items=["Flawless crystal of the Ancients"])

        assert size(table, "2 2 2 2 2", skill="earth", difficulty=4, strain=True) == 5

    def test_a_defense_of_rank_1_cannot_be_strained(self) -> None:
        table = lay_table(Orc=sheet({"basic_melee": 1}))
        table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))

        assert table.why("Ash", "defend", skill="physical defense", strain=True) == (
            "Physical Defense can't be strained."
        )


@pytest.mark.rule("SWIM-POOL-07")
class TestHalfActions:
    @pytest.mark.parametrize(("skill", "rank", "dice"), [("walk", 5, 2), ("basic_melee", 3, 1)])
    def test_a_half_action_rolls_half_the_dice_rounded_down(self, skill: str, rank: int, dice: int) -> None:
        table = solo({skill: rank})

        assert size(table, " ".join("3" * dice), skill=skill, difficulty=4, half=True) == dice

    def test_a_half_action_needs_rank_2_or_more(self, table: GameTable) -> None:
        assert (
            table.why("Ash", "roll", skill="walk", half=True)
            == "A half action needs rank 2 or more: half of one die is none."
        )

    def test_a_half_action_also_halves_the_dice_of_an_artifact(self) -> None:
        table = solo({"earth": 4}, items=["Flawless crystal of the Ancients"])

        assert size(table, "2 2", skill="earth", difficulty=4, half=True) == 2

    def test_two_half_actions_make_a_turn_even_with_the_same_skill(self) -> None:
        table = fighting("Ash", "Orc", Ash={"walk": 4})
        table.do("Ash", "roll", "3 3", skill="walk", push=2, half=True)
        table.do("Ash", "roll", "3 3", skill="walk", push=2, half=True)

        assert table.why("Ash", "roll", skill="walk", half=True) == "Ash has no action left this turn."


@pytest.mark.rule("SWIM-POOL-08")
class TestPartsOfAPool:
    def test_the_dice_of_a_pool_can_be_divided_among_several_rolls(self) -> None:
        table = solo({"walk": 5})
        first = table.do("Ash", "roll", "3 3", skill="walk", push=2, dice=2)
        second = table.do("Ash", "roll", "3 3 3", skill="walk", push=2, dice=3)

        assert (first.notes, second.notes) == (
            ("3 dice of Walk / Run left for other parts.",),
            ("All Walk / Run dice of this action are used.",),
        )

    def test_two_half_actions_can_be_rolled_in_mixed_parts(self) -> None:
        table = fighting("Ash", "Orc", Ash={"basic_melee": 4, "walk": 4})
        strike = {"skill": "basic melee", "targets": ("Orc",), "half": True, "dice": 1}
        table.do("Ash", "attack", "5", **strike)
        table.do("Ash", "roll", "3 3", skill="walk", push=2, half=True, dice=2)
        table.do("Ash", "attack", "4", **strike)

        assert table.why("Ash", "roll", skill="walk", half=True, dice=1) == (
            "Ash has no action left this turn."
        )

    def test_the_parts_of_a_pool_cannot_use_more_dice_than_the_pool_has(self) -> None:
        table = solo({"walk": 5})
        assert table.why("Ash", "roll", skill="walk", push=2, dice=6) == ("You have only 5 dice to divide.")
        table.do("Ash", "roll", "3 3", skill="walk", push=2, dice=2)
        assert table.why("Ash", "roll", skill="walk", push=2, dice=4) == "You have only 3 dice left."

    def test_the_base_dice_of_a_combination_are_used_in_the_first_part(self) -> None:
        table = solo({"jump": 2, "walk": 2})
        first = table.do("Ash", "roll", "5 5", skill="jump", add="walk", difficulty=4, dice=2)
        second = table.do("Ash", "roll", "3", skill="jump", difficulty=4, dice=1)

        assert first.notes == ("1 die of Jump left for other parts.",)
        assert [die.shown for die in second.rolls[0].dice] == ["＋⚂"]
        assert table.rank("Ash", "jump") == 3

    def test_a_strained_skill_rolled_in_parts_loses_its_rank_once(self) -> None:
        table = solo({"climb": 2})
        table.do("Ash", "roll", "5 5", skill="climb", difficulty=4, dice=2, strain=True)
        assert table.rank("Ash", "climb") == 1
        table.do("Ash", "roll", "5 5", skill="climb", difficulty=4, dice=2, strain=True)

        assert table.rank("Ash", "climb") == 2

    def test_the_dice_of_an_artifact_are_rolled_with_the_first_part(self) -> None:
        table = solo({"earth": 2}, items=["Flawless crystal of the Ancients"])

        assert size(table, "3 3", skill="earth", difficulty=4, dice=1) == 2
        assert size(table, "3", skill="earth", difficulty=4, dice=1) == 1


@pytest.mark.rule("SWIM-POOL-09")
class TestPushing:
    @pytest.mark.parametrize(
        ("difficulty", "push", "faces", "verdict"),
        [(1, 2, "6 5", "4 progress"), (1, 2, "5 2", "4 progress"), (3, 2, "6 5", "2 progress")],
    )
    def test_pushing_multiplies_both_difficulty_and_progress(
        self, difficulty: int, push: int, faces: str, verdict: str
    ) -> None:
        table = solo({"brawn": 2})

        assert (
            words(table.do("Ash", "roll", faces, skill="brawn", difficulty=difficulty, push=push)) == verdict
        )

    def test_a_difficulty_above_3_cannot_be_pushed(self, table: GameTable) -> None:
        assert table.why("Ash", "roll", skill="spot", difficulty=4, push=2) == (
            "You can't push a difficulty of 4."
        )

    def test_pushing_cannot_be_chosen_after_the_roll(self) -> None:
        done = solo({"walk": 2}).do("Ash", "roll", "5 2", skill="walk", difficulty=2)

        assert done.follow_ups == ()

    def test_a_pushed_jump_that_falls_short_fails(self) -> None:
        done = solo({"jump": 3}).do("Ash", "jump", "2 5 1", gap=10, push=2)

        assert words(done) == "fails, 4 progress of 5"


@pytest.mark.rule("SWIM-POOL-11")
class TestFocusing:
    def test_a_focused_task_keeps_fractions_of_progress(self) -> None:
        table = solo({"craft": 3})
        table.do("Ash", "open_task", name="box", skill="craft", difficulty=4, progress=4)

        assert words(table.do("Ash", "work", "3 3 5", name="box", focus=1)) == "1½ of 4"

    def test_a_single_focused_roll_counts_whole_progress_only(self) -> None:
        done = solo({"climb": 4}).do("Ash", "move", "4 5 4 6", how="climb", difficulty=6, focus=2)

        assert words(done) == "1 square"

    def test_half_a_progress_is_not_enough_for_1(self) -> None:
        done = solo({"climb": 2}).do(
            "Ash", "roll", "4 1", skill="climb", difficulty=5, progress=1, once=True, focus=1
        )

        assert words(done) == "fails, ½ progress of 1"

    @pytest.mark.parametrize(
        ("difficulty", "focus"),
        [(1, 1), (2, 2)],
    )
    def test_focusing_cannot_lower_the_difficulty_below_1(
        self, table: GameTable, difficulty: int, focus: int
    ) -> None:
        assert table.why("Ash", "roll", skill="spot", difficulty=difficulty, focus=focus) == (
            f"You can't lower a difficulty of {difficulty} by {focus}."
        )

    def test_an_opposed_roll_cannot_be_focused(self, table: GameTable) -> None:
        assert table.why("Ash", "grapple", target="Orc", focus=1) == "You can't focus an opposed roll."


def test_fighters_at_the_test_table_act_in_the_given_order() -> None:
    assert [seat.name for seat in the_encounter(fighting("Bram", "Ash").scene).shown] == ["Bram", "Ash"]


@pytest.mark.rule("SWIM-POOL-09", "SWIM-TASK-03")
def test_a_pushed_roll_out_of_reach_is_only_rolled_anyway_or_not() -> None:
    table = solo({"jump": 1})
    asked = table.do("Ash", "roll", skill="jump", difficulty=3, progress=3, once=True, push=2)

    assert [one.label for one in asked.follow_ups] == ["Roll anyway"]


@pytest.mark.rule("SWIM-TASK-03", "SWIM-TASK-04")
def test_a_task_of_several_rolls_is_not_out_of_reach() -> None:
    table = solo({"craft": 1})
    table.do("Ash", "open_task", name="Bridge", skill="craft", progress=9)
    assert not [note for note in table.do("Ash", "work", "4", name="Bridge").notes if "Out of reach" in note]


@pytest.mark.rule("SWIM-POOL-02", "SWIM-POOL-04")
def test_a_build_up_for_somebody_else_names_them() -> None:
    told = []
    for options in ({}, {"owner": "Bram"}):
        table = lay_table(Ash=sheet({"basic_melee": 3, "agility": 3}))
        begun(table, "Bram")
        done = table.play("Ash", "buildup", {"skill": "basic_melee", **options}, SteadyDice(1))
        told.append(done.headline)
    assert told == ["builds up Basic Melee", "builds up Basic Melee for Bram"]


@pytest.mark.rule("SWIM-POOL-11", "SWIM-TASK-03", "SWIM-TASK-04")
@pytest.mark.parametrize("options", [{}, {"progress": 1, "once": True}])
def test_what_focusing_is_worth_is_the_chance_of_any_progress(options: dict[str, Any]) -> None:
    asked = solo({"jump": 4}).do("Ash", "roll", skill="jump", difficulty=7, **options)
    told = {one.label for one in asked.follow_ups}

    if "once" in options:
        assert "Focus −1 · 13%" in told
    else:
        assert "Focus −1 · 52%" in told
