"""Settings, lists and modules: their pages, and the commands for a module."""

from collections.abc import Mapping, Sequence
from typing import Literal

import discord
from discord import app_commands

from bot.rules.kernel import PACKS, Choice, FileKind
from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import campaign_settings, module_lists, modules
from bot.table.campaigns import campaign_settings as settings_pages
from bot.table.campaigns.module_lists import ListsPage
from bot.table.journal import journal
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of
from bot.ui.live.result_messages import tell
from bot.ui.replies.campaign_replies import module_file_reply, module_reply, setting_form, settings_page_reply
from bot.ui.replies.list_replies import NO_ENTRY, entry_form_of, lists_reply
from bot.ui.replies.result_replies import undo_reply


async def on_list(interaction: Interaction, press: Press) -> None:
    """Handle a press on the lists: open one, or add, change or remove an entry."""
    table, request = interaction.client.table, request_of(interaction)
    campaign, what = press.number(), press.argument(1)
    match what:
        case "home":
            await _home(interaction, campaign)
        case "list":
            await _open(interaction, campaign, press.chosen())
        case "open":
            await _open(interaction, campaign, press.argument(2), press.number(3))
        case "entry":
            await _open(interaction, campaign, press.argument(2), press.number(3), press.chosen())
        case "add" | "change":
            key, page = press.argument(2), press.number(3)
            mark = press.argument(4) if what == "change" else None
            asked = await module_lists.entry_form(table, request, campaign, key, mark)
            await ask_form(interaction, entry_form_of(campaign, key, page, mark, asked))
        case "put":
            key, page, mark = press.argument(2), press.number(3), press.argument(4)
            entry = None if mark == NO_ENTRY else mark
            done = await module_lists.put_entry(table, request, campaign, key, entry, _typed(press))
            await _open(interaction, campaign, key, page, changed=done)
        case "remove":
            key, page = press.argument(2), press.number(3)
            done = await module_lists.remove_entry(table, request, campaign, key, press.argument(4))
            await _open(interaction, campaign, key, page, changed=done)
        case "undo":
            undone = await journal.undo(table, request, EntryId(press.number(4)))
            if isinstance(undone, journal.Undone):
                await _open(interaction, campaign, press.argument(2), press.number(3))
            else:
                await answer(interaction, undo_reply(undone))
        case _:
            raise OutOfDate


def _typed(press: Press) -> Mapping[str, Sequence[str]]:
    """What was typed and chosen in a form, by field."""
    return {**{key: (text,) for key, text in press.fields.items()}, **press.choices}


async def _home(interaction: Interaction, campaign: int) -> None:
    table, request = interaction.client.table, request_of(interaction)
    await change(interaction, lists_reply(await module_lists.open_lists(table, request, campaign)))


async def _open(
    interaction: Interaction,
    campaign: int,
    key: str,
    page: int = 0,
    mark: str | None = None,
    changed: Result | None = None,
) -> None:
    """Show a list or one of its entries, after a change with what was changed."""
    table, request = interaction.client.table, request_of(interaction)
    shown: ListsPage = await module_lists.open_list(table, request, campaign, key, page, mark)
    await change(interaction, lists_reply(shown, changed))


async def show_settings(
    interaction: Interaction, campaign: str | int | None = None, page: int = 0, setting: str | None = None
) -> None:
    """Answer with a page of a campaign's settings, to the person alone."""
    table, request = interaction.client.table, request_of(interaction)
    shown = await settings_pages.open_page(table, request, campaign, page, setting=setting)
    await answer(interaction, settings_page_reply(shown))


async def on_setting(interaction: Interaction, press: Press) -> None:
    """Handle a press on a page of settings: turn to another, or change something."""
    campaign, what, page = press.number(), press.argument(1), press.number(2)
    match what:
        case "start":
            await show_settings(interaction, campaign, page)
        case "rules":
            await show_settings(interaction, campaign, setting=PACKS)
        case "open":
            await _show(interaction, campaign, page)
        case "page":
            await _show(interaction, campaign, number_of(press.chosen()))
        case "to":
            await _set(interaction, campaign, page, press.argument(3), press.argument(4))
        case "pick":
            await _set(interaction, campaign, page, press.argument(3), press.chosen())
        case "reset":
            await _set(interaction, campaign, page, press.chosen(), campaign_settings.DEFAULT)
        case "write":
            await _write(interaction, campaign, page, press.argument(3))
        case "wrote":
            text = press.fields.get("value", "").strip()
            await _set(interaction, campaign, page, press.argument(3), text or campaign_settings.DEFAULT)
        case "undo":
            await _undo(interaction, campaign, page, press.number(3))
        case _:
            raise OutOfDate


async def _show(interaction: Interaction, campaign: int, page: int, changed: Result | None = None) -> None:
    table, request = interaction.client.table, request_of(interaction)
    shown = await settings_pages.open_page(table, request, campaign, page)
    await change(interaction, settings_page_reply(shown, changed))


async def _set(interaction: Interaction, campaign: int, page: int, key: str, text: str) -> None:
    """Set a setting, and show the page with it."""
    table, request = interaction.client.table, request_of(interaction)
    changed = await campaign_settings.set_quietly(table, request, campaign, key, text)
    await _show(interaction, campaign, page, changed)


async def _write(interaction: Interaction, campaign: int, page: int, key: str) -> None:
    """Open the form of a setting."""
    table, request = interaction.client.table, request_of(interaction)
    one = await settings_pages.setting_to_change(table, request, campaign, key)
    await ask_form(interaction, setting_form(campaign, page, one))


async def _undo(interaction: Interaction, campaign: int, page: int, entry: int) -> None:
    """Undo what was changed last, and show the page as it was."""
    done = await journal.undo(interaction.client.table, request_of(interaction), EntryId(entry))
    if isinstance(done, journal.Undone):
        await _show(interaction, campaign, page)
    else:
        await answer(interaction, undo_reply(done))


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
