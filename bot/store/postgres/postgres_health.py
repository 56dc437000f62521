"""The health of a PostgreSQL database, as `doctor` checks it."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from bot.store.connection import Found
from bot.store.postgres.postgres_connection import Link
from bot.store.postgres.postgres_migrations import newest_step, version_of
from bot.store.postgres.postgres_outages import address_of, name_of, outage


def examine_postgres(url: str) -> str:
    """Return what can be said of a database in a line; the bot may keep running.

    Raises:
        StoreUnavailable: If it cannot be used; the reason says what to do.
    """
    with _reached(url) as link:
        version = version_of(link, name_of(url))
        server = str(link.info.parameter_status("server_version")).split()[0]
    state = f"schema {version}" if version else "no tables yet"
    if 0 < version < newest_step():
        state += f" becomes {newest_step()} at the next start"
    return f"{name_of(url)} answers, PostgreSQL {server}, {state}"


def rows_of(url: str, query: str) -> list[Found]:
    """Return the rows of a query; none from a database that the bot has not prepared yet.

    Raises:
        StoreUnavailable: If it cannot be used.
    """
    with _reached(url) as link:
        is_ready = version_of(link, name_of(url)) == newest_step()
        return link.execute(query.encode()).fetchall() if is_ready else []


@contextmanager
def _reached(url: str) -> Iterator[Link]:
    try:
        with psycopg.connect(address_of(url), autocommit=True) as link:
            yield link
    except psycopg.Error as error:
        raise outage(error, name_of(url)) or error from error
