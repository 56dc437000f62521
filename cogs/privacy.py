"""What is stored about a person: `/privacy`."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.outcome import counted
from bot.table.characters import personal_data
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.input.requests import table_and_request
from bot.ui.text.reply import Accent, Button, Look, Picture, Reply
from bot.ui.text.text import escape, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.characters.personal_data import StoredAbout


class Privacy(commands.Cog):
    """The privacy command."""

    @app_commands.command(name="privacy", description="See, download or delete what I store about you here")
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is stored about whoever asks."""
        await answer(interaction, stored_reply(*await in_time(interaction, _stored(interaction), adds=True)))


async def _stored(interaction: Interaction) -> tuple[StoredAbout, bytes]:
    table, request = table_and_request(interaction)
    about = await personal_data.stored_about(table, request)
    return about, b"" if about.is_nothing else await personal_data.personal_file(table, request)


async def on_privacy(interaction: Interaction, press: Press) -> None:
    """Handle the privacy buttons: ask whether to delete, delete, or keep."""
    table, request = table_and_request(interaction)
    match press.argument(0):
        case "ask":
            await change(interaction, forget_question(await personal_data.stored_about(table, request)))
        case "yes":
            about = await in_time(interaction, personal_data.forget(table, request))
            await change(interaction, forgotten_reply(about))
        case "no":
            await change(interaction, kept_reply())
        case _:
            raise OutOfDate


# --- words ---------------------------------------------------------------------------------------

PLAIN_BYTES = 2_000_000
LONGEST_LIST = 120
NOTHING = "I store nothing about you on this server."


def stored_reply(about: StoredAbout, content: bytes) -> Reply:
    """What is stored about somebody: in a few lines, and all of it as a file."""
    if about.is_nothing:
        return Reply(text=NOTHING, is_private=True)
    names = ", ".join(escape(one) for one in about.names)
    playing = ", ".join(escape(one) for one in about.characters)
    parts = [
        counted(about.retired, "retired character") if about.retired else "",
        counted(about.drafts, "unfinished character") if about.drafts else "",
        counted(about.portraits, "portrait") if about.portraits else "",
        counted(about.favorites, "favorite") if about.favorites else "",
        counted(about.answers, "answer") + " to a planned session" if about.answers else "",
    ]
    lines = [
        "**What I store about you on this server**",
        "Your Discord id" + (f", and your name: {shorten(names, LONGEST_LIST)}" if names else ""),
        f"Your characters: {shorten(playing, LONGEST_LIST)}" if playing else "",
        ", ".join(one for one in parts if one),
        f"{counted(about.entries, 'journal entry', 'journal entries')} with your dice"
        if about.entries
        else "",
        f"GM of {shorten(', '.join(escape(one) for one in about.gm_of), LONGEST_LIST)}"
        if about.gm_of
        else "",
        f"Your id in {counted(about.mentions, 'other thing')}, such as prompts and answers"
        if about.mentions
        else "",
        "-# All of it is in the file. I read no messages.",
    ]
    return Reply(
        text="\n".join(line for line in lines if line),
        accent=Accent.BOARD,
        rows=((Button(id=press_id("privacy", "ask"), label="Delete my data"),),),
        files=(_file(content),),
        is_private=True,
    )


def _file(content: bytes) -> Picture:
    if len(content) <= PLAIN_BYTES:
        return Picture(name="my-data.json", content=content)
    return Picture(name="my-data.json.gz", content=gzip.compress(content, mtime=0))


def forget_question(about: StoredAbout) -> Reply:
    """What a deletion takes and what it leaves, with the button that does it."""
    if about.is_nothing:
        return Reply(text=NOTHING, is_private=True)
    lines = [
        "**Delete your data on this server?**",
        "**Goes**: your Discord id and name, everywhere; your portraits, favorites, unfinished characters "
        "and GM rights of campaigns.",
        f"**Stays, without your name**: journal entries and dice, so that undo and the check of the dice go "
        f"on working. They say “{personal_data.FORMER}”.",
        "**Stays for the others**: your characters' names and sheets. They retire and are nobody's.",
        "**Out of my reach**: messages in channels, what you wrote into notes, the operator's backups.",
        "You can't undo this.",
    ]
    buttons = (
        Button(id=press_id("privacy", "yes"), label="Delete it", look=Look.GRAVE),
        Button(id=press_id("privacy", "no"), label="Keep it"),
    )
    return Reply(text="\n".join(lines), accent=Accent.FAILURE, rows=(buttons,), is_private=True)


def forgotten_reply(about: StoredAbout) -> Reply:
    """What takes the question's place once the data is deleted."""
    if about.is_nothing:
        return Reply(text=NOTHING, is_private=True)
    retired = len(about.characters)
    lines = [
        "**Your data on this server is deleted.**",
        f"{counted(retired, 'character')} retired." if retired else "",
        f"{counted(about.entries, 'journal entry', 'journal entries')} no longer "
        f"{'names' if about.entries == 1 else 'name'} you."
        if about.entries
        else "",
        "-# If you use me here again, I store your id and name again.",
    ]
    return Reply(text="\n".join(line for line in lines if line), is_private=True)


def kept_reply() -> Reply:
    """What takes the question's place if the data stays."""
    return Reply(text="Nothing was deleted.", is_private=True)


async def setup(bot: Tablekeeper) -> None:
    """Add the command and the button handler to the bot."""
    bot.presses.add("privacy", on_privacy)
    await bot.add_cog(Privacy())
