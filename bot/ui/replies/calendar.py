"""The server's scheduled events, which sessions can be linked to."""

import contextlib
from datetime import datetime

import discord

from bot.rules.kernel.errors import UserError
from bot.ui.input.presses import Interaction

OVER = (discord.EventStatus.completed, discord.EventStatus.canceled)


def upcoming(interaction: Interaction) -> list[discord.ScheduledEvent]:
    """The server's upcoming and running events, the next one first."""
    known = interaction.guild.scheduled_events if interaction.guild else ()
    return sorted((event for event in known if event.status not in OVER), key=lambda event: event.start_time)


def find_event(interaction: Interaction, typed: str) -> discord.ScheduledEvent:
    """Find an event by id or name.

    Raises:
        UserError: If the server has no such event ahead.
    """
    for event in upcoming(interaction):
        if typed in (str(event.id), event.name):
            return event
    raise UserError(
        f"There is no upcoming event “{typed}”.",
        try_this="Create it in the server's calendar, then choose it here.",
    )


class NotInCalendar(Exception):
    """The bot could not make an event; its text says what is missing."""


async def add_event(
    interaction: Interaction, name: str, starts_at: datetime, ends_at: datetime, voice: int
) -> int:
    """Make an event in the server's calendar and return its id.

    Args:
        interaction: What asks for it.
        name: Its name.
        starts_at: When it begins.
        ends_at: When it ends.
        voice: The voice channel it is held in, or 0.

    Raises:
        NotInCalendar: If the bot may not, or Discord refuses.
    """
    server = interaction.guild
    if server is None or not server.me.guild_permissions.create_events:
        raise NotInCalendar("I'm missing Create Events (Server Settings > Roles > my role).")
    try:
        if voice:
            event = await server.create_scheduled_event(
                name=name,
                start_time=starts_at,
                end_time=ends_at,
                entity_type=discord.EntityType.voice,
                privacy_level=discord.PrivacyLevel.guild_only,
                channel=discord.Object(voice),
            )
        else:
            event = await server.create_scheduled_event(
                name=name,
                start_time=starts_at,
                end_time=ends_at,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                location=f"#{getattr(interaction.channel, 'name', 'here')}"[:100],
            )
    except discord.HTTPException as error:
        raise NotInCalendar(f"Discord refused it ({error.text or error.status}).") from error
    return event.id


async def remove_event(interaction: Interaction, event: int | None) -> None:
    """Take an event out of the calendar if the bot made it; others' events stay."""
    found = (
        None if event is None or interaction.guild is None else interaction.guild.get_scheduled_event(event)
    )
    if found is not None and found.creator_id == interaction.client.application_id:
        with contextlib.suppress(discord.HTTPException):
            await found.delete()
