"""The side of a copy: what it needs of a database, the same of every engine."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Protocol

from bot.store.connection import Found, TableColumn
from bot.store.records import ServerId
from bot.store.transaction import Reader

NOTE = "copying"  # the table that a half-done copy has: what it is a copy of, and how far it is
OWN = frozenset({"migrations", NOTE})  # of one database: its own history


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table as it is copied."""

    name: str
    key: tuple[str, ...]  # the columns of its key, in order
    others: tuple[str, ...]  # all other columns, by name
    refers_to: frozenset[str]  # the other tables that its rows refer to

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order in which rows are copied."""
        return (*self.key, *self.others)

    @property
    def is_of_servers(self) -> bool:
        """Whether each row belongs to a server."""
        return "server_id" in self.columns

    def rows(self, first: ServerId, last: ServerId) -> str:
        """The SQL for the rows of some servers, or for all rows if they belong to none, by key."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} {self._of(first, last)} ORDER BY {', '.join(self.key)}"  # noqa: E501, S608 - names of the schema

    def _of(self, first: ServerId, last: ServerId) -> str:
        return f"WHERE server_id BETWEEN {first:d} AND {last:d}" if self.is_of_servers else ""

    @property
    def counts(self) -> str:
        """The SQL for how many rows each server has, by server."""
        return f"SELECT server_id, count(*) FROM {self.name} GROUP BY server_id ORDER BY server_id"  # noqa: S608 - the same


def in_order(
    columns: Iterable[TableColumn], references: Collection[tuple[str, str]]
) -> tuple[CopiedTable, ...]:
    """Return the tables of a schema so that each stands after those that it refers to.

    Args:
        columns: The columns of every table.
        references: Which table refers to which.
    """
    keys: dict[str, dict[int, str]] = {}
    others: dict[str, list[str]] = {}
    for column in columns:
        if column.key_place is None:
            others.setdefault(column.table, []).append(column.name)
        else:
            keys.setdefault(column.table, {})[column.key_place] = column.name
    copied = sorted((keys.keys() | others.keys()) - OWN)
    refers_to = {table: {to for by, to in references if by == table != to} for table in copied}
    return tuple(
        CopiedTable(
            table,
            tuple(column for _, column in sorted(keys.get(table, {}).items())),
            tuple(sorted(others.get(table, ()))),
            frozenset(refers_to[table]),
        )
        for table in TopologicalSorter(refers_to).static_order()
    )


def why_unusable(name: str) -> str:
    """Return why a database that is half a copy cannot be used.

    Args:
        name: The database, as messages name it.
    """
    return f"{name} is a copy that was never finished: run `tablekeeper copy` again, or use another database."


class CopySide(Protocol):
    """One of the two databases of a copy; nobody else may use it meanwhile."""

    name: str  # the database, as messages name it
    newest: int  # the schema version this program works with

    def version(self) -> int:
        """Return the schema version; 0 of an empty database.

        Raises:
            StoreUnavailable: If it is another program's or of a newer version.
        """
        ...

    def is_used(self) -> bool:
        """Return whether a bot is seen that uses the database."""
        ...

    def migrate(self) -> None:
        """Bring the database to this program's schema."""
        ...

    def tables(self) -> tuple[CopiedTable, ...]:
        """Return the tables to copy; each stands after those that it refers to."""
        ...

    def has_note(self) -> bool:
        """Return whether the database is a copy that was never finished."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Read the database as it is at one moment, and change nothing."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Write in one transaction."""
        ...

    def each(self, query: str) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at, inside `reading` or `writing`."""
        ...

    def execute(self, statement: str) -> int:
        """Run a statement; return how many rows it changed."""
        ...

    def add(self, table: CopiedTable, rows: Iterable[Found]) -> None:
        """Add rows to a table, which may refer to each other."""
        ...

    def saved(self, row: Found) -> Found:
        """Return a row as this engine saves it."""
        ...

    def reader(self) -> AbstractContextManager[Reader]:
        """Yield the queries of the store, outside `reading` and `writing`."""
        ...

    def finish(self) -> list[str]:
        """Make all that was added ready for use; return what is wrong with it."""
        ...
