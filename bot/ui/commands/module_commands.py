"""Slash commands for a campaign's module: out as a file, in again, another one, and what is in it."""

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
    """What a GM does with the campaign's module."""

    @app_commands.command(name="export", description="GM: get the campaign's module as a file to change")
    @app_commands.describe(format="How it is written")
    async def export_module(self, interaction: Interaction, format: Literal["toml", "json"] = "toml") -> None:
        """Gives the module as a file."""
        table, request = interaction.client.table, request_of(interaction)
        await answer(interaction, module_file_reply(await modules.export(table, request, FileKind(format))))

    @app_commands.command(name="import", description="GM: play by the module in a file; characters stay")
    @app_commands.describe(file="A TOML or JSON file, like the one /gm module export makes")
    async def import_module(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Reads a module."""
        if file.size > modules.LARGEST_FILE:
            raise UserError(f"That file is too large ({file.size // 1024} KiB).", "At most 256 KiB are read.")
        await interaction.response.defer(ephemeral=True)  # whatever is wrong with the file is the GM's alone
        table, request = interaction.client.table, request_of(interaction)
        result = await modules.import_(table, request, await file.read(), file.filename)
        await answer(interaction, module_reply(await modules.show(table, request), is_read=True))
        await _tell(interaction, result)

    @app_commands.command(name="use", description="GM: play by another of the modules that come with the bot")
    @app_commands.describe(module="Which one")
    @app_commands.autocomplete(module=completed(_modules))
    async def use_module(self, interaction: Interaction, module: Name) -> None:
        """Changes the module."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await modules.use(table, request, module))
        await answer(interaction, module_reply(await modules.show(table, request)))

    @app_commands.command(
        name="show", description="GM: see what the campaign's module holds, and what does not fit"
    )
    async def show_module(self, interaction: Interaction) -> None:
        """Shows the module in short."""
        view = await modules.show(interaction.client.table, request_of(interaction))
        await answer(interaction, module_reply(view))
