"""The servers that this process looks after: what it does when it gives some away, or gets some."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

from bot.table.base.table import Shards
from bot.table.base.turn import StoreUnavailable
from bot.ui.live.live_message import LiveMessage

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class HeldServers:
    """Stops what is shown in servers that are given away, and catches up in those that are looked after.

    Args:
        bot: The bot.
        live: What it keeps up to date.
    """

    def __init__(self, bot: "Tablekeeper", live: Sequence[LiveMessage[Any]]) -> None:
        self._bot = bot
        self._live = live

    async def let_go(self, lost: Shards) -> None:
        """Let what is being shown in the servers of some shards arrive, but not for long; forget it all.

        Then another process may look after them: it may change every message, so that nothing that is
        remembered counts if they come back. Everything that counts is stored.

        Args:
            lost: Those shards; the table's are others already, so that nothing new is begun.
        """
        bot = self._bot
        bot.server_commands.let_go(lost)
        bot.sheets.forget_servers(lost)
        bot.missed.forget(lost)
        await bot.posted.store()
        with suppress(TimeoutError):
            async with asyncio.timeout(bot.pace.finish_messages_seconds):
                for one in self._live:
                    await one.changes_ended(lost)
        for one in self._live:
            one.let_go(lost)

    async def catch_up(self) -> None:
        """Show what has changed in the servers looked after while nobody did, or while nobody heard of it."""
        while True:
            try:
                await self._bot.missed.load()
                for one in self._live:
                    await one.refresh_all()
                self._bot.sheets.refresh_all()
            except StoreUnavailable as error:
                retry_seconds = self._bot.pace.retry_seconds
                log.warning("not caught up", reason=error.reason, retry_seconds=retry_seconds)
                await asyncio.sleep(retry_seconds)
            else:
                return
