"""Metrics and health for an operator's monitoring."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.app import logs
from bot.app.config import ConfigError, MetricsSettings
from bot.app.metrics import Metrics
from bot.app.monitoring import DatabaseHealth, connection_problem, monitored
from bot.app.traffic import Passed, Traffic
from bot.table.base.turn import StoreUnavailable
from tests import ports


@dataclass
class ConnectedBot:
    """A bot as the monitor sees it."""

    traffic: Traffic = field(default_factory=Traffic)
    guilds: tuple[str, ...] = ("The Manor", "Another House")
    latencies: list[tuple[int, float]] = field(default_factory=lambda: [(0, 0.04), (1, float("nan"))])
    held_shards: frozenset[int] = frozenset({0, 1})
    connected_shards: frozenset[int] = frozenset({0, 1})
    wanted_shards: int = 2
    ready: bool = True

    def is_ready(self) -> bool:
        return self.ready

    def edits_waiting(self) -> dict[str, int]:
        return {"fight": 3, "sheet": 0}


@pytest.fixture
def free_port() -> int:
    return ports.free_port()


async def fetched(port: int, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as response,
    ):
        return response.status, await response.text()


async def answers() -> None:
    """A database that answers."""


class Database:
    """A database that does what it is told, and counts how often it is looked at."""

    def __init__(self, answer: Callable[[], Awaitable[object]] = answers) -> None:
        self.answer = answer
        self.looks = 0

    async def look(self) -> None:
        self.looks += 1
        await self.answer()


def well() -> DatabaseHealth:
    return DatabaseHealth(answers)


class TestMetrics:
    def value(self, metrics: Metrics, name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(f"tablekeeper_{name}", labels)

    def test_interactions_are_counted_by_command_and_outcome_and_by_time(self) -> None:
        metrics = Metrics("sqlite")
        for outcome, seconds in (("answered", 0.004), ("answered", 0.3), ("mistake", 9.0)):
            metrics.count(Passed("/roll", 2, outcome, seconds))

        assert self.value(metrics, "interactions_total", command="/roll", outcome="answered") == 2
        assert self.value(metrics, "interactions_total", command="/roll", outcome="mistake") == 1
        assert self.value(metrics, "interaction_seconds_bucket", le="0.005") == 1
        assert self.value(metrics, "interaction_seconds_bucket", le="0.5") == 2
        assert self.value(metrics, "interaction_seconds_bucket", le="+Inf") == 3
        assert self.value(metrics, "interaction_seconds_sum") == pytest.approx(9.304)
        assert self.value(metrics, "interaction_seconds_count") == 3

    def test_first_answers_are_timed_by_kind_where_there_was_one(self) -> None:
        metrics = Metrics("sqlite")
        metrics.count(Passed("/roll", 2, "answered", 1.5, 0.02))
        metrics.count(Passed("/roll", 2, "bug", 1.5, None))
        metrics.count(Passed("undo", 3, "answered", 1.5, 0.3))

        assert self.value(metrics, "first_answer_seconds_count", kind="command") == 1
        assert self.value(metrics, "first_answer_seconds_bucket", kind="command", le="0.025") == 1
        assert self.value(metrics, "first_answer_seconds_sum", kind="component") == 0.3

    def test_the_work_of_the_store_is_timed_by_engine(self) -> None:
        metrics = Metrics("postgresql")
        observer = metrics.store_observer
        on_postgresql = {"engine": "postgresql"}

        with observer.during("write"), observer.during("row"):
            assert self.value(metrics, "units_waiting", kind="write", **on_postgresql) == 1
        with pytest.raises(StoreUnavailable), observer.during("read"):
            raise StoreUnavailable("It is gone.")
        observer.retried()

        assert self.value(metrics, "units_waiting", kind="write", **on_postgresql) == 0
        assert self.value(metrics, "unit_seconds_count", kind="write", **on_postgresql) == 1
        assert self.value(metrics, "unit_seconds_count", kind="read", **on_postgresql) == 1
        assert self.value(metrics, "lock_wait_seconds_count", lock="row", **on_postgresql) == 1
        assert self.value(metrics, "lock_wait_seconds_count", lock="turn", **on_postgresql) == 0
        assert self.value(metrics, "transaction_retries_total", **on_postgresql) == 1

    async def test_metrics_are_served_with_the_state_of_the_bot(self, free_port: int) -> None:
        async with monitored(MetricsSettings(port=free_port), "sqlite", well()) as monitor:
            monitor.bot = ConnectedBot(connected_shards=frozenset({1}))
            status, text = await fetched(free_port, "/metrics")

        assert status == 200
        for line in (
            "tablekeeper_servers 2.0",
            "tablekeeper_interactions_under_way 0.0",
            'tablekeeper_gateway_latency_seconds{shard="0"} 0.04',
            "tablekeeper_shards_held 2.0",
            "tablekeeper_shards_wanted 2.0",
            'tablekeeper_shard_connected{shard="0"} 0.0',
            'tablekeeper_shard_connected{shard="1"} 1.0',
            'tablekeeper_edits_waiting{kind="fight"} 3.0',
            'tablekeeper_database_up{engine="sqlite"} 1.0',
        ):
            assert f"{line}\n" in text
        assert 'latency_seconds{shard="1"}' not in text
        assert "_created" not in text

    async def test_a_database_that_is_gone_is_measured(self, free_port: int) -> None:
        async def fail() -> None:
            raise StoreUnavailable("It is gone.")

        async with monitored(MetricsSettings(port=free_port), "sqlite", DatabaseHealth(fail)):
            _, text = await fetched(free_port, "/metrics")

        assert 'tablekeeper_database_up{engine="sqlite"} 0.0\n' in text

    async def test_without_a_port_nothing_is_measured(self) -> None:
        async with monitored(MetricsSettings(), "sqlite", well()) as monitor:
            assert (monitor.on_passed, monitor.store_observer, monitor.http_trace) == (None, None, None)

    async def test_a_port_in_use_is_reported_as_a_wrong_setting(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            settings = MetricsSettings(port=taken.getsockname()[1])
            with pytest.raises(ConfigError, match=r"config: metrics\.port cannot be used: "):
                async with monitored(settings, "sqlite", well()):
                    pass


class TestPage:
    def test_operating_md_says_of_every_metric_when_to_look_at_it(self) -> None:
        metrics = Metrics("sqlite")
        metrics.register(ConnectedBot)
        page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
        told = set(re.findall(r"`(tablekeeper_\w+)`", page))
        counted = {
            f"{metric.name}_total" if metric.type == "counter" else metric.name
            for metric in metrics.registry.collect()
        }

        assert told == {name for name in counted if name.startswith("tablekeeper_")}


class TestRequestsToDiscord:
    async def asked(self, metrics: Metrics, path: str, response: web.Response, course: logs.Course) -> None:
        """Send a request to a Discord that answers so, while an interaction is under way."""

        async def answer(_: web.Request) -> web.Response:
            return response

        application = web.Application()
        application.router.add_post("/{rest:.*}", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            host, port = runner.addresses[0]
            async with aiohttp.ClientSession(trace_configs=[metrics.trace()]) as session:
                with logs.begun(course):
                    await session.post(f"http://{host}:{port}{path}")
        finally:
            await runner.cleanup()

    async def test_rate_limits_are_counted_by_their_scope(self) -> None:
        metrics, course = Metrics("sqlite"), logs.Course({})
        limited = web.Response(status=429, headers={"X-RateLimit-Scope": "shared"})

        await self.asked(metrics, "/api/v10/channels/1/messages", limited, course)

        value = metrics.registry.get_sample_value
        assert value("tablekeeper_rate_limits_total", {"scope": "shared"}) == 1
        assert value("tablekeeper_discord_requests_total", {"status": "429"}) == 1

    async def test_the_first_answer_that_discord_takes_is_noted(self) -> None:
        metrics, course = Metrics("sqlite"), logs.Course({})
        answering = "/api/v10/interactions/1/token/callback"

        await self.asked(metrics, answering, web.Response(status=404), course)
        assert course.first_answer_seconds is None
        await self.asked(metrics, "/api/v10/channels/1/messages", web.Response(status=200), course)
        assert course.first_answer_seconds is None

        await self.asked(metrics, answering, web.Response(status=204), course)
        first = course.first_answer_seconds
        await self.asked(metrics, answering, web.Response(status=204), course)

        assert first is not None
        assert first > 0
        assert course.first_answer_seconds == first


class TestHealth:
    async def test_health_is_good_while_the_bot_is_connected_and_takes_commands(self, free_port: int) -> None:
        async with monitored(MetricsSettings(port=free_port), "sqlite", well()) as monitor:
            assert await fetched(free_port, "/health") == (503, "The bot is starting.\n")

            monitor.bot = bot = ConnectedBot()
            assert await fetched(free_port, "/health") == (200, "ok\n")

            await bot.traffic.drained(1)
            assert await fetched(free_port, "/health") == (503, "The bot is stopping.\n")

    async def test_a_process_that_no_shard_is_left_for_says_that_it_is_a_spare(self, free_port: int) -> None:
        async with monitored(MetricsSettings(port=free_port), "postgresql", well()) as monitor:
            monitor.bot = ConnectedBot(held_shards=frozenset(), wanted_shards=0)
            said = "ok: a spare, because other processes hold all shards\n"
            assert await fetched(free_port, "/health") == (200, said)

    async def test_the_process_is_alive_whatever_its_health(self, free_port: int) -> None:
        async with monitored(MetricsSettings(port=free_port), "sqlite", well()):
            assert await fetched(free_port, "/live") == (200, "ok\n")

    @pytest.mark.parametrize(
        ("bot", "said"),
        [
            (ConnectedBot(ready=False), "The bot is connecting to Discord."),
            (ConnectedBot(connected_shards=frozenset({1})), "Not connected to Discord: shard 0."),
            (ConnectedBot(connected_shards=frozenset()), "Not connected to Discord: shards 0, 1."),
            (ConnectedBot(wanted_shards=3), "The bot waits for 1 more shard."),
            (ConnectedBot(wanted_shards=8), "The bot waits for 6 more shards."),
            (ConnectedBot(wanted_shards=1), None),
        ],
    )
    def test_what_is_wrong_with_the_connection_is_said(self, bot: ConnectedBot, said: str | None) -> None:
        assert connection_problem(bot) == said

    async def test_a_database_that_is_gone_is_said(self, free_port: int) -> None:
        async def fail() -> None:
            raise StoreUnavailable("The database table at host cannot be reached: start it.")

        async with monitored(MetricsSettings(port=free_port), "sqlite", DatabaseHealth(fail)) as monitor:
            monitor.bot = ConnectedBot(ready=False)  # a bot that shares its shards then holds none
            assert await fetched(free_port, "/health") == (
                503,
                "The database table at host cannot be reached: start it.\n",
            )


class TestDatabaseHealth:
    async def test_a_database_that_hangs_is_not_waited_for(self) -> None:
        health = DatabaseHealth(asyncio.Event().wait, patience_seconds=0.01)

        assert await health.problem() == "The database has not answered for 0.01 seconds."

    async def test_it_is_looked_at_once_for_all_who_ask_within_a_second(self) -> None:
        database = Database()
        health = DatabaseHealth(database.look, remembered_seconds=60)

        assert await asyncio.gather(*(health.problem() for _ in range(5))) == [None] * 5
        assert database.looks == 1

    async def test_it_is_looked_at_again_later(self) -> None:
        async def fail() -> None:
            raise StoreUnavailable("It is gone.")

        database = Database(fail)
        health = DatabaseHealth(database.look, remembered_seconds=0)
        assert await health.problem() == "It is gone."

        database.answer = answers

        assert await health.problem() is None
