"""Characters: `/character` and the creation wizard."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice, Question, TextField
from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId
from bot.table.characters import character_files, characters, creation_pages
from bot.table.characters.characters import Listed, SheetView
from bot.table.characters.creation_pages import WizardPage, leaves
from bot.table.journal import suggest
from bot.table.journal.shared_prompts import MessagePlace
from bot.ui.commands.play import complete_character, complete_own_character, completed_by, do
from bot.ui.commands.sheets import show_controls, turn_to_controls
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of, table_and_request
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.live.result_messages import tell
from bot.ui.replies.sheets import section_text, sheet_reply
from bot.ui.text.reply import (
    IN_ROW,
    Accent,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    Form,
    Look,
    Picture,
    Reply,
    Row,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.roll_text import roll_line
from bot.ui.text.text import escape, plain, shorten

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
            await answer(interaction, page_reply(await creation_pages.begin(table, request)))
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
            if result.waiting:
                await change(interaction, Reply(blocks=("Your character is waiting for GM approval.",)))
            else:
                await turn_to_controls(interaction)
            await tell(interaction, result)
            return
        case "drop":
            await creation_pages.throw_away(table, request, draft)
            await change(interaction, Reply(blocks=("The unfinished character was discarded.",)))
            return
        case _:
            raise OutOfDate
    await change(interaction, page_reply(page))


async def admit(interaction: Interaction, press: Press) -> None:
    """Approve a waiting character."""
    request, asked = request_of(interaction), EntryId(press.number(1))
    await characters.admit(interaction.client.table, request, press.number(), asked)
    await interaction.client.messages.show_pressed(interaction, MessagePlace(request.server, asked))


async def read_waiting(interaction: Interaction, press: Press) -> None:
    """Show the sheet of a waiting character."""
    view = await characters.waiting_sheet(*table_and_request(interaction), press.number())
    await answer(interaction, whole_sheet_reply(view))


# --- the wizard in words -------------------------------------------------------------------------


LONGEST_PREVIEW = 1500
LONGEST_ANSWER = 300
MOST_PROBLEMS = 4
MOST_MISSING = 6  # steps
LONGEST_LEAF_NAME = 14


def page_reply(page: WizardPage, key: str = "", leaf: int = 0) -> Reply:
    """One private page of the wizard.

    Args:
        key: A question whose choices take several menus.
        leaf: Which of them is open.
    """
    blocks: list[Block] = [_heading(page)]
    blocks += [_listed(page.gone)] if page.gone else []
    blocks += [_written(blank, page) for blank in page.step.blanks]
    for question in page.step.picks:
        blocks += _asked(question, page, leaf if question.key == key else None)
    blocks += _dice(page)
    if page.beside(1) is None:
        blocks += _summary(page)
    problems = [one for one in page.to_do if one not in page.gone]  # those stand at the top already
    if problems and page.answers:
        blocks.append(_listed(problems[:MOST_PROBLEMS]))
    blocks += [Divider(), _ways(page)]
    return private_page(blocks)


def _heading(page: WizardPage) -> str:
    place = f"{page.number} of {len(page.steps)}"
    title = f"**{escape(page.step.title)}** · new character, {escape(page.game)} · {place}"
    return "\n".join([title, *(escape(line) for line in page.step.text.split("\n"))])


def _written(blank: TextField, page: WizardPage) -> str:
    given = "".join(page.answers.get(blank.key, ()))
    missing = "–" if blank.is_required else "· optional"
    answer = f"**{shorten(escape(given), LONGEST_ANSWER)}**" if given else missing
    return f"{escape(blank.prompt)} {answer}"


def _listed(sentences: Sequence[str]) -> str:
    return "\n".join(f"-# {escape(one)}" for one in sentences)


def _dice(page: WizardPage) -> list[Block]:
    """The dice rolled so far, and buttons for the others."""
    thrown = [(throw, page.thrown.get(throw.key)) for throw in page.step.throws]
    blocks: list[Block] = [
        f"{roll_line(roll)} · **{escape(roll.verdict.title)}**" for _throw, roll in thrown if roll is not None
    ]
    buttons = tuple(
        Button(id=press_id("draft", page.draft, "throw", throw.key), label=throw.label, look=Look.MAIN)
        for throw, roll in thrown
        if roll is None
    )
    if buttons:
        blocks += ["-# These dice are rolled once; everybody sees them.", buttons]
    return blocks


def _asked(question: Question, page: WizardPage, leaf: int | None) -> list[Block]:
    """A question with its menu, and buttons to its other menus if it has several."""
    chosen = page.answers.get(question.key, ())
    labels = {choice.value: choice.label for choice in question.choices}
    if question.key in page.settled:
        given = ", ".join(labels.get(value, value) for value in chosen)
        return [f"**{escape(question.prompt)}** {escape(given)}\n-# Already rolled, so this can't change."]
    if not question.choices:
        return [f"**{escape(question.prompt)}**", *_not_yet(page)]
    menus = leaves(question.choices)
    if leaf is None or leaf >= len(menus):
        leaf = _leaf_of(menus, chosen)
    title = f"**{escape(question.prompt)}**"
    if len(menus) > 1 and chosen:
        title += shorten(
            f" {escape(', '.join(labels.get(value, value) for value in chosen))}", LONGEST_ANSWER
        )
    titles = [] if title == f"**{escape(page.step.title)}**" else [title]  # the page's own title says it
    return [*titles, _select(question, page, menus, leaf), *_turns(question, page, menus, leaf)]


def _not_yet(page: WizardPage) -> list[Block]:
    """Why a question has no choices yet, and a button to the step that is missing an answer.

    A question has no choices only where an earlier answer is to give them.
    """
    keys = [key for key, _title in page.steps]
    wanted = [one for one in page.problems if one[0] in keys[: page.number - 1]]
    if not wanted:
        return ["-# Nothing to choose here."]
    where, sentence = min(wanted, key=lambda one: keys.index(one[0]))
    title = dict(page.steps)[where]
    way = Button(id=_way_to(page, where), label=f"Go to {title}", look=Look.MAIN)
    return [f"-# Nothing to choose here yet. First, {escape(title)}: {escape(sentence)}", (way,)]


def _way_to(page: WizardPage, step: str) -> str:
    """The id of a button to a step; "Back" may lead there too, and has another id."""
    return press_id("draft", page.draft, "turn", step, "go")


def _leaf_of(menus: "list[Sequence[Choice]]", chosen: tuple[str, ...]) -> int:
    """The first menu that contains a chosen answer."""
    holding = (at for at, menu in enumerate(menus) if any(choice.value in chosen for choice in menu))
    return next(holding, 0)


def _select(question: Question, page: WizardPage, menus: "list[Sequence[Choice]]", leaf: int) -> Select:
    choices = tuple(menus[leaf])
    return Select(
        id=press_id("draft", page.draft, "pick", question.key, leaf),
        prompt=question.prompt,
        choices=choices,
        least=min(question.least, len(choices)) if len(menus) == 1 or question.most == 1 else 0,
        most=min(question.most, len(choices)),
        chosen=page.answers.get(question.key, ()),
    )


def _turns(
    question: Question, page: WizardPage, menus: "list[Sequence[Choice]]", leaf: int
) -> list[tuple[Button, ...]]:
    """Buttons that open a question's other menus, named after their first entries."""
    if len(menus) == 1:
        return []
    buttons = [
        Button(
            id=press_id("draft", page.draft, "leaf", question.key, at),
            label=f"{menu[0].label[:LONGEST_LEAF_NAME].rstrip()} …",
            is_off=at == leaf,
        )
        for at, menu in enumerate(menus)
    ]
    return rows_of(buttons, IN_ROW)


def _summary(page: WizardPage) -> list[Block]:
    """A preview of the sheet, or everything that is still missing."""
    if page.preview:
        text = "\n".join(section_text(section) for section in page.preview)
        return [Divider(), shorten(text, LONGEST_PREVIEW)]
    blocks: list[Block] = []
    for key, title in page.steps:
        missing = [sentence for where, sentence in page.problems if where == key != page.step.key]
        if missing:
            text = shorten(f"{escape(title)}: {escape(' '.join(missing[:MOST_PROBLEMS]))}", LONGEST_ANSWER)
            button = Button(id=_way_to(page, key), label="Go there")
            blocks.append(ButtonBeside(text, button))
    return [Divider(), "Still to do:", *blocks[:MOST_MISSING]] if blocks else []


def _ways(page: WizardPage) -> tuple[Button, ...]:
    """The navigation buttons: back, write, next and discard."""
    back, on = page.beside(-1), page.beside(1)
    ways = []
    if back is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", back), label="Back"))
    if page.step.blanks:
        id_ = press_id("draft", page.draft, "write", page.step.key)
        ways.append(
            Button(id=id_, label=page.step.writes or plain(f"Write: {page.step.title}", 80), look=Look.MAIN)
        )
    if on is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", on), label="Next", look=Look.MAIN))
    else:
        ways.append(
            Button(
                id=press_id("draft", page.draft, "finish"),
                label="Finish",
                look=Look.GOOD,
                is_off=bool(page.problems),
            )
        )
    ways.append(Button(id=press_id("draft", page.draft, "drop"), label="Discard", look=Look.GRAVE))
    return tuple(ways)


def blanks_form(page: WizardPage) -> Form:
    """The form with the step's text fields."""
    return Form(
        id=press_id("draft", page.draft, "wrote", page.step.key),
        title=page.step.title,
        fields=tuple(
            Field(
                key=blank.key,
                label=blank.prompt,
                value="".join(page.answers.get(blank.key, ())),
                longest=blank.longest,
                is_required=blank.is_required,
                is_long=blank.is_long,
            )
            for blank in page.step.blanks
        ),
    )


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
    bot.presses.add("sheet", turn_sheet)
    bot.presses.add("who", turn_list)
    bot.presses.add("admit", admit)
    bot.presses.add("waiting", read_waiting)
    await bot.add_cog(Character())
