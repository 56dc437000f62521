"""The watch over buttons that press themselves where nobody has pressed in time."""

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.table.base.results import Result
from bot.table.base.timed import Timed
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.journal import posted_messages
from bot.table.journal.posted_messages import MessagePlace
from bot.table.play.play import Pressed
from bot.table.watch import autopress
from bot.ui.input.answer import post, repost
from bot.ui.replies.gathering_replies import reply_of

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0


class Unpressed(commands.Cog):
    """Presses what is due, and tells about it where it stands.

    Args:
        bot: The bot; on its connection the results are posted.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._looking = asyncio.Lock()

    async def cog_unload(self) -> None:
        """Ends the watch."""
        self._look.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Begins the watch: what came due while the bot was away is pressed at once."""
        if not self._look.is_running():
            self._look.start()

    @tasks.loop(seconds=LOOK_SECONDS)
    async def _look(self) -> None:
        await self.press_due()

    async def press_due(self) -> None:
        """Press whatever is due, and tell about everything that is not told yet."""
        try:
            async with self._looking:
                for one in await autopress.due(self._bot.table):
                    if await self._press(one):
                        await autopress.note_done(self._bot.table, one)
        except StoreUnavailable as error:
            log.warning("nothing pressed by itself", reason=error.reason)
        except Exception as error:  # the watch must go on
            log.error("bug", exc_info=error)

    async def _press(self, one: Timed) -> bool:
        """Press something and tell about it; whether that is done with."""
        try:
            done = await autopress.press_if_open(self._bot.table, one)
            return done is None or await self._tell(one, *done)
        except StoreUnavailable:
            raise
        except Exception as error:  # it is not tried again, and does not keep the others waiting
            log.error("bug", exc_info=error)
            return True

    async def _tell(self, one: Timed, pressed: Pressed, channel: int) -> bool:
        """Show it where it was pressed, or in a message of its own; whether that worked or never will."""
        try:
            is_shown = await self._show(pressed)
            if pressed.is_apart or not is_shown:
                await self._post(one, pressed.result if pressed.is_apart else pressed.message, channel)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("press by itself not told", server=one.server, reason=error.text)
        except (discord.HTTPException, OSError, TimeoutError) as error:
            log.warning("press by itself not told yet", server=one.server, reason=str(error))
            return False
        return True

    async def _show(self, pressed: Pressed) -> bool:
        """Show what came of it in its message; whether it is known which that is."""
        posted = await posted_messages.posted(self._bot.table, pressed.place)
        if posted is None:
            return False
        channel = self._bot.get_partial_messageable(posted.channel, guild_id=posted.server)
        try:
            async with self._bot.messages.turn(pressed.place):
                await repost(channel.get_partial_message(posted.message), reply_of(pressed.message))
        except discord.NotFound:  # somebody has deleted it
            log.info("what it stood under was gone", channel=posted.channel)
        return True

    async def _post(self, one: Timed, result: Result, channel: int) -> None:
        place = self._bot.get_partial_messageable(channel, guild_id=one.server)
        message = await post(place, reply_of(result))
        shown = MessagePlace(one.server, result.entry)
        await posted_messages.note_posted(self._bot.table, shown, channel, message.id)


async def setup(bot: "Tablekeeper") -> None:
    """Adds the watch to the bot."""
    await bot.add_cog(Unpressed(bot))
