"""The messages of results and shared prompts: posting a result and keeping its message up to date."""

from typing import TYPE_CHECKING

from bot.table.base.request import ServerId
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.journal import posted_messages
from bot.table.journal.posted_messages import MessagePlace
from bot.table.requests import gatherings
from bot.ui.input.answer import TOLD, answer, post
from bot.ui.input.presses import Interaction
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.gathering_replies import mark_of, reply_of
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


async def _load(table: Table, place: MessagePlace) -> Live | None:
    standing = await gatherings.standing(table, place)
    if standing is None:
        return None
    reply = reply_of(standing.whole)
    return Live(
        server=place.server,
        channel=standing.channel,
        message=standing.message,
        shown=standing.shown,
        mark=mark_of(reply),
        draw=lambda _pings: reply,
    )


# They are posted as answers; what somebody has deleted is not posted again.
RESULT_MESSAGE = LiveKind(name="result", rows=gatherings.ROWS, load=_load, posts=False)


async def tell(interaction: Interaction, result: Result) -> None:
    """Answer with a result and store where its message is, so that it can be updated."""
    reply = reply_of(result)
    message = await answer(interaction, reply)
    interaction.extras[TOLD] = True
    if reply.is_private or result.is_blind or message is None or interaction.guild_id is None:
        return
    place = MessagePlace(ServerId(interaction.guild_id), result.entry)
    await _note(interaction.client, place, interaction.channel_id or 0, message, result, reply)


async def post_result(client: "Tablekeeper", server: ServerId, channel: int, result: Result) -> None:
    """Post a result into another channel than the one it was asked for in, and keep it up to date there.

    Raises:
        discord.HTTPException: If Discord does not take it.
    """
    reply = reply_of(result)
    message = await post(client.get_partial_messageable(channel, guild_id=server), reply)
    await _note(client, MessagePlace(server, result.entry), channel, message, result, reply)


async def _note(
    client: "Tablekeeper", place: MessagePlace, channel: int, message: int, result: Result, reply: Reply
) -> None:
    """Note where a result's message is, so that it can be updated."""
    if reply.rows:
        await posted_messages.note_posted(client.table, place, channel, message)
    is_stored = result.gathering is not None
    await client.messages.note(place, channel, message, mark_of(reply), is_stored=is_stored)
