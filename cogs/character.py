"""Characters: `/character` and the creation wizard."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.errors import UserError
from bot.table.base.live_rows import MessagePlace
from bot.table.base.results import EntryId, Result
from bot.table.characters import character_files, characters, creation_pages
from bot.table.characters.characters import Listed, ReadyHero, SheetView
from bot.table.journal import suggest
from bot.ui.commands.options import complete_character, complete_own_character, completed_by, do
from bot.ui.commands.sheets import show_controls, turn_to_controls
from bot.ui.input.answer import answer, ask_form, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, request_of, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import JOIN
from bot.ui.replies.sheets import (
    another_name_form,
    blanks_form,
    heroes_reply,
    page_reply,
    section_text,
    sheet_reply,
)
from bot.ui.text.reply import (
    Accent,
    Button,
    Divider,
    Picture,
    Reply,
    Row,
    private_page,
)
from bot.ui.text.roll_text import escape

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]


class Character(commands.GroupCog, group_name="character", group_description="Characters and their sheets"):
    """The character commands, the same in every game."""

    @app_commands.command(name="create", description="Make a character, step by step or ready-made")
    @app_commands.describe(
        ready="A ready-made character to play right away",
        name="A different name for the ready-made character",
    )
    @app_commands.autocomplete(ready=completed_by(suggest.ready_made))
    async def create(
        self, interaction: Interaction, ready: Name | None = None, name: Name | None = None
    ) -> None:
        """Open the wizard, or create a ready-made character."""
        table, request = table_and_request(interaction)
        if ready is None:
            page = await in_time(interaction, creation_pages.begin(table, request), adds=True)
            await answer(interaction, page_reply(page))
        else:
            result = await characters.take_ready_made(table, request, ready, name)
            await tell(interaction, result)
            if not result.waiting:
                await show_controls(interaction)

    @app_commands.command(name="sheet", description="Show a character's sheet")
    @app_commands.describe(name="The character (default: yours)", show="Show it to everyone here")
    @app_commands.autocomplete(name=complete_character)
    async def sheet(self, interaction: Interaction, name: Name | None = None, show: bool = False) -> None:
        """Show a sheet."""
        view = await characters.sheet(*table_and_request(interaction), name)
        await answer(interaction, sheet_reply(view, is_private=not show))

    @app_commands.command(name="list", description="List the characters in this campaign")
    async def list(self, interaction: Interaction) -> None:
        """List the campaign's characters."""
        await answer(interaction, listing_reply(await _listing(interaction)))

    @app_commands.command(name="use", description="Choose which of your characters you play")
    @app_commands.describe(name="The character")
    @app_commands.autocomplete(name=complete_own_character)
    async def use(self, interaction: Interaction, name: Name) -> None:
        """Choose the character you play."""
        await do(interaction, characters.use, name)

    @app_commands.command(name="rename", description="Rename your character")
    @app_commands.describe(name="The character", to="The new name")
    @app_commands.autocomplete(name=complete_own_character)
    async def rename(self, interaction: Interaction, name: Name, to: Name) -> None:
        """Rename a character."""
        await do(interaction, characters.rename, name, to)

    @app_commands.command(name="retire", description="Retire your character (you can undo this)")
    @app_commands.describe(name="The character")
    @app_commands.autocomplete(name=complete_own_character)
    async def retire(self, interaction: Interaction, name: Name) -> None:
        """Retire a character."""
        await do(interaction, characters.retire, name)

    @app_commands.command(name="export", description="Download your character as a file")
    @app_commands.describe(name="The character (default: yours)")
    @app_commands.autocomplete(name=complete_own_character)
    async def export(self, interaction: Interaction, name: Name | None = None) -> None:
        """Export a character as a file."""
        request = request_of(interaction)
        called, content = await character_files.export(interaction.client.table, request, name)
        file = Picture(name="character.json", content=content)
        await answer(
            interaction,
            Reply(text=f"Here is **{escape(called)}** as a file.", files=(file,), is_private=True),
        )

    @app_commands.command(name="import", description="Make a character from a file")
    @app_commands.describe(file="A file from /character export", name="A different name for the character")
    async def import_(
        self, interaction: Interaction, file: discord.Attachment, name: Name | None = None
    ) -> None:
        """Import a character from a file."""
        if file.size > character_files.LARGEST_FILE:
            raise UserError(f"This file is too large ({file.size // 1024} KiB).", "The limit is 256 KiB.")
        await interaction.response.defer(ephemeral=True)  # whatever is wrong with the file is theirs alone
        content = await file.read()
        request = request_of(interaction)
        result = await character_files.import_(interaction.client.table, request, content, name)
        is_waiting = result.waiting is not None
        text = (
            "Character read. A GM must approve it before it joins." if is_waiting else "Character imported."
        )
        await answer(interaction, Reply(text=text, is_private=True))
        await tell(interaction, result)


async def _listing(interaction: Interaction) -> "list[characters.Listed]":
    return await characters.listing(*table_and_request(interaction))


async def turn_sheet(interaction: Interaction, press: Press) -> None:
    """Turn a page of a sheet."""
    view = await characters.sheet(*table_and_request(interaction), press.number())
    await change(interaction, sheet_reply(view, press.number(1)))


async def turn_list(interaction: Interaction, press: Press) -> None:
    """Turn a page of the list of characters."""
    await change(interaction, listing_reply(await _listing(interaction), press.number()))


async def on_draft(interaction: Interaction, press: Press) -> None:
    """Handle presses, choices and forms in the wizard."""
    table, request = table_and_request(interaction)
    draft, what = press.number(), press.argument(1)
    match what:
        case "pick":
            key, leaf = press.argument(2), press.number_or(3, 0)
            page = await creation_pages.pick(table, request, draft, key, press.values, leaf)
            await change(interaction, page_reply(page, key, leaf))
            return
        case "leaf":
            page = await creation_pages.opened(table, request, draft)
            await change(interaction, page_reply(page, press.argument(2), press.number(3)))
            return
        case "throw":
            thrown = await creation_pages.throw(table, request, draft, press.argument(2))
            await change(interaction, page_reply(thrown.page))
            if thrown.result is not None:
                await tell(interaction, thrown.result)
            return
        case "rest":
            page = await creation_pages.spend_rest(table, request, draft, press.argument(2))
        case "turn":
            page = await creation_pages.turn(table, request, draft, press.argument(2))
        case "wrote":
            page = await creation_pages.write(table, request, draft, press.argument(2), press.fields)
        case "write":
            page, is_asked = await creation_pages.to_write(table, request, draft, press.argument(2))
            if is_asked:
                await ask_form(interaction, blanks_form(page))
                return
        case "finish":
            result = await creation_pages.finish(table, request, draft)
            await _show_joined(interaction, result)
            return
        case "drop":
            await creation_pages.throw_away(table, request, draft)
            await change(interaction, Reply(blocks=("The unfinished character was discarded.",)))
            return
        case _:
            raise OutOfDate
    await change(interaction, page_reply(page))


async def on_join(interaction: Interaction, press: Press) -> None:
    """Join the campaign played here: see its ready-made heroes, take one, or begin one's own character."""
    table, request = table_and_request(interaction)
    match press.argument(0):
        case "ready":
            await _answer_alone(interaction, characters.ready_heroes(table, request), heroes_reply)
        case "make":
            await _answer_alone(interaction, creation_pages.begin(table, request), page_reply)
        case "take":
            heroes = await characters.ready_heroes(table, request)
            which = _place_of(heroes, press.chosen())
            if heroes[which].is_taken:
                await ask_form(interaction, another_name_form(which, heroes[which]))
            else:
                await _take(interaction, heroes[which].name)
        case "named":
            heroes = await characters.ready_heroes(table, request)
            which = press.number(1)
            if which >= len(heroes):
                raise OutOfDate
            await _take(interaction, heroes[which].name, press.fields.get("name", ""))
        case _:
            raise OutOfDate


def _place_of(heroes: Sequence[ReadyHero], name: str) -> int:
    names = [one.name for one in heroes]
    if name not in names:
        raise OutOfDate
    return names.index(name)


T = TypeVar("T")


async def _answer_alone(interaction: Interaction, found: Awaitable[T], worded: Callable[[T], Reply]) -> None:
    """Show a page in place of what was pressed, if the person alone sees that; else beside it.

    It is the first of a game that nobody may have played before, which then has to be read.
    """
    pressed = interaction.message
    is_private = pressed is not None and pressed.flags.ephemeral
    page = worded(await in_time(interaction, found, adds=not is_private))
    await (change if is_private else answer)(interaction, page)


async def _take(interaction: Interaction, which: str, name: str | None = None) -> None:
    """Take a ready-made hero, and open its sheet in place of the menu."""
    result = await characters.take_ready_made(*table_and_request(interaction), which, name)
    await _show_joined(interaction, result)


async def _show_joined(interaction: Interaction, result: Result) -> None:
    """Show a new character's sheet in place of what was pressed, and tell everybody."""
    if result.waiting:
        await change(interaction, Reply(blocks=("Your character is waiting for GM approval.",)))
    else:
        await turn_to_controls(interaction)
    await tell(interaction, result)


async def admit(interaction: Interaction, press: Press) -> None:
    """Approve a waiting character."""
    request, asked = request_of(interaction), EntryId(press.number(1))
    await characters.admit(interaction.client.table, request, press.number(), asked)
    await interaction.client.messages.show_pressed(interaction, MessagePlace(request.server, asked))


async def read_waiting(interaction: Interaction, press: Press) -> None:
    """Show the sheet of a waiting character."""
    view = await characters.waiting_sheet(*table_and_request(interaction), press.number())
    await answer(interaction, whole_sheet_reply(view))


# --- lists and sheets ----------------------------------------------------------------------------
LISTED_PER_PAGE = 20


def whole_sheet_reply(view: SheetView) -> Reply:
    """A whole sheet in one private message, cut with an ellipsis if it is too long."""
    text = "\n".join(section_text(section) for section in view.sections)
    heading = f"### {escape(view.name)}\n-# {escape(view.game)}"
    return private_page((heading, Divider(), text or "–"))


def listing_reply(listed: Sequence[Listed], page: int = 0) -> Reply:
    """The campaign's characters, twenty per page."""
    last = max(0, (len(listed) - 1) // LISTED_PER_PAGE)
    page = max(0, min(page, last))
    shown = listed[page * LISTED_PER_PAGE : (page + 1) * LISTED_PER_PAGE]
    lines = [_listed_line(one) for one in shown] or ["Nobody yet. Make a character with /character create."]
    if any(one.is_dead and one.is_current for one in listed):
        lines += [
            "Your character is dead. Make a new one with /character create, or switch with /character use."
        ]
    rows: tuple[Row, ...] = ()
    if last:
        turn = Button(
            id=press_id("who", (page + 1) % (last + 1)), label=f"Next page · {page + 1} of {last + 1}"
        )
        rows = ((turn,),)
    return Reply(text="\n".join(["**Characters**", *lines]), accent=Accent.BOARD, rows=rows, is_private=True)


def _listed_line(one: Listed) -> str:
    owner = "GM character" if one.owner is None else f"<@{one.owner}>"
    marks = (
        (one.is_dead, "**dead**"),
        (one.is_hidden, "hidden"),
        (one.is_current, "your current character"),
    )
    return " · ".join([escape(one.name), owner, *(words for is_so, words in marks if is_so)])


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("draft", on_draft)
    bot.presses.add(JOIN, on_join)
    bot.presses.add("sheet", turn_sheet)
    bot.presses.add("who", turn_list)
    bot.presses.add("admit", admit)
    bot.presses.add("waiting", read_waiting)
    await bot.add_cog(Character())
