"""What the queries need of a connection, the same of every engine, and the store's errors."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeAlias

from msgspec import Struct

from bot.store.records import ServerId


class NameTaken(Exception):
    """Another thing of the same kind has that name."""


class OutOfBounds(Exception):
    """A counted value would fall below 0 or rise above its cap."""


class Overtaken(Exception):
    """What was to be reverted has been changed since."""


class AlreadyDone(Exception):
    """The interaction already has a journal entry."""


class Unjournalled(Exception):
    """A unit of work changed something without a journal entry: a fault of the unit."""


class Contradiction(Exception):
    """The new data contradicts what is stored: a fault of the unit of work."""


class StoreUnavailable(Exception):
    """The database can't be used just now.

    Args:
        reason: One line for the operator: what is wrong and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutcomeUnknown(StoreUnavailable):
    """The database stopped answering while it was told to commit: the unit may have been done, or not."""


class BackupRefused(StoreUnavailable):
    """A backup or restore was refused, because data would be lost or the backup is not valid."""


class CopyRefused(StoreUnavailable):
    """A copy was refused, because data would be lost, or it is not the same as what it was made of."""


_REASONS = {
    sqlite3.SQLITE_FULL: "There is no room left for the database {path}: make room on its disk; "
    "the bot goes on by itself.",
    sqlite3.SQLITE_BUSY: "Another program keeps the database {path} locked: end it; "
    "the bot goes on by itself.",
    sqlite3.SQLITE_READONLY: "The database {path} cannot be written: "
    "give the bot's user the right to write to the file and its folder.",
    sqlite3.SQLITE_CANTOPEN: "The database {path} cannot be opened: "
    "give the bot's user the right to read and write the file and its folder.",
    sqlite3.SQLITE_CORRUPT: "The database {path} is damaged ({detail}): stop the bot and restore a backup "
    "with `tablekeeper restore`.",
    sqlite3.SQLITE_NOTADB: "The file {path} is no database: name another one in database.url, or restore a "
    "backup with `tablekeeper restore`.",
    sqlite3.SQLITE_IOERR: "Reading or writing the database {path} failed ({detail}): "
    "check its disk; the bot goes on by itself when that works again.",
}
_REASONS[sqlite3.SQLITE_LOCKED] = _REASONS[sqlite3.SQLITE_PROTOCOL] = _REASONS[sqlite3.SQLITE_BUSY]
_REASONS[sqlite3.SQLITE_PERM] = _REASONS[sqlite3.SQLITE_AUTH] = _REASONS[sqlite3.SQLITE_CANTOPEN]


def outage(error: BaseException, path: Path) -> StoreUnavailable | None:
    """Return what an error of SQLite means to the operator.

    Returns:
        None if the database is fine and the error is our fault.
    """
    if isinstance(error, StoreUnavailable):
        return error
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    reason = _REASONS.get(primary)
    return None if reason is None else StoreUnavailable(reason.format(path=path, detail=error))


def raise_outage(error: BaseException, path: Path) -> NoReturn:
    """Raise what an error means to the operator, or the error itself if it is our fault.

    Raises:
        StoreUnavailable: If the database can't be used.
    """
    unavailable = outage(error, path)
    if unavailable is None or unavailable is error:
        raise error
    raise unavailable from error


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
