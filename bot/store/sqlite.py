"""The store on one SQLite file: a connection that writes, and one that only reads."""

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bot.store.batch import UnitOutcome, abandon, commit_together
from bot.store.database_files import make_private, path_of, read_only_uri, require_folder
from bot.store.migrate import migrate, newest_version, refuse_foreign
from bot.store.observer import StoreObserver
from bot.store.outages import raise_outage
from bot.store.records import ALL_SHARDS, Kept
from bot.store.rows import Memory
from bot.store.sqlite_connection import SqliteConnection
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Reader, Transaction
from bot.store.worker import Worker

T = TypeVar("T")

OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables
BUSY_SECONDS = 2.0  # Discord waits three seconds for an answer
SWITCH_PAUSE_SECONDS = 0.02
TOGETHER = 64  # units in one commit at most, so that none waits long for the others
WRITER_CACHE_KIB, READER_CACHE_KIB = 8192, 2048


async def open_store(url: str, *, busy_seconds: float = BUSY_SECONDS) -> "SqliteStore":
    """Open or make the database, and migrate it to this program's schema.

    Args:
        url: ``sqlite:///`` and the name of a file.
        busy_seconds: How long to wait for another program's lock.

    Raises:
        StoreUnavailable: If it can't be used; the reason says what to do.
    """
    path = path_of(url)
    _refuse_impossible(path)
    writer = Worker(str(path), is_uri=False, busy_seconds=busy_seconds)
    reader = Worker(read_only_uri(path), is_uri=True, busy_seconds=busy_seconds)
    opened: list[Worker] = []
    try:
        make_private(path)
        for worker, prepare in ((writer, _prepare_writer), (reader, _prepare_reader)):
            await worker.open()
            opened.append(worker)
            await worker.call(prepare)
    except BaseException as error:
        for worker in opened:
            await worker.close()
        raise_outage(error, path)
    return SqliteStore(path, writer, reader)


def _refuse_impossible(path: Path) -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(str(part) for part in OLDEST_SQLITE)
        raise StoreUnavailable(
            f"This Python comes with SQLite {sqlite3.sqlite_version}, but {needed} is needed: "
            "use a newer Python."
        )
    require_folder(path)
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a folder: name a file in database.url.")


def _prepare_writer(connection: sqlite3.Connection) -> None:
    refuse_foreign(connection, newest_version())
    if _switch_to_wal(connection) != "wal":
        raise StoreUnavailable(
            "The database's disk cannot hold a write-ahead log (a network drive?): put it on a local disk."
        )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{WRITER_CACHE_KIB}")
    migrate(connection)
    _try_to_write(connection)


def _switch_to_wal(connection: sqlite3.Connection) -> str:
    """Switch a file to a write-ahead log, and return the mode that it is in then.

    SQLite does not wait for programs that switch the same new file at the same moment.
    """
    patient_until = time.monotonic() + connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
    while True:
        try:
            return str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= patient_until:
                raise
        time.sleep(SWITCH_PAUSE_SECONDS)


def _try_to_write(connection: sqlite3.Connection) -> None:
    """Fail early if nothing can be written."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE migrations SET at = at")
    connection.execute("ROLLBACK")


def _prepare_reader(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KIB}")


@dataclass(frozen=True, slots=True)
class _Waiting:
    unit: Callable[[Transaction], Any]
    answer: "asyncio.Future[Any]"

    def tell(self, outcome: UnitOutcome) -> None:
        if self.answer.done():  # nobody waits any more
            return
        if outcome.error is None:
            self.answer.set_result(outcome.result)
        else:
            self.answer.set_exception(outcome.error)


class SqliteStore:
    """Runs units of work on a SQLite file; see `bot.store.store.Store`. Made by `open_store`.

    Args:
        path: The file.
        writer: The connection on which units run.
        reader: The connection on which look-ups run.
    """

    def __init__(self, path: Path, writer: Worker, reader: Worker) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._memory = Memory()
        self._queue: deque[_Waiting] = deque()
        self._working: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[Kept], None]] = []
        self.shards = ALL_SHARDS
        self.observer = StoreObserver()

    def listen(self, listener: Callable[[Kept], None]) -> Callable[[], None]:
        """Call a listener after each commit with every new journal entry.

        Returns:
            A function that stops it.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def run(self, unit: Callable[[Transaction], T]) -> T:
        """Run a unit of work in one transaction; return its result after the commit.

        A cancelled caller gets no result; the unit is then committed whole or was never begun.

        Raises:
            StoreUnavailable: If the database can't be written just now; nothing was changed.
            Unjournalled: If the unit changed something without an entry; nothing was changed.
        """
        self._refuse_when_closed()
        waiting = _Waiting(unit, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        with self.observer.during("write"):
            result: T = await waiting.answer
        return result

    async def read(self, query: Callable[[Reader], T]) -> T:
        """Run a query on the read-only connection; it sees a consistent snapshot.

        Raises:
            StoreUnavailable: If the database can't be read just now.
        """
        self._refuse_when_closed()

        def look_up(connection: SqliteConnection) -> T:
            abandon(connection)
            connection.execute("BEGIN")
            try:
                return query(Reader(connection))
            finally:
                abandon(connection)

        try:
            with self.observer.during("read"):
                return await self._reader.call(look_up)
        except sqlite3.Error as error:
            raise_outage(error, self.path)

    async def close(self) -> None:
        """Finish waiting work, fold the write-ahead log into the file, and close it."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    def _refuse_when_closed(self) -> None:
        if self._closing is not None:
            raise StoreUnavailable("The bot is about to stop.")

    async def _work(self) -> None:
        """Commit waiting units until none are left."""
        while self._queue:
            taken = [self._queue.popleft() for _ in range(min(TOGETHER, len(self._queue)))]
            batch = [waiting for waiting in taken if not waiting.answer.done()]
            if not batch:  # all of them were cancelled
                continue
            try:
                outcomes = await self._commit([waiting.unit for waiting in batch])
            except Exception as error:  # nothing of this batch was kept
                self._fail(batch, error)
                continue
            except BaseException:  # the loop is being torn down
                for waiting in batch:
                    waiting.answer.cancel()
                raise
            for waiting, outcome in zip(batch, outcomes, strict=True):
                waiting.tell(outcome)
            self._announce([kept for outcome in outcomes for kept in outcome.kept])

    def _announce(self, news: list[Kept]) -> None:
        loop = asyncio.get_running_loop()
        for listener in self._listeners if news else ():
            loop.call_soon(_tell, listener, news)

    async def _commit(self, units: Sequence[Callable[[Transaction], Any]]) -> list[UnitOutcome]:
        return await self._writer.call(
            lambda connection: commit_together(connection, units, self.path, self._memory)
        )

    def _fail(self, batch: list[_Waiting], error: Exception) -> None:
        """Fail every waiting unit, including later ones, which would only wait in vain."""
        if isinstance(error, StoreUnavailable):
            batch += self._queue
            self._queue.clear()
        for waiting in batch:
            again = StoreUnavailable(error.reason) if isinstance(error, StoreUnavailable) else error
            waiting.tell(UnitOutcome(error=again))

    async def _close(self) -> None:
        if self._working is not None:
            await asyncio.wait({self._working})
        await self._reader.close()
        with suppress(sqlite3.OperationalError):  # what is not folded in now is so at the next start
            await self._writer.call(_fold)
        await self._writer.close()


def _tell(listener: Callable[[Kept], None], news: list[Kept]) -> None:
    for kept in news:
        listener(kept)


def _fold(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
