"""Snapshots of the database, to compare its state before and after."""

from bot.table.base.table import Table
from tests.databases import Row, address_of, rows_of

# What an action and its undo leave behind besides what they changed: the journal itself, and its ids.
LEFT_BEHIND = frozenset({"boards", "messages", "entries", "touches", "servers", "seeds"})
Rows = dict[str, list[Row]]


def everything(table: Table) -> Rows:
    """Return every row of every table."""
    return rows_of(address_of(table.store))


def state(table: Table) -> Rows:
    """Return every row except the journal's."""
    return {name: rows for name, rows in everything(table).items() if name not in LEFT_BEHIND}
