"""The bot as a process: start, stop, kill and restart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.table import Table, open_table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """The bot as an operator starts it."""
    async with open_table(tmp_path, is_cold=True) as laid:
        yield laid


async def test_the_bot_connects_and_registers_its_commands(table: Table) -> None:
    assert table.discord.gateway.is_connected
    assert table.discord.commands != []


async def test_a_stopped_bot_exits_with_zero_and_disconnects(table: Table) -> None:
    assert await table.stop() == 0
    assert not table.discord.gateway.is_connected


async def test_a_killed_bot_starts_again(table: Table) -> None:
    await table.kill()
    await table.start()

    assert table.discord.gateway.is_connected


async def test_the_log_never_shows_the_token(table: Table) -> None:
    await table.restart()

    assert table.discord.token not in table.log_text
