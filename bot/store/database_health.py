"""The health of a SQLite file, and the channels used in either database, as `doctor` checks them."""

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from bot.store.database_files import POSTGRES, opened_to_read, path_of, require_folder
from bot.store.migrate import newest_version, refuse_foreign, refuse_half_copied, schema_version
from bot.store.store_errors import StoreUnavailable

_CHANNELS = """
SELECT server_id, channel FROM boards
UNION SELECT server_id, channel FROM sessions WHERE ended_at IS NULL
UNION SELECT server_id, place FROM places ORDER BY 1, 2
"""
LEAST_FREE_BYTES = 100 * 1024 * 1024
MOST_PROBLEMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The result of examining a SQLite file.

    Attributes:
        path: The file.
        size_bytes: Its size with its write-ahead log; 0 if there is none yet.
        free_bytes: The free space on its disk.
        schema: Its schema version; 0 if there is none yet.
        newest_schema: The one this program works with.
        problems: What is wrong, a line each; empty if all is well.
    """

    path: Path
    size_bytes: int
    free_bytes: int
    schema: int
    newest_schema: int
    problems: tuple[str, ...]


def examine(url: str) -> Health:
    """Examine a whole SQLite file without changing it; the bot may keep running.

    Raises:
        StoreUnavailable: If *url* names no file, or its folder is missing.
    """
    path = path_of(url)
    require_folder(path)
    free_bytes = shutil.disk_usage(path.parent).free
    schema, problems = _look_inside(path) if path.exists() else (0, [])
    if free_bytes < LEAST_FREE_BYTES:
        problems.append(f"The disk of {path} has only {free_bytes // 1024**2} MiB left: make room.")
    files = (path, path.with_name(f"{path.name}-wal"))
    return Health(
        path=path,
        size_bytes=sum(one.stat().st_size for one in files if one.exists()),
        free_bytes=free_bytes,
        schema=schema,
        newest_schema=newest_version(),
        problems=tuple(problems),
    )


def channels_used(url: str) -> tuple[tuple[int, int], ...]:
    """Return every channel the bot posts in by itself, with its server: of boards, sessions, campaigns.

    Raises:
        StoreUnavailable: If the database cannot be read.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_health import rows_of  # only who uses it pays for loading it

        return tuple((server, channel) for server, channel in rows_of(url, _CHANNELS))
    with opened_to_read(path_of(url)) as connection:
        if schema_version(connection) < newest_version():
            return ()
        return tuple((server, channel) for server, channel in connection.execute(_CHANNELS))


def _look_inside(path: Path) -> tuple[int, list[str]]:
    try:
        with opened_to_read(path) as connection:
            refuse_foreign(connection, newest_version())
            refuse_half_copied(connection)
            return schema_version(connection), problems_of(connection)
    except StoreUnavailable as error:
        return 0, [error.reason]


def problems_of(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong inside a database, one line each: damage, and rows that refer to nothing."""
    try:
        found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    problems = [] if found == ["ok"] else found
    for table, _rowid, parent, _number in connection.execute("PRAGMA foreign_key_check").fetchmany(
        MOST_PROBLEMS
    ):
        problems.append(f"a row of {table} refers to one of {parent} that is not there")
    return problems
