"""Clocks that are an hour off: the bot's against the database's, and one process's against another's."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.store.engines import open_store
from bot.table.base import timed
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import autoend, sessions
from bot.table.watch import watch
from tests.paces import IMPATIENT
from tests.table.conftest import HOME, Clock, Interactions, Person, Secrets
from tests.table.toy import TOY

STORE = Path(__file__).parents[2] / "bot" / "store"
CLOCK = re.compile(
    r"\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|localtimestamp|unixepoch|julianday"
    r"|datetime|strftime|current_timestamp|current_time|current_date)\b(?:\(|')",
    re.IGNORECASE,
)
# What asks the database's clock, and compares it with nothing but itself; or tells the operator.
ASKING = {
    "migrate.py",  # when a migration was run
    "postgres_migrations.py",
    "postgres_health.py",  # whether the clocks differ
    "shard_locks.py",  # seconds since another process asked it
}


@pytest.fixture(params=[-3600, 3600])
async def tables(request: pytest.FixtureRequest, url: str) -> AsyncIterator[tuple[Table, Table]]:
    """A table by the database's clock, and one of another process by a clock that is an hour off."""
    async with AsyncExitStack() as stack:
        opened = []
        for off in (0, request.param):
            store = await open_store(url, IMPATIENT)
            stack.push_async_callback(store.close)
            clock = Clock(int(time.time()) + off)
            opened.append(Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets()))
        yield opened[0], opened[1]


@pytest.fixture
async def people(tables: tuple[Table, Table]) -> tuple[Person, Person]:
    """A GM, and Alice with Ada."""
    interactions = Interactions()
    gm = Person(1, "Gwen", interactions, manages_server=True)
    ada = Person(2, "Alice", interactions)
    await campaigns.create(tables[0], gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(tables[0], ada.asks(), "Ada")
    return gm, ada


async def test_what_is_due_is_told_by_the_bots_clock(
    tables: tuple[Table, Table], people: tuple[Person, Person]
) -> None:
    _, table = tables
    assert isinstance(table.now, Clock)
    await play.perform(table, people[1].asks(), "dare", {})
    assert await timed.due(table, timed.PRESS) == ()

    table.now.seconds += 60

    assert len(await timed.due(table, timed.PRESS)) == 1


async def test_a_session_ends_by_the_bots_clock(
    tables: tuple[Table, Table], people: tuple[Person, Person]
) -> None:
    _, table = tables
    assert isinstance(table.now, Clock)
    await sessions.start(table, people[0].asks())
    (running,) = await autoend.watched(table)
    table.now.pass_hours(5.9)
    assert await autoend.end_if_due(table, running) is None

    table.now.pass_hours(0.1)

    assert await autoend.end_if_due(table, running) is not None


async def test_processes_whose_clocks_differ_do_everything_once_and_in_order(
    tables: tuple[Table, Table], people: tuple[Person, Person]
) -> None:
    gm, ada = people
    await play.perform(tables[0], ada.asks(), "dare", {})
    for table in tables:
        assert isinstance(table.now, Clock)
        table.now.pass_hours(2)
    (due,) = {one for table in tables for one in await timed.due(table, timed.PRESS)}

    pressed = await asyncio.gather(*(watch.press_if_open(table, due) for table in tables * 3))
    (press,) = {one.result.entry for one, _ in filter(None, pressed)}
    await journal.undo(tables[1], gm.asks(), press)

    entries = await tables[0].store.read(lambda reader: reader.entries(HOME, reader.campaigns(HOME)[0].id))
    ids = [entry.id for entry in entries]
    assert ids == sorted(ids, reverse=True)
    assert [entry.id for entry in entries if entry.interaction == f"press:{due.id}"] == [press]
    assert [entry.undone_by for entry in entries if entry.id == press] == [entries[0].id]


def sources() -> Iterator[tuple[str, str]]:
    """The name and the text of every file in which SQL can stand."""
    for path in STORE.rglob("*"):
        if path.suffix in (".py", ".sql"):
            yield path.name, path.read_text(encoding="utf-8")


def test_no_statement_asks_the_databases_clock() -> None:
    assert {name for name, text in sources() if CLOCK.search(text)} <= ASKING
