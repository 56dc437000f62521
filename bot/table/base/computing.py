"""Where long exact computations are done: one after the other, on a thread of their own.

Nothing else waits for that thread. Only a few computations ever wait for it, and fewer of one server.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bot.rules.kernel.errors import UserError

MOST_WAITING = 8  # computations at once, the one being done among them
MOST_OF_ONE = 3  # of them those that one server asked for

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
        self._waiting = Counter[int | None]()  # by server

    @property
    def is_idle(self) -> bool:
        """Whether a computation asked for now would begin at once."""
        return not self._waiting.total()

    async def run(self, compute: Callable[[], T], server: int | None = None) -> T:
        """Return what *compute* returns.

        Args:
            compute: What is to be computed.
            server: The server that asks, which then waits for its own and leaves room for others.

        Raises:
            TooBusy: If too many computations are waiting.
        """
        waits = self._waiting
        if waits.total() >= MOST_WAITING or (server is not None and waits[server] >= MOST_OF_ONE):
            raise TooBusy
        waits[server] += 1
        working = asyncio.get_running_loop().run_in_executor(self._threads, compute)
        working.add_done_callback(lambda _: self._done(server))
        return await asyncio.shield(working)

    def _done(self, server: int | None) -> None:
        self._waiting[server] -= 1
        self._waiting += Counter()  # forgets those that wait for nothing
