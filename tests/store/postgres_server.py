"""A PostgreSQL server of the tests' own: in a temporary folder, reached by a socket in it."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

import psycopg

from bot.store.postgres.postgres_migrations import migrate_postgres

USER = "postgres"
NUMBERS = count(1)
COPY = Path("/bin/cp")
END_BOTS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tablekeeper'"

# Another order of texts than SQLite's, so that what depends on the database's locale fails.
ORDER = ("--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en")
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "50",
    "max_wal_size": "64MB",  # it may be in memory
    "shared_buffers": "16MB",
}


def installed() -> Path | None:
    """The folder of PostgreSQL's programs, the newest ones; None if there are none."""
    found = [Path(name).parent for name in (shutil.which("initdb"),) if name]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: float(one.parent.name))
    return next((one for one in reversed(found) if (one / "pg_ctl").exists()), None)


@contextmanager
def running(programs: Path) -> Iterator[Path]:
    """Run a server, and yield the folder with its socket."""
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        folder, cluster = Path(name), Path(name) / "cluster"
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        words = ("--no-sync", "--auth=trust", f"--username={USER}", *ORDER)
        _call(folder, programs / "initdb", f"-D{cluster}", *words)
        settings = {**SETTINGS, "unix_socket_directories": str(folder)}
        lines = (f"{key} = '{value}'\n" for key, value in settings.items())
        with (cluster / "postgresql.conf").open("a") as file:
            file.writelines(lines)
        _control(folder, "start", f"-l{folder}/log")
        try:
            yield folder
        finally:
            _control(folder, "stop", "-mimmediate")


def url_of(folder: Path, database: str) -> str:
    """The address of a database on a running server."""
    return f"postgresql:///{database}?host={folder}&user={USER}"


def new_database(folder: Path, *, like: str = "template0") -> str:
    """Make a database, and return its address."""
    name = f"table{next(NUMBERS)}"
    with psycopg.connect(url_of(folder, "postgres"), autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name} TEMPLATE {like}".encode())
    return url_of(folder, name)


def prepared_database(folder: Path) -> str:
    """Make a database with all tables, as a copy of one that is made once a server; return its address."""
    return new_database(folder, like=_template(folder))


@cache
def _template(folder: Path) -> str:
    url = new_database(folder)
    with psycopg.connect(url, autocommit=True) as link:
        migrate_postgres(link, url)
    return database_of(url)


def database_of(url: str) -> str:
    """The name of the database at an address."""
    return url.removeprefix("postgresql:///").partition("?")[0]


def restart(folder: Path, mode: str = "immediate") -> None:
    """Restart a server at once, so that every connection is lost."""
    _control(folder, "restart", f"-m{mode}", f"-l{folder}/log")


def copy_data(folder: Path) -> None:
    """Copy what a server has, for `fail_over`."""
    with stopped(folder):
        _call(folder, COPY, "-a", "cluster", "copy")


def fail_over(folder: Path, *, is_old: bool = False) -> None:
    """Put a fresh server in a server's place, at the same address.

    Args:
        folder: The folder with its socket.
        is_old: Whether it has what was copied before, in place of the same.
    """
    with stopped(folder):
        if not is_old:
            _call(folder, COPY, "-a", "cluster", "copy")
        shutil.rmtree(folder / "cluster")
        (folder / "copy").rename(folder / "cluster")


@contextmanager
def stopped(folder: Path) -> Iterator[None]:
    """Stop a server for a while."""
    _control(folder, "stop", "-mfast")
    try:
        yield
    finally:
        _control(folder, "start", f"-l{folder}/log")


def _control(folder: Path, *words: str) -> None:
    programs = installed()
    assert programs is not None
    _call(folder, programs / "pg_ctl", "-w", f"-D{folder}/cluster", *words)


def _call(folder: Path, program: Path, *words: str) -> None:
    """Run one of PostgreSQL's programs, which refuse to run as root."""
    other = USER if os.geteuid() == 0 else None
    subprocess.run([program, *words], check=True, capture_output=True, cwd=folder, user=other, group=other)


PATIENCE_SECONDS = 60.0
PLACES = (*os.environ.get("PATH", "").split(os.pathsep), "/usr/sbin")


def pooler() -> Path | None:
    """The program; None if it is not installed."""
    found = shutil.which("pgbouncer", path=os.pathsep.join(PLACES))
    return Path(found) if found else None


@contextmanager
def pooled(
    program: Path, postgres: Path, mode: str = "transaction", *, connections: int = 20
) -> Iterator[Path]:
    """Run PgBouncer, and yield the folder with its socket.

    Args:
        program: The program.
        postgres: The folder of the server's socket.
        mode: How long a client keeps a connection of the server: "session", "transaction" or "statement".
        connections: How many it has to a database.
    """
    with tempfile.TemporaryDirectory(prefix="pooler-") as name:
        folder = Path(name)
        settings = {
            "listen_port": "5432",
            "unix_socket_dir": str(folder),
            "auth_type": "any",
            "pool_mode": mode,
            "default_pool_size": str(connections),
            "server_login_retry": "1",  # second, once the server is down
            "logfile": f"{folder}/log",
        }
        lines = [f"{key} = {value}" for key, value in settings.items()]
        text = "\n".join(["[databases]", f"* = host={postgres} user={USER}", "[pgbouncer]", *lines, ""])
        (folder / "pooler.ini").write_text(text, encoding="utf-8")
        other = USER if os.geteuid() == 0 else None
        if other:
            shutil.chown(folder, other)
        process = subprocess.Popen([program, "-q", folder / "pooler.ini"], user=other, group=other)
        try:
            _wait(folder)
            yield folder
        finally:
            process.terminate()
            process.wait()


def _wait(folder: Path) -> None:
    patient_until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patient_until:
        with suppress(psycopg.OperationalError):
            psycopg.connect(f"host={folder} dbname=postgres user={USER}").close()
            return
        time.sleep(0.05)
    raise TimeoutError((folder / "log").read_text(encoding="utf-8"))
