"""Slash commands for a campaign's module: export, import, switch and show."""

from typing import Literal

import discord
from discord import app_commands

from bot.rules.kernel import Choice, FileKind
from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.campaigns import modules
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.text.module_text import module_file_reply, module_reply

Name = app_commands.Range[str, 1, 100]


async def _modules(interaction: Interaction, typed: str) -> list[Choice]:
    return await modules.choices(interaction.client.table, request_of(interaction), typed)


async def _tell(interaction: Interaction, result: Result) -> None:
    await tell(interaction, result)


class ModuleCommands(app_commands.Group):
    """The GM's module commands."""

    @app_commands.command(name="export", description="Get the campaign's module as a file to edit")
    @app_commands.describe(format="The file format")
    async def export_module(self, interaction: Interaction, format: Literal["toml", "json"] = "toml") -> None:
        """Send the module as a file."""
        table, request = interaction.client.table, request_of(interaction)
        await answer(interaction, module_file_reply(await modules.export(table, request, FileKind(format))))

    @app_commands.command(
        name="import", description="Replace the campaign's module with a file; characters stay"
    )
    @app_commands.describe(file="A TOML or JSON file like the one from /gm module export")
    async def import_module(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import a module from a file."""
        if file.size > modules.LARGEST_FILE:
            raise UserError(f"This file is too large ({file.size // 1024} KiB).", "The limit is 256 KiB.")
        await interaction.response.defer(ephemeral=True)  # whatever is wrong with the file is the GM's alone
        table, request = interaction.client.table, request_of(interaction)
        result = await modules.import_(table, request, await file.read(), file.filename)
        await answer(interaction, module_reply(await modules.show(table, request), is_read=True))
        await _tell(interaction, result)

    @app_commands.command(name="use", description="Switch the campaign to another built-in module")
    @app_commands.describe(module="The module")
    @app_commands.autocomplete(module=completed(_modules))
    async def use_module(self, interaction: Interaction, module: Name) -> None:
        """Switch the campaign to another module."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await modules.use(table, request, module))
        await answer(interaction, module_reply(await modules.show(table, request)))

    @app_commands.command(
        name="show", description="See what is in the campaign's module and what doesn't fit it"
    )
    async def show_module(self, interaction: Interaction) -> None:
        """Show a summary of the module."""
        view = await modules.show(interaction.client.table, request_of(interaction))
        await answer(interaction, module_reply(view))
