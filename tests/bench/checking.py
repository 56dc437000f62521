"""A process that makes checks on a database: through the use case that a command calls, without Discord.

    python checking.py URL FIRST SERVERS IN_FLIGHT SECONDS ARRIVALS

It makes campaigns in *SERVERS* servers from the one numbered *FIRST*, prints a line, waits for one, and
makes checks for some seconds: *IN_FLIGHT* at all times, or so many *ARRIVALS* a second. Then it prints what
that cost.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bot.rules import rulesets
from bot.store.records import ServerId
from bot.store.transaction import open_store
from bot.table.base.access import Request
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import suggest
from bot.table.play import play

COMMAND, PROCEDURE = "maid", "check"
GIVEN = {"first": "Str", "second": "Dex"}
AT_ONCE = 16  # servers that are made ready at the same time


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
        gate = asyncio.Semaphore(AT_ONCE)
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
