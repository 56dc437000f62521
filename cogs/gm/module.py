"""A campaign's module: the commands for it, and the pages on which a GM edits its lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands

from bot.rules.kernel import Choice, Column, FileKind
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, with_article
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import modules
from bot.table.journal import journal
from bot.ui.commands.options import completed_by, do
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import LISTS, SETTINGS
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import (
    Block,
    Button,
    ButtonBeside,
    Field,
    Form,
    Look,
    MenuField,
    Picture,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.roll_text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.table.campaigns.modules import EntryForm, ListLine, ListsPage, ModuleFile, ModuleView

Name = app_commands.Range[str, 1, 100]


class ModuleCommands(app_commands.Group):
    """The GM's module commands."""

    @app_commands.command(name="export", description="Get the campaign's module as a file to edit")
    @app_commands.describe(format="The file format")
    async def export_module(self, interaction: Interaction, format: Literal["toml", "json"] = "toml") -> None:
        """Send the module as a file."""
        table, request = table_and_request(interaction)
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
        table, request = table_and_request(interaction)
        result = await modules.import_(table, request, await file.read(), file.filename)
        await answer(interaction, module_reply(await modules.show(table, request), is_read=True))
        await tell(interaction, result)

    @app_commands.command(name="use", description="Switch the campaign to another built-in module")
    @app_commands.describe(module="The module")
    @app_commands.autocomplete(module=completed_by(lambda *asked: modules.choices(*asked)))
    async def use_module(self, interaction: Interaction, module: Name) -> None:
        """Switch the campaign to another module."""
        await do(interaction, modules.use, module)
        await answer(interaction, module_reply(await modules.show(*table_and_request(interaction))))

    @app_commands.command(
        name="show", description="See what is in the campaign's module and what doesn't fit it"
    )
    async def show_module(self, interaction: Interaction) -> None:
        """Show a summary of the module."""
        view = await modules.show(*table_and_request(interaction))
        await answer(interaction, module_reply(view))


async def on_list(interaction: Interaction, press: Press) -> None:
    """Handle a press on the lists: open one, or add, change or remove an entry."""
    table, request = table_and_request(interaction)
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
            asked = await modules.entry_form(table, request, campaign, key, mark)
            await ask_form(interaction, entry_form_of(campaign, key, page, mark, asked))
        case "put":
            key, page, mark = press.argument(2), press.number(3), press.argument(4)
            entry = None if mark == NO_ENTRY else mark
            done = await modules.put_entry(table, request, campaign, key, entry, _typed(press))
            await _open(interaction, campaign, key, page, changed=done)
        case "remove":
            key, page = press.argument(2), press.number(3)
            done = await modules.remove_entry(table, request, campaign, key, press.argument(4))
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
    table, request = table_and_request(interaction)
    await change(interaction, lists_reply(await modules.open_lists(table, request, campaign)))


async def _open(
    interaction: Interaction,
    campaign: int,
    key: str,
    page: int = 0,
    mark: str | None = None,
    changed: Result | None = None,
) -> None:
    """Show a list or one of its entries, after a change with what was changed."""
    table, request = table_and_request(interaction)
    shown: ListsPage = await modules.open_list(table, request, campaign, key, page, mark)
    await change(interaction, lists_reply(shown, changed))


# --- words ---------------------------------------------------------------------------------------

MOST_LINES = 12
MOST_CHARACTERS = 1500


def module_file_reply(file: ModuleFile) -> Reply:
    """The campaign's module as a file."""
    text = f"The module **{escape(file.title)}**. Edit it, then load it with /gm module import."
    return Reply(text=text, files=(Picture(name=file.name, content=file.content),), is_private=True)


def module_reply(view: ModuleView, *, is_read: bool = False) -> Reply:
    """A summary of the campaign's module, and what on the characters doesn't fit it.

    Args:
        is_read: Whether it has just been read from a file.
    """
    head = "The campaign now uses the module in this file." if is_read else ""
    lines = [head, f"**{escape(view.title)}**", *map(escape, view.summary)]
    files: list[Picture] = []
    for title, name, found in (
        ("These no longer fit the module, but stay as they are", "problems", view.problems),
        ("Worth a look", "hints", view.hints),
    ):
        if found:
            shown = _beginning(found)
            lines += [f"-# {title}", *(f"- {escape(line)}" for line in shown)]
            if len(shown) < len(found):
                lines.append(f"- and {len(found) - len(shown)} more, all in {name}.txt")
                files.append(Picture(name=f"{name}.txt", content="\n".join(found).encode()))
    return Reply(text="\n".join(line for line in lines if line), files=tuple(files), is_private=True)


def _beginning(found: tuple[str, ...]) -> tuple[str, ...]:
    """The first few lines."""
    shown, length = 0, 0
    while shown < min(len(found), MOST_LINES) and length + len(found[shown]) <= MOST_CHARACTERS:
        length += len(found[shown])
        shown += 1
    return found[:shown]


LONGEST_VALUE, LONGEST_LINE = 200, 100
NO_ENTRY = "-"
DONE = {"adds": "Added", "changes": "Changed", "removes": "Removed"}


def lists_reply(shown: ListsPage, changed: Result | None = None) -> Reply:
    """A page of lists.

    Args:
        changed: What has just been changed, to be told and undone.
    """
    return private_page(_blocks(shown, changed))


def _id(shown: ListsPage, what: str, *arguments: object) -> str:
    return press_id(LISTS, shown.campaign, what, *arguments)


def _blocks(shown: ListsPage, changed: Result | None) -> Iterator[Block]:
    title = shown.title if shown.entry is None else f"{shown.title}: {escape(shown.entry.name)}"
    yield f"### {title}\n-# {escape(shown.campaign_name)}"
    if changed is not None:
        yield ButtonBeside(_told(changed), Button(id=_undo(shown, changed), label="Undo"))
    if shown.misfits:
        count = counted(shown.misfits, "thing")
        yield f"-# {count} on characters' sheets isn't in the module now, and stays: /gm module show"
    if not shown.key:
        yield from _lists(shown)
    elif shown.entry is None:
        yield from _list(shown)
    else:
        yield from _entry(shown, shown.entry.mark)


def _undo(shown: ListsPage, changed: Result) -> str:
    return _id(shown, "undo", shown.key, shown.page, changed.entry)


def _told(changed: Result) -> str:
    """What has just been done."""
    verb, _, what = changed.message.headline.partition(" ")
    lines = [
        f"{escape(one.what)}: {escape(shorten(one.before, LONGEST_VALUE))} → "
        f"**{escape(shorten(one.after, LONGEST_VALUE))}**"
        for one in changed.message.changes
    ]
    return "\n".join([f"{DONE.get(verb, verb)} {escape(what)}", *lines])


def _choice(one: ListLine) -> Choice:
    about = plain(one.about, LONGEST_LINE) if one.about else ""
    return Choice(one.mark, plain(one.name, LONGEST_LINE), about)


def _lists(shown: ListsPage) -> Iterator[Block]:
    yield "Add, change or remove what your players choose from."
    choices = tuple(_choice(one) for one in shown.lines)
    yield Select(id=_id(shown, "list"), prompt="Open a list …", choices=choices)
    yield (Button(id=press_id(SETTINGS, shown.campaign, "open", 0), label="Settings"),)


def _list(shown: ListsPage) -> Iterator[Block]:
    pages = f" · page {shown.page + 1} of {shown.pages}" if shown.pages > 1 else ""
    yield f"{shown.count} in this list{pages}."
    if shown.lines:
        id_ = _id(shown, "entry", shown.key, shown.page)
        yield Select(id=id_, prompt="Open one …", choices=tuple(_choice(one) for one in shown.lines))
    buttons = [Button(id=_id(shown, "add", shown.key, shown.page), label="Add …", look=Look.GOOD)]
    if shown.pages > 1:
        turn = (shown.page + 1) % shown.pages
        buttons.append(Button(id=_id(shown, "open", shown.key, turn), label="Next page"))
    buttons.append(Button(id=_id(shown, "home"), label="Lists"))
    yield tuple(buttons)


def _entry(shown: ListsPage, mark: str) -> Iterator[Block]:
    yield "\n".join(
        f"**{title}:** {escape(shorten(value, LONGEST_VALUE)) or '–'}" for title, value in shown.fields
    )
    yield (
        Button(id=_id(shown, "change", shown.key, shown.page, mark), label="Change …", look=Look.MAIN),
        Button(id=_id(shown, "remove", shown.key, shown.page, mark), label="Remove", look=Look.GRAVE),
        Button(id=_id(shown, "open", shown.key, shown.page), label="Back"),
    )


def entry_form_of(campaign: int, key: str, page: int, mark: str | None, asked: EntryForm) -> Form:
    """The form of an entry: a new one, or one that is there."""
    verb = "Add" if mark is None else "Change"
    return Form(
        id=press_id(LISTS, campaign, "put", key, page, mark or NO_ENTRY),
        title=plain(f"{verb} {with_article(asked.noun)}", 45),
        fields=tuple(_field(column, typed) for column, typed in asked.columns),
    )


def _field(column: Column, typed: tuple[str, ...]) -> Field | MenuField:
    if column.choices:
        return MenuField(
            key=column.key,
            label=plain(column.title, 45),
            note=column.note,
            choices=column.choices,
            most=column.most,
            chosen=typed,
        )
    return Field(
        key=column.key,
        label=plain(column.title, 45),
        note=column.note,
        value=typed[0] if typed else "",
        longest=column.longest,
        is_required=column.is_required,
        is_long=column.longest > LONGEST_LINE,
    )
