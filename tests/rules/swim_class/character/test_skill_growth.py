"""How skills advance, and how they pull each other up."""

import pytest

from bot.rules.swim_class.growth import Scored, advances, with_synergy
from bot.rules.swim_class.opposition import could_fail_attacking, could_fail_defending
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import book_of
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

BOOK = book_of(SwimSettings())


def attack_of(table: GameTable, faces: str, **more: object) -> None:
    table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",), **more)


@pytest.mark.rule("SWIM-ADV-01")
class TestEpicSuccess:
    @pytest.mark.parametrize(
        ("rank", "difficulty", "modifier", "fell", "after"),
        [
            (3, 4, 0, "4 4 4", 4),
            (3, 2, 0, "6 5 3", 3),
            (2, 6, 0, "6 5", 2),
            (2, 6, 2, "4 5", 3),
        ],
    )
    def test_a_skill_advances_when_every_die_scores_and_shows_4_or_more(
        self, rank: int, difficulty: int, modifier: int, fell: str, after: int
    ) -> None:
        table = solo({"spot": rank})
        table.do("Ash", "roll", fell, skill="spot", difficulty=difficulty, modifier=modifier)

        assert table.rank("Ash", "spot") == after

    def test_the_archer_of_the_books_example_advances_as_written(self) -> None:
        table = lay_table(
            Ash=sheet({"basic_ranged": 3}, items=["Common Bow", "Arrow"]),
            Beast=sheet({"physical_defense": 3}),
        )
        shot = table.do("Ash", "attack", "5 4 4", skill="basic ranged", targets=("Beast",), distance=2)
        hit = table.press("GM Beast", shot.follow_ups[0], "2 2 2")

        assert words(hit) == "3 hits"
        assert "Epic success: Basic Ranged 3 → 4." in hit.notes
        assert table.rank("Ash", "throw") == 2

    def test_one_stopped_die_prevents_an_attack_skill_from_advancing(self) -> None:
        table = solo({"basic_melee": 2})
        attack_of(table, "6 6")
        table.do("GM Orc", "defend", "6")

        assert table.rank("Ash", "basic_melee") == 2

    @pytest.mark.parametrize(
        ("first", "second", "after"),
        [("4", "4", 3), ("6", "4", 2), ("4", "6", 2), ("6", "6", 2)],
    )
    def test_hiding_from_two_advances_only_if_every_die_stands_against_both(
        self, first: str, second: str, after: int
    ) -> None:
        """SWIM-R119: a crowd is not easier to learn from."""
        table = lay_table(Ash=sheet({"stealth": 2}), Bram=sheet({"spot": 1}), Cleo=sheet({"spot": 1}))
        table.do("Ash", "stealth", "5 5", observers=("Bram", "Cleo"))
        table.do("Bram", "defend", first, skill="spot")
        table.do("Cleo", "defend", second, skill="spot")

        assert table.rank("Ash", "stealth") == after

    def test_dice_divided_among_targets_need_to_stand_only_against_their_own(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}))
        table.do("Ash", "attack", "5 5", skill="basic melee", targets=("Bram", "Orc"), shares="1,1")
        table.do("Bram", "defend", "4")
        table.do("GM Orc", "defend", "4")

        assert table.rank("Ash", "basic_melee") == 3

    def test_a_failed_all_or_nothing_task_does_not_advance_its_skill(self) -> None:
        table = solo({"jump": 2})
        table.do("Ash", "roll", "5 5", skill="jump", difficulty=4, progress=3, anyway=True)

        assert table.rank("Ash", "jump") == 2


@pytest.mark.rule("SWIM-ADV-02")
class TestChanceOfFailure:
    def test_a_task_that_cannot_fail_does_not_advance_its_skill(self) -> None:
        table = solo({"spot": 2})
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=1, call=True)
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=3, modifier=2, call=True)
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=2, focus=1, call=True)

        assert table.rank("Ash", "spot") == 2

    def test_a_task_that_can_fail_only_by_a_penalty_advances_its_skill(self) -> None:
        table = solo({"walk": 2}, traits={"fins": 2})
        table.do("Ash", "roll", "5 4", skill="walk", difficulty=1)

        assert table.rank("Ash", "walk") == 3

    def test_an_unopposed_attack_does_not_advance_its_skill(self) -> None:
        table = solo({"basic_melee": 1})
        attack_of(table, "6")
        table.do("GM Orc", "decline")

        assert table.rank("Ash", "basic_melee") == 1

    def test_an_attack_against_implicit_1s_may_be_unable_to_fail(self) -> None:
        assert not could_fail_attacking(attack_modifier=4, defence_modifier=0, has_dice=False, difficulty=1)
        assert could_fail_attacking(attack_modifier=4, defence_modifier=0, has_dice=True, difficulty=1)
        assert could_fail_attacking(attack_modifier=0, defence_modifier=-9, has_dice=True, difficulty=2)

    def test_a_defense_that_cannot_fail_does_not_advance_its_skill(self) -> None:
        assert could_fail_defending(attack_modifier=0, defence_modifier=4)
        assert not could_fail_defending(attack_modifier=0, defence_modifier=5)


@pytest.mark.rule("SWIM-ADV-03")
class TestDefendersAdvancing:
    @pytest.mark.parametrize(
        ("rank", "attack", "defence", "after"),
        [(2, "4 3", "5 4", 3), (3, "3 2", "6 5 4", 3), (2, "5 3 2", "6 4", 2)],
    )
    def test_a_defense_advances_when_every_die_stops_one_and_none_gets_through(
        self, rank: int, attack: str, defence: str, after: int
    ) -> None:
        table = lay_table(
            Ash=sheet({"physical_defense": rank}), Orc=sheet({"basic_melee": len(attack.split())})
        )
        table.do("GM Orc", "attack", attack, skill="basic melee", targets=("Ash",))
        table.do("Ash", "defend", defence, skill="physical defense")

        assert table.rank("Ash", "physical_defense") == after


@pytest.mark.rule("SWIM-ADV-04")
class TestAdvancingWithPartOfThePool:
    def test_half_an_action_does_not_advance_its_skill(self) -> None:
        table = solo({"walk": 4})
        table.do("Ash", "roll", "5 4", skill="walk", half=True, push=2)

        assert table.rank("Ash", "walk") == 4

    def test_the_campaign_may_let_half_actions_advance_skills(self) -> None:
        table = solo({"walk": 4})
        table.settings(advance_on_half=True)
        table.do("Ash", "roll", "5 4", skill="walk", half=True, push=2)

        assert table.rank("Ash", "walk") == 5

    @pytest.mark.parametrize(("second", "after"), [("1", 5), ("6", 4)])
    def test_a_pool_divided_among_targets_advances_its_skill_as_a_whole(
        self, second: str, after: int
    ) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 4}))
        table.do("Ash", "attack", "5 4 6 4", skill="basic melee", targets=("Orc", "Beast"), shares="2,2")
        table.do("GM Orc", "defend", "1")
        table.do("GM Beast", "defend", second)

        assert table.rank("Ash", "basic_melee") == after

    def test_parts_rolled_one_after_the_other_advance_their_skill_together(self) -> None:
        table = solo({"climb": 4})
        first = table.do("Ash", "roll", "5 4", skill="climb", difficulty=4, dice=2)
        assert first.notes == ("2 dice of Climb left for other parts.",)
        table.do("Ash", "roll", "6 4", skill="climb", difficulty=4, dice=2)

        assert table.rank("Ash", "climb") == 5

    @pytest.mark.parametrize(("second", "after"), [("1 1", 5), ("6 1", 4)])
    def test_attacks_made_in_parts_advance_their_skill_together_whenever_opposed(
        self, second: str, after: int
    ) -> None:
        table = lay_table(
            Ash=sheet({"basic_melee": 4}),
            Orc=sheet({"physical_defense": 2}),
            Beast=sheet({"physical_defense": 2}),
        )
        table.do("GM Ash", "encounter.start", "6 5 4", others=("Orc", "Beast"), at_once=True)
        first = table.do("Ash", "attack", "5 4", skill="basic melee", targets=("Orc",), dice=2)
        assert "2 dice of Basic Melee left for other parts." in first.notes
        table.do("Ash", "attack", "6 4", skill="basic melee", targets=("Beast",), dice=2)
        table.do("Ash", "encounter.next")
        table.do("GM Beast", "defend", "1 1", skill="physical defense")
        assert table.rank("Ash", "basic_melee") == 4
        done = table.do("GM Orc", "defend", second, skill="physical defense")

        assert table.rank("Ash", "basic_melee") == after
        if after == 5:
            assert "Epic success: Basic Melee 4 → 5." in done.notes
            assert table.sheet("Ash").epics[0].faces == (6, 4, 5, 4)

    def test_dice_left_unused_at_the_end_of_the_turn_keep_a_skill_from_advancing(self) -> None:
        table = solo({"basic_melee": 2})
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Ash", "attack", "5", skill="basic melee", targets=("Orc",), dice=1)
        table.do("Ash", "encounter.next")
        table.do("GM Orc", "defend", "1")
        table.do("GM", "encounter.next")

        assert table.rank("Ash", "basic_melee") == 2
        assert len(table.do("Ash", "roll", "1 2", skill="basic melee", difficulty=4).rolls[0].dice) == 2

    def test_a_failed_all_or_nothing_part_keeps_the_whole_action_from_advancing(self) -> None:
        table = solo({"climb": 2})
        table.do("Ash", "roll", "5", skill="climb", difficulty=4, dice=1, progress=2, anyway=True)
        table.do("Ash", "roll", "5", skill="climb", difficulty=4, dice=1)

        assert table.rank("Ash", "climb") == 2

    def test_one_die_below_4_keeps_all_parts_of_an_action_from_advancing(self) -> None:
        table = solo({"climb": 4})
        table.do("Ash", "roll", "5 3", skill="climb", difficulty=4, dice=2)
        table.do("Ash", "roll", "6 4", skill="climb", difficulty=4, dice=2)

        assert table.rank("Ash", "climb") == 4


@pytest.mark.rule("SWIM-ADV-05")
class TestAdvancingWithLargerPools:
    def test_only_the_base_skill_of_a_combination_advances(self) -> None:
        table = solo({"jump": 2, "walk": 3})
        done = table.do("Ash", "roll", "5 4 1 2", skill="jump", add="walk", push=2, progress=4, once=True)

        assert words(done) == "success, 6 progress of 4"
        assert (table.rank("Ash", "jump"), table.rank("Ash", "walk")) == (3, 3)

    def test_a_wind_up_advances_its_skill_only_when_all_its_dice_qualify(self) -> None:
        table = solo({"brawn": 3})
        table.do("Ash", "roll", "6 5 4 4 3", skill="brawn", windup=2, difficulty=2)
        assert table.rank("Ash", "brawn") == 3
        table.do("Ash", "roll", "6 5 4 4 4", skill="brawn", windup=2, difficulty=2)
        assert table.rank("Ash", "brawn") == 4

    def test_straining_and_advancing_in_one_roll_cancel_out(self) -> None:
        table = solo({"fire": 2})
        done = table.do("Ash", "roll", "4 5 6 4", skill="fire", difficulty=4, strain=True)

        assert table.rank("Ash", "fire") == 2
        assert done.notes == ("Epic success: Fire 2 → 3.", "Strain: Fire 3 → 2.")
        assert table.rank("Ash", "wind") == 0

    def test_a_strained_attack_loses_its_rank_at_once_and_may_regain_the_rank(self) -> None:
        table = solo({"basic_melee": 2})
        attack_of(table, "4 5 6 4", strain=True)
        assert table.rank("Ash", "basic_melee") == 1
        table.do("GM Orc", "defend", "1")

        assert table.rank("Ash", "basic_melee") == 2

    def test_a_rank_regained_after_straining_raises_no_skill_by_synergy(self) -> None:
        table = solo({"basic_melee": 5, "brawn": 1})
        attack_of(table, "4 5 6 4 4 4 4 4 4 4", strain=True)
        table.do("GM Orc", "defend", "1")

        assert (table.rank("Ash", "basic_melee"), table.rank("Ash", "brawn")) == (5, 1)


@pytest.mark.rule("SWIM-ADV-06")
class TestNewRank:
    def test_the_next_roll_uses_the_new_rank(self) -> None:
        table = solo({"spot": 3})
        table.do("Ash", "roll", "4 5 6", skill="spot", difficulty=4)

        assert len(table.do("Ash", "roll", "1 1 1 5", skill="spot", difficulty=4).rolls[0].dice) == 4

    def test_a_skill_may_rise_above_rank_10(self) -> None:
        table = solo({"spot": 10})
        table.do("Ash", "roll", "4 4 4 4 4 4 4 4 4 4", skill="spot", difficulty=4)

        assert table.rank("Ash", "spot") == 11

    def test_the_campaign_may_set_a_rank_limit(self) -> None:
        table = solo({"spot": 3})
        table.settings(rank_cap=3)
        table.do("Ash", "roll", "4 5 6", skill="spot", difficulty=4)

        assert table.rank("Ash", "spot") == 3

    def test_synergy_does_not_raise_a_skill_above_the_rank_limit(self) -> None:
        steps = with_synergy(BOOK, {"fire": 6}, ["fire"], cap=3).steps

        assert {step.skill: step.after for step in steps} == {"wind": 3, "death": 3, "life": 1, "earth": 1}


@pytest.mark.rule("SWIM-ADV-07")
class TestEpicLog:
    def test_the_roll_that_earned_a_rank_is_logged(self) -> None:
        table = solo({"basic_ranged": 3})
        table.do("Ash", "roll", "5 4 4", skill="basic ranged", difficulty=4)

        (epic,) = table.sheet("Ash").epics
        assert (epic.skill, epic.before, epic.after, epic.faces, epic.against) == (
            "basic_ranged",
            3,
            4,
            (5, 4, 4),
            "difficulty 4",
        )

    def test_a_rank_gained_by_synergy_is_not_logged_as_an_epic_success(self) -> None:
        table = solo({"basic_ranged": 3})
        table.do("Ash", "roll", "5 4 4", skill="basic ranged", difficulty=4)

        assert table.rank("Ash", "throw") == 2
        assert [epic.skill for epic in table.sheet("Ash").epics] == ["basic_ranged"]


@pytest.mark.rule("SWIM-ADV-08")
class TestAdvancingNpcs:
    @pytest.mark.parametrize(("tracks", "after"), [(False, 2), (True, 3)])
    def test_the_skills_of_an_npc_advance_only_where_the_gm_wants(self, *, tracks: bool, after: int) -> None:
        table = lay_table(Beast=sheet({"walk": 2}, tracks_advancement=tracks))
        done = table.do("GM Beast", "roll", "6 5", skill="walk", push=2)

        assert words(done) == "4 progress"
        assert table.rank("Beast", "walk") == after


class TestAdvanceRule:
    def test_a_roll_without_dice_advances_no_skill(self) -> None:
        assert not advances((), is_whole=True, could_fail=True)
        assert not advances((Scored(face=6, has_scored=True),), is_whole=False, could_fail=True)
