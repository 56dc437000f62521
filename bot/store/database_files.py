"""The database as a file: opening it beside the bot, and putting one file in another's place."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from bot.store.outages import raise_outage
from bot.store.store_errors import StoreUnavailable

SCHEME = "sqlite:///"


def path_of(url: str) -> Path:
    """The file that a `database.url` names.

    Raises:
        StoreUnavailable: If it names none.
    """
    name = url.removeprefix(SCHEME)
    if name == url or not name or name.startswith(":memory:"):
        raise StoreUnavailable(f"database.url must be {SCHEME} and the name of a file, not {url!r}.")
    return Path(name)


def read_only_uri(path: Path) -> str:
    """The name by which SQLite opens a file without ever writing to it."""
    return f"file:{quote(str(path))}?mode=ro"


@contextmanager
def opened_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write; errors of SQLite come out worded for the operator.

    Raises:
        StoreUnavailable: If there is no such file, or it cannot be read.
    """
    if not path.is_file():
        raise StoreUnavailable(f"There is no database at {path}.")
    with opened(read_only_uri(path), path) as connection:
        yield connection


@contextmanager
def opened(uri: str, path: Path) -> Iterator[sqlite3.Connection]:
    """A connection for a moment; errors of SQLite come out worded for the operator.

    Raises:
        StoreUnavailable: If the database cannot be used.
    """
    try:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise_outage(error, path)


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Whether a database is ours alone among those who hold it so; it is until the end, or the process's."""
    connection = sqlite3.connect(path.with_name(f"{path.name}.lock"), timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        is_ours = False
    else:
        is_ours = True
    try:
        yield is_ours
    finally:
        connection.close()


def set_aside(path: Path) -> Path | None:
    """Give a database that nobody uses another name; None where there is none."""
    if not path.exists():
        return None
    kept = free_name(path)
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{end}", f"{kept}{end}")
    return kept


def free_name(path: Path) -> Path:
    """A name beside that of a database, under which it can be kept."""
    number = 1
    while (name := path.with_name(f"{path.name}.replaced-{number}")).exists():
        number += 1
    return name


@contextmanager
def written_beside(target: Path) -> Iterator[Path]:
    """A file in the folder of *target* that is gone afterwards, unless it was moved into its place.

    Only its owner may read it, for there are secret seeds in a database.

    Raises:
        StoreUnavailable: If the folder cannot be written, or is full.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        os.close(handle)
        part = Path(name)
        try:
            yield part
        finally:
            for left in (part, *(Path(f"{part}{end}") for end in ("-journal", "-wal", "-shm"))):
                with suppress(FileNotFoundError):
                    left.unlink()
    except OSError as error:
        raise StoreUnavailable(f"{target} cannot be written: {error.strerror}.") from error


def copy_database(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database as it is at one moment into one file, which needs no other beside it."""
    with opened(f"file:{quote(str(target))}", target) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()


def move_into_place(part: Path, target: Path) -> None:
    """Give a whole file its name, so that there is always either the old one or the new one."""
    _sync(part)
    os.replace(part, target)
    with suppress(OSError):  # a folder cannot be synced everywhere
        _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
