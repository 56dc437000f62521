"""The watch over buttons that press themselves where nobody has pressed in time."""

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.table import autopress
from bot.table.errors import StoreUnavailable
from bot.table.play import Pressed
from bot.table.timed import Timed
from bot.ui.answer import post, repost
from bot.ui.gatherings import reply_of

if TYPE_CHECKING:
    from bot.client import Tablekeeper

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
        """Take the button away and post the result; whether that worked or never will."""
        place = self._bot.get_partial_messageable(channel, guild_id=one.server)
        try:
            if one.message is not None:
                await self._show_done(place.get_partial_message(one.message), pressed)
            if one.message is None or not pressed.takes_its_place:
                message = await post(place, reply_of(pressed.result))
                await autopress.note_message(self._bot.table, one.server, pressed.result.entry, message.id)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("press by itself not told", server=one.server, reason=error.text)
        except (discord.HTTPException, OSError, TimeoutError) as error:
            log.warning("press by itself not told yet", server=one.server, reason=str(error))
            return False
        return True

    async def _show_done(self, message: discord.PartialMessage, pressed: Pressed) -> None:
        """Show what it stood under without it; somebody may have deleted that."""
        shown = pressed.result if pressed.takes_its_place else pressed.under
        try:
            await repost(message, reply_of(shown))
        except discord.NotFound:
            log.info("what it stood under was gone", channel=message.channel.id)


async def setup(bot: "Tablekeeper") -> None:
    """Adds the watch to the bot."""
    await bot.add_cog(Unpressed(bot))
