"""A network that cuts, freezes or loses an answer: nothing is lost or done twice, and people hear of it."""

import asyncio
import time
from functools import partial
from itertools import count, repeat

import pytest

from bot.store.engines import open_store
from bot.store.postgres.patience import USUAL_PATIENCE
from bot.store.postgres.postgres_store import CONNECTIONS
from bot.store.records import EntryRecord, Kept
from bot.store.store import Store
from bot.store.store_errors import OutcomeUnknown, StoreUnavailable
from bot.store.transaction import Transaction
from tests.faults.proxy import FOREVER, Proxy
from tests.faults.spending import is_stored, spend, spent, until_stored
from tests.paces import IMPATIENT
from tests.store.postgres_server import database_of
from tests.store.rows import ELSEWHERE, HERE

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
