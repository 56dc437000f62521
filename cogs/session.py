"""Sessions: `/session`."""

from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Closing
from bot.table.journal.recap import chronicle, recap
from bot.table.sessions import endings, sessions
from bot.ui.commands.award_presses import on_award
from bot.ui.commands.gm_sessions import SessionCommands
from bot.ui.commands.meeting_presses import on_meet
from bot.ui.commands.thread_posts import post_in_thread
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, Press
from bot.ui.live.result_messages import tell
from bot.ui.replies.chronicle_replies import chronicle_file_reply, chronicle_reply
from bot.ui.replies.recaps import more_reply, recap_file_reply, recap_reply
from bot.ui.replies.session_replies import (
    closed_preview_reply,
    ended_reply,
    preview_reply,
    status_reply,
)

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Number = app_commands.Range[int, 1, 100_000]
CLOSINGS = {"settle": Closing.SETTLE, "waive": Closing.WAIVE}


class Session(
    SessionCommands,
    commands.GroupCog,
    group_name="session",
    group_description="Sessions: start and end them, how they stand, and recaps",
):
    """The session commands."""

    @app_commands.command(name="status", description="See the running session and when it ends automatically")
    async def status(self, interaction: Interaction) -> None:
        """Show the running session."""
        found = await sessions.status(interaction.client.table, request_of(interaction))
        await answer(interaction, status_reply(found))

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
    elif what == "more":
        shown = more_reply(await recap(table, request, number), press.number(2))
        await (change if "turn" in press.arguments else answer)(interaction, shown)
    elif what == "all":
        is_turned = "turn" in press.arguments
        found = await in_time(interaction, chronicle(table, request), adds=not is_turned)
        await (change if is_turned else answer)(interaction, chronicle_reply(found, press.number(1)))
    elif what == "story":
        found = await in_time(interaction, chronicle(table, request), adds=True)
        await answer(interaction, chronicle_file_reply(found))
    elif what == "end":
        ended = await endings.end(table, request, number)
        await change(interaction, closed_preview_reply(number, has_ended=True))
        if ended.is_news:
            story = await recap(table, request, number)
            await answer(interaction, replace(ended_reply(ended, story), is_private=bool(request.lacks)))
            await post_in_thread(interaction.client, request.server, ended.thread, story)
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
    bot.presses.add("award", on_award)
    bot.presses.add("meet", on_meet)
    await bot.add_cog(Session())
