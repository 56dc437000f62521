"""Servers that add the bot, with the first message there, and those that remove it and their data."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.rules.kernel import Choice
from bot.table import watch
from bot.table.base.names import LONGEST_NAME
from bot.table.base.request import ServerId
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaigns import CampaignSetup
from bot.ui.commands.session_posts import made_reply
from bot.ui.input.answer import answer, ask_form, change, in_time, post
from bot.ui.input.failures import log_failures
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.input.requests import table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import DOOR, games_menu, open_optional_rules, open_settings
from bot.ui.text.reply import Accent, Button, Divider, Field, Form, Reply, private_page
from bot.ui.text.text import escape

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Departures(commands.Cog):
    """Compares the servers with data to those the bot is in, and one when the bot joins or leaves it."""

    def __init__(self, bot: "Tablekeeper") -> None:
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


async def setup(bot: "Tablekeeper") -> None:
    """Add the watch and the handler of the first message to the bot."""
    bot.presses.add(DOOR, on_door)
    await bot.add_cog(Departures(bot))
