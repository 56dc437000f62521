"""Turns at servers: in one process, one unit of a server runs at a time, and those that wait hold nothing.

Otherwise the units of a busy server would wait for its row in every thread and on every connection.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from threading import Lock
from typing import Generic, TypeVar

from msgspec import Struct

from bot.store.connection import StoreUnavailable
from bot.store.records import ServerId
from bot.store.rows import Memory
from bot.store.transaction import StoreObserver

UNKNOWN = 0  # the version of a row that nobody has written yet; nothing is remembered of it
MOST_SERVERS = 512  # about 0.1 MB each


class ServerMemories:
    """What is remembered of the servers used last; for many threads.

    Args:
        most: Of how many servers.
    """

    def __init__(self, most: int = MOST_SERVERS) -> None:
        self._most = most
        self._lock = Lock()
        self._memories: OrderedDict[ServerId, Memory] = OrderedDict()

    def version(self, server: ServerId) -> int:
        """Return the version that is remembered of a server."""
        with self._lock:
            memory = self._memories.get(server)
        return UNKNOWN if memory is None else memory.version

    def at(self, server: ServerId, version: int) -> Memory:
        """Return what is remembered of a server in a version, to be used and changed by one transaction."""
        with self._lock:
            memory = self._memories.get(server)
        if memory is not None and memory.version == version != UNKNOWN:
            return memory.copy()
        new = Memory()
        new.version = version
        return new

    def keep(self, server: ServerId, memory: Memory, *, instead_of: int | None = None) -> None:
        """Remember a server.

        Args:
            memory: What is known of it; used by nobody else from now on.
            instead_of: The only version in whose place it is remembered; None for any.
        """
        if memory.version == UNKNOWN or memory.is_much():
            return
        with self._lock:
            known = self._memories.get(server)
            if instead_of is not None and instead_of != (UNKNOWN if known is None else known.version):
                return
            self._memories[server] = memory
            self._memories.move_to_end(server)
            if len(self._memories) > self._most:
                self._memories.popitem(last=False)


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


class WaitingUnit(Struct, frozen=True):
    """A unit that waits for its turn."""

    begin: Callable[[], bool]  # begins it, soon and elsewhere; returns False if nobody waits for it any more
    fail: Callable[[StoreUnavailable], None]  # fails it, when it would only wait in vain


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


T = TypeVar("T")


class RunningUnit(Generic[T]):
    """Runs a unit in a thread; if its server is busy, again as soon as its turn has come.

    The turn goes from thread to thread: the event loop hears of the answer only.

    Args:
        threads: Where it runs.
        turn: Its turn at its server.
        work: What is run; it may be run again after `ServerBusy`.
        observer: Hears how long it waits for its turn.

    Attributes:
        answer: What it ends with. Whoever cancels that in time keeps it from being begun.
    """

    def __init__(
        self, threads: Executor, turn: UnitTurn, work: Callable[[], T], observer: StoreObserver
    ) -> None:
        self._threads = threads
        self._turn = turn
        self._work = work
        self._observer = observer
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[T] = self._loop.create_future()

    def begin(self) -> bool:
        """Run it in the next free thread, unless nobody waits for it any more; return whether it will run."""
        if self.answer.cancelled():
            return False
        self._threads.submit(self._run)
        return True

    def _run(self) -> None:
        if self.answer.cancelled():
            self._turn.end(None)
            return
        try:
            result = self._work()
        except ServerBusy as busy:
            self._wait(busy.server)
        except BaseException as error:  # it belongs to whoever asked for the unit, not to this thread
            self._turn.end(error)
            self._loop.call_soon_threadsafe(self._fail, error)
        else:
            self._turn.end(None)
            self._loop.call_soon_threadsafe(self._succeed, result)

    def _wait(self, server: int) -> None:
        waiting = ExitStack()
        waiting.enter_context(self._observer.during("turn"))

        def begin() -> bool:
            waiting.close()
            return self.begin()

        def fail(error: BaseException) -> None:
            waiting.close()
            self._loop.call_soon_threadsafe(self._fail, error)

        self._turn.wait(server, WaitingUnit(begin, fail))

    def _succeed(self, result: T) -> None:
        if not self.answer.done():
            self.answer.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
