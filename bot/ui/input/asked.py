"""Building requests from interactions: who asks, where, and what they may do."""

from dataclasses import replace
from typing import Any

import discord

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request, ServerId
from bot.ui.input.missing_permissions import missing


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
