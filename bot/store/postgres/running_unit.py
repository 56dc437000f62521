"""A unit of work on its way through the threads, until it is answered."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from typing import Generic, TypeVar

from bot.store.observer import StoreObserver
from bot.store.postgres.server_turns import ServerBusy, UnitTurn, WaitingUnit

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
