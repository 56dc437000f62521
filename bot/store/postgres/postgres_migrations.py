"""Migrate a PostgreSQL database to this program's schema, one numbered step at a time."""

import time
from functools import cache
from importlib.resources import files

from psycopg import errors

from bot.store.copying.copy_database import NOTE, why_unusable
from bot.store.postgres.postgres_connection import Link
from bot.store.store_errors import StoreUnavailable

TRIES = 30
PAUSE_SECONDS = 0.5

_NOT_FOR_EVER = "SET LOCAL idle_in_transaction_session_timeout = '60s'"  # should the network be cut meanwhile
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7629611)"  # 0x746B2B, "tk+": for processes that start together
# Units wait at most 1.8 seconds for a lock; whoever waits for this one stands behind it.
_BRIEFLY = "SET LOCAL lock_timeout = '500ms'"
_STOP_UNITS = "LOCK TABLE servers IN ACCESS EXCLUSIVE MODE"  # each begins there, so that none waits crosswise
_TABLES = """
SELECT count(*), count(*) FILTER (WHERE relname = 'migrations')
FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)
"""
_RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
    number BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    at BIGINT NOT NULL
)
"""
_VERSION = "SELECT coalesce(max(number), 0) FROM migrations"
_KEEP = "INSERT INTO migrations (number, name, at) VALUES (%s, %s, extract(epoch FROM now()))"


@cache
def postgres_steps() -> tuple[tuple[int, str, str], ...]:
    """Return the number, the file's name and the SQL of all steps, in order."""
    folder = files("bot.store.postgres.migrations")
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".sql")), key=lambda one: one.name)
    return tuple((int(one.name[:4]), one.name, one.read_text(encoding="utf-8")) for one in found)


def newest_step() -> int:
    """Return the schema version this program works with."""
    return postgres_steps()[-1][0]


def version_of(link: Link, name: str) -> int:
    """Return the schema version of a database; 0 for an empty one.

    Raises:
        StoreUnavailable: If the database is another program's or of a newer version.
    """
    tables, records = link.execute(_TABLES).fetchone() or (0, 0)
    if not tables:
        return 0
    if not records:
        raise StoreUnavailable(f"{name} is a database of another program: create one for the bot.")
    (version,) = link.execute(_VERSION).fetchone() or (0,)
    if version > newest_step():
        raise StoreUnavailable(
            f"{name} has schema {version}, but this program knows only up to {newest_step()}: "
            "update Tablekeeper."
        )
    return int(version)


def is_half_copied(link: Link) -> bool:
    """Return whether a database is a copy that was never finished."""
    return link.execute("SELECT to_regclass(%s)", (NOTE,)).fetchone() != (None,)


def migrate_postgres(link: Link, name: str, *, is_copy: bool = False) -> None:
    """Run every step that a database still needs, all in one transaction.

    Other processes may go on meanwhile: whatever has to wait for this waits briefly, again and again.

    Args:
        link: In autocommit mode.
        name: The database, as messages name it.
        is_copy: Whether it may be a half-done copy.

    Raises:
        StoreUnavailable: If the database is another program's or of a newer version, or half a copy, or
            another program does not let go of it.
    """
    for _ in range(TRIES):
        try:
            with link.transaction():
                _take_steps(link, name, is_copy=is_copy)
            return
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            time.sleep(PAUSE_SECONDS)
    raise StoreUnavailable(
        f"The database {name} has to be brought to schema {newest_step()}, but another program reads it all "
        "the time (a backup?): wait until that has ended, and start again."
    )


def _take_steps(link: Link, name: str, *, is_copy: bool) -> None:
    link.execute(_NOT_FOR_EVER)
    link.execute(_ONE_AT_A_TIME)
    version = version_of(link, name)
    if not is_copy and is_half_copied(link):
        raise StoreUnavailable(why_unusable(name))
    if version == newest_step():
        return
    if version == 0:
        link.execute(_RECORD)
    else:
        link.execute(_BRIEFLY)
        link.execute(_STOP_UNITS)
    for number, file, statements in postgres_steps():
        if number > version:
            link.execute(statements.encode())
            link.execute(_KEEP, (number, file))
