"""Turns at servers: in one process, one unit of a server runs at a time, and those that wait hold nothing.

Otherwise the units of a busy server would wait for its row in every thread and on every connection.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from bot.store.store_errors import StoreUnavailable


class ServerBusy(BaseException):
    """Another unit of the server is running: wait for a turn, then begin again.

    Args:
        server: The server.
    """

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.server = server


class GivenUp(StoreUnavailable):
    """The database gave one transaction up; others are not concerned."""


@dataclass(frozen=True, slots=True)
class WaitingUnit:
    """A unit that waits for its turn.

    Attributes:
        begin: Begins it, soon and elsewhere; returns False if nobody waits for it any more.
        fail: Fails it, when it would only wait in vain.
    """

    begin: Callable[[], bool]
    fail: Callable[[StoreUnavailable], None]


class ServerTurns:
    """Which servers have a unit running, and which units wait for a turn: first come, first served."""

    def __init__(self) -> None:
        self._lock = Lock()  # units take and end turns in threads
        self._waiting: dict[int, deque[WaitingUnit]] = {}

    def take(self, server: int) -> bool:
        """Take the turn at a server unless another unit has it; return whether it was taken."""
        with self._lock:
            if server in self._waiting:
                return False
            self._waiting[server] = deque()
            return True

    def wait(self, server: int, unit: WaitingUnit) -> None:
        """Have a unit begin with the turn at a server, as soon as it is free."""
        with self._lock:
            if server in self._waiting:
                self._waiting[server].append(unit)
                return
            self._waiting[server] = deque()
        if not unit.begin():
            self.end(server)

    def end(self, server: int) -> None:
        """Hand the turn at a server to the unit that has waited longest."""
        has_begun = False
        while not has_begun:
            with self._lock:
                waiting = self._waiting[server]
                if not waiting:
                    del self._waiting[server]
                    return
                unit = waiting.popleft()
            has_begun = unit.begin()

    def end_all(self, server: int, error: StoreUnavailable) -> None:
        """End the turn at a server, and fail every waiting unit, which would only wait in vain."""
        with self._lock:
            waiting = self._waiting.pop(server)
        for unit in waiting:
            unit.fail(StoreUnavailable(error.reason))


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

    def wait(self, server: int, unit: WaitingUnit) -> None:
        """Have the unit begin again with the turn at a server, as soon as it is free."""

        def begin() -> bool:
            self._server = server
            if unit.begin():
                return True
            self._server = None
            return False

        self._turns.wait(server, WaitingUnit(begin, unit.fail))

    def end(self, error: BaseException | None) -> None:
        """Give up the turn, if it has one, when the unit has ended or will never begin.

        Args:
            error: What it ended with.
        """
        server, self._server = self._server, None
        if server is None:
            return
        if isinstance(error, StoreUnavailable) and not isinstance(error, GivenUp):
            self._turns.end_all(server, error)
        else:
            self._turns.end(server)
