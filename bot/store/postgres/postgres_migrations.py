"""A PostgreSQL database: its schema, migrated step by step, and as one side of a copy."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files

import psycopg
from psycopg import errors

from bot.store.connection import Found, StoreUnavailable
from bot.store.copying import NOTE, CopiedTable, in_order, why_unusable
from bot.store.postgres.impatient_link import name_of
from bot.store.postgres.postgres_connection import Link, PostgresReading, columns_of, reached
from bot.store.postgres.server_turns import ServerMemories
from bot.store.transaction import Reader

TRIES = 30
PAUSE_SECONDS = 0.5

_NOT_FOR_EVER = "SET LOCAL idle_in_transaction_session_timeout = '60s'"  # should the network be cut meanwhile
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7629611)"  # 0x746B2B, "tk+": for processes that start together
# Units wait at most 1.8 seconds for a lock; whoever waits for this one stands behind it.
_BRIEFLY = "SET LOCAL lock_timeout = '500ms'"
_STOP_UNITS = "LOCK TABLE servers IN ACCESS EXCLUSIVE MODE"  # each begins there, so that none waits crosswise
_TABLES = """
SELECT count(*), count(*) FILTER (WHERE relname = 'migrations')
FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
"""
_RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
    number BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    at BIGINT NOT NULL
)
"""
_VERSION = "SELECT coalesce(max(number), 0) FROM migrations"
_KEEP = "INSERT INTO migrations (number, name, at) VALUES (%s, %s, extract(epoch FROM now()))"


@cache
def postgres_steps() -> tuple[tuple[int, str, str], ...]:
    """Return the number, the file's name and the SQL of all steps, in order."""
    folder = files("bot.store.postgres") / "migrations"
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".sql")), key=lambda one: one.name)
    return tuple((int(one.name[:4]), one.name, one.read_text(encoding="utf-8")) for one in found)


def newest_step() -> int:
    """Return the schema version this program works with."""
    return postgres_steps()[-1][0]


def version_of(link: Link, name: str) -> int:
    """Return the schema version of a database; 0 for an empty one.

    Raises:
        StoreUnavailable: If the database is another program's or of a newer version.
    """
    tables, records = link.execute(_TABLES).fetchone() or (0, 0)
    if not tables:
        return 0
    if not records:
        raise StoreUnavailable(f"{name} is a database of another program: create one for the bot.")
    (version,) = link.execute(_VERSION).fetchone() or (0,)
    if version > newest_step():
        raise StoreUnavailable(
            f"{name} has schema {version}, but this program knows only up to {newest_step()}: "
            "update Tablekeeper."
        )
    return int(version)


def is_half_copied(link: Link) -> bool:
    """Return whether a database is a copy that was never finished."""
    return link.execute("SELECT to_regclass(%s)", (NOTE,)).fetchone() != (None,)


def migrate_postgres(link: Link, name: str, *, is_copy: bool = False) -> None:
    """Run every step that a database still needs, all in one transaction.

    Other processes may go on meanwhile: whatever has to wait for this waits briefly, again and again.

    Args:
        link: In autocommit mode.
        name: The database, as messages name it.
        is_copy: Whether it may be a half-done copy.

    Raises:
        StoreUnavailable: If the database is another program's or of a newer version, or half a copy, or
            another program does not let go of it.
    """
    for _ in range(TRIES):
        try:
            with link.transaction():
                _take_steps(link, name, is_copy=is_copy)
            return
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            time.sleep(PAUSE_SECONDS)
    raise StoreUnavailable(
        f"The database {name} has to be brought to schema {newest_step()}, but another program reads it all "
        "the time (a backup?): wait until that has ended, and start again."
    )


def _take_steps(link: Link, name: str, *, is_copy: bool) -> None:
    link.execute(_NOT_FOR_EVER)
    link.execute(_ONE_AT_A_TIME)
    version = version_of(link, name)
    if not is_copy and is_half_copied(link):
        raise StoreUnavailable(why_unusable(name))
    if version == newest_step():
        return
    if version == 0:
        link.execute(_RECORD)
    else:
        link.execute(_BRIEFLY)
        link.execute(_STOP_UNITS)
    for number, file, statements in postgres_steps():
        if number > version:
            link.execute(statements.encode())
            link.execute(_KEEP, (number, file))


ROWS_FETCHED = 2000  # at a time
LOOKS = 10
COPY_PAUSE_SECONDS = 0.1

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
    """A PostgreSQL database; see `bot.store.copying.CopySide`. Made by `opened_postgres`.

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
            time.sleep(COPY_PAUSE_SECONDS)
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
