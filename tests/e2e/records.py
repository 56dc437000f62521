"""What is really kept: the database as it lies on the disk, read beside the running bot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

Row = tuple[object, ...]


@contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        yield connection


def tables(database: Path) -> list[str]:
    """The names of all tables."""
    with _opened(database) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [str(name) for (name,) in found]


def everything_of(database: Path, server: int) -> dict[str, list[Row]]:
    """Every row that belongs to a server, but where messages and boards are: that is noted later."""
    kept: dict[str, list[Row]] = {}
    for table in (one for one in tables(database) if one not in ("boards", "messages")):
        with _opened(database) as connection:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if "server_id" in columns:
                kept[table] = connection.execute(
                    f"SELECT * FROM {table} WHERE server_id = ?", (server,)
                ).fetchall()
    return kept


def is_registering_noted(database: Path) -> bool:
    """Whether it is stored which commands Discord was told of."""
    with _opened(database) as connection:
        return bool(connection.execute("SELECT 1 FROM meta WHERE key LIKE 'commands:%'").fetchall())


def journalled(database: Path) -> set[str]:
    """The ids of all interactions that are in the journal."""
    with _opened(database) as connection:
        return {str(one) for (one,) in connection.execute("SELECT interaction FROM entries")}


def is_whole(database: Path) -> bool:
    """Whether SQLite finds the file sound, and every reference leads somewhere."""
    with _opened(database) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return sound and connection.execute("PRAGMA foreign_key_check").fetchall() == []
