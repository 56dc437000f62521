"""What SQLite's errors mean to the operator."""

import sqlite3
from pathlib import Path
from typing import NoReturn

from bot.store.store_errors import StoreUnavailable

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
