"""A connection to PostgreSQL, with what it does in its own way."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any, TypeAlias

import psycopg
from psycopg import errors

from bot.store.connection import COUNTED, Found, StatementResult, TableColumn, refusal_of
from bot.store.observer import StoreObserver
from bot.store.postgres.impatient_link import BEGIN, LONG_ANSWER_SECONDS, TAKE_LONG, ImpatientLink
from bot.store.postgres.postgres_sql import for_postgres
from bot.store.postgres.server_turns import UnitTurn
from bot.store.records import ServerId
from bot.store.store_errors import StoreUnavailable

Link: TypeAlias = "psycopg.Connection[Found]"

_HOLD = f"SELECT {', '.join(COUNTED)} FROM servers WHERE server_id = %s FOR NO KEY UPDATE"  # noqa: S608 - constants
_KNOW = "INSERT INTO servers (server_id) VALUES (%s) ON CONFLICT (server_id) DO NOTHING"
_COUNT = f"UPDATE servers SET {' = %s, '.join(COUNTED)} = %s WHERE server_id = %s"  # noqa: S608 - the same
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

    def at_once(self) -> AbstractContextManager[None]:
        """Do nothing: nothing is written."""
        return nullcontext()

    def take_long(self) -> None:
        """Do nothing: no query does."""

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        with self._link.cursor() as cursor:
            yield from cursor.stream(for_postgres(statement).text, parameters)

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        constraint = error.diag.constraint_name if isinstance(error, psycopg.Error) else None
        return refusal_of(constraint, str(error), is_check=isinstance(error, errors.CheckViolation))

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Refuse: nothing can be made."""
        raise PermissionError(f"no {thing} is made in a read-only transaction")

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        return [
            TableColumn(table, name, is_text=is_text, is_key=is_key)
            for table, name, is_text, is_key in self._link.execute(_COLUMNS)
        ]


class PostgresWriting(PostgresReading):
    """A connection to PostgreSQL in a transaction that may write; it begins with the first statement.

    The first statement that concerns a server waits until no other transaction writes there. The lock is a
    statement of its own: one that locks and reads at once would read what was there before it waited.

    Most writes wait until their tables are read or the transaction is committed, and go together: on a
    network, each answer takes as long as many statements. Those about names are sent at once.

    Args:
        link: psycopg's connection.
        turn: The unit's turn at the server.
        observer: Hears how long the server's row is waited for.
    """

    def __init__(self, link: Link, turn: UnitTurn, observer: StoreObserver) -> None:
        super().__init__(link)
        self._turn = turn
        self._observer = observer
        self._last_ids: dict[int, dict[str, int]] = {}
        self._counted: set[int] = set()
        self._waiting: list[tuple[bytes, Sequence[Any]]] = []
        self._written: set[str] = set()  # the tables of those that wait
        self._is_at_once = False
        self._has_begun = False
        self._has_written = False
        self._has_savepoint = False

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> StatementResult:
        """Run a statement; one that breaks a constraint at once changes nothing, and the transaction goes on.

        The result of a write that waits has nothing to fetch.
        """
        asked = for_postgres(statement)
        server = asked.server_of(parameters)
        if server is None:
            self._begin()
        else:
            self._hold(server)
        if asked.can_wait and not self._is_at_once:
            self._waiting.append((asked.text, parameters))
            self._written.update(asked.tables)
            return self._link.cursor()
        if asked.is_write:
            return self._write(asked.text, parameters)
        if not self._written.isdisjoint(asked.tables):
            self._flush()
        return self._link.execute(asked.text, parameters)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Send every write at once."""
        if self._waiting:
            self._flush()
        self._is_at_once = True
        try:
            yield
        finally:
            self._is_at_once = False

    def take_long(self) -> None:
        """Let the rest of the transaction take longer than Discord waits."""
        self._begin()
        self._waiting.append((TAKE_LONG.encode(), ()))
        if isinstance(self._link, ImpatientLink):
            self._link.answer_seconds = LONG_ANSWER_SECONDS

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        self._begin()
        if self._waiting:
            self._flush()
        yield from super().each(statement, parameters)

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        self._begin()
        return super().columns()

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things, counted for each server."""
        self._hold(server)
        self._counted.add(server)
        last_ids = self._last_ids[server]
        first = last_ids[thing] + 1
        last_ids[thing] += count
        return first

    def commit(self) -> None:
        """Commit the transaction, with how far ids were counted.

        Raises:
            Exception: If a write that waited breaks a constraint: its `refusal`.
            StoreUnavailable: If the database gave the transaction up.
        """
        if not self._has_begun:
            return
        for server in sorted(self._counted):
            self._waiting.append((_COUNT.encode(), (*self._last_ids[server].values(), server)))
        if self._flush(b"COMMIT").statusmessage != "COMMIT":
            raise StoreUnavailable("The database gave a transaction up; try again.")

    def abandon(self) -> None:
        """End the transaction without what it wrote; of a lost connection the server does so itself."""
        if self._has_begun:
            # After a rollback, psycopg would prepare every statement again.
            with suppress(psycopg.OperationalError):
                self._link.execute("ROLLBACK" if self._has_written else "COMMIT")

    def _begin(self) -> None:
        if not self._has_begun:
            self._link.execute(BEGIN)
            self._has_begun = True

    def _hold(self, server: int) -> None:
        """Lock the row of a server until the transaction ends."""
        if server in self._last_ids:
            return
        self._turn.take(server)
        with self._observer.during("row"):
            found = self._lock(server)
        if found is None:
            self._has_written = True
            self._link.execute(_KNOW, (server,))
            found = self._lock(server)
        if found is None:
            raise LookupError(f"server {server} has no row")
        self._last_ids[server] = dict(zip(COUNTED, found, strict=True))

    def _lock(self, server: int) -> Found | None:
        if self._has_begun:
            return self._link.execute(_HOLD.encode(), (server,)).fetchone()
        self._has_begun = True
        return self._together((BEGIN.encode(), ()), (_HOLD.encode(), (server,))).fetchone()

    def _write(self, text: bytes, parameters: Sequence[Any]) -> StatementResult:
        """Write at once; after a broken constraint, the transaction is as it was before."""
        if self._waiting:
            self._flush()
        savepoint = b"RELEASE one; SAVEPOINT one" if self._has_savepoint else b"SAVEPOINT one"
        self._has_savepoint = self._has_written = True
        try:
            return self._together((savepoint, ()), (text, parameters))
        except psycopg.IntegrityError:
            self._link.execute("ROLLBACK TO one")
            raise

    def _flush(self, *last: bytes) -> "psycopg.Cursor[Found]":
        """Write what waits, and run one more statement.

        Raises:
            Exception: If one of the writes breaks a constraint: its `refusal`, which ends the unit.
        """
        waiting, self._waiting = self._waiting, []
        self._written.clear()
        self._has_written = self._has_written or bool(waiting)
        try:
            return self._together(*waiting, *((text, ()) for text in last))
        except psycopg.IntegrityError as error:
            raise self.refusal(error) from error

    def _together(self, *statements: tuple[bytes, Sequence[Any]]) -> "psycopg.Cursor[Found]":
        """Run statements in one round trip; return the result of the last one.

        As one text: of a pipeline that fails, psycopg believes statements prepared that are not.
        """
        cursor: psycopg.ClientCursor[Found] = psycopg.ClientCursor(self._link)
        cursor.execute("; ".join(cursor.mogrify(text, values) for text, values in statements).encode())
        while cursor.nextset():
            pass
        return cursor
