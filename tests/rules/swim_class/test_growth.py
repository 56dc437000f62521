"""How skills advance, and how they pull each other up."""

import pytest

from bot.rules.swim_class.growth import Scored, advances, with_synergy
from bot.rules.swim_class.opposition import could_fail_attacking, could_fail_defending
from bot.rules.swim_class.settling import grapple_squares
from bot.rules.swim_class.sheet import SwimSettings, book_of
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words

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
        held = table.do("Ash", "roll", "6 5 4 4 3", skill="brawn", windup=2, difficulty=2)
        assert "wound up ×2" in held.headline
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


def against(table: GameTable, faces: str, defence: str = "", **attack: object) -> str:
    table.do("Ash", "attack", faces, targets=("Orc",), **attack)
    return words(table.do("GM Orc", "defend", defence, skill="physical defense"))


class TestWeaponSkills:
    @pytest.mark.rule("SWIM-SKILL-01")
    def test_basic_melee_parries_and_has_synergy_with_brawn(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 4, "basic_melee": 1}))
        table.do("Ash", "roll", "4 4 4 4", skill="brawn", difficulty=4)
        assert table.rank("Ash", "basic_melee") == 2
        table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))

        assert words(table.do("Ash", "defend", "1 3", skill="basic melee")) == "no hit"

    @pytest.mark.rule("SWIM-SKILL-02")
    def test_basic_ranged_cannot_defend(self) -> None:
        table = solo({"basic_ranged": 1}, items=["Common Bow", "Arrow"])
        struck = table.do("Ash", "attack", "4", skill="basic ranged", targets=("Orc",), distance=6)
        assert struck.rolls[0].dice[0].shown == "⚃→5"

        assert table.why("GM Orc", "defend", skill="basic ranged") == "Basic Ranged can't defend."
        assert table.do("GM Orc", "defend", "1").rolls[0].dice[0].shown == "⚀→4"

    @pytest.mark.rule("SWIM-SKILL-13", "SWIM-ITEM-03")
    @pytest.mark.parametrize(
        ("squares", "defence", "verdict"), [(2, "2 1", "1 hit"), (0, "2 1", "2 hits"), (5, "2 1", "no hit")]
    )
    def test_a_thrown_knife_hits_by_distance_and_can_be_picked_up(
        self, squares: int, defence: str, verdict: str
    ) -> None:
        table = lay_table(Ash=sheet({"throw": 2}, items=["Knife"]), Orc=sheet({"physical_defense": 2}))

        assert against(table, "5 3", defence, skill="throw", distance=squares) == verdict
        assert table.sheet("Ash").items == ()
        assert table.do("Ash", "pick_up", item="knife").headline == "picks up Knife"
        assert table.sheet("Ash").items[0].quantity == 1
        assert table.why("Ash", "pick_up", item="knife") == "Ash hasn't thrown a “knife”."

    @pytest.mark.rule("SWIM-ITEM-03")
    def test_a_knife_in_melee_adds_1_to_each_die(self) -> None:
        table = solo(items=["Knife"])

        assert (
            table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",)).rolls[0].dice[0].shown
            == "⚃→5"
        )

    def test_a_knife_picked_up_joins_the_knives_already_carried(self) -> None:
        table = solo(items=["Knife"])
        table.do("GM", "give", target="Ash", item="Knife")
        table.do("Ash", "attack", "4", skill="throw", targets=("Orc",), distance=1, implement="Knife")
        table.do("Ash", "pick_up", item="Knife")

        assert table.sheet("Ash").items[0].quantity == 2


@pytest.mark.rule("SWIM-SKILL-03")
class TestGrapple:
    def test_further_hits_of_a_grapple_move_both_fighters(self) -> None:
        assert [grapple_squares(hits) for hits in (0, 1, 2, 3, 5)] == [0, 0, 0, 1, 2]

    def test_a_held_fighter_breaks_free_or_is_released(self) -> None:
        table = lay_table(Ash=sheet({"grapple": 3, "brawn": 2}))
        table.do("Ash", "grapple", "6 5 3", target="Bram")
        done = table.do("Bram", "defend", "1", skill="brawn")
        assert words(done) == "held; both can move 1 square"
        assert table.why("Bram", "move") == "Bram is held and can't move."

        table.do("Bram", "escape", "3")
        assert words(table.do("Ash", "defend", "4 4 4")) == "Bram is still held"
        table.do("Bram", "escape", "6")
        assert words(table.do("Ash", "defend", "4 4 4")) == "Bram breaks free"  # F-SWIM-33
        assert table.why("Bram", "escape") == "Bram isn't held."
        assert table.why("Ash", "release", target="Bram") == "Ash isn't holding Bram."

    def test_releasing_a_held_fighter_ends_the_hold(self) -> None:
        table = solo({"grapple": 2})
        table.do("Ash", "grapple", "6 1", target="Bram")
        assert words(table.do("Bram", "defend", "1", skill="brawn")) == "held"
        table.do("Ash", "release", target="Bram")
        assert table.sheet("Bram").states.held_by is None

    def test_a_grapple_that_misses_holds_nobody(self) -> None:
        table = solo({"grapple": 1})
        table.do("Ash", "grapple", "2", target="Bram")

        assert words(table.do("Bram", "defend", "4", skill="grapple")) == "not held"


@pytest.mark.rule("SWIM-SKILL-05", "SWIM-SKILL-17")
class TestStealth:
    @pytest.mark.parametrize(
        ("skill", "hide", "watch", "verdict"),
        [
            ("mental_defense", "5 3", "4", "unnoticed by Bram"),
            ("spot", "5 2", "4 3", "unnoticed by Bram"),
            ("spot", "3 2", "4 3", "noticed by Bram"),
        ],
    )
    def test_one_stealth_die_that_is_not_stopped_is_enough_to_hide(
        self, skill: str, hide: str, watch: str, verdict: str
    ) -> None:
        table = lay_table(Ash=sheet({"stealth": 2}), Bram=sheet({skill: len(watch.split())}))
        table.do("Ash", "stealth", hide, observers=("Bram",))

        assert words(table.do("Bram", "defend", watch, skill=skill)) == verdict
        assert (id_of("Bram") in table.sheet("Ash").states.hidden_from) == verdict.startswith("un")

    def test_only_a_gm_may_make_an_observer_unaware(self, table: GameTable) -> None:
        assert table.why("Ash", "stealth", observers=("Orc",), unaware=True) == (
            "Only a GM can make targets unaware."
        )
        done = table.do("GM Ash", "stealth", "2", observers=("Orc",), unaware=True)

        assert words(done) == "unnoticed by Orc"

    def test_dark_vision_and_far_vision_can_notice_a_hidden_character(self) -> None:
        table = lay_table(Ash=sheet({"stealth": 1}), Bram=sheet({"dark_vision": 2}))
        done = table.do("Ash", "stealth", "4", observers=("Bram", "Cleo"))

        menu = next(button for button in done.follow_ups if button.choices)
        assert {choice.value for choice in menu.choices} == {"spot", "mental_defense", "dark_vision"}


@pytest.mark.rule("SWIM-SKILL-06")
def test_support_from_friends_helps_against_persuasion() -> None:
    table = lay_table(Bram=sheet({"social_defense": 2}))
    table.do("GM", "add_skill", name="Persuade", attack="melee", pool="social")
    for friends, shown in ((True, ["⚂→4", "⚁→3"]), (False, ["⚂", "⚁"])):
        table.do("Ash", "attack", "3", skill="persuade", targets=("Bram",), modifier=3)
        done = table.do("Bram", "defend", "3 2", skill="social defense", friends=friends)
        assert [die.shown for die in done.rolls[0].dice] == shown
    assert (table.points("Bram", "scratches"), table.points("Bram", "social_wounds")) == (1, 1)
