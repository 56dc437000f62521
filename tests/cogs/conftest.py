"""A desk: the real client, without a connection, on a table with the toy ruleset."""

from collections.abc import AsyncIterator

import pytest

from bot.table.base.table import Table
from bot.ui.input import in_time
from tests.cogs.desk import Desk, open_desk
from tests.table.conftest import ada, bo, clock, game, gm, interactions, neighbour, table

__all__ = ["ada", "bo", "clock", "desk", "game", "gm", "interactions", "neighbour", "table"]


@pytest.fixture
async def desk(game: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """Gwen is the GM, Alice plays Ada (Brawn 4), Bob plays Bo (Brawn 2); no answer is slow."""
    monkeypatch.setattr(in_time, "PROMPT_SECONDS", 60.0)
    opened = await open_desk(game)
    yield opened
    await opened.bot.close()
