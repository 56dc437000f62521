"""Messages at which several people press: their buttons, and the watch over what they show."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import structlog
from discord.ext import commands

from bot.rules.mistakes import Mistake
from bot.rules.ruleset import FollowUp
from bot.table import gatherings, play, windows
from bot.table.boards import BoardPlace
from bot.table.errors import StoreUnavailable
from bot.table.gatherings import GatheringPlace, Joined
from bot.table.play import Given
from bot.table.request import Request
from bot.table.results import EntryId, FollowUpId, Result
from bot.ui.answer import answer, ask_form, change, promise_change
from bot.ui.asked import request_of
from bot.ui.gathering_messages import GatheringKeeper, tell
from bot.ui.gatherings import closer_reply, closing_reply, mark_of, reply_of
from bot.ui.presses import Interaction, Press, press_id
from bot.ui.results import form_of

if TYPE_CHECKING:
    from bot.client import Tablekeeper


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Gatherings(commands.Cog):
    """What several people press at.

    Args:
        bot: The bot; on its connection the messages are kept up to date.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._keeper = GatheringKeeper(bot, bot.table, pace_seconds=bot.settings.edit_seconds)
        self._looking: set[asyncio.Task[None]] = set()
        self._end: Callable[[], None] | None = None

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Begins to follow changes, and makes up for those that were missed."""
        if self._end is None:
            self._end = gatherings.listen(self._bot.table, self._follow)
        await self._keeper.refresh_all()

    async def cog_unload(self) -> None:
        """Ends the following."""
        if self._end is not None:
            self._end()
        for task in list(self._looking):
            task.cancel()
        self._keeper.close()

    def _follow(self, place: BoardPlace) -> None:
        task = asyncio.create_task(self._refresh(place))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

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
        table, given = self._bot.table, _given(press)
        await self._press(
            interaction, entry, press, lambda request: gatherings.join(table, request, entry, name, given)
        )

    async def follow_part(self, interaction: Interaction, press: Press) -> None:
        """Do what can be done about somebody's answer."""
        entry, follow_up = EntryId(press.number()), FollowUpId(press.number(1))
        table, given = self._bot.table, _given(press)
        await self._press(
            interaction,
            entry,
            press,
            lambda request: gatherings.follow_part(table, request, entry, follow_up, given),
        )

    async def _press(
        self,
        interaction: Interaction,
        entry: EntryId,
        press: Press,
        deed: Callable[[Request], Awaitable[Joined]],
    ) -> None:
        """Do something at a message while nobody else changes it; then show it as it stands."""
        request = request_of(interaction)
        place = GatheringPlace(request.server, entry)
        turn = self._keeper.turn(place)
        if turn.locked():
            await promise_change(interaction)
        async with turn:
            try:
                joined = await deed(request)
            except play.FormWanted as wanted:
                await _ask(interaction, press, wanted.follow_up)
                return
            except (windows.Shut, gatherings.NoLongerOffered):
                await self._show_again(interaction, place)
                raise
            await self._show(interaction, place, joined.whole)
        if joined.own is not None:
            await tell(interaction, joined.own)
        view = None if joined.whole.gathering is None else joined.whole.gathering.view
        if joined.is_over and view is not None and view.closing:
            await answer(interaction, closing_reply(joined.whole, view))

    async def _show_again(self, interaction: Interaction, place: GatheringPlace) -> None:
        """Show the message as it stands, where something was pressed that is no longer offered."""
        standing = await gatherings.standing(self._bot.table, place)
        if standing is not None:
            await self._show(interaction, place, standing.whole)

    async def _show(self, interaction: Interaction, place: GatheringPlace, whole: Result) -> None:
        """Show it where it was pressed: in its message, or to a person alone who had looked closer."""
        message, reply = interaction.message, reply_of(whole)
        if message is None or message.flags.ephemeral:
            found = await gatherings.look_closer(self._bot.table, request_of(interaction), place.entry)
            await change(interaction, closer_reply(found))
            self._keeper.refresh(place)
            return
        await change(interaction, reply)
        if not reply.is_private:
            await gatherings.note_shown(
                self._bot.table, place, message.channel.id, message.id, mark_of(reply)
            )


def _given(press: Press) -> Given:
    return Given(press.values[0] if press.values else None, press.fields)


async def _ask(interaction: Interaction, press: Press, follow_up: FollowUp) -> None:
    """Open the form that a follow-up asks for; what is sent comes back to the same press."""
    if interaction.response.is_done():
        raise Mistake("Somebody else pressed at the same moment.", try_this="Press again.")
    await ask_form(interaction, form_of(press_id(press.kind, *press.arguments), follow_up))


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
