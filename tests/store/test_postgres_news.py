"""What a process writes in a server that another looks after is told to that other; nothing else is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from bot.cluster.shard_locks import shared
from bot.store.connection import Unjournalled
from bot.store.postgres.postgres_store import CHANNEL, PostgresStore, open_postgres
from bot.store.records import CampaignId, EntryRecord, Kept, ServerId, Shards
from bot.store.transaction import Transaction
from tests.paces import IMPATIENT, PATIENT
from tests.store.postgres_server import prepared_database, stopped
from tests.store.rows import HERE, a_campaign, an_entry

DUSK = CampaignId(1)
FAR = ServerId(1 << 22 | 100)
NONE = Shards(4, frozenset())
HOME = Shards(4, frozenset({0}))


@pytest.fixture
def url(postgres: Path) -> str:
    """The address of a new, empty database."""
    return prepared_database(postgres)


@pytest.fixture
async def holder(url: str) -> AsyncIterator[PostgresStore]:
    """The store of the process that looks after HERE."""
    opened = await open_postgres(url, PATIENT)
    opened.shards = HOME
    yield opened
    await opened.close()


@pytest.fixture
async def writer(holder: PostgresStore, url: str) -> AsyncIterator[PostgresStore]:
    """The store of a program that looks after no server."""
    opened = await open_postgres(url, PATIENT)
    opened.shards = NONE
    yield opened
    await opened.close()


@pytest.fixture
def notified(holder: PostgresStore, url: str) -> Iterator[Callable[[], list[str]]]:
    """What has been notified since the last call."""
    with psycopg.connect(url, autocommit=True) as link:
        link.execute(f"LISTEN {CHANNEL}".encode())

        def so_far() -> list[str]:
            link.execute("SELECT pg_notify(%s, 'no more')", (CHANNEL,))
            found = iter(one.payload for one in link.notifies())
            return list(iter(lambda: next(found), "no more"))

        yield so_far


def heard_by(store: PostgresStore) -> list[Kept]:
    """Everything that a store tells its listeners from now on."""
    found: list[Kept] = []
    store.listen(found.append)
    return found


def make_campaign(tx: Transaction, server: ServerId = HERE) -> EntryRecord:
    campaign = tx.save_campaign(a_campaign(server=server))
    return tx.add_entry(an_entry(campaign, f"made {server}", server=server))


class TestNotifying:
    async def test_a_write_in_a_server_of_another_process_is_notified_and_not_told_here(
        self, writer: PostgresStore, notified: Callable[[], list[str]]
    ) -> None:
        told = heard_by(writer)

        entry = await writer.run(make_campaign)
        await asyncio.sleep(0)

        assert notified() == [f"{HERE} {entry.id}"]
        assert told == []

    async def test_a_write_in_an_own_server_is_told_here_and_not_notified(
        self, holder: PostgresStore, notified: Callable[[], list[str]]
    ) -> None:
        told = heard_by(holder)

        await holder.run(make_campaign)
        await asyncio.sleep(0)

        assert notified() == []
        assert [(one.server, set(one.tables)) for one in told] == [(HERE, {"campaigns"})]

    async def test_one_unit_in_two_servers_is_told_here_and_there(
        self, holder: PostgresStore, notified: Callable[[], list[str]]
    ) -> None:
        told = heard_by(holder)

        _, far = await holder.run(lambda tx: (make_campaign(tx), make_campaign(tx, FAR)))
        await asyncio.sleep(0)

        assert notified() == [f"{FAR} {far.id}"]
        assert [one.server for one in told] == [HERE]

    async def test_an_entry_that_is_undone_is_notified_beside_its_undo(
        self, writer: PostgresStore, notified: Callable[[], list[str]]
    ) -> None:
        made = await writer.run(make_campaign)
        notified()

        def undo(tx: Transaction) -> EntryRecord:
            tx.revert(made)
            undone = tx.add_entry(an_entry(DUSK, "undo"))
            tx.mark_undone(made, undone.id)
            tx.mark_undone(made, undone.id)
            return undone

        undone = await writer.run(undo)

        assert sorted(notified()) == sorted([f"{HERE} {undone.id}", f"{HERE} {made.id}"])

    async def test_a_unit_that_fails_notifies_nobody(
        self, writer: PostgresStore, notified: Callable[[], list[str]]
    ) -> None:
        def unit(tx: Transaction) -> None:
            make_campaign(tx)
            tx.save_campaign(a_campaign("Dawn"))

        with pytest.raises(Unjournalled):
            await writer.run(unit)

        assert notified() == []


class TestHearing:
    async def test_whoever_holds_the_server_tells_its_listeners_of_the_entry(
        self, holder: PostgresStore, writer: PostgresStore
    ) -> None:
        told = heard_by(holder)
        entry = await writer.run(make_campaign)

        await holder.heard(f"{HERE} {entry.id}")

        assert told == [Kept(HERE, DUSK, frozenset({"campaigns"}), turned=entry.id)]

    async def test_nobody_else_tells_anybody(self, holder: PostgresStore, writer: PostgresStore) -> None:
        told, here = heard_by(holder), await writer.run(make_campaign)
        far = await writer.run(lambda tx: make_campaign(tx, FAR))

        await holder.heard(f"{FAR} {far.id}")
        await holder.heard(f"{HERE} {here.id + 1}")  # no such entry, or no longer

        assert told == []

    @pytest.mark.parametrize("payload", ["", "7", f"{HERE} 1 1", f"{HERE} one", "-1 1", "²² 1", f"{HERE}  1"])
    async def test_a_notification_that_makes_no_sense_is_logged_and_ignored(
        self, holder: PostgresStore, payload: str
    ) -> None:
        await holder.run(make_campaign)
        told = heard_by(holder)

        with capture_logs() as lines:
            await holder.heard(payload)

        assert told == []
        assert [(one["event"], one["payload"]) for one in lines] == [("notification not understood", payload)]

    async def test_an_entry_that_cannot_be_read_just_now_is_logged(self, postgres: Path) -> None:
        opened = await open_postgres(prepared_database(postgres), IMPATIENT)
        told = heard_by(opened)
        with stopped(postgres), capture_logs() as lines:
            await opened.heard(f"{HERE} 1")
        await opened.close()

        assert told == []
        events: list[Any] = [one["event"] for one in lines]
        assert events == ["news of another process not read"]


async def test_the_process_with_the_locks_of_the_shards_hears_what_another_writes(
    holder: PostgresStore, writer: PostgresStore, url: str
) -> None:
    heard: asyncio.Queue[Kept] = asyncio.Queue()
    holder.listen(heard.put_nowait)
    async with shared(url, 4, holder):
        entry = await writer.run(make_campaign)

        assert (await heard.get()).entry == entry.id
