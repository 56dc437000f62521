"""A process that makes checks on a database: through the use case that a command calls, without Discord.

    python checking.py URL FIRST SERVERS IN_FLIGHT SECONDS ARRIVALS

It makes campaigns in *SERVERS* servers from the one numbered *FIRST*, prints a line, waits for one, and
makes checks for some seconds: *IN_FLIGHT* at all times, or so many *ARRIVALS* a second. Then it prints what
that cost.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.rules import rulesets
from bot.store.engines import open_store
from bot.store.records import ServerId
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import suggest
from bot.table.play import play
from tests.bench.acts import (
    AT_ONCE,
    NAMES,
    TARGETS,
    Batch,
    Measured,
    batch,
    check_of,
    ours_with_games,
    press_in,
    sheet_of,
)
from tests.bench.engines import OURS, patient_discord, running, script
from tests.bench.played_games import FIGHTERS, GAMES, MAID, RPJ, SWIM
from tests.bench.report import Row, microseconds, ratio_of

COMMAND, PROCEDURE = "maid", "check"
GIVEN = {"first": "Str", "second": "Dex"}
SERVERS_AT_ONCE = 16  # servers that are made ready at the same time


@dataclass(frozen=True, slots=True)
class Ordered:
    """What is measured: see the module."""

    url: str
    first: int
    servers: int
    in_flight: int
    seconds: float
    arrivals: float


class Checks:
    """Checks in many servers, each by one person."""

    def __init__(self, table: Table, ordered: Ordered) -> None:
        self._table, self._ordered = table, ordered
        self._numbers = iter(range(10**9))
        self.waits: list[float] = []

    def _requests(self) -> Iterator[Request]:
        for number in range(self._ordered.servers):
            yield Request(
                server=ServerId(self._ordered.first + number),
                places=(1,),
                person=10**17,
                person_name="Alice",
                manages_server=True,
                interaction="",
            )

    async def get_ready(self) -> None:
        """Have somebody play a character in every server."""
        gate = asyncio.Semaphore(SERVERS_AT_ONCE)
        game = next(game for game in self._table.games.values() if game.command == COMMAND)

        async def one(request: Request) -> None:
            async with gate:
                await campaigns.create(self._table, replace(request, interaction="made"), game.key, "Bench")
                ready = await suggest.ready_made(self._table, request, "")
                taken = replace(request, interaction="taken")
                await characters.take_ready_made(self._table, taken, ready[0].value, "Alice")
                await self._check(request)

        await asyncio.gather(*(one(request) for request in self._requests()))
        self.waits.clear()

    async def _check(self, request: Request) -> None:
        begun = time.perf_counter()
        asked = replace(request, interaction=f"{self._ordered.first} {next(self._numbers)}")
        await play.perform(self._table, asked, PROCEDURE, GIVEN)
        self.waits.append(time.perf_counter() - begun)

    async def keep_in_flight(self) -> None:
        """Make one check after the other, so many at all times."""
        until = time.perf_counter() + self._ordered.seconds
        requests = list(self._requests())

        async def one_after_the_other(mine: list[Request]) -> None:
            while True:
                for request in mine:
                    if time.perf_counter() > until:
                        return
                    await self._check(request)

        many = self._ordered.in_flight
        await asyncio.gather(*(one_after_the_other(requests[start::many]) for start in range(many)))

    async def let_arrive(self) -> None:
        """Make checks at their times, whatever those before them take."""
        requests, begun = list(self._requests()), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in range(round(self._ordered.arrivals * self._ordered.seconds)):
                due = begun + number / self._ordered.arrivals
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                group.create_task(self._check(requests[number * 7919 % len(requests)]))


async def main(ordered: Ordered) -> None:
    """Measure what is ordered."""
    store = await open_store(ordered.url)
    table = Table(store=store, games=rulesets(), now=lambda: int(time.time()), new_secret=lambda: bytes(32))
    checks = Checks(table, ordered)
    await checks.get_ready()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    wall, cpu = time.perf_counter(), time.process_time()
    await (checks.let_arrive() if ordered.arrivals else checks.keep_in_flight())
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await store.close()
    waits, count = sorted(checks.waits), len(checks.waits)
    cost = {
        "per_second": count / wall,
        "cpu_seconds": cpu / count,
        "p50_seconds": waits[count // 2],
        "p99_seconds": waits[count * 99 // 100],
    }
    sys.stdout.write(json.dumps(cost) + "\n")


if __name__ == "__main__":
    url, *numbers = sys.argv[1:]
    first, servers, in_flight = (int(number) for number in numbers[:3])
    asyncio.run(main(Ordered(url, first, servers, in_flight, float(numbers[3]), float(numbers[4]))))


CHECK_GOALS = {SWIM: 2.2, RPJ: 2.2}
LINE, CARD, NAME, HAND = "a bare line", "a bare card", "a bare completion", "a hand-written check"


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
        acts = await stack.enter_async_context(_anchors(folder, code))
        ours = await stack.enter_async_context(ours_with_games(folder / "ours.db", code, *OURS))
        for group in (acts | ours[0], ours[1]):
            for one in group.values():
                await batch(one, count)  # warms up
            for _ in range(rounds):
                for name, one in group.items():
                    batches[name].append(await batch(one, count))
    return list(_rows(batches))


@asynccontextmanager
async def _anchors(folder: Path, code: Path) -> AsyncIterator[dict[str, Measured]]:
    async with AsyncExitStack() as stack:
        bots, members = [], []
        for name in ("bare_bot", "hand_written_bot"):
            discord = await stack.enter_async_context(patient_discord())
            members.append(discord.add_server("Bench").add_member("Alice"))
            started = running(discord, folder / f"{name}.db", *script(name), code=code)
            bots.append(await stack.enter_async_context(started))
        (bare, hand), (alice, anna) = bots, members
        yield {
            LINE: Measured(bare, lambda: alice.slash("line")),
            CARD: Measured(bare, lambda: alice.slash("card")),
            NAME: Measured(bare, lambda: alice.autocomplete("name", "name")),
            HAND: Measured(hand, lambda: anna.slash("check", first="Str", second="Dex")),
        }


def _rows(batches: Mapping[str, list[Batch]]) -> list[Row]:
    cpu = {name: [one.cpu_seconds for one in each] for name, each in batches.items()}
    speed = {name: [one.per_second for one in each] for name, each in batches.items()}
    rows = [
        _ratio(f"CPU of a check ÷ bare: {game.title}", cpu, check_of(game), LINE, CHECK_GOALS.get(game, 1.75))
        for game in GAMES
    ]
    rows.append(_ratio("the same with an embed and two buttons: bare", cpu, CARD, LINE, None))
    rows += [
        _ratio(f"CPU of a check ÷ hand-written: {game.title}", cpu, check_of(game), HAND, 1.0)
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
    rows.append(_ratio("a completion of names ÷ bare", cpu, NAMES, NAME, 1.5))
    rows.append(_ratio(f"a completion in a fight of {FIGHTERS} (RPJ Core) ÷ bare", cpu, TARGETS, NAME, 2.0))
    for game in (MAID, RPJ):
        rows.append(
            _time(f"a press in a fight of {FIGHTERS} with its board: {game.title}", cpu, press_in(game), 2.0)
        )
    rows += [_time(f"the sheet with its controls: {game.title}", cpu, sheet_of(game), 1.5) for game in GAMES]
    return rows


def _ratio(what: str, cpu: Mapping[str, list[float]], mine: str, theirs: str, goal: float | None) -> Row:
    return Row(what, ratio_of(cpu[mine], cpu[theirs]), goal, from_=microseconds(cpu[mine], cpu[theirs]))


def _time(what: str, cpu: Mapping[str, list[float]], name: str, goal: float) -> Row:
    times = f"{ratio_of(cpu[name], cpu[LINE]):.1f} × a bare line"
    return Row(what, statistics.median(cpu[name]) * 1000, goal, "ms", times)


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
