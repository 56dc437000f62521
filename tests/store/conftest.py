"""Database files, for failures that only SQLite has."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


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
