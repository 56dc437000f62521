"""The messages of results: posting them, showing them where they were pressed, and keeping them right."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from weakref import WeakValueDictionary

import discord
import structlog

from bot.table.base.request import ServerId
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.journal import posted_messages
from bot.table.journal.posted_messages import MessagePlace
from bot.table.requests import gatherings
from bot.ui.input.answer import answer, change, promise_change, repost
from bot.ui.input.presses import Interaction
from bot.ui.live.following import PACE_SECONDS, RETRY_SECONDS, Keeper
from bot.ui.replies.gathering_replies import mark_of, reply_of
from bot.ui.text.reply import Reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_MARKS = 1000  # messages of which it is remembered what they show


class MessageKeeper(Keeper[MessagePlace]):
    """Shows messages as they stand: where they were pressed, and after what happened elsewhere."""

    def __init__(
        self,
        client: discord.Client,
        table: Table,
        *,
        pace_seconds: float = PACE_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        super().__init__(client, table, pace_seconds=pace_seconds, retry_seconds=retry_seconds)
        self._turns: WeakValueDictionary[MessagePlace, asyncio.Lock] = WeakValueDictionary()
        self._marks: OrderedDict[MessagePlace, str] = OrderedDict()

    def turn(self, place: MessagePlace) -> asyncio.Lock:
        """What to hold while changing a message, so that the last change is what it shows."""
        lock = self._turns.get(place)
        if lock is None:
            lock = self._turns[place] = asyncio.Lock()
        return lock

    async def show(self, interaction: Interaction, place: MessagePlace) -> None:
        """Show a message where it was pressed.

        What Discord is shown last is what is true last: one after the other, each as it stands then.
        """
        turn = self.turn(place)
        if turn.locked():
            await promise_change(interaction)
        async with turn:
            whole = await gatherings.whole(self._table, place)
            if whole is None:
                return
            reply = reply_of(whole)
            await change(interaction, reply)
            message = interaction.message
            if message is not None and not message.flags.ephemeral:
                await self.note(place, whole, reply, message.channel.id, message.id)

    async def note(
        self, place: MessagePlace, whole: Result, reply: Reply, channel: int, message: int
    ) -> None:
        """Note where a message is, and what it shows."""
        mark = mark_of(reply)
        self._marks[place] = mark
        self._marks.move_to_end(place)
        while len(self._marks) > MOST_MARKS:
            self._marks.popitem(last=False)
        if whole.gathering is not None:
            await gatherings.note_shown(self._table, place, channel, message, mark)

    async def _every_one(self) -> Iterable[MessagePlace]:
        return await gatherings.every_one(self._table)

    async def _show(self, place: MessagePlace) -> float:
        """Show a message as it should be now; the seconds to rest then."""
        async with self.turn(place):
            standing = await gatherings.standing(self._table, place)
            if standing is None:
                return 0
            reply = reply_of(standing.whole)
            if mark_of(reply) in (standing.shown, self._marks.get(place)):
                return 0
            channel = self._client.get_partial_messageable(standing.channel, guild_id=place.server)
            try:
                await repost(channel.get_partial_message(standing.message), reply)
            except discord.NotFound:  # somebody has deleted it, and it is not posted again
                log.info("message was gone", server=place.server)
                await gatherings.note_shown(self._table, place, standing.channel, None, "")
                return self._pace_seconds
            await self.note(place, standing.whole, reply, standing.channel, standing.message)
        return self._pace_seconds


async def tell(interaction: Interaction, result: Result) -> None:
    """Answer with a result, and note where its message is, so that it follows what becomes of it."""
    reply = reply_of(result)
    message = await answer(interaction, reply)
    if reply.is_private or message is None or interaction.guild_id is None:
        return
    place = MessagePlace(ServerId(interaction.guild_id), result.entry)
    channel, table = interaction.channel_id or 0, interaction.client.table
    if reply.rows:
        await posted_messages.note_posted(table, place, channel, message)
    await interaction.client.messages.note(place, result, reply, channel, message)
