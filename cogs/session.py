"""Sessions: `/session`."""

from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice, Closing
from bot.table.base.posting import posting_notes
from bot.table.journal.recap import recap
from bot.table.journal.suggest import matching
from bot.table.sessions import endings, sessions
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.channel_options import Voice
from bot.ui.input.presses import Interaction, Press
from bot.ui.live.result_messages import tell
from bot.ui.replies.calendar import find_event, upcoming
from bot.ui.replies.recaps import recap_file_reply, recap_reply
from bot.ui.replies.session_replies import (
    closed_preview_reply,
    ended_reply,
    preview_reply,
    started_reply,
    status_reply,
)

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Number = app_commands.Range[int, 1, 100_000]
CLOSINGS = {"settle": Closing.SETTLE, "waive": Closing.WAIVE}
NOT_POSTED = "The recap will be sent only to you:"
EVENT = "End the session with this scheduled event"
VOICE = "End the session when this voice channel is empty"


async def _events(interaction: Interaction, typed: str) -> list[Choice]:
    names = {
        f"{event.name} · {event.start_time:%d %b %H:%M} UTC": str(event.id) for event in upcoming(interaction)
    }
    return [Choice(names[name], name) for name in matching(names, typed)]


def _event_id(interaction: Interaction, typed: str | None) -> int | None:
    return None if typed is None else find_event(interaction, typed).id


class Session(commands.GroupCog, group_name="session", group_description="Sessions: start, end, recap"):
    """The session commands."""

    @app_commands.command(name="start", description="Start a session (GM)")
    @app_commands.describe(event=EVENT, voice=VOICE)
    @app_commands.autocomplete(event=completed(_events))
    async def start(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Start a session."""
        table, request = interaction.client.table, request_of(interaction)
        channel = None if voice is None else voice.id
        started = await sessions.start(table, request, event=_event_id(interaction, event), voice=channel)
        await answer(interaction, started_reply(started))

    @app_commands.command(
        name="link", description="End the session automatically with an event or voice channel (GM)"
    )
    @app_commands.describe(event=EVENT, voice=VOICE)
    @app_commands.autocomplete(event=completed(_events))
    async def link(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Link the running session."""
        table, request = interaction.client.table, request_of(interaction)
        channel = None if voice is None else voice.id
        result = await sessions.link(table, request, event=_event_id(interaction, event), voice=channel)
        await tell(interaction, result)

    @app_commands.command(name="schedule", description="Plan the next session during a scheduled event (GM)")
    @app_commands.describe(event="The scheduled event; the next session ends with it")
    @app_commands.autocomplete(event=completed(_events))
    async def schedule(self, interaction: Interaction, event: Name) -> None:
        """Link the next session to an event."""
        table, request = interaction.client.table, request_of(interaction)
        found = find_event(interaction, event)
        await tell(interaction, await sessions.schedule(table, request, found.id, found.name))

    @app_commands.command(name="status", description="See the running session and when it ends automatically")
    async def status(self, interaction: Interaction) -> None:
        """Show the running session."""
        found = await sessions.status(interaction.client.table, request_of(interaction))
        await answer(interaction, status_reply(found))

    @app_commands.command(name="end", description="Preview the reset, then end the session (GM)")
    async def end(self, interaction: Interaction) -> None:
        """Preview the session's end; the button ends it."""
        request = request_of(interaction)
        preview = await endings.end_preview(interaction.client.table, request)
        await answer(interaction, preview_reply(preview, posting_notes(request, NOT_POSTED)))

    @app_commands.command(name="recap", description="See the recap of a session")
    @app_commands.describe(number="The session (default: the latest)", show="Show it to everyone here")
    async def recap(self, interaction: Interaction, number: Number | None = None, show: bool = False) -> None:
        """Show a recap."""
        found = await recap(interaction.client.table, request_of(interaction), number)
        await answer(interaction, recap_reply(found, is_private=not show))


async def on_session(interaction: Interaction, press: Press) -> None:
    """Handle the session buttons: end, settle or waive, cancel, and the recap as a file."""
    table, request = interaction.client.table, request_of(interaction)
    what, number = press.arguments[0], press.number(1)
    if what == "file":
        await answer(interaction, recap_file_reply(await recap(table, request, number, whole=True)))
    elif what == "end":
        ended = await endings.end(table, request, number)
        await change(interaction, closed_preview_reply(number, has_ended=True))
        if ended.is_news:
            reply = ended_reply(ended, await recap(table, request, number))
            await answer(interaction, replace(reply, is_private=bool(request.lacks)))
    elif what in CLOSINGS:
        done = await endings.settle(table, request, number, CLOSINGS[what])
        await change(interaction, preview_reply(await endings.end_preview(table, request)))
        if done is not None:
            await tell(interaction, done)
    else:
        await change(interaction, closed_preview_reply(number, has_ended=False))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("session", on_session)
    await bot.add_cog(Session())
