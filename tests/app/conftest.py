"""What every test of the programs leaves behind as it was."""

from collections.abc import Iterator

import discord
import pytest


@pytest.fixture(autouse=True)
def discord_addresses() -> Iterator[None]:
    """Restore discord.py's addresses afterwards."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    yield
    discord.http.Route.BASE = base
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
