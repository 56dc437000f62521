"""The base of all queries: a connection, for writes the changes collected on it, and records as rows."""

from collections.abc import Callable, Sequence
from inspect import get_annotations
from operator import attrgetter
from typing import Any, Generic, TypeVar

from bot.store.changes import Changes
from bot.store.connection import DatabaseConnection, Found
from bot.store.journalled_tables import Row, from_text, to_text
from bot.store.records import JsonObject, Kept, ServerId, Shards
from bot.store.rows import Memories, Memory, Rows, name_key

RecordT = TypeVar("RecordT")
Stored = tuple[Callable[[Any], Any], Callable[[Any], Any]]  # reads a column's value, and writes it
NAME_KEY = "name_key"  # a column for finding names, which is no field
_OTHER_NAMES = {"group_key": "group", "session_number": "session"}


class RecordRows(Generic[RecordT]):
    """Records of a kind as rows: each column holds the field that it is named after.

    Flags are stored as 0 or 1, JSON objects as text.

    Args:
        record: The records' class.
        columns: The columns of a row, in order; one of a field's id ends with ``_id``.
        stored: How other fields are read and written that a column cannot hold as they are.
    """

    def __init__(self, record: type[RecordT], columns: Sequence[str], **stored: Stored) -> None:
        types = get_annotations(record)
        names = [_OTHER_NAMES.get(column, column.removesuffix("_id")) for column in columns]
        kinds: dict[str, Stored] = {name: (bool, int) for name in names if types.get(name) is bool}
        kinds |= {name: (from_text, to_text) for name in names if types.get(name) == JsonObject} | stored
        self._record = record
        self._names = names
        self._read = [(name, read) for name, (read, _) in kinds.items()]
        self._get = attrgetter(*("name" if name == NAME_KEY else name for name in names))
        self._write: list[tuple[int, Callable[[Any], Any]]] = [
            (names.index(name), write) for name, (_, write) in kinds.items()
        ]
        if NAME_KEY in names:
            self._write.append((names.index(NAME_KEY), name_key))

    def read(self, row: Sequence[Any], **more: Any) -> RecordT:
        """Return the record of a row, with the fields that are stored elsewhere.

        Of the fields that are read in some way, those without a value are as they are by default.
        """
        found = dict(zip(self._names, row, strict=True))
        found.pop(NAME_KEY, None)
        for name, read in self._read:
            value = found.pop(name)
            if value is not None:
                found[name] = read(value)
        return self._record(**found, **more)

    def row(self, record: RecordT) -> Row:
        """Return the row of a record."""
        values = list(self._get(record))
        for place, write in self._write:
            values[place] = write(values[place])
        return tuple(values)


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
