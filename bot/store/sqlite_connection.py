"""A connection to SQLite, with what it does in its own way."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bot.store.connection import COUNTED, INTERACTIONS, Found, TableColumn, refusal_of
from bot.store.records import ServerId

_COLUMNS = """
SELECT tables.name, columns.name, columns.type = 'TEXT', nullif(columns.pk, 0)
FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.name, columns.cid
"""
_LAST_IDS = {thing: f"SELECT {thing} FROM servers WHERE server_id = ?" for thing in COUNTED}  # noqa: S608 - constants
_COUNT = {thing: f"UPDATE servers SET {thing} = ? WHERE server_id = ?" for thing in COUNTED}  # noqa: S608 - the same
_KNOW = "INSERT INTO servers (server_id) VALUES (?)"

# SQLite names the columns of a broken index, not the index.
_UNIQUE = {
    "campaigns.server_id, campaigns.name_key": "campaigns_name",
    "characters.server_id, characters.campaign_id, characters.name_key": "characters_name",
    "countdowns.server_id, countdowns.campaign_id, countdowns.name_key": "countdowns_name",
    "favourites.server_id, favourites.character_id, favourites.name_key": "favourites_name",
    "entries.server_id, entries.interaction": INTERACTIONS,
}


class SqliteConnection(sqlite3.Connection):
    """A connection to SQLite; see `bot.store.connection.DatabaseConnection`."""

    def look_up(self, statement: str, parameters: Sequence[Any] = (), /) -> list[Found]:
        """Run a statement, and return its rows."""
        return self.execute(statement, parameters).fetchall()

    def at_once(self) -> AbstractContextManager[None]:
        """Do nothing: every broken constraint is said at once."""
        return nullcontext()

    def take_long(self) -> None:
        """Do nothing: everything may."""

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        return self.execute(statement, parameters)

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        message = str(error)
        is_check = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_CONSTRAINT_CHECK
        return refusal_of(_UNIQUE.get(message.partition(": ")[2]), message, is_check=is_check)

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things of a kind, counted for each server."""
        found = self.execute(_LAST_IDS[thing], (server,)).fetchone()
        if found is None:
            self.execute(_KNOW, (server,))
        last: int = found[0] if found else 0
        self.execute(_COUNT[thing], (last + count, server))
        return last + 1

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        return [
            TableColumn(table, name, bool(is_text), key_place)
            for table, name, is_text, key_place in self.execute(_COLUMNS)
        ]
