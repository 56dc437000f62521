"""Nothing that waits for somebody is lost when a fight or a session ends."""

from typing import cast

from bot.rules.kernel import settle_all, waive_all
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.sheet import Scene
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import GameTable, id_of, lay_table, script, sheet


def attacked() -> GameTable:
    """In a fight the Orc has attacked Ash, who has not defended yet."""
    table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 2}))
    table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
    table.do("GM Orc", "attack", "6 6", skill="basic melee", targets=("Ash",))
    return table


class TestEndOfAFight:
    def test_f_opt_04_ending_an_encounter_lists_the_defenses_still_owed(self) -> None:
        table = attacked()

        asked = table.do("GM", "encounter.end")

        assert asked.headline == "can't end the encounter yet: 1 thing is open"
        assert asked.notes == ("Ash's defense against Orc's Basic Melee.",)
        labels = [one.label for one in asked.follow_ups]
        assert labels[0].startswith("Ash: Physical Defense")
        assert labels[1] == "Ash doesn't oppose"
        assert labels[-2:] == ["Settle it and end (GM)", "Waive it and end (GM)"]

    def test_f_opt_04_settling_a_defense_rolls_the_best_defense(self) -> None:
        table = attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-2], "1 1")

        assert ended.notes[0] == "Ash's defense against Orc's Basic Melee: 2 hits."
        assert "Ash takes 2 damage: Composure soaks 1." in ended.notes
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_waiving_a_defense_drops_the_attack(self) -> None:
        table = attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-1])

        assert ended.notes == ("Waived: Ash's defense against Orc's Basic Melee.",)
        assert table.refused("Ash", "defend") == "There is nothing for Ash to oppose."
        assert [key for key in table.scene.documents if table.scene.document(key)] == []

    def test_f_opt_04_nobody_leaves_an_encounter_before_defending(self) -> None:
        assert attacked().refused("Ash", "encounter.leave") == "Ash can't leave yet."


class TestEndOfASession:
    def test_f_opt_04_an_owed_defense_stays_open_after_the_session_and_can_be_settled(self) -> None:
        table = attacked()
        turning = RULESET.end_session(table.scene, [id_of("Ash"), id_of("Orc")], list(table.scene.documents))
        table.scene = cast(Scene, turning.scene)

        assert [one.what for one in RULESET.unsettled(table.scene)] == [
            "Ash's defense against Orc's Basic Melee"
        ]
        table.do("Ash", "defend", "1 1", skill="physical defense")
        assert RULESET.unsettled(table.scene) == ()

    def test_f_opt_04_several_owed_defenses_are_settled_one_after_the_other(self) -> None:
        table = attacked()
        table.do("GM Beast", "attack", "6", skill="basic melee", targets=("Bram",))
        assert len(RULESET.unsettled(table.scene)) == 2

        done = settle_all(table.scene, RULESET.unsettled, ScriptedDice(script("1 1 1")))

        assert done.headline == "settles what was open"
        assert RULESET.unsettled(done.scene) == ()
        assert RULESET.unsettled(waive_all(table.scene, RULESET.unsettled).scene) == ()
