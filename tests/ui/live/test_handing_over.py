"""Live messages go from one process to another with the shard of their server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.playground.discord import read
from bot.store.postgres.postgres_store import PostgresStore
from bot.store.records import ALL_SHARDS, Shards
from bot.store.transaction import Transaction, open_store
from bot.table.base.table import Table
from bot.ui.live.live_message import Live, LiveMessage
from tests.paces import PATIENT
from tests.store.postgres_server import prepared_database
from tests.store.rows import an_entry
from tests.ui.live.test_live_message import CAMPAIGN, NOTE, Place, Stage, set_up

NONE = Shards(1, frozenset())


@pytest.fixture
async def both(postgres: Path) -> AsyncIterator[tuple[Stage, Stage]]:
    """Two processes on one database and one Discord; the first one holds the server."""
    url = prepared_database(postgres)
    async with set_up(url) as first:
        store = await open_store(url, PATIENT)
        store.shards = NONE
        table = Table(store=store, games={}, now=first.table.now, new_secret=first.table.new_secret)
        second = Stage(first.discord, first.server, first.client, table, _said=100)
        yield first, second
        second.stop()
        await store.close()


async def hand_over(
    giving: LiveMessage[Place], taking: LiveMessage[Place], stages: tuple[Stage, Stage]
) -> None:
    """Have one process give a shard away, and another one take it."""
    given, taken = stages
    given.table.shards = NONE
    await giving.changes_ended(ALL_SHARDS)
    giving.let_go(ALL_SHARDS)
    taken.table.shards = ALL_SHARDS
    await taking.refresh_all()
    await taking.settled()


def shown(stage: Stage) -> list[tuple[str, str]]:
    return [(one["id"], read(one).strip()) for one in stage.notes()]


async def test_a_process_shows_nothing_in_a_server_that_it_does_not_hold(both: tuple[Stage, Stage]) -> None:
    _, other = both
    live = other.live()

    await other.says("one")
    await live.refresh_all()
    live.refresh(other.place)
    await live.settled()

    assert other.texts() == []


async def test_what_another_process_changed_is_shown_by_the_holder_once_it_hears(
    both: tuple[Stage, Stage],
) -> None:
    holder, other = both
    live = holder.live()
    store = holder.table.store
    assert isinstance(store, PostgresStore)

    def unit(tx: Transaction) -> int:
        tx.save_document(other.place.server, CAMPAIGN, "note", {"text": "there", "turn": "", "pings": None})
        return tx.add_entry(an_entry(CAMPAIGN, "operator", server=other.place.server)).id

    entry = await other.table.store.run(unit)
    await live.settled()
    assert holder.texts() == []

    await store.heard(f"{other.place.server} {entry}")
    await live.settled()

    assert holder.texts() == ["there"]


async def test_a_message_goes_on_in_another_process_and_back(both: tuple[Stage, Stage]) -> None:
    first, second = both
    at_first, at_second = first.live(), second.live()
    for text in ("none", "one"):
        await first.says(text)
        await at_first.settled()
    ((message, _),) = shown(first)

    await hand_over(at_first, at_second, both)
    await second.says("two")
    await at_second.settled()
    assert shown(first) == [(message, "two")]
    await second.says("one")
    second.stop()  # before it is shown

    await hand_over(at_second, at_first, (second, first))

    assert shown(first) == [(message, "one")]


async def test_a_change_under_way_is_ended_before_a_server_is_given_away(both: tuple[Stage, Stage]) -> None:
    stage, _ = both
    began, may_end = asyncio.Event(), asyncio.Event()

    async def load(table: Table, place: Place) -> Live | None:
        began.set()
        await may_end.wait()
        return await NOTE.load(table, place)

    live = stage.live(replace(NOTE, load=load))
    await stage.says("one")
    await began.wait()
    stage.table.shards = NONE

    giving = asyncio.create_task(live.changes_ended(ALL_SHARDS))
    await asyncio.sleep(0)
    assert not giving.done()
    may_end.set()
    await giving

    assert stage.texts() == ["one"]


async def test_a_change_that_hangs_is_cut_off_when_a_server_is_given_away(both: tuple[Stage, Stage]) -> None:
    stage, other = both
    began = asyncio.Event()

    async def load(_table: Table, _place: Place) -> Live | None:
        began.set()
        await asyncio.Event().wait()
        return None

    live, next_one = stage.live(replace(NOTE, load=load)), other.live()
    await stage.says("one")
    await began.wait()
    stage.table.shards = NONE

    live.let_go(ALL_SHARDS)
    await live.settled()
    other.table.shards = ALL_SHARDS
    await next_one.refresh_all()
    await next_one.settled()

    assert stage.texts() == ["one"]


async def test_a_message_that_is_being_posted_when_the_bot_stops_is_not_posted_again(
    both: tuple[Stage, Stage],
) -> None:
    stage, other = both
    began, may_end = asyncio.Event(), asyncio.Event()

    async def load(table: Table, place: Place) -> Live | None:
        began.set()
        await may_end.wait()
        return await NOTE.load(table, place)

    live = stage.live(replace(NOTE, load=load))
    await stage.says("one")
    await began.wait()

    ending = asyncio.create_task(live.finish())
    await asyncio.sleep(0)
    assert not ending.done()
    await stage.says("two")
    may_end.set()
    await ending
    live.close()
    other.table.shards = ALL_SHARDS
    next_one = other.live()
    await next_one.refresh_all()
    await next_one.settled()

    assert stage.texts() == ["two"]
