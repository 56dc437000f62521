"""Open the store that `database.url` names, of whatever engine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.store.database_files import POSTGRES
from bot.store.postgres.patience import USUAL_PATIENCE, USUAL_TIMES, LockTimes, Patience
from bot.store.store import Store

if TYPE_CHECKING:
    from bot.store.postgres.shard_locks import ShardLocks


async def open_store(url: str, patience: Patience = USUAL_PATIENCE) -> Store:
    """Open or make the database, and migrate it to this program's schema.

    Args:
        url: ``sqlite:///`` and the name of a file, or libpq's address of a PostgreSQL database.
        patience: How long units of work wait on PostgreSQL.

    Raises:
        StoreUnavailable: If it can't be used; the reason says what to do.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_store import open_postgres  # only who uses it pays for loading it

        return await open_postgres(url, patience)
    from bot.store.sqlite import open_store as open_sqlite

    return await open_sqlite(url)


@asynccontextmanager
async def shared_shards(
    url: str, count: int | None, store: Store, times: LockTimes = USUAL_TIMES
) -> "AsyncIterator[ShardLocks | None]":
    """Divide the shards with other processes on the same PostgreSQL database, while the context lasts.

    Args:
        url: The address of the database, not of a pooler.
        count: How many shards there are; None if they are not shared.
        store: The store, which hears what others write in servers of this process.
        times: How long things take with their locks.

    Yields:
        The locks of the shards; None if they are not shared, or not on PostgreSQL.

    Raises:
        StoreUnavailable: If the shards can't be shared; the reason says what to do.
    """
    if count is None or not url.startswith(POSTGRES):
        yield None
        return
    from bot.store.postgres.postgres_store import PostgresStore
    from bot.store.postgres.shard_locks import ShardLocks

    assert isinstance(store, PostgresStore)  # noqa: S101  # the one at this address
    locks = ShardLocks(url, count, store.heard, times)
    try:
        await locks.open()
        yield locks
    finally:
        await locks.close()
