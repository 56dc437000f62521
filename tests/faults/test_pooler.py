"""PgBouncer in transaction mode between the bot and PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.store.engines import open_store, shared_shards
from bot.store.postgres import postgres_migrations
from bot.store.postgres.impatient_link import ImpatientLink, is_pooled
from bot.store.postgres.postgres_migrations import newest_step, postgres_steps
from bot.store.records import ServerId
from bot.store.store import Store
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Transaction
from tests.faults.spending import make_mira, spend, spent, until_stored
from tests.paces import IMPATIENT
from tests.store.postgres_server import database_of, stopped, url_of
from tests.store.rows import ELSEWHERE, HERE

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
        async with shared_shards(url_of(behind_pooler, database_of(url)), 4, stores[0]):
            pass
