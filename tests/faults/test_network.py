"""A network that cuts, freezes or loses an answer: nothing is lost or done twice, and people hear of it."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import count, repeat
from pathlib import Path

import pytest

from bot.store.connection import OutcomeUnknown, StoreUnavailable
from bot.store.postgres.patience import USUAL_PATIENCE
from bot.store.postgres.postgres_store import CONNECTIONS
from bot.store.records import EntryRecord, Kept
from bot.store.transaction import Store, Transaction, open_store
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import sessions
from tests.faults.proxy import FOREVER, Proxy
from tests.faults.spending import is_stored, spend, spent, until_stored
from tests.paces import IMPATIENT
from tests.store.postgres_server import database_of
from tests.store.rows import ELSEWHERE, HERE
from tests.table.conftest import HOME, Clock, Interactions, Person, Secrets
from tests.table.toy import TOY

WAITS = 4 * USUAL_PATIENCE.answer  # on a busy machine; one after the other would take seven times as long


async def opened_connections(store: Store) -> None:
    """Have the store open all its connections."""
    await asyncio.gather(*(store.read(lambda reader: reader.campaigns(HERE)) for _ in range(CONNECTIONS * 4)))


async def test_a_frozen_network_is_said_in_time_and_the_store_goes_on(store: Store, network: Proxy) -> None:
    await opened_connections(store)
    network.freeze()

    began = time.monotonic()
    ends = await asyncio.gather(
        *(store.run(partial(spend, interaction=f"frozen {one}")) for one in range(20)),
        *(store.run(partial(spend, interaction=f"elsewhere {one}", server=ELSEWHERE)) for one in range(20)),
        *(store.read(lambda reader: reader.campaigns(HERE)) for _ in range(20)),
        return_exceptions=True,
    )
    took = time.monotonic() - began
    network.thaw()

    assert took < WAITS
    for end in ends:
        assert isinstance(end, StoreUnavailable)
        assert "cannot be reached" in end.reason
    await until_stored(store, "after")
    assert await spent(store) == 1


async def test_a_store_can_be_closed_while_the_network_is_frozen(network: Proxy, url: str) -> None:
    store = await open_store(network.url(database_of(url)), IMPATIENT)
    network.freeze()
    waiting = asyncio.create_task(store.run(lambda tx: tx.campaigns(HERE)))
    await asyncio.sleep(0)

    await asyncio.wait_for(store.close(), WAITS)
    network.thaw()

    with pytest.raises(StoreUnavailable):
        await waiting


async def test_a_unit_whose_connection_is_cut_is_repeated_and_counts_once(
    store: Store, network: Proxy
) -> None:
    tries = 0

    def unit(tx: Transaction) -> EntryRecord:
        nonlocal tries
        tries += 1
        entry = spend(tx, "cut")
        if tries == 1:
            loop.call_soon_threadsafe(network.cut)
        return entry

    loop = asyncio.get_running_loop()
    await store.run(unit)

    assert tries == 2
    assert await spent(store) == 1


async def test_a_lost_answer_to_a_commit_does_nothing_twice(store: Store, network: Proxy) -> None:
    network.lose_answer_to(b"COMMIT")
    heard: list[Kept] = []
    store.listen(heard.append)

    entry = await store.run(lambda tx: spend(tx, "unanswered"))

    await asyncio.sleep(0)
    assert [one.entry for one in heard] == [entry.id]
    assert await store.read(lambda reader: reader.entry_of(HERE, "unanswered")) == entry
    assert await spent(store) == 1


async def test_a_commit_that_is_never_answered_may_have_been_done(store: Store, network: Proxy) -> None:
    network.freeze_at(b"COMMIT")

    with pytest.raises(OutcomeUnknown, match=r"cannot be reached .*no answer"):
        await store.run(lambda tx: spend(tx, "unanswered"))
    network.thaw()

    await until_stored(store, "unanswered")
    assert await spent(store) == 1


async def test_what_was_surely_not_done_is_said_to_be_so(store: Store, network: Proxy) -> None:
    network.freeze()

    with pytest.raises(StoreUnavailable) as refused:
        await store.run(lambda tx: spend(tx, "frozen"))
    network.thaw()

    assert not isinstance(refused.value, OutcomeUnknown)
    assert not await is_stored(store, "frozen")


async def test_cut_again_and_again_everything_is_done_once(store: Store, network: Proxy) -> None:
    network.cut_each(10 + one * 13 % 60 for one in count())  # sooner or later in a unit, or in its connecting
    names = [f"{number}" for number in range(36)]

    async def spend_each(mine: list[str]) -> None:
        for name in mine:
            await until_stored(store, name)

    await asyncio.gather(*(spend_each(names[start::6]) for start in range(6)))
    network.cut_each(repeat(FOREVER))

    await until_stored(store, "after")
    assert [name for name in names if not await is_stored(store, name)] == []
    assert await spent(store) == len(names) + 1


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
    assert await live_rows.due(table, live_rows.PRESS) == ()

    table.now.seconds += 60

    assert len(await live_rows.due(table, live_rows.PRESS)) == 1


async def test_a_session_ends_by_the_bots_clock(
    tables: tuple[Table, Table], people: tuple[Person, Person]
) -> None:
    _, table = tables
    assert isinstance(table.now, Clock)
    await sessions.start(table, people[0].asks())
    (running,) = await watch.watched(table)
    table.now.pass_hours(5.9)
    assert await watch.end_if_due(table, running) is None

    table.now.pass_hours(0.1)

    assert await watch.end_if_due(table, running) is not None


async def test_processes_whose_clocks_differ_do_everything_once_and_in_order(
    tables: tuple[Table, Table], people: tuple[Person, Person]
) -> None:
    gm, ada = people
    await play.perform(tables[0], ada.asks(), "dare", {})
    for table in tables:
        assert isinstance(table.now, Clock)
        table.now.pass_hours(2)
    (due,) = {one for table in tables for one in await live_rows.due(table, live_rows.PRESS)}

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
