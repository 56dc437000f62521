"""The doctor: what it checks and what it advises."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import discord
import pytest

from bot.app.client import Tablekeeper, address_discord
from bot.app.config import DiscordSettings, load
from bot.app.doctor import findings
from bot.app.traffic import AnnouncedServers
from bot.playground.discord import LocalDiscord
from bot.rules import rulesets
from bot.store.engines import open_store
from bot.table.base.table import Table
from tests.databases import prepared_file
from tests.paces import QUICK
from tests.table.conftest import Secrets


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as discord:
        yield discord


async def looked(folder: Path, *, ahead_seconds: float = 0, **environment: str) -> list[str]:
    """Return the doctor's findings with these settings, as texts."""
    given = {"DATABASE__URL": f"sqlite:///{folder / 'table.db'}", **environment}
    settings = load(environment={f"TABLEKEEPER_{name}": value for name, value in given.items()})
    found = findings(settings, None, now=lambda: time.time() + ahead_seconds)
    return [str(finding) async for finding in found]


async def test_the_doctor_finds_nothing_wrong_with_a_sound_setup(local: LocalDiscord, tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN=local.token, DISCORD__API_URL=local.api_url)

    assert [line.split(":")[0:2] for line in lines] == [
        ["ok", " settings"],
        ["ok", " versions"],
        ["ok", " database"],
        ["ok", " token"],
        ["ok", " Discord"],
        ["ok", " clock"],
    ]


async def test_the_doctor_reports_a_refused_token(local: LocalDiscord, tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN="wrong", DISCORD__API_URL=local.api_url)

    assert "problem: Discord: the token was refused: create a new one on the Bot page and set it" in lines


async def test_the_doctor_reports_an_address_that_is_not_discords(
    local: LocalDiscord, tmp_path: Path
) -> None:
    local.fail_next("GET /gateway/bot", 404)

    lines = await looked(tmp_path, DISCORD__TOKEN=local.token, DISCORD__API_URL=local.api_url)

    assert f"problem: Discord: {local.api_url} answered 404: is this the right address?" in lines


async def test_the_doctor_reports_an_unreachable_address(tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN="x", DISCORD__API_URL="http://127.0.0.1:1")

    assert lines[-1].startswith("problem: Discord: http://127.0.0.1:1 can't be reached (")
    assert lines[-1].endswith("): check the network")


@pytest.mark.parametrize(("ahead_seconds", "side"), [(100, "ahead of"), (-100, "behind")])
async def test_the_doctor_reports_a_wrong_clock(
    local: LocalDiscord, tmp_path: Path, ahead_seconds: float, side: str
) -> None:
    lines = await looked(
        tmp_path,
        ahead_seconds=ahead_seconds,
        DISCORD__TOKEN=local.token,
        DISCORD__API_URL=local.api_url,
    )

    assert f"s {side} Discord's: synchronize it (NTP)" in lines[-1]


async def test_the_doctor_reports_a_missing_folder(tmp_path: Path) -> None:
    lines = await looked(tmp_path / "missing")

    assert lines[2].startswith("problem: database: The folder ")


async def test_the_doctor_reports_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_text("a shopping list", encoding="utf-8")

    lines = await looked(tmp_path)

    assert lines[2].startswith("problem: database: ")


def a_server(number: int) -> discord.Guild:
    return cast(discord.Guild, discord.Object(number))


async def test_the_bot_is_ready_without_waiting_for_servers_that_nobody_announced(tmp_path: Path) -> None:
    store = await open_store(prepared_file(tmp_path))
    table = Table(store=store, games=rulesets(), now=lambda: 0, new_secret=Secrets())
    async with LocalDiscord(deadline_seconds=60) as local:
        servers = {local.add_server(name).id for name in ("The Manor", "Elsewhere")}
        settings = DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url, emojis=False)
        address_discord(settings)
        async with Tablekeeper(settings, table, pace=replace(QUICK, unlisted_server_seconds=3600)) as bot:
            running = asyncio.create_task(bot.start(local.token))
            await bot.wait_until_ready()
            listed = {server.id: server.unavailable for server in bot.guilds}
            await bot.close()
            await asyncio.gather(running, return_exceptions=True)
    await store.close()

    assert listed == dict.fromkeys(servers, False)


async def test_every_announced_server_is_waited_for() -> None:
    servers = AnnouncedServers({1, 2})
    servers.put_nowait(a_server(2))
    servers.put_nowait(a_server(3))

    assert [(await servers.get()).id for _ in range(2)] == [2, 3]
    waiting = asyncio.create_task(servers.get())
    await asyncio.sleep(0)
    assert not waiting.done()

    servers.put_nowait(a_server(1))
    assert (await waiting).id == 1
    with pytest.raises(TimeoutError):
        await servers.get()


async def test_a_server_that_came_after_the_last_announced_one_is_not_left_out() -> None:
    servers = AnnouncedServers({1})
    servers.put_nowait(a_server(1))
    servers.put_nowait(a_server(2))

    assert [(await servers.get()).id for _ in range(2)] == [1, 2]
