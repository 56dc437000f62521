"""What starts cost, and others: servers with running sessions, and a million characters of strangers."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.playground.discord import LocalDiscord, Server
from bot.rules import rulesets
from tests.bench.acts import Measured, batch
from tests.bench.filling import copy_server, fill, play_ready
from tests.bench.played_games import MAID, check, open_game
from tests.bench.processes import OURS, patient_discord, running, script
from tests.bench.report import Row, microseconds, ratio_of

QUIET_SECONDS = 5  # after a start with many servers
EVENTS = 200  # in a batch
KB = 1024
PERSON = 1
SETTLED_SECONDS = 3  # after the start, before the memory is read


@dataclass(frozen=True, slots=True)
class InMany:
    """One bot in many servers: its memory, and the CPU seconds of a voice event."""

    memory_mb: float
    event_seconds: float


async def measure_servers(folder: Path, code: Path, count: int, rounds: int) -> list[Row]:
    """Measure the bot in many servers, each with a running session that no voice channel is linked to.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        count: How many servers.
        rounds: How often each figure is taken.
    """
    database = folder / "servers.db"
    async with patient_discord() as discord:
        async with running(discord, database, *OURS, code=code):
            party = await open_game(discord, MAID)
        others = [discord.add_server(f"Server {number}") for number in range(count - 1)]
        copy_server(database, party.server.id, [server.id for server in others])
        ours = await _in_many(discord, party.server, database, OURS, code, rounds)
    async with patient_discord() as discord:
        first, *_ = [discord.add_server(f"Server {number}") for number in range(count)]
        bare = await _in_many(discord, first, database, script("bare_bot"), code, rounds)
    look_seconds, written = await _minutes_look(database, code, rounds)
    sessions = f"{count:,} running sessions"
    return [
        Row(f"memory in {count:,} servers", ours.memory_mb, 120, "MB", f"bare: {bare.memory_mb:.0f} MB"),
        Row(
            f"a voice event for an unlinked channel, {sessions}",
            ours.event_seconds * 1000,
            0.1,
            "ms",
            f"with discord.py's part; bare: {bare.event_seconds * 1000:.3f} ms",
        ),
        Row(
            f"the minute's look at {sessions}, none due",
            look_seconds * 1000,
            5,
            "ms",
            f"{written / KB:.0f} KB written",
        ),
    ]


async def _in_many(
    discord: LocalDiscord, server: Server, database: Path, command: tuple[str, ...], code: Path, rounds: int
) -> InMany:
    async with running(discord, database, *command, code=code) as bot:
        await asyncio.sleep(QUIET_SECONDS)
        memory = bot.memory_mb()
        somebody = server.add_member("Cara")
        rooms = [server.add_channel(name, "voice") for name in ("Hall", "Yard")]
        seconds = []
        for _ in range(rounds):
            cpu = bot.cpu_seconds()
            for number in range(EVENTS):
                server.join_voice(somebody, rooms[number % 2])
            await asyncio.sleep(1)
            seconds.append((bot.cpu_seconds() - cpu) / EVENTS)
    return InMany(memory, statistics.median(seconds))


async def _minutes_look(database: Path, code: Path, rounds: int) -> tuple[float, int]:
    """Return the CPU seconds of the watch's look at every session, and the bytes it wrote."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *script("look_at_sessions"),
        str(database),
        str(rounds),
        env={**os.environ, "PYTHONPATH": str(code)},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, f"look_at_sessions ended with {process.returncode}"
    looks, written = json.loads(printed)
    return statistics.median(looks), written


async def measure_strangers(folder: Path, code: Path, characters: int, count: int, rounds: int) -> list[Row]:
    """Measure a check in a database with many strangers' characters beside one without.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        characters: How many.
        count: How many checks make a batch.
        rounds: How many batches of each.
    """
    costs: list[list[float]] = [[], []]
    async with AsyncExitStack() as stack:
        acts = []
        for name in ("few", "many"):
            database = folder / f"{name}.db"
            discord = await stack.enter_async_context(patient_discord())
            async with running(discord, database, *OURS, code=code):
                party = await open_game(discord, MAID)
            if name == "many":
                fill(database, characters)
            bot = await stack.enter_async_context(running(discord, database, *OURS, code=code))
            acts.append(Measured(bot, partial(check, party, MAID)))
            await batch(acts[-1], count)
        for _ in range(rounds):
            for act, seconds in zip(acts, costs, strict=True):
                seconds.append((await batch(act, count)).cpu_seconds)
    few, many = costs
    what = f"CPU of a check with {characters:,} characters ÷ with 2"
    return [Row(what, ratio_of(many, few), 1.1, from_=microseconds(many, few))]


async def measure_starts(folder: Path, code: Path, rounds: int) -> list[Row]:
    """Start the bare bot and ours in turn, with the bytecode that an installed program has.

    Ours is started with no campaigns, and with one of every game, which loads them all.
    """
    played = folder / "played.db"
    for server, game in enumerate(rulesets().covers, start=1):
        await play_ready(played, server, PERSON, game.command)
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    seconds: dict[str, list[float]] = {}
    memory: dict[str, list[float]] = {}
    starts = (
        ("bare", script("bare_bot"), folder / "bare.db"),
        ("none", OURS, folder / "none.db"),
        ("all", OURS, played),
    )
    for number in range(rounds + 1):
        for what, command, database in starts:
            async with patient_discord() as discord:
                discord.add_server("Bench")
                async with running(discord, database, *command, code=code, environment=compiled) as bot:
                    if not number:  # the first start compiles
                        continue
                    await asyncio.sleep(SETTLED_SECONDS)
                    seconds.setdefault(what, []).append(bot.start_seconds)
                    memory.setdefault(what, []).append(bot.memory_mb())
    return [
        _row(figure, values[of], values["bare"], goal, unit)
        for figure, values, of, goal, unit in (
            ("resident memory ÷ bare, no game played", memory, "none", 1.7, "MB"),
            ("resident memory ÷ bare, all five games loaded", memory, "all", 1.8, "MB"),
            ("start to connected ÷ bare, no game played", seconds, "none", 2.0, "s"),
            ("start to connected ÷ bare, all five games played", seconds, "all", 2.0, "s"),
        )
    ]


def _row(what: str, ours: list[float], bare: list[float], goal: float, unit: str) -> Row:
    medians = f"{statistics.median(ours):.1f} / {statistics.median(bare):.1f} {unit}"
    return Row(what, ratio_of(ours, bare), goal, from_=medians)
