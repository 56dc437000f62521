"""Databases of every engine: new ones, and what is in one that a bot has open."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import psycopg
import pytest

from bot.store.database_files import POSTGRES, make_private, path_of, read_only_uri
from bot.store.migrate import migrate
from bot.store.sqlite import SqliteStore
from bot.store.transaction import Store, open_store
from tests.paces import PATIENT
from tests.store.postgres_server import prepared_database

ENGINES = ("sqlite", "postgres")

# For a test, class or module whose fixtures open a database: it runs once with each engine.
on_both_engines = pytest.mark.parametrize("engine", ENGINES, indirect=True, scope="module")

Row: TypeAlias = tuple[Any, ...]
Query: TypeAlias = Callable[..., list[Row]]
NewDatabase: TypeAlias = Callable[[Path], AbstractContextManager[str]]

# A new connection to PostgreSQL takes longer than reading everything.
_READERS: dict[str, psycopg.Connection[Row]] = {}
_OPENED: WeakKeyDictionary[Store, str] = WeakKeyDictionary()

_COLUMNS_OF_SQLITE = """
SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' ORDER BY tables.name, columns.cid
"""
_COLUMNS_OF_POSTGRES = """
SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum
"""
_END_OTHERS = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_TABLES_OF_SQLITE = "SELECT name FROM sqlite_master WHERE type = 'table'"
_TABLES_OF_POSTGRES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


@cache
def _prepared() -> bytes:
    """The file of an empty database, made once a process: its tables take longer than most tests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)
        return file.read_bytes()


def prepared_file(folder: Path, name: str = "table.db") -> str:
    """Put the file of an empty database with all tables into a folder, and return its address."""
    file = folder / name
    make_private(file)
    file.write_bytes(_prepared())
    return f"sqlite:///{file}"


class SpareDatabases:
    """Databases of a PostgreSQL server with this program's schema.

    Each is used again, as emptying it is ten times as quick as making one.

    Args:
        folder: That of the server.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spare: list[str] = []

    @contextmanager
    def one(self) -> Iterator[str]:
        """Yield the address of an empty database that nobody else has."""
        url = self._spare.pop() if self._spare else prepared_database(self._folder)
        try:
            yield url
        finally:
            if url in _READERS:
                _READERS.pop(url).close()
        _empty(url)
        self._spare.append(url)


def _empty(url: str) -> None:
    """Remove every row, and whoever is still connected."""
    with psycopg.connect(url) as link:
        link.execute(_END_OTHERS)
        link.execute("SET session_replication_role = replica")  # rows may go in any order
        for (table,) in link.execute(f"{_TABLES_OF_POSTGRES} AND tablename <> 'migrations'").fetchall():
            link.execute(f"DELETE FROM {table}".encode())


@contextmanager
def reading(url: str) -> Iterator[Query]:
    """Yield a function that runs a query, with `?` for each parameter, and returns its rows."""
    if not is_postgres(url):
        with closing(sqlite3.connect(read_only_uri(path_of(url)), uri=True)) as connection:
            yield lambda query, *parameters: connection.execute(query, parameters).fetchall()
        return
    if url not in _READERS:
        _READERS[url] = psycopg.connect(url, autocommit=True)
    link = _READERS[url]
    with link.transaction():
        link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield lambda query, *parameters: link.execute(
            query.replace("%", "%%").replace("?", "%s").encode(), parameters
        ).fetchall()


def close_readers() -> None:
    """Close what `reading` has kept open."""
    while _READERS:
        _READERS.popitem()[1].close()


def columns_of(url: str) -> dict[str, list[str]]:
    """Return the columns of every table."""
    found: dict[str, list[str]] = {}
    with reading(url) as query:
        for table, column in query(_COLUMNS_OF_POSTGRES if is_postgres(url) else _COLUMNS_OF_SQLITE):
            found.setdefault(table, []).append(column)
    return found


def rows_of(url: str) -> dict[str, list[Row]]:
    """Return every row of every table, in order."""
    with reading(url) as query:
        tables = query(_TABLES_OF_POSTGRES if is_postgres(url) else _TABLES_OF_SQLITE)
        return {table: sorted(query(f"SELECT * FROM {table}"), key=repr) for (table,) in tables}


def is_postgres(url: str) -> bool:
    """Whether an address is that of a PostgreSQL database."""
    return url.startswith(POSTGRES)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """Open a database as a bot does, and close it at the end."""
    store = await open_store(url, PATIENT)
    _OPENED[store] = url
    try:
        yield store
    finally:
        await store.close()


def address_of(store: Store) -> str:
    """Return the address of an open database."""
    return f"sqlite:///{store.path}" if isinstance(store, SqliteStore) else _OPENED[store]
