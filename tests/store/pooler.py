"""PgBouncer before the tests' PostgreSQL server, reached by a socket beside its own."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.store.postgres_server import USER

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
