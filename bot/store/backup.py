"""A SQLite file as a whole: backed up while the bot runs, restored, and one side of a copy."""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from bot.store.connection import BackupRefused, CopyRefused, Found, StoreUnavailable, raise_outage
from bot.store.copying import CopiedTable, in_order
from bot.store.database_files import (
    POSTGRES,
    copy_file,
    free_name,
    make_private,
    move_into_place,
    opened,
    opened_to_read,
    path_of,
    require_folder,
    written_beside,
)
from bot.store.migrate import (
    is_half_copied,
    migrate,
    newest_version,
    refuse_foreign,
    refuse_half_copied,
    schema_version,
)
from bot.store.sqlite import SqliteConnection
from bot.store.transaction import Reader

_CHANNELS = """
SELECT server_id, channel FROM boards
UNION SELECT server_id, channel FROM sessions WHERE ended_at IS NULL
UNION SELECT server_id, place FROM places ORDER BY 1, 2
"""
LEAST_FREE_BYTES = 100 * 1024 * 1024
MOST_PROBLEMS = 10


class Health(Struct, frozen=True, kw_only=True):
    """The result of examining a SQLite file."""

    path: Path  # the file
    size_bytes: int  # its size with its write-ahead log; 0 if there is none yet
    free_bytes: int  # the free space on its disk
    schema: int  # its schema version; 0 if there is none yet
    newest_schema: int  # the one this program works with
    problems: tuple[str, ...]  # what is wrong, a line each; empty if all is well


def examine(url: str) -> Health:
    """Examine a whole SQLite file without changing it; the bot may keep running.

    Raises:
        StoreUnavailable: If *url* names no file, or its folder is missing.
    """
    path = path_of(url)
    require_folder(path)
    free_bytes = shutil.disk_usage(path.parent).free
    schema, problems = _look_inside(path) if path.exists() else (0, [])
    if free_bytes < LEAST_FREE_BYTES:
        problems.append(f"The disk of {path} has only {free_bytes // 1024**2} MiB left: make room.")
    files = (path, path.with_name(f"{path.name}-wal"))
    return Health(
        path=path,
        size_bytes=sum(one.stat().st_size for one in files if one.exists()),
        free_bytes=free_bytes,
        schema=schema,
        newest_schema=newest_version(),
        problems=tuple(problems),
    )


def channels_used(url: str) -> tuple[tuple[int, int], ...]:
    """Return every channel the bot posts in by itself, with its server: of boards, sessions, campaigns.

    Raises:
        StoreUnavailable: If the database cannot be read.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_health import rows_of  # only who uses it pays for loading it

        return tuple((server, channel) for server, channel in rows_of(url, _CHANNELS))
    with opened_to_read(path_of(url)) as connection:
        if schema_version(connection) < newest_version():
            return ()
        return tuple((server, channel) for server, channel in connection.execute(_CHANNELS))


def _look_inside(path: Path) -> tuple[int, list[str]]:
    try:
        with opened_to_read(path) as connection:
            refuse_foreign(connection, newest_version())
            refuse_half_copied(connection)
            return schema_version(connection), problems_of(connection)
    except StoreUnavailable as error:
        return 0, [error.reason]


def problems_of(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong inside a database, one line each: damage, and rows that refer to nothing."""
    try:
        found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    problems = [] if found == ["ok"] else found
    for table, _rowid, parent, _number in connection.execute("PRAGMA foreign_key_check").fetchmany(
        MOST_PROBLEMS
    ):
        problems.append(f"a row of {table} refers to one of {parent} that is not there")
    return problems


def backup(url: str, target: Path, *, overwrite: bool = False) -> None:
    """Copy the database as it is at one moment; the bot may keep running.

    Args:
        url: The database; one of PostgreSQL without a pooler in between.
        target: The file to make; it appears only once it is complete.
        overwrite: Whether an existing file may be replaced.

    Raises:
        BackupRefused: If something would be lost.
        StoreUnavailable: If the database cannot be read or the copy not written.
    """
    is_postgres = url.startswith(POSTGRES)
    if not is_postgres and target.exists() and path_of(url).exists() and target.samefile(path_of(url)):
        raise BackupRefused(f"{target} is the database itself: name another file.")
    if target.exists() and not overwrite:
        raise BackupRefused(f"{target} is there already: name another file, or add --overwrite.")
    if is_postgres:
        from bot.store.postgres.postgres_health import dump  # only who uses it pays for loading it

        with written_beside(target) as part:
            dump(url, part)
            move_into_place(part, target)
        return
    with opened_to_read(path_of(url)) as source, written_beside(target) as part:
        refuse_foreign(source, newest_version())
        copy_file(source, part)
        move_into_place(part, target)


def restore(source: Path, url: str) -> Path | None:
    """Replace the database with a backup.

    Args:
        source: The backup.
        url: The database; no bot may be using it.

    Returns:
        Where the earlier database is now; None if there was none.

    Raises:
        BackupRefused: If the backup is damaged or not ours, or a bot is using the database, or it is
            PostgreSQL's, with what to do instead.
        StoreUnavailable: If one of the two cannot be read or written.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_health import how_to_restore  # only who uses it pays for loading it

        raise how_to_restore(source, url)
    path = path_of(url)
    if path.exists() and source.exists() and path.samefile(source):
        raise BackupRefused(f"{source} is the database itself: name a backup.")
    _require_whole(source)
    with opened_to_read(source) as backed_up, written_beside(path) as part:
        copy_file(backed_up, part)
        kept = _set_aside(path) if path.exists() else None
        move_into_place(part, path)
    return kept


def _require_whole(source: Path) -> None:
    """Raise `BackupRefused` for anything but an intact backup of ours."""
    try:
        with opened_to_read(source) as connection:
            refuse_foreign(connection, newest_version())
            is_empty = schema_version(connection) == 0
            problems = [] if is_empty else problems_of(connection)
    except StoreUnavailable as error:
        if not isinstance(error.__cause__, sqlite3.DatabaseError):
            raise BackupRefused(error.reason) from error
        raise BackupRefused(f"{source} is damaged ({error.__cause__}): choose another backup.") from error
    if is_empty:
        raise BackupRefused(f"There is nothing in {source}: choose another backup.")
    if problems:
        raise BackupRefused(f"{source} is damaged ({problems[0]}): choose another backup.")


def _set_aside(path: Path) -> Path:
    """Give the database about to be replaced a second name.

    Raises:
        BackupRefused: If a bot is using it.
    """
    try:
        with opened(f"file:{quote(str(path))}?mode=rw", path) as connection:
            connection.execute("PRAGMA busy_timeout = 0")  # a bot that uses it will not leave by itself
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            # Leaving the write-ahead log folds it into the file, and works only for who is alone.
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except StoreUnavailable as error:
        cause = error.__cause__
        code = cause.sqlite_errorcode & 0xFF if isinstance(cause, sqlite3.Error) else None
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BackupRefused(f"The database {path} is in use: stop the bot first.") from error
        if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
    kept = free_name(path)
    os.link(path, kept)
    for end in ("-wal", "-shm"):  # left only by a damaged database
        with suppress(FileNotFoundError):
            os.replace(f"{path}{end}", f"{kept}{end}")
    return kept


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
    """A SQLite file; see `bot.store.copying.CopySide`. Made by `opened_sqlite`.

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
