"""Check with Discord whether the bot may post in each of its channels."""

from collections.abc import AsyncIterator, Sequence

import discord

from bot.app.client import address_discord
from bot.app.config import DiscordSettings
from bot.ui.input.asked import missing

MOST = 200  # channels that are looked at
WHERE = "allow that there under Edit Channel, Permissions, the bot's role"


async def channel_problems(
    settings: DiscordSettings, token: str, used: Sequence[tuple[int, int]]
) -> AsyncIterator[str]:
    """Return what prevents posting, one line for each server or channel.

    Args:
        settings: How to reach Discord.
        token: The bot's token.
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
