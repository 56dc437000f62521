"""Read the rows of a server's tables."""

from collections.abc import Collection

from bot.store.connection import DatabaseConnection, Found
from bot.store.journalled_tables import Key, Row, StoredTable
from bot.store.records import ServerId

MOST_REMEMBERED = 2048  # rows and answers, after which everything is read anew


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

    def rows_of_all(
        self, table: StoredTable, server: ServerId, owners: Collection[int]
    ) -> dict[int, dict[Key, Row]]:
        """Return the same for each of some owners who have such rows, read at once."""
        keys = len(table.key)
        found: dict[int, dict[Key, Row]] = {}
        statement = table.select_of_owners(len(owners))
        for row in self._connection.execute(statement, (server, *owners)).fetchall():
            found.setdefault(row[0], {})[row[:keys]] = row[keys:]
        return found

    def answer(self, table: str, statement: str, server: ServerId, *parameters: object) -> list[Found]:
        """Return what a query of one table finds among the rows of *server*, its first parameter."""
        return self._connection.execute(statement, (server, *parameters)).fetchall()


class Memory:
    """What has been read on a connection, from one unit to the next, as long as nothing else writes.

    Everything in it is as the database stands within the open transaction: what is written is replaced or
    forgotten at once. Whoever rolls a write back, or finds that another connection has written, clears it.
    """

    __slots__ = ("answers", "of_owners", "single", "version")

    def __init__(self) -> None:
        self.version = 0
        self.single: dict[tuple[str, ServerId, Key], Row | None] = {}
        self.of_owners: dict[tuple[str, ServerId, int], dict[Key, Row]] = {}
        self.answers: dict[tuple[str, ServerId], dict[tuple[object, ...], list[Found]]] = {}

    def clear(self) -> None:
        """Forget everything."""
        self.single.clear()
        self.of_owners.clear()
        self.answers.clear()

    def keep_if_still(self, version: int) -> None:
        """Forget everything if it is of another version of the database, or too much.

        Args:
            version: A number that changes whenever another connection has written.
        """
        size = len(self.single) + len(self.of_owners) + len(self.answers)
        if version != self.version or size > MOST_REMEMBERED:
            self.clear()
            self.version = version


class RememberedRows(Rows):
    """Reads only what is not remembered yet, while nobody else can write.

    Args:
        connection: In a transaction that has locked the database for writing.
        memory: What is remembered.

    Attributes:
        has_written: Whether something remembered was written or forgotten.
    """

    __slots__ = ("_memory", "has_written")

    def __init__(self, connection: DatabaseConnection, memory: Memory) -> None:
        super().__init__(connection)
        self._memory = memory
        self.has_written = False

    def row(self, table: StoredTable, server: ServerId, key: Key) -> Row | None:
        """Return a row as it is now."""
        if table.is_written_elsewhere:
            return super().row(table, server, key)
        known, single = (table.name, server, key), self._memory.single
        if known not in single:
            single[known] = super().row(table, server, key)
        return single[known]

    def rows_of(self, table: StoredTable, server: ServerId, owner: int) -> dict[Key, Row]:
        """Return all rows whose key begins with *owner*, in order of their keys."""
        known = (table.name, server, owner)
        found = self._memory.of_owners.get(known)
        if found is None:
            found = self._memory.of_owners[known] = super().rows_of(table, server, owner)
        return dict(found)

    def answer(self, table: str, statement: str, server: ServerId, *parameters: object) -> list[Found]:
        """Return what a query of one table finds among the rows of *server*, its first parameter."""
        answers = self._memory.answers.setdefault((table, server), {})
        asked = (statement, *parameters)
        found = answers.get(asked)
        if found is None:
            found = answers[asked] = super().answer(table, statement, server, *parameters)
        return list(found)

    def remember(self, table: StoredTable, server: ServerId, key: Key, row: Row | None) -> None:
        """Remember what was just written."""
        self._memory.single[table.name, server, key] = row
        owner = key[0]
        if isinstance(owner, int):
            self._memory.of_owners.pop((table.name, server, owner), None)
        self.forget_answers(table.name, server)

    def forget_answers(self, table: str, server: ServerId) -> None:
        """Forget what queries on a table found, after one of its rows was written."""
        self.has_written = True
        self._memory.answers.pop((table, server), None)

    def forget(self) -> None:
        """Forget everything, after something was written another way."""
        self.has_written = True
        self._memory.clear()
