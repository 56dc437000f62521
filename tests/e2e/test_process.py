"""The bot as a process: start, stop, kill, restart, and the port for monitoring."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from msgspec.structs import replace

from tests.e2e.table import PATIENCE_SECONDS, REPOSITORY, Table, open_table
from tests.paces import IMPATIENT, QUICK
from tests.ports import free_port
from tests.store.postgres_server import prepared_database, stopped


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


@pytest.fixture
def port() -> int:
    """A free port."""
    return free_port()


@pytest.fixture
async def monitored(tmp_path: Path, port: int) -> AsyncIterator[Table]:
    """A bot that is monitored."""
    async with open_table(tmp_path, settings={"METRICS__PORT": str(port)}) as laid:
        yield laid


@pytest.fixture
async def table_on_postgres(tmp_path: Path, port: int, postgres: Path) -> AsyncIterator[Table]:
    """A bot on PostgreSQL that is monitored."""
    settings = {"METRICS__PORT": str(port), "DATABASE__URL": prepared_database(postgres)}
    pace = replace(QUICK, database=IMPATIENT)
    async with open_table(tmp_path, settings=settings, pace=pace) as laid:
        yield laid


async def fetched(port: int, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as response,
    ):
        return response.status, await response.text()


async def metrics_with(port: int, line: str) -> str:
    """Collect metrics until a line is among them; the bot counts a moment after it has answered."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            status, metrics = await fetched(port, "/metrics")
            assert status == 200
            if line in metrics.splitlines():
                return metrics


async def health_with(port: int, status: int) -> str:
    """Ask until the health has a status, and return what it says; an answer counts for a second."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            found, said = await fetched(port, "/health")
            if found == status:
                return said


def value(metrics: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", metrics, re.M)
    assert found is not None, metrics
    return float(found[1])


async def test_a_command_is_measured_from_its_arrival_to_the_database(monitored: Table, port: int) -> None:
    await monitored.alice.slash("roll", expression="2d6")

    metrics = await metrics_with(
        port, 'tablekeeper_interactions_total{command="/roll",outcome="answered"} 1.0'
    )

    assert 0 < value(metrics, 'tablekeeper_first_answer_seconds_sum{kind="command"}') < 60
    assert value(metrics, 'tablekeeper_unit_seconds_count{engine="sqlite",kind="write"}') >= 1
    assert value(metrics, 'tablekeeper_discord_requests_total{status="200"}') >= 1
    assert value(metrics, "tablekeeper_servers") == 2
    assert value(metrics, 'tablekeeper_shard_connected{shard="0"}') == 1
    assert value(metrics, 'tablekeeper_database_up{engine="sqlite"}') == 1
    assert await fetched(port, "/health") == (200, "ok\n")
    assert await fetched(port, "/live") == (200, "ok\n")


async def test_a_database_that_is_stopped_makes_the_bot_unready_until_it_is_back(
    table_on_postgres: Table, port: int, postgres: Path
) -> None:
    await table_on_postgres.alice.slash("roll", expression="2d6")
    assert await fetched(port, "/health") == (200, "ok\n")

    with stopped(postgres):
        assert (await health_with(port, 503)).startswith("The database ")
        assert await fetched(port, "/live") == (200, "ok\n")
        assert 'tablekeeper_database_up{engine="postgresql"} 0.0\n' in (await fetched(port, "/metrics"))[1]

    assert await health_with(port, 200) == "ok\n"
    metrics = await metrics_with(port, 'tablekeeper_database_up{engine="postgresql"} 1.0')
    assert value(metrics, 'tablekeeper_lock_wait_seconds_count{engine="postgresql",lock="row"}') >= 1
