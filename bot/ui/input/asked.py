"""Building requests from interactions: who asks, where, and what they may do."""

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
