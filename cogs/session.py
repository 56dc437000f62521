"""Sessions: `/session`."""

from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Closing
from bot.table.gm.gm import require_gm
from bot.table.journal.recap import chronicle, recap
from bot.table.sessions import endings, sessions
from bot.table.sessions.endings import Fights, FightsRun
from bot.ui.commands.desk import AtDesk, answer_there, tell_there
from bot.ui.commands.desk_asks import on_award
from bot.ui.commands.gm_commands import SessionCommands
from bot.ui.commands.meeting_presses import on_meet
from bot.ui.commands.thread_posts import post_in_thread
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.replies.desk_ids import HERE
from bot.ui.replies.recaps import (
    chronicle_file_reply,
    chronicle_reply,
    more_reply,
    recap_file_reply,
    recap_reply,
)
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
ENDINGS = {"end": Fights.ASK, "both": Fights.END, "keep": Fights.KEEP}
LED = {
    "all": 3,
    "story": 2,
    **dict.fromkeys((*ENDINGS, *CLOSINGS), 2),
}


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
    @app_commands.describe(
        number="The session (default: the latest)", show="Show it to everyone here", picture="Add a picture"
    )
    async def recap(
        self,
        interaction: Interaction,
        number: Number | None = None,
        show: bool = False,
        picture: bool = False,
    ) -> None:
        """Show a recap."""
        found = await recap(interaction.client.table, request_of(interaction), number)
        await answer(interaction, recap_reply(found, is_private=not show, is_drawn=picture))


async def on_session(interaction: Interaction, press: Press) -> None:
    """Handle the session buttons: end, settle or waive, cancel, and the recap as a file."""
    what, number = press.argument(0), press.number(1)
    home = press.number_or(LED[what], None) if what in LED else None
    seat = AtDesk(interaction, home or HERE)
    table, request = seat.table, seat.request
    if what == "file":
        await answer(interaction, recap_file_reply(await recap(table, request, number, whole=True)))
    elif what == "more":
        shown = more_reply(await recap(table, request, number), press.number(2))
        await (change if "turn" in press.arguments else answer)(interaction, shown)
    elif what in {"all", "story"}:
        await _show_chronicle(seat, press, home)
    elif what in ENDINGS:
        await _end(seat, number, ENDINGS[what])
    elif what in CLOSINGS:
        done = await endings.settle(table, request, number, CLOSINGS[what])
        preview = await endings.end_preview(table, request)
        await change(interaction, preview_reply(preview, home=seat.home))
        if done is not None:
            await tell_there(seat, done)
    else:
        await change(interaction, closed_preview_reply(number, has_ended=False))


async def _show_chronicle(seat: AtDesk, press: Press, home: int | None) -> None:
    """Show a page of the chronicle, or all of it as a file; what a desk opens is for GMs."""
    if home is not None:
        await require_gm(seat.table, seat.request)
    is_turned = "turn" in press.arguments
    found = await in_time(seat.interaction, chronicle(seat.table, seat.request), adds=not is_turned)
    if press.argument(0) == "story":
        await answer(seat.interaction, chronicle_file_reply(found))
    else:
        shown = chronicle_reply(found, press.number(1), home)
        await (change if is_turned else answer)(seat.interaction, shown)


async def _end(seat: AtDesk, number: int, fights: Fights) -> None:
    """End a session, and post its recap where it was played; ask first about a fight that runs."""
    table, request = seat.table, seat.request
    try:
        ended = await endings.end(table, request, number, fights)
    except FightsRun:
        preview = await endings.end_preview(table, request)
        await change(seat.interaction, preview_reply(preview, home=seat.home))
        return
    await change(seat.interaction, closed_preview_reply(number, has_ended=True))
    if not ended.is_news:
        return
    story = await recap(table, request, number)
    if request.lacks:
        await answer(seat.interaction, replace(ended_reply(ended, story), is_private=True))
    else:
        await answer_there(seat, ended_reply(ended, story))
    await post_in_thread(seat.interaction.client, request.server, ended.thread, story)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("session", on_session)
    bot.presses.add("award", on_award)
    bot.presses.add("meet", on_meet)
    await bot.add_cog(Session())
