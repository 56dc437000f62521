"""Where results have been posted is stored soon after their answers, and before anybody needs it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.store.records import EntryId, MessageRecord, ServerId
from bot.store.sqlite import SqliteStore, open_store
from bot.table.base.live_rows import MessagePlace
from bot.table.base.table import Table
from bot.ui.live.result_messages import PostedNotes
from tests.databases import prepared_file

HERE, CHANNEL = ServerId(1), 10
FIRST, SECOND = MessagePlace(HERE, EntryId(1)), MessagePlace(HERE, EntryId(2))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_store(prepared_file(tmp_path))
    yield opened
    await opened.close()


def notes_in(store: SqliteStore, *, wait_seconds: float = 3600) -> PostedNotes:
    table = Table(store=store, games={}, now=lambda: 1000, new_secret=lambda: b"s" * 32)
    return PostedNotes(table, wait_seconds=wait_seconds)


async def stored(store: SqliteStore, place: MessagePlace) -> MessageRecord | None:
    return await store.read(lambda reader: reader.message(place.server, place.entry))


def record(place: MessagePlace, message: int) -> MessageRecord:
    return MessageRecord(server=place.server, entry=place.entry, channel=CHANNEL, message=message)


async def test_notes_are_stored_together_when_one_is_needed(store: SqliteStore) -> None:
    notes = notes_in(store)
    notes.add(FIRST, CHANNEL, 100)
    notes.add(SECOND, CHANNEL, 200)
    before = await stored(store, FIRST)

    await asyncio.gather(notes.store(), notes.store())

    assert before is None
    assert await stored(store, FIRST) == record(FIRST, 100)
    assert await stored(store, SECOND) == record(SECOND, 200)
    await notes.close()


async def test_whoever_needs_a_note_waits_while_it_is_being_stored(store: SqliteStore) -> None:
    notes = notes_in(store)
    notes.add(FIRST, CHANNEL, 100)
    storing = asyncio.create_task(notes.store())
    await asyncio.sleep(0)

    await notes.store()

    assert await stored(store, FIRST) == record(FIRST, 100)
    await storing
    await notes.close()


async def test_notes_are_stored_by_themselves_a_moment_later(store: SqliteStore) -> None:
    notes = notes_in(store, wait_seconds=0)
    for place, message in ((FIRST, 100), (SECOND, 200)):
        notes.add(place, CHANNEL, message)
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    assert await stored(store, FIRST) == record(FIRST, 100)
    assert await stored(store, SECOND) == record(SECOND, 200)


async def test_what_is_left_is_stored_at_the_end(store: SqliteStore) -> None:
    notes = notes_in(store)
    notes.add(FIRST, CHANNEL, 100)

    await notes.close()

    assert await stored(store, FIRST) == record(FIRST, 100)


async def test_a_note_that_cannot_be_stored_is_logged(store: SqliteStore) -> None:
    notes = notes_in(store)
    notes.add(FIRST, CHANNEL, 100)
    await store.close()

    with capture_logs() as logs:
        await notes.store()

    assert [(one["log_level"], one["event"]) for one in logs] == [("warning", "not noted where results are")]
    await notes.close()
