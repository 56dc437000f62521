"""What dice and odds cost, beside d20 and icepool."""

import asyncio
import json
import os
import statistics
import sys
from pathlib import Path

from tests.bench.processes import script
from tests.bench.report import Row, microseconds, ratio_of


async def measure_dice(code: Path, count: int, rounds: int) -> list[Row]:
    """Roll *count* times in each round, expressions seen before and never seen; compute odds once a round."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *script("notation_and_odds"),
        str(count),
        str(rounds),
        env={**os.environ, "PYTHONPATH": str(code)},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, f"notation_and_odds ended with {process.returncode}"
    found: dict[str, list[float]] = json.loads(printed)
    odds, icepool = statistics.median(found["odds"]), found["icepool"]
    cold, library_cold = found["ours_cold"], found["library_cold"]
    ours, library = found["ours"], found["library"]
    return [
        Row(
            "parse and roll 4d6kh3+2 ÷ d20, never seen",
            ratio_of(cold, library_cold),
            0.15,
            from_=microseconds(cold, library_cold),
        ),
        Row(
            "the same ÷ d20 with its cache, seen before",
            ratio_of(ours, library),
            0.5,
            from_=microseconds(ours, library),
        ),
        Row(
            "odds of 10 dice against 10 ÷ icepool",
            odds / icepool[0],
            0.05,
            from_=microseconds([odds], icepool),
        ),
    ]
