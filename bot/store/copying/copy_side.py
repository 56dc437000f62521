"""The side of a copy: what it needs of a database, the same of every engine."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from bot.store.connection import Found
from bot.store.copying.copied_tables import CopiedTable
from bot.store.transaction import Reader


class CopySide(Protocol):
    """One of the two databases of a copy; nobody else may use it meanwhile.

    Attributes:
        name: The database, as messages name it.
        newest: The schema version this program works with.
    """

    name: str
    newest: int

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
