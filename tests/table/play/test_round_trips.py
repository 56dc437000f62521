"""How often what is played most waits for PostgreSQL, once its process has played in the server before."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker
from bot.store.postgres.postgres_store import PostgresStore
from bot.store.transaction import open_store
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.encounters import prepared_fights
from bot.table.journal import suggest
from bot.table.play import play
from tests.databases import SpareDatabases
from tests.table.conftest import Clock, Person, Secrets

CHECKS: dict[str, tuple[str, dict[str, Any]]] = {
    "compare_roll": ("check", {"skill": "Stealth"}),
    "post_magic_maid": ("check", {"first": "Str", "second": "Dex"}),
    "rpj": ("check", {"skill": "Perception", "difficulty": "10"}),
    "swim_class": ("roll", {"skill": "Basic Melee", "difficulty": 4}),
    "sword_and_swarm": ("test", {"attribute": "Mallet"}),
}


@dataclass(frozen=True, slots=True)
class Fight:
    """How wolves attack Ash, and what happens before it is counted: turns end, or one of them attacks."""

    attack: str
    given: dict[str, Any]
    before: tuple[str, ...]
    prepared: tuple[tuple[str, dict[str, Any]], ...] = ()


FIGHTS = {
    "compare_roll": Fight("attack", {"targets": ("Ash",)}, ("next", "next", "Wolf 1")),
    "post_magic_maid": Fight(
        "attack",
        {"first": "Dex", "second": "Wll", "track": "blunt", "target": "Ash"},
        ("Wolf 1", "Wolf 2", "next"),
    ),
    "rpj": Fight(
        "fight.attack",
        {"target": "Ash", "weapon": "unarmed"},
        ("next", "next", "next", "Wolf 1", "next"),
        tuple(("fight.place", {"who": who, "beside": "Ash"}) for who in ("Wolf 1", "Wolf 2")),
    ),
    "swim_class": Fight(
        "attack", {"skill": "Basic Melee", "targets": ("Ash",)}, ("Wolf 1", "Wolf 2", "next")
    ),
    "sword_and_swarm": Fight("test", {"attribute": "Mallet"}, ("Wolf 1", "Wolf 2", "next")),
}


@dataclass(slots=True)
class Trips:
    """How often a store has waited for PostgreSQL."""

    trace: Path

    def __call__(self) -> int:
        return self.trace.read_text().count("ReadyForQuery")

    @contextmanager
    def at_most(self, most: int) -> Iterator[None]:
        """Hold that not more are needed."""
        before = self()
        yield
        assert 0 < self() - before <= most


@pytest.fixture
async def table(spare_databases: SpareDatabases, clock: Clock) -> AsyncIterator[Table]:
    with spare_databases.one() as url:
        store = await open_store(url)
        yield Table(store=store, games=rulesets(), now=clock, new_secret=Secrets())
        await store.close()


@pytest.fixture
def trips(table: Table, tmp_path: Path) -> Iterator[Trips]:
    """Counts those of the only connection."""
    assert isinstance(table.store, PostgresStore)
    pool, trace = table.store._pool, tmp_path / "trace"
    with trace.open("w") as file:
        with pool.connection() as link:
            link.prepare_threshold = None  # else it waits once more for each statement, the fifth time
            link.pgconn.trace(file.fileno())
        yield Trips(trace)
        assert pool.get_stats()["pool_size"] == 1


async def play_ready(table: Table, gm: Person, player: Person, game: str) -> None:
    """Make a campaign, and have a player take a ready-made character, Ash."""
    await campaigns.create(table, gm.asks(), game, "The Yard")
    ready = (await suggest.ready_made(table, player.asks(), ""))[0].value
    await characters.take_ready_made(table, player.asks(), ready, "Ash")


@pytest.mark.parametrize("game", sorted(CHECKS))
async def test_a_check_takes_two(table: Table, trips: Trips, gm: Person, ada: Person, game: str) -> None:
    await play_ready(table, gm, ada, game)
    procedure, given = CHECKS[game]
    await play.perform(table, ada.asks(), procedure, given)

    with trips.at_most(2):
        await play.perform(table, ada.asks(), procedure, given)


async def test_a_first_press_takes_three(table: Table, trips: Trips, gm: Person, ada: Person) -> None:
    await play_ready(table, gm, ada, "rpj")
    procedure, given = CHECKS["rpj"]
    rolled = await play.perform(table, ada.asks(), procedure, given)

    with trips.at_most(3):
        await play.press(table, gm.asks(), rolled.follow_ups[0].id)


@pytest.mark.parametrize("game", sorted(FIGHTS))
async def test_an_attack_in_a_fight_takes_four_at_most(
    table: Table, trips: Trips, gm: Person, ada: Person, game: str
) -> None:
    await play_ready(table, gm, ada, game)
    await play.perform(table, gm.asks(), tracker.START, {"others": ("Ash",)})
    await prepared_fights.add(table, gm.asks(), "Wolf", count=2)
    fight = FIGHTS[game]
    for procedure, given in fight.prepared:
        await play.perform(table, gm.asks(), procedure, given)
    for who in (*fight.before, "Wolf 2"):
        before = trips()
        if who == "next":
            await play.perform(table, gm.asks(), tracker.NEXT, {})
        else:
            await play.perform(table, gm.asks(), fight.attack, fight.given, acting=who)

    assert 0 < trips() - before <= 4


@pytest.mark.parametrize("game", sorted(CHECKS))
async def test_a_turn_of_a_fight_takes_four_at_most(
    table: Table, trips: Trips, gm: Person, ada: Person, game: str
) -> None:
    await play_ready(table, gm, ada, game)
    await play.perform(table, gm.asks(), tracker.START, {"others": ("Ash",)})
    await prepared_fights.add(table, gm.asks(), "Wolf", count=3)
    for _ in range(2):
        await play.perform(table, gm.asks(), tracker.NEXT, {})

    with trips.at_most(4):
        await play.perform(table, gm.asks(), tracker.NEXT, {})
