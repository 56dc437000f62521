"""The GM's commands for corrections and sessions."""

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.table.base.request import posting_notes
from bot.table.campaigns import fields
from bot.table.campaigns import fields as gm_offers
from bot.table.gm import gm
from bot.table.journal.suggest import matching
from bot.table.sessions import endings, sessions
from bot.ui.commands.meeting_presses import ask_plan, plan_for_event
from bot.ui.commands.play import complete_character, completed
from bot.ui.commands.thread_posts import start_thread, story_before
from bot.ui.input.answer import answer
from bot.ui.input.asked import Voice, request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.replies.meeting_replies import find_event, upcoming
from bot.ui.replies.session_replies import preview_reply, started_reply

Name = app_commands.Range[str, 1, 100]
Text = app_commands.Range[str, 0, 500]
Count = app_commands.Range[int, 0, 10_000]
Duration = app_commands.Range[int, 1, 100_000]
Unit = Literal["seconds", "minutes", "hours", "days"]
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


async def _resources(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.resource_choices(interaction.client.table, request_of(interaction), typed)


async def _wounds(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.wound_choices(interaction.client.table, request_of(interaction), typed)


async def _timers(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await gm_offers.timer_choices(interaction.client.table, request_of(interaction), typed, who)


async def _fields(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await fields.field_choices(interaction.client.table, request_of(interaction), typed, who)


async def _field_values(interaction: Interaction, typed: str) -> list[Choice]:
    who, field = interaction.namespace.character or "", interaction.namespace.field or ""
    return await fields.field_values(interaction.client.table, request_of(interaction), typed, who, field)


class CorrectionCommands(app_commands.Group):
    """The GM's correction commands."""

    @app_commands.command(name="resource", description="Set how much of a resource a character has")
    @app_commands.describe(character="The character", resource="The resource", value="The new amount")
    @app_commands.autocomplete(character=complete_character, resource=completed(_resources))
    async def set_resource(
        self, interaction: Interaction, character: Name, resource: Name, value: Count
    ) -> None:
        """Set a resource."""
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await gm.set_resource(table, request, resource, value, character))

    @app_commands.command(name="wounds", description="Set how many boxes of a wound level are filled")
    @app_commands.describe(character="The character", level="The track and level", filled="How many boxes")
    @app_commands.autocomplete(character=complete_character, level=completed(_wounds))
    async def set_wounds(self, interaction: Interaction, character: Name, level: Name, filled: Count) -> None:
        """Set wounds."""
        track, _, name = level.partition("·")
        table, request = interaction.client.table, request_of(interaction)
        result = await gm.set_wounds(table, request, track.strip(), name.strip(), filled, character)
        await tell(interaction, result)

    @app_commands.command(name="timer", description="Change when a timer runs out, or stop it")
    @app_commands.describe(
        character="The character",
        timer="The timer",
        amount="Game time until it runs out (leave out to stop it)",
        unit="The unit of time",
    )
    @app_commands.autocomplete(character=complete_character, timer=completed(_timers))
    async def set_timer(
        self,
        interaction: Interaction,
        character: Name,
        timer: Name,
        amount: Duration | None = None,
        unit: Unit = "minutes",
    ) -> None:
        """Set a timer."""
        seconds = None if amount is None else amount * SECONDS[unit]
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await gm.set_timer(table, request, timer, seconds, character))

    @app_commands.command(name="field", description="Set a field of a character's sheet")
    @app_commands.describe(character="The character", field="The field", value="The new value", reason="Why")
    @app_commands.autocomplete(
        character=complete_character, field=completed(_fields), value=completed(_field_values)
    )
    async def set_field(
        self, interaction: Interaction, character: Name, field: Name, value: Text, reason: Text = ""
    ) -> None:
        """Set a field of a sheet."""
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await fields.set_field(table, request, character, field, value, reason))


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
