"""What is really stored: the database file, read beside the running bot."""

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
    """Return the names of all tables."""
    with _opened(database) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [str(name) for (name,) in found]


LATER = ("boards", "messages", "server_commands")


def everything_of(database: Path, server: int) -> dict[str, list[Row]]:
    """Return every row of a server, except what is written after the answer."""
    rows: dict[str, list[Row]] = {}
    for table in (one for one in tables(database) if one not in LATER):
        with _opened(database) as connection:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if "server_id" in columns:
                rows[table] = connection.execute(
                    f"SELECT * FROM {table} WHERE server_id = ?", (server,)
                ).fetchall()
    return rows


def is_registering_noted(database: Path) -> bool:
    """Whether the bot has stored which commands it registered."""
    with _opened(database) as connection:
        return bool(connection.execute("SELECT 1 FROM meta WHERE key LIKE 'commands:%'").fetchall())


def journalled(database: Path) -> set[str]:
    """Return the ids of all interactions in the journal."""
    with _opened(database) as connection:
        return {str(one) for (one,) in connection.execute("SELECT interaction FROM entries")}


def is_whole(database: Path) -> bool:
    """Whether SQLite finds no fault in the file and no broken reference."""
    with _opened(database) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return sound and connection.execute("PRAGMA foreign_key_check").fetchall() == []
