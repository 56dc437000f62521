"""Shards are held by locks in the database: each one by one process, whatever happens.

Every process has one connection for them, in a thread. It must lead to PostgreSQL itself: a pooler keeps no
lock of a session. When the connection ends, so do its locks, and the other processes take the shards.

The network may be cut without anybody being told. Therefore a process counts on its locks only for some
seconds after it sent a query that was answered, and the server ends a connection on which it heard nothing
for somewhat longer. Both count from the same query, so the process stops before the locks are free.
"""

import asyncio
import selectors
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from queue import Empty, SimpleQueue
from typing import Any

import psycopg
import structlog
from msgspec import Struct
from msgspec.structs import replace

from bot.store.connection import Found, StoreUnavailable
from bot.store.postgres.impatient_link import ImpatientLink, address_of, is_pooled, name_of, outage
from bot.store.postgres.patience import USUAL_TIMES, LockTimes
from bot.store.postgres.postgres_connection import Link
from bot.store.postgres.postgres_store import CHANNEL, PostgresStore
from bot.store.transaction import Store

BUCKET = 0x746B03  # the first key of the advisory locks; the second one is the bucket

_TRY = "SELECT pg_try_advisory_lock(%s::int, %s::int)"
_FREE = "SELECT pg_advisory_unlock(%s::int, %s::int)"
_SINCE = """
SELECT CAST(extract(epoch FROM clock_timestamp()) AS float8) - CAST(value AS float8) FROM meta WHERE key = %s
"""
_NOTE = """
INSERT INTO meta (key, value) VALUES (%s, CAST(extract(epoch FROM clock_timestamp()) + %s AS text))
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
ON_ITS_WAY = 0.5  # seconds that an identify may take to Discord


class IdentifyTurn:
    """A turn to identify a shard.

    Args:
        bucket: The shard's number modulo Discord's ``max_concurrency``.
        wake: Makes the thread with the connection look at the turns.
    """

    def __init__(self, bucket: int, wake: Callable[[], None]) -> None:
        self.bucket = bucket
        self.has_ended = False
        self.has_lock = False
        self.is_granted = False
        self.not_before = 0.0
        self._loop = asyncio.get_running_loop()
        self._granted = asyncio.Event()
        self._wake = wake

    async def granted(self) -> None:
        """Wait for the turn; whoever is cancelled meanwhile needs none any more."""
        try:
            await self._granted.wait()
        except asyncio.CancelledError:
            self.end()
            raise

    def grant(self) -> None:
        """Tell whoever waits; called by the thread."""
        self.is_granted = True
        self._loop.call_soon_threadsafe(self._granted.set)

    def end(self) -> None:
        """Leave the bucket to the next one: Discord has heard of the shard, or never will."""
        self.has_ended = True
        self._wake()


class IdentifyTurns:
    """The turns of a process, for the thread that has the connection.

    The lock of a bucket is held until Discord has heard of the shard. When that was is noted as well, by the
    database's clock: a killed process loses its locks at once, but the next one waits all the same.
    Before Discord has answered, an identify counts as heard a little later than it may be sent.

    Args:
        seconds: The least time between two of a bucket.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns: list[IdentifyTurn] = []

    def __bool__(self) -> bool:
        return bool(self._turns)

    def add(self, turn: IdentifyTurn) -> None:
        """Add a turn behind those of its bucket."""
        self._turns.append(turn)

    def forget_locks(self) -> None:
        """Begin anew, after the connection with the locks was lost."""
        for turn in self._turns:
            turn.has_lock = False

    def look(self, link: Link) -> None:
        """Go on with the first turn of each bucket."""
        first = {turn.bucket: turn for turn in reversed(self._turns)}
        for turn in first.values():
            if turn.has_ended:
                self._end(link, turn)
            elif not turn.is_granted and self._has_lock(link, turn) and time.monotonic() >= turn.not_before:
                link.execute(_NOTE, (_key(turn), ON_ITS_WAY))
                turn.grant()

    def _has_lock(self, link: Link, turn: IdentifyTurn) -> bool:
        if not turn.has_lock and link.execute(_TRY, (BUCKET, turn.bucket)).fetchone() == (True,):
            turn.has_lock = True
            (since,) = link.execute(_SINCE, (_key(turn),)).fetchone() or (self._seconds,)
            # A time further ahead means that the database's clock was set back.
            turn.not_before = time.monotonic() + self._seconds - max(since, -ON_ITS_WAY)
        return turn.has_lock

    def _end(self, link: Link, turn: IdentifyTurn) -> None:
        if turn.is_granted:
            link.execute(_NOTE, (_key(turn), 0))
        if turn.has_lock:
            link.execute(_FREE, (BUCKET, turn.bucket))
        self._turns.remove(turn)


def _key(turn: IdentifyTurn) -> str:
    return f"identified:{turn.bucket}"


class Holders(Struct, frozen=True):
    """Which processes are alive and who holds what, at one moment."""

    count: int  # how many shards there are
    me: int  # the process that asks
    alive: frozenset[int]  # every process that is alive
    by_shard: Mapping[int, int]  # the holder of each shard that is held

    @property
    def mine(self) -> frozenset[int]:
        """The shards of the process that asks."""
        return frozenset(shard for shard, holder in self.by_shard.items() if holder == self.me)

    @property
    def free(self) -> frozenset[int]:
        """The shards that nobody holds."""
        return frozenset(range(self.count)) - self.by_shard.keys()

    @property
    def share(self) -> int:
        """How many shards the process that asks should hold.

        Where they cannot be divided evenly, whoever holds most already keeps one more, so that none moves
        without need.
        """
        held = Counter(self.by_shard.values())
        order = sorted(self.alive | {self.me}, key=lambda one: (-held[one], one))
        fewest, left = divmod(self.count, len(order))
        return fewest + (order.index(self.me) < left)

    def after_taking(self, shards: Iterable[int]) -> "Holders":
        """Return the same with some shards taken by the process that asks."""
        return replace(self, by_shard={**self.by_shard, **dict.fromkeys(shards, self.me)})


def to_take(holders: Holders, *, ripe: Collection[int], lost: Collection[int], room: int) -> list[int]:
    """Return which shards to take now.

    Args:
        holders: Who holds what.
        ripe: Shards that were free a moment ago as well: nobody is about to take them back.
        lost: Shards that the process held until its connection was lost a moment ago.
        room: How many new ones it can connect at once.
    """
    back = sorted(holders.free.intersection(lost))
    new = sorted(holders.free.intersection(ripe).difference(lost))
    lacking = holders.share - len(holders.mine) - len(back)
    start = holders.me % len(new) if new else 0  # so that two that look at once seldom want the same ones
    return back + (new[start:] + new[:start])[: max(0, min(lacking, room))]


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SHARD = 0x746B01  # the first key of a shard's advisory lock; the second one is the shard
ALIVE = 0x746B02  # the first key of a process's; the second one is how many shards there are
OLDEST_SERVER = 140000  # the first one with idle_session_timeout

_LIMITS = """
SELECT set_config('idle_session_timeout', %s, FALSE), set_config('lock_timeout', '4s', FALSE)
"""
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(%s::int, 0)"
_LIVE = "SELECT pg_advisory_lock_shared(%s::int, %s::int)"
_TAKE = "SELECT one, pg_try_advisory_lock(%s::int, one) FROM unnest(%s::int[]) AS one"
_GIVE_BACK = "SELECT pg_advisory_unlock(%s::int, %s::int)"
_LOOK = """
SELECT CAST(classid AS bigint), CAST(objid AS bigint), pid FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND CAST(classid AS bigint) IN (%s, %s)
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class ShardLocks:
    """The shards that this process holds.

    Args:
        url: libpq's address of the database, not of a pooler.
        heard: Is told each payload of a NOTIFY.

    Attributes:
        count: How many shards there are.
        wanted: How many this process should hold.
        is_settled: Whether it holds its share, or no shard is free.
        at_once: How many shards may wait for being connected; the next ones are taken later. Before this is
            set, the process takes none, and the others leave none to it.
        connected: The shards that Discord has heard of.
        changed: Set whenever something here has changed.
    """

    def __init__(
        self,
        url: str,
        count: int,
        heard: Callable[[str], Coroutine[Any, Any, None]],
        times: LockTimes = USUAL_TIMES,
    ) -> None:
        self.count = count
        self.wanted = 0
        self.is_settled = False
        self.at_once = 0
        self.connected: frozenset[int] = frozenset()
        self.changed = asyncio.Event()
        self._heard = heard
        self._address, self._name = address_of(url), name_of(url)
        self._times = times
        self._held: frozenset[int] = frozenset()
        self._lost: frozenset[int] = frozenset()
        self._sure_until = self._lost_for_good_at = 0.0
        self._free_before: frozenset[int] = frozenset()
        self._turns = IdentifyTurns(times.identify)
        self._asked: SimpleQueue[Callable[[Link], None]] = SimpleQueue()
        self._waker, self._woken = socket.socketpair()
        self._is_alive = False  # for the others, from when it could connect shards
        self._is_closing = False
        self._is_open = asyncio.Event()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="shards")
        self._working: asyncio.Future[None] | None = None
        self._loop = asyncio.get_running_loop()

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process may act for now."""
        return self._held if time.monotonic() < self._sure_until else frozenset()

    @property
    def kept(self) -> frozenset[int]:
        """The shards whose gateways may stay open: those held, and those that it may get back in a moment."""
        lost = self._lost if time.monotonic() < self._lost_for_good_at else frozenset()
        return self.held | lost

    async def open(self) -> None:
        """Connect, and begin to take shards.

        Raises:
            StoreUnavailable: If the database can't be used, or other processes count the shards otherwise.
        """
        self._working = self._loop.run_in_executor(self._threads, self._work)
        self._working.add_done_callback(lambda _: self.changed.set())
        opening = asyncio.create_task(self._is_open.wait())
        ends: set[asyncio.Future[Any]] = {opening, self._working}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        opening.cancel()
        self.require_working()

    def require_working(self) -> None:
        """Raise what ended the work, if something has.

        Raises:
            StoreUnavailable: If this process may hold no shards any more.
        """
        if self._working is not None and self._working.done():
            self._working.result()

    async def give_back(self, shard: int) -> None:
        """Leave a shard to the others."""
        given: asyncio.Future[None] = self._loop.create_future()
        self._ask(lambda link: self._give_back(link, shard, given))
        await given

    def turn(self, bucket: int) -> IdentifyTurn:
        """Ask for a turn to identify a shard of a bucket; it has to be ended."""
        turn = IdentifyTurn(bucket, self._wake)
        self._ask(lambda _: self._turns.add(turn))
        return turn

    async def close(self) -> None:
        """Give everything back."""
        self._is_closing = True
        self._wake()
        if self._working is not None:
            await asyncio.wait({self._working})
        self._threads.shutdown()
        self._waker.close()
        self._woken.close()

    def _ask(self, what: Callable[[Link], None]) -> None:
        self._asked.put(what)
        self._wake()

    def _wake(self) -> None:
        self._waker.send(b"\0")

    # --- in the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        """Hold shards until `close`.

        Raises:
            StoreUnavailable: If the database can't be used at the start, or the shards are counted otherwise.
        """
        while not self._is_closing:
            try:
                with closing(ImpatientLink.connect(self._address, autocommit=True)) as link:
                    self._begin(link)
                    while not self._is_closing:
                        self._look(link)
                        self._loop.call_soon_threadsafe(self._is_open.set)
                        self._rest(link)
            except psycopg.Error as error:
                reason = outage(error, self._name)
                if reason is None or not self._is_open.is_set():
                    raise reason or error from error
                self._lose(reason.reason)
                self._sleep(self._times.retry)

    def _begin(self, link: ImpatientLink) -> None:
        """Prepare a connection for locks.

        Raises:
            StoreUnavailable: If the database cannot do this, or other processes count the shards otherwise.
        """
        link.answer_seconds = self._times.silence
        link.add_notify_handler(self._hear)
        if link.info.server_version < OLDEST_SERVER:
            raise StoreUnavailable(
                f"{self._name} is too old to share shards: update PostgreSQL to 15 or newer."
            )
        if is_pooled(link):
            raise StoreUnavailable(
                f"{self._name} is behind a pooler, which keeps no locks: set database.direct_url to the "
                "address of PostgreSQL itself."
            )
        link.execute(_LIMITS, (f"{round(self._times.release * 1000)}ms",))
        link.execute(f"LISTEN {CHANNEL}".encode())
        self._refuse_other_counts(link)
        if self._is_alive:
            self._be_counted(link)
        self._free_before = frozenset()
        self._turns.forget_locks()

    def _be_counted(self, link: ImpatientLink) -> None:
        """Be counted among the processes that are alive, and get a share.

        Raises:
            StoreUnavailable: If other processes count the shards otherwise.
        """
        with link.transaction():
            link.execute(_ONE_AT_A_TIME, (ALIVE,))
            self._refuse_other_counts(link)
            link.execute(_LIVE, (ALIVE, self.count))
        self._is_alive = True

    def _refuse_other_counts(self, link: ImpatientLink) -> None:
        others = {number for kind, number, _ in self._locks(link) if kind == ALIVE} - {0, self.count}
        if others:
            raise StoreUnavailable(
                f"Other processes run with discord.shard_count {min(others)}, this one with {self.count}: "
                "stop them all before you change it."
            )

    def _locks(self, link: ImpatientLink) -> list[Found]:
        asked_at = time.monotonic()
        rows = link.execute(_LOOK, (ALIVE, SHARD)).fetchall()
        self._sure_until = asked_at + self._times.silence
        link.answer_seconds = self._times.silence - self._times.look
        return rows

    def _look(self, link: ImpatientLink) -> None:
        """See who holds what, and take what is due to this process."""
        if self.at_once and not self._is_alive:
            self._be_counted(link)
        rows = self._locks(link)
        holders = Holders(
            count=self.count,
            me=link.info.backend_pid,
            alive=frozenset(pid for kind, number, pid in rows if kind == ALIVE and number == self.count),
            by_shard={number: pid for kind, number, pid in rows if kind == SHARD},
        )
        lost = self._lost if time.monotonic() < self._lost_for_good_at else frozenset()
        room = self.at_once - len(holders.mine - self.connected)
        wanted = to_take(holders, ripe=self._free_before, lost=lost, room=room)
        taken = [one for one, is_mine in link.execute(_TAKE, (SHARD, wanted)) if is_mine] if wanted else []
        holders = holders.after_taking(taken)
        self._free_before, held = holders.free, holders.mine
        is_settled = len(held) == holders.share or not holders.free
        before = (self._held, self._lost, self.wanted, self.is_settled)
        self._held, self._lost, self.wanted, self.is_settled = held, frozenset(), holders.share, is_settled
        if before != (held, frozenset(), holders.share, is_settled):
            self._tell_changed()

    def _rest(self, link: ImpatientLink) -> None:
        """Do what is asked for, until it is time for the next look or PostgreSQL says something."""
        until = time.monotonic() + self._times.look
        while not self._is_closing:
            while (what := self._next_asked()) is not None:
                what(link)
            self._turns.look(link)
            seconds = until - time.monotonic()
            if seconds <= 0 or self._sleep(min(seconds, self._times.turn) if self._turns else seconds, link):
                return

    def _sleep(self, seconds: float, link: ImpatientLink | None = None) -> bool:
        """Sleep until there is something to do; return whether PostgreSQL has said something."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            if link is not None:
                selector.register(link, selectors.EVENT_READ)
            readable = [key.fileobj for key, _ in selector.select(seconds)]
        if self._woken in readable:
            self._woken.recv(4096)
        return link in readable

    def _next_asked(self) -> Callable[[Link], None] | None:
        try:
            return self._asked.get_nowait()
        except Empty:
            return None

    def _give_back(self, link: Link, shard: int, given: "asyncio.Future[None]") -> None:
        try:
            if shard in self._held:
                link.execute(_GIVE_BACK, (SHARD, shard))
        finally:  # a lost connection has no locks either
            self._held -= {shard}
            self.is_settled = len(self._held) == self.wanted
            self._tell_changed()
            self._loop.call_soon_threadsafe(_end, given)

    def _lose(self, reason: str) -> None:
        """Act for no shard any more; the gateways stay open for as long as they could have without this."""
        if self._held or self.wanted:
            log.warning("shards lost", shards=sorted(self._held), reason=reason)
        if self._held:
            self._lost, self._lost_for_good_at = self._held, self._sure_until
        self._held, self._sure_until = frozenset(), 0.0
        self.wanted, self.is_settled = 0, False
        self._tell_changed()

    def _hear(self, notify: psycopg.Notify) -> None:
        hearing = asyncio.run_coroutine_threadsafe(self._heard(notify.payload), self._loop)
        hearing.add_done_callback(_log_failure)

    def _tell_changed(self) -> None:
        self._loop.call_soon_threadsafe(self.changed.set)


def _log_failure(hearing: "Future[Any]") -> None:
    if not hearing.cancelled() and (error := hearing.exception()) is not None:
        log.error("news of another process not told", exc_info=error)


def _end(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


@asynccontextmanager
async def shared(
    url: str, count: int, store: Store, times: LockTimes = USUAL_TIMES
) -> AsyncIterator[ShardLocks]:
    """Divide the shards with other processes on the same PostgreSQL database, while the context lasts.

    Args:
        url: The address of the database, not of a pooler.
        store: The store, which hears what others write in servers of this process.
        times: How long things take with their locks.

    Raises:
        StoreUnavailable: If the shards can't be shared; the reason says what to do.
    """
    assert isinstance(store, PostgresStore)  # noqa: S101  # the one at this address
    locks = ShardLocks(url, count, store.heard, times)
    try:
        await locks.open()
        yield locks
    finally:
        await locks.close()
