"""Two processes on one database: what is due is done once, and by whoever holds the server's shard."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.engines import open_store
from bot.store.records import ServerId, Shards
from bot.table import watch
from bot.table.base import timed
from bot.table.base.table import Table
from bot.table.base.timed import DueTask
from bot.table.campaigns import campaigns, registered_commands
from bot.table.characters import characters
from bot.table.journal import missed_results
from bot.table.play import play
from bot.table.sessions import autoend, sessions
from bot.table.sessions.autoend import LinkedVoice
from tests.paces import PATIENT
from tests.store.postgres_server import prepared_database
from tests.table.conftest import HOME, Clock, Person, Secrets
from tests.table.toy import TOY

HOLDING, NOT_HOLDING = Shards(2, frozenset({0})), Shards(2, frozenset({1}))
VOICE = 77


@pytest.fixture
async def both(postgres: Path, clock: Clock, gm: Person, ada: Person) -> AsyncIterator[tuple[Table, Table]]:
    """Two processes that both believe they look after a server: Gwen's campaign, in which Alice plays Ada."""
    url = prepared_database(postgres)
    stores = [await open_store(url, PATIENT), await open_store(url, PATIENT)]
    first, second = (
        Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(100 * number))
        for number, store in enumerate(stores)
    )
    await campaigns.create(first, gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(first, ada.asks(), "Ada")
    yield first, second
    for store in stores:
        await store.close()


def gone(_server: ServerId) -> bool:
    """Say that a server has removed the bot."""
    return False


async def only_due(table: Table, kind: str) -> DueTask:
    (found,) = await timed.due(table, kind)
    return found


class TestAtTheSameMoment:
    async def test_an_unpressed_button_is_pressed_once(
        self, both: tuple[Table, Table], ada: Person, clock: Clock
    ) -> None:
        await play.perform(both[0], ada.asks(), "dare", {})
        clock.seconds += 60
        tasks = [await only_due(table, timed.PRESS) for table in both]

        done = await asyncio.gather(
            *(watch.press_if_open(table, one) for table, one in zip(both, tasks, strict=True))
        )

        assert sorted(one is not None for one in done) == [False, True]
        (campaign,) = await both[0].store.read(lambda reader: reader.campaigns(HOME))
        entries = await both[0].store.read(lambda reader: reader.entries(HOME, campaign.id))
        assert len([entry for entry in entries if entry.interaction.startswith("press:")]) == 1

    async def test_a_session_ends_once_and_its_recap_is_posted_once(
        self, both: tuple[Table, Table], gm: Person, clock: Clock
    ) -> None:
        await sessions.start(both[0], gm.asks())
        clock.pass_hours(6)
        looked = [(table, (await autoend.watched(table, only_ending=True))[0]) for table in both]

        ended = await asyncio.gather(*(autoend.end_if_due(table, session) for table, session in looked))
        tasks = [await only_due(table, timed.RECAP) for table in both]
        news = await asyncio.gather(
            *(autoend.news_of(table, task) for table, task in zip(both, tasks, strict=True))
        )

        assert sorted(one is not None for one in ended) == [False, True]
        assert sorted(one is not None for one in news) == [False, True]

    async def test_the_data_of_a_left_server_is_deleted_once(
        self, both: tuple[Table, Table], clock: Clock
    ) -> None:
        await asyncio.gather(*(watch.look_after(table, gone) for table in both))
        clock.pass_hours(30 * 24)

        done = await asyncio.gather(*(watch.look_after(table, gone) for table in both))

        assert sorted(done) == [(), (HOME,)]

    async def test_a_missed_answer_is_told_once(
        self, both: tuple[Table, Table], ada: Person, clock: Clock
    ) -> None:
        request = ada.asks()
        await play.perform(both[0], request, "dare", {})
        await missed_results.note(both[0], HOME, request.interaction)

        told = await asyncio.gather(*(missed_results.claim(table, ada.asks()) for table in both))

        assert sorted(len(one) for one in told) == [0, 1]


class TestWhoeverHoldsTheShard:
    @pytest.fixture
    async def other(self, both: tuple[Table, Table], gm: Person, ada: Person, clock: Clock) -> Table:
        """The process that does not hold it; a press, a missed answer and the end of a session are due."""
        holder, other = both
        holder.shards, other.shards = HOLDING, NOT_HOLDING
        await sessions.start(holder, gm.asks())
        request = ada.asks()
        await play.perform(holder, request, "dare", {})
        await missed_results.note(holder, HOME, request.interaction)
        clock.pass_hours(6)
        return other

    async def test_nobody_else_finds_anything_to_do_there(
        self, both: tuple[Table, Table], other: Table
    ) -> None:
        assert await timed.due(other, timed.PRESS) == ()
        assert await autoend.watched(other, only_ending=True) == ()
        assert await missed_results.waiting(other) == set()
        assert await registered_commands.outdated(other, {}) == {}
        assert await watch.look_after(other, gone) == ()
        assert await timed.due(both[0], timed.LEFT_SERVER) == ()

    async def test_who_takes_the_shard_over_finds_all_of_it(
        self, both: tuple[Table, Table], other: Table, ada: Person
    ) -> None:
        both[0].shards, other.shards = NOT_HOLDING, HOLDING

        assert (await only_due(other, timed.PRESS)).server == HOME
        assert [one.server for one in await autoend.watched(other, only_ending=True)] == [HOME]
        assert await missed_results.waiting(other) == {(HOME, ada.id)}
        assert list(await registered_commands.outdated(other, {})) == [HOME]
        assert await timed.due(both[0], timed.PRESS) == ()

    async def test_voice_channels_that_another_process_linked_meanwhile_are_known(
        self, both: tuple[Table, Table], gm: Person
    ) -> None:
        first, second = both
        linked = LinkedVoice(first)
        assert await linked.of(HOME) == frozenset()
        first.shards, second.shards = NOT_HOLDING, HOLDING
        await sessions.start(second, gm.asks(), voice=VOICE)

        first.shards, second.shards = HOLDING, NOT_HOLDING
        found = await linked.of(HOME)
        linked.stop()

        assert found == {VOICE}
