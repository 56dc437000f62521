"""A profile of one act of the bot, by layer."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

from tests.bench.acts import TARGETS, Measured, batch, check_of, ours_with_games, press_in
from tests.bench.layers import LAYERS, seconds_by_layer
from tests.bench.played_games import COMPARE, MAID, RPJ, SWARM, SWIM
from tests.bench.processes import (
    OURS,
    PATIENCE_SECONDS,
    BotProcess,
    script,
)

LOOK_SECONDS = 0.1
PROFILED = {
    "maid": check_of(MAID),
    "rpj": check_of(RPJ),
    "swim": check_of(SWIM),
    "compare": check_of(COMPARE),
    "swarm": check_of(SWARM),
    "press": press_in(RPJ),
    "completion": TARGETS,
}


async def profile(folder: Path, code: Path, names: list[str], count: int) -> str:
    """Profile some acts; return a table of the microseconds that each layer takes.

    A profiler slows short functions down most, so its times only share out the CPU time measured without it.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        names: Which of `PROFILED`.
        count: How often each is done.
    """
    async with ours_with_games(folder / "usual.db", code, *OURS) as (acts, _sheets):
        usual = {name: await _cpu_seconds(acts[PROFILED[name]], count) for name in names}
    environment = {"BENCH_PROFILE": str(folder / "profile")}
    profiled = ours_with_games(folder / "profiled.db", code, *script("profiled_bot"), environment=environment)
    layers = {}
    async with profiled as (acts, _sheets):
        for name in names:
            act = acts[PROFILED[name]]
            await batch(act, count)
            before = await _written(act.bot, folder, f"{name} before")
            await batch(act, count)
            layers[name] = seconds_by_layer(before, await _written(act.bot, folder, f"{name} after"))
    return _table(usual, layers)


async def _cpu_seconds(act: Measured, count: int) -> float:
    await batch(act, count)
    return (await batch(act, count)).cpu_seconds


async def _written(bot: BotProcess, folder: Path, name: str) -> Path:
    """Have the bot write its profile, and return where it is kept."""
    file = folder / "profile"
    os.kill(bot.pid, signal.SIGUSR1)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not file.exists():  # noqa: ASYNC110  # a file cannot be waited for
            await asyncio.sleep(LOOK_SECONDS)
    return file.rename(folder / name)


def _table(usual: Mapping[str, float], layers: Mapping[str, Mapping[str, float]]) -> str:
    names = list(usual)
    lines = [
        f"| layer, µs | {' | '.join(PROFILED[name] for name in names)} |",
        "|---" * (len(names) + 1) + "|",
    ]
    for layer in LAYERS:
        cells = [_cell(usual[name], layers[name], layer) for name in names]
        lines.append(f"| {layer} | {' | '.join(cells)} |")
    wholes = [f"{usual[name] * 1e6:,.0f}" for name in names]
    return "\n".join([*lines, f"| all | {' | '.join(wholes)} |"])


def _cell(usual: float, layers: Mapping[str, float], layer: str) -> str:
    share = layers[layer] / sum(layers.values())
    return f"{usual * share * 1e6:,.0f} ({share:.0%})"
