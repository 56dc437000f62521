"""Queries asked for at the same moment, in one read of the store."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from bot.store.store import Store
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Reader

T = TypeVar("T")


class ReadsTogether:
    """Runs queries in the next read of the store, with whatever else is asked for until that begins."""

    def __init__(self) -> None:
        self._queries: list[Callable[[Reader], Any]] = []
        self._reading: asyncio.Task[list[Any]] | None = None

    async def read(self, store: Store, query: Callable[[Reader], T]) -> T:
        """Run a query; it sees the store as it is from now on, never as it was before.

        Raises:
            StoreUnavailable: If the database can't be read just now.
        """
        place = len(self._queries)
        self._queries.append(query)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(store))
        reading = self._reading
        await asyncio.wait({reading})
        error = reading.exception()
        if error is not None and not isinstance(error, StoreUnavailable):
            return await store.read(query)  # one of the queries failed; alone, each has its own outcome
        found: T = reading.result()[place]
        return found

    async def _read(self, store: Store) -> list[Any]:
        queries, self._queries, self._reading = self._queries, [], None
        return await store.read(lambda reader: [query(reader) for query in queries])
