"""Data of people and servers: `/privacy`; servers that add the bot, and those that remove it."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import discord
import structlog
from discord import app_commands
from discord.ext import commands, tasks

from bot.rules.kernel import Choice
from bot.rules.kernel.outcome import counted
from bot.table import watch
from bot.table.base.access import ServerId
from bot.table.base.typed_options import LONGEST_NAME
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaigns import CampaignSetup
from bot.table.characters import personal_data
from bot.ui.commands.session_posts import made_reply
from bot.ui.input.answer import answer, ask_form, change, in_time, log_failures, post
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import DOOR, games_menu, open_optional_rules, open_settings
from bot.ui.text.reply import Accent, Button, Divider, Field, Form, Look, Picture, Reply, private_page
from bot.ui.text.roll_text import escape, shorten

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
    bot.presses.add(DOOR, on_door)
    await bot.add_cog(Privacy())
    await bot.add_cog(Departures(bot))


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Departures(commands.Cog):
    """Compares the servers with data to those the bot is in, and one when the bot joins or leaves it."""

    def __init__(self, bot: Tablekeeper) -> None:
        self._bot = bot
        self._looking = asyncio.Lock()
        self._look_again.change_interval(seconds=bot.pace.left_servers_seconds)

    async def cog_unload(self) -> None:
        """Stop the watch."""
        self._look_again.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Start the watch: servers may have removed the bot while it was offline."""
        if not self._look_again.is_running():
            self._look_again.start()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep the data of a server that takes the bot back, and tell a new one how to begin."""
        await self._look_at(guild)
        await self._welcome(guild)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note when a server removed the bot; discord.py does not call this in an outage."""
        await self._look_at(guild)

    @tasks.loop()
    async def _look_again(self) -> None:
        await self.look()

    async def look(self) -> None:
        """Note who left or came back, and delete what is due."""
        if not self._bot.is_ready():  # the list of servers is not complete
            return
        with log_failures("left servers not looked after"):
            async with self._looking:
                for server in await watch.look_after(self._bot.table, self._presence):
                    log.info("data of a left server deleted", server=server)

    async def _look_at(self, guild: discord.Guild) -> None:
        if self._bot.is_ready():
            with log_failures("left server not looked at"):
                await watch.look_at(self._bot.table, ServerId(guild.id), self._presence)

    async def _welcome(self, guild: discord.Guild) -> None:
        """Say once, in the system channel, how to begin; nowhere else if it can't be said there."""
        channel = guild.system_channel
        if channel is None:
            return
        may = channel.permissions_for(guild.me)
        if not (may.view_channel and may.send_messages):
            return
        with log_failures("server not welcomed"):
            if await watch.welcome(self._bot.table, ServerId(guild.id)):
                games = campaigns.coded_rulesets(self._bot.table)
                there = self._bot.get_partial_messageable(channel.id, guild_id=guild.id)
                with suppress(discord.Forbidden, discord.NotFound):
                    await post(there, welcome_reply(games))

    def _presence(self, server: ServerId) -> bool | None:
        if self._bot.get_guild(server) is not None:
            return True
        return False if self._bot.server_commands.has_left(server) else None


async def on_door(interaction: Interaction, press: Press) -> None:
    """Make the server's first campaign, or set up a new one."""
    table, request = table_and_request(interaction)
    match press.argument(0):
        case "play":
            making = campaigns.create_first(table, request, press.chosen())
            made = await in_time(interaction, making)
            await change(interaction, made_reply(made))
        case "what":
            await answer(interaction, what_reply())
        case "setup":
            await answer(interaction, setup_reply(await campaigns.setup(table, request, press.number(1))))
        case "rename":
            await ask_form(interaction, rename_form(await campaigns.setup(table, request, press.number(1))))
        case "renamed":
            name, campaign = press.fields.get("name", ""), press.number(1)
            result = await campaigns.rename(table, request, name, campaign)
            await change(interaction, setup_reply(await campaigns.setup(table, request, campaign)))
            await tell(interaction, result)
        case _:
            raise OutOfDate


def welcome_reply(games: Sequence[Choice]) -> Reply:
    """The first message in a server that has added the bot."""
    return Reply(
        blocks=(
            "**I keep the table for your roleplaying game:** dice, sheets, fights and sessions.\n"
            "Someone who manages this server chooses the game; then everybody can join.",
            games_menu(games),
            (Button(id=press_id(DOOR, "what"), label="What is this?"),),
        ),
        accent=Accent.NEWS,
    )


def what_reply() -> Reply:
    """What the bot does, for somebody who has never heard of it."""
    return private_page((WHAT,))


WHAT = (
    "**Tablekeeper** plays five small tabletop games with you.\n"
    "- Choose a game: that makes a campaign, and you lead it as its GM.\n"
    "- Everyone takes a ready-made hero or makes their own, and plays from its sheet.\n"
    "- Every roll shows its chance; buttons show what can follow, and *Undo* takes it back.\n"
    "- The dice are fair, and anyone can check them.\n"
    "-# /help shows what you can do next."
)


def setup_reply(setup: CampaignSetup) -> Reply:
    """What a GM can set up in a new campaign, and how to hide their commands from players."""
    commands = " and ".join(f"`/{one}`" for one in setup.gm_commands)
    buttons = [open_settings(setup.campaign)]
    if setup.has_packs:
        buttons.append(open_optional_rules(setup.campaign))
    buttons.append(Button(id=press_id(DOOR, "rename", setup.campaign), label="Rename …"))
    return private_page(
        (
            f"**Set up {escape(setup.name)}**",
            tuple(buttons),
            Divider(),
            f"**Hide the GM's commands:** in *Server Settings → Integrations*, choose me, then {commands}; "
            "take away @everyone and add your GMs' role.\n-# They work for GMs only either way.",
        )
    )


def rename_form(setup: CampaignSetup) -> Form:
    """The form that renames a campaign."""
    name = Field(key="name", label="Name", value=setup.name, longest=LONGEST_NAME)
    return Form(id=press_id(DOOR, "renamed", setup.campaign), title="Rename the campaign", fields=(name,))
