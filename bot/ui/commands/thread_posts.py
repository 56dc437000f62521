"""A session's own thread: starting it under the session's first message, and its last post."""

import discord
import structlog

from bot.table.journal.recap import Recap
from bot.table.sessions import session_threads
from bot.ui.input.answer import answer, post
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.replies.recaps import recap_reply
from bot.ui.text.reply import Accent, Reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NO_THREAD = (
    "I couldn't start this session's thread: I'm missing Create Public Threads in this channel. "
    "Allow it, or turn the threads off in `/campaign settings`."
)


async def start_thread(interaction: Interaction, number: int, message: int | None) -> None:
    """Start a session's thread under its first message, if the campaign wants one."""
    table, request, channel = interaction.client.table, request_of(interaction), interaction.channel
    if message is None or not isinstance(channel, discord.TextChannel):
        return
    if not await session_threads.wants_thread(table, request, number):
        return
    if not interaction.app_permissions.create_public_threads:
        await answer(interaction, Reply(text=NO_THREAD, accent=Accent.PARTIAL, is_private=True))
        return
    try:
        thread = await channel.create_thread(name=f"Session {number}", message=discord.Object(message))
    except discord.HTTPException as error:
        log.warning("no thread started", server=request.server, reason=error.text)
    else:
        await session_threads.note_thread(table, request, number, thread.id)


async def post_in_thread(client: discord.Client, server: int, thread: int | None, recap: Recap) -> None:
    """Post a session's recap as the last post of its thread, if it has one."""
    if thread is None:
        return
    try:
        await post(
            client.get_partial_messageable(thread, guild_id=server), recap_reply(recap, is_private=False)
        )
    except discord.HTTPException as error:
        log.warning("recap not posted in its thread", server=server, reason=error.text)
