"""The messages at which several people press: telling of them, and following what they show."""

import asyncio
from weakref import WeakValueDictionary

import discord
import structlog

from bot.table import autopress, gatherings
from bot.table.gatherings import GatheringPlace
from bot.table.request import ServerId
from bot.table.results import Result
from bot.table.table import Table
from bot.ui.answer import answer, repost
from bot.ui.following import RETRY_SECONDS, Following
from bot.ui.gatherings import mark_of, reply_of
from bot.ui.presses import Interaction

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PACE_SECONDS = 1.25  # Discord takes five edits in five seconds in a channel


class GatheringKeeper:
    """Edits messages at which several people press, after what happened elsewhere.

    Args:
        client: The connection to Discord.
        table: Whose they are.
        pace_seconds: The least time between two edits of a message.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self,
        client: discord.Client,
        table: Table,
        *,
        pace_seconds: float = PACE_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._client = client
        self._table = table
        self._pace_seconds = pace_seconds
        self._following: Following[GatheringPlace] = Following(self._show, retry_seconds=retry_seconds)
        self._turns: WeakValueDictionary[GatheringPlace, asyncio.Lock] = WeakValueDictionary()

    def turn(self, place: GatheringPlace) -> asyncio.Lock:
        """What to hold while changing a message, so that the last change is what it shows."""
        lock = self._turns.get(place)
        if lock is None:
            lock = self._turns[place] = asyncio.Lock()
        return lock

    def refresh(self, place: GatheringPlace) -> None:
        """Bring a message up to date soon."""
        self._following.refresh(place)

    async def refresh_all(self) -> None:
        """Bring every message up to date, also those that changed while nobody looked."""
        for place in await gatherings.every_one(self._table):
            self.refresh(place)

    async def settled(self) -> None:
        """Wait until no message is being brought up to date."""
        await self._following.settled()

    def close(self) -> None:
        """Let go of everything; the next start makes up for it."""
        self._following.close()

    async def _show(self, place: GatheringPlace) -> float:
        """Show a message as it should be now; the seconds to rest then."""
        async with self.turn(place):
            standing = await gatherings.standing(self._table, place)
            if standing is None:
                return 0
            reply = reply_of(standing.whole)
            mark = mark_of(reply)
            if standing.shown == mark:
                return 0
            channel = self._client.get_partial_messageable(standing.channel, guild_id=place.server)
            message: int | None = standing.message
            try:
                await repost(channel.get_partial_message(standing.message), reply)
            except discord.NotFound:  # somebody has deleted it, and it is not posted again
                log.info("gathering was gone", server=place.server)
                message = None
            await gatherings.note_shown(self._table, place, standing.channel, message, mark)
        return self._pace_seconds


async def tell(interaction: Interaction, result: Result) -> None:
    """Answer with a result; where several people press at it, its message follows it from then on.

    Where something under it presses itself, the message is noted, so that it can lose that.
    """
    reply = reply_of(result)
    message = await answer(interaction, reply)
    if reply.is_private or message is None or interaction.guild_id is None:
        return
    place = GatheringPlace(ServerId(interaction.guild_id), result.entry)
    if any(one.follow_up.after_seconds for one in result.follow_ups):
        await autopress.note_message(interaction.client.table, place.server, result.entry, message)
    if result.gathering is None:
        return
    channel = interaction.channel_id or 0
    await gatherings.note_shown(interaction.client.table, place, channel, message, mark_of(reply))
