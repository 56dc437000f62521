"""The watch that presses automatic buttons when their time is up."""

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.table.base import timed
from bot.table.base.timed import DueTask
from bot.table.base.turn import StoreUnavailable
from bot.table.play.play import Pressed
from bot.table.watch import watch
from bot.ui.input.failures import log_failures
from bot.ui.live.result_messages import post_result

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Unpressed(commands.Cog):
    """Presses due buttons and updates their messages.

    Args:
        bot: The bot; on its connection the results are posted.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._looking = asyncio.Lock()
        self._is_outage_logged = False
        self._look.change_interval(seconds=bot.pace.due_tasks_seconds)

    async def cog_unload(self) -> None:
        """Stop the watch."""
        self._look.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Start the watch: buttons that came due while the bot was offline are pressed at once."""
        if not self._look.is_running():
            self._look.start()

    @tasks.loop()
    async def _look(self) -> None:
        await self.press_due()

    async def press_due(self) -> None:
        """Press everything due, and post the results that are not posted yet."""
        with log_failures("prompts not looked after"):
            try:
                await self._press_due()
            except StoreUnavailable:
                if self._is_outage_logged:  # one line for each outage, not one for each look
                    return
                self._is_outage_logged = True
                raise
            self._is_outage_logged = False

    async def _press_due(self) -> None:
        async with self._looking:
            for task in await timed.due(self._bot.table, timed.PRESS):
                if self._bot.table.shards.has(task.server):  # it may have been given away meanwhile
                    await self._press(task)

    async def _press(self, task: DueTask) -> None:
        """Press a due button and post the result."""
        table = self._bot.table
        try:
            done = await watch.press_if_open(table, task)
            if done is not None and await self._tell(task, *done):
                await timed.note_done(table, task)
        except StoreUnavailable:
            raise
        except Exception as error:  # it is not tried again, and does not keep the others waiting
            log.error("bug", exc_info=error)
            await timed.note_done(table, task)

    async def _tell(self, task: DueTask, pressed: Pressed, channel: int) -> bool:
        """Post a result, in the button's message or a new one; return whether that is done or hopeless."""
        try:
            is_shown = await self._bot.messages.show_now(pressed.place)
            if pressed.is_apart or not is_shown:
                result = pressed.result if pressed.is_apart else pressed.message
                await post_result(self._bot, task.server, channel, result)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("press by itself not told", server=task.server, reason=error.text)
        except (discord.HTTPException, OSError, TimeoutError) as error:
            log.warning("press by itself not told yet", server=task.server, reason=str(error))
            return False
        return True


async def setup(bot: "Tablekeeper") -> None:
    """Add the watch to the bot."""
    await bot.add_cog(Unpressed(bot))
