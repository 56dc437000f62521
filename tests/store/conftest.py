"""Databases: files for failures that only SQLite has, and a server of PostgreSQL."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.postgres_server import installed, running

NOBODY = 65534


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder of a running PostgreSQL server; whoever has none is told so, but CI has to have one."""
    programs = installed()
    if programs is None:
        lacking = "PostgreSQL is not installed (apt install postgresql)"
        if "CI" in os.environ:
            pytest.fail(lacking)
        pytest.skip(lacking)
    with running(programs) as folder:
        yield folder


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database that doesn't exist yet."""
    return f"sqlite:///{tmp_path}/table.db"


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder used without root rights, so that the file system can refuse something."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.geteuid() != 0:
            yield folder
            return
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(0)
