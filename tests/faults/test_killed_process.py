"""A process that is killed in the middle of its units: what it acknowledged is there, once."""

import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from functools import partial

import pytest

from bot.store.engines import open_store
from bot.store.store import Store
from tests.faults.spending import DUSK, is_stored, make_mira, spend, spent
from tests.paces import IMPATIENT
from tests.store.rows import HERE


async def spend_and_be_killed(url: str, acknowledged: int) -> list[str]:
    """Let a process spend until so many interactions are acknowledged, and return these."""
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.faults.spending_process", url, stdout=PIPE
    )
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(acknowledged)]
    process.kill()
    lines += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    return [line.decode().strip() for line in lines if line.endswith(b"\n")]


@pytest.mark.parametrize("acknowledged", [1, 50])
async def test_what_a_killed_process_acknowledged_is_there_once(url: str, acknowledged: int) -> None:
    before = await open_store(url, IMPATIENT)
    await before.run(make_mira)
    await before.close()

    names = await spend_and_be_killed(url, acknowledged)

    store = await open_store(url, IMPATIENT)
    assert [name for name in names if not await is_stored(store, name)] == []
    stored = await all_stored(store)
    assert await spent(store) == len(stored)

    for name in stored:  # another process is asked for the same again
        await store.run(partial(spend, interaction=name))
    assert await spent(store) == len(stored)
    await store.close()


async def all_stored(store: Store) -> list[str]:
    """Every interaction that has an entry, but for the one that made Mira."""
    entries = await store.read(lambda reader: list(reader.entries(HERE, DUSK)))
    return [entry.interaction for entry in entries if entry.interaction != "made"]
