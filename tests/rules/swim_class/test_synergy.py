"""How skills pull each other up."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.swim_class.growth import with_synergy
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import SwimItem, book_of
from bot.rules.swim_class.tables import SKILLS, SwimRequirement, SwimSkill, Synergy
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

BOOK = book_of(SwimSettings())


def raised(ranks: Mapping[str, int], improved: str) -> dict[str, int]:
    """What a pass has changed."""
    return {step.skill: step.after for step in with_synergy(BOOK, ranks, [improved]).steps}


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
    def test_a_skill_is_raised_to_within_the_synergy_degree_of_its_partner(
        self, ranks: dict[str, int], improved: str, partner: str, after: int | None
    ) -> None:
        assert raised(ranks, improved).get(partner) == after

    def test_each_step_of_a_synergy_is_shown(self) -> None:
        table = solo({"basic_ranged": 3})
        done = table.do("Ash", "roll", "5 4 4", skill="basic ranged", difficulty=4)

        assert done.notes == (
            "Epic success: Basic Ranged 3 → 4.",
            "Synergy: Throw follows Basic Ranged, 1 → 2.",
        )


@pytest.mark.rule("SWIM-SYN-02")
class TestSynergyCascade:
    @pytest.mark.parametrize(
        ("ranks", "improved", "after"),
        [
            ({"basic_ranged": 7}, "basic_ranged", {"throw": 5, "brawn": 3}),
            ({"brawn": 5}, "brawn", {"throw": 3, "grapple": 3, "basic_melee": 2}),
            ({"fire": 5}, "fire", {"wind": 3, "death": 3, "life": 1, "earth": 1}),
            ({"throw": 2, "basic_ranged": 6}, "basic_ranged", {"throw": 4, "brawn": 2}),
        ],
    )
    def test_a_skill_raised_by_synergy_raises_others_in_turn(
        self, ranks: dict[str, int], improved: str, after: dict[str, int]
    ) -> None:
        assert raised(ranks, improved) == after

    def test_a_strained_skill_lowers_no_other_skill_and_is_not_raised_again(self) -> None:
        table = solo({"throw": 3, "basic_ranged": 5})
        table.do("Ash", "roll", "1 2 1 2 1 2", skill="throw", difficulty=4, strain=True)

        assert (table.rank("Ash", "throw"), table.rank("Ash", "basic_ranged")) == (2, 5)

    @given(
        st.dictionaries(st.sampled_from([s.key for s in SKILLS if s.group != "racial"]), st.integers(1, 9))
    )
    def test_after_synergy_no_linked_skills_differ_by_more_than_their_degree(
        self, ranks: dict[str, int]
    ) -> None:
        after = with_synergy(BOOK, ranks, list(ranks)).ranks

        for edge in BOOK.synergies:
            one, other = BOOK.rank(after, edge.one), BOOK.rank(after, edge.other)
            if {edge.one, edge.other} & set(ranks) and "vision" not in edge.one:
                assert abs(one - other) <= edge.degree
        assert all(BOOK.rank(after, skill) >= rank for skill, rank in ranks.items())


@pytest.mark.rule("SWIM-SYN-03")
class TestFirstRankBySynergy:
    def test_synergy_opens_a_locked_form(self) -> None:
        table = solo({"fire": 2})
        done = table.do("Ash", "roll", "4 5", skill="fire", difficulty=4)

        assert "Unlocked Wind 1 (synergy with Fire)." in done.notes
        assert table.rank("Ash", "death") == 1

    def test_synergy_does_not_open_a_racial_skill(self) -> None:
        assert "dark_vision" not in raised({"spot": 6}, "spot")

    def test_synergy_opens_a_specialisation_on_the_sheet(self) -> None:
        assert (
            raised({"basic_ranged": 3, "basic_ranged:longbow": 0}, "basic_ranged")["basic_ranged:longbow"]
            == 1
        )


@pytest.mark.rule("SWIM-SYN-04")
class TestSynergiesOfTheBook:
    def test_the_standard_synergies_are_those_of_the_book(self) -> None:
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

    def test_spot_raises_mental_defense_and_tracking(self) -> None:
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
    def test_a_specialisation_has_synergy_with_its_parent_skill(
        self, ranks: dict[str, int], improved: str, after: dict[str, int]
    ) -> None:
        assert raised(ranks, improved) == after

    def test_a_specialisation_without_a_rank_rolls_its_parent_skill(self) -> None:
        table = solo({"basic_ranged": 2, "basic_ranged:longbow": 0})

        assert table.do("Ash", "roll", "4 1", skill="basic ranged: longbow", difficulty=4).headline == (
            "rolls Basic Ranged 2"
        )


@pytest.mark.rule("SWIM-SYN-06")
class TestSpecialisationBonus:
    @pytest.mark.parametrize(
        ("special", "rolled", "headline"),
        [(1, "4 1 1", "rolls Basic Ranged 3"), (3, "4 1 1", "rolls Basic Ranged (longbow) 3")],
    )
    def test_the_better_of_specialisation_and_parent_skill_is_rolled(
        self, special: int, rolled: str, headline: str
    ) -> None:
        table = solo({"basic_ranged": 3, "basic_ranged:longbow": special})

        assert (
            table.do("Ash", "roll", rolled, skill="basic_ranged:longbow", difficulty=4).headline == headline
        )

    def test_each_die_of_a_specialisation_gets_1_but_only_natural_4s_advance_the_skill(self) -> None:
        table = solo({"craft": 1, "craft:wood": 2})
        done = table.do("Ash", "roll", "3 5", skill="craft: wood", difficulty=4, exactly=True)

        assert words(done) == "2 progress"
        assert table.rank("Ash", "craft:wood") == 2


@pytest.mark.rule("SWIM-CHAR-06")
class TestPrerequisites:
    def table(self, finesse: int, **more: object) -> GameTable:
        table = lay_table(Ash=sheet({"finesse": finesse}, **more))  # type: ignore[arg-type]  # items
        needs = (SwimRequirement(skill="finesse", rank=3),)
        hacking = SwimSkill(key="hacking", name="Hacking", default=0, requires=needs)
        table.settings(skills=(hacking,), synergies=(Synergy(one="hacking", other="finesse", degree=2),))
        return table

    def test_a_skill_stays_locked_until_its_requirements_are_met(self) -> None:
        assert self.table(2).refused("Ash", "roll", skill="hacking") == "Hacking needs Finesse 3 first."

    def test_a_skill_opens_with_the_rank_that_meets_its_requirements(self) -> None:
        table = self.table(2)
        table.do("Ash", "roll", "5 5", skill="finesse", difficulty=4)

        assert table.rank("Ash", "hacking") == 1
        assert table.do("Ash", "roll", "5", skill="hacking", difficulty=4).headline == "rolls Hacking 1"

    def test_an_artifact_lets_a_locked_skill_be_used_but_not_advanced(self) -> None:
        rig = SwimItem(name="Rig", bonus_dice=1, dice_skill="hacking")
        table = self.table(2, items=[rig])
        done = table.do("Ash", "roll", "5", skill="hacking", difficulty=4)

        assert words(done) == "1 progress"
        assert table.rank("Ash", "hacking") == 0
