"""The sheet as controller: `/sheet`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.ui.commands.play import complete_own_character
from bot.ui.commands.sheets import KIND, on_controls, show_controls
from bot.ui.input.presses import Interaction

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]


class Sheet(commands.Cog):
    """The command that opens a character's controls."""

    @app_commands.command(name="sheet", description="Play from your sheet: everything your character can do")
    @app_commands.describe(name="The character (default: yours)")
    @app_commands.autocomplete(name=complete_own_character)
    async def sheet(
        self, interaction: Interaction, name: app_commands.Range[str, 1, 100] | None = None
    ) -> None:
        """Open the controls of a sheet."""
        await show_controls(interaction, name)


async def setup(bot: "Tablekeeper") -> None:
    """Add the command and the handler of its buttons to the bot."""
    bot.presses.add(KIND, on_controls)
    await bot.add_cog(Sheet())
