"""Back a PostgreSQL database up with PostgreSQL's own program."""

import os
import shutil
import subprocess
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bot.store.postgres.postgres_outages import address_of, name_of
from bot.store.store_errors import BackupRefused, StoreUnavailable

PROGRAM = "pg_dump"


def dump(url: str, file: Path) -> None:
    """Write a database as it is at one moment into a file, for ``pg_restore``; the bot may keep running.

    Args:
        url: The database; without a pooler in between.
        file: The file, which is there already.

    Raises:
        StoreUnavailable: If the database cannot be read or the file not written.
    """
    name, program = name_of(url), shutil.which(PROGRAM)
    if program is None:
        raise StoreUnavailable(
            f"{PROGRAM} is not installed here: install PostgreSQL's client programs, or run it on the "
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
