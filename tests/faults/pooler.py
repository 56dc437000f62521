"""PgBouncer in transaction mode: each transaction may meet another of its few connections."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.store.postgres_server import USER

PORT = 6432  # of a socket in the folder; nothing listens on the network
SETTINGS = """
[databases]
* = host={folder} user={user}

[pgbouncer]
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
logfile = {folder}/pgbouncer.log
ignore_startup_parameters =
server_login_retry = 1
"""


def pooler() -> str | None:
    """PgBouncer's program; None if it is not installed."""
    return shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


@contextmanager
def pooled(program: str, folder: Path, connections: int) -> Iterator[None]:
    """Run PgBouncer before the server whose socket is in a folder, with so many connections to a database."""
    file = folder / "pgbouncer.ini"
    file.write_text(SETTINGS.format(folder=folder, user=USER, port=PORT, connections=connections))
    file.chmod(0o644)
    user = USER if os.geteuid() == 0 else None  # it refuses to run as root
    running = subprocess.Popen([program, "-q", file], cwd=folder, user=user, group=user)
    try:
        until_it_answers(folder)
        yield
    finally:
        running.kill()
        running.wait()


def pooled_url(folder: Path, database: str) -> str:
    """The address of a database behind PgBouncer."""
    return f"postgresql:///{database}?host={folder}&port={PORT}&user={USER}"


def until_it_answers(folder: Path) -> None:
    """Wait for PgBouncer to begin."""
    for _ in range(200):
        try:
            psycopg.connect(pooled_url(folder, "postgres")).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError((folder / "pgbouncer.log").read_text())
