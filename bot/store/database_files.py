"""SQLite's database files: open one beside the bot, and put one in another's place."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from bot.store.connection import StoreUnavailable, raise_outage

SCHEME = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
EXAMPLE = "postgresql://user:password@host/name"
RUNNING = "running"  # the lock that a running bot holds


def path_of(url: str) -> Path:
    """Return the file that an address names.

    Raises:
        StoreUnavailable: If it names none.
    """
    name = url.removeprefix(SCHEME)
    if name == url or not name or name.startswith(":memory:"):
        raise StoreUnavailable(
            f"The address of a database must be {SCHEME} and the name of a file, or like {EXAMPLE}."
        )
    return Path(name)


def require_folder(path: Path) -> None:
    """Refuse a database whose folder is missing.

    Raises:
        StoreUnavailable: If it is.
    """
    if not path.parent.is_dir():
        raise StoreUnavailable(
            f"The folder {path.parent} of the database is missing: make it, or name another file."
        )


def make_private(path: Path) -> None:
    """Make a file, if there is none, readable only by its owner, because of the seeds in a database."""
    with suppress(OSError):  # what is wrong with the place, SQLite will say
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def read_only_uri(path: Path) -> str:
    """Return the URI that makes SQLite open a file read-only."""
    return f"file:{quote(str(path))}?mode=ro"


@contextmanager
def opened_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection; SQLite's errors are worded for the operator.

    Raises:
        StoreUnavailable: If there is no such file, or it cannot be read.
    """
    if not path.is_file():
        raise StoreUnavailable(f"There is no database at {path}.")
    with opened(read_only_uri(path), path) as connection:
        yield connection


@contextmanager
def opened(uri: str, path: Path) -> Iterator[sqlite3.Connection]:
    """Open a short-lived connection; SQLite's errors are worded for the operator.

    Raises:
        StoreUnavailable: If the database can't be used.
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
def held(path: Path, ending: str = "lock") -> Iterator[bool]:
    """Lock a database until the context or the process ends; yield whether nobody else holds the lock.

    Whoever does not ask for the lock can use the database all the same.

    Args:
        path: The database.
        ending: Which of its locks: the ending of a file beside it, which SQLite locks on every system.

    Raises:
        StoreUnavailable: If the folder cannot be written.
    """
    lock = path.with_name(f"{path.name}.{ending}")
    make_private(lock)
    with opened(f"file:{quote(str(lock))}", lock) as connection:
        connection.execute("PRAGMA busy_timeout = 0")  # who holds it will not leave by itself
        try:
            connection.execute("PRAGMA journal_mode = OFF")  # nothing is written
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            yield False
        else:
            yield True


@contextmanager
def used_by_one_bot(url: str) -> Iterator[None]:
    """Let no other bot run on the database until the context or the process ends.

    A bot relies on being the only one that plays on a file. PostgreSQL keeps several bots apart by itself.

    Raises:
        StoreUnavailable: If a bot runs on the file already.
    """
    if url.startswith(POSTGRES):
        yield
        return
    path = path_of(url).resolve()  # one lock for all names of a file
    if path.is_dir() or not path.parent.is_dir():
        yield  # opening it says what is wrong
        return
    with held(path, RUNNING) as is_alone:
        if not is_alone:
            raise StoreUnavailable(
                f"A bot is already running on {path}: stop it first, or name another file in database.url."
            )
        yield


def set_aside(path: Path) -> Path | None:
    """Rename a database that nobody uses; return None if there is none."""
    if not path.exists():
        return None
    kept = free_name(path)
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{end}", f"{kept}{end}")
    return kept


def free_name(path: Path) -> Path:
    """Return a free file name beside a database, to move it to."""
    number = 1
    while (name := path.with_name(f"{path.name}.replaced-{number}")).exists():
        number += 1
    return name


@contextmanager
def written_beside(target: Path) -> Iterator[Path]:
    """Yield a temporary file in the folder of *target*; removed afterwards unless it was moved.

    Only its owner may read it, because a database holds secret seeds.

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


def copy_file(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database as it is at one moment into a single, self-contained file."""
    with opened(f"file:{quote(str(target))}", target) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()


def move_into_place(part: Path, target: Path) -> None:
    """Move a complete file into place, so that there is always either the old one or the new one."""
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
