"""Actions that wait for their moment are the actions that they are: attacks, powers, moves."""

from typing import Any

import pytest

from bot.rules.kernel import Outcome
from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet, words


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
        assert table.refused("Ash", "attack", skill="basic melee", targets=("Orc",)) == (
            "It is Orc's turn, not Ash's."
        )

    def test_only_the_prepared_skill_can_be_used_out_of_turn(self) -> None:
        table, _ = turn_of_orc({"skill": "basic melee"}, {"basic_melee": 3, "brawn": 2})

        assert table.refused("Ash", "grapple", target="Orc") == "It is Orc's turn, not Ash's."
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

        assert table.refused("Ash", "trigger") == "Ash has no prepared action."


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

        assert table.refused("Ash", "trigger", spell="blaze", targets=("Orc",), line=2) == (
            "Blaze is a power of Fire, not of Death."
        )
        assert table.refused("Ash", "trigger", spell="death", targets=("Orc",)) == (
            "You prepared Stun, not Death."
        )

    def test_a_reserved_defense_takes_no_power(self) -> None:
        table = lay_table(Ash=sheet({"fire": 2}))

        assert table.refused("Ash", "reserve", skill="fire", spell="blaze") == "A defense needs no spell."
        assert (
            table.refused("Ash", "reserve", skill="fire", spell="stun", kind="action", trigger="it")
            == "Stun is a power of Death, not of Fire."
        )

    def test_prepared_light_needs_no_target(self) -> None:
        table, said = turn_of_orc({"skill": "fire", "spell": "light"}, {"fire": 2})

        assert words(table.press("Ash", said.follow_ups[0])) == "lights 4 squares"
