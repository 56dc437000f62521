"""The messages of results and shared prompts: posting a result and keeping its message up to date."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog

from bot.table.base.request import ServerId
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.journal import posted_messages
from bot.table.journal.posted_messages import MessagePlace
from bot.table.requests import gatherings
from bot.ui.input.answer import TOLD, answer, post
from bot.ui.input.presses import Interaction
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.gathering_replies import mark_of, reply_of
from bot.ui.text.reply import Button, Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class PostedNotes:
    """Notes of where results have been posted: stored a moment later, many in one transaction.

    A result whose note is lost, with the process or with the database, keeps its buttons: whoever presses
    one says which message it is in.

    Args:
        table: The table.
        wait_seconds: How long a note waits for others.
    """

    def __init__(self, table: Table, *, wait_seconds: float) -> None:
        self._table = table
        self._wait_seconds = wait_seconds
        self._waiting: dict[MessagePlace, tuple[int, int]] = {}
        self._storing = asyncio.Lock()
        self._later: asyncio.Task[None] | None = None

    def add(self, place: MessagePlace, channel: int, message: int) -> None:
        """Note in which channel and message a result has been posted."""
        self._waiting[place] = (channel, message)
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._store_later())

    async def store(self) -> None:
        """Store every note now, and wait for those that are being stored."""
        async with self._storing:
            notes, self._waiting = self._waiting, {}
            if not notes:
                return
            try:
                await posted_messages.note_posted(self._table, notes)
            except StoreUnavailable as error:
                log.warning("not noted where results are", reason=error.reason)

    async def close(self) -> None:
        """Store what is left."""
        await self.store()
        if self._later is not None:
            self._later.cancel()

    async def _store_later(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._wait_seconds)
            await self.store()


def result_messages(notes: PostedNotes) -> LiveKind[MessagePlace]:
    """The messages of results: posted as answers; what somebody has deleted is not posted again.

    Args:
        notes: Where they have been posted.
    """

    async def load(table: Table, place: MessagePlace) -> Live | None:
        await notes.store()
        return await _load(table, place)

    return LiveKind(name="result", rows=gatherings.ROWS, load=load, posts=False)


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


async def tell(interaction: Interaction, result: Result, *more: Button) -> None:
    """Answer with a result (and more buttons) and store where its message is, so that it can be updated."""
    reply = reply_of(result)
    if more:
        reply = replace(reply, rows=(*reply.rows, more))
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
    client.fights.note_newest(channel, message)
    if reply.rows:
        client.posted.add(place, channel, message)
    is_stored = result.gathering is not None
    await client.messages.note_posted(place, channel, message, mark_of(reply), is_stored=is_stored)
