"""Both engines side by side: SQLite's file, and PostgreSQL directly and through a slow network."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from bot.playground.discord import LocalDiscord
from tests.bench.report import Row
from tests.store.postgres_server import USER, installed, new_database
from tests.store.postgres_server import running as running_server

REPOSITORY = Path(__file__).resolve().parents[2]
BENCH = Path(__file__).resolve().parent
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20
SCHEDULED = 2  # the kind of a process's CPU clock that counts nanoseconds
PATIENCE_SECONDS = 120.0  # a busy machine is slow, not wrong
LOG_TAIL = 4000
OURS = ("-m", "bot", "run")
SWIFT_EDITS = {"DISCORD__EDIT_SECONDS": "0.01"}  # a board follows every press


def script(name: str) -> tuple[str, ...]:
    """Return how a program of this folder is started; it finds `bot` where the measured code is."""
    return ("-P", str(BENCH / f"{name}.py"))


def patient_discord() -> LocalDiscord:
    """Return a Discord that limits no rates and waits long."""
    return LocalDiscord(
        rate_limits=False,
        deadline_seconds=PATIENCE_SECONDS,
        patience_seconds=PATIENCE_SECONDS,
        command_seconds=PATIENCE_SECONDS,
    )


class BotProcess:
    """The process of a measured bot.

    Attributes:
        start_seconds: From its start until it was connected.
    """

    def __init__(self, pid: int, start_seconds: float) -> None:
        self.pid = pid
        self.start_seconds = start_seconds

    def cpu_seconds(self) -> float:
        """Return the CPU time that all its threads have used so far."""
        return time.clock_gettime((~self.pid << 3) | SCHEDULED)

    def memory_mb(self) -> float:
        """Return the resident memory in megabytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_MB


@asynccontextmanager
async def running(
    discord: LocalDiscord,
    database: Path,
    *command: str,
    code: Path = REPOSITORY,
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[BotProcess]:
    """Start a bot, yield it once it is connected and has its commands, and stop it.

    Args:
        discord: The Discord it connects to.
        database: Its database.
        *command: What the interpreter is told, such as `OURS`.
        code: Where the packages `bot` and `cogs` are.
        settings: Additional settings.
        environment: Additional variables.
    """
    variables = {
        **os.environ,
        "TABLEKEEPER_DISCORD__TOKEN": discord.token,
        "TABLEKEEPER_DISCORD__API_URL": discord.api_url,
        "TABLEKEEPER_DISCORD__GATEWAY_URL": discord.gateway_url,
        "TABLEKEEPER_DISCORD__EMOJIS": "false",
        "TABLEKEEPER_DATABASE__URL": f"sqlite:///{database}",
        "PYTHONPATH": str(code),
        **{f"TABLEKEEPER_{name}": value for name, value in (settings or {}).items()},
        **(environment or {}),
    }
    with tempfile.TemporaryFile() as log:
        begun = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=database.parent, env=variables, stdout=log, stderr=log
        )
        try:
            await discord.connected(PATIENCE_SECONDS)
            started = time.perf_counter() - begun
            await discord.until(lambda: bool(discord.commands), PATIENCE_SECONDS)
            yield BotProcess(process.pid, started)
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read()[-LOG_TAIL:].decode())
            raise
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


IN_FLIGHT = 32
ARRIVALS = 300.0  # a second
SERVERS = 200
PROCESSES = 4
NEAR_MS, FAR_MS = 0.5, 2.0  # each way
SAFELY = ("fsync", "full_page_writes")  # what a server of the tests leaves out

_FIRST = count(1_000_000, SERVERS)


@dataclass(frozen=True, slots=True)
class Cost:
    """What checks cost one process: see `tests.bench.checking`."""

    per_second: float
    cpu_seconds: float
    p50_seconds: float
    p99_seconds: float

    @property
    def shown(self) -> str:
        """Its parts in words."""
        return (
            f"p50 {self.p50_seconds * 1000:.1f} ms, p99 {self.p99_seconds * 1000:.1f} ms, "
            f"bot CPU {self.cpu_seconds * 1000:.2f} ms"
        )


async def measure_engines(folder: Path, code: Path, seconds: float) -> list[Row]:
    """Measure checks on both engines, each for some seconds; only SQLite's where PostgreSQL is not installed.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        seconds: How long each measurement takes.
    """
    file = f"sqlite:///{folder}/engines.db"
    rows = await _rows("SQLite", file, code, seconds)
    programs = installed()
    if programs is None:
        return rows
    with running_server(programs) as server:
        url = new_database(server)
        with psycopg.connect(url, autocommit=True) as link:
            for setting in SAFELY:
                link.execute(f"ALTER SYSTEM SET {setting} = on".encode())
            link.execute("SELECT pg_reload_conf()")
        rows += await _rows("PostgreSQL", url, code, seconds)
        async with _slowly(server, NEAR_MS) as port:
            near = _through(url, port)
            rows += await _rows(f"PostgreSQL, {NEAR_MS} ms each way", near, code, seconds, has_goals=True)
        async with _slowly(server, FAR_MS) as port:
            rows.append(await _scaling(_through(url, port), code, seconds))
    return rows


async def _rows(name: str, url: str, code: Path, seconds: float, *, has_goals: bool = False) -> list[Row]:
    (closed,) = await _checked(url, code, IN_FLIGHT, seconds)
    (arriving,) = await _checked(url, code, 0, seconds, ARRIVALS)
    at = f"{ARRIVALS:.0f} checks arriving a second, {name}"
    return [
        Row(
            f"checks a second, {IN_FLIGHT} in flight, {name}",
            closed.per_second,
            600 if has_goals else None,
            from_=closed.shown,
            is_least=True,
        ),
        Row(f"p50 of {at}", arriving.p50_seconds * 1000, 10 if has_goals else None, "ms", arriving.shown),
        Row(f"p99 of {at}", arriving.p99_seconds * 1000, 60 if has_goals else None, "ms", arriving.shown),
    ]


async def _scaling(url: str, code: Path, seconds: float) -> Row:
    """What several processes do, each with one check in flight, over as many times what one does."""
    (alone,) = await _checked(url, code, 1, seconds)
    together = await _checked(url, code, 1, seconds, processes=PROCESSES)
    rate = sum(one.per_second for one in together)
    return Row(
        f"checks of {PROCESSES} processes over {PROCESSES} × one, {FAR_MS} ms each way",
        rate / PROCESSES / alone.per_second,
        0.85,
        from_=f"{rate:.0f}/s, {alone.per_second:.0f}/s",
        is_least=True,
    )


async def _checked(
    url: str, code: Path, in_flight: int, seconds: float, arrivals: float = 0.0, *, processes: int = 1
) -> list[Cost]:
    """Have processes make checks at the same time, each in servers of its own."""
    started: list[Process] = []
    try:
        for first in (next(_FIRST) for _ in range(processes)):
            numbers = (str(one) for one in (first, SERVERS, in_flight, seconds, arrivals))
            started.append(await _program(*script("checking"), url, *numbers, code=code))
        for one in started:
            await _line(one)
        for one in started:
            _told(one)
        return [Cost(**json.loads(await _line(one))) for one in started]
    finally:
        for one in started:
            if one.returncode is None:
                one.terminate()
            await one.wait()


@asynccontextmanager
async def _slowly(server: Path, milliseconds: float) -> AsyncIterator[int]:
    """Yield a port of loopback behind which a server is, by a slow network."""
    network = await _program(*script("slow_network"), f"{server}/.s.PGSQL.5432", str(milliseconds))
    try:
        yield int(await _line(network))
    finally:
        network.terminate()
        await network.wait()


def _through(url: str, port: int) -> str:
    """Return the address of a database behind a port."""
    database = url.removeprefix("postgresql:///").partition("?")[0]
    return f"postgresql://{USER}@127.0.0.1:{port}/{database}"


async def _program(*words: str, code: Path = REPOSITORY) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, *words, stdin=PIPE, stdout=PIPE, env={"PYTHONPATH": str(code)}
    )


async def _line(program: Process) -> bytes:
    """Return the next line that a program prints."""
    assert program.stdout is not None
    line = await program.stdout.readline()
    if not line:
        raise RuntimeError(f"a measured process ended with {await program.wait()}")
    return line


def _told(program: Process) -> None:
    assert program.stdin is not None
    program.stdin.write(b"\n")
