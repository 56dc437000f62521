"""The port for the operator's monitoring: `/metrics`, `/health` and `/live`."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.app.exits import ConfigError
from bot.app.health import DatabaseHealth, connection_problem, well

if TYPE_CHECKING:
    import aiohttp
    from aiohttp import web

    from bot.app.config import MetricsSettings
    from bot.app.health import MonitoredBot
    from bot.app.metrics import Metrics
    from bot.app.traffic import Passed
    from bot.store.store import StoreObserver


@dataclass(slots=True)
class Monitor:
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
