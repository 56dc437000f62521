"""Durability: what was answered survives; and SQLite's file belongs to one bot at a time."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store.backup import examine
from bot.store.connection import StoreUnavailable
from bot.store.database_files import used_by_one_bot
from bot.store.records import CampaignId, EntryRecord
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from tests.store.rows import HERE, a_campaign, an_entry

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


class TestUsedByOneBot:
    def test_a_second_bot_is_refused_until_the_first_has_ended(self, url: str) -> None:
        with (
            used_by_one_bot(url),
            pytest.raises(StoreUnavailable, match=r"A bot is already running on .*/table\.db: "),
            used_by_one_bot(url),
        ):
            pytest.fail("two bots run on one file")
        with used_by_one_bot(url) as alone:
            assert alone is None

    def test_bots_on_different_files_do_not_meet(self, tmp_path: Path, url: str) -> None:
        with used_by_one_bot(url), used_by_one_bot(f"sqlite:///{tmp_path}/other.db"):
            assert sorted(file.name for file in tmp_path.iterdir()) == [
                "other.db.running",
                "table.db.running",
            ]

    def test_several_bots_may_run_on_postgresql(self) -> None:
        with used_by_one_bot("postgresql://host/name"), used_by_one_bot("postgresql://host/name") as both:
            assert both is None

    def test_a_folder_that_cannot_be_written_is_not_taken_for_another_bot(
        self, tmp_path: Path, url: str
    ) -> None:
        (tmp_path / "table.db.running").mkdir()

        with (
            pytest.raises(StoreUnavailable, match=r"table\.db\.running cannot be opened"),
            used_by_one_bot(url),
        ):
            pytest.fail("the lock is a folder")

    def test_a_missing_folder_is_left_to_whoever_opens_the_database(self, tmp_path: Path) -> None:
        with used_by_one_bot(f"sqlite:///{tmp_path}/missing/table.db"):
            assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_running_bot_is_its_owners_alone(tmp_path: Path) -> None:  # F-REL-18
    with used_by_one_bot(f"sqlite:///{tmp_path}/table.db"):
        (lock,) = tmp_path.glob("*.running")

        assert lock.stat().st_mode & 0o077 == 0 or sys.platform == "win32"


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
