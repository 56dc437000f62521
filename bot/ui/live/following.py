"""Refreshing places after changes; changes in quick succession are shown together."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import discord
import structlog

from bot.table.base.turn import StoreUnavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_TRIES = 5
PlaceT = TypeVar("PlaceT")


class Following(Generic[PlaceT]):
    """Refreshes places after changes, one refresh at a time for each, and retries failed ones.

    Args:
        show: Shows a place as it is now; gives the seconds to rest before the same place is shown again.
        settle_seconds: How long to wait after a first change, for whatever comes with it.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self,
        show: Callable[[PlaceT], Awaitable[float]],
        *,
        settle_seconds: float,
        retry_seconds: float,
    ) -> None:
        self._show = show
        self._settle_seconds = settle_seconds
        self._retry_seconds = retry_seconds
        self._stale: set[PlaceT] = set()
        self._following: dict[PlaceT, asyncio.Task[None]] = {}

    def refresh(self, place: PlaceT) -> None:
        """Schedule a refresh of a place."""
        self._stale.add(place)
        if place not in self._following:
            task = asyncio.create_task(self._follow(place))
            self._following[place] = task
            task.add_done_callback(lambda ended: self._forget(place, ended))

    def _forget(self, place: PlaceT, ended: asyncio.Task[None]) -> None:
        """Clean up a finished task; start another one if something changed meanwhile."""
        self._following.pop(place, None)
        if place in self._stale and not ended.cancelled():
            self.refresh(place)

    @property
    def waiting(self) -> int:
        """How many places wait for a refresh."""
        return len(self._stale)

    @property
    def is_busy(self) -> bool:
        """Whether a refresh is running."""
        return bool(self._following)

    async def settled(self) -> None:
        """Wait until no refresh is running."""
        while self._following:
            await asyncio.wait(list(self._following.values()))

    def cancel(self, concerns: Callable[[PlaceT], bool] = lambda _place: True) -> None:
        """Cancel the refreshes of some places, or of all."""
        self._stale = {place for place in self._stale if not concerns(place)}
        for place in [place for place in self._following if concerns(place)]:
            self._following[place].cancel()

    async def _follow(self, place: PlaceT) -> None:
        """Refresh a place until it shows the current state."""
        tries = 0
        while place in self._stale:
            await asyncio.sleep(self._settle_seconds)
            self._stale.discard(place)
            try:
                rest_seconds = await self._show(place)
            except Exception as error:
                tries += not isinstance(error, StoreUnavailable)  # an outage lasts as long as it lasts
                if not _may_pass(error) or tries == MOST_TRIES:
                    log.warning("not shown", place=str(place), reason=str(error), exc_info=_bug(error))
                    return
                self._stale.add(place)
                await asyncio.sleep(self._retry_seconds)
            else:
                tries = 0
                await asyncio.sleep(rest_seconds)


def _may_pass(error: Exception) -> bool:
    """Whether an error may pass, so that a retry makes sense."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429
    return isinstance(error, StoreUnavailable | OSError | TimeoutError)


def _bug(error: Exception) -> Any:
    """The error to log, if it is a bug of the bot."""
    is_known = isinstance(error, discord.HTTPException | StoreUnavailable | OSError | TimeoutError)
    return None if is_known else error
