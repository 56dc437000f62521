"""What the writer remembers from unit to unit: never anything but what is stored."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from bot.store.records import CampaignId
from bot.store.rows import MOST_REMEMBERED, Memory
from bot.store.sqlite import SqliteStore, open_store
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Reader, Transaction
from tests.store.rows import ANN, HERE, Journalled, a_campaign, a_character

DUSK = CampaignId(1)


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqliteStore]:
    """A store with a campaign, a character and a document, all of which the writer has read."""
    opened = await open_store(url)
    journalled = Journalled(opened)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign(is_default=True)))
    await journalled.do(lambda tx: tx.save_character(a_character(DUSK, resources={"luck": (3, 5)})))
    await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "deck", {"cards": 54}))
    await opened.run(known)
    yield opened
    await opened.close()


def known(reader: Reader) -> list[object]:
    mira = reader.character(HERE, 1)
    return [
        reader.campaign_at(HERE, [31]),
        reader.gms(HERE, DUSK),
        mira,
        reader.document(HERE, DUSK, "deck"),
        reader.countdowns(HERE, DUSK),
    ]


async def test_f_perf_03_a_unit_sees_what_another_program_has_written(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE resources SET value = 1")
        other.execute("UPDATE campaigns SET name = 'Dawn'")
        other.execute("UPDATE documents SET body = '{}'")
        other.execute("INSERT INTO gms VALUES (?, ?, ?)", (HERE, DUSK, ANN))

    seen = await store.run(known)

    assert seen == await store.read(known)
    assert seen[1:2] == [[ANN]]
    assert seen[3] == {}


async def test_f_perf_03_a_unit_sees_nothing_of_one_that_failed(store: SqliteStore) -> None:
    before = await store.read(known)

    def fail(tx: Transaction) -> None:
        tx.set_gm(HERE, DUSK, ANN, is_gm=True)
        tx.save_document(HERE, DUSK, "deck", None)
        tx.save_character(a_character(DUSK, id=1, resources={"luck": (0, 5)}))
        assert known(tx) != before
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.run(fail)

    assert await store.run(known) == before


async def test_f_perf_03_a_unit_sees_nothing_of_a_batch_that_was_not_committed(store: SqliteStore) -> None:
    before = await store.read(known)
    bound = "PRAGMA max_page_count = 1"
    await store._writer.call(lambda connection: connection.execute(bound).fetchone())

    with pytest.raises(StoreUnavailable):
        await Journalled(store).do(
            lambda tx: tx.save_document(HERE, DUSK, "deck", {"text": "x" * 200_000}), interaction="much"
        )

    assert await store.run(known) == before


def test_f_perf_03_what_is_remembered_is_bounded() -> None:
    memory = Memory()
    memory.single = {("places", HERE, (place,)): None for place in range(MOST_REMEMBERED)}
    memory.keep_if_still(0)
    assert len(memory.single) == MOST_REMEMBERED

    memory.answers["gms", HERE] = {}
    memory.keep_if_still(0)

    assert not memory.single
    assert not memory.answers
