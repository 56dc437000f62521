"""Where long exact computations are done: one after the other, on a thread of their own.

Nothing else waits for that thread, and it never has more than a few computations waiting.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bot.rules.kernel.errors import UserError

MOST_WAITING = 8  # computations at once, the one being done among them

T = TypeVar("T")


class TooBusy(UserError):
    """Too many people ask for long computations at once."""

    def __init__(self) -> None:
        super().__init__(
            "Too many chances are being computed right now.", try_this="Try again in a few seconds."
        )


class Computing:
    """Does long computations off the event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="chances")
        self._waiting = 0

    @property
    def is_idle(self) -> bool:
        """Whether a computation asked for now would begin at once."""
        return self._waiting == 0

    async def run(self, compute: Callable[[], T]) -> T:
        """Return what *compute* returns.

        Raises:
            TooBusy: If too many computations are waiting.
        """
        if self._waiting >= MOST_WAITING:
            raise TooBusy
        self._waiting += 1
        working = asyncio.get_running_loop().run_in_executor(self._threads, compute)
        working.add_done_callback(self._done)
        return await asyncio.shield(working)

    def _done(self, _: "asyncio.Future[T]") -> None:
        self._waiting -= 1
