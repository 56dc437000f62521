"""What stands under every result: doing what follows, looking closer, taking back."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.base.results import EntryId, FollowUpId
from bot.table.base.seats import ForGmOnly
from bot.table.journal import journal, posted_messages
from bot.table.journal.deadlines import TooLate
from bot.table.play import play
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press, given_by
from bot.ui.live.result_messages import tell
from bot.ui.replies.result_replies import details_reply, undo_reply
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Undo(commands.Cog):
    """Taking things back, and the buttons under results."""

    @app_commands.command(name="undo", description="Undo your last change")
    async def undo(self, interaction: Interaction) -> None:
        """Takes back the person's own last change."""
        done = await journal.undo(interaction.client.table, request_of(interaction))
        await answer(interaction, undo_reply(done))


async def do_follow_up(interaction: Interaction, press: Press) -> None:
    """Do what a button under a result says; the message shows what came of it, also of coming too late."""
    request, follow_up = request_of(interaction), FollowUpId(press.number())
    table, shown = interaction.client.table, interaction.client.messages
    given = given_by(press)
    try:
        pressed = await play.press(table, request, follow_up, given.chosen, given.written)
    except TooLate:
        place = await posted_messages.place_of(table, request.server, follow_up)
        if place is not None:
            await shown.show_pressed(interaction, place)
        raise
    await shown.show_pressed(interaction, pressed.place)
    if pressed.is_apart:
        await tell(interaction, pressed.result)


async def show_details(interaction: Interaction, press: Press) -> None:
    """Show everything about a result's dice to whoever asks."""
    request = request_of(interaction)
    result = await journal.entry_result(interaction.client.table, request, EntryId(press.number()))
    await answer(interaction, details_reply(result))


async def undo_here(interaction: Interaction, press: Press) -> None:
    """Undo what the message tells of; it shows what is left of it."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry)
    if isinstance(done, journal.Undone):
        await interaction.client.messages.show_pressed(interaction, done.place)
    else:
        await answer(interaction, undo_reply(done))


async def undo_asked(interaction: Interaction, press: Press) -> None:
    """Take back what somebody asked the GM to take back; the asking becomes the answer."""
    request, entry = request_of(interaction), EntryId(press.number())
    together = press.number(1) == 1
    done = await journal.undo(interaction.client.table, request, entry, together=together, is_sure=True)
    if isinstance(done, journal.UndoNeedsGm):
        raise ForGmOnly("Only a GM can press that button.")
    await (change if isinstance(done, journal.Undone) else answer)(interaction, undo_reply(done))


async def undo_surely(interaction: Interaction, press: Press) -> None:
    """Take back what the person was asked about; the question becomes the answer."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry, is_sure=True)
    if isinstance(done, journal.UndoBlocked):
        await change(interaction, undo_reply(done))
        return
    is_asked = isinstance(done, journal.UndoNeedsGm)
    await change(interaction, Reply(text="Sent to the GM." if is_asked else "Undone."))
    await answer(interaction, undo_reply(done))


async def undo_together(interaction: Interaction, press: Press) -> None:
    """Take back an entry with everything that was built on it, as its blocked undo offered."""
    request, entry = request_of(interaction), EntryId(press.number())
    done = await journal.undo(interaction.client.table, request, entry, together=True)
    await change(
        interaction,
        Reply(text="Sent to the GM." if isinstance(done, journal.UndoNeedsGm) else "All of it is undone."),
    )
    await answer(interaction, undo_reply(done))


async def setup(bot: "Tablekeeper") -> None:
    """Adds the command and the presses to the bot."""
    bot.presses.add("do", do_follow_up)
    bot.presses.add("details", show_details)
    bot.presses.add("undo", undo_here)
    bot.presses.add("undogm", undo_asked)
    bot.presses.add("undoall", undo_together)
    bot.presses.add("undosure", undo_surely)
    await bot.add_cog(Undo())
