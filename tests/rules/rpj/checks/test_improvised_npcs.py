"""The GM's help: levels by one word, and a check that becomes a countdown."""

import pytest

from bot.rules.kernel import Audience, Family
from bot.rules.shared.countdowns import Kind, Status
from tests.rules.rpj.table import d6, labels, rpj_table


class TestImprovisedNpcs:
    @pytest.mark.rule("RPJ-GM-01")
    @pytest.mark.parametrize(
        ("how", "trade", "fall", "note"),
        [
            ("masterful", "in it", "d2:2", "Effective level 7 (6 or 7)."),
            ("masterful", "close to it", "", "Effective level 3."),
            ("competent", "in it", "d2:1", "Effective level 4 (4 or 5)."),
            ("competent", "close to it", "", "Effective level 2."),
            ("green", "close to it", "", "Effective level 1."),
            ("green", "outside of it", "d2:1", "Effective level 0 (0 or 1)."),
        ],
    )
    def test_a_word_gives_an_improvised_npc_a_skill_level(
        self, how: str, trade: str, fall: str, note: str
    ) -> None:
        done = rpj_table().do("GM", "npc", fall, how=how, trade=trade)

        assert done.notes == (note,)
        assert not done.is_public

    @pytest.mark.rule("RPJ-GM-02")
    @pytest.mark.parametrize(
        ("how", "note"),
        [
            ("unremarkable", "Attribute level 2, bonus +0."),
            ("average", "Attribute level 3, bonus +1."),
            ("above average", "Attribute level 4, bonus +1."),
        ],
    )
    def test_a_word_gives_an_improvised_npc_an_attribute_level(self, how: str, note: str) -> None:
        assert rpj_table().do("GM", "npc", how=how).notes == (note,)

    @pytest.mark.rule("RPJ-GM-01")
    def test_an_improvised_npc_can_roll_a_skill_check_at_once(self) -> None:
        done = rpj_table().do(
            "GM", "npc", f"d2:2 {d6('3 4')}", how="masterful", what="Picking pockets", difficulty="Moderate"
        )

        assert done.headline == "improvises a masterful NPC: Picking pockets"
        assert done.is_public
        assert done.verdict is not None
        assert done.verdict.family is Family.SUCCESS
        assert (done.rolls[1].total, done.rolls[1].against) == (14, "9+")
        assert [(term.label, term.value) for term in done.rolls[1].terms] == [("Picking pockets", 7)]

    @pytest.mark.rule("RPJ-GM-02")
    def test_an_improvised_npc_can_roll_an_attribute_check_at_once(self) -> None:
        done = rpj_table().do("GM", "npc", d6("1 4"), how="unremarkable", difficulty="0")

        assert done.headline == "improvises an unremarkable NPC"
        assert (done.rolls[0].total, done.rolls[0].against) == (7, "7+")


@pytest.mark.rule("RPJ-GM-03")
class TestCheckIntoCountdown:
    def test_a_successful_check_can_start_a_duel_of_countdowns(self) -> None:
        table = rpj_table()
        done = table.do("Laeniel", "check", d6("4 3"), skill="concealment")
        button = done.follow_ups[-1]

        duel = table.press("GM Laeniel", button)

        assert (button.label, button.audience) == ("Countdown (GM)", Audience.GM)
        assert [(one.name, one.kind, one.difficulty, one.value) for one in duel.countdowns] == [
            ("Concealment", Kind.SUCCESS, 4, 1),
            ("Concealment: complication", Kind.FAILURE, 2, 0),
        ]
        assert duel.notes == (
            "4 successes win, 2 failures lose; this check counts.",
            "For further checks, choose the countdown “Concealment”.",
        )

    def test_a_failed_check_starts_a_duel_with_one_failure(self) -> None:
        table = rpj_table()
        done = table.do("Ug", "check", d6("1 2"), skill="Alchemy")

        duel = table.press("GM Ug", done.follow_ups[-1])

        assert [one.value for one in duel.countdowns] == [0, 1]
        assert {one.status for one in duel.countdowns} == {Status.RUNNING}

    def test_a_check_the_gm_has_not_decided_cannot_start_a_countdown(self) -> None:
        undecided = rpj_table().do("Ug", "check", d6("6 6"), skill="Alchemy", difficulty="12")

        assert "Countdown (GM)" not in labels(undecided)
