"""The bot as a process: start, stop, kill and restart."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.table import REPOSITORY, Table, open_table


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


async def said(table: Table, *words: str, **settings: str) -> tuple[int, str]:
    """Run the program beside the bot; return its exit code and what it said."""
    ours = {
        "DISCORD__TOKEN": table.discord.token,
        "DISCORD__API_URL": table.discord.api_url,
        "DISCORD__GATEWAY_URL": table.discord.gateway_url,
        "DATABASE__URL": table.database,
        **settings,
    }
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words),
        env=os.environ
        | {"PYTHONPATH": str(REPOSITORY)}
        | {f"TABLEKEEPER_{name}": value for name, value in ours.items()},
        cwd=table.database_file.parent,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await program.communicate()
    assert program.returncode is not None
    return program.returncode, output.decode()


class TestASecondBotOnTheSameFile:
    async def test_it_is_refused_and_the_first_goes_on(self, table: Table) -> None:
        link = table.database_file.with_name("other name.db")
        link.symlink_to(table.database_file)

        for name in (table.database_file, link):
            code, words = await said(table, "run", DATABASE__URL=f"sqlite:///{name}")

            assert code == 69
            assert words.endswith(
                f"tablekeeper: A bot is already running on {table.database_file}: stop it first, "
                "or name another file in database.url.\n"
            )
        assert table.discord.gateway.is_connected
        await table.restart()

    async def test_the_operators_commands_work_beside_the_first(self, table: Table, tmp_path: Path) -> None:
        backed_up, _ = await said(table, "backup", str(tmp_path / "copy.db"))
        examined, report = await said(table, "doctor")

        assert backed_up == 0
        assert examined == 0, report


async def test_the_log_never_shows_the_token(table: Table) -> None:
    await table.restart()

    assert table.discord.token not in table.log_text
