"""Lucky Breaks come back when a session ends, however it ends: previewed, told, taken back with the rest."""

from collections.abc import Awaitable, Callable

import pytest

from bot.rules.shared.countdowns import Kind, Visibility
from bot.table import watch
from bot.table.base.table import Table
from bot.table.campaigns import fields
from bot.table.gm import gm
from bot.table.journal import journal
from bot.table.journal.recap import recap
from bot.table.play import countdown_plans
from bot.table.play.countdown_plans import Plan
from bot.table.sessions import endings, sessions
from bot.table.sessions.endings import Reason, SessionEnded
from bot.ui.commands.session_posts import ended_reply, preview_reply
from bot.ui.replies.recaps import more_reply
from tests.databases import address_of, on_both_engines, opened
from tests.rules.rpj.played.conftest import PLAYED, Played
from tests.table.conftest import Clock, Secrets

Ending = Callable[[Played], Awaitable[SessionEnded | None]]
AWARD = "Character points: none awarded yet"


def clock_of(played: Played) -> Clock:
    assert isinstance(played.table.now, Clock)
    return played.table.now


async def only(played: Played) -> watch.Watched:
    (found,) = await watch.watched(played.table)
    return found


async def said(played: Played) -> SessionEnded | None:
    return await endings.end(played.table, played.gwen.asks())


async def idle(played: Played) -> SessionEnded | None:
    clock_of(played).pass_hours(7)
    return await watch.end_if_due(played.table, await only(played))


async def by_event(played: Played) -> SessionEnded | None:
    await sessions.link(played.table, played.gwen.asks(), event=70)
    return await watch.end_if_due(played.table, await only(played), event_is_over=True)


async def by_voice(played: Played) -> SessionEnded | None:
    await sessions.link(played.table, played.gwen.asks(), voice=80)
    await watch.note_voice(played.table, await only(played), is_empty=True)
    clock_of(played).seconds += 600
    return await watch.end_if_due(played.table, await only(played))


async def spend(played: Played, name: str, left: int) -> None:
    await gm.set_resource(played.table, played.gwen.asks(), "Lucky Breaks", left, name)


@pytest.mark.rule("RPJ-LUCK-01", "RPJ-GM-08")
class TestSessionEndReset:
    """R-018a."""

    @pytest.mark.parametrize(
        ("end", "reason"),
        [(said, Reason.SAID), (idle, Reason.IDLE), (by_event, Reason.EVENT), (by_voice, Reason.VOICE)],
    )
    async def test_lucky_breaks_are_restored_however_the_session_ends(
        self, played: Played, end: Ending, reason: Reason
    ) -> None:
        await spend(played, "Ug", 0)
        await spend(played, "Laeniel", 1)

        ended = await end(played)

        assert ended is not None
        assert ended.reason is reason
        assert (await played.breaks("Ug"), await played.breaks("Laeniel")) == (2, 3)
        assert await played.breaks("Ogre") == 0

    @on_both_engines
    async def test_a_session_end_missed_in_an_outage_restores_lucky_breaks_at_the_next_start(
        self, played: Played
    ) -> None:
        await spend(played, "Ug", 0)
        clock = clock_of(played)
        clock.pass_hours(100)
        url = address_of(played.table.store)
        await played.table.store.close()

        async with opened(url) as store:
            played.table = Table(store=store, games={"rpj": PLAYED}, now=clock, new_secret=Secrets(9))
            for session in await watch.watched(played.table):
                await watch.end_if_due(played.table, session)

            assert await played.breaks("Ug") == 2

    async def test_a_character_with_one_of_two_lucky_breaks_left_has_two_after_the_session(
        self, played: Played
    ) -> None:
        await spend(played, "Ug", 1)

        await said(played)

        assert await played.breaks("Ug") == 2

    async def test_the_reset_of_lucky_breaks_is_previewed_posted_and_undone_with_the_session_end(
        self, played: Played
    ) -> None:
        await spend(played, "Ug", 0)
        await spend(played, "Laeniel", 1)
        preview = preview_reply(await endings.end_preview(played.table, played.gwen.asks()))
        assert preview.text.split("\n")[:2] == [
            "**Ending session 1** resets:",
            "- Lucky Breaks: Laeniel 1 → 3, Ug 0 → 2",
        ]
        assert AWARD in preview.text

        ended = await endings.end(played.table, played.gwen.asks())

        told = ended_reply(ended, await recap(played.table, played.gwen.asks(), 1)).text.split("\n")
        assert told[1:3] == [
            "**Laeniel**: Lucky Breaks 3 → 1 of 3, then reset to 3",
            "**Ug**: Lucky Breaks 2 → 0 of 2, then reset to 2",
        ]
        assert not [line for line in told if line.startswith("Lucky Breaks")]
        await journal.undo(played.table, played.gwen.asks(), ended.result.entry)
        assert (await played.breaks("Ug"), await played.breaks("Laeniel")) == (0, 1)

    async def test_the_end_of_a_session_says_nothing_twice(self, played: Played) -> None:
        """F-ALL-20: a countdown that closed, and character points that were just awarded."""
        gwen = played.gwen.asks
        plan = Plan(name="Alarm", kind=Kind.FAILURE, difficulty=4, visibility=Visibility.OPEN)
        await countdown_plans.begin(played.table, gwen(), plan)
        await gm.award(played.table, gwen(), "Character points", 3, ["Ug", "Laeniel"])
        preview = preview_reply(await endings.end_preview(played.table, gwen()))

        ended = await endings.end(played.table, gwen())

        told = ended_reply(ended, await recap(played.table, gwen(), 1)).text
        assert "/gm award" not in preview.text + told
        assert "Character points: 3 points to Ug, Laeniel" in preview.text
        assert not ended.may_award
        assert [line for line in told.split("\n") if "Alarm" in line] == ["1 short countdown closed\\: Alarm"]

    async def test_f_all_34_a_recap_tells_what_was_awarded_during_the_session_and_after(
        self, played: Played
    ) -> None:
        """Undone awards are left out, and what was taken away is taken off."""
        gwen = played.gwen.asks
        await gm.award(played.table, gwen(), "Character points", 3, ["Ug", "Laeniel"])
        undone = await gm.award(played.table, gwen(), "Character points", 2, ["Ug"])
        await journal.undo(played.table, gwen(), undone.entry)
        await gm.award(played.table, gwen(), "Character points", -1, ["Ug"])
        await endings.end(played.table, gwen())
        await gm.award(played.table, gwen(), "Character points", 4, ["Laeniel"], session=1)

        whole = more_reply(await recap(played.table, gwen(), 1), 1).text

        assert "**Ug**: awarded 2 Character points" in whole
        assert "**Laeniel**: awarded 7 Character points" in whole

    async def test_an_undone_award_can_be_given_again(self, played: Played) -> None:
        given = await gm.award(played.table, played.gwen.asks(), "Character points", 3, ["Ug"])
        await journal.undo(played.table, played.gwen.asks(), given.entry)

        ended = await endings.end(played.table, played.gwen.asks())

        assert ended.may_award

    async def test_the_end_of_a_session_without_lucky_breaks_spent_says_it_resets_nothing(
        self, played: Played
    ) -> None:
        preview = preview_reply(await endings.end_preview(played.table, played.gwen.asks()))
        ended = await endings.end(played.table, played.gwen.asks())
        told = ended_reply(ended, await recap(played.table, played.gwen.asks(), 1))

        assert preview.text.startswith("**Ending session 1** resets nothing.\n")
        assert told.text.split("\n")[1] == "Nothing needed a reset."

    async def test_saves_lost_in_a_session_stay_lost_after_it(self, played: Played) -> None:
        await played.do(played.bob, "save", 1, 2, damage=2)
        before = (await played.sheet("Ug")).health

        await said(played)

        assert (await played.sheet("Ug")).health == before


@pytest.mark.rule("RPJ-LUCK-01")
class TestBetweenSessions:
    """R-018a: what a session brings may change before the next one starts."""

    async def test_raised_luck_counts_from_the_next_session_start(self, played: Played) -> None:
        await said(played)
        await fields.set_field(played.table, played.gwen.asks(), "Ug", "attributes/LUCK", "4")
        assert await played.breaks("Ug") == 2

        await sessions.start(played.table, played.gwen.asks())

        assert await played.breaks("Ug") == 3

    async def test_a_lucky_break_lost_for_good_counts_at_once_and_in_the_next_session(
        self, played: Played
    ) -> None:
        await said(played)
        offered = await played.do(played.gwen, "lose_break", target="Ug")
        await played.press(played.bob, offered, "Give up")
        assert await played.breaks("Ug") == 1

        await sessions.start(played.table, played.gwen.asks())

        assert await played.breaks("Ug") == 1

    async def test_between_sessions_a_player_sees_the_lucky_breaks_of_the_next_one(
        self, played: Played
    ) -> None:
        await spend(played, "Ug", 0)
        await said(played)

        shown = await played.do(played.bob, "breaks")

        assert shown.message.headline == "has 2 of 2 Lucky Breaks left"
        assert "You get all of them back when the session ends." in shown.message.notes
