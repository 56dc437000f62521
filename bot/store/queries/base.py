"""The base of all queries: a connection, and for writes the changes collected on it."""

import sqlite3
from typing import Any, TypeAlias

from bot.store.changes import Changes, refusal
from bot.store.records import Kept
from bot.store.rows import Rows

Found: TypeAlias = tuple[Any, ...]  # sqlite3 hands out untyped rows; each query knows its own columns


class Reads:
    """Queries on a connection.

    Args:
        connection: In a transaction, so that all reads are consistent.
    """

    __slots__ = ("_connection", "_rows")

    def __init__(self, connection: sqlite3.Connection, rows: Rows | None = None) -> None:
        self._connection = connection
        self._rows = Rows(connection) if rows is None else rows

    def _one(self, statement: str, *parameters: object) -> Found | None:
        found: Found | None = self._connection.execute(statement, parameters).fetchone()
        return found

    def _all(self, statement: str, *parameters: object) -> list[Found]:
        return self._connection.execute(statement, parameters).fetchall()


class Writes(Reads):
    """Queries and writes on a connection.

    Args:
        connection: In a transaction that may write.
    """

    __slots__ = ("_changes", "kept")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._changes = Changes(connection)
        self.kept: list[Kept] = []  # news of every entry that was added
        super().__init__(connection, self._changes)

    def _run(self, statement: str, *parameters: object) -> None:
        try:
            self._connection.execute(statement, parameters)
        except sqlite3.IntegrityError as error:
            raise refusal(error) from error

    def _add(self, statement: str, *parameters: object) -> int:
        """Insert a row with a generated id; return that id."""
        try:
            id_ = self._connection.execute(statement, parameters).lastrowid
        except sqlite3.IntegrityError as error:
            raise refusal(error) from error
        if id_ is None:
            raise LookupError("nothing was added")
        return id_

    def _next_id(self, thing: str) -> int:
        """Return the next number for a kind of thing; no number is used twice."""
        counted = self._one("UPDATE counters SET last = last + 1 WHERE thing = ? RETURNING last", thing)
        if counted is None:
            raise LookupError(f"nobody counts {thing}")
        last: int = counted[0]
        return last
