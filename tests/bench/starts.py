"""What a start costs: the time until the bot is connected, and its memory when nothing happens."""

import asyncio
import statistics
from pathlib import Path

from bot.rules import rulesets
from tests.bench.filling import play_ready
from tests.bench.processes import OURS, patient_discord, running, script
from tests.bench.report import Row, ratio_of

PERSON = 1
QUIET_SECONDS = 3  # after the start, before the memory is read


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
                    await asyncio.sleep(QUIET_SECONDS)
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
