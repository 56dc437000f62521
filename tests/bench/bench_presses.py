"""How soon the presses of a sheet are answered, with 32 players pressing at once.

    python -m tests.bench.bench_presses [--rounds 3]

The bot is a process of its own on a local Discord. Every player opens their sheet, opens a group, sets a roll
up and makes it; each step is begun by all of them at the same moment. Nothing here is a
test: the figures depend on the machine.
"""

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.playground.discord import Answer, LocalDiscord, Member
from bot.playground.discord.payloads import Payload, walk_components
from bot.rules import rulesets
from tests.bench.acts import AT_ONCE
from tests.bench.filling import play_ready
from tests.bench.processes import OURS, running

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
