"""Nothing that waits for somebody is lost when a fight or a session ends."""

import pytest

from bot.rules.kernel import settle_all
from bot.rules.kernel import tracker as keys
from bot.rules.sword_and_swarm import RULESET
from tests.dice import ScriptedDice
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import lay


@pytest.fixture
def failed() -> GameTable:
    """Ash has failed with advantage in a fight, and may roll again."""
    table = lay()
    table.settings(adv_attribute="ask")
    table.do("GM", keys.START, others=("Ash", "Bram"))
    table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)
    return table


@pytest.mark.rule("SWARM-TEST-07")
class TestRerolls:
    def test_f_opt_04_the_end_of_a_fight_lists_an_open_re_roll(self, failed: GameTable) -> None:
        asked = failed.do("GM", keys.END)

        assert asked.notes == ("Ash's re-roll of Key.",)
        assert [one.label for one in asked.follow_ups] == [
            "Roll again · 50%",
            "Keep the failure",
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]

    def test_f_opt_04_settling_takes_the_re_roll(self, failed: GameTable) -> None:
        asked = failed.do("GM", keys.END)

        ended = failed.press("GM", asked.follow_ups[-2], "d6:2")

        assert ended.notes[0] == "Ash's re-roll of Key: success."
        assert ended.headline == "ends the encounter before the first round"

    def test_f_opt_04_the_end_of_a_session_takes_a_harmless_re_roll(self, failed: GameTable) -> None:
        assert [one.lapses for one in RULESET.unsettled(failed.scene)] == [True]

        done = settle_all(failed.scene, RULESET.unsettled, ScriptedDice("d6:2"))

        assert done.notes == (
            "Ash's re-roll of Key: success.",
            "The second result stands.",
        )
        assert RULESET.unsettled(done.scene) == ()


def test_a_new_round_starts_after_the_last_turn() -> None:
    table = lay()
    table.do("GM", keys.START, others=("Ash", "Bram"))
    table.do("GM", keys.NEXT)
    first, second = table.do("GM", keys.NEXT), table.do("GM", keys.NEXT)

    assert [one.notes[:1] == ("Round 2 starts.",) for one in (first, second)] == [False, True]
