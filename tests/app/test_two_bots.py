"""Two bots on one database that believe they look after the same server: what is due is posted once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.app.client import Tablekeeper, address_discord
from bot.app.config import DiscordSettings
from bot.playground.discord import LocalDiscord, Server, read
from bot.store.records import ServerId, Shards
from bot.store.transaction import open_store
from bot.table import watch
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.play import play
from bot.table.sessions import sessions
from tests.paces import PATIENT, QUICK
from tests.store.postgres_server import prepared_database
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.toy import TOY


@pytest.fixture
def server(local: LocalDiscord) -> Server:
    return local.add_server("Table")


@pytest.fixture
def gm(server: Server) -> Person:
    """Gwen, who plays Ada herself."""
    places = (server.channels[0].id,)
    return Person(1, "Gwen", Interactions(), ServerId(server.id), places, manages_server=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def both(
    postgres: Path, local: LocalDiscord, gm: Person, clock: Clock
) -> AsyncIterator[tuple[Tablekeeper, Tablekeeper]]:
    """Two bots that can post, and hear nothing of Discord."""
    url = prepared_database(postgres)
    settings = DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url, emojis=False)
    address_discord(settings)
    bots: list[Tablekeeper] = []
    async with contextlib.AsyncExitStack() as open_:
        for number in range(2):
            store = await open_store(url, PATIENT)
            open_.push_async_callback(store.close)
            table = Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(100 * number))
            bot = await open_.enter_async_context(Tablekeeper(settings, table, pace=QUICK))
            await bot.login(local.token)
            bots.append(bot)
        await campaigns.create(bots[0].table, gm.asks(), "toy", "The Long Road")
        await characters.take_ready_made(bots[0].table, gm.asks(), "Ada")
        yield bots[0], bots[1]


def texts(local: LocalDiscord, server: Server) -> list[str]:
    return [read(one.payload) for one in local.messages.in_channel(server.channels[0])]


async def press_due(bot: Tablekeeper) -> None:
    cog: Any = bot.get_cog("Unpressed")
    await cog.press_due()


async def look_after_sessions(bot: Tablekeeper) -> None:
    cog: Any = bot.get_cog("Watch")
    await cog._look_after()


async def test_an_unpressed_button_is_pressed_and_posted_once(
    both: tuple[Tablekeeper, Tablekeeper], local: LocalDiscord, server: Server, gm: Person, clock: Clock
) -> None:
    await play.perform(both[0].table, gm.asks(), "dare", {})
    clock.seconds += 60

    await asyncio.gather(*(press_due(bot) for bot in both))
    await asyncio.gather(*(press_due(bot) for bot in both))

    (posted,) = texts(local, server)
    assert "spends Luck" in posted


async def test_a_session_ends_once_with_one_recap(
    both: tuple[Tablekeeper, Tablekeeper], local: LocalDiscord, server: Server, gm: Person, clock: Clock
) -> None:
    await sessions.start(both[0].table, gm.asks())
    clock.pass_hours(6)

    await asyncio.gather(*(look_after_sessions(bot) for bot in both))
    await asyncio.gather(*(look_after_sessions(bot) for bot in both))

    (posted,) = texts(local, server)
    assert "Session 1" in posted


async def test_an_empty_voice_channel_ends_no_session_before_discord_has_listed_who_is_there(
    both: tuple[Tablekeeper, Tablekeeper], local: LocalDiscord, server: Server, gm: Person, clock: Clock
) -> None:
    table = both[0].table
    await sessions.start(table, gm.asks(), voice=server.channels[0].id)
    (session,) = await watch.watched(table)
    await watch.note_voice(table, session, is_empty=True)
    clock.seconds += 11 * 60

    await look_after_sessions(both[0])

    assert [one.is_empty for one in await watch.watched(table)] == [True]
    assert texts(local, server) == []


@pytest.mark.parametrize("look", [press_due, look_after_sessions])
async def test_what_is_due_is_left_to_the_bot_that_holds_the_server(
    both: tuple[Tablekeeper, Tablekeeper],
    local: LocalDiscord,
    server: Server,
    gm: Person,
    clock: Clock,
    look: Callable[[Tablekeeper], Awaitable[None]],
) -> None:
    holder, other = both
    other.table.shards = Shards(1, frozenset())
    await sessions.start(holder.table, gm.asks())
    if look is press_due:
        await play.perform(holder.table, gm.asks(), "dare", {})
    clock.pass_hours(6)

    await look(other)
    assert texts(local, server) == []

    await look(holder)
    assert len(texts(local, server)) == 1
