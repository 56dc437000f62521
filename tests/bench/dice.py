"""What dice and odds cost, beside Python written by hand and icepool."""

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
    cold, by_hand_cold = found["ours_cold"], found["by_hand_cold"]
    ours, by_hand = found["ours"], found["by_hand"]
    return [
        Row(
            "parse and roll 4d6kh3+2, never seen ÷ compile a sum and roll by hand",
            ratio_of(cold, by_hand_cold),
            2.0,
            from_=microseconds(cold, by_hand_cold),
        ),
        Row(
            "the same, seen before ÷ roll by hand",
            ratio_of(ours, by_hand),
            5.0,
            from_=microseconds(ours, by_hand),
        ),
        Row(
            "odds of 10 dice against 10 ÷ icepool",
            odds / icepool[0],
            0.05,
            from_=microseconds([odds], icepool),
        ),
    ]
