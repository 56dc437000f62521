"""Snapshots of the database, to compare its state before and after."""

import sqlite3
from pathlib import Path

from bot.store.sqlite import SqliteStore
from bot.table.base.table import Table

# What an action and its undo leave behind besides what they changed: the journal itself, and its counters.
LEFT_BEHIND = frozenset({"boards", "messages", "entries", "touches", "counters", "seeds", "sqlite_sequence"})
Rows = dict[str, list[tuple[object, ...]]]


def everything(table: Table) -> Rows:
    """Return every row of every table."""
    assert isinstance(table.store, SqliteStore)
    return rows_of(table.store.path)


def state(table: Table) -> Rows:
    """Return every row except the journal's."""
    return {name: rows for name, rows in everything(table).items() if name not in LEFT_BEHIND}


def rows_of(path: Path) -> Rows:
    """Return every row of every table of a database, in order."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names}
    finally:
        connection.close()
