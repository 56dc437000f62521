"""A table on a real database with the toy ruleset, a clock set by hand, and people."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from bot.rules import rulesets
from bot.store.records import ServerId
from bot.table.base.access import Request
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from tests.databases import NewDatabase, opened
from tests.table.toy import TOY

HOME, ELSEWHERE = ServerId(900), ServerId(901)
CHANNEL, CATEGORY = 50, 40
MORNING = 1_800_000_000


@dataclass(slots=True)
class Clock:
    """The time, set by hand."""

    seconds: int = MORNING

    def __call__(self) -> int:
        return self.seconds

    def pass_hours(self, hours: float) -> None:
        self.seconds += round(hours * 3600)


@dataclass(slots=True)
class Interactions:
    """Counts interactions, so that each request is a new one."""

    last: int = 1000

    def __call__(self) -> str:
        self.last += 1
        return str(self.last)


class Person(Struct):
    """A person in a server; `asks` makes their next request."""

    id: int
    name: str
    interactions: Interactions
    server: ServerId = HOME
    places: tuple[int, ...] = (CHANNEL, CATEGORY)
    manages_server: bool = False
    roles: frozenset[int] = frozenset()

    def asks(self, interaction: str | None = None, *, place: int | None = None) -> Request:
        return Request(
            server=self.server,
            places=self.places if place is None else (place, CATEGORY),
            person=self.id,
            person_name=self.name,
            roles=self.roles,
            manages_server=self.manages_server,
            interaction=interaction or self.interactions(),
        )


@dataclass(slots=True)
class Secrets:
    """A fixed series of secrets."""

    count: int = 0

    def __call__(self) -> bytes:
        self.count += 1
        return hashlib.sha256(f"secret {self.count}".encode()).digest()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def interactions() -> Interactions:
    return Interactions()


@pytest.fixture
async def table(database: NewDatabase, tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    with database(tmp_path) as url:
        async with opened(url) as store:
            yield Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets())


@pytest.fixture
def gm(interactions: Interactions) -> Person:
    return Person(1, "Gwen", interactions, manages_server=True)


@pytest.fixture
def ada(interactions: Interactions) -> Person:
    return Person(2, "Alice", interactions)


@pytest.fixture
def bo(interactions: Interactions) -> Person:
    return Person(3, "Bob", interactions)


@pytest.fixture
def neighbour(interactions: Interactions) -> Person:
    """Somebody who manages another server."""
    return Person(4, "Nina", interactions, server=ELSEWHERE, manages_server=True)


@pytest.fixture
async def game(table: Table, gm: Person, ada: Person, bo: Person) -> Table:
    """A table with a campaign: Gwen is its GM, Alice plays Ada (Brawn 4), Bob plays Bo (Brawn 2)."""
    await campaigns.create(table, gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(table, ada.asks(), "Ada")
    await characters.take_ready_made(table, bo.asks(), "Bo")
    return table


@pytest.fixture
def whole(table: Table) -> Table:
    """The table with every game."""
    return replace(table, games=rulesets())
