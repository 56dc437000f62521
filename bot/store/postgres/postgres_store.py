"""The store on PostgreSQL: each unit of work is a transaction on a connection of a pool, in a thread."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import psycopg
import structlog
from psycopg.abc import Buffer
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown
from psycopg_pool import ConnectionPool

from bot.store.connection import Found, StoreUnavailable
from bot.store.postgres.impatient_link import (
    CommitUnanswered,
    ImpatientLink,
    address_of,
    is_lost,
    is_passing,
    is_pooled,
    name_of,
    outage,
)
from bot.store.postgres.patience import USUAL_PATIENCE, Patience
from bot.store.postgres.postgres_connection import PostgresReading, PostgresWriting
from bot.store.postgres.postgres_migrations import migrate_postgres
from bot.store.postgres.server_turns import RunningUnit, ServerMemories, ServerTurns, UnitTurn
from bot.store.records import ALL_SHARDS, EntryId, EntryRecord, Kept, ServerId, Shards
from bot.store.rows import RememberedRows
from bot.store.transaction import Reader, StoreObserver, Transaction

CHANNEL = "tablekeeper"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', ?)"


def payloads(kept: Iterable[Kept], shards: Shards) -> list[str]:
    """Return what others have to be told: each entry in a server that this process doesn't hold, once."""
    of_others = (f"{one.server} {one.entry}" for one in kept if not shards.has(one.server))
    return list(dict.fromkeys(of_others))


def read_payload(payload: str) -> tuple[ServerId, EntryId] | None:
    """Return the server and the entry of a payload; None if it has no sense."""
    parts = payload.split(" ")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    return ServerId(int(parts[0])), EntryId(int(parts[1]))


def news_of(entry: EntryRecord) -> Kept:
    """Return news of an entry that another process added, undid or restored: whatever it may have changed."""
    return Kept(
        entry.server,
        entry.campaign,
        frozenset(change.table for change in entry.changes),
        turned=entry.id,
        character=entry.character,
        entry=entry.id,
    )


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")
Pool = ConnectionPool[ImpatientLink]

CONNECTIONS = 8
STATEMENTS_KEPT = 512  # prepared statements; there are about a hundred
PAUSES = (0.0, 0.01, 0.05, 0.2)  # before a transaction is tried, and tried again


async def open_postgres(url: str, patience: Patience = USUAL_PATIENCE) -> "PostgresStore":
    """Open a database, and migrate it to this program's schema.

    Args:
        url: ``postgresql://`` and the rest of libpq's address.
        patience: How long units of work wait.

    Raises:
        StoreUnavailable: If it can't be used; the reason says what to do.
    """

    def prepare(link: ImpatientLink) -> None:
        _prepare(link)
        link.patience = patience

    name, address = name_of(url), address_of(url)
    pool: Pool = ConnectionPool(
        address,
        connection_class=ImpatientLink,
        min_size=1,
        max_size=CONNECTIONS,
        open=False,
        timeout=patience.connection,
        reconnect_timeout=patience.connection,  # after that, the next unit tries at once
        kwargs={"autocommit": True},
        configure=prepare,
    )

    def begin() -> None:
        # Says why it fails, where the pool only tries again; and leaves nothing on a pooler's connection.
        with psycopg.connect(address, autocommit=True, prepare_threshold=None) as link:
            migrate_postgres(link, name)
        pool.open(wait=True, timeout=patience.start)

    try:
        await asyncio.to_thread(begin)
    except psycopg.Error as error:
        await asyncio.to_thread(pool.close)
        raise outage(error, name) or error from error
    return PostgresStore(name, pool, patience)


class _TextDumper(StrDumperUnknown):
    """Puts U+FFFD in the place of U+0000, which no text of PostgreSQL can have.

    Documents keep it, escaped. Names and notes are cleaned before; but what people search for is not.
    """

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


def _prepare(link: "psycopg.Connection[Found]") -> None:
    link.adapters.register_dumper(str, _TextDumper)
    # By its size, a number would be one of three types, and each text several prepared statements.
    link.adapters.register_dumper(int, Int8Dumper)
    link.prepared_max = STATEMENTS_KEPT
    if is_pooled(link):
        link.prepare_threshold = None


class PostgresStore:
    """Runs units of work on PostgreSQL; see `bot.store.transaction.Store`. Made by `open_postgres`.

    Args:
        name: The database, as messages name it.
        pool: Its connections.
        patience: How long units of work wait.
    """

    def __init__(self, name: str, pool: Pool, patience: Patience) -> None:
        self.name = name
        self._pool = pool
        self._patience = patience
        self._threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="database")
        self._turns = ServerTurns()
        self._memories = ServerMemories()
        self._under_way: set[asyncio.Future[None]] = set()
        self._closing: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[Kept], None]] = []
        self._renewed_at = 0.0
        self._unreached, self._unreached_at = "", 0.0
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

        It may be run again: after a conflict, a lost connection, or another unit of its server. A cancelled
        caller gets no result; the unit is then committed whole or was never begun.

        Raises:
            StoreUnavailable: If the database can't be written just now; nothing was changed.
            OutcomeUnknown: If it can't be told any more whether it was.
            Unjournalled: If the unit changed something without an entry; nothing was changed.
        """
        loop, turn, asked_at = asyncio.get_running_loop(), UnitTurn(self._turns), time.monotonic()
        unanswered: list[Kept] = []

        def transaction(link: ImpatientLink) -> tuple[T, list[Kept]]:
            connection = PostgresWriting(link, self._memories, turn, self.observer)
            try:
                return committed(connection, unit, self.shards)
            except CommitUnanswered as error:
                unanswered[:] = error.kept
                raise

        def work() -> T:
            kept: list[Kept] = []
            try:
                result, kept = self._repeated(transaction, asked_at)
            finally:
                for one in kept or unanswered:  # listeners look for themselves whether it was done
                    loop.call_soon_threadsafe(self._announce, one)
            return result

        with self._kept_open(), self.observer.during("write"):
            running = RunningUnit(self._threads, turn, work, self.observer)
            running.begin()
            return await running.answer

    async def read(self, query: Callable[[Reader], T]) -> T:
        """Run a query in a read-only transaction; it sees a consistent snapshot.

        Raises:
            StoreUnavailable: If the database can't be read just now.
        """
        with self._kept_open(), self.observer.during("read"):
            running = self._threads.submit(
                self._repeated,
                lambda link: _looked_up(PostgresReading(link, self._memories), query),
                time.monotonic(),
            )
            return await asyncio.wrap_future(running)

    async def close(self) -> None:
        """Finish waiting work, and close every connection."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        while self._under_way:
            await asyncio.wait(set(self._under_way))
        await asyncio.to_thread(self._pool.close)
        self._threads.shutdown()

    @contextmanager
    def _kept_open(self) -> Iterator[None]:
        """Let closing wait for what is under way.

        Raises:
            StoreUnavailable: If the store is closing.
        """
        if self._closing is not None:
            raise StoreUnavailable("The bot is about to stop.")
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way.add(ended)
        try:
            yield
        finally:
            self._under_way.discard(ended)
            ended.set_result(None)

    async def heard(self, payload: str) -> None:
        """Tell listeners of an entry that another process wrote in a server of this one's shards.

        Args:
            payload: What it notified; what has no sense is ignored.
        """
        named = read_payload(payload)
        if named is None:
            log.warning("notification not understood", payload=payload[:100])
            return
        server, entry = named
        if not self.shards.has(server):
            return
        try:
            found = await self.read(lambda reader: reader.entry(server, entry))
        except StoreUnavailable as error:
            log.warning("news of another process not read", server=server, reason=error.reason)
            return
        if found is not None:
            self._announce(news_of(found))

    def _announce(self, kept: Kept) -> None:
        for listener in list(self._listeners) if self.shards.has(kept.server) else ():
            listener(kept)

    def _repeated(self, transaction: Callable[[ImpatientLink], T], asked_at: float) -> T:
        """Run a transaction until it succeeds or can't; only in the time that Discord waits.

        Args:
            transaction: What is run; it may be run several times.
            asked_at: When it was asked for, by the monotonic clock in seconds.

        Raises:
            StoreUnavailable: If the database can't be used just now.
        """
        if asked_at < self._unreached_at:
            raise StoreUnavailable(self._unreached)  # it has waited as long as the one that found out
        began, is_outcome_unknown, patience = time.monotonic(), False, self._patience
        for pause in PAUSES:
            time.sleep(pause)
            tried_at = time.monotonic()
            try:
                left = began + patience.connection - tried_at
                with self._pool.connection(max(left, patience.least)) as link:
                    left = began + patience.answer - time.monotonic()
                    link.answer_seconds = max(left, patience.least)
                    try:
                        return transaction(link)
                    except psycopg.Error as error:
                        is_outcome_unknown |= isinstance(error, CommitUnanswered)
                        if is_lost(error, link):
                            self._renew(tried_at)
                        is_late = time.monotonic() > began + patience.retry
                        if is_late or pause == PAUSES[-1] or not is_passing(error, link):
                            raise
                self.observer.retried()
            except StopIteration as error:  # a future cannot hold one
                raise RuntimeError("a unit of work raised StopIteration") from error
            except psycopg.Error as error:
                raise self._outage(error, is_outcome_unknown=is_outcome_unknown) from error
        raise LookupError("the last try ends otherwise")

    def _renew(self, tried_at: float) -> None:
        """Replace every connection that is older than a failed try: the others are probably lost too."""
        if tried_at > self._renewed_at:
            self._renewed_at = time.monotonic()
            self._pool.drain()

    def _outage(self, error: psycopg.Error, *, is_outcome_unknown: bool) -> Exception:
        """Return what an error means; if the database can't be reached, units that already wait fail too."""
        meaning = outage(error, self.name, is_outcome_unknown=is_outcome_unknown)
        if meaning is not None and error.sqlstate is None:
            self._unreached, self._unreached_at = meaning.reason, time.monotonic()
        return meaning or error


def committed(
    connection: PostgresWriting, unit: Callable[[Transaction], T], shards: Shards = ALL_SHARDS
) -> tuple[T, list[Kept]]:
    """Run a unit in a transaction, and commit it; the process that holds its server is told if it is another.

    Raises:
        ServerBusy: If another unit of the server is running; nothing was done.
        Unjournalled: If the unit changed something without an entry.
        CommitUnanswered: If it may have been committed, or not.
    """
    try:
        transaction = Transaction(connection, connection)
        result = unit(transaction)
        transaction.require_journalled()
        for payload in payloads(transaction.kept, shards):
            connection.execute(NOTIFY, (payload,))
        connection.commit()
    except BaseException as error:
        if isinstance(error, CommitUnanswered):
            error.kept = transaction.kept
        connection.end()
        raise
    return result, transaction.kept


def _looked_up(connection: PostgresReading, query: Callable[[Reader], T]) -> T:
    try:
        return query(Reader(connection, RememberedRows(connection, connection)))
    finally:
        connection.end()
