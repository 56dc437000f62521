"""The buttons of shared prompts."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from discord.ext import commands

from bot.table.base.live_rows import MessagePlace
from bot.table.base.request import Request
from bot.table.base.results import EntryId, FollowUpId
from bot.table.journal.deadlines import TooLate
from bot.table.requests import gatherings
from bot.table.requests.gatherings import Joined
from bot.ui.commands.at_desk import show_rest_anew
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of, table_and_request
from bot.ui.input.presses import Interaction, Press, given_by
from bot.ui.live.result_messages import tell
from bot.ui.replies.gathering_replies import closer_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Gatherings(commands.Cog):
    """The button handlers of shared prompts.

    Args:
        bot: The bot; its result messages show what was pressed.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot

    async def join(self, interaction: Interaction, press: Press) -> None:
        """Run the action of a button or menu on the message."""
        entry, name = EntryId(press.number()), press.argument(1)
        mark = press.argument(2) if len(press.arguments) > 2 else ""
        page = press.argument(3) if len(press.arguments) > 3 else ""
        table, given = self._bot.table, given_by(press)
        await self._press(
            interaction,
            entry,
            page,
            lambda request: gatherings.join(table, request, entry, name, given, mark),
        )

    async def follow_part(self, interaction: Interaction, press: Press) -> None:
        """Run a follow-up of somebody's answer."""
        entry, follow_up = EntryId(press.number()), FollowUpId(press.number(1))
        page = press.argument(2) if len(press.arguments) > 2 else ""
        table, given = self._bot.table, given_by(press)
        await self._press(
            interaction,
            entry,
            page,
            lambda request: gatherings.follow_part(table, request, entry, follow_up, given),
        )

    async def _press(
        self,
        interaction: Interaction,
        entry: EntryId,
        page: str,
        action: Callable[[Request], Awaitable[Joined]],
    ) -> None:
        """Run an action on a shared prompt, then update its message and the page that was pressed."""
        request = request_of(interaction)
        place = MessagePlace(request.server, entry)
        try:
            joined = await action(request)
        except TooLate:
            await self._show(interaction, place, page)
            raise
        await self._show(interaction, place, page)
        if joined.own is not None:
            await tell(interaction, joined.own)

    async def _show(self, interaction: Interaction, place: MessagePlace, page: str) -> None:
        """Update the message that was pressed: the shared one, or a person's private view of it."""
        message = interaction.message
        if page:
            await show_rest_anew(interaction, place, page)
        elif message is not None and not message.flags.ephemeral:
            await self._bot.messages.show_pressed(interaction, place)
        else:
            await self._show_closer(interaction, place)

    async def _show_closer(self, interaction: Interaction, place: MessagePlace) -> None:
        found = await gatherings.look_closer(self._bot.table, request_of(interaction), place.entry)
        await change(interaction, closer_reply(found))
        self._bot.messages.refresh(place)


async def look_closer(interaction: Interaction, press: Press) -> None:
    """Show the details of a message's dice, as far as the person may know them."""
    found = await gatherings.look_closer(*table_and_request(interaction), EntryId(press.number()))
    await answer(interaction, closer_reply(found))


async def setup(bot: "Tablekeeper") -> None:
    """Add the button handlers to the bot."""
    cog = Gatherings(bot)
    bot.presses.add("join", cog.join)
    bot.presses.add("part", cog.follow_part)
    bot.presses.add("parts", look_closer)
    await bot.add_cog(cog)
