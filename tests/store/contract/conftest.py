"""The stores that the contract is tested against: a SQLite file, and PostgreSQL where it is installed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.transaction import Store
from tests.databases import ENGINES, NewDatabase, opened


@pytest.fixture(params=ENGINES, scope="module")
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine in turn."""
    which: str = request.param
    return which


@pytest.fixture
async def store(database: NewDatabase, tmp_path: Path) -> AsyncIterator[Store]:
    with database(tmp_path) as url:
        async with opened(url) as store:
            yield store
