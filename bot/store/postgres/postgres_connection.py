"""A connection to PostgreSQL, with what it does in its own way."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import psycopg
from psycopg import errors, sql

from bot.store.connection import Found, StatementResult, TableColumn, refusal_of
from bot.store.postgres.postgres_sql import for_postgres
from bot.store.records import ServerId

Link: TypeAlias = "psycopg.Connection[Found]"

_COUNTED = ("campaigns", "characters", "countdowns", "drafts", "entries", "favourites", "follow_ups")
_HOLD = sql.SQL("SELECT {} FROM servers WHERE server_id = %s FOR NO KEY UPDATE").format(
    sql.SQL(", ").join(map(sql.Identifier, _COUNTED))
)
_KNOW = "INSERT INTO servers (server_id) VALUES (%s) ON CONFLICT (server_id) DO NOTHING"
_COUNT = sql.SQL("UPDATE servers SET {} WHERE server_id = %s").format(
    sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(one)) for one in _COUNTED)
)
_COLUMNS = """
SELECT pg_class.relname, attname, atttypid = CAST('text' AS regtype), coalesce(attnum = ANY(indkey), FALSE)
FROM pg_class
INNER JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_index ON pg_index.indrelid = pg_class.oid AND indisprimary
WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
ORDER BY pg_class.relname, attnum
"""


class PostgresReading:
    """A connection to PostgreSQL in a read-only transaction; see `bot.store.connection.DatabaseConnection`.

    Args:
        link: psycopg's connection.
    """

    IntegrityError: type[Exception] = psycopg.IntegrityError

    def __init__(self, link: Link) -> None:
        self._link = link

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> StatementResult:
        """Run a statement."""
        return self._link.execute(for_postgres(statement).text, parameters)

    def each(self, statement: str) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        with self._link.cursor() as cursor:
            yield from cursor.stream(for_postgres(statement).text)

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        constraint = error.diag.constraint_name if isinstance(error, psycopg.Error) else None
        return refusal_of(constraint, str(error), is_check=isinstance(error, errors.CheckViolation))

    def next_id(self, server: ServerId, thing: str) -> int:
        """Refuse: nothing can be made."""
        raise PermissionError(f"no {thing} is made in a read-only transaction")

    def add(self, table: str, statement: str, server: ServerId, parameters: Sequence[Any]) -> int:
        """Insert a row of a server with a new id, its first two columns being these; return the id."""
        id_ = self.next_id(server, table)
        self.execute(statement, (id_, server, *parameters))
        return id_

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        return [
            TableColumn(table, name, is_text=is_text, is_key=is_key)
            for table, name, is_text, is_key in self._link.execute(_COLUMNS)
        ]


class PostgresWriting(PostgresReading):
    """A connection to PostgreSQL in a transaction that may write.

    The first statement that concerns a server waits until no other transaction writes there. The lock is a
    statement of its own: one that locks and reads at once would read what was there before it waited.

    Args:
        link: psycopg's connection.
    """

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._last_ids: dict[int, dict[str, int]] = {}
        self._counted: set[int] = set()
        self._has_savepoint = False

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> StatementResult:
        """Run a statement; one that breaks a constraint changes nothing, and the transaction goes on."""
        asked = for_postgres(statement)
        server = asked.server_of(parameters)
        if server is not None:
            self._hold(server)
        if not asked.is_write:
            return self._link.execute(asked.text, parameters)
        self._link.execute("RELEASE one; SAVEPOINT one" if self._has_savepoint else "SAVEPOINT one")
        self._has_savepoint = True
        try:
            return self._link.execute(asked.text, parameters)
        except psycopg.IntegrityError:
            self._link.execute("ROLLBACK TO one")
            raise

    def next_id(self, server: ServerId, thing: str) -> int:
        """Return the id of a new thing, counted for each server."""
        self._hold(server)
        self._counted.add(server)
        last_ids = self._last_ids[server]
        last_ids[thing] += 1
        return last_ids[thing]

    def settle(self) -> None:
        """Write how far ids were counted; the last statement before the commit."""
        for server in sorted(self._counted):
            self._link.execute(_COUNT, (*self._last_ids[server].values(), server))

    def _hold(self, server: int) -> None:
        """Lock the row of a server until the transaction ends."""
        if server in self._last_ids:
            return
        found = self._link.execute(_HOLD, (server,)).fetchone()
        if found is None:
            self._link.execute(_KNOW, (server,))
            found = self._link.execute(_HOLD, (server,)).fetchone()
        if found is None:
            raise LookupError(f"server {server} has no row")
        self._last_ids[server] = dict(zip(_COUNTED, found, strict=True))
