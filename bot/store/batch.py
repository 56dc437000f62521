"""Batches of waiting units of work on SQLite: each in its own savepoint, all in one commit."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bot.store.outages import outage, raise_outage
from bot.store.records import Kept
from bot.store.rows import Memory
from bot.store.sqlite_connection import SqliteConnection
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Transaction

Unit: TypeAlias = Callable[[Transaction], Any]


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """The outcome of a unit: its result or its error.

    Attributes:
        result: What it returned.
        error: What it raised, or why it could not be committed.
        kept: News of the entries it put into the journal.
    """

    result: object = None
    error: BaseException | None = None
    kept: tuple[Kept, ...] = ()


def commit_together(
    connection: SqliteConnection, units: Sequence[Unit], path: Path, memory: Memory
) -> list[UnitOutcome]:
    """Run units one after the other and commit all that succeed at once.

    A unit that fails leaves nothing behind and doesn't affect the others.

    Args:
        connection: In autocommit mode.
        units: The units to run.
        path: The database's file, for the operator's message.
        memory: What this connection has read before.

    Returns:
        The outcome of each unit, in order.

    Raises:
        StoreUnavailable: If the database failed; then none of them is committed.
    """
    try:
        abandon(connection)
        connection.execute("BEGIN IMMEDIATE")
        memory.keep_if_still(connection.execute("PRAGMA data_version").fetchone()[0])
        outcomes = [_run(connection, unit, path, memory) for unit in units]
        connection.execute("COMMIT")
    except (sqlite3.Error, StoreUnavailable) as error:
        memory.clear()
        with suppress(sqlite3.Error):  # the next batch tries again
            abandon(connection)
        raise_outage(error, path)
    return outcomes


def abandon(connection: SqliteConnection) -> None:
    """Roll back the open transaction, if any."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _run(connection: SqliteConnection, unit: Unit, path: Path, memory: Memory) -> UnitOutcome:
    connection.execute("SAVEPOINT unit")
    transaction = Transaction(connection, memory)
    try:
        result = unit(transaction)
        transaction.require_journalled()
    except BaseException as error:  # it belongs to whoever asked for the unit, not to this thread
        if transaction.has_written:
            memory.clear()
        return _taken_back(connection, error, path)
    connection.execute("RELEASE unit")
    return UnitOutcome(result, kept=tuple(transaction.kept))


def _taken_back(connection: SqliteConnection, error: BaseException, path: Path) -> UnitOutcome:
    unavailable = outage(error, path)
    if not connection.in_transaction:  # SQLite gave the whole transaction up, and other units with it
        raise unavailable or StoreUnavailable(f"The database {path} gave up a transaction: {error}")
    connection.execute("ROLLBACK TO unit")
    connection.execute("RELEASE unit")
    if isinstance(error, StopIteration):  # a future cannot hold one
        return UnitOutcome(error=RuntimeError("a unit of work raised StopIteration"))
    return UnitOutcome(error=unavailable or error)
