"""Durability: what was answered survives, however the process ends."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from bot.store.backup import examine
from bot.store.records import CampaignId
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from tests.store.rows import HERE

WRITER = """
import asyncio, sys
from functools import partial
from bot.store.records import CampaignId
from bot.store.sqlite import open_store
from tests.store.rows import HERE, a_campaign, a_character, an_entry

DUSK = CampaignId(1)

def make(tx):
    tx.save_campaign(a_campaign())
    tx.add_entry(an_entry(DUSK, "made"))

def add(number, tx):
    character = tx.save_character(a_character(DUSK, f"N{number}", resources={"luck": (number, None)}))
    tx.add_entry(an_entry(DUSK, f"{number}", told={"character": character}))

async def write(store, numbers):
    for number in numbers:
        await store.run(partial(add, number))
        print(number, flush=True)

async def main():
    store = await open_store(sys.argv[1])
    await store.run(make)
    await asyncio.gather(*(write(store, range(first, 10**9, 8)) for first in range(8)))

asyncio.run(main())
"""

LEAVER = """
import asyncio, sys
from bot.store.sqlite import open_store

async def main():
    global store
    store = await open_store(sys.argv[1])
    await store.run(lambda tx: tx.set_meta("left", "open"))

asyncio.run(main())
"""


async def test_every_answered_unit_survives_a_kill_in_the_middle_of_writes(url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, url, stdout=asyncio.subprocess.PIPE, cwd=Path.cwd()
    )
    assert process.stdout is not None
    answered = [int(await process.stdout.readline()) for _ in range(300)]
    process.kill()
    answered += [int(line) for line in (await process.stdout.read()).split(b"\n")[:-1]]
    await process.wait()

    assert examine(url).problems == ()
    store = await open_store(url)
    entries = await store.read(lambda reader: reader.entries(HERE, CampaignId(1), limit=1_000_000))
    characters = await store.read(lambda reader: reader.characters(HERE, CampaignId(1), limit=1_000_000))
    await store.close()
    kept = {int(one.interaction) for one in entries if one.interaction != "made"}
    assert set(answered) <= kept
    assert {one.name: one.resources for one in characters} == {
        f"N{number}": {"luck": (number, None)} for number in kept
    }


def test_a_program_that_does_not_close_the_store_still_exits(url: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LEAVER, url], timeout=60, check=False, capture_output=True
    )

    assert ended.returncode == 0


async def test_closing_the_store_folds_the_log_into_the_file(tmp_path: Path, url: str) -> None:
    store = await open_store(url)
    await store.run(lambda tx: tx.set_meta("kept", "yes"))

    await store.close()

    assert os.listdir(tmp_path) == ["table.db"]


async def test_several_programs_may_open_a_new_file_at_once_and_share_it(url: str) -> None:
    stores = await asyncio.gather(*(open_store(url, busy_seconds=600) for _ in range(6)))

    def count(tx: Transaction) -> None:
        tx.set_meta("count", str(int(tx.meta("count") or 0) + 1))

    await asyncio.gather(*(store.run(count) for store in stores for _ in range(20)))

    assert await stores[0].read(lambda reader: reader.meta("count")) == "120"
    await asyncio.gather(*(store.close() for store in stores))
