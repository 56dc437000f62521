"""What an answer costs: checks, completions, sheets and presses, beside a bare and a hand-written bot."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.bench.acts import (
    AT_ONCE,
    NAMES,
    TARGETS,
    Batch,
    Measured,
    batch,
    check_of,
    desk_of,
    ours_with_games,
    press_in,
    sheet_of,
)
from tests.bench.played_games import COMPARE, FIGHTERS, GAMES, MAID, OWN, RPJ, SWARM, SWIM
from tests.bench.processes import OURS, patient_discord, running, script
from tests.bench.report import Row, microseconds, ratio_of

HAND_WRITTEN = ("-m", "tests.bench.hand_written_bot")
CHECK_GOALS = {SWIM: 2.2, RPJ: 2.2}
LINE, CARD, NAME, HAND = "a bare line", "a bare card", "a bare completion", "a hand-written check"
HAND_OF = {game: f"a hand-written check of {game.title}" for game in (RPJ, SWIM, COMPARE)}


async def measure_answers(folder: Path, code: Path, count: int, rounds: int) -> list[Row]:
    """Measure every act *count* times in each of some rounds, one act after the other.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        count: How many answers make a batch.
        rounds: How many batches of each act.
    """
    batches: dict[str, list[Batch]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        acts = await stack.enter_async_context(_anchors(folder))
        ours = await stack.enter_async_context(ours_with_games(folder / "ours.db", code, *OURS))
        for group in (acts | ours[0], ours[1]):
            for one in group.values():
                await batch(one, count)  # warms up
            for _ in range(rounds):
                for name, one in group.items():
                    batches[name].append(await batch(one, count))
    return list(_rows(batches))


@asynccontextmanager
async def _anchors(folder: Path) -> AsyncIterator[dict[str, Measured]]:
    async with AsyncExitStack() as stack:
        bots, members = [], []
        for name, command in (("bare", script("bare_bot")), ("hand", HAND_WRITTEN)):
            discord = await stack.enter_async_context(patient_discord())
            members.append(discord.add_server("Bench").add_member("Alice"))
            started = running(discord, folder / f"{name}.db", *command)
            bots.append(await stack.enter_async_context(started))
        (bare, hand), (alice, anna) = bots, members
        yield {
            LINE: Measured(bare, lambda: alice.slash("line")),
            CARD: Measured(bare, lambda: alice.slash("card")),
            NAME: Measured(bare, lambda: alice.autocomplete("name", "name")),
            HAND: Measured(hand, lambda: anna.slash("check", first="Str", second="Dex")),
            HAND_OF[RPJ]: Measured(hand, lambda: anna.slash("rpj", skill="Archery", difficulty=10)),
            HAND_OF[SWIM]: Measured(hand, lambda: anna.slash("swim", skill="Basic Melee", difficulty=4)),
            HAND_OF[COMPARE]: Measured(hand, lambda: anna.slash("compare", skill="cook", difficulty=0)),
        }


def _rows(batches: Mapping[str, list[Batch]]) -> list[Row]:
    cpu = {name: [one.cpu_seconds for one in each] for name, each in batches.items()}
    speed = {name: [one.per_second for one in each] for name, each in batches.items()}
    rows = [
        _ratio(f"CPU of a check ÷ bare: {game.title}", cpu, check_of(game), LINE, CHECK_GOALS.get(game, 1.75))
        for game in GAMES
    ]
    own = f"CPU of a check ÷ {SWARM.title}: {OWN.title}, a game of one's own"
    rows.append(_ratio(own, cpu, check_of(OWN), check_of(SWARM), 1.3))
    rows.append(_ratio("the same with an embed and two buttons: bare", cpu, CARD, LINE, None))
    rows += [
        _ratio(
            f"CPU of a check ÷ hand-written: {game.title}", cpu, check_of(game), HAND_OF.get(game, HAND), 0.9
        )
        for game in GAMES
    ]
    for game in GAMES:
        mine, theirs = speed[check_of(game)], speed[LINE]
        rows.append(
            Row(
                f"throughput, {AT_ONCE} in flight ÷ bare: {game.title}",
                ratio_of(mine, theirs),
                0.5,
                from_=f"{statistics.median(mine):.0f} / {statistics.median(theirs):.0f} a second",
                is_least=True,
            )
        )
    slow = {name: _slowest(each) for name, each in batches.items()}
    for game in GAMES:
        check, line = slow[check_of(game)], slow[LINE]
        from_ = f"{check * 1000:.0f} / {line * 1000:.0f} ms"
        rows.append(Row(f"p99, {AT_ONCE} in flight ÷ bare: {game.title}", check / line, 1.0, from_=from_))
    rows.append(_ratio("a completion of names ÷ bare", cpu, NAMES, NAME, 1.4))
    rows.append(_ratio(f"a completion in a fight of {FIGHTERS} (RPJ Core) ÷ bare", cpu, TARGETS, NAME, 2.0))
    rows += [
        _ratio(
            f"a press in a fight of {FIGHTERS} with its board ÷ a check: {game.title}",
            cpu,
            press_in(game),
            check_of(game),
            2.0,
        )
        for game in (MAID, RPJ)
    ]
    rows += [
        _ratio(
            f"the sheet with its controls ÷ a check: {game.title}", cpu, sheet_of(game), check_of(game), 1.5
        )
        for game in GAMES
    ]
    rows += [
        _ratio(f"a GM's desk ÷ a check: {game.title}", cpu, desk_of(game), check_of(game), 1.5)
        for game in GAMES
    ]
    return rows


def _ratio(what: str, cpu: Mapping[str, list[float]], mine: str, theirs: str, goal: float | None) -> Row:
    return Row(what, ratio_of(cpu[mine], cpu[theirs]), goal, from_=microseconds(cpu[mine], cpu[theirs]))


def _slowest(batches: list[Batch]) -> float:
    """The 99th percentile of all waits, in seconds."""
    return statistics.quantiles([wait for one in batches for wait in one.waits], n=100)[-1]
