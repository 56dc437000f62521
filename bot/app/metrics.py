"""Metrics for the operator: ``/metrics`` in Prometheus's text format, and ``/health``."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

from bot.app.exits import ConfigError

if TYPE_CHECKING:
    from aiohttp import web

    from bot.app.config import MetricsSettings
    from bot.app.traffic import Passed, Traffic

BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, math.inf)


class Bot(Protocol):
    """What the metrics need to know of the bot."""

    traffic: "Traffic"

    @property
    def guilds(self) -> Any:
        """The servers."""

    @property
    def latencies(self) -> list[tuple[int, float]]:
        """The seconds between a heartbeat and its answer, by shard."""

    def is_ready(self) -> bool:
        """Whether the servers are known."""


class OutcomeTally:
    """Counts of interactions by outcome, and how long they took."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._buckets = [0] * len(BUCKETS_SECONDS)
        self._seconds = 0.0

    def count(self, passed: "Passed") -> None:
        """Count an interaction that is over."""
        self._counts[passed.name, passed.outcome] += 1
        self._buckets[bisect_left(BUCKETS_SECONDS, passed.seconds)] += 1
        self._seconds += passed.seconds

    def lines(self) -> Iterator[str]:
        """Return the lines of the text format."""
        yield "# HELP tablekeeper_interactions_total Interactions answered, by command and outcome."
        yield "# TYPE tablekeeper_interactions_total counter"
        for (name, outcome), number in sorted(self._counts.items()):
            labels = f'command="{_escaped(name)}",outcome="{_escaped(outcome)}"'
            yield f"tablekeeper_interactions_total{{{labels}}} {number}"
        yield "# HELP tablekeeper_interaction_seconds From an interaction's arrival to the end of its answer."
        yield "# TYPE tablekeeper_interaction_seconds histogram"
        below = 0
        for bound, number in zip(BUCKETS_SECONDS, self._buckets, strict=True):
            below += number
            limit = "+Inf" if math.isinf(bound) else f"{bound:g}"
            yield f'tablekeeper_interaction_seconds_bucket{{le="{limit}"}} {below}'
        yield f"tablekeeper_interaction_seconds_sum {self._seconds:.6f}"
        yield f"tablekeeper_interaction_seconds_count {below}"


class Monitor:
    """The answers to ``/metrics`` and ``/health``; a reconnect may replace the bot behind them."""

    def __init__(self, tally: OutcomeTally) -> None:
        self.bot: Bot | None = None
        self._tally = tally

    def text(self) -> str:
        """Return all metrics as text."""
        return "\n".join([*self._tally.lines(), *self._gauges()]) + "\n"

    def is_healthy(self) -> bool:
        """Return whether the bot is connected and accepts commands."""
        bot = self.bot
        return bot is not None and bot.is_ready() and bot.traffic.is_open

    def _gauges(self) -> Iterator[str]:
        bot = self.bot
        if bot is None:
            return
        yield "# TYPE tablekeeper_interactions_under_way gauge"
        yield f"tablekeeper_interactions_under_way {len(bot.traffic)}"
        yield "# TYPE tablekeeper_servers gauge"
        yield f"tablekeeper_servers {len(bot.guilds)}"
        yield "# TYPE tablekeeper_gateway_latency_seconds gauge"
        for shard, seconds in bot.latencies:
            if math.isfinite(seconds):
                yield f'tablekeeper_gateway_latency_seconds{{shard="{shard}"}} {seconds:.6f}'


@asynccontextmanager
async def served(settings: "MetricsSettings", monitor: Monitor) -> AsyncIterator[None]:
    """Serve on the port of the settings while the context lasts; without a port, do nothing.

    Raises:
        ConfigError: The port can't be used.
    """
    if settings.port is None:
        yield
        return
    from aiohttp import web

    async def metrics(_: "web.Request") -> "web.Response":
        return web.Response(text=monitor.text(), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def health(_: "web.Request") -> "web.Response":
        healthy = monitor.is_healthy()
        return web.Response(text="ok\n" if healthy else "not connected\n", status=200 if healthy else 503)

    application = web.Application()
    application.router.add_get("/metrics", metrics)
    application.router.add_get("/health", health)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await _listen(web.TCPSite(runner, settings.host, settings.port))
        yield
    finally:
        await runner.cleanup()


async def _listen(site: "web.TCPSite") -> None:
    try:
        await site.start()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError([f"config: metrics.port cannot be used: {reason}"]) from None


def _escaped(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
