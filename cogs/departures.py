"""The watch that deletes the data of servers that removed the bot."""

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.table.base.request import ServerId
from bot.table.watch import watch
from bot.ui.input.failures import log_failures

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Departures(commands.Cog):
    """Compares the servers with data to those the bot is in, and one when the bot joins or leaves it.

    Args:
        bot: The bot.
    """

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
        """Keep the data of a server that takes the bot back."""
        await self._look_at(guild)

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

    def _presence(self, server: ServerId) -> bool | None:
        if self._bot.get_guild(server) is not None:
            return True
        return False if self._bot.server_commands.has_left(server) else None


async def setup(bot: "Tablekeeper") -> None:
    """Add the watch to the bot."""
    await bot.add_cog(Departures(bot))
