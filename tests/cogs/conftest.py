"""A desk: the real client, without a connection, on a table with the toy ruleset."""

from collections.abc import AsyncIterator

import pytest

from bot.table.base.table import Table
from tests.cogs.desk import Desk, open_desk
from tests.table.conftest import ada, bo, clock, game, gm, interactions, neighbour, table

__all__ = ["ada", "bo", "clock", "desk", "game", "gm", "interactions", "neighbour", "table"]


@pytest.fixture
async def desk(game: Table) -> AsyncIterator[Desk]:
    """Gwen is the GM, Alice plays Ada (Brawn 4), Bob plays Bo (Brawn 2)."""
    opened = await open_desk(game)
    yield opened
    await opened.bot.close()
