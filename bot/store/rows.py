"""Read the rows of journalled tables."""

from bot.store.connection import DatabaseConnection
from bot.store.journalled_tables import Key, Row, StoredTable
from bot.store.records import ServerId


class Rows:
    """Reads rows on one connection.

    Args:
        connection: In a transaction.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: DatabaseConnection) -> None:
        self._connection = connection

    def row(self, table: StoredTable, server: ServerId, key: Key) -> Row | None:
        """Return a row as it is now."""
        found: Row | None = self._connection.execute(table.select, (server, *key)).fetchone()
        return found if found is None or table.columns else ()

    def rows_of(self, table: StoredTable, server: ServerId, owner: int) -> dict[Key, Row]:
        """Return all rows whose key begins with *owner*, in order of their keys."""
        keys = len(table.key) - 1
        found = self._connection.execute(table.select_of_owner, (server, owner)).fetchall()
        return {(owner, *row[:keys]): row[keys:] for row in found}


class RememberedRows(Rows):
    """Reads each row only once, while nobody else can write.

    Args:
        connection: In a transaction that has locked the database for writing.
    """

    __slots__ = ("_of_owners", "_single")

    def __init__(self, connection: DatabaseConnection) -> None:
        super().__init__(connection)
        self._single: dict[tuple[str, ServerId, Key], Row | None] = {}
        self._of_owners: dict[tuple[str, ServerId, int], dict[Key, Row]] = {}

    def row(self, table: StoredTable, server: ServerId, key: Key) -> Row | None:
        """Return a row as it is now."""
        if table.is_written_elsewhere:
            return super().row(table, server, key)
        known = (table.name, server, key)
        if known not in self._single:
            self._single[known] = super().row(table, server, key)
        return self._single[known]

    def rows_of(self, table: StoredTable, server: ServerId, owner: int) -> dict[Key, Row]:
        """Return all rows whose key begins with *owner*, in order of their keys."""
        known = (table.name, server, owner)
        found = self._of_owners.get(known)
        if found is None:
            found = self._of_owners[known] = super().rows_of(table, server, owner)
        return dict(found)

    def remember(self, table: StoredTable, server: ServerId, key: Key, row: Row | None) -> None:
        """Remember what was just written."""
        self._single[table.name, server, key] = row
        owner = key[0]
        if isinstance(owner, int):
            self._of_owners.pop((table.name, server, owner), None)

    def forget(self) -> None:
        """Forget all rows, after something was written another way."""
        self._single.clear()
        self._of_owners.clear()
