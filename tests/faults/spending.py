"""Units whose effects can be counted: each interaction spends one of Mira's luck, once."""

import asyncio
import sys
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from bot.store.connection import StoreUnavailable
from bot.store.records import CampaignId, EntryRecord, ServerId
from bot.store.transaction import Store, Transaction, open_store
from tests.paces import IMPATIENT
from tests.store.rows import HERE, a_campaign, a_character, an_entry

DUSK = CampaignId(1)
LUCK = 10_000


def make_mira(tx: Transaction, server: ServerId = HERE) -> EntryRecord:
    """Make Mira, character 1 of a server's first campaign."""
    tx.save_campaign(a_campaign(server=server))
    tx.save_character(a_character(DUSK, server=server, resources={"luck": (LUCK, None)}))
    return tx.add_entry(an_entry(DUSK, "made", server=server))


def spend(tx: Transaction, interaction: str, server: ServerId = HERE) -> EntryRecord:
    """Spend one luck, once for each interaction."""
    known = tx.entry_of(server, interaction)
    if known is not None:
        return known
    mira = tx.character(server, 1)
    assert mira is not None
    tx.save_character(replace(mira, resources={"luck": (mira.resources["luck"][0] - 1, None)}))
    return tx.add_entry(an_entry(DUSK, interaction, server=server))


async def spent(store: Store, server: ServerId = HERE) -> int:
    """How much luck was spent."""
    mira = await store.read(lambda reader: reader.character(server, 1))
    assert mira is not None
    return LUCK - mira.resources["luck"][0]


async def is_stored(store: Store, interaction: str, server: ServerId = HERE) -> bool:
    """Whether an interaction has its entry."""
    return await store.read(lambda reader: reader.entry_of(server, interaction)) is not None


async def until_stored(store: Store, interaction: str, server: ServerId = HERE) -> None:
    """Spend one luck, as somebody who tries again and again until it works."""
    for _ in range(600):
        with suppress(StoreUnavailable):
            await store.run(lambda tx: spend(tx, interaction, server))
            return
        await asyncio.sleep(0.1)
    raise TimeoutError(f"{interaction} could not be stored")


async def keep_spending(url: str) -> None:
    """Spend in four units at a time, and write down each interaction once it is acknowledged."""
    store = await open_store(url, IMPATIENT)

    async def work(name: str) -> None:
        number = 0
        while True:
            interaction = f"{name} {number}"
            await store.run(partial(spend, interaction=interaction))
            sys.stdout.write(f"{interaction}\n")
            sys.stdout.flush()
            number += 1

    await asyncio.gather(*(work(name) for name in "abcd"))


if __name__ == "__main__":
    asyncio.run(keep_spending(sys.argv[1]))
