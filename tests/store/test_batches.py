"""Units that wait for SQLite's only writer."""

import asyncio

from bot.store.records import CampaignId, EntryRecord
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from tests.store.rows import HERE, a_campaign, an_entry


def make_campaign(tx: Transaction) -> EntryRecord:
    tx.save_campaign(a_campaign())
    return tx.add_entry(an_entry(CampaignId(1), "made"))


async def test_a_unit_cancelled_before_its_turn_is_never_run(url: str) -> None:
    store = await open_store(url)
    task = asyncio.create_task(store.run(make_campaign))
    await asyncio.sleep(0)  # it waits now, and what commits has not begun

    task.cancel()
    await asyncio.wait({task})

    assert await store.run(lambda tx: tx.entry_of(HERE, "made")) is None
    await store.close()
