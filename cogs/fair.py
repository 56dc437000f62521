"""The journal and its fairness: `/fair`, `/log`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.base.results import EntryId
from bot.table.journal import log
from bot.table.journal.fairness import fairness
from bot.ui.commands.journals import give_journal
from bot.ui.commands.play import complete_character
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.replies.fairness_replies import fair_reply, how_reply, log_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Fair(commands.Cog):
    """The fairness and journal commands."""

    @app_commands.command(name="fair", description="See the dice seeds and check any roll yourself")
    async def fair(self, interaction: Interaction) -> None:
        """Show the seeds."""
        await _show_seeds(interaction)

    @app_commands.command(name="log", description="Read the log of every roll and change")
    @app_commands.describe(character="Only what this character did")
    @app_commands.autocomplete(character=complete_character)
    async def log(
        self, interaction: Interaction, character: app_commands.Range[str, 1, 100] | None = None
    ) -> None:
        """Show the latest page of the journal."""
        table, request = interaction.client.table, request_of(interaction)
        await answer(interaction, log_reply(await log.page(table, request, character=character)))


async def _show_seeds(interaction: Interaction) -> None:
    found = await fairness(interaction.client.table, request_of(interaction))
    await answer(interaction, fair_reply(found))


async def on_fair(interaction: Interaction, press: Press) -> None:
    """Handle the fairness buttons: the seeds, how to check them, the journal as a file."""
    match press.arguments[0]:
        case "file":
            await give_journal(interaction)
        case "how":
            await answer(interaction, how_reply())
        case _:
            await _show_seeds(interaction)


async def on_log(interaction: Interaction, press: Press) -> None:
    """Turn a page of the journal."""
    before, character = press.number() or None, press.number(1) or None
    found = await log.page(
        interaction.client.table,
        request_of(interaction),
        character=character,
        before=None if before is None else EntryId(before),
    )
    await change(interaction, log_reply(found))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("fair", on_fair)
    bot.presses.add("log", on_log)
    await bot.add_cog(Fair())
