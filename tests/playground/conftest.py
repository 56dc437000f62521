"""A local Discord with a small real client connected to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import discord
import pytest
import yarl

from bot.playground.discord import LocalDiscord, Member, Server
from tests.playground.sample import Sample
from tests.playground.wire import COMMAND, Scene, Time, Wire


@contextlib.asynccontextmanager
async def running(client: discord.Client, local: LocalDiscord) -> AsyncIterator[None]:
    """Point the library at the local Discord and run the client against it."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    discord.http.Route.BASE = local.api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(local.gateway_url)
    task = asyncio.create_task(client.start(local.token))
    try:
        await local.connected()
        await client.wait_until_ready()
        yield
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)
        discord.http.Route.BASE = base
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(deadline_seconds=60, command_seconds=0.1) as discord_:
        yield discord_


@pytest.fixture
def server(local: LocalDiscord) -> Server:
    return local.add_server("Table")


@pytest.fixture
def alice(server: Server) -> Member:
    return server.add_member("Alice")


@pytest.fixture
def bob(server: Server) -> Member:
    return server.add_member("Bob")


@pytest.fixture
async def sample(local: LocalDiscord, alice: Member, bob: Member) -> AsyncIterator[Sample]:
    client = Sample()
    async with running(client, local):
        yield client


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def scene(time: Time) -> AsyncIterator[Scene]:
    async with (
        LocalDiscord(deadline_seconds=60, patience_seconds=60, command_seconds=0.1, clock=time) as local,
        Wire(local) as wire,
    ):
        server = local.add_server("Table")
        await wire.call("PUT", f"/applications/{wire.application_id}/commands", [COMMAND])
        await wire.ready()
        yield Scene(local, server.add_member("Alice"), wire)


@pytest.fixture
async def wire(local: LocalDiscord) -> AsyncIterator[Wire]:
    async with Wire(local) as by_hand:
        yield by_hand
