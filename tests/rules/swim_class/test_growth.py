"""How skills advance, and how they pull each other up."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.swim_class.growth import Scored, advances, with_synergy
from bot.rules.swim_class.implements import Item
from bot.rules.swim_class.opposition import could_fail_attacking, could_fail_defending
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.skills import book_of
from bot.rules.swim_class.tables import SKILLS, Requirement, Skill, Synergy
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

BOOK = book_of(SwimSettings())


def raised(ranks: Mapping[str, int], improved: str) -> dict[str, int]:
    """What a pass has changed."""
    return {step.skill: step.after for step in with_synergy(BOOK, ranks, [improved]).steps}


def attack_of(table: GameTable, faces: str, **more: object) -> None:
    table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",), **more)


@pytest.mark.rule("SWIM-ADV-01")
class TestAdvance:
    @pytest.mark.parametrize(
        ("rank", "difficulty", "modifier", "fell", "after"),
        [
            (3, 4, 0, "4 4 4", 4),
            (3, 2, 0, "6 5 3", 3),
            (2, 6, 0, "6 5", 2),
            (2, 6, 2, "4 5", 3),
        ],
    )
    def test_every_die_scores_and_shows_four_or_more(
        self, rank: int, difficulty: int, modifier: int, fell: str, after: int
    ) -> None:
        table = solo({"spot": rank})
        table.do("Ash", "roll", fell, skill="spot", difficulty=difficulty, modifier=modifier)

        assert table.rank("Ash", "spot") == after

    def test_the_archer_of_the_sample_rounds(self) -> None:
        table = lay_table(
            Ash=sheet({"basic_ranged": 3}, items=["Common Bow", "Arrow"]),
            Beast=sheet({"physical_defense": 3}),
        )
        shot = table.do("Ash", "attack", "5 4 4", skill="basic ranged", targets=("Beast",), distance=2)
        hit = table.press("GM Beast", shot.follow_ups[0], "2 2 2")

        assert words(hit) == "3 hits"
        assert "Epic success: Basic Ranged 3 → 4." in hit.notes
        assert table.rank("Ash", "throw") == 2

    def test_one_die_stopped_is_enough_to_prevent_it(self) -> None:
        table = solo({"basic_melee": 2})
        attack_of(table, "6 6")
        table.do("GM Orc", "defend", "6")

        assert table.rank("Ash", "basic_melee") == 2

    def test_an_all_or_nothing_task_must_pass(self) -> None:
        table = solo({"jump": 2})
        table.do("Ash", "roll", "5 5", skill="jump", difficulty=4, progress=3, once=True)

        assert table.rank("Ash", "jump") == 2


@pytest.mark.rule("SWIM-ADV-02")
class TestChanceOfFailure:
    def test_a_task_that_cannot_fail_teaches_nothing(self) -> None:
        table = solo({"spot": 2})
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=1, call=True)
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=3, modifier=2, call=True)
        table.do("Ash", "roll", "6 6", skill="spot", difficulty=2, focus=1, call=True)

        assert table.rank("Ash", "spot") == 2

    def test_one_made_hard_by_a_penalty_does(self) -> None:
        table = solo({"walk": 2}, traits={"fins": 2})
        table.do("Ash", "roll", "5 4", skill="walk", difficulty=1)

        assert table.rank("Ash", "walk") == 3

    def test_nobody_learns_from_who_does_not_oppose(self) -> None:
        table = solo({"basic_melee": 1})
        attack_of(table, "6")
        table.do("GM Orc", "decline")

        assert table.rank("Ash", "basic_melee") == 1

    def test_implicit_ones_alone_may_be_too_weak(self) -> None:
        assert not could_fail_attacking(attack_modifier=4, defence_modifier=0, has_dice=False, difficulty=1)
        assert could_fail_attacking(attack_modifier=4, defence_modifier=0, has_dice=True, difficulty=1)
        assert could_fail_attacking(attack_modifier=0, defence_modifier=-9, has_dice=True, difficulty=2)

    def test_a_defence_that_stops_everything_teaches_nothing(self) -> None:
        assert could_fail_defending(attack_modifier=0, defence_modifier=4)
        assert not could_fail_defending(attack_modifier=0, defence_modifier=5)


@pytest.mark.rule("SWIM-ADV-03")
class TestDefenders:
    @pytest.mark.parametrize(
        ("rank", "attack", "defence", "after"),
        [(2, "4 3", "5 4", 3), (3, "3 2", "6 5 4", 3), (2, "5 3 2", "6 4", 2)],
    )
    def test_they_learn_where_every_die_stops_one_and_nothing_gets_through(
        self, rank: int, attack: str, defence: str, after: int
    ) -> None:
        table = lay_table(
            Ash=sheet({"physical_defense": rank}), Orc=sheet({"basic_melee": len(attack.split())})
        )
        table.do("GM Orc", "attack", attack, skill="basic melee", targets=("Ash",))
        table.do("Ash", "defend", defence, skill="physical defense")

        assert table.rank("Ash", "physical_defense") == after


@pytest.mark.rule("SWIM-ADV-04")
class TestPartialPools:
    def test_half_an_action_teaches_nothing(self) -> None:
        table = solo({"walk": 4})
        table.do("Ash", "roll", "5 4", skill="walk", half=True, push=2)

        assert table.rank("Ash", "walk") == 4

    def test_unless_the_campaign_says_so(self) -> None:
        table = solo({"walk": 4})
        table.settings(advance_on_half=True)
        table.do("Ash", "roll", "5 4", skill="walk", half=True, push=2)

        assert table.rank("Ash", "walk") == 5

    @pytest.mark.parametrize(("second", "after"), [("1", 5), ("6", 4)])
    def test_a_divided_pool_is_judged_as_one(self, second: str, after: int) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 4}))
        table.do("Ash", "attack", "5 4 6 4", skill="basic melee", targets=("Orc", "Beast"), shares="2,2")
        table.do("GM Orc", "defend", "1")
        table.do("GM Beast", "defend", second)

        assert table.rank("Ash", "basic_melee") == after

    def test_parts_played_one_after_the_other_count_together(self) -> None:
        table = solo({"climb": 4})
        first = table.do("Ash", "roll", "5 4", skill="climb", difficulty=4, dice=2)
        assert first.notes == ("2 dice of Climb left for other parts.",)
        table.do("Ash", "roll", "6 4", skill="climb", difficulty=4, dice=2)

        assert table.rank("Ash", "climb") == 5

    def test_one_die_short_spoils_all_parts(self) -> None:
        table = solo({"climb": 4})
        table.do("Ash", "roll", "5 3", skill="climb", difficulty=4, dice=2)
        table.do("Ash", "roll", "6 4", skill="climb", difficulty=4, dice=2)

        assert table.rank("Ash", "climb") == 4


@pytest.mark.rule("SWIM-ADV-05")
class TestEnlargedPools:
    def test_only_the_base_of_a_combination_advances(self) -> None:
        table = solo({"jump": 2, "walk": 3})
        done = table.do("Ash", "roll", "5 4 1 2", skill="jump", add="walk", push=2, progress=4, once=True)

        assert words(done) == "success, 6 progress of 4"
        assert (table.rank("Ash", "jump"), table.rank("Ash", "walk")) == (3, 3)

    def test_all_dice_of_a_wind_up_must_qualify(self) -> None:
        table = solo({"brawn": 3})
        table.do("Ash", "roll", "6 5 4 4 3", skill="brawn", windup=2, difficulty=2)
        assert table.rank("Ash", "brawn") == 3
        table.do("Ash", "roll", "6 5 4 4 4", skill="brawn", windup=2, difficulty=2)
        assert table.rank("Ash", "brawn") == 4

    def test_strain_and_advance_cancel_out(self) -> None:
        table = solo({"fire": 2})
        done = table.do("Ash", "roll", "4 5 6 4", skill="fire", difficulty=4, strain=True)

        assert table.rank("Ash", "fire") == 2
        assert done.notes == ("Epic success: Fire 2 → 3.", "The strain: Fire 3 → 2.")
        assert table.rank("Ash", "wind") == 0

    def test_a_strained_attack_loses_its_rank_at_once_and_may_get_it_back(self) -> None:
        table = solo({"basic_melee": 2})
        attack_of(table, "4 5 6 4", strain=True)
        assert table.rank("Ash", "basic_melee") == 1
        table.do("GM Orc", "defend", "1")

        assert table.rank("Ash", "basic_melee") == 2


@pytest.mark.rule("SWIM-ADV-06")
class TestApplying:
    def test_the_next_roll_has_the_new_rank(self) -> None:
        table = solo({"spot": 3})
        table.do("Ash", "roll", "4 5 6", skill="spot", difficulty=4)

        assert len(table.do("Ash", "roll", "1 1 1 5", skill="spot", difficulty=4).rolls[0].dice) == 4

    def test_ten_is_no_limit(self) -> None:
        table = solo({"spot": 10})
        table.do("Ash", "roll", "4 4 4 4 4 4 4 4 4 4", skill="spot", difficulty=4)

        assert table.rank("Ash", "spot") == 11

    def test_but_a_campaign_may_set_one(self) -> None:
        table = solo({"spot": 3})
        table.settings(rank_cap=3)
        table.do("Ash", "roll", "4 5 6", skill="spot", difficulty=4)

        assert table.rank("Ash", "spot") == 3

    def test_synergy_does_not_pass_it_either(self) -> None:
        steps = with_synergy(BOOK, {"fire": 6}, ["fire"], cap=3).steps

        assert {step.skill: step.after for step in steps} == {"wind": 3, "death": 3, "life": 1, "earth": 1}


@pytest.mark.rule("SWIM-ADV-07")
class TestEpicLog:
    def test_the_roll_that_earned_a_rank_is_kept(self) -> None:
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

    def test_what_synergy_raises_is_no_epic_success(self) -> None:
        table = solo({"basic_ranged": 3})
        table.do("Ash", "roll", "5 4 4", skill="basic ranged", difficulty=4)

        assert table.rank("Ash", "throw") == 2
        assert [epic.skill for epic in table.sheet("Ash").epics] == ["basic_ranged"]


@pytest.mark.rule("SWIM-ADV-08")
class TestNpcs:
    @pytest.mark.parametrize(("tracks", "after"), [(False, 2), (True, 3)])
    def test_they_learn_only_where_the_gm_wants_it(self, *, tracks: bool, after: int) -> None:
        table = lay_table(Beast=sheet({"walk": 2}, tracks_advancement=tracks))
        done = table.do("GM Beast", "roll", "6 5", skill="walk", push=2)

        assert words(done) == "4 progress"
        assert table.rank("Beast", "walk") == after


@pytest.mark.rule("SWIM-SYN-01")
class TestSynergy:
    @pytest.mark.parametrize(
        ("ranks", "improved", "partner", "after"),
        [
            ({"basic_ranged": 4}, "basic_ranged", "throw", 2),
            ({"basic_ranged": 5, "throw": 4}, "basic_ranged", "throw", None),
            ({"throw": 5}, "throw", "basic_ranged", 3),
            ({"brawn": 5}, "brawn", "basic_melee", 2),
        ],
    )
    def test_the_other_skill_follows_to_within_the_degree(
        self, ranks: dict[str, int], improved: str, partner: str, after: int | None
    ) -> None:
        assert raised(ranks, improved).get(partner) == after

    def test_each_step_is_told(self) -> None:
        table = solo({"basic_ranged": 3})
        done = table.do("Ash", "roll", "5 4 4", skill="basic ranged", difficulty=4)

        assert done.notes == (
            "Epic success: Basic Ranged 3 → 4.",
            "Synergy: Throw follows Basic Ranged, 1 → 2.",
        )


@pytest.mark.rule("SWIM-SYN-02")
class TestCascade:
    @pytest.mark.parametrize(
        ("ranks", "improved", "after"),
        [
            ({"basic_ranged": 7}, "basic_ranged", {"throw": 5, "brawn": 3}),
            ({"brawn": 5}, "brawn", {"throw": 3, "grapple": 3, "basic_melee": 2}),
            ({"fire": 5}, "fire", {"wind": 3, "death": 3, "life": 1, "earth": 1}),
            ({"throw": 2, "basic_ranged": 6}, "basic_ranged", {"throw": 4, "brawn": 2}),
        ],
    )
    def test_a_raise_raises_others(self, ranks: dict[str, int], improved: str, after: dict[str, int]) -> None:
        assert raised(ranks, improved) == after

    def test_a_strained_skill_drags_nobody_down_and_is_not_pulled_up_again(self) -> None:
        table = solo({"throw": 3, "basic_ranged": 5})
        table.do("Ash", "roll", "1 2 1 2 1 2", skill="throw", difficulty=4, strain=True)

        assert (table.rank("Ash", "throw"), table.rank("Ash", "basic_ranged")) == (2, 5)

    @given(
        st.dictionaries(st.sampled_from([s.key for s in SKILLS if s.group != "racial"]), st.integers(1, 9))
    )
    def test_afterwards_no_pair_touched_is_farther_apart_than_its_degree(self, ranks: dict[str, int]) -> None:
        after = with_synergy(BOOK, ranks, list(ranks)).ranks

        for edge in BOOK.synergies:
            one, other = BOOK.rank(after, edge.one), BOOK.rank(after, edge.other)
            if {edge.one, edge.other} & set(ranks) and "vision" not in edge.one:
                assert abs(one - other) <= edge.degree
        assert all(BOOK.rank(after, skill) >= rank for skill, rank in ranks.items())


@pytest.mark.rule("SWIM-SYN-03")
class TestFirstPoint:
    def test_a_closed_form_opens(self) -> None:
        table = solo({"fire": 2})
        done = table.do("Ash", "roll", "4 5", skill="fire", difficulty=4)

        assert "Unlocked Wind 1 (synergy with Fire)." in done.notes
        assert table.rank("Ash", "death") == 1

    def test_a_racial_skill_does_not(self) -> None:
        assert "dark_vision" not in raised({"spot": 6}, "spot")

    def test_a_specialisation_that_is_on_the_sheet_does(self) -> None:
        assert (
            raised({"basic_ranged": 3, "basic_ranged:longbow": 0}, "basic_ranged")["basic_ranged:longbow"]
            == 1
        )


@pytest.mark.rule("SWIM-SYN-04")
class TestStandardTable:
    def test_the_connections_of_the_book(self) -> None:
        pairs = {frozenset((edge.one, edge.other)): edge.degree for edge in BOOK.synergies}

        assert pairs == {
            frozenset({"grapple", "brawn"}): 2,
            frozenset({"throw", "basic_ranged"}): 2,
            frozenset({"brawn", "throw"}): 2,
            frozenset({"brawn", "basic_melee"}): 3,
            frozenset({"spot", "mental_defense"}): 2,
            frozenset({"tracking", "spot"}): 2,
            frozenset({"dark_vision", "spot"}): 2,
            frozenset({"far_vision", "spot"}): 2,
            frozenset({"pick_lock", "finesse"}): 2,
            frozenset({"life", "wind"}): 2,
            frozenset({"wind", "fire"}): 2,
            frozenset({"fire", "death"}): 2,
            frozenset({"death", "earth"}): 2,
            frozenset({"earth", "water"}): 2,
            frozenset({"water", "life"}): 2,
        }

    def test_spot_and_those_who_hang_on_it(self) -> None:
        assert raised({"spot": 4}, "spot") == {"mental_defense": 2, "tracking": 2}
        assert raised({"mental_defense": 5}, "mental_defense") == {"spot": 3}
        assert raised({"swim": 9}, "swim") == {}


@pytest.mark.rule("SWIM-SYN-05")
class TestSpecialisation:
    @pytest.mark.parametrize(
        ("ranks", "improved", "after"),
        [
            ({"basic_ranged": 3, "basic_ranged:longbow": 0}, "basic_ranged", {"basic_ranged:longbow": 1}),
            ({"craft": 3, "craft:wood": 0}, "craft", {"craft:wood": 2}),
            ({"basic_ranged:longbow": 5}, "basic_ranged:longbow", {"basic_ranged": 3}),
        ],
    )
    def test_it_hangs_on_its_parent(
        self, ranks: dict[str, int], improved: str, after: dict[str, int]
    ) -> None:
        assert raised(ranks, improved) == after

    def test_without_a_rank_its_parent_is_rolled(self) -> None:
        table = solo({"basic_ranged": 2, "basic_ranged:longbow": 0})

        assert table.do("Ash", "roll", "4 1", skill="basic ranged: longbow", difficulty=4).headline == (
            "rolls Basic Ranged 2"
        )


@pytest.mark.rule("SWIM-SYN-06")
class TestSpecialisedBonus:
    @pytest.mark.parametrize(
        ("special", "rolled", "headline"),
        [(1, "4 1 1", "rolls Basic Ranged 3"), (3, "4 1 1", "rolls Basic Ranged (longbow) 3")],
    )
    def test_the_better_of_both_is_rolled(self, special: int, rolled: str, headline: str) -> None:
        table = solo({"basic_ranged": 3, "basic_ranged:longbow": special})

        assert (
            table.do("Ash", "roll", rolled, skill="basic_ranged:longbow", difficulty=4).headline == headline
        )

    def test_each_of_its_dice_gets_one_more_but_natural_fours_are_wanted(self) -> None:
        table = solo({"craft": 1, "craft:wood": 2})
        done = table.do("Ash", "roll", "3 5", skill="craft: wood", difficulty=4, exactly=True)

        assert words(done) == "2 progress"
        assert table.rank("Ash", "craft:wood") == 2


class TestAdvances:
    def test_no_dice_teach_nothing(self) -> None:
        assert not advances((), is_whole=True, could_fail=True)
        assert not advances((Scored(face=6, has_scored=True),), is_whole=False, could_fail=True)


@pytest.mark.rule("SWIM-CHAR-06")
class TestPrerequisites:
    def table(self, finesse: int, **more: object) -> GameTable:
        table = lay_table(Ash=sheet({"finesse": finesse}, **more))  # type: ignore[arg-type]  # items
        needs = (Requirement(skill="finesse", rank=3),)
        hacking = Skill(key="hacking", name="Hacking", default=0, requires=needs)
        table.settings(skills=(hacking,), synergies=(Synergy(one="hacking", other="finesse", degree=2),))
        return table

    def test_it_is_closed_until_they_are_met(self) -> None:
        assert self.table(2).refused("Ash", "roll", skill="hacking") == "Hacking needs Finesse 3 first."

    def test_and_opens_with_the_point_that_meets_them(self) -> None:
        table = self.table(2)
        table.do("Ash", "roll", "5 5", skill="finesse", difficulty=4)

        assert table.rank("Ash", "hacking") == 1
        assert table.do("Ash", "roll", "5", skill="hacking", difficulty=4).headline == "rolls Hacking 1"

    def test_an_artifact_lets_one_use_it_but_not_learn_it(self) -> None:
        rig = Item(name="Rig", bonus_dice=1, dice_skill="hacking")
        table = self.table(2, items=[rig])
        done = table.do("Ash", "roll", "5", skill="hacking", difficulty=4)

        assert words(done) == "1 progress"
        assert table.rank("Ash", "hacking") == 0
