"""Sessions that end automatically: when idle, with their event or their voice channel; once."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.store.records import CampaignId, SessionRecord
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import ServerId
from bot.table.base.results import EntryId
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.campaigns.campaign_settings import SharedSettings
from bot.table.gm import gm as gm_cases
from bot.table.journal import dice_stats, journal
from bot.table.play import play
from bot.table.sessions import endings, sessions
from bot.table.sessions.endings import Reason
from bot.table.sessions.sessions import NoSession
from bot.table.watch import LEAST_IDLE_HOURS, LinkedVoice, Watched
from tests.databases import address_of, on_both_engines, opened
from tests.table.conftest import ELSEWHERE, HOME, Clock, Person, Secrets
from tests.table.toy import TOY


async def only(table: Table) -> Watched:
    (found,) = await watch.watched(table)
    return found


class TestIdle:
    async def test_a_session_ends_after_the_idle_hours(
        self, game: Table, gm: Person, ada: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(4)
        await play.perform(game, ada.asks(), "spend", {})
        clock.pass_hours(5.9)
        assert await watch.end_if_due(game, await only(game)) is None
        clock.pass_hours(0.1)

        ended = await watch.end_if_due(game, await only(game))

        assert ended is not None
        assert (ended.reason, ended.number, ended.channel) == (Reason.IDLE, 1, 50)
        assert ended.result.message.who == "Tablekeeper"
        assert await watch.watched(game) == ()

    async def test_a_campaigns_own_idle_hours_override_the_default(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "1")
        await sessions.start(game, gm.asks())
        clock.pass_hours(1)

        assert await watch.end_if_due(game, await only(game)) is not None


async def ends(table: Table, **now: bool) -> Reason | None:
    """Why the only session ends now, if it does."""
    ended = await watch.end_if_due(table, await only(table), **now)
    return None if ended is None else ended.reason


HOUR, MINUTE = 3600, 60


@pytest.mark.parametrize(
    ("idle", "empty", "links", "is_over", "hours", "minutes", "why"),
    [
        (6 * HOUR - 1, None, {}, False, None, None, []),
        (6 * HOUR, None, {}, False, None, None, [Reason.IDLE]),
        (6 * HOUR, None, {}, False, 7, None, []),
        (7 * HOUR, None, {}, False, 7, None, [Reason.IDLE]),
        (HOUR, None, {}, False, 1, None, [Reason.IDLE]),
        (0, 10 * MINUTE - 1, {"voice": 5}, False, None, None, []),
        (0, 10 * MINUTE, {"voice": 5}, False, None, None, [Reason.VOICE]),
        (0, 10 * MINUTE, {}, False, None, None, []),
        (0, MINUTE, {"voice": 5}, False, None, 1, [Reason.VOICE]),
        (0, 10 * MINUTE, {"voice": 5}, False, None, 11, []),
        (0, None, {"voice": 5}, False, None, None, []),
        (0, None, {"event": 7}, True, None, None, [Reason.EVENT]),
        (0, None, {"event": 7}, False, None, None, []),
        (0, None, {}, True, None, None, []),
        (6 * HOUR, HOUR, {"voice": 5, "event": 7}, True, None, None,
         [Reason.EVENT, Reason.VOICE, Reason.IDLE]),
    ],
)  # fmt: skip
async def test_a_session_is_due_from_the_second_on_and_for_every_reason(
    game: Table,
    clock: Clock,
    idle: int,
    empty: int | None,
    links: dict[str, int],
    is_over: bool,
    hours: int | None,
    minutes: int | None,
    why: list[Reason],
) -> None:
    now = clock.seconds
    session = SessionRecord(
        server=HOME,
        campaign=CampaignId(1),
        number=1,
        channel=50,
        started_at=now - 9 * HOUR,
        active_at=now - idle,
        empty_since=None if empty is None else now - empty,
        **links,
    )
    shared = SharedSettings(idle_hours=hours, voice_empty_minutes=minutes)
    found = watch.due(session, shared, game, event_is_over=is_over)

    assert [one.reason for one in found] == why
    since = {Reason.IDLE: now - idle, Reason.VOICE: now - (empty or 0), Reason.EVENT: 7}
    assert [one.since for one in found] == [since[reason] for reason in why]


class TestLooking:
    @pytest.mark.parametrize(("idle_hours", "quiet"), [(None, 5.9), ("8", 7.9)])
    async def test_f_perf_01_a_look_leaves_out_sessions_that_nothing_can_be_about_to_end(
        self, game: Table, gm: Person, clock: Clock, idle_hours: str | None, quiet: float
    ) -> None:
        if idle_hours is not None:
            await campaign_settings.change_setting(game, gm.asks(), "idle_hours", idle_hours)
        await sessions.start(game, gm.asks())
        clock.pass_hours(quiet)
        assert await watch.watched(game, only_ending=True) == ()
        clock.pass_hours(0.1)

        (found,) = await watch.watched(game, only_ending=True)

        assert found.is_quiet
        assert await watch.watched(game, ELSEWHERE) == ()
        assert await watch.watched(game, HOME) == (found,)
        assert await watch.end_if_due(game, found) is not None

    async def test_a_session_is_quiet_once_any_campaign_could_end_it(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.seconds += LEAST_IDLE_HOURS * 3600 - 1
        assert not (await only(game)).is_quiet
        clock.seconds += 1

        assert (await only(game)).is_quiet

    async def test_a_linked_session_is_always_looked_at(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks(), voice=60)

        (found,) = await watch.watched(game, only_ending=True)

        assert (found.voice, found.is_quiet) == (60, False)


class TestEvent:
    @pytest.mark.parametrize(("event", "reason"), [(70, Reason.EVENT), (None, None)])
    async def test_a_session_ends_when_the_event_that_it_is_linked_to_is_over(
        self, game: Table, gm: Person, event: int | None, reason: Reason | None
    ) -> None:
        await sessions.start(game, gm.asks(), event=event)

        assert await ends(game, event_is_over=True) is reason

    async def test_a_gm_who_undoes_the_automatic_end_plays_on(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks(), event=70)
        ended = await watch.end_if_due(game, await only(game), event_is_over=True)
        assert ended is not None
        await journal.undo(game, gm.asks(), ended.result.entry)

        assert await ends(game, event_is_over=True) is None
        clock.pass_hours(6)
        assert await ends(game, event_is_over=True) is Reason.IDLE


class TestVoice:
    async def test_a_session_ends_after_ten_minutes_of_an_empty_channel(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks(), voice=80)
        await watch.note_voice(game, await only(game), is_empty=True)
        clock.seconds += 300
        await watch.note_voice(game, await only(game), is_empty=True)
        clock.seconds += 299
        assert await ends(game) is None
        clock.seconds += 1

        assert await ends(game) is Reason.VOICE

    async def test_somebody_coming_back_restarts_the_ten_minutes(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks(), voice=80)
        await watch.note_voice(game, await only(game), is_empty=True)
        clock.seconds += 599
        await watch.note_voice(game, await only(game), is_empty=False)
        await watch.note_voice(game, await only(game), is_empty=True)
        clock.seconds += 1

        assert await ends(game) is None

    async def test_an_empty_channel_does_not_count_as_activity(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks(), voice=80)
        clock.pass_hours(6)
        await watch.note_voice(game, await only(game), is_empty=False)

        assert await ends(game) is Reason.IDLE


class TestOnce:
    async def test_many_watchers_at_once_end_a_session_once(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)
        session = await only(game)

        answers = await asyncio.gather(*(watch.end_if_due(game, session) for _ in range(5)))

        assert sum(answer is not None for answer in answers) == 1
        assert len((await dice_stats.fairness(game, gm.asks())).revealed) == 1

    async def test_the_gms_end_and_the_automatic_end_at_once_end_a_session_once(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)

        said, _own = await asyncio.gather(
            endings.end(game, gm.asks(), 1), watch.end_if_due(game, await only(game))
        )

        assert said.number == 1
        assert len((await dice_stats.fairness(game, gm.asks())).revealed) == 1

    @on_both_engines
    async def test_an_end_missed_in_an_outage_is_carried_out_at_start_once(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(100)
        await game.store.close()

        for _start in range(2):
            async with opened(address_of(game.store)) as store:
                again = Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(9))
                for session in await watch.watched(again):
                    await watch.end_if_due(again, session)
                state = await dice_stats.fairness(again, gm.asks())
                with pytest.raises(NoSession):
                    await sessions.status(again, gm.asks())

        assert (len(state.revealed), state.in_use.number) == (1, 2)

    async def test_a_later_session_is_not_ended_for_an_earlier_one(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)
        earlier = await only(game)
        await endings.end(game, gm.asks())
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)

        assert await watch.end_if_due(game, earlier) is None

    async def test_every_servers_session_ends_on_its_own(
        self, game: Table, gm: Person, neighbour: Person, clock: Clock
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "1")
        await sessions.start(game, gm.asks())
        await sessions.start(game, neighbour.asks())
        clock.pass_hours(2)

        for session in await watch.watched(game):
            await watch.end_if_due(game, session)

        assert [one.server for one in await watch.watched(game)] == [neighbour.server]


class TestTelling:
    @on_both_engines
    async def test_an_end_stays_due_to_be_posted_even_after_a_restart(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)
        await watch.end_if_due(game, await only(game))
        await game.store.close()
        async with opened(address_of(game.store)) as store:
            again = Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(9))

            (waiting,) = await live_rows.due(again, live_rows.RECAP)
            news = await watch.news_of(again, waiting)
            await live_rows.note_done(again, waiting)

            assert await live_rows.due(again, live_rows.RECAP) == ()
        assert news is not None
        assert (news[0].number, news[0].reason, news[1].number) == (1, Reason.IDLE, 1)

    async def test_an_end_undone_or_purged_since_is_not_posted(
        self, game: Table, gm: Person, neighbour: Person, clock: Clock
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")
        await sessions.start(game, gm.asks())
        await sessions.start(game, neighbour.asks())
        clock.pass_hours(7)
        for session in await watch.watched(game):
            await watch.end_if_due(game, session)
        (ended,) = [one for one in await live_rows.due(game, live_rows.RECAP) if one.server == gm.server]
        await journal.undo(game, gm.asks(), EntryId(ended.id))
        await gm_cases.purge(game, neighbour.asks())

        entries = await live_rows.due(game, live_rows.RECAP)

        assert [await watch.news_of(game, one) for one in entries] == [None]
        assert await live_rows.due(game, live_rows.RECAP) == ()

    async def test_two_watchers_post_one_recap(self, game: Table, gm: Person, clock: Clock) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(7)
        await watch.end_if_due(game, await only(game))
        (task,) = await live_rows.due(game, live_rows.RECAP)

        news = await asyncio.gather(*(watch.news_of(game, task) for _ in range(5)))

        assert len([one for one in news if one is not None]) == 1

    async def test_an_end_by_the_gm_is_posted_only_by_the_command(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())

        await endings.end(game, gm.asks())

        assert await live_rows.due(game, live_rows.RECAP) == ()


@pytest.fixture
def reads(game: Table, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every query that the store was asked since."""
    asked: list[Any] = []
    read = game.store.read

    async def counting(query: Callable[[Any], Any]) -> Any:
        asked.append(query)
        return await read(query)

    monkeypatch.setattr(game.store, "read", counting)
    return asked


async def channels(linked: LinkedVoice, server: ServerId = HOME) -> set[int]:
    """The linked channels once the store has told of its commits."""
    await asyncio.sleep(0)
    return set(await linked.of(server))


@pytest.fixture
def linked(game: Table) -> Iterator[LinkedVoice]:
    linked = LinkedVoice(game)
    yield linked
    linked.stop()


async def test_f_perf_01_a_server_is_looked_up_once_while_its_sessions_stay(
    game: Table, gm: Person, linked: LinkedVoice, reads: list[Any]
) -> None:
    await sessions.start(game, gm.asks())
    reads.clear()

    assert [await channels(linked) for _ in range(3)] == [set()] * 3
    assert len(reads) == 1


async def test_every_change_of_a_link_is_seen_at_once(game: Table, gm: Person, linked: LinkedVoice) -> None:
    seen = [await channels(linked)]
    await sessions.start(game, gm.asks(), voice=60)
    seen.append(await channels(linked))
    await sessions.link(game, gm.asks(), voice=61)
    seen.append(await channels(linked))
    ended = await endings.end(game, gm.asks())
    seen.append(await channels(linked))
    await journal.undo(game, gm.asks(), ended.result.entry)
    seen.append(await channels(linked))

    assert seen == [set(found) for found in ((), (60,), (61,), (), (61,))]
    assert await channels(linked, ELSEWHERE) == set()


async def test_a_look_up_during_a_change_is_not_remembered(
    game: Table, gm: Person, linked: LinkedVoice
) -> None:
    before, _ = await asyncio.gather(linked.of(HOME), sessions.start(game, gm.asks(), voice=60))

    assert before in (frozenset(), {60})
    assert await channels(linked) == {60}


async def test_only_so_many_servers_are_remembered(
    game: Table, linked: LinkedVoice, reads: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_SERVERS", 1)
    for server in (HOME, ELSEWHERE, ELSEWHERE, HOME):
        await linked.of(server)

    assert len(reads) == 3
