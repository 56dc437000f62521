"""Every row of a database with the names of its columns, to compare databases of both engines."""

import sqlite3
from contextlib import closing

import psycopg

from bot.store.database_files import path_of
from tests.databases import columns_of, is_postgres, reading

NamedRow = tuple[tuple[str, object], ...]

OF_THE_ENGINE = frozenset({"migrations", "sqlite_sequence"})


def every_row(url: str) -> dict[str, list[NamedRow]]:
    """Return the rows of every table, in one order for both engines."""
    tables = {table: sorted(columns) for table, columns in columns_of(url).items()}
    with reading(url) as query:
        return {
            table: sorted(
                (
                    tuple(zip(columns, row, strict=True))
                    for row in query(f"SELECT {', '.join(columns)} FROM {table}")
                ),
                key=repr,
            )
            for table, columns in tables.items()
            if table not in OF_THE_ENGINE
        }


def change(url: str, statement: str) -> None:
    """Run a statement on a database, as an operator might."""
    if is_postgres(url):
        with psycopg.connect(url) as link:
            link.execute(statement.encode())
        return
    with closing(sqlite3.connect(path_of(url))) as connection, connection:
        connection.execute(statement)
