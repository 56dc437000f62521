"""What a stored check costs compared with a bare discord.py reply, measured in the same run.

    python -m tests.bench.bench_bot [--checks 600] [--characters 1000000]

Both bots are processes of their own on a local Discord; their CPU time and memory are read from /proc
(Linux). Nothing here is a test: the figures depend on the machine, their ratios hardly do.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.playground.discord import Answer, LocalDiscord, Member
from tests.bench.filling import COMMAND, fill, play_ready

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20
AT_ONCE = 32
REPOSITORY = Path(__file__).resolve().parents[2]

Act = Callable[[Member], Coroutine[Any, Any, Answer]]


@dataclass(frozen=True, slots=True)
class Figures:
    """One bot's figures: CPU seconds per answer, resident megabytes, seconds to connect, latencies."""

    cpu_seconds: float
    memory_mb: float
    start_seconds: float
    latencies: list[float]

    @property
    def p99(self) -> float:
        """The 99th percentile of the latencies, in seconds."""
        return statistics.quantiles(self.latencies, n=100)[98]


class Process:
    """The process of a measured bot."""

    def __init__(self, process: asyncio.subprocess.Process, start_seconds: float) -> None:
        self.pid = process.pid
        self.start_seconds = start_seconds

    def cpu_seconds(self) -> float:
        """Return the CPU time used so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self) -> float:
        """Return the resident memory in megabytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_MB


@asynccontextmanager
async def running(discord: LocalDiscord, database: Path, *command: str) -> AsyncIterator[Process]:
    """Start a bot, yield it once it is ready, and stop it."""
    environment = {
        **os.environ,
        "TABLEKEEPER_DISCORD__TOKEN": discord.token,
        "TABLEKEEPER_DISCORD__API_URL": discord.api_url,
        "TABLEKEEPER_DISCORD__GATEWAY_URL": discord.gateway_url,
        "TABLEKEEPER_DATABASE__URL": f"sqlite:///{database}",
        "TABLEKEEPER_LOG__LEVEL": "info",
        "PYTHONPATH": str(REPOSITORY),
    }
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=database.parent, env=environment, stdout=log, stderr=log
        )
        try:
            await discord.connected(60)
            started = time.perf_counter() - begun
            await discord.until(lambda: bool(discord.commands), 30)
            yield Process(process, started)
        finally:
            process.terminate()
            await process.wait()


async def measure(database: Path, act: Act, count: int, *command: str) -> Figures:
    """Measure a bot over *count* answers, 32 at once."""
    async with LocalDiscord() as discord:
        server = discord.add_server("Bench")
        server.id = SERVER
        member = server.add_member("Alice")
        member.id = PERSON
        async with running(discord, database, *command) as bot:
            await _many(act, member, 100)
            before = bot.cpu_seconds()
            latencies = await _many(act, member, count)
            used = bot.cpu_seconds() - before
            return Figures(used / count, bot.memory_mb(), bot.start_seconds, latencies)


async def _many(act: Act, member: Member, count: int) -> list[float]:
    gate = asyncio.Semaphore(AT_ONCE)
    latencies: list[float] = []

    async def once() -> None:
        async with gate:
            answer = await act(member)
            assert answer.failed is None, answer.failed
            assert answer.latency_seconds is not None
            latencies.append(answer.latency_seconds)

    await asyncio.gather(*(once() for _ in range(count)))
    return latencies


SERVER, PERSON = 4_200_000_000_000_001, 4_200_000_000_000_002


async def _line(member: Member) -> Answer:
    return await member.slash("line")


async def _card(member: Member) -> Answer:
    return await member.slash("card")


async def _check(member: Member) -> Answer:
    answer = await member.slash(f"{COMMAND} check", first="Str", second="Dex")
    assert "checks" in answer.text, answer.text
    return answer


async def main(checks: int, characters: int, rounds: int) -> None:
    """Measure both bots and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.db"), Path(folder, "large.db")
        await play_ready(small, SERVER, PERSON)
        ours, bare, cards, full = [], [], [], []
        for _ in range(rounds):
            bare.append(await measure(small, _line, checks, "-m", "tests.bench.bare_bot"))
            cards.append(await measure(small, _card, checks, "-m", "tests.bench.bare_bot"))
            ours.append(await measure(small, _check, checks, "-m", "bot", "run"))
        _print("CPU a check / CPU a bare line", ours, bare, lambda one: one.cpu_seconds * 1000, "ms")
        _print("CPU a check / CPU a bare card", ours, cards, lambda one: one.cpu_seconds * 1000, "ms")
        _print("resident memory / bare", ours, bare, lambda one: one.memory_mb, "MB")
        _print("start to connected / bare", ours, bare, lambda one: one.start_seconds, "s")
        slow = statistics.median(one.p99 for one in ours)
        print(f"p99 of a check, {AT_ONCE} in flight: {slow * 1000:.0f} ms")  # noqa: T201  # its output
        if characters:
            await play_ready(large, SERVER, PERSON)
            fill(large, characters)
            for _ in range(rounds):
                full.append(await measure(large, _check, checks, "-m", "bot", "run"))
            title = f"CPU a check with {characters:,} characters / with 1"
            _print(title, full, ours, lambda one: one.cpu_seconds * 1000, "ms")


def _print(
    title: str, ours: list[Figures], theirs: list[Figures], of: Callable[[Figures], float], unit: str
) -> None:
    mine, other = statistics.median(map(of, ours)), statistics.median(map(of, theirs))
    print(f"{title}: {mine / other:.2f}  ({mine:.2f} {unit} / {other:.2f} {unit})")  # noqa: T201  # its output


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=600)
    parser.add_argument("--characters", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    asyncio.run(main(given.checks, given.characters, given.rounds))
