"""Nothing that waits for somebody is lost when a fight or a session ends."""

from typing import cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.sheet import Scene
from bot.rules.kernel import Outcome, settle_all, waive_all
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import COST, GameTable, fall, fight, id_of, lay_table, sheet


def settled(table: GameTable, falls: str) -> Outcome:
    dice = ScriptedDice(falls)
    done = settle_all(table.scene, RULESET.unsettled, dice)
    dice.assert_all_rolled()
    return done


def waiting(table: GameTable) -> list[str]:
    return [one.what for one in RULESET.unsettled(table.scene)]


class TestEndOfAFight:
    def attacked(self) -> GameTable:
        """The Ogre's attack on Ash waits for a defense."""
        table = lay_table()
        fight(table, "Ash", "Ogre")
        table.do("GM", "encounter.next")
        table.do("GM Ogre", "attack", "d4:3", targets=("Ash",))
        return table

    def test_f_opt_04_ending_an_encounter_lists_the_defenses_still_owed(self) -> None:
        table = self.attacked()

        asked = table.do("GM", "encounter.end")

        assert asked.headline == "can't end the encounter yet: 1 thing is open"
        assert asked.notes == ("Ash's defense against Ogre, 3 damage.",)
        assert asked.follow_ups[0].label.startswith("Ash defends · Dodging")
        assert asked.follow_ups[-2].label == "Settle it and end (GM)"

    def test_f_opt_04_settling_a_defense_rolls_dodging(self) -> None:
        table = self.attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-2], fall((1, 2), (11, 11)))

        assert ended.notes[0] == "Ash's defense against Ogre, 3 damage: Failure."
        assert (table.hp("Ash"), table.ft("Ash")) == (32, "13/14")
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_waiving_a_defense_deals_no_damage(self) -> None:
        table = self.attacked()
        asked = table.do("GM", "encounter.end")

        table.press("GM", asked.follow_ups[-1])

        assert (table.hp("Ash"), table.ft("Ash")) == (32, "14/14")
        assert waiting(table) == []

    def test_f_opt_04_an_unused_counterattack_passes_when_the_encounter_ends(self) -> None:
        table = lay_table()
        fight(table, "Ash", "Ogre")
        table.do("Ash", "attack", f"{COST} d4:1", targets=("Ogre",))
        asked = table.do("GM", "encounter.end")
        assert asked.notes == ("Counterattack by Ogre against Ash.",)

        ended = table.press("GM", asked.follow_ups[-2])

        assert ended.notes[0] == "Counterattack by Ogre against Ash: settled."


@pytest.mark.rule("CMP-SES-01")
class TestEndOfASession:
    def test_f_opt_04_open_rolls_count_with_their_damage_when_the_session_ends(self) -> None:
        table = lay_table(Bram=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Bram", high=5)
        table.do("Bram", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        assert waiting(table) == ["Bram's roll (attacks Ogre with Pistol), which High can still change"]
        assert all(one.lapses for one in RULESET.unsettled(table.scene))

        done = settled(table, "d6:6")

        assert done.notes[1] == "Bram attacks Ogre with Pistol: Cost."
        assert len(done.rolls) == 1

    def test_f_opt_04_attacks_waiting_for_a_defense_stay_open_after_the_session(self) -> None:
        table = lay_table()
        table.do("GM Ogre", "attack", "d4:1", targets=("Cleo",))

        everybody = [id_of("Cleo"), id_of("Ogre")]
        ended = RULESET.end_session(table.scene, everybody, list(table.scene.documents))
        table.scene = cast(Scene, ended.scene)

        assert waiting(table) == ["Cleo's defense against Ogre, 1 damage"]
        assert waive_all(table.scene, RULESET.unsettled).notes == (
            "Waived: Cleo's defense against Ogre, 1 damage.",
        )
