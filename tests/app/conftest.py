"""A local Discord for the programs; and what every test of them leaves behind as it was."""

from collections.abc import AsyncIterator, Iterator

import discord
import pytest

from bot.playground.discord.local import LocalDiscord


@pytest.fixture(autouse=True)
def discord_addresses() -> Iterator[None]:
    """Restore discord.py's addresses afterwards."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    yield
    discord.http.Route.BASE = base
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    """A local Discord that waits long: a busy machine is slow, not wrong."""
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as discord_:
        yield discord_
