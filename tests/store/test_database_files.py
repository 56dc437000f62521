"""SQLite's file: one bot at a time, and units that wait for its only writer."""

import asyncio
import sys
from pathlib import Path

import pytest

from bot.store.database_files import used_by_one_bot
from bot.store.records import CampaignId, EntryRecord
from bot.store.sqlite import open_store
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import Transaction
from tests.store.rows import HERE, a_campaign, an_entry


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/table.db"


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
