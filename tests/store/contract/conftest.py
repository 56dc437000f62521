"""The store that the contract is tested against: a SQLite file today."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.boundary import Store
from bot.store.sqlite import open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(f"sqlite:///{tmp_path}/table.db")
    yield opened
    await opened.close()
