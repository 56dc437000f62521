"""The server's calendar: scheduled events that sessions begin and end with."""

from datetime import datetime
from typing import Any

import discord

from bot.rules.mistakes import Mistake
from bot.ui.presses import Interaction

Voice = discord.VoiceChannel | discord.StageChannel
OVER = (discord.EventStatus.completed, discord.EventStatus.canceled)
FORBIDDEN = 403


def upcoming(interaction: Interaction) -> list[discord.ScheduledEvent]:
    """The server's events that are not over, the next one first."""
    known = interaction.guild.scheduled_events if interaction.guild else ()
    return sorted((event for event in known if event.status not in OVER), key=lambda event: event.start_time)


def find_event(interaction: Interaction, typed: str | None) -> int | None:
    """The event meant, by id or name; None where nothing is said.

    Raises:
        Mistake: If the server has no such event ahead.
    """
    if typed is None:
        return None
    for event in upcoming(interaction):
        if typed in (str(event.id), event.name):
            return event.id
    raise Mistake(f"There is no scheduled event {typed!r} ahead.", try_this="Choose one of those offered.")


async def schedule_event(
    interaction: Interaction, title: str, begins: datetime, ends: datetime, voice: Voice | None
) -> discord.ScheduledEvent:
    """Put an event into the calendar, held in a voice channel or in the channel asked in.

    Raises:
        Mistake: If Discord does not let the bot.
    """
    if interaction.guild is None:
        raise Mistake("Only servers have a calendar.")
    given: dict[str, Any] = {"entity_type": discord.EntityType.external, "location": "In this server"}
    if isinstance(voice, discord.StageChannel):
        given = {"entity_type": discord.EntityType.stage_instance, "channel": voice}
    elif voice is not None:
        given = {"entity_type": discord.EntityType.voice, "channel": voice}
    try:
        return await interaction.guild.create_scheduled_event(
            name=title[:100],
            start_time=begins,
            end_time=ends,
            privacy_level=discord.PrivacyLevel.guild_only,
            **given,
        )
    except discord.Forbidden:
        raise Mistake(
            "I may not make events in this server.", "I need the permission Create Events for it."
        ) from None
