"""Databases of every engine: new ones, and what is in one that a bot has open."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import psycopg
import pytest

from bot.store.boundary import Store
from bot.store.database_files import POSTGRES, path_of, read_only_uri
from bot.store.engines import open_store
from bot.store.sqlite import SqliteStore

ENGINES = ("sqlite", "postgres")

# For a test, class or module whose fixtures open a database: it runs once with each engine.
on_both_engines = pytest.mark.parametrize("engine", ENGINES, indirect=True, scope="module")

Row: TypeAlias = tuple[Any, ...]
Query: TypeAlias = Callable[..., list[Row]]
NewDatabase: TypeAlias = Callable[[Path], AbstractContextManager[str]]

_OPENED: WeakKeyDictionary[Store, str] = WeakKeyDictionary()

_COLUMNS_OF_SQLITE = """
SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' ORDER BY tables.name, columns.cid
"""
_COLUMNS_OF_POSTGRES = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
"""


@contextmanager
def reading(url: str) -> Iterator[Query]:
    """Yield a function that runs a query, with `?` for each parameter, and returns its rows."""
    if is_postgres(url):
        with psycopg.connect(url) as link:
            link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield lambda query, *parameters: link.execute(
                query.replace("%", "%%").replace("?", "%s").encode(), parameters
            ).fetchall()
    else:
        with closing(sqlite3.connect(read_only_uri(path_of(url)), uri=True)) as connection:
            yield lambda query, *parameters: connection.execute(query, parameters).fetchall()


def columns_of(url: str) -> dict[str, list[str]]:
    """Return the columns of every table."""
    found: dict[str, list[str]] = {}
    with reading(url) as query:
        for table, column in query(_COLUMNS_OF_POSTGRES if is_postgres(url) else _COLUMNS_OF_SQLITE):
            found.setdefault(table, []).append(column)
    return found


def rows_of(url: str) -> dict[str, list[Row]]:
    """Return every row of every table, in order."""
    tables = columns_of(url)
    with reading(url) as query:
        return {table: sorted(query(f"SELECT * FROM {table}"), key=repr) for table in tables}


def is_postgres(url: str) -> bool:
    """Whether an address is that of a PostgreSQL database."""
    return url.startswith(POSTGRES)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """Open a database as a bot does, and close it at the end."""
    store = await open_store(url)
    _OPENED[store] = url
    try:
        yield store
    finally:
        await store.close()


def address_of(store: Store) -> str:
    """Return the address of an open database."""
    return f"sqlite:///{store.path}" if isinstance(store, SqliteStore) else _OPENED[store]
