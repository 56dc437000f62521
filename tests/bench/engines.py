"""Both engines side by side: SQLite's file, and PostgreSQL directly and through a slow network."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from tests.bench.processes import REPOSITORY, script
from tests.bench.report import Row
from tests.store.postgres_server import USER, installed, new_database
from tests.store.postgres_server import running as running_server

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
