"""The GM's help at a real table: overrides, countdowns made of checks, days and sessions."""

import pytest

from bot.rules.kernel.errors import UserErrors
from bot.rules.shared.countdowns import Kind, Limits
from bot.table.base.results import ChangeLine
from bot.table.campaigns import fields
from bot.table.journal import journal
from bot.table.play import countdown_plans
from bot.table.play.countdown_plans import Plan
from bot.table.sessions import endings, sessions
from tests.rules.rpj.played.conftest import Played, labels
from tests.rules.rpj.played.wounds import beaten, lost
from tests.table.counting import values

DAY = 86_400


@pytest.mark.rule("RPJ-GM-04")
class TestOverride:
    async def test_the_gm_can_set_any_field_with_a_reason_and_undo_it(self, played: Played) -> None:
        await beaten(played)

        done = await fields.set_field(
            played.table, played.gwen.asks(), "Ug", "health/bleeding", "2", "he hit his head"
        )

        assert (await played.sheet("Ug")).health.bleeding == 2
        assert (done.message.headline, done.message.notes) == (
            "sets Ug's health/bleeding",
            ("he hit his head",),
        )
        assert done.message.changes == (ChangeLine("Ug", "health bleeding", "0", "2"),)
        await journal.undo(played.table, played.gwen.asks(), done.entry)
        assert (await played.sheet("Ug")).health.bleeding == 0

    async def test_the_gm_can_only_set_values_the_module_knows(self, played: Played) -> None:
        with pytest.raises(UserErrors, match="The module has no trait wings"):
            await fields.set_field(
                played.table, played.gwen.asks(), "Ug", "traits", '[{"trait": "wings", "source": "bought"}]'
            )


@pytest.mark.rule("RPJ-GM-03")
class TestCheckIntoCountdown:
    async def test_a_check_becomes_the_first_step_of_a_duel_of_countdowns(self, played: Played) -> None:
        done = await played.do(played.alice, "check", 4, 3, skill="Concealment")

        duel = (await played.press(played.gwen, done, "Countdown")).result

        assert (duel.message.who, duel.message.headline) == (
            "Laeniel",
            "starts a countdown with Concealment: one roll is not enough",
        )
        assert await values(played.table, played.gwen) == {
            "Concealment": "1/4",
            "Concealment: complication": "0/2",
        }
        await played.do(played.bob, "check", 1, 2, skill="Concealment", countdown="Concealment")
        assert await values(played.table, played.gwen) == {
            "Concealment": "1/4",
            "Concealment: complication": "1/2",
        }

    async def test_a_lucky_break_comes_too_late_once_its_check_started_a_countdown(
        self, played: Played
    ) -> None:
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="6")
        assert labels(failed)[0].startswith("Lucky Break")

        await played.press(played.gwen, failed, "Countdown")

        with pytest.raises(Exception, match="used since"):
            await played.press(played.alice, failed, "Lucky Break", 6)

    async def test_undoing_the_start_of_a_duel_removes_its_countdowns(self, played: Played) -> None:
        done = await played.do(played.alice, "check", 4, 3, skill="Concealment")
        duel = (await played.press(played.gwen, done, "Countdown")).result

        await journal.undo(played.table, played.gwen.asks(), duel.entry)

        assert await values(played.table, played.gwen) == {}


@pytest.mark.rule("RPJ-GM-07", "RPJ-COUNT-07")
async def test_a_countdown_may_count_one_success_per_day_of_game_time(played: Played) -> None:
    plan = Plan(name="Cipher", kind=Kind.SUCCESS, difficulty=4, limits=Limits(per_day=True))
    await countdown_plans.begin(played.table, played.gwen.asks(), plan)

    for _ in range(2):
        await played.do(played.alice, "check", 5, 5, skill="Concealment", countdown="Cipher")
    assert await values(played.table, played.gwen) == {"Cipher": "1/4"}

    await played.wait(DAY)
    await played.do(played.alice, "check", 5, 5, skill="Concealment", countdown="Cipher")
    assert await values(played.table, played.gwen) == {"Cipher": "2/4"}


@pytest.mark.rule("RPJ-GM-08")
class TestSessionEnd:
    async def test_the_end_of_a_session_restores_lucky_breaks_but_heals_no_wounds(
        self, played: Played
    ) -> None:
        await beaten(played, 2)
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="6")
        await played.press(played.alice, failed, "Lucky Break", 1)
        assert await played.breaks("Laeniel") == 2

        ended = await endings.end(played.table, played.gwen.asks())
        assert await played.breaks("Laeniel") == 3
        back = ("Laeniel", "Lucky Breaks", "2", "3")
        assert back in [
            (line.who, line.what, line.before, line.after) for line in ended.result.message.changes
        ]

        await sessions.start(played.table, played.gwen.asks())
        assert await played.breaks("Laeniel") == 3
        assert len(await lost(played)) == 2
