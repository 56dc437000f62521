"""What the queries need of a connection: the same of every engine."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from bot.store.records import ServerId
from bot.store.store_errors import AlreadyDone, Contradiction, NameTaken, OutOfBounds

Found: TypeAlias = tuple[Any, ...]  # engines hand out untyped rows; each query knows its own columns

NAMES = frozenset({"campaigns_name", "characters_name", "countdowns_name", "favourites_name"})
INTERACTIONS = "entries_interaction"

# What has ids of its own in each server: the columns of `servers`, which hold the last one of each.
COUNTED = ("campaigns", "characters", "countdowns", "drafts", "entries", "favourites", "follow_ups")


class TableColumn(Struct, frozen=True):
    """A column of a table, as the database describes it."""

    table: str
    name: str
    is_text: bool  # whether it holds text
    key_place: int | None  # its place in the table's key; None if it is no part of it


class StatementResult(Protocol):
    """The result of a statement."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        ...


class DatabaseConnection(Protocol):
    """A connection in a transaction.

    Statements are in the SQL that every engine understands, with `?` for each parameter. What the engines
    do differently is a method here.
    """

    @property
    def IntegrityError(self) -> type[Exception]:  # noqa: N802 - so the DB-API names it
        """The error of a broken constraint; `refusal` says what it means."""
        ...

    def execute(self, statement: str, parameters: Sequence[Any] = ..., /) -> StatementResult:
        """Run a statement."""
        ...

    def look_up(self, statement: str, parameters: Sequence[Any] = ..., /) -> list[Found]:
        """Run a statement, and return its rows: those of a query may be remembered, while they are so."""
        ...

    def at_once(self) -> AbstractContextManager[None]:
        """Inside it, every statement that breaks a constraint says so itself, not a later one or the commit.

        Outside, only those about names are sure to.
        """
        ...

    def take_long(self) -> None:
        """Let the rest of the transaction take longer than Discord waits for an answer."""
        ...

    def each(self, statement: str, parameters: Sequence[Any] = ..., /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at: all of them would fill the memory."""
        ...

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        ...

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things of a kind, counted for each server.

        The others have the ids after it. None is used twice.

        Args:
            thing: The kind, one of `COUNTED`.
            count: How many they are.
        """
        ...

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        ...


def refusal_of(constraint: str | None, message: str, *, is_check: bool) -> Exception:
    """Return the store's error for a broken constraint.

    Args:
        constraint: The name of a unique index; None of any other constraint.
        message: The engine's words.
        is_check: Whether it is a condition for the values of a row.
    """
    if is_check:
        return OutOfBounds(message)
    if constraint in NAMES:
        return NameTaken(message)
    if constraint == INTERACTIONS:
        return AlreadyDone(message)
    return Contradiction(message)
