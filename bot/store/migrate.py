"""Migrate a SQLite file to this program's schema, one numbered step at a time."""

import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from msgspec import Struct

from bot.store.connection import StoreUnavailable
from bot.store.copying import NOTE, why_unusable

APPLICATION_ID = 0x7461626B  # "tabk"; says in the file's header whose database it is

_RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT
"""
_KEEP = "INSERT INTO migrations (number, name, at) VALUES (?, ?, CAST(strftime('%s', 'now') AS INTEGER))"


class Migration(Struct, frozen=True):
    """One step of the schema."""

    number: int  # the schema version it leads to
    name: str  # its file's name
    statements: tuple[str, ...]  # its SQL statements


@cache
def migrations() -> tuple[Migration, ...]:
    """Return all steps in order."""
    folder = files("bot.store") / "migrations"
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".sql")), key=lambda one: one.name)
    return tuple(
        Migration(int(one.name.split("_")[0]), one.name, tuple(_statements(one.read_text(encoding="utf-8"))))
        for one in found
    )


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""
    if statement.strip():
        raise ValueError(f"not a whole statement: {statement}")


def newest_version() -> int:
    """Return the schema version this program works with."""
    return migrations()[-1].number


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the schema version of a database; 0 for an empty one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def is_ours(connection: sqlite3.Connection) -> bool:
    """Return whether a database is Tablekeeper's, by its header."""
    return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)


def is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether a database is empty."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def is_half_copied(connection: sqlite3.Connection) -> bool:
    """Return whether a database is a copy that was never finished."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (NOTE,)).fetchone() is not None


def migrate(
    connection: sqlite3.Connection, steps: tuple[Migration, ...] | None = None, *, is_copy: bool = False
) -> None:
    """Run every step that a database still needs, each in one transaction with its record.

    Args:
        connection: In autocommit mode.
        steps: The steps; by default all of them.
        is_copy: Whether it may be a half-done copy.

    Raises:
        StoreUnavailable: If the database is another program's or of a newer version, or half a copy.
    """
    steps = migrations() if steps is None else steps
    refuse_foreign(connection, steps[-1].number)
    if not is_copy:
        refuse_half_copied(connection)
    for step in steps:
        if schema_version(connection) < step.number:
            _take(connection, step)


def refuse_foreign(connection: sqlite3.Connection, newest: int) -> None:
    """Refuse a database that this program must not touch.

    Raises:
        StoreUnavailable: If it is another program's or of a newer version.
    """
    file = _file_of(connection)
    if not is_empty(connection) and not is_ours(connection):  # asked in this order while another makes it
        raise StoreUnavailable(f"{file} is a database of another program: name another file.")
    version = schema_version(connection)
    if version > newest:
        raise StoreUnavailable(
            f"{file} has schema {version}, but this program knows only up to {newest}: "
            "update Tablekeeper, or restore a backup made before the update."
        )


def refuse_half_copied(connection: sqlite3.Connection) -> None:
    """Refuse a database that is a copy which was never finished.

    Raises:
        StoreUnavailable: If it is one.
    """
    if is_half_copied(connection):
        raise StoreUnavailable(why_unusable(_file_of(connection)))


def _file_of(connection: sqlite3.Connection) -> str:
    file: str = connection.execute("PRAGMA database_list").fetchone()[2]
    return file


def _take(connection: sqlite3.Connection, step: Migration) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if schema_version(connection) < step.number:  # another process may have taken it meanwhile
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(_RECORD)
            connection.execute("PRAGMA defer_foreign_keys = ON")  # until this transaction ends
            for statement in step.statements:
                connection.execute(statement)
            _require_references(connection, step)
            connection.execute(_KEEP, (step.number, step.name))
            connection.execute(f"PRAGMA user_version = {step.number}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _require_references(connection: sqlite3.Connection, step: Migration) -> None:
    """Check that every row still refers to one that is there.

    Raises:
        StoreUnavailable: If one does not.
    """
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        table, _rowid, parent, _number = broken
        raise StoreUnavailable(
            f"{_file_of(connection)} cannot be brought to schema {step.number}: a row of {table} refers to "
            f"one of {parent} that is not there. Restore a backup with `tablekeeper restore`."
        )
