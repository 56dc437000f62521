"""The table that end-to-end tests play at."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.table import Table, open_table


@pytest.fixture
async def table(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    """Two servers, a GM, two players, a stranger, and the running bot."""
    spec: Path | None = request.config.getoption("--discord-spec")
    async with open_table(tmp_path, spec=spec) as laid:
        yield laid
