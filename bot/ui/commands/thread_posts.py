"""Telling a session's start, and its own thread: under the first message, with the recap as the last post."""

import discord
import structlog

from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.journal.recap import Recap, recap
from bot.table.sessions import sessions
from bot.ui.input.answer import answer, post
from bot.ui.input.presses import Interaction
from bot.ui.replies.recaps import recap_reply
from bot.ui.text.reply import Accent, Reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NO_THREAD = (
    "I couldn't start this session's thread: I'm missing Create Public Threads in this channel. "
    "Allow it, or turn the threads off in `/campaign settings`."
)


async def story_before(table: Table, request: Request, number: int) -> Recap | None:
    """What happened in the session before one, or None if that is the first."""
    return await recap(table, request, number - 1) if number > 1 else None


async def start_thread(interaction: Interaction, request: Request, number: int, message: int | None) -> None:
    """Start a session's thread under its first message, if the campaign wants one."""
    table, server = interaction.client.table, interaction.guild
    channel = None if server is None else server.get_channel(request.channel)
    if message is None or server is None or not isinstance(channel, discord.TextChannel):
        return
    if not await sessions.wants_thread(table, request, number):
        return
    if not channel.permissions_for(server.me).create_public_threads:
        await answer(interaction, Reply(text=NO_THREAD, accent=Accent.PARTIAL, is_private=True))
        return
    try:
        thread = await channel.create_thread(name=f"Session {number}", message=discord.Object(message))
    except discord.HTTPException as error:
        log.warning("no thread started", server=request.server, reason=error.text)
    else:
        await sessions.note_thread(table, request, number, thread.id)


async def post_in_thread(client: discord.Client, server: int, thread: int | None, told: Recap) -> None:
    """Post a session's recap as the last post of its thread, if it has one."""
    if thread is None:
        return
    try:
        await post(
            client.get_partial_messageable(thread, guild_id=server), recap_reply(told, is_private=False)
        )
    except discord.HTTPException as error:
        log.warning("recap not posted in its thread", server=server, reason=error.text)
