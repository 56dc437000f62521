"""Metrics and health for an operator's monitoring."""

import socket
from dataclasses import dataclass, field

import aiohttp
import pytest

from bot.app.config import MetricsSettings
from bot.app.exits import ConfigError
from bot.app.metrics import Monitor, OutcomeTally, served
from bot.app.traffic import Passed, Traffic


@dataclass
class ConnectedBot:
    """A bot as the monitor sees it."""

    traffic: Traffic = field(default_factory=Traffic)
    guilds: tuple[str, ...] = ("The Manor", "Another House")
    latencies: list[tuple[int, float]] = field(default_factory=lambda: [(0, 0.04), (1, float("nan"))])
    ready: bool = True

    def is_ready(self) -> bool:
        return self.ready


@pytest.fixture
def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def fetched(port: int, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as response,
    ):
        return response.status, await response.text()


class TestMetrics:
    def test_interactions_are_counted_by_command_and_outcome_and_by_time(self) -> None:
        tally = OutcomeTally()
        for outcome, seconds in (("answered", 0.004), ("answered", 0.3), ("mistake", 9.0)):
            tally.count(Passed("/roll", 2, outcome, seconds))

        lines = list(tally.lines())

        assert 'tablekeeper_interactions_total{command="/roll",outcome="answered"} 2' in lines
        assert 'tablekeeper_interactions_total{command="/roll",outcome="mistake"} 1' in lines
        assert 'tablekeeper_interaction_seconds_bucket{le="0.005"} 1' in lines
        assert 'tablekeeper_interaction_seconds_bucket{le="0.5"} 2' in lines
        assert 'tablekeeper_interaction_seconds_bucket{le="+Inf"} 3' in lines
        assert "tablekeeper_interaction_seconds_sum 9.304000" in lines
        assert "tablekeeper_interaction_seconds_count 3" in lines

    async def test_metrics_are_served_with_the_state_of_the_bot(self, free_port: int) -> None:
        monitor = Monitor(OutcomeTally())
        monitor.bot = ConnectedBot()

        async with served(MetricsSettings(port=free_port), monitor):
            status, text = await fetched(free_port, "/metrics")

        assert status == 200
        assert "tablekeeper_servers 2\n" in text
        assert "tablekeeper_interactions_under_way 0\n" in text
        assert 'tablekeeper_gateway_latency_seconds{shard="0"} 0.040000\n' in text
        assert 'shard="1"' not in text


class TestHealth:
    async def test_health_is_good_while_the_bot_is_connected_and_takes_commands(self, free_port: int) -> None:
        monitor = Monitor(OutcomeTally())
        async with served(MetricsSettings(port=free_port), monitor):
            assert await fetched(free_port, "/health") == (503, "not connected\n")

            monitor.bot = bot = ConnectedBot()
            assert await fetched(free_port, "/health") == (200, "ok\n")

            await bot.traffic.drained(1)
            assert await fetched(free_port, "/health") == (503, "not connected\n")

    async def test_a_port_in_use_is_reported_as_a_wrong_setting(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            settings = MetricsSettings(port=taken.getsockname()[1])
            with pytest.raises(ConfigError, match=r"config: metrics\.port cannot be used: "):
                async with served(settings, Monitor(OutcomeTally())):
                    pass
