"""The errors of the store: what it refuses, and why it is unavailable, as SQLite says it."""

import sqlite3
from pathlib import Path
from typing import NoReturn


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
