"""Desks that stand in channels: only where no player can see them, and never long in one message."""

import hashlib
from collections.abc import AsyncIterator, Iterable

import discord

from bot.rules.kernel.errors import UserError
from bot.table.base.request import CannotPost, Request
from bot.table.base.table import Table
from bot.table.gm import desk
from bot.table.gm.desk import DeskPlace, Insiders
from bot.ui.live.live_message import Live, LiveKind, LiveMessage
from bot.ui.replies.desk_replies import standing_reply

LAYOUT = 1  # counts up when desks come to look different, so that those standing are drawn anew
OLDEST_SECONDS = 50 * 60  # Discord takes few changes of a message that is older than an hour


async def _load(table: Table, place: DeskPlace) -> Live | None:
    found = await desk.standing_desk(table, place)
    if found is None:
        return None
    reply = standing_reply(found.desk, place.home)
    return Live(
        server=place.server,
        channel=found.row.channel,
        message=found.row.message,
        shown=found.row.shown,
        mark=hashlib.sha256(repr((LAYOUT, found.desk)).encode()).hexdigest()[:32],
        draw=lambda _pings: reply,
    )


async def _may_stand(client: discord.Client, table: Table, place: DeskPlace, channel: int) -> bool | None:
    server = client.get_guild(place.server)
    if server is None or server.unavailable:  # Discord has not said yet what is in it
        return None
    there = server.get_channel(channel)
    if there is None:
        return False
    among = await desk.insiders(table, place.server, place.campaign)
    return not await seen_by(there, among)


DESK_MESSAGE = LiveKind(
    name="desk",
    rows=desk.ROWS,
    load=_load,
    oldest_seconds=OLDEST_SECONDS,
    may_stand=_may_stand,
)


class SeenByPlayers(UserError):
    """Players can see the channel in which a desk is to stand.

    Args:
        channel: The channel's name.
        who: A role or person that can see it.
    """

    def __init__(self, channel: str, who: str) -> None:
        super().__init__(
            f"{who} can see #{channel}, so the desk can't stand there.",
            "Hide the channel from them, or choose another one.",
        )


async def put_in(
    live: LiveMessage[DeskPlace], table: Table, request: Request, channel: discord.abc.GuildChannel
) -> None:
    """Post the desk that leads the request's channel into a channel that no player can see.

    Raises:
        UserError: If a player can see it, or the bot may not post there; then nothing has changed.
    """
    campaign = await desk.campaign_of(table, request)
    who = await seen_by(channel, await desk.insiders(table, request.server, campaign))
    if who:
        raise SeenByPlayers(channel.name, who)
    place, before = await desk.place_desk(table, request, channel.id)
    try:
        await live.show_now(place)
    except Exception as error:
        await desk.put_back(table, place, before)
        if isinstance(error, discord.Forbidden):
            raise CannotPost(("a permission",)) from None
        raise
    if before is not None and before.message is not None:
        await live.remove(place.server, before.channel, before.message)


async def seen_by(channel: discord.abc.GuildChannel, among: Insiders) -> str:
    """The name of a role or person that can see a channel without being a GM; nothing if there is none."""
    for role in channel.guild.roles:
        if _is_players(role, among) and channel.permissions_for(role).view_channel:
            return role.name
    async for name in _people_who_see(channel, among):
        return name
    return ""


def _is_players(role: discord.Role, among: Insiders) -> bool:
    held = role.permissions
    return not (role.managed or role.id == among.role or held.administrator or held.manage_guild)


async def _people_who_see(channel: discord.abc.GuildChannel, among: Insiders) -> AsyncIterator[str]:
    """Those whom the channel shows itself by name, without their being GMs."""
    me, owner = channel.guild.me.id, channel.guild.owner_id
    for person in _shown_by_name(channel):
        if person in among.people or person in {me, owner}:
            continue
        try:
            member = await channel.guild.fetch_member(person)
        except discord.NotFound:
            continue
        except discord.HTTPException:
            yield "Somebody"
            continue
        held = member.guild_permissions
        if not (held.administrator or held.manage_guild or among.role in {role.id for role in member.roles}):
            yield member.display_name


def _shown_by_name(channel: discord.abc.GuildChannel) -> Iterable[int]:
    roles = {role.id for role in channel.guild.roles}
    for whom, overwrite in channel.overwrites.items():
        if whom.id not in roles and overwrite.view_channel:
            yield whom.id
