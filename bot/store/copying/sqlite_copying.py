"""A SQLite file as one side of a copy."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from bot.store.backup import problems_of
from bot.store.connection import Found
from bot.store.copying.copy_database import CopiedTable, in_order
from bot.store.database_files import make_private, path_of, require_folder
from bot.store.migrate import is_half_copied, migrate, newest_version, refuse_foreign, schema_version
from bot.store.sqlite import SqliteConnection
from bot.store.store_errors import CopyRefused, StoreUnavailable, raise_outage
from bot.store.transaction import Reader

_REFERENCES = """
SELECT tables.name, ends."table"
FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS ends WHERE tables.type = 'table'
"""
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def opened_sqlite(url: str, *, is_made: bool) -> Iterator["SqliteSide"]:
    """Open a file for a copy, and keep everybody else out of it.

    Args:
        url: ``sqlite:///`` and the name of the file.
        is_made: Whether the file is made if it is missing.

    Raises:
        CopyRefused: If somebody is using it.
        StoreUnavailable: If it cannot be used.
    """
    path = path_of(url)
    if is_made:
        require_folder(path)
        make_private(path)
    elif not path.is_file():
        raise StoreUnavailable(f"There is no database at {path}.")
    try:
        with closing(_connected(path)) as connection:
            yield SqliteSide(path, connection)
    except sqlite3.Error as error:
        raise_outage(error, path)


def _connected(path: Path) -> SqliteConnection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=0,  # a bot that uses it will not leave by itself
        factory=SqliteConnection,
    )
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")  # works only for who is alone
        connection.execute("COMMIT")  # keeps the lock
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF in _IN_USE:
            raise CopyRefused(f"The database {path} is in use: stop the bot first.") from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteSide:
    """A SQLite file; see `bot.store.copying.copy_database.CopySide`. Made by `opened_sqlite`.

    Args:
        path: The file.
        connection: In autocommit mode, and alone with the file.
    """

    def __init__(self, path: Path, connection: SqliteConnection) -> None:
        self.name = str(path)
        self.newest = newest_version()
        self._connection = connection

    def version(self) -> int:
        """Return the schema version; 0 of an empty file.

        Raises:
            StoreUnavailable: If it is another program's or of a newer version.
        """
        refuse_foreign(self._connection, self.newest)
        return schema_version(self._connection)

    def is_used(self) -> bool:
        """Return False: nobody else can use the file."""
        return False

    def migrate(self) -> None:
        """Bring the file to this program's schema."""
        self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
        self._connection.execute("PRAGMA synchronous = FULL")
        migrate(self._connection, is_copy=True)

    def tables(self) -> tuple[CopiedTable, ...]:
        """Return the tables to copy; each stands after those that it refers to."""
        return in_order(self._connection.columns(), self._connection.execute(_REFERENCES).fetchall())

    def has_note(self) -> bool:
        """Return whether the file is a copy that was never finished."""
        return is_half_copied(self._connection)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read the file as it is."""
        with self._transaction("BEGIN"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write in one transaction."""
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    def each(self, query: str) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        return self._connection.execute(query)

    def execute(self, statement: str) -> int:
        """Run a statement; return how many rows it changed."""
        return self._connection.execute(statement).rowcount

    def add(self, table: CopiedTable, rows: Iterable[Found]) -> None:
        """Add rows to a table; what they refer to is checked by `finish`."""
        marks = ", ".join("?" for _ in table.columns)
        self._connection.executemany(
            f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})",  # noqa: S608 - the schema's
            rows,
        )

    def saved(self, row: Found) -> Found:
        """Return a row as it is: SQLite saves whatever PostgreSQL does."""
        return row

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Yield the queries of the store."""
        with self.reading():
            yield Reader(self._connection)

    def finish(self) -> list[str]:
        """Fold the write-ahead log into the file; return what is wrong with it."""
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return problems_of(self._connection)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._connection.execute(begin)
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
