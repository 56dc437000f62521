"""The buttons under every result (follow-ups, Details, Undo) and shared prompt, and `/undo`."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.base.access import ForGmOnly, Request
from bot.table.base.live_rows import MessagePlace, place_of
from bot.table.base.results import EntryId, FollowUpId
from bot.table.journal import journal
from bot.table.journal.entries import TooLate
from bot.table.play import play
from bot.table.requests import gatherings
from bot.table.requests.gatherings import Joined
from bot.ui.commands.at_desk import show_rest, show_rest_anew
from bot.ui.input.answer import answer, change
from bot.ui.input.presses import Interaction, Press, given_by, request_of, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.gathering_replies import closer_reply
from bot.ui.replies.result_replies import details_reply, undo_reply
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Undo(commands.Cog):
    """The undo command and the buttons under results."""

    @app_commands.command(name="undo", description="Undo your last change")
    async def undo(self, interaction: Interaction) -> None:
        """Undo the person's own last change."""
        done = await journal.undo(*table_and_request(interaction))
        await answer(interaction, undo_reply(done))


async def do_follow_up(interaction: Interaction, press: Press) -> None:
    """Run a follow-up; the message shows its result, or that it came too late."""
    request, follow_up = request_of(interaction), FollowUpId(press.number())
    table, shown = interaction.client.table, interaction.client.messages
    given, page = given_by(press), press.arguments[1] if len(press.arguments) > 1 else ""
    try:
        pressed = await play.press(table, request, follow_up, given.chosen, given.written)
    except TooLate:
        place = await place_of(table, request.server, follow_up)
        if place is not None and page:
            await show_rest_anew(interaction, place, page)
        elif place is not None:
            await shown.show_pressed(interaction, place)
        raise
    if page:
        await show_rest_anew(interaction, pressed.place, page)
    else:
        await shown.show_pressed(interaction, pressed.place)
    if pressed.is_apart:
        await tell(interaction, pressed.result)


async def on_row(interaction: Interaction, press: Press) -> None:
    """Show the buttons of a result for which its message has no room, or a GM's."""
    await show_rest(interaction, EntryId(press.number()), press.argument(1))


async def show_details(interaction: Interaction, press: Press) -> None:
    """Show the details of a result's dice to whoever asks."""
    request = request_of(interaction)
    result = await journal.entry_result(interaction.client.table, request, EntryId(press.number()))
    await answer(interaction, details_reply(result))


async def undo_here(interaction: Interaction, press: Press) -> None:
    """Undo the result of the message, then update it."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry)
    if isinstance(done, journal.Undone):
        await interaction.client.messages.show_pressed(interaction, done.place)
    else:
        await answer(interaction, undo_reply(done))


async def undo_asked(interaction: Interaction, press: Press) -> None:
    """Undo what somebody asked the GM to undo; the request turns into the answer."""
    request, entry = request_of(interaction), EntryId(press.number())
    together = press.number(1) == 1
    done = await journal.undo(interaction.client.table, request, entry, together=together, is_sure=True)
    if isinstance(done, journal.UndoNeedsGm):
        raise ForGmOnly("Only a GM can press that button.")
    await (change if isinstance(done, journal.Undone) else answer)(interaction, undo_reply(done))


async def undo_surely(interaction: Interaction, press: Press) -> None:
    """Undo after the private question; the question turns into the answer."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry, is_sure=True)
    if isinstance(done, journal.UndoBlocked):
        await change(interaction, undo_reply(done))
        return
    is_asked = isinstance(done, journal.UndoNeedsGm)
    await change(interaction, Reply(text="Sent to the GM." if is_asked else "Undone."))
    await answer(interaction, undo_reply(done))


async def undo_together(interaction: Interaction, press: Press) -> None:
    """Undo an entry together with every later entry that depends on it."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry, together=True)
    await change(
        interaction,
        Reply(text="Sent to the GM." if isinstance(done, journal.UndoNeedsGm) else "All of it is undone."),
    )
    await answer(interaction, undo_reply(done))


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
            found = await gatherings.look_closer(self._bot.table, request_of(interaction), place.entry)
            await change(interaction, closer_reply(found))
            self._bot.messages.refresh(place)


async def look_closer(interaction: Interaction, press: Press) -> None:
    """Show the details of a message's dice, as far as the person may know them."""
    found = await gatherings.look_closer(*table_and_request(interaction), EntryId(press.number()))
    await answer(interaction, closer_reply(found))


async def setup(bot: "Tablekeeper") -> None:
    """Add the command and the button handlers to the bot."""
    prompts = Gatherings(bot)
    bot.presses.add("do", do_follow_up)
    bot.presses.add("row", on_row)
    bot.presses.add("details", show_details)
    bot.presses.add("undo", undo_here)
    bot.presses.add("undogm", undo_asked)
    bot.presses.add("undoall", undo_together)
    bot.presses.add("undosure", undo_surely)
    bot.presses.add("join", prompts.join)
    bot.presses.add("part", prompts.follow_part)
    bot.presses.add("parts", look_closer)
    await bot.add_cog(Undo())
    await bot.add_cog(prompts)
