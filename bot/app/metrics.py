"""Metrics for the operator's monitoring, as Prometheus collects them; loaded only where they are wanted."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import aiohttp
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.app.logs import note_first_answer
from bot.store.transaction import StoreObserver, StoreWork

if TYPE_CHECKING:
    from types import SimpleNamespace

    from prometheus_client import Metric

    from bot.app.monitoring import MonitoredBot
    from bot.app.traffic import Passed

ANSWER_BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, math.inf)
FIRST_ANSWER_BUCKETS_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, math.inf)
UNIT_BUCKETS_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, math.inf)
KINDS = {2: "command", 3: "component", 4: "autocomplete", 5: "modal"}  # Discord's numbers
TOO_MANY_REQUESTS = 429
REFUSED = 400  # the lowest status of a refusal


class Metrics:
    """What is counted and timed while the bot runs.

    Args:
        engine: What the store runs on: "sqlite" or "postgresql".
    """

    def __init__(self, engine: str) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has not annotated it
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._interactions = Counter(
            "tablekeeper_interactions",
            "Interactions answered, by command and outcome.",
            ("command", "outcome"),
            registry=self.registry,
        )
        self._interaction_seconds = Histogram(
            "tablekeeper_interaction_seconds",
            "From an interaction's arrival to the end of its answer.",
            buckets=ANSWER_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._first_answer_seconds = Histogram(
            "tablekeeper_first_answer_seconds",
            "From an interaction's arrival until Discord has taken a first answer; it waits three seconds.",
            ("kind",),
            buckets=FIRST_ANSWER_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._requests = Counter(
            "tablekeeper_discord_requests",
            "Requests to Discord's HTTP API, by the status of the response.",
            ("status",),
            registry=self.registry,
        )
        self._rate_limits = Counter(
            "tablekeeper_rate_limits",
            "Requests that Discord refused because there were too many, by what limit: user, global, shared.",
            ("scope",),
            registry=self.registry,
        )
        self._database_up = Gauge(
            "tablekeeper_database_up",
            "Whether the database answers: 1 or 0.",
            ("engine",),
            registry=self.registry,
        ).labels(engine)
        self.store_observer = _StoreMetrics(engine, self.registry)

    def count(self, passed: "Passed") -> None:
        """Count an interaction that is over."""
        self._interactions.labels(passed.name, passed.outcome).inc()
        self._interaction_seconds.observe(passed.seconds)
        if passed.first_answer_seconds is not None:
            kind = KINDS.get(passed.kind, "other")
            self._first_answer_seconds.labels(kind).observe(passed.first_answer_seconds)

    def register(self, bot: "Callable[[], MonitoredBot | None]") -> None:
        """Ask the bot as well whenever the metrics are collected."""
        self.registry.register(_CollectedFromBot(bot))

    def note_database(self, *, is_up: bool) -> None:
        """Note whether the database answers."""
        self._database_up.set(is_up)

    def trace(self) -> aiohttp.TraceConfig:
        """Return what discord.py's HTTP client reports its requests to."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._hear_response)
        return trace

    async def _hear_response(
        self, _: aiohttp.ClientSession, __: "SimpleNamespace", request: aiohttp.TraceRequestEndParams
    ) -> None:
        response = request.response
        self._requests.labels(str(response.status)).inc()
        if response.status == TOO_MANY_REQUESTS:
            self._rate_limits.labels(response.headers.get("X-RateLimit-Scope", "global")).inc()
        path = request.url.raw_path
        if response.status < REFUSED and path.endswith("/callback") and "/interactions/" in path:
            note_first_answer()


class _StoreMetrics(StoreObserver):
    """What a store does, timed and counted."""

    def __init__(self, engine: str, registry: CollectorRegistry) -> None:
        unit_seconds = Histogram(
            "tablekeeper_unit_seconds",
            "From asking the store for a unit of work (write) or a look-up (read) until it is over.",
            ("engine", "kind"),
            buckets=UNIT_BUCKETS_SECONDS,
            registry=registry,
        )
        units_waiting = Gauge(
            "tablekeeper_units_waiting",
            "Units of work (write) and look-ups (read) that the store was asked for and that are not over.",
            ("engine", "kind"),
            registry=registry,
        )
        wait_seconds = Histogram(
            "tablekeeper_lock_wait_seconds",
            "Waits for a server: for its turn among the units of this process (turn), and for its row in the "
            "database (row; at least a round trip).",
            ("engine", "lock"),
            buckets=UNIT_BUCKETS_SECONDS,
            registry=registry,
        )
        self._retries = Counter(
            "tablekeeper_transaction_retries",
            "Transactions that were run again, because of a conflict or a lost connection.",
            ("engine",),
            registry=registry,
        ).labels(engine)
        self._waiting = {kind: units_waiting.labels(engine, kind) for kind in ("write", "read")}
        self._seconds: Mapping[StoreWork, Histogram] = {
            "write": unit_seconds.labels(engine, "write"),
            "read": unit_seconds.labels(engine, "read"),
            "turn": wait_seconds.labels(engine, "turn"),
            "row": wait_seconds.labels(engine, "row"),
        }

    def during(self, work: StoreWork) -> AbstractContextManager[None]:
        """Time a piece of work."""
        return self._timed(work)

    @contextmanager
    def _timed(self, work: StoreWork) -> Iterator[None]:
        waiting = self._waiting.get(work)
        if waiting is not None:
            waiting.inc()
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[work].observe(time.perf_counter() - began)
            if waiting is not None:
                waiting.dec()

    def retried(self) -> None:
        """Count a transaction that is run again."""
        self._retries.inc()


class _CollectedFromBot(Collector):
    """What is asked of the bot whenever the metrics are collected."""

    def __init__(self, bot: "Callable[[], MonitoredBot | None]") -> None:
        self._bot = bot

    def collect(self) -> "Iterator[Metric]":
        bot = self._bot()
        if bot is None:
            return
        yield GaugeMetricFamily(
            "tablekeeper_interactions_under_way", "Interactions being answered.", len(bot.traffic)
        )
        yield GaugeMetricFamily("tablekeeper_servers", "Servers the bot is in.", len(bot.guilds))
        yield GaugeMetricFamily(
            "tablekeeper_shards_held", "Shards that this process runs.", len(bot.held_shards)
        )
        yield GaugeMetricFamily(
            "tablekeeper_shards_wanted", "Shards that this process is to run.", bot.wanted_shards
        )
        latency = GaugeMetricFamily(
            "tablekeeper_gateway_latency_seconds",
            "Between a heartbeat to Discord's gateway and its answer.",
            labels=("shard",),
        )
        for shard, seconds in bot.latencies:
            if math.isfinite(seconds):
                latency.add_metric((str(shard),), seconds)
        yield latency
        connected = GaugeMetricFamily(
            "tablekeeper_shard_connected", "Whether a shard is connected to Discord.", labels=("shard",)
        )
        for shard in sorted(bot.held_shards):
            connected.add_metric((str(shard),), shard in bot.connected_shards)
        yield connected
        waiting = GaugeMetricFamily(
            "tablekeeper_edits_waiting",
            "Messages that wait for an edit, by kind.",
            labels=("kind",),
        )
        for kind, number in bot.edits_waiting().items():
            waiting.add_metric((kind,), number)
        yield waiting
