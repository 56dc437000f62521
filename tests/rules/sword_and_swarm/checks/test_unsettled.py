"""Nothing that waits for somebody is lost when a fight or a session ends."""

import pytest

from bot.rules.kernel import settle_all
from bot.rules.kernel import tracker as keys
from bot.rules.sword_and_swarm import RULESET
from tests.dice import ScriptedDice
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import lay

_ARCHITECTURE = {"proficiency": "Architecture", "difficulty": "10"}


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


@pytest.mark.rule("SWARM-TEST-07", "SWARM-PROF-08", "SWARM-CONF-05")
class TestWaiting:
    """Left alone, a re-roll does what can't harm: SWARM-R04 and SWARM-R21."""

    @pytest.mark.parametrize(
        ("procedure", "dice", "automatic"),
        [
            ("test", "d6:5", "reroll"),
            ("proficiency", "d6:1 d6:1", "reroll"),
            ("proficiency", "d6:1 d6:2", "keep"),
            ("proficiency", "d6:2 d6:2", "keep"),
        ],
    )
    def test_what_cannot_become_worse_is_rolled_again_and_all_else_kept(
        self, procedure: str, dice: str, automatic: str
    ) -> None:
        table = lay()
        table.settings(adv_attribute="ask", adv_proficiency="ask", reroll_seconds=40)
        tested = {"attribute": "Key"} if procedure == "test" else _ARCHITECTURE
        asked = table.do("Ash", procedure, dice, advantage=True, **tested)

        assert {one.procedure: one.after_seconds for one in asked.follow_ups} == {
            "reroll": None,
            "keep": None,
            automatic: 40,
        }

    def test_without_a_time_limit_a_re_roll_waits_for_its_player(self) -> None:
        table = lay()
        table.settings(adv_attribute="ask", reroll_seconds=0)
        asked = table.do("Ash", "test", "d6:5", attribute="Key", advantage=True)

        assert [one.after_seconds for one in asked.follow_ups] == [None, None]

    def test_a_failed_confirm_is_rolled_again_whole_and_shown(self) -> None:
        table = lay()
        table.settings(adv_attribute="ask")
        asked = table.do("Ash", "test", "d6:6 d6:2", attribute="Boots", advantage=True)
        again = table.press("Ash", asked.follow_ups[0], "d6:3")

        assert [die.face for die in again.rolls[0].earlier] == [6, 2]
        assert str(again.rolls[0].outcome) == "success"

    @pytest.mark.parametrize(
        ("edge", "dice", "said"),
        [
            ("advantage", "d6:5 d6:2", True),
            ("advantage", "d6:2", False),
            ("disadvantage", "d6:2 d6:5", True),
            ("disadvantage", "d6:5", False),
        ],
    )
    def test_a_second_roll_is_explained(self, edge: str, dice: str, said: bool) -> None:
        done = lay().do("Ash", "test", dice, attribute="Key", **{edge: True})
        notes = [one for one in done.notes if one.startswith(f"{edge.capitalize()} re-rolled")]

        assert bool(notes) is said


def test_a_new_round_starts_after_the_last_turn() -> None:
    table = lay()
    table.do("GM", keys.START, others=("Ash", "Bram"))
    begun = table.do("GM", keys.NEXT)
    first, second = table.do("GM", keys.NEXT), table.do("GM", keys.NEXT)

    assert begun.verdict is not None
    assert begun.verdict.title == "Ash acts"
    assert [one.notes[:1] == ("Round 2 starts.",) for one in (first, second)] == [False, True]
