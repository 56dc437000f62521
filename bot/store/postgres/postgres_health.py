"""The health of a PostgreSQL database, as `doctor` checks it."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bot.store.connection import BackupRefused, Found, StoreUnavailable
from bot.store.copying import why_unusable
from bot.store.postgres.impatient_link import address_of, is_pooled, name_of
from bot.store.postgres.postgres_connection import Link, reached
from bot.store.postgres.postgres_migrations import is_half_copied, newest_step, postgres_steps, version_of

DUMP_PROGRAM = "pg_dump"


def dump(url: str, file: Path) -> None:
    """Write a database as it is at one moment into a file, for ``pg_restore``; the bot may keep running.

    Args:
        url: The database; without a pooler in between.
        file: The file, which is there already.

    Raises:
        StoreUnavailable: If the database cannot be read or the file not written.
    """
    name, program = name_of(url), shutil.which(DUMP_PROGRAM)
    if program is None:
        raise StoreUnavailable(
            f"{DUMP_PROGRAM} is not installed here: install PostgreSQL's client programs, or run it on the "
            f"database's server."
        )
    address = conninfo_to_dict(address_of(url)) | {"application_name": "tablekeeper backup"}
    password = address.pop("password", None)  # every user of the machine can read a program's words
    words = ("--format=custom", "--no-owner", f"--file={file}", f"--dbname={make_conninfo('', **address)}")
    done = subprocess.run(  # noqa: S603 - the words are ours
        [program, *words],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ if password is None else {**os.environ, "PGPASSWORD": str(password)},
    )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split()) or f"it ended with {done.returncode}"
        raise StoreUnavailable(f"The database {name} was not backed up: {reason}")


def how_to_restore(source: Path, url: str) -> BackupRefused:
    """Return how to put a backup back: into a new database, so that nothing is lost.

    Raises:
        StoreUnavailable: If the address means nothing to PostgreSQL.
    """
    return BackupRefused(
        f"The database {name_of(url)} is on PostgreSQL: create an empty one beside it, run "
        f"`pg_restore --no-owner --exit-on-error --dbname=ADDRESS {source}` with its address, "
        "and name it in database.url."
    )


OLDEST_POSTGRES = 15
CLOCK_SECONDS = 30
PROGRAM = "tablekeeper doctor"

_SERVER = """
SELECT
    CAST(current_setting('server_version_num') AS INTEGER) / 10000,
    current_setting('server_encoding'),
    current_database(),
    pg_is_in_recovery(),
    current_schema(),
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE)
"""
_TIME = "SELECT CAST(extract(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)"
_BROKEN_INDEXES = """
SELECT relname FROM pg_index
INNER JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid AND relnamespace = CAST(current_schema() AS REGNAMESPACE) ORDER BY relname
"""
_ARCHIVE = """
SELECT
    current_setting('archive_mode') <> 'off',
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), FALSE),
    CAST(extract(EPOCH FROM now() - last_archived_time) AS DOUBLE PRECISION)
FROM pg_stat_archiver
"""
_WHICH = "SELECT current_database(), pg_postmaster_start_time()"


class PostgresHealth(Struct, frozen=True):
    """The result of examining a database."""

    state: str  # what it is, in a line
    backups: str  # what can be known of its backups, in a line
    problems: tuple[str, ...]  # what is wrong and what to do, a line each; empty if all is well


def examine_postgres(
    url: str, direct_url: str | None = None, now: Callable[[], float] = time.time
) -> PostgresHealth:
    """Examine a database without changing it; the bot may keep running.

    Args:
        url: The database.
        direct_url: The same without a pooler in between, if that has another address.
        now: This machine's clock, in seconds since 1970.

    Raises:
        StoreUnavailable: If it cannot be used; the reason says what to do.
    """
    name = name_of(url)
    with reached(url, PROGRAM) as link:
        version = version_of(link, name)
        server = str(link.info.parameter_status("server_version")).split()[0]
        state = f"schema {version}" if version else "no tables yet"
        if 0 < version < newest_step():
            state += f" becomes {newest_step()} at the next start"
        is_behind = is_pooled(link)
        problems = [*_server_problems(link, name, version), *_clock_problems(link, now)]
        if version:
            problems += _schema_problems(link, name, version)
        problems += _pooler_problems(link, url, direct_url, is_behind=is_behind)
        backups, is_failing = _backups(link)
        if is_failing:
            problems.append(backups)
    pooler = ", through a pooler" if is_behind else ""
    return PostgresHealth(f"{name} answers{pooler}, PostgreSQL {server}, {state}", backups, tuple(problems))


def rows_of(url: str, query: str) -> list[Found]:
    """Return the rows of a query; none from a database that the bot has not prepared yet.

    Raises:
        StoreUnavailable: If it cannot be used.
    """
    with reached(url, PROGRAM) as link:
        is_ready = version_of(link, name_of(url)) == newest_step()
        return link.execute(query.encode()).fetchall() if is_ready else []


def _one(link: Link, query: str) -> Found:
    found = link.execute(query.encode()).fetchone()
    if found is None:
        raise LookupError("a query of one row had none")
    return found


def _server_problems(link: Link, name: str, version: int) -> Iterator[str]:
    number, encoding, database, is_standby, schema, may_create = _one(link, _SERVER)
    if number < OLDEST_POSTGRES:
        yield f"{name} is PostgreSQL {number}: update it to {OLDEST_POSTGRES} or newer"
    if encoding != "UTF8":
        yield (
            f"{name} has the encoding {encoding}, which lacks many characters: "
            "create a database with ENCODING 'UTF8' TEMPLATE template0, and copy this one there"
        )
    if is_standby:
        yield f"{name} is a standby and takes no changes: connect to its primary server"
    elif version < newest_step() and not may_create:
        yield (
            f"the user may not create tables in {name}: make it the owner "
            f"(ALTER DATABASE {database} OWNER TO …), or GRANT CREATE ON SCHEMA {schema or 'public'} TO it"
        )


def _clock_problems(link: Link, now: Callable[[], float]) -> Iterator[str]:
    before = now()
    theirs = _one(link, _TIME)[0]
    ahead = round(theirs - (before + now()) / 2)
    if abs(ahead) > CLOCK_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        yield f"the database's clock is {abs(ahead)} s {side} this machine's: synchronize both (NTP)"


def _schema_problems(link: Link, name: str, version: int) -> Iterator[str]:
    taken = {number for (number,) in link.execute("SELECT number FROM migrations")}
    if is_half_copied(link):
        yield why_unusable(name).removesuffix(".")
    missing = [file for number, file, _ in postgres_steps() if number <= version and number not in taken]
    if missing:
        yield f"{name} lacks the migration {missing[0]}, although it has later ones: restore a backup"
    for (index,) in link.execute(_BROKEN_INDEXES.encode()):
        yield f"the index {index} of {name} is not complete: run REINDEX INDEX {index}"


def _pooler_problems(link: Link, url: str, direct_url: str | None, *, is_behind: bool) -> Iterator[str]:
    """Say whether what a pooler can't do is done around it."""
    if direct_url is not None:
        with reached(direct_url, PROGRAM) as direct:
            if is_pooled(direct):
                yield "database.direct_url leads through a pooler too: name the server itself"
            elif _one(direct, _WHICH) != _one(link, _WHICH):
                yield "database.direct_url leads to another database than database.url: name the same one"
    elif is_behind and _changes_connections(link, url):
        yield (
            "database.url leads through a pooler in transaction mode, which keeps no locks for several "
            "processes: set database.direct_url to the server itself"
        )


def _changes_connections(link: Link, url: str) -> bool:
    """Return whether two connections share one of the server, or one gets another at its next transaction."""
    with ExitStack() as stack:
        links = [link, *(stack.enter_context(reached(url, PROGRAM)) for _ in range(2))]
        served = [[_one(one, "SELECT pg_backend_pid()")[0] for one in links] for _ in range(2)]
    return served[0] != served[1] or len(set(served[0])) < len(links)


def _backups(link: Link) -> tuple[str, bool]:
    """Return what can be known of backups, and whether that is a problem."""
    is_archived, is_failing, seconds = _one(link, _ARCHIVE)
    if is_failing:
        return "the server fails to archive its log (archive_command): see the server's own log", True
    if not is_archived:
        return (
            "the server archives no log (archive_mode is off); whether pg_dump is used can't be seen",
            False,
        )
    last = "none of it yet" if seconds is None else f"the last part {seconds / 60:.0f} min ago"
    return f"the server archives its log, {last}; whether there is a base backup can't be seen", False
