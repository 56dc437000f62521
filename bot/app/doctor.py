"""The doctor: check everything that the bot needs."""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import discord
from msgspec import Struct

from bot.app.client import address_discord
from bot.app.config import DISCORD_API, ConfigError, DiscordSettings, Settings, discord_token, is_postgres
from bot.store.backup import Health, channels_used, examine
from bot.store.connection import StoreUnavailable
from bot.ui.input.presses import missing

if TYPE_CHECKING:
    from aiohttp import ClientResponse

TIMEOUT_SECONDS = 10
CLOCK_SECONDS = 30
TOKEN = re.compile(r"[\w-]{18,40}\.[\w-]{6,7}\.[\w-]{27,}")


class Finding(Struct, frozen=True):
    """The result of one check: what was found, or what to do about it."""

    words: str
    is_well: bool = True

    def __str__(self) -> str:
        return f"{'ok' if self.is_well else 'problem'}: {self.words}"


async def findings(
    settings: Settings, file: Path | None, now: Callable[[], float] = time.time
) -> AsyncIterator[Finding]:
    """Run one check after the other.

    Args:
        settings: The settings, already read.
        file: The settings file that was asked for, if one was.
        now: This machine's clock, in seconds since 1970.
    """
    yield _settings(file)
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding(f"versions: Python {python}, discord.py {version('discord.py')}")
    for finding in await asyncio.to_thread(lambda: list(_database(settings, now))):
        yield finding
    try:
        token = discord_token(settings).get_secret_value()
    except ConfigError as error:
        for line in error.lines:
            yield Finding(f"token: {line.removeprefix('config: ')}; the playground needs none", is_well=False)
        return
    yield _token(token, settings.discord.api_url)
    is_well = True
    async for finding in _discord(settings.discord.api_url, token, now):
        is_well &= finding.is_well
        yield finding
    if is_well:
        async for finding in _channels(settings, token):
            yield finding


def _settings(file: Path | None) -> Finding:
    read = file or Path("config.toml")
    where = f"{read} and the environment" if read.exists() else "the environment; there is no config.toml"
    return Finding(f"settings: from {where}")


def _database(settings: Settings, now: Callable[[], float]) -> Iterator[Finding]:
    try:
        if is_postgres(settings.database.url):
            yield from _postgres(settings, now)
        else:
            yield from _file(settings.database.url)
    except StoreUnavailable as error:
        yield Finding(f"database: {error.reason}", is_well=False)


def _postgres(settings: Settings, now: Callable[[], float]) -> Iterator[Finding]:
    from bot.store.postgres.postgres_health import examine_postgres  # loaded only where it is used

    health = examine_postgres(settings.database.url, settings.database.direct_url, now)
    for problem in health.problems:
        yield Finding(f"database: {problem}", is_well=False)
    if not health.problems:
        yield Finding(f"database: {health.state}")
        yield Finding(f"backups: {health.backups}")


def _file(url: str) -> Iterator[Finding]:
    health = examine(url)
    for problem in health.problems:
        yield Finding(f"database: {problem}", is_well=False)
    if not os.access(health.path.parent, os.W_OK):
        yield Finding(f"database: allow this user to write to {health.path.parent}", is_well=False)
    elif not health.problems:
        yield Finding(f"database: {_state(health)}; {health.free_bytes / 1e9:.1f} GB free")


def _state(health: Health) -> str:
    if health.schema == 0:
        return f"{health.path} will be created at the first start"
    size = f"{health.path} is sound, {health.size_bytes / 1e6:.1f} MB"
    if health.schema < health.newest_schema:
        return f"{size}; schema {health.schema} becomes {health.newest_schema} at the next start"
    return f"{size}, schema {health.schema}"


def _token(token: str, api_url: str) -> Finding:
    if api_url == DISCORD_API and not TOKEN.fullmatch(token):
        return Finding(
            "token: this does not look like a bot token (three parts separated by dots): "
            "copy the token from the Bot page, not the client secret or the public key",
            is_well=False,
        )
    return Finding("token: it is set")


async def _discord(api_url: str, token: str, now: Callable[[], float]) -> AsyncIterator[Finding]:
    import aiohttp

    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    headers = {"Authorization": f"Bot {token}", "User-Agent": "DiscordBot (Tablekeeper doctor, 1)"}
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, headers=headers) as session,
            session.get(f"{api_url}/gateway/bot") as response,
        ):
            yield await _answered(response, api_url)
            clock = _clock(response.headers.get("Date"), now())
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        reason = str(error) or f"no answer in {TIMEOUT_SECONDS} s"
        yield Finding(f"Discord: {api_url} can't be reached ({reason}): check the network", is_well=False)
    else:
        if clock is not None:
            yield clock


async def _answered(response: "ClientResponse", api_url: str) -> Finding:
    if response.status == 401:
        return Finding(
            "Discord: the token was refused: create a new one on the Bot page and set it", is_well=False
        )
    if response.status != 200:
        return Finding(
            f"Discord: {api_url} answered {response.status}: is this the right address?", is_well=False
        )
    limits = (await response.json()).get("session_start_limit", {})
    left, total = limits.get("remaining"), limits.get("total")
    if left == 0:
        return Finding(f"Discord: all {total} starts of today are used up: try again tomorrow", is_well=False)
    return Finding(f"Discord: {api_url} accepts the token; {left} of {total} starts left today")


async def _channels(settings: Settings, token: str) -> AsyncIterator[Finding]:
    """Check whether the bot may post where boards, sessions and campaigns are."""
    from aiohttp import ClientError
    from discord import DiscordException

    from bot.app.doctor import MOST, channel_problems

    try:
        used = await asyncio.to_thread(channels_used, settings.database.url)
    except StoreUnavailable:
        return  # reported above, or there is no database yet
    if not used:
        return
    are_well = True
    try:
        async for problem in channel_problems(settings.discord, token, used):
            are_well = False
            yield Finding(f"channels: {problem}", is_well=False)
    except (DiscordException, ClientError, OSError, TimeoutError) as error:
        yield Finding(f"channels: Discord did not answer about permissions ({error})", is_well=False)
        return
    looked_at = f"the first {MOST} of {len(used)}" if len(used) > MOST else str(len(used))
    if are_well:
        yield Finding(f"channels: the bot may post in all of them ({looked_at} checked)")


def _clock(date_header: str | None, now: float) -> Finding | None:
    """Compare this machine's clock with Discord's, which counts whole seconds."""
    if date_header is None:
        return None
    ahead = round(now - parsedate_to_datetime(date_header).timestamp())
    if abs(ahead) > CLOCK_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        return Finding(f"clock: it is {abs(ahead)} s {side} Discord's: synchronize it (NTP)", is_well=False)
    return Finding("clock: it agrees with Discord's")


MOST = 200  # channels that are looked at
WHERE = "allow that there under Edit Channel, Permissions, the bot's role"


async def channel_problems(
    settings: DiscordSettings, token: str, used: Sequence[tuple[int, int]]
) -> AsyncIterator[str]:
    """Return what prevents posting, one line for each server or channel.

    Args:
        used: The servers and channels that it posts in.
    """
    base = discord.http.Route.BASE
    address_discord(settings)
    client = discord.Client(intents=discord.Intents.none())
    try:
        await client.login(token)
        for server in dict.fromkeys(server for server, _ in used[:MOST]):
            channels = [channel for of, channel in used[:MOST] if of == server]
            async for problem in _of_server(client, server, channels):
                yield problem
    finally:
        await client.close()
        discord.http.Route.BASE = base


async def _of_server(client: discord.Client, server: int, channels: Sequence[int]) -> AsyncIterator[str]:
    assert client.user is not None  # noqa: S101  # it has logged in
    try:
        guild = await client.fetch_guild(server, with_counts=False)
        me = await guild.fetch_member(client.user.id)
    except (discord.Forbidden, discord.NotFound):
        yield f"server {server}: the bot is not in it any more; invite it again, or /gm purge what it keeps"
        return
    for channel in channels:
        if problem := await _of_channel(guild, me, channel):
            yield f"{guild.name}, {problem}"


async def _of_channel(guild: discord.Guild, me: discord.Member, id_: int) -> str:
    """Return the permissions that the bot lacks in a channel, or nothing."""
    try:
        channel = await guild.fetch_channel(id_)
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        rules = channel if parent is None else await guild.fetch_channel(parent)
    except discord.NotFound:
        return ""  # it is gone, and a board of it is posted elsewhere when that is next asked for
    except discord.Forbidden:
        return f"channel {id_}: it lacks View Channel; {WHERE}"
    if isinstance(rules, discord.CategoryChannel | discord.Thread):
        return ""
    lacks = missing(rules.permissions_for(me), in_thread=parent is not None)
    return f"#{channel.name}: it lacks {', '.join(lacks)}; {WHERE}" if lacks else ""
