"""What a start costs: the time until the bot is connected, and its memory when nothing happens."""

import asyncio
import statistics
from collections.abc import Sequence
from pathlib import Path

from tests.bench.processes import OURS, patient_discord, running, script
from tests.bench.report import Row, ratio_of

QUIET_SECONDS = 3  # after the start, before the memory is read


async def measure_starts(folder: Path, code: Path, rounds: int) -> list[Row]:
    """Start the bare bot and ours in turn, with the bytecode that an installed program has."""
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    seconds: dict[Sequence[str], list[float]] = {}
    memory: dict[Sequence[str], list[float]] = {}
    bare = script("bare_bot")
    for number in range(rounds + 1):
        for command in (bare, OURS):
            async with patient_discord() as discord:
                discord.add_server("Bench")
                database = folder / "starts.db"
                async with running(discord, database, *command, code=code, environment=compiled) as bot:
                    if not number:  # the first start compiles
                        continue
                    await asyncio.sleep(QUIET_SECONDS)
                    seconds.setdefault(command, []).append(bot.start_seconds)
                    memory.setdefault(command, []).append(bot.memory_mb())
    return [
        _row("resident memory ÷ bare, all five games loaded", memory[OURS], memory[bare], 1.8, "MB"),
        _row("start to connected ÷ bare", seconds[OURS], seconds[bare], 3.0, "s"),
    ]


def _row(what: str, ours: list[float], bare: list[float], goal: float, unit: str) -> Row:
    medians = f"{statistics.median(ours):.1f} / {statistics.median(bare):.1f} {unit}"
    return Row(what, ratio_of(ours, bare), goal, from_=medians)
