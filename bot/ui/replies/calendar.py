"""The server's scheduled events, which sessions can be linked to."""

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
