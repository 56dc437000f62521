"""Measure the bot, and print every figure with its goal as a table in Markdown.

    python -m tests.bench [--quick] [--only answers dice …] [--code FOLDER]
    python -m tests.bench --postgres
    python -m tests.bench --profile maid rpj swim press completion

The bots are processes of their own on local Discords and take turns, so that a busy machine slows them all.
CPU time is that of all threads of a bot's process. None of this is a test: the figures depend on the machine,
their ratios hardly do.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.answers import measure_answers
from tests.bench.crowds import measure_servers, measure_starts, measure_strangers
from tests.bench.dice import measure_dice
from tests.bench.engines import measure_engines
from tests.bench.processes import REPOSITORY
from tests.bench.profiles import PROFILED, profile
from tests.bench.report import HEAD, Row, machine

PARTS = ("answers", "servers", "dice", "starts", "strangers")
ENGINES = "engines"


async def show_profile(names: list[str], code: Path, *, is_quick: bool) -> None:
    """Print what each layer of some acts takes."""
    with tempfile.TemporaryDirectory() as folder:
        table = await profile(Path(folder), code, names, 32 if is_quick else 96)
    _say(f"Commit {_commit(code)} on {machine()}\n\n{table}")


async def main(parts: list[str], code: Path, *, is_quick: bool) -> None:
    """Measure some parts, and print the table row by row.

    Args:
        parts: What is measured.
        code: Where the packages `bot` and `cogs` are.
        is_quick: Whether everything is done only a few times.
    """
    _say(f"Commit {_commit(code)} on {machine()}\n\n{HEAD}")
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for row in await _measured(part, Path(folder), code, is_quick=is_quick):
                _say(row.line)
    _say(f"\nAt the end: {machine()}")


async def _measured(part: str, folder: Path, code: Path, *, is_quick: bool) -> list[Row]:
    rounds = 2 if is_quick else 4
    match part:
        case "answers":
            return await measure_answers(folder, code, 32 if is_quick else 96, rounds)
        case "servers":
            return await measure_servers(folder, code, 500 if is_quick else 10_000, rounds)
        case "strangers":
            characters = 10_000 if is_quick else 1_000_000
            return await measure_strangers(folder, code, characters, 32 if is_quick else 96, rounds)
        case "engines":
            return await measure_engines(folder, code, 2 if is_quick else 10)
        case "dice":
            return await measure_dice(code, 100 if is_quick else 1000, rounds)
        case _:
            return await measure_starts(folder, code, rounds)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _commit(code: Path) -> str:
    command = ["git", "-C", str(code), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "?"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="measure everything only a few times")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="what is measured")
    parser.add_argument("--postgres", action="store_true", help="measure both engines of the store instead")
    parser.add_argument("--profile", nargs="+", choices=PROFILED, help="what is profiled instead, by layer")
    parser.add_argument("--code", type=Path, default=REPOSITORY, help="where the packages bot and cogs are")
    given = parser.parse_args()
    parts = [ENGINES] if given.postgres else given.only
    work, what = (show_profile, given.profile) if given.profile else (main, parts)
    asyncio.run(work(what, given.code.resolve(), is_quick=given.quick))
