"""How skills pull each other up."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel import Outcome
from bot.rules.swim_class.growth import with_synergy
from bot.rules.swim_class.sheet import SwimItem, SwimSettings, book_of
from bot.rules.swim_class.tables import SKILLS, SwimRequirement, SwimSkill, Synergy
from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet, solo, words

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

    def test_synergy_opens_a_specialization_on_the_sheet(self) -> None:
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
class TestSpecialization:
    @pytest.mark.parametrize(
        ("ranks", "improved", "after"),
        [
            ({"basic_ranged": 3, "basic_ranged:longbow": 0}, "basic_ranged", {"basic_ranged:longbow": 1}),
            ({"craft": 3, "craft:wood": 0}, "craft", {"craft:wood": 2}),
            ({"basic_ranged:longbow": 5}, "basic_ranged:longbow", {"basic_ranged": 3}),
        ],
    )
    def test_a_specialization_has_synergy_with_its_parent_skill(
        self, ranks: dict[str, int], improved: str, after: dict[str, int]
    ) -> None:
        assert raised(ranks, improved) == after

    def test_a_specialization_without_a_rank_rolls_its_parent_skill(self) -> None:
        table = solo({"basic_ranged": 2, "basic_ranged:longbow": 0})

        assert table.do("Ash", "roll", "4 1", skill="basic ranged: longbow", difficulty=4).headline == (
            "rolls Basic Ranged 2"
        )


@pytest.mark.rule("SWIM-SYN-06")
class TestSpecializationBonus:
    @pytest.mark.parametrize(
        ("special", "rolled", "headline"),
        [(1, "4 1 1", "rolls Basic Ranged 3"), (3, "4 1 1", "rolls Basic Ranged (longbow) 3")],
    )
    def test_the_better_of_specialization_and_parent_skill_is_rolled(
        self, special: int, rolled: str, headline: str
    ) -> None:
        table = solo({"basic_ranged": 3, "basic_ranged:longbow": special})

        assert (
            table.do("Ash", "roll", rolled, skill="basic_ranged:longbow", difficulty=4).headline == headline
        )

    def test_each_die_of_a_specialization_gets_1_but_only_natural_4s_advance_the_skill(self) -> None:
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
        assert self.table(2).why("Ash", "roll", skill="hacking") == "Hacking needs Finesse 3 first."

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


def turn_of_orc(reserve: dict[str, Any], ranks: dict[str, int], **more: Any) -> tuple[GameTable, Outcome]:
    """A fight of Ash and the Orc: Ash prepares something, and it is the Orc's turn."""
    table = lay_table(Ash=sheet({"finesse": 2, **ranks}, **more), Orc=sheet({"physical_defense": 2}))
    table.do("Ash", "encounter.start", others=("Orc",))
    table.do("GM", "encounter.next", "6 6 1")
    said = table.do("Ash", "reserve", kind="action", trigger="the ogre comes at us", **reserve)
    table.do("GM", "encounter.next")
    return table, said


@pytest.mark.rule("SWIM-COMB-14", "SWIM-TASK-06")
class TestPreparedAttack:
    """F-SWIM-01"""

    def test_a_prepared_attack_has_a_target_a_defense_and_damage(self) -> None:
        table, said = turn_of_orc({"skill": "basic melee"}, {"basic_melee": 3})
        menu = said.follow_ups[0]
        assert (menu.label, [one.label for one in menu.choices]) == (
            "Trigger Basic Melee: which target?",
            ["Orc"],
        )

        done = table.press("Ash", menu, "6 5 1", choose="4")
        assert done.headline == "attacks Orc (Basic Melee 3)"
        assert done.notes[:1] == ("Prepared action: the ogre comes at us",)
        assert faced(table.do("GM Orc", "defend", "5 2")) == "5 stops 5, (1) stops 1 · through: 6"
        assert table.points("Orc", "scratches") == 1
        assert table.sheet("Ash").states.reserve is None

    def test_a_prepared_attack_can_be_typed_as_an_ordinary_attack(self) -> None:
        table, _ = turn_of_orc({"skill": "basic melee"}, {"basic_melee": 3})

        done = table.do("Ash", "attack", "6 5 1", skill="basic melee", targets=("Orc",))
        assert done.headline == "attacks Orc (Basic Melee 3)"
        assert table.why("Ash", "attack", skill="basic melee", targets=("Orc",)) == (
            "It is Orc's turn, not Ash's."
        )

    def test_only_the_prepared_skill_can_be_used_out_of_turn(self) -> None:
        table, _ = turn_of_orc({"skill": "basic melee"}, {"basic_melee": 3, "brawn": 2})

        assert table.why("Ash", "grapple", target="Orc") == "It is Orc's turn, not Ash's."
        assert table.sheet("Ash").states.reserve is not None

    def test_a_prepared_shot_asks_for_the_distance_and_keeps_its_bonus(self) -> None:
        table, said = turn_of_orc({"skill": "throw"}, {"throw": 2}, items=["Knife"])
        asked = table.press("Ash", said.follow_ups[0], choose="4")
        assert asked.headline == "aims at Orc (Throw): how far away?"
        assert table.sheet("Ash").states.reserve is not None

        done = table.press("Ash", asked.follow_ups[0], "6 5", choose="3")
        assert done.headline == "attacks Orc at 3 squares (Throw 2)"
        assert table.sheet("Ash").states.reserve is None

    def test_the_distance_of_a_prepared_shot_can_be_typed(self) -> None:
        table, _ = turn_of_orc({"skill": "throw"}, {"throw": 2}, items=["Knife"])

        done = table.do("Ash", "trigger", "6 5", targets=("Orc",), distance=2)
        assert done.headline == "attacks Orc at 2 squares (Throw 2)"

    def test_the_target_of_a_prepared_attack_outside_a_fight_is_typed(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}))
        said = table.do("Ash", "reserve", skill="basic melee", kind="action", trigger="it moves")

        assert [one.key for one in said.follow_ups[0].blanks] == ["targets"]
        done = table.do("Ash", "trigger", "6 5", targets=("Orc",))
        assert words(done) == "2 dice to stop"

    def test_a_prepared_grapple_holds_its_target(self) -> None:
        table, said = turn_of_orc({"skill": "grapple"}, {"grapple": 2})
        table.press("Ash", said.follow_ups[0], "6 5", choose="4")

        assert words(table.do("GM Orc", "decline")) == "held"
        assert table.sheet("Orc").states.held_by == 1

    def test_prepared_hiding_can_be_opposed(self) -> None:
        table, said = turn_of_orc({"skill": "stealth"}, {"stealth": 2})
        done = table.press("Ash", said.follow_ups[0], "6 5", choose="4")

        assert done.headline == "hides from Orc (Stealth 2)"

    def test_a_prepared_move_covers_its_squares(self) -> None:
        table, said = turn_of_orc({"skill": "walk"}, {"walk": 3})

        assert words(table.press("Ash", said.follow_ups[0])) == "3 squares, automatic"

    def test_any_prepared_skill_can_be_rolled_against_the_targets_skill(self) -> None:
        table, _ = turn_of_orc({"skill": "finesse"}, {})
        done = table.do("Ash", "trigger", "6 5", targets=("Orc",))

        assert done.headline == "sets Finesse against Orc's Finesse (Finesse 2)"

    def test_a_prepared_action_is_used_up_when_triggered(self) -> None:
        table, said = turn_of_orc({"skill": "walk"}, {"walk": 3})
        table.press("Ash", said.follow_ups[0])

        assert table.why("Ash", "trigger") == "Ash has no prepared action."


@pytest.mark.rule("SWIM-COMB-14")
class TestPreparedPower:
    """F-SWIM-01"""

    def test_a_prepared_power_can_be_named_in_advance(self) -> None:
        table, said = turn_of_orc({"skill": "death", "spell": "stun"}, {"death": 2})
        assert said.headline == "holds Stun in reserve: the ogre comes at us"
        assert said.follow_ups[0].label == "Trigger Stun: which target?"

        table.do("Ash", "trigger", "6 5", targets=("Orc",), distance=1)
        assert words(table.do("GM Orc", "decline")) == "Orc is stunned"

    def test_a_prepared_form_lets_the_caster_choose_the_power_when_triggered(self) -> None:
        table, said = turn_of_orc({"skill": "death"}, {"death": 2})
        menu = said.follow_ups[0]
        assert (menu.label, [one.value for one in menu.choices]) == (
            "Trigger Death: which power?",
            ["death", "stun", "raise"],
        )

        asked = table.press("Ash", menu, choose="stun")
        assert asked.headline == "carries out a prepared action (Death): the ogre comes at us"
        aimed = table.press("Ash", asked.follow_ups[0], choose="4")
        done = table.press("Ash", aimed.follow_ups[0], "6 5", choose="1")
        assert done.headline == "casts Stun at Orc at 1 square (Death 2)"

    def test_a_prepared_power_that_fills_an_area_asks_for_targets_and_length(self) -> None:
        table, said = turn_of_orc({"skill": "fire", "spell": "blaze"}, {"fire": 2})
        assert [one.key for one in said.follow_ups[0].blanks] == ["targets", "line"]

        done = table.do("Ash", "trigger", "6 5", targets=("Orc",), line=3)
        assert done.headline == "casts Blaze at Orc (Fire 2)"

    def test_a_prepared_form_refuses_a_power_of_another_form(self) -> None:
        table, _ = turn_of_orc({"skill": "death", "spell": "stun"}, {"death": 2, "fire": 2})

        assert table.why("Ash", "trigger", spell="blaze", targets=("Orc",), line=2) == (
            "Blaze is a power of Fire, not of Death."
        )
        assert table.why("Ash", "trigger", spell="death", targets=("Orc",)) == (
            "You prepared Stun, not Death."
        )

    def test_a_reserved_defense_takes_no_power(self) -> None:
        table = lay_table(Ash=sheet({"fire": 2}))

        assert table.why("Ash", "reserve", skill="fire", spell="blaze") == "A defense needs no spell."
        assert (
            table.why("Ash", "reserve", skill="fire", spell="stun", kind="action", trigger="it")
            == "Stun is a power of Death, not of Fire."
        )

    def test_prepared_light_needs_no_target(self) -> None:
        table, said = turn_of_orc({"skill": "fire", "spell": "light"}, {"fire": 2})

        assert words(table.press("Ash", said.follow_ups[0])) == "lights 4 squares"


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
    assert table.why("Ash", "trigger") == "Ash has no prepared action."


@pytest.mark.rule("SWIM-COMB-17")
def test_the_beast_preset_has_the_ranks_of_the_books_example(table: GameTable) -> None:
    table.do("GM", "preset", target="Beast", preset="Beast")

    assert [table.rank("Beast", skill) for skill in ("walk", "physical_defense", "swim")] == [2, 3, 1]


@pytest.mark.rule("SWIM-MAGIC-05")
def test_a_power_can_have_a_difficulty_and_stay_unopposed() -> None:
    table = solo({"life": 2})
    table.change("Orc", tags=("undead",))
    table.do("Ash", "cast", "4 2", spell="heal", targets=("Orc",), distance=0)

    assert words(table.do("GM Orc", "decline")) == "1 hit"
