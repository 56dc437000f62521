"""Every skill of the list, implements, and the things one carries."""

import pytest

from bot.rules.swim_class.settling import grapple_squares
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words


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

        assert table.refused("GM Orc", "defend", skill="basic ranged") == "Basic Ranged can't defend."
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
        assert table.refused("Ash", "pick_up", item="knife") == "Ash hasn't thrown a “knife”."

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
        assert table.refused("Bram", "move") == "Bram is held and can't move."

        table.do("Bram", "escape", "3")
        assert words(table.do("Ash", "defend", "4 4 4")) == "Bram is still held"
        table.do("Bram", "escape", "6")
        assert words(table.do("Ash", "defend", "4 4 4")) == "Bram breaks free"  # F-SWIM-33
        assert table.refused("Bram", "escape") == "Bram isn't held."
        assert table.refused("Ash", "release", target="Bram") == "Ash isn't holding Bram."

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
        assert table.refused("Ash", "stealth", observers=("Orc",), unaware=True) == (
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
