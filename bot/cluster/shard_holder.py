"""The gateways follow the locks: a process is connected with the shards that it holds, and no others."""

import asyncio
from collections.abc import Collection, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import discord
import structlog

from bot.table.base.table import Shards

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class ShardTurn(Protocol):
    """A turn to identify; see `bot.cluster.shard_locks.IdentifyTurn`."""

    async def granted(self) -> None:
        """Wait for it."""

    def end(self) -> None:
        """Leave it to the next one."""


class Locks(Protocol):
    """The locks of the shards; see `bot.cluster.shard_locks.ShardLocks`."""

    count: int
    wanted: int
    is_settled: bool
    at_once: int
    connected: frozenset[int]
    changed: asyncio.Event

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process may act for now."""

    @property
    def kept(self) -> frozenset[int]:
        """The shards whose gateways may stay open."""

    def require_working(self) -> None:
        """Raise what ended the work, if something has."""

    async def give_back(self, shard: int) -> None:
        """Leave a shard to the others."""

    def turn(self, bucket: int) -> ShardTurn:
        """Ask for a turn to identify a shard of a bucket."""


class ShardHolder:
    """Connects the shards that this process holds, and disconnects those that it holds no more."""

    def __init__(self, bot: "Tablekeeper", locks: Locks) -> None:
        self._bot = bot
        self._locks = locks
        self._pace = bot.pace
        self._buckets = 1
        self._may_begin = asyncio.Event()
        self._gateways: dict[int, asyncio.Task[None]] = {}
        self._greeted: dict[int, asyncio.Event] = {}
        self._closing: set[int] = set()
        self._turns: dict[int, ShardTurn] = {}
        self._unused: set[int] = set()  # shards that have a turn and have not identified yet
        self._leaving: asyncio.Task[None] | None = None
        self._given: frozenset[int] = frozenset()
        self._ready: frozenset[int] = frozenset()
        self._told: frozenset[int] = frozenset()
        self._has_told = False
        self._background: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None
        bot.table.shards = Shards(locks.count, frozenset())

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process acts for."""
        return self._locks.held - self._given

    @property
    def wanted(self) -> int:
        """How many shards it should hold; none before Discord has let it in."""
        return self._locks.wanted if self._may_begin.is_set() else 0

    @property
    def is_ready(self) -> bool:
        """Whether it holds its share, and the servers of that are known; a spare's share is nothing."""
        has_share = self._locks.is_settled or len(self.held) > self.wanted  # then it gives some back
        is_listed = self.held <= self._ready & self._bot.connected_shards
        return self._may_begin.is_set() and has_share and is_listed

    def serves(self, server: int) -> bool:
        """Return whether this process may answer a server now: nobody else has its shard yet.

        While the database is away for a moment, people are told so.
        """
        return Shards(self._locks.count, self._locks.kept).has(server)

    def begin(self, buckets: int) -> None:
        """Let shards be connected.

        Args:
            buckets: How many may identify at once: Discord's ``max_concurrency``.
        """
        self._buckets = self._locks.at_once = buckets
        self._may_begin.set()

    async def run(self) -> None:
        """Follow the locks until cancelled; then disconnect everything.

        Raises:
            StoreUnavailable: If this process may hold no shards any more.
        """
        try:
            await self._may_begin.wait()
            while True:
                self._locks.changed.clear()
                self._follow()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pace.shard_look_seconds):
                        await self._locks.changed.wait()
        finally:
            self._locks.at_once = 0
            if self._leaving is not None:
                self._leaving.cancel()
            self._bot.table.shards = Shards(self._locks.count, frozenset())
            await self._closed(*self._gateways)

    async def before_identify(self, shard: int) -> None:
        """Wait for a shard's turn, if discord.py connects it again by itself.

        Raises:
            asyncio.CancelledError: If the shard is held no more; discord.py then gives it up.
        """
        if shard in self._unused:
            self._unused.discard(shard)
            return
        if shard not in self._gateways:
            raise asyncio.CancelledError
        if shard in self._turns:  # Discord has not accepted the one before
            self._end_turn(shard, self._turns[shard])
        turn = self._locks.turn(shard % self._buckets)
        await turn.granted()
        self._turns[shard] = turn
        asyncio.get_running_loop().call_later(self._pace.identify_seconds, self._end_turn, shard, turn)

    async def connected(self, shard: int) -> None:
        """Note that Discord has greeted a shard."""
        if shard in self._turns:
            self._end_turn(shard, self._turns[shard])
        if shard in self._greeted:
            self._greeted[shard].set()
        else:
            await self._disconnect(shard)

    def ready(self, shard: int) -> None:
        """Note that everything of a shard's servers is known."""
        if shard in self._gateways:
            self._ready |= {shard}
            self._locks.changed.set()

    def _follow(self) -> None:
        """Begin whatever follows from the locks as they are."""
        self._locks.require_working()
        if self._failed is not None:
            raise self._failed
        held = self._note_held()
        self._close(self._gateways.keys() - (self._locks.kept - self._given))
        for shard in held - self._gateways.keys():
            self._greeted[shard] = asyncio.Event()
            self._gateways[shard] = asyncio.create_task(self._gateway(shard))
            self._gateways[shard].add_done_callback(partial(self._gateway_ended, shard))
        if self._leaving is None and len(held) > self.wanted and self._locks.is_settled:  # nobody has to wait
            self._leaving = asyncio.create_task(self._give_back(max(held - self._ready or held)))
            self._leaving.add_done_callback(self._note_failure)
        self._told &= held
        if held & self._ready > self._told and (held <= self._ready or not self._has_told):
            self._told, self._has_told = held & self._ready, True
            self._bot.tell_ready()

    def _note_held(self) -> frozenset[int]:
        """Let everything else know which shards are held; return them."""
        before, shards = self._bot.table.shards, Shards(self._locks.count, self.held)
        if shards != before:
            log.info("shards held", shards=sorted(shards.held), wanted=self.wanted)
            self._bot.table.shards = shards
        lost = before.held - shards.held - self._given
        if lost:
            self._in_background(self._bot.held_servers.let_go(Shards(shards.count, lost)))
        return shards.held

    async def _give_back(self, shard: int) -> None:
        """Leave a shard to the others, once its gateway is closed and what is under way is done."""
        self._given = frozenset({shard})
        self._note_held()
        try:
            await self._closed(shard)
            await self._bot.traffic.settled(self._pace.finish_shard_seconds)
            await self._bot.held_servers.let_go(Shards(self._locks.count, self._given))
            await self._locks.give_back(shard)
        finally:
            self._given, self._leaving = frozenset(), None

    def _close(self, shards: Collection[int]) -> "list[asyncio.Task[None]]":
        """Begin to close gateways, each once: what has begun is not to be cancelled itself."""
        for shard in self._gateways.keys() & set(shards) - self._closing:
            self._closing.add(shard)
            self._gateways[shard].cancel()
        return [self._gateways[shard] for shard in shards if shard in self._gateways]

    async def _closed(self, *shards: int) -> None:
        """Close gateways."""
        closing = self._close(shards)
        if closing:
            await asyncio.wait(closing)

    def _in_background(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(self._note_failure)

    def _note_failure(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self._failed = task.exception()
            self._locks.changed.set()

    # --- one gateway ------------------------------------------------------------------------------

    async def _gateway(self, shard: int) -> None:
        """Connect a shard, and disconnect it when cancelled."""
        try:
            while True:
                if await self._is_launched(shard):
                    await asyncio.Event().wait()
                await asyncio.sleep(self._pace.retry_seconds)
        finally:
            await self._disconnect(shard)

    def _gateway_ended(self, shard: int, task: "asyncio.Task[None]") -> None:
        del self._gateways[shard], self._greeted[shard]
        self._closing.discard(shard)
        self._locks.connected -= {shard}
        self._locks.changed.set()
        self._note_failure(task)

    async def _is_launched(self, shard: int) -> bool:
        """Connect a shard when it is its turn; return whether discord.py now keeps it connected."""
        await self._bot.load_played_games()
        turn = self._locks.turn(shard % self._buckets)
        try:
            await turn.granted()
            self._turns[shard] = turn
            self._unused.add(shard)
            try:
                async with asyncio.timeout(self._pace.gateway_seconds):
                    gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
                    await self._bot.launch_shard(gateway, shard, initial=True)
            except TimeoutError:
                log.warning("shard not connected", shard=shard, retry_seconds=self._pace.retry_seconds)
                return False
            if shard in self._closing:  # Python 3.11's wait_for may swallow a cancellation
                raise asyncio.CancelledError
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pace.identify_seconds):
                    await self._greeted[shard].wait()
        finally:
            self._end_turn(shard, turn)
        self._locks.connected |= {shard}
        return True

    def _end_turn(self, shard: int, turn: ShardTurn) -> None:
        if self._turns.get(shard) is turn:
            del self._turns[shard]
            self._unused.discard(shard)
            turn.end()

    async def _disconnect(self, shard: int) -> None:
        self._ready -= {shard}
        info = self._bot.get_shard(shard)
        if info is not None:
            await info.disconnect()
        self._bot.forget_shard(shard)
