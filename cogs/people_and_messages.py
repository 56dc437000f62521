"""Context menus: what Discord offers on a person (*Apps* in their menu) and on a message."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId
from bot.table.characters import characters
from bot.table.characters.seats import NotTheirs
from bot.table.journal import journal
from bot.table.requests import asking_page
from bot.ui.commands.asking import ASK_FOR, ASKS, call_by_form, check_form, on_asks, open_asks
from bot.ui.commands.sheets import show_controls
from bot.ui.input.answer import answer, ask_form
from bot.ui.input.presses import VERSION, Interaction, Press, read_press, table_and_request
from bot.ui.replies.result_replies import undo_reply
from bot.ui.replies.sheets import sheet_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

DETAILS = ("details", "parts")  # the kinds of a result's button and of a shared prompt's


async def show_sheet(interaction: Interaction, person: discord.Member) -> None:
    """Show the sheet of the character that a person plays; its player and a GM can play from it."""
    if person.id == interaction.user.id:
        await show_controls(interaction, None)
        return
    table, request = table_and_request(interaction)
    view = await characters.sheet_of(table, request, person.id, person.display_name)
    try:
        await show_controls(interaction, view.id)
    except NotTheirs:
        await answer(interaction, sheet_reply(view, is_private=True))


async def open_check_form(interaction: Interaction, person: discord.Member) -> None:
    """Ask the GM which check a person's character should make; on the GM's own name, show all requests."""
    if person.id == interaction.user.id:
        await open_asks(interaction)
        return
    table, request = table_and_request(interaction)
    offer = await asking_page.offered_checks(table, request, person.id, person.display_name)
    if not offer.checks:
        raise UserError("This game has no checks to choose from.", try_this="Use /gm ask.")
    await ask_form(interaction, check_form(offer))


async def undo_message(interaction: Interaction, message: discord.Message) -> None:
    """Undo what a message shows, as its own button would."""
    press = _press_under(interaction, message, ("undo",))
    if press is None:
        raise UserError(
            "There is nothing to undo in this message.", try_this="See /log for what you can undo."
        )
    done = await journal.undo(*table_and_request(interaction), EntryId(press.number()))
    await answer(interaction, undo_reply(done))


async def show_message_details(interaction: Interaction, message: discord.Message) -> None:
    """Show the details of a message's dice, as its own button would."""
    press = _press_under(interaction, message, DETAILS)
    if press is None:
        raise UserError("There are no dice to explain in this message.", try_this="Use it on a roll.")
    await interaction.client.presses.handle(interaction, press, VERSION)


def _press_under(interaction: Interaction, message: discord.Message, kinds: Iterable[str]) -> Press | None:
    """The button of one of these kinds under a message of the bot's own."""
    own = interaction.client.user
    if own is None or message.author.id != own.id:
        raise UserError(
            "This isn't one of my messages.", try_this="Use it on the message of a roll or change."
        )
    presses = (read_press(id_) for id_ in _ids(message.components))
    return next((one for one in presses if one is not None and one.kind in kinds), None)


def _ids(components: Iterable[Any]) -> Iterator[str]:
    """The ids of the buttons under a message, however they are nested."""
    for one in components:
        if getattr(one, "custom_id", None):
            yield one.custom_id
        yield from _ids(getattr(one, "children", ()))
        yield from _ids(filter(None, [getattr(one, "accessory", None)]))


class Menus(commands.Cog):
    """The commands on people and messages.

    Args:
        bot: The bot that offers them.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._menus: list[app_commands.ContextMenu] = [
            app_commands.ContextMenu(name="Sheet", callback=show_sheet),
            app_commands.ContextMenu(name="Ask for a check", callback=open_check_form),
            app_commands.ContextMenu(name="Undo this", callback=undo_message),
            app_commands.ContextMenu(name="Details", callback=show_message_details),
        ]

    async def cog_load(self) -> None:
        """Add the commands to the bot."""
        for menu in self._menus:
            self._bot.tree.add_command(menu)

    async def cog_unload(self) -> None:
        """Remove the commands."""
        for menu in self._menus:
            self._bot.tree.remove_command(menu.name, type=menu.type)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the form's handler to the bot."""
    bot.presses.add(ASK_FOR, call_by_form)
    bot.presses.add(ASKS, on_asks)
    await bot.add_cog(Menus(bot))
