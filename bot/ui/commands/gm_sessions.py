"""The part of `/session` that only a GM uses."""

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.table.base.posting import posting_notes
from bot.table.journal.suggest import matching
from bot.table.sessions import endings, sessions
from bot.ui.commands.meeting_presses import ask_plan, plan_for_event
from bot.ui.commands.play import completed
from bot.ui.commands.thread_posts import start_thread, story_before
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.channel_options import Voice
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.replies.calendar import find_event, upcoming
from bot.ui.replies.session_replies import preview_reply, started_reply

Name = app_commands.Range[str, 1, 100]
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


class SessionCommands(commands.Cog):
    """The part of `/session` that starts, plans and ends sessions; for GMs."""

    @app_commands.command(name="start", description="Start a session")
    @app_commands.describe(event=EVENT, voice=VOICE)
    @app_commands.autocomplete(event=completed(_events))
    async def start(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Start a session."""
        table, request = interaction.client.table, request_of(interaction)
        channel = None if voice is None else voice.id
        started = await sessions.start(table, request, event=_event_id(interaction, event), voice=channel)
        before = await story_before(table, request, started.number)
        message = await answer(interaction, started_reply(started, before))
        await start_thread(interaction, request, started.number, message)

    @app_commands.command(
        name="link", description="End the session automatically with an event or voice channel"
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

    @app_commands.command(name="schedule", description="Plan the next session, in the calendar too")
    @app_commands.describe(
        event="An event of the calendar to play in; leave out to make one",
        voice="The voice channel of the new event",
    )
    @app_commands.autocomplete(event=completed(_events))
    async def schedule(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Plan the next session: in a form, or for an event that is there."""
        if event is None:
            await ask_plan(interaction, 0 if voice is None else voice.id)
        else:
            await plan_for_event(interaction, find_event(interaction, event))

    @app_commands.command(name="end", description="Preview the reset, then end the session")
    async def end(self, interaction: Interaction) -> None:
        """Preview the session's end; the button ends it."""
        request = request_of(interaction)
        preview = await endings.end_preview(interaction.client.table, request)
        await answer(interaction, preview_reply(preview, posting_notes(request, NOT_POSTED)))
