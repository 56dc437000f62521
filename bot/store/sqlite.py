"""The store on one SQLite file: a connection that writes, and one that only reads."""

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import aiosqlite
from msgspec import Struct

from bot.store.connection import (
    COUNTED,
    INTERACTIONS,
    Found,
    StoreUnavailable,
    TableColumn,
    outage,
    raise_outage,
    refusal_of,
)
from bot.store.database_files import make_private, path_of, read_only_uri, require_folder
from bot.store.migrate import migrate, newest_version, refuse_foreign
from bot.store.records import ALL_SHARDS, Kept, ServerId
from bot.store.rows import Memory
from bot.store.transaction import Reader, StoreObserver, Transaction

_COLUMNS = """
SELECT tables.name, columns.name, columns.type = 'TEXT', nullif(columns.pk, 0)
FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.name, columns.cid
"""
_COUNT = {
    thing: f"UPDATE servers SET {thing} = {thing} + ? WHERE server_id = ? RETURNING {thing}"  # noqa: S608 - constants
    for thing in COUNTED
}
_KNOW = "INSERT INTO servers (server_id) VALUES (?)"

# SQLite names the columns of a broken index, not the index.
_UNIQUE = {
    "campaigns.server_id, campaigns.name_key": "campaigns_name",
    "characters.server_id, characters.campaign_id, characters.name_key": "characters_name",
    "countdowns.server_id, countdowns.campaign_id, countdowns.name_key": "countdowns_name",
    "favourites.server_id, favourites.character_id, favourites.name_key": "favourites_name",
    "entries.server_id, entries.interaction": INTERACTIONS,
}


class SqliteConnection(sqlite3.Connection):
    """A connection to SQLite; see `bot.store.connection.DatabaseConnection`."""

    def look_up(self, statement: str, parameters: Sequence[Any] = (), /) -> list[Found]:
        """Run a statement, and return its rows."""
        return self.execute(statement, parameters).fetchall()

    def at_once(self) -> AbstractContextManager[None]:
        """Do nothing: every broken constraint is said at once."""
        return nullcontext()

    def take_long(self) -> None:
        """Do nothing: everything may."""

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        return self.execute(statement, parameters)

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        message = str(error)
        is_check = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_CONSTRAINT_CHECK
        return refusal_of(_UNIQUE.get(message.partition(": ")[2]), message, is_check=is_check)

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things of a kind, counted for each server."""
        found = self.execute(_COUNT[thing], (count, server)).fetchall()
        if not found:
            self.execute(_KNOW, (server,))
            found = self.execute(_COUNT[thing], (count, server)).fetchall()
        last: int = found[0][0]
        return last - count + 1

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        return [
            TableColumn(table, name, bool(is_text), key_place)
            for table, name, is_text, key_place in self.execute(_COLUMNS)
        ]


T = TypeVar("T")

STATEMENTS_KEPT = 512  # prepared statements; there are about a hundred


class Worker:
    """Runs whole functions on a connection, one after the other, in aiosqlite's thread.

    Args:
        database: A file name, or a URI.
        is_uri: Whether *database* is a URI.
        busy_seconds: How long to wait for another program's lock.
    """

    def __init__(self, database: str, *, is_uri: bool, busy_seconds: float) -> None:
        self._connection = aiosqlite.connect(
            database,
            uri=is_uri,
            timeout=busy_seconds,
            isolation_level=None,
            factory=SqliteConnection,
            cached_statements=STATEMENTS_KEPT,
        )
        # Private: a program that ends without closing would otherwise wait for this thread for ever.
        self._connection._thread.daemon = True

    async def open(self) -> None:
        """Start the thread and connect."""
        try:
            await self._connection
        except BaseException:
            self._connection._thread.join()  # it ends at once, but still has something to tell the loop
            raise

    async def call(self, function: Callable[[SqliteConnection], T]) -> T:
        """Run a function to its end; a cancelled caller doesn't stop it halfway."""
        connection: Any = self._connection
        # Private: aiosqlite's public calls are one hop a statement, which costs 4 to 25 times more,
        # and can be cancelled between two of them.
        return cast("T", await connection._execute(function, connection._conn))

    async def close(self) -> None:
        """Finish earlier calls, disconnect, and end the thread."""
        await self._connection.close()


Unit: TypeAlias = Callable[[Transaction], Any]


class UnitOutcome(Struct, frozen=True):
    """The outcome of a unit: its result or its error."""

    result: object = None  # what it returned
    error: BaseException | None = None  # what it raised, or why it could not be committed
    kept: tuple[Kept, ...] = ()  # news of the entries it put into the journal


def commit_together(
    connection: SqliteConnection, units: Sequence[Unit], path: Path, memory: Memory
) -> list[UnitOutcome]:
    """Run units one after the other and commit all that succeed at once.

    A unit that fails leaves nothing behind and doesn't affect the others.

    Args:
        connection: In autocommit mode.
        units: The units to run.
        path: The database's file, for the operator's message.
        memory: What this connection has read before.

    Returns:
        The outcome of each unit, in order.

    Raises:
        StoreUnavailable: If the database failed; then none of them is committed.
    """
    try:
        abandon(connection)
        connection.execute("BEGIN IMMEDIATE")
        memory.keep_if_still(connection.execute("PRAGMA data_version").fetchone()[0])
        outcomes = [_run(connection, unit, path, memory) for unit in units]
        connection.execute("COMMIT")
    except (sqlite3.Error, StoreUnavailable) as error:
        memory.clear()
        with suppress(sqlite3.Error):  # the next batch tries again
            abandon(connection)
        raise_outage(error, path)
    return outcomes


def abandon(connection: SqliteConnection) -> None:
    """Roll back the open transaction, if any."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _run(connection: SqliteConnection, unit: Unit, path: Path, memory: Memory) -> UnitOutcome:
    connection.execute("SAVEPOINT unit")
    transaction = Transaction(connection, memory)
    try:
        result = unit(transaction)
        transaction.require_journalled()
    except BaseException as error:  # it belongs to whoever asked for the unit, not to this thread
        if transaction.has_written:
            memory.clear()
        return _taken_back(connection, error, path)
    connection.execute("RELEASE unit")
    return UnitOutcome(result, kept=tuple(transaction.kept))


def _taken_back(connection: SqliteConnection, error: BaseException, path: Path) -> UnitOutcome:
    unavailable = outage(error, path)
    if not connection.in_transaction:  # SQLite gave the whole transaction up, and other units with it
        raise unavailable or StoreUnavailable(f"The database {path} gave up a transaction: {error}")
    connection.execute("ROLLBACK TO unit")
    connection.execute("RELEASE unit")
    if isinstance(error, StopIteration):  # a future cannot hold one
        return UnitOutcome(error=RuntimeError("a unit of work raised StopIteration"))
    return UnitOutcome(error=unavailable or error)


OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables
BUSY_SECONDS = 2.0  # Discord waits three seconds for an answer
SWITCH_PAUSE_SECONDS = 0.02
TOGETHER = 64  # units in one commit at most, so that none waits long for the others


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


class _Waiting(Struct, frozen=True):
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
    """Runs units of work on a SQLite file; see `bot.store.transaction.Store`. Made by `open_store`.

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
