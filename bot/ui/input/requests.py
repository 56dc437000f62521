"""Building requests from interactions: who asks, where, and what they may do."""

from functools import lru_cache
from typing import Any

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request, ServerId
from bot.table.base.table import Table
from bot.ui.input.presses import Interaction

NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
}


def missing(held: discord.Permissions, *, in_thread: bool = False) -> tuple[str, ...]:
    """The permissions that the bot lacks to post in a channel, as Discord calls them.

    Args:
        held: What it has there.
    """
    return _missing(held.value, in_thread=in_thread)


@lru_cache(maxsize=256)
def _missing(held: int, *, in_thread: bool) -> tuple[str, ...]:
    other = "send_messages" if in_thread else "send_messages_in_threads"
    has = discord.Permissions(held)
    return tuple([words for name, words in NAMES.items() if name != other and not getattr(has, name)])


def request_of(interaction: "discord.Interaction[Any]") -> Request:
    """Build the request for an interaction.

    Raises:
        UserError: If it does not come from a server.
    """
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        raise UserError(
            "I only work in servers, not in direct messages.", try_this="Use me in a channel of a server."
        )
    permissions = interaction.permissions
    owner = interaction.guild.owner_id if interaction.guild else None
    return Request(
        server=ServerId(interaction.guild_id),
        places=_places(interaction),
        person=member.id,
        person_name=member.display_name,
        roles=frozenset(role.id for role in member.roles),
        manages_server=permissions.manage_guild or permissions.administrator or owner == member.id,
        interaction=str(interaction.id),
        lacks=missing(interaction.app_permissions, in_thread=isinstance(interaction.channel, discord.Thread)),
        message=_pressed(interaction),
    )


def table_and_request(interaction: Interaction) -> tuple[Table, Request]:
    """The table, and what a person asks of it here."""
    return interaction.client.table, request_of(interaction)


def request_in(interaction: "discord.Interaction[Any]", channel: int) -> Request:
    """Build the request for an interaction as if it came from another channel; 0 for its own.

    Raises:
        UserError: If there is no such channel (any more).
    """
    request, server = request_of(interaction), interaction.guild
    if channel in {0, request.channel}:
        return request
    there = None if server is None else server.get_channel_or_thread(channel)
    if server is None or there is None:
        raise UserError("That channel is gone.", try_this="Open the desk again with /gm desk.")
    in_thread = isinstance(there, discord.Thread)
    parent = there.parent if isinstance(there, discord.Thread) else there
    found = (there.id, parent.id if in_thread and parent else None, getattr(parent, "category_id", None))
    return replace(
        request,
        places=tuple(place for place in found if place is not None),
        lacks=missing(there.permissions_for(server.me), in_thread=in_thread),
        message=None,
    )


def _pressed(interaction: "discord.Interaction[Any]") -> int | None:
    """The message whose button was pressed, unless one person alone sees it."""
    message = interaction.message
    return None if message is None or message.flags.ephemeral else message.id


def _places(interaction: "discord.Interaction[Any]") -> tuple[int, ...]:
    """Thread, channel and category, nearest first."""
    channel = interaction.channel
    around = channel.parent if isinstance(channel, discord.Thread) else channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    found = (interaction.channel_id, parent, getattr(around, "category_id", None))
    return tuple(place for place in found if place is not None)


KINDS = discord.ChannelType
ROOMS = (KINDS.text, KINDS.voice, KINDS.category, KINDS.news, KINDS.stage_voice, KINDS.forum)
THREADS = (KINDS.news_thread, KINDS.public_thread, KINDS.private_thread)


class _Channel(app_commands.Transformer):
    """A channel transformer that does not need the cache."""

    kinds: tuple[discord.ChannelType, ...]

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> "list[discord.ChannelType]":
        """The kinds offered."""
        return list(self.kinds)

    async def transform(self, _interaction: "discord.Interaction[Any]", value: Any, /) -> Any:
        """Return the value unchanged."""
        return value


class _AnyPlace(_Channel):
    """Any channel to play in: all kinds but media channels, which Discord's API description omits."""

    kinds = (*ROOMS, *THREADS)


class _VoiceRoom(_Channel):
    """A voice channel."""

    kinds = (KINDS.voice, KINDS.stage_voice)


AnyChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread
Place = app_commands.Transform[AnyChannel, _AnyPlace]
Voice = app_commands.Transform[app_commands.AppCommandChannel, _VoiceRoom]
