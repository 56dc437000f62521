"""A PostgreSQL server that is restarted, replaced, full, slow or locked: nothing is lost or done twice."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from bot.cluster.shard_locks import shared
from bot.store.connection import StoreUnavailable
from bot.store.postgres import postgres_migrations
from bot.store.postgres.impatient_link import ImpatientLink, is_pooled
from bot.store.postgres.postgres_migrations import newest_step, postgres_steps
from bot.store.records import ServerId
from bot.store.transaction import Store, Transaction, open_store
from tests.faults.spending import is_stored, make_mira, spend, spent, until_stored
from tests.paces import IMPATIENT
from tests.store.postgres_server import END_BOTS, copy_data, database_of, fail_over, restart, stopped, url_of
from tests.store.rows import ELSEWHERE, HERE


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store on the server, with Mira, character 1 of Dusk in each of two servers."""
    opened = await open_store(url, IMPATIENT)
    for server in (HERE, ELSEWHERE):
        await opened.run(partial(make_mira, server=server))
    yield opened
    await opened.close()


@pytest.fixture
def operator(store: Store, url: str) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    """A connection of an operator."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


# Nothing here may fill a disk: the server reports one as full, as it would.
FULL_DISK = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON entries EXECUTE FUNCTION full_disk();
"""
SLOW_DISK = """
CREATE FUNCTION slow_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
CREATE TRIGGER slow_disk BEFORE INSERT ON entries EXECUTE FUNCTION slow_disk();
"""
SLOW_REMOVAL = """
CREATE FUNCTION slow_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$;
CREATE TRIGGER slow_removal BEFORE DELETE ON entries EXECUTE FUNCTION slow_removal();
"""


# What 100 processes with 16 shards each hold; and more than the server has room for.
LOCKS = "SELECT pg_advisory_lock(7, one) FROM generate_series(1, 1700) AS one"
TOO_MANY_LOCKS = "SELECT pg_advisory_lock(8 + %s, one) FROM generate_series(1, 1000000) AS one"


class Spenders:
    """People who spend without a break, and remember what was acknowledged."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.acknowledged = set[str]()
        self.tried = set[str]()
        self.reasons = set[str]()
        self._progress = asyncio.Semaphore(0)
        self._is_over = False

    async def spend(self, name: str) -> None:
        """Spend one luck after the other, until it is over."""
        number = 0
        while not self._is_over:
            interaction = f"{name} {number}"
            number += 1
            self.tried.add(interaction)
            try:
                await self.store.run(partial(spend, interaction=interaction))
            except StoreUnavailable as error:
                self.reasons.add(error.reason)
                await asyncio.sleep(0.05)
            else:
                self.acknowledged.add(interaction)
                self._progress.release()

    async def during(self, fault: Callable[[], object]) -> None:
        """Let a fault happen while they spend; they go on until it works again."""
        working = [asyncio.create_task(self.spend(name)) for name in "abcdef"]
        await self._go_on(20)
        await asyncio.to_thread(fault)
        await until_stored(self.store, "after", ELSEWHERE)
        await self._go_on(len(self.acknowledged) + 20)
        self._is_over = True
        await asyncio.gather(*working)

    async def _go_on(self, until: int) -> None:
        """Wait until so many were acknowledged."""
        while len(self.acknowledged) < until:
            await self._progress.acquire()

    async def check(self) -> None:
        """Check that everything acknowledged is there, and everything that is there counted once."""
        stored = {one for one in self.tried if await is_stored(self.store, one)}
        assert self.acknowledged <= stored
        assert await spent(self.store) == len(stored)


@pytest.mark.parametrize("mode", ["immediate", "fast"])
async def test_a_restart_in_load_loses_nothing_acknowledged(store: Store, postgres: Path, mode: str) -> None:
    spenders = Spenders(store)

    await spenders.during(lambda: restart(postgres, mode))

    await spenders.check()
    assert all(
        "cannot be reached" in reason or "stopped what it did" in reason for reason in spenders.reasons
    )


async def test_a_fresh_server_with_the_same_data_takes_over(store: Store, postgres: Path) -> None:
    spenders = Spenders(store)

    await spenders.during(lambda: fail_over(postgres))

    await spenders.check()


async def test_a_full_disk_is_said_and_the_store_goes_on(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    operator.execute(FULL_DISK)

    with pytest.raises(StoreUnavailable, match=r"There is no room left for the database .* make room"):
        await store.run(lambda tx: spend(tx, "full"))
    assert await spent(store) == 0  # reading goes on

    operator.execute("DROP TRIGGER full_disk ON entries")
    await store.run(lambda tx: spend(tx, "full"))
    assert await spent(store) == 1


async def test_a_statement_that_takes_too_long_is_said_and_frees_its_server(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    operator.execute(SLOW_DISK)

    with pytest.raises(StoreUnavailable, match=r"takes too long .*statement timeout.* goes on by itself"):
        await store.run(lambda tx: spend(tx, "slow"))
    operator.execute("DROP TRIGGER slow_disk ON entries")

    await store.run(lambda tx: spend(tx, "after"))
    assert await spent(store) == 1


async def test_removing_a_server_may_take_long(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    operator.execute(SLOW_REMOVAL)

    await store.run(lambda tx: tx.purge_server(ELSEWHERE))

    assert await store.read(lambda reader: reader.campaigns(ELSEWHERE)) == []


async def test_a_process_that_stands_still_in_a_unit_blocks_nobody_for_long(store: Store, url: str) -> None:
    other = await open_store(url, IMPATIENT)
    has_begun, is_over, tries = Event(), Event(), 0

    def stuck(tx: Transaction) -> None:
        nonlocal tries
        tries += 1
        spend(tx, f"stuck {tries}")
        has_begun.set()
        is_over.wait(60)

    standing = asyncio.create_task(store.run(stuck))
    assert await asyncio.to_thread(has_begun.wait, 60)
    await until_stored(other, "meanwhile")  # the server frees the row after five seconds
    is_over.set()
    with suppress(StoreUnavailable):
        await standing

    assert await is_stored(other, "meanwhile")
    assert not await is_stored(other, "stuck 1")
    await other.close()


async def test_the_locks_of_a_hundred_processes_leave_room_for_units(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    operator.execute(LOCKS)

    await asyncio.gather(*(store.run(partial(spend, interaction=f"{one}")) for one in range(40)))

    assert await spent(store) == 40


async def test_a_server_without_room_for_another_lock_is_said(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    reason, before = "", 0
    while not reason:  # somebody else, such as autovacuum, may have left room once more
        with pytest.raises(psycopg.errors.OutOfMemory):
            operator.execute(TOO_MANY_LOCKS, [before])
        try:
            await store.run(partial(spend, interaction=f"crowded {before}"))
        except StoreUnavailable as error:
            reason = error.reason
        else:
            before += 1
    operator.execute("SELECT pg_advisory_unlock_all()")

    await store.run(partial(spend, interaction=f"crowded {before}"))
    assert re.search(r"has no room to work .*max_locks_per_transaction", reason)
    assert await spent(store) == before + 1


async def test_a_server_without_a_connection_for_the_bot_is_said(store: Store, url: str) -> None:
    with ExitStack() as stack:
        with suppress(psycopg.OperationalError):
            while True:
                stack.enter_context(psycopg.connect(url))
        with pytest.raises(StoreUnavailable, match=r"too many clients.*has a connection left"):
            await open_store(url, IMPATIENT)
        await store.run(lambda tx: spend(tx, "crowded"))  # on the connection that it has

    later = None
    while later is None:  # the server is a moment behind those who have left
        with suppress(StoreUnavailable):
            later = await open_store(url, IMPATIENT)
    await later.close()
    assert await spent(store) == 1


async def test_a_server_that_takes_no_changes_is_said_and_its_successor_is_found(
    store: Store, operator: "psycopg.Connection[tuple[Any, ...]]"
) -> None:
    database = operator.info.dbname
    operator.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on".encode())
    operator.execute(END_BOTS)

    with pytest.raises(StoreUnavailable, match="takes no changes, as a standby: connect to"):
        await store.run(lambda tx: spend(tx, "too early"))
    assert await spent(store) == 0
    operator.execute("SET default_transaction_read_only = off")
    operator.execute(f"ALTER DATABASE {database} RESET default_transaction_read_only".encode())

    await store.run(lambda tx: spend(tx, "after"))  # the connections to the former one are not used again
    assert await spent(store) == 1


async def test_a_successor_without_the_last_changes_is_believed(store: Store, postgres: Path) -> None:
    await store.run(partial(spend, interaction="copied"))
    copy_data(postgres)
    for number in range(3):
        await store.run(partial(spend, interaction=f"later {number}"))
    assert await spent(store) == 4

    fail_over(postgres, is_old=True)

    await until_stored(store, "after")
    assert await spent(store) == 2
    assert not await is_stored(store, "later 0")


LEFT = """
SELECT 'setting ' || name FROM pg_settings WHERE source = 'session' AND name <> 'application_name'
UNION ALL SELECT 'statement ' || statement FROM pg_prepared_statements
UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory'
UNION ALL SELECT 'channel ' || pg_listening_channels()
UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relpersistence = 't'
"""


@pytest.fixture
async def stores(behind_pooler: Path, url: str) -> AsyncIterator[list[Store]]:
    """The stores of two processes behind the pooler, with a Mira in each of two servers."""
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(2):
            opened.append(await open_store(url_of(behind_pooler, database_of(url)), IMPATIENT))
            stack.push_async_callback(opened[-1].close)
        for server in (HERE, ELSEWHERE):
            await opened[0].run(partial(make_mira, server=server))
        yield opened


def left_behind(through: str) -> list[list[tuple[Any, ...]]]:
    """What stayed on each of the pooler's three connections."""
    links = [psycopg.connect(through, prepare_threshold=None) for _ in range(3)]
    found = [link.execute(LEFT).fetchall() for link in links]  # each holds one of them
    for link in links:
        link.close()
    return found


async def test_units_of_two_processes_share_its_connections(stores: list[Store]) -> None:
    def unit(tx: Transaction, server: ServerId, number: int) -> None:
        spend(tx, f"{number}", server)
        tx.sessions(server, tx.campaigns(server)[0].id)
        if number % 7 == 0:
            spend(tx, f"{number} again", server)

    async def until_done(store: Store, server: ServerId, number: int) -> None:
        """Try again where a connection takes longer to get than people wait."""
        is_done = False
        while not is_done:
            with suppress(StoreUnavailable):
                await store.run(partial(unit, server=server, number=number))
                await store.read(lambda reader: reader.campaigns(HERE))
                is_done = True

    await asyncio.gather(
        *(
            until_done(store, server, number)
            for number in range(100)
            for store in stores
            for server in (HERE, ELSEWHERE)
        )
    )

    assert [await spent(store, server) for store in stores for server in (HERE, ELSEWHERE)] == [115] * 4


async def test_nothing_stays_behind_on_its_connections(
    stores: list[Store], behind_pooler: Path, url: str
) -> None:
    for number in range(20):
        await asyncio.gather(*(store.run(partial(spend, interaction=f"{number}")) for store in stores))
        await asyncio.gather(*(spent(store) for store in stores))

    assert left_behind(url_of(behind_pooler, database_of(url))) == [[]] * 3


async def test_many_migrations_leave_nothing_behind_on_its_connections(
    behind_pooler: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    through = url_of(behind_pooler, database_of(url))
    later = [(newest_step() + number, "later.sql", "SELECT 1") for number in range(1, 9)]
    steps = (*postgres_steps(), *later)
    monkeypatch.setattr(postgres_migrations, "postgres_steps", lambda: steps)

    await (await open_store(through, IMPATIENT)).close()

    assert left_behind(through) == [[]] * 3


async def test_a_server_stopped_behind_it_is_said_and_the_stores_go_on(
    stores: list[Store], postgres: Path
) -> None:
    with stopped(postgres):
        ends = await asyncio.gather(
            *(store.run(partial(spend, interaction="stopped")) for store in stores), return_exceptions=True
        )
    for end in ends:
        assert isinstance(end, StoreUnavailable)

    await until_stored(stores[0], "after")
    await stores[1].run(partial(spend, interaction="after"))

    assert await spent(stores[0]) == 1


async def test_a_connection_behind_one_is_known(behind_pooler: Path, url: str) -> None:
    with (
        ImpatientLink.connect(url) as direct,
        ImpatientLink.connect(url_of(behind_pooler, database_of(url))) as behind,
    ):
        assert not is_pooled(direct)
        assert is_pooled(behind)


async def test_shards_are_not_shared_through_one(behind_pooler: Path, stores: list[Store], url: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"behind a pooler.* set database\.direct_url"):
        async with shared(url_of(behind_pooler, database_of(url)), 4, stores[0]):
            pass
