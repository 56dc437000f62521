"""The bot is ready as soon as Discord has sent every server that it announced."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import discord
import pytest

from bot.app.client import Tablekeeper, address_discord
from bot.app.config import DiscordSettings
from bot.app.ready_state import AnnouncedServers
from bot.playground.discord import LocalDiscord
from bot.rules import rulesets
from bot.store.engines import open_store
from bot.table.base.table import Table
from tests.databases import prepared_file
from tests.paces import QUICK
from tests.table.conftest import Secrets


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
