"""What lies on the ground, in a fight and without one."""

import pytest

from bot.rules.swim_class.encounter import Ground, find_ground, the_encounter
from bot.rules.swim_class.session import end_session
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, words


def shaken() -> GameTable:
    """The earth has quaked where nobody fights: level 3, then 2."""
    table = lay_table(Ash=sheet({"earth": 3, "water": 3, "fire": 1}), Bram=sheet({"walk": 3}))
    table.do("Ash", "cast", "6 5 2", spell="quake", targets=("Orc",), area=3)
    return table


@pytest.mark.rule("SWIM-MAGIC-10")
class TestRoughGroundOutsideAFight:
    def test_ground_roughened_by_a_quake_stays_rough_until_the_gm_passes_rounds(self) -> None:
        table = shaken()
        assert words(table.do("Bram", "move", "4 5 3")) == "2 squares"
        assert table.last is not None
        assert table.last.rolls[0].against == "4+ a die"

        assert table.do("GM", "round_passes").notes == ("Rough ground: level 2 this round.",)
        assert table.do("Bram", "move", "3 3 3").rolls[0].against == "3+ a die"
        assert table.do("GM", "round_passes").notes == ("The ground is back to normal.",)
        assert words(table.do("Bram", "move")) == "3 squares, automatic"
        assert table.refused("GM", "round_passes") == "Nothing here changes with the rounds."

    def test_the_gm_has_a_button_to_pass_a_round(self) -> None:
        table = shaken()
        assert table.last is not None
        (button,) = (one for one in table.last.follow_ups if one.procedure == "round_passes")

        assert (button.label, button.audience, button.stays) == ("Pass a round", "gm", True)
        table.press("GM", button)
        assert find_ground(table.scene).terrain == (2,)

    def test_a_fight_starts_on_the_ground_as_it_is_and_counts_its_rounds(self) -> None:
        table = shaken()
        table.do("GM Ash", "encounter.start", "6 5", others=("Bram",), at_once=True)

        assert the_encounter(table.scene).terrain == (3, 2)
        assert table.refused("GM", "round_passes") == "In a fight, rounds pass with the turns."
        table.do("Ash", "encounter.next")
        table.do("Bram", "encounter.next")
        assert find_ground(table.scene).terrain == (2,)
        table.do("GM", "encounter.end")
        assert find_ground(table.scene) == Ground()

    def test_a_brief_rest_or_the_end_of_the_session_makes_the_ground_smooth(self) -> None:
        table = shaken()
        table.do("Bram", "rest")
        assert find_ground(table.scene) == Ground()

        table = shaken()
        ended = end_session(table.scene, [id_of("Ash")], ["ground/7"]).scene
        assert ended.document("ground/7") is None

    def test_a_character_resting_beside_a_fight_leaves_the_ground_of_the_fight_rough(self) -> None:
        table = shaken()
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Bram", "rest")

        assert find_ground(table.scene).terrain == (3, 2)

    def test_the_gm_makes_any_ground_rough_or_smooth(self, table: GameTable) -> None:
        assert table.do("GM", "terrain", level=2, rounds=3).headline == "makes the ground rough (level 2)"
        assert find_ground(table.scene).terrain == (2, 2, 2)
        table.do("GM", "round_passes", rounds=2)
        assert find_ground(table.scene).terrain == (2,)

        assert table.do("GM", "terrain", level=0).headline == "makes the ground smooth"
        assert find_ground(table.scene) == Ground()


@pytest.mark.rule("SWIM-MAGIC-12")
def test_wet_ground_also_guards_against_fire_outside_a_fight() -> None:
    table = lay_table(Ash=sheet({"water": 2, "fire": 1}), Orc=sheet({"physical_defense": 1}))
    table.do("Ash", "cast", "6 1", spell="spray", targets=("Beast",), area=2)
    for shown in ("⚀→5", "⚀"):
        table.do("Ash", "cast", "5", spell="blaze", targets=("Orc",), line=1)
        done = table.do("GM Orc", "defend", "1", skill="physical defense")
        assert done.rolls[0].dice[0].shown == shown
        if shown == "⚀→5":
            assert table.do("GM", "round_passes").notes == ("The ground is back to normal.",)


@pytest.mark.rule("SWIM-MAGIC-13")
def test_breathing_water_outside_a_fight_lasts_until_the_round_passes() -> None:
    table = lay_table(Ash=sheet({"water": 2}))
    done = table.do("Ash", "cast", "3 3", spell="breathe", targets=("Ash", "Bram"))

    assert find_ground(table.scene).breathing == (id_of("Ash"), id_of("Bram"))
    table.press("GM", done.follow_ups[0])
    assert find_ground(table.scene).breathing == ()
