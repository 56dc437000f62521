"""A worker: one connection to a SQLite file in its own thread."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import aiosqlite

from bot.store.sqlite_connection import SqliteConnection

T = TypeVar("T")

STATEMENTS_KEPT = 512  # prepared statements; there are about a hundred


class Worker:
    """Runs whole functions on a connection, one after the other, in aiosqlite's thread.

    Args:
        database: A file name, or a URI.
        is_uri: Whether *database* is a URI.
        busy_seconds: How long to wait for another program's lock.
    """

    def __init__(self, database: str, *, is_uri: bool, busy_seconds: float) -> None:
        self._connection = aiosqlite.connect(
            database,
            uri=is_uri,
            timeout=busy_seconds,
            isolation_level=None,
            factory=SqliteConnection,
            cached_statements=STATEMENTS_KEPT,
        )
        # Private: a program that ends without closing would otherwise wait for this thread for ever.
        self._connection._thread.daemon = True

    async def open(self) -> None:
        """Start the thread and connect."""
        try:
            await self._connection
        except BaseException:
            self._connection._thread.join()  # it ends at once, but still has something to tell the loop
            raise

    async def call(self, function: Callable[[SqliteConnection], T]) -> T:
        """Run a function to its end; a cancelled caller doesn't stop it halfway."""
        connection: Any = self._connection
        # Private: aiosqlite's public calls are one hop a statement, which costs 4 to 25 times more,
        # and can be cancelled between two of them.
        return cast("T", await connection._execute(function, connection._conn))

    async def close(self) -> None:
        """Finish earlier calls, disconnect, and end the thread."""
        await self._connection.close()
