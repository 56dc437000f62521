"""A PostgreSQL database as one side of a copy."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import psycopg

from bot.store.connection import Found
from bot.store.copying.copy_database import CopiedTable, in_order
from bot.store.postgres.impatient_link import name_of
from bot.store.postgres.postgres_connection import Link, PostgresReading, columns_of, reached
from bot.store.postgres.postgres_migrations import is_half_copied, migrate_postgres, newest_step, version_of
from bot.store.postgres.server_turns import ServerMemories
from bot.store.transaction import Reader

ROWS_FETCHED = 2000  # at a time
LOOKS = 10
PAUSE_SECONDS = 0.1

_REFERENCES = """
SELECT ours.relname, theirs.relname
FROM pg_constraint
INNER JOIN pg_class AS ours ON ours.oid = conrelid
INNER JOIN pg_class AS theirs ON theirs.oid = confrelid
WHERE contype = 'f' AND ours.relnamespace = CAST(current_schema() AS REGNAMESPACE)
"""
_BOTS = """
SELECT count(*) FROM pg_stat_activity
WHERE application_name = 'tablekeeper' AND datname = current_database() AND pid <> pg_backend_pid()
"""
_WITHOUT_END = (
    "; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
    "; SET LOCAL idle_in_transaction_session_timeout = 0"
)
_BEGIN_READING = f"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{_WITHOUT_END}"
_BEGIN_WRITING = f"BEGIN{_WITHOUT_END}"


@contextmanager
def opened_postgres(url: str) -> Iterator["PostgresSide"]:
    """Open a database for a copy.

    Raises:
        StoreUnavailable: If it cannot be used.
    """
    with reached(url, "tablekeeper copy") as link:
        yield PostgresSide(name_of(url), link)


class PostgresSide:
    """A PostgreSQL database; see `bot.store.copying.copy_database.CopySide`. Made by `opened_postgres`.

    Args:
        name: The database, as messages name it.
        link: psycopg's connection, in autocommit mode.
    """

    def __init__(self, name: str, link: Link) -> None:
        self.name = name
        self.newest = newest_step()
        self._link = link

    def version(self) -> int:
        """Return the schema version; 0 of an empty database.

        Raises:
            StoreUnavailable: If it is another program's or of a newer version.
        """
        return version_of(self._link, self.name)

    def is_used(self) -> bool:
        """Return whether a bot is connected, by the name that it gives its connections.

        The server sees the end of a bot that was just stopped a moment later.
        """
        for _ in range(LOOKS):
            if self._link.execute(_BOTS).fetchone() == (0,):
                return False
            time.sleep(PAUSE_SECONDS)
        return True

    def migrate(self) -> None:
        """Bring the database to this program's schema."""
        migrate_postgres(self._link, self.name, is_copy=True)

    def tables(self) -> tuple[CopiedTable, ...]:
        """Return the tables to copy; each stands after those that it refers to."""
        return in_order(columns_of(self._link), self._link.execute(_REFERENCES).fetchall())

    def has_note(self) -> bool:
        """Return whether the database is a copy that was never finished."""
        return is_half_copied(self._link)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read the database as it is at one moment."""
        with self._transaction(_BEGIN_READING):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write in one transaction."""
        with self._transaction(_BEGIN_WRITING):
            yield

    def each(self, query: str) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        with self._link.cursor(name="copied") as cursor:
            cursor.itersize = ROWS_FETCHED
            cursor.execute(query.encode())
            yield from cursor

    def execute(self, statement: str) -> int:
        """Run a statement; return how many rows it changed."""
        return self._link.execute(statement.encode()).rowcount

    def add(self, table: CopiedTable, rows: Iterable[Found]) -> None:
        """Add rows to a table in one statement, at whose end PostgreSQL checks what they refer to."""
        statement = f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN"
        with self._link.cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def saved(self, row: Found) -> Found:
        """Return a row with U+FFFD in the place of U+0000, which no text of PostgreSQL can have."""
        return tuple(one.replace("\0", "\ufffd") if isinstance(one, str) else one for one in row)

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Yield the queries of the store, in a transaction of their own."""
        connection = PostgresReading(self._link, ServerMemories())
        try:
            yield Reader(connection)
        finally:
            connection.end()

    def finish(self) -> list[str]:
        """Let PostgreSQL plan with the new tables; nothing can be wrong with them."""
        self._link.execute("ANALYZE")
        return []

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._link.execute(begin.encode())
        try:
            yield
        except BaseException:
            with suppress(psycopg.OperationalError):  # of a lost connection the server knows
                self._link.execute("ROLLBACK")
            raise
        self._link.execute("COMMIT")
