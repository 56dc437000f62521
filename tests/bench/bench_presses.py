"""How soon the presses of a sheet are answered, with 32 players pressing at once.

    python -m tests.bench.bench_presses [--rounds 3]

The bot is a process of its own on a local Discord. Every player opens their sheet, opens a group, sets a roll
up and makes it; each step is begun by all of them at the same moment. Nothing here is a
test: the figures depend on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.playground.discord import Answer, LocalDiscord, Member, Server
from bot.playground.discord.payloads import Payload, walk_components
from bot.rules import rulesets
from tests.bench.acts import AT_ONCE, Measured, batch
from tests.bench.engines import OURS, patient_discord, running, script
from tests.bench.played_games import MAID, check, copy_server, fill, open_game, play_ready
from tests.bench.report import Row, microseconds, ratio_of

SERVER, PERSON = 4_200_000_000_000_001, 4_300_000_000_000_000
GROUP, COMPOSER, GREEN = "Check …", "Roll with options …", 3

Step = Callable[[Member, Payload], Awaitable[Answer]]


async def main(rounds: int) -> None:
    """Print the slowest and the median first answer of each step, for each game."""
    for game in rulesets().values():
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder, "bench.db")
            for number in range(AT_ONCE):
                await play_ready(database, SERVER, PERSON + number, game.command)
            found = await measure(database, rounds)
        for step, seconds in found.items():
            slowest, middle = max(seconds) * 1000, sorted(seconds)[len(seconds) // 2] * 1000
            print(f"{game.title}, {step}: {slowest:.0f} ms at most, {middle:.0f} ms half of them")  # noqa: T201  # its output


async def measure(database: Path, rounds: int) -> dict[str, list[float]]:
    """Have every player press through their sheet *rounds* times."""
    found: dict[str, list[float]] = defaultdict(list)
    async with LocalDiscord() as discord:
        server = discord.add_server("Bench")
        server.id = SERVER
        players = []
        for number in range(AT_ONCE):
            players.append(server.add_member(f"Player {number}"))
            players[-1].id = PERSON + number
        async with running(discord, database, *OURS):
            for _ in range(rounds):
                await _round(players, found)
    return found


async def _round(players: list[Member], found: dict[str, list[float]]) -> None:
    answers = await asyncio.gather(*(one.slash("sheet") for one in players))
    found["/sheet"] += _latencies(answers)
    for name, step in (("a group", _group), ("the composer", _composer), ("its button", _do)):
        pressed = (step(one, _shown(answer)) for one, answer in zip(players, answers, strict=True))
        done = await asyncio.gather(*pressed)
        found[name] += _latencies(done)


def _shown(answer: Answer) -> Payload:
    assert answer.message is not None
    return answer.message


def _latencies(answers: list[Answer]) -> list[float]:
    for answer in answers:
        assert answer.failed is None, answer.failed
    return [answer.latency_seconds for answer in answers if answer.latency_seconds is not None]


async def _group(player: Member, message: Payload) -> Answer:
    return await player.press(message, GROUP)


async def _composer(player: Member, message: Payload) -> Answer:
    now = _now(player, message)
    return await player.select(now, COMPOSER, _first(now, COMPOSER))


async def _do(player: Member, message: Payload) -> Answer:
    now = _now(player, message)
    button = next(one["label"] for one in walk_components(now["components"]) if _does_it(one))
    return await player.press(now, button)


def _does_it(component: Payload) -> bool:
    return component.get("style") == GREEN


def _now(player: Member, message: Payload) -> Payload:
    """The message as it is now."""
    posted = player.discord.posted(int(message["channel_id"]), int(message["id"]))
    assert posted is not None
    return posted.payload


def _first(message: Payload, menu: str) -> str:
    """The label of a menu's first choice."""
    found = next(
        one for one in walk_components(message["components"]) if str(one.get("placeholder")).startswith(menu)
    )
    return str(found["options"][0]["label"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    asyncio.run(main(parser.parse_args().rounds))


QUIET_SECONDS = 5  # after a start with many servers
EVENTS = 200  # in a batch
KB = 1024


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
