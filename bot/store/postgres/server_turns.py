"""Turns at servers: in one process, one unit of a server runs at a time, and those that wait hold nothing.

Otherwise the units of a busy server would wait for its row in every thread and on every connection.
"""

import asyncio
from collections import deque
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeAlias

from bot.store.store_errors import StoreUnavailable

Turn: TypeAlias = "asyncio.Future[None]"


class ServerBusy(BaseException):
    """Another unit of the server is running: wait for a turn, then begin again.

    Args:
        server: The server.
    """

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.server = server


class ServerTurns:
    """Which servers have a unit running, and which units wait for a turn: first come, first served."""

    def __init__(self) -> None:
        self._lock = Lock()  # units take and end turns in threads
        self._waiting: dict[int, deque[Turn]] = {}

    def take(self, server: int) -> bool:
        """Take the turn at a server unless another unit has it; return whether it was taken."""
        with self._lock:
            if server in self._waiting:
                return False
            self._waiting[server] = deque()
            return True

    async def wait(self, server: int) -> None:
        """Take the turn at a server as soon as it is free.

        Raises:
            StoreUnavailable: If the unit before it could not be run for that.
        """
        with self._lock:
            if server not in self._waiting:
                self._waiting[server] = deque()
                return
            turn: Turn = asyncio.get_running_loop().create_future()
            self._waiting[server].append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and turn.exception() is None:  # it came at the same moment
                self.end(server)
            raise

    def end(self, server: int) -> None:
        """Hand the turn at a server to the unit that has waited longest."""
        with self._lock:
            waiting = self._waiting[server]
            if not waiting:
                del self._waiting[server]
                return
            turn = waiting.popleft()
        turn.get_loop().call_soon_threadsafe(self._give, server, turn)

    def end_all(self, server: int, error: StoreUnavailable) -> None:
        """End the turn at a server, and fail every waiting unit, which would only wait in vain."""
        with self._lock:
            waiting = self._waiting.pop(server)
        for turn in waiting:
            turn.get_loop().call_soon_threadsafe(_refuse, turn, StoreUnavailable(error.reason))

    def _give(self, server: int, turn: Turn) -> None:
        if turn.cancelled():
            self.end(server)
        else:
            turn.set_result(None)


def _refuse(turn: Turn, error: StoreUnavailable) -> None:
    if not turn.cancelled():
        turn.set_exception(error)


class UnitTurn:
    """The turn of one unit at the server that it concerns first.

    At a second server it waits for the row alone: units that waited here for each other would never end.

    Args:
        turns: The turns of its process.
    """

    def __init__(self, turns: ServerTurns) -> None:
        self._turns = turns
        self._server: int | None = None

    def take(self, server: int) -> None:
        """Take the turn at a server, if it has none yet.

        Raises:
            ServerBusy: If another unit has it.
        """
        if self._server is None:
            if not self._turns.take(server):
                raise ServerBusy(server)
            self._server = server

    async def wait(self, server: int) -> None:
        """Take the turn at a server as soon as it is free.

        Raises:
            StoreUnavailable: If the unit before it could not be run for that.
        """
        await self._turns.wait(server)
        self._server = server

    def end(self, unit: "Future[Any]") -> None:
        """Give up the turn, if it has one, when the unit has ended or will never begin."""
        if self._server is None:
            return
        error = None if unit.cancelled() else unit.exception()
        if isinstance(error, StoreUnavailable):
            self._turns.end_all(self._server, error)
        else:
            self._turns.end(self._server)
        self._server = None
