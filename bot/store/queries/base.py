"""The base of all queries: a connection, and for writes the changes collected on it."""

from bot.store.changes import Changes
from bot.store.connection import DatabaseConnection, Found
from bot.store.records import Kept, ServerId, Shards
from bot.store.rows import Memories, Memory, Rows


class Reads:
    """Queries on a connection.

    Args:
        connection: In a transaction, so that all reads are consistent.
    """

    __slots__ = ("_connection", "_rows")

    def __init__(self, connection: DatabaseConnection, rows: Rows | None = None) -> None:
        self._connection = connection
        self._rows = Rows(connection) if rows is None else rows

    def _one(self, statement: str, *parameters: object) -> Found | None:
        found = self._connection.look_up(statement, parameters)
        return found[0] if found else None

    def _all(self, statement: str, *parameters: object) -> list[Found]:
        return self._connection.look_up(statement, parameters)


class Writes(Reads):
    """Queries and writes on a connection.

    Args:
        connection: In a transaction that may write.
        memories: What is remembered of earlier units; by default nothing.
    """

    __slots__ = ("_changes", "kept")

    def __init__(self, connection: DatabaseConnection, memories: Memories | None = None) -> None:
        self._changes = Changes(connection, Memory() if memories is None else memories)
        self.kept: list[Kept] = []  # news of every entry that was added
        super().__init__(connection, self._changes)

    def _run(self, statement: str, *parameters: object) -> None:
        try:
            self._connection.execute(statement, parameters)
        except self._connection.IntegrityError as error:
            raise self._connection.refusal(error) from error

    def _next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things of a kind; none is used twice."""
        return self._connection.next_id(server, thing, count)


def in_shards(shards: Shards, server: str = "server_id") -> tuple[str, tuple[int, ...]]:
    """Return what follows other conditions of a query, with its parameters; nothing for every shard.

    Args:
        server: The column with the server's id.
    """
    if shards.are_all:
        return "", ()
    if not shards.held:
        return " AND FALSE", ()
    marks = ", ".join("?" * len(shards.held))
    return f" AND ({server} >> 22) % ? IN ({marks})", (shards.count, *sorted(shards.held))
