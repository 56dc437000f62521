"""Messages at which several people press: their buttons, and the watch over what they show."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING

import structlog
from discord.ext import commands

from bot.table.base.request import Request
from bot.table.base.results import EntryId, FollowUpId
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.journal import posted_messages
from bot.table.journal.deadlines import TooLate
from bot.table.journal.posted_messages import MessagePlace
from bot.table.play.boards import BoardPlace
from bot.table.requests import gatherings
from bot.table.requests.gatherings import Joined
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press, given_by
from bot.ui.live.result_messages import tell
from bot.ui.replies.gathering_replies import closer_reply, closing_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Gatherings(commands.Cog):
    """What several people press at.

    Args:
        bot: The bot; on its connection the messages are kept up to date.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._keeper = bot.messages
        self._looking: set[asyncio.Task[None]] = set()
        self._ends: list[Callable[[], None]] = []

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Begins to follow changes, and makes up for those that were missed."""
        if not self._ends:
            self._ends = [
                gatherings.listen(self._bot.table, self._follow),
                posted_messages.listen(self._bot.table, self._show_turned),
            ]
        await self._keeper.refresh_all()

    async def settled(self) -> None:
        """Wait until everything that was heard of is shown."""
        while self._looking:
            await asyncio.wait(list(self._looking))
        await self._keeper.settled()

    async def cog_unload(self) -> None:
        """Ends the following."""
        for end in self._ends:
            end()
        for task in list(self._looking):
            task.cancel()
        self._keeper.close()

    def _follow(self, place: BoardPlace) -> None:
        self._look(self._refresh(place))

    def _show_turned(self, place: MessagePlace) -> None:
        self._look(self._refresh_turned(place))

    def _look(self, looking: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(looking)
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _refresh_turned(self, turned: MessagePlace) -> None:
        """Bring the message up to date in which something was undone, or stands again."""
        try:
            self._keeper.refresh(await posted_messages.place_with(self._bot.table, turned))
        except StoreUnavailable as error:
            log.warning("undo not followed", reason=error.reason)

    async def _refresh(self, campaign: BoardPlace) -> None:
        try:
            places = await gatherings.those_of(self._bot.table, campaign)
        except StoreUnavailable as error:  # the next change, or the next start, makes up for it
            log.warning("gatherings not followed", reason=error.reason)
            return
        for place in places:
            self._keeper.refresh(place)

    async def join(self, interaction: Interaction, press: Press) -> None:
        """Do what a button or a menu of the message says."""
        entry, name = EntryId(press.number()), press.argument(1)
        mark = press.argument(2) if len(press.arguments) > 2 else ""
        table, given = self._bot.table, given_by(press)
        await self._press(
            interaction, entry, lambda request: gatherings.join(table, request, entry, name, given, mark)
        )

    async def follow_part(self, interaction: Interaction, press: Press) -> None:
        """Do what can be done about somebody's answer."""
        entry, follow_up = EntryId(press.number()), FollowUpId(press.number(1))
        table, given = self._bot.table, given_by(press)
        await self._press(
            interaction,
            entry,
            lambda request: gatherings.follow_part(table, request, entry, follow_up, given),
        )

    async def _press(
        self, interaction: Interaction, entry: EntryId, deed: Callable[[Request], Awaitable[Joined]]
    ) -> None:
        """Do something at a message, at once; then show the message as it stands."""
        request = request_of(interaction)
        place = MessagePlace(request.server, entry)
        try:
            joined = await deed(request)
        except TooLate:
            await self._show(interaction, place)
            raise
        await self._show(interaction, place)
        if joined.own is not None:
            await tell(interaction, joined.own)
        view = None if joined.whole.gathering is None else joined.whole.gathering.view
        if joined.is_over and view is not None and view.closing:
            await answer(interaction, closing_reply(joined.whole, view))

    async def _show(self, interaction: Interaction, place: MessagePlace) -> None:
        """Show it where it was pressed: in its message, or to a person alone who had looked closer."""
        message = interaction.message
        if message is not None and not message.flags.ephemeral:
            await self._keeper.show(interaction, place)
            return
        found = await gatherings.look_closer(self._bot.table, request_of(interaction), place.entry)
        await change(interaction, closer_reply(found))
        self._keeper.refresh(place)


async def look_closer(interaction: Interaction, press: Press) -> None:
    """Show everything about the dice of a message to whoever asks, as far as they may know."""
    found = await gatherings.look_closer(
        interaction.client.table, request_of(interaction), EntryId(press.number())
    )
    await answer(interaction, closer_reply(found))


async def setup(bot: "Tablekeeper") -> None:
    """Adds the presses and the watch to the bot."""
    cog = Gatherings(bot)
    bot.presses.add("join", cog.join)
    bot.presses.add("part", cog.follow_part)
    bot.presses.add("parts", look_closer)
    await bot.add_cog(cog)
