"""What one stored check costs the store, with a thousand and with a million characters.

Run it with ``pytest -m bench -s tests/bench/bench_store.py``. Only ratios of one run mean anything.
"""

import asyncio
import hashlib
import resource
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.store.journalled_tables import to_text
from bot.store.records import (
    CampaignRecord,
    EntryRecord,
    FollowUpRecord,
    JsonObject,
    ServerId,
)
from bot.store.sqlite import open_store
from bot.store.transaction import Store, Transaction

Unit = Callable[[int, int, Transaction], object]

CHARACTERS_PER_SERVER = 20
IN_FLIGHT = 32
UNITS = 3_000
REPEATS = 5

SHEET = to_text(
    {
        "attributes": {"might": 8, "wits": 6, "grace": 10, "heart": 4},
        "skills": {"climb": 2, "cook": 3, "sneak": 1},
        "traits": ["patient", "curious", "left-handed"],
        "notes": "Some words about her. " * 15,
    }
)
DECK = to_text({"cards": list(range(54)), "discarded": [], "hands": {}})
TOLD: JsonObject = {
    "who": "Mira",
    "headline": "climbs the wall",
    "verdict": "success",
    "changes": [["Mira", "Luck", "5", "4"]],
    "notes": ["The rope holds."],
}
ROLL: JsonObject = {
    "procedure": "check",
    "inputs": {"skill": "climb", "difficulty": 9, "boon": True},
    "dice": [[8, 5], [8, 7], [6, 2]],
    "terms": [["climb", 2], ["boon", 1]],
    "total": 10,
    "chance": "247/512",
    "outcome": "success",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one unit of work costs.

    Attributes:
        cpu_us: CPU time of the whole process, in microseconds.
        p99_ms: The 99th percentile of the latency, in milliseconds.
        per_second: Units answered per second.
    """

    cpu_us: float
    p99_ms: float
    per_second: float


def fill(path: Path, characters: int) -> None:
    """Fill a new database with that many characters, in servers of one campaign with twenty each."""
    asyncio.run(_make_empty(path))
    servers = range(1, characters // CHARACTERS_PER_SERVER + 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, columns, rows in (
            ("campaigns", 10 + 1, _campaigns(servers)),
            ("seeds", 6, ((server, server, 1, b"s" * 32, "c", None) for server in servers)),
            ("documents", 4, ((server, server, "deck", DECK) for server in servers)),
            ("characters", 10, _characters(servers)),
            ("resources", 5, _rows(servers, [("coin", 9, None), ("luck", 10**6, None), ("power", 4, 4)])),
            ("wounds", 6, _rows(servers, [("body", 0, 1, 2), ("body", 1, 0, 2), ("mind", 0, 0, 4)])),
            ("current_characters", 4, ((server, server, id_, id_) for server, id_ in _ids(servers))),
        ):
            marks = ", ".join("?" for _ in range(columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


async def _make_empty(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await store.close()


def _ids(servers: range) -> Iterator[tuple[int, int]]:
    for server in servers:
        for number in range(CHARACTERS_PER_SERVER):
            yield server, (server - 1) * CHARACTERS_PER_SERVER + number + 1


def _campaigns(servers: range) -> Iterator[tuple[object, ...]]:
    for server in servers:
        yield server, server, "Dusk", "dusk", "any", "{}", 0, None, 1, 0, 1000


def _characters(servers: range) -> Iterator[tuple[object, ...]]:
    for server, id_ in _ids(servers):
        yield server, id_, server, id_, f"N{id_}", f"n{id_}", 0, 0, 1, SHEET


def _rows(servers: range, rows: list[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    for server, id_ in _ids(servers):
        for row in rows:
            yield server, id_, *row


def check(number: int, characters: int, tx: Transaction) -> EntryRecord:
    """Do what a check does in the store: load, spend, change a document, journal, offer buttons."""
    scattered = int.from_bytes(hashlib.blake2b(number.to_bytes(8, "big"), digest_size=8).digest(), "big")
    person = scattered % characters + 1
    server = ServerId((person - 1) // CHARACTERS_PER_SERVER + 1)
    interaction = str(10**18 + number)
    assert tx.entry_of(server, interaction) is None
    campaign = tx.campaign_at(server, [5, 6])
    assert isinstance(campaign, CampaignRecord)
    tx.gms(server, campaign.id)
    seed = tx.seed(server, campaign.id)
    mira = tx.character(server, tx.current_character(server, campaign.id, person) or 0)
    deck = tx.document(server, campaign.id, "deck")
    assert mira is not None
    assert seed is not None
    assert deck is not None
    luck, cap = mira.resources["luck"]
    tx.save_character(replace(mira, resources={**mira.resources, "luck": (luck - 1, cap)}))
    tx.save_document(server, campaign.id, "deck", {**deck, "discarded": [number % 54]})
    entry = tx.add_entry(
        EntryRecord(
            server=server,
            campaign=campaign.id,
            at=2000,
            interaction=interaction,
            channel=5,
            person=person,
            person_name="Ann",
            character=mira.id,
            kind="play.check",
            told=TOLD,
            rolls=[ROLL],
            seed=seed.number,
        )
    )
    offer = FollowUpRecord(server=server, campaign=campaign.id, entry=entry.id, body={"x": 1}, group="a")
    tx.add_follow_ups([offer, offer])
    return entry


def note(number: int, characters: int, tx: Transaction) -> None:
    """Store the least that a unit can: the floor."""
    tx.set_meta("note", str(number))


async def measure(path: Path, characters: int, unit: Unit, first: int) -> Cost:
    """Run many units, thirty-two at a time, and return their cost."""
    store: Store = await open_store(f"sqlite:///{path}")
    numbers = iter(range(first, first + UNITS))
    waits: list[float] = []

    async def one_after_the_other() -> None:
        for number in numbers:
            begun = time.perf_counter()
            await store.run(partial(unit, number, characters))
            waits.append(time.perf_counter() - begun)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one_after_the_other() for _ in range(IN_FLIGHT)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await store.close()
    waits.sort()
    return Cost(cpu / UNITS * 1e6, waits[len(waits) * 99 // 100] * 1e3, UNITS / wall)


def median_of(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(one.cpu_us for one in costs),
        statistics.median(one.p99_ms for one in costs),
        statistics.median(one.per_second for one in costs),
    )


@pytest.mark.bench
def test_a_check_costs_the_same_with_a_thousand_or_a_million_characters(tmp_path: Path) -> None:
    sizes = {"1,000": 1_000, "1,000,000": 1_000_000}
    for characters in sizes.values():
        fill(tmp_path / f"{characters}.db", characters)
    costs: dict[str, list[Cost]] = {"floor": [], **{name: [] for name in sizes}}
    for repeat in range(REPEATS):
        first = repeat * UNITS
        costs["floor"].append(asyncio.run(measure(tmp_path / "1000.db", 1_000, note, first)))
        for name, characters in sizes.items():
            measured = measure(tmp_path / f"{characters}.db", characters, check, first)
            costs[name].append(asyncio.run(measured))
    say = sys.stdout.write
    medians = {name: median_of(each) for name, each in costs.items()}
    for name, cost in medians.items():
        say(f"\n{name:>10}: {cost.cpu_us:6.0f} us CPU, p99 {cost.p99_ms:6.1f} ms, {cost.per_second:6.0f}/s")
    ratio = medians["1,000,000"].cpu_us / medians["1,000"].cpu_us
    say(f"\nCPU of a check, 1,000,000 over 1,000 characters: {ratio:.2f}")
    over_floor = medians["1,000"].cpu_us / medians["floor"].cpu_us
    say(f"\nCPU of a check over that of the least unit: {over_floor:.1f}")
    say(f"\nlargest resident set: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB\n")
