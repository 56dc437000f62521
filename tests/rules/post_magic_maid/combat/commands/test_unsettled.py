"""Nothing that waits for somebody is lost when a fight or a session ends."""

import pytest

from bot.rules.kernel import settle_all, waive_all
from bot.rules.post_magic_maid import RULESET
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.combat.turns.test_assists import FALL
from tests.rules.post_magic_maid.play import GameTable, lay_table, start_fight

PAIR = {"first": "Int", "second": "Dex"}


def waiting(table: GameTable) -> list[str]:
    return [one.what for one in RULESET.unsettled(table.scene)]


@pytest.fixture
def attacked() -> GameTable:
    """Ash's attack waits for Bram's defense."""
    table = lay_table()
    table.settings(defence="always")
    start_fight(table, "K♠ Q♠")
    table.do("Ash", "attack", FALL["20"], target="Bram", track="blunt", **PAIR)
    return table


@pytest.mark.rule("PMM-ATK-03")
class TestAttacks:
    def test_f_opt_04_ending_a_fight_names_pending_attacks(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        assert asked.headline == "can't end the encounter yet: 1 thing is open"
        assert asked.notes == ("Bram's defense against Ash, tier 20.",)
        assert [one.label for one in asked.follow_ups] == [
            "Bram defends · Int + Dex, stops it 38%",
            "Bram defends against tier 20 with …",
            "Take the wound",
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]

    def test_f_opt_04_settling_an_attack_defends_with_the_best_pair(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        ended = attacked.press("GM", asked.follow_ups[-2], FALL["10"])

        assert ended.notes[0] == "Bram's defense against Ash, tier 20: tier 15, moderate wound."
        assert attacked.wounds("Bram", "blunt") == "0/1/0/0"

    def test_f_opt_04_waiving_an_attack_causes_no_wound(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        attacked.press("GM", asked.follow_ups[-1])

        assert attacked.wounds("Bram", "blunt") == "0/0/0/0"
        assert waiting(attacked) == []


class TestContestsAndCalls:
    def test_f_opt_04_contests_and_calls_are_settled_too(self) -> None:
        table = lay_table()
        table.do("GM", "contest", one="Ash", other="Bram", **PAIR)
        table.do("GM", "call", character="Cleo", **PAIR)
        assert waiting(table) == [
            "Ash's roll in a contest",
            "Bram's roll in a contest",
            "Cleo's check that the GM called for",
        ]

        dice = ScriptedDice(f"{FALL['20']} {FALL['10']} {FALL['15']}")
        done = settle_all(table.scene, RULESET.unsettled, dice)

        assert "Bram's roll in a contest: Ash wins, tier 15." in done.notes
        assert done.notes[-1].startswith("Cleo's check that the GM called for: ")
        assert RULESET.unsettled(done.scene) == ()

    def test_f_opt_04_a_contest_is_waived_for_everybody_in_it(self) -> None:
        table = lay_table()
        table.do("GM", "contest", one="Ash", other="Bram", **PAIR)
        table.do("Ash", "oppose", FALL["20"])

        done = waive_all(table.scene, RULESET.unsettled)

        assert done.notes == ("Waived: Bram's roll in a contest.",)
        assert [key for key in done.scene.documents if done.scene.document(key)] == []
