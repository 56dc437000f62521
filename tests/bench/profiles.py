"""A profile of one act of the bot, by layer.

A function of the standard library or of pydantic belongs to the layer that calls it.
"""

import asyncio
import marshal
import os
import re
import signal
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.bench.acts import TARGETS, Measured, batch, check_of, ours_with_games, press_in
from tests.bench.played_games import COMPARE, MAID, RPJ, SWARM, SWIM
from tests.bench.processes import OURS, PATIENCE_SECONDS, BotProcess, script

Function = tuple[str, int, str]
Times = tuple[int, int, float, float]
Stats = Mapping[Function, tuple[int, int, float, float, Mapping[Function, Times]]]
IN, CONTROL, TABLE, RULES, STORE = "Discord in", "cog and ui", "table, unit", "rules", "store"
JOURNAL, OUT, LOG, OTHER = "record, journal", "reply out", "log", "loop, threads, other"
CALLS_UP = 20  # how far a caller with a layer is looked for
LAYERS = (IN, CONTROL, TABLE, RULES, STORE, JOURNAL, OUT, LOG, OTHER)
# The first pattern that is in a path decides; what none is in belongs to its callers.
PLACES = (
    (r"/bot/app/(logs|traffic|metrics)|/structlog/|/logging/", LOG),
    (r"/bot/rules/", RULES),
    (r"/bot/store/", STORE),
    (r"/bot/table/journal/", JOURNAL),
    (r"/bot/table/", TABLE),
    (r"/bot/ui/(replies|text|live)/|/bot/ui/input/\w*(answer|send|payload|emoji)", OUT),
    (r"/bot/ui/|/cogs/|/bot/app/", CONTROL),
    (r"/discord/(http|embeds|file|components|message|allowed_mentions)\.py|/discord/(ui|webhook)/", OUT),
    (r"/discord/interactions\.py.*:(?!__init__|_from_data)", OUT),
    (r"/discord/(utils|enums|flags|object|mixins|abc|colour|emoji|partial_emoji)\.py", ""),
    (r"/discord/|/aiohttp/\S*(ws|websocket)", IN),
    (r"/aiohttp/", OUT),
    (
        r"/asyncio/|/selectors\.py|/threading\.py|/concurrent/|/queue\.py|method 'poll'|method 'acquire'",
        OTHER,
    ),
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


def seconds_by_layer(before: Path, after: Path) -> dict[str, float]:
    """Return the seconds that each layer took between two writings of a profile."""
    found = dict.fromkeys(LAYERS, 0.0)
    earlier = marshal.loads(before.read_bytes())
    for number, thread in enumerate(marshal.loads(after.read_bytes())):
        stats = _since(thread, earlier[number] if number < len(earlier) else {})
        for layer, seconds in _of_thread(stats).items():
            found[layer] += seconds
    return found


def _since(stats: Stats, earlier: Stats) -> Stats:
    """What was added to a thread's profile since an earlier one."""
    found = {}
    for function, (calls, own_calls, own, total, callers) in stats.items():
        was = earlier.get(function, (0, 0, 0.0, 0.0, {}))
        edges = {}
        for caller, edge in callers.items():
            past = was[4].get(caller, (0, 0, 0.0, 0.0))
            edges[caller] = (edge[0] - past[0], edge[1] - past[1], edge[2] - past[2], edge[3] - past[3])
        numbers = (calls - was[0], own_calls - was[1], own - was[2], total - was[3])
        found[function] = (*numbers, edges)
    return found


def _of_thread(stats: Stats) -> dict[str, float]:
    shares = _shares(stats)
    found: defaultdict[str, float] = defaultdict(float)
    for function, (_calls, _own_calls, own, _total, callers) in stats.items():
        if layer_of(function) or not callers:
            edges = [(function, own)]
        else:
            edges = [(caller, edge[2]) for caller, edge in callers.items()]
        for whose, seconds in edges:
            for layer, part in shares.get(whose, {OTHER: 1.0}).items():
                found[layer] += part * seconds
    return found


def _shares(stats: Stats) -> dict[Function, Mapping[str, float]]:
    """Which parts of each function's time belong to which layer: its own, or those of its callers."""
    shares: dict[Function, Mapping[str, float]] = {}
    shared: dict[Function, dict[Function, float]] = {}
    for function, (*_, callers) in stats.items():
        layer = layer_of(function)
        called = {caller: edge[3] for caller, edge in callers.items() if edge[3] > 0}
        if layer or not called:
            shares[function] = {layer or OTHER: 1.0}
        else:
            shared[function] = called
    for _ in range(CALLS_UP):
        for function, called in shared.items():
            mixed: defaultdict[str, float] = defaultdict(float)
            for caller, seconds in called.items():
                for layer, part in shares.get(caller, {}).items():
                    mixed[layer] += part * seconds
            whole = sum(mixed.values())
            shares[function] = {layer: part / whole for layer, part in mixed.items()} if whole else {}
    return shares


@cache
def layer_of(function: Function) -> str:
    """Return the layer of a function, or nothing if it is its callers'."""
    place = f"{function[0]}:{function[2]}"
    return next((layer for pattern, layer in PLACES if re.search(pattern, place)), "")


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
