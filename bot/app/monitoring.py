"""Whether the bot can work now, and the port for the operator's monitoring: metrics, health, liveness."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from bot.app.config import ConfigError
from bot.rules.kernel.outcome import counted
from bot.table.base.turn import StoreUnavailable

if TYPE_CHECKING:
    import aiohttp
    from aiohttp import web

    from bot.app.config import MetricsSettings
    from bot.app.metrics import Metrics
    from bot.app.traffic import Passed, Traffic
    from bot.store.transaction import StoreObserver


PATIENCE_SECONDS = 4.0  # the store gives up before, and says why
REMEMBERED_SECONDS = 1.0


class DatabaseHealth:
    """Whether the database answers; looked at when asked for, but once a second at most.

    Args:
        look: Reads something small.
        patience_seconds: How long it may take.
        remembered_seconds: How long an answer counts.
    """

    def __init__(
        self,
        look: Callable[[], Awaitable[object]],
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        remembered_seconds: float = REMEMBERED_SECONDS,
    ) -> None:
        self._look = look
        self._patience_seconds = patience_seconds
        self._remembered_seconds = remembered_seconds
        self._looking = asyncio.Lock()
        self._looked_at: float | None = None
        self._problem: str | None = None

    async def problem(self) -> str | None:
        """Return what is wrong with the database, in a sentence; None if it answers."""
        async with self._looking:
            is_old = self._looked_at is None or time.monotonic() - self._looked_at > self._remembered_seconds
            if is_old:
                self._problem = await self._looked()
                self._looked_at = time.monotonic()
        return self._problem

    async def _looked(self) -> str | None:
        try:
            async with asyncio.timeout(self._patience_seconds):
                await self._look()
        except StoreUnavailable as error:
            return error.reason
        except TimeoutError:
            return f"The database has not answered for {self._patience_seconds:g} seconds."
        return None


def connection_problem(bot: "MonitoredBot | None") -> str | None:
    """Return what keeps the bot from answering people on Discord, in a sentence; None if nothing does."""
    if bot is None:
        return "The bot is starting."
    if not bot.traffic.is_open:
        return "The bot is stopping."
    missing = bot.wanted_shards - len(bot.held_shards)
    if missing > 0:
        return f"The bot waits for {counted(missing, 'more shard')}."
    apart = sorted(set(bot.held_shards) - set(bot.connected_shards))
    if apart:
        named = ", ".join(str(shard) for shard in apart)
        return f"Not connected to Discord: shard{'' if len(apart) == 1 else 's'} {named}."
    return None if bot.is_ready() else "The bot is connecting to Discord."


def well(bot: "MonitoredBot | None") -> str:
    """Return what a healthy bot says of itself."""
    is_spare = bot is not None and not bot.wanted_shards
    return "ok: a spare, because other processes hold all shards" if is_spare else "ok"


class MonitoredBot(Protocol):
    """A bot that can be monitored."""

    traffic: "Traffic"

    @property
    def guilds(self) -> Any:
        """The servers."""

    @property
    def latencies(self) -> list[tuple[int, float]]:
        """The seconds between a heartbeat and its answer, by shard."""

    @property
    def connected_shards(self) -> Collection[int]:
        """The shards that are connected to Discord."""

    @property
    def held_shards(self) -> Collection[int]:
        """The shards that this process runs."""

    @property
    def wanted_shards(self) -> int:
        """How many shards this process is to run."""

    def is_ready(self) -> bool:
        """Whether the servers are known."""

    def edits_waiting(self) -> Mapping[str, int]:
        """Return how many messages wait for an edit, by kind."""


class Monitor(Struct):
    """The bot that is monitored, and what listens to it; nothing does where there is no port."""

    on_passed: "Callable[[Passed], None] | None" = None  # called with each interaction that is over
    store_observer: "StoreObserver | None" = None  # hears of the store's work
    http_trace: "aiohttp.TraceConfig | None" = None  # hears of the requests to Discord
    bot: "MonitoredBot | None" = None  # the bot; a reconnect may replace it


@asynccontextmanager
async def monitored(
    settings: "MetricsSettings", engine: str, database: DatabaseHealth
) -> AsyncIterator[Monitor]:
    """Serve on the port of the settings while the context lasts; without a port, measure nothing.

    Args:
        settings: The port.
        engine: What the store runs on: "sqlite" or "postgresql".
        database: Whether it answers.

    Raises:
        ConfigError: The port can't be used.
    """
    if settings.port is None:
        yield Monitor()
        return
    from aiohttp import web

    from bot.app.metrics import Metrics

    metrics = Metrics(engine)
    monitor = Monitor(metrics.count, metrics.store_observer, metrics.trace())
    metrics.register(lambda: monitor.bot)
    runner = web.AppRunner(_application(monitor, metrics, database), access_log=None)
    await runner.setup()
    try:
        await _listen(web.TCPSite(runner, settings.host, settings.port))
        yield monitor
    finally:
        await runner.cleanup()


def _application(monitor: Monitor, metrics: "Metrics", database: DatabaseHealth) -> "web.Application":
    from aiohttp import web
    from prometheus_client.aiohttp import make_aiohttp_handler

    collect = make_aiohttp_handler(metrics.registry)

    async def answer_metrics(request: "web.Request") -> "web.StreamResponse":
        metrics.note_database(is_up=await database.problem() is None)
        return await collect(request)

    async def answer_health(_: "web.Request") -> "web.Response":
        problem = await database.problem() or connection_problem(monitor.bot)
        return web.Response(text=f"{problem or well(monitor.bot)}\n", status=503 if problem else 200)

    async def answer_live(_: "web.Request") -> "web.Response":
        return web.Response(text="ok\n")

    application = web.Application()
    application.router.add_get("/metrics", answer_metrics)
    application.router.add_get("/health", answer_health)
    application.router.add_get("/live", answer_live)
    return application


async def _listen(site: "web.TCPSite") -> None:
    try:
        await site.start()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError([f"config: metrics.port cannot be used: {reason}"]) from None
