"""The port for the operator's monitoring, of the bot as a process."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.table import PATIENCE_SECONDS, Table, open_table
from tests.paces import IMPATIENT, QUICK
from tests.ports import free_port
from tests.store.postgres_server import prepared_database, stopped


@pytest.fixture
def port() -> int:
    """A free port."""
    return free_port()


@pytest.fixture
async def table(tmp_path: Path, port: int) -> AsyncIterator[Table]:
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


async def test_a_command_is_measured_from_its_arrival_to_the_database(table: Table, port: int) -> None:
    await table.alice.slash("roll", expression="2d6")

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
