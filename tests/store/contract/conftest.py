"""The stores that the contract is tested against: a SQLite file, and PostgreSQL where it is installed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.boundary import Store
from bot.store.engines import open_store
from tests.store.postgres_server import new_database


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/table.db"
    else:
        url = new_database(request.getfixturevalue("postgres"))
    opened = await open_store(url)
    yield opened
    await opened.close()
