"""Backups made while the bot runs, and their restore."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.backup import backup, examine, restore
from bot.store.connection import BackupRefused, StoreUnavailable
from bot.store.records import CampaignId, EntryRecord
from bot.store.sqlite import SqliteStore, open_store
from bot.store.transaction import Transaction
from tests.store.rows import HERE, a_campaign, an_entry

DUSK = CampaignId(1)


def make_campaign(tx: Transaction) -> EntryRecord:
    tx.save_campaign(a_campaign())
    return tx.add_entry(an_entry(DUSK, "made"))


def turn_the_page(tx: Transaction) -> EntryRecord:
    """Change two documents that must always be equal."""
    page = len(tx.entries(HERE, DUSK))
    tx.save_document(HERE, DUSK, "left", {"page": page})
    tx.save_document(HERE, DUSK, "right", {"page": page})
    return tx.add_entry(an_entry(DUSK, f"page {page}"))


async def pages(url: str) -> tuple[object, object, int]:
    """Return both documents, and the number of entries."""
    store = await open_store(url)
    left = await store.read(lambda reader: reader.document(HERE, DUSK, "left"))
    right = await store.read(lambda reader: reader.document(HERE, DUSK, "right"))
    entries = await store.read(lambda reader: reader.entries(HERE, DUSK))
    await store.close()
    return left, right, len(entries)


async def made(url: str, turned: int) -> SqliteStore:
    store = await open_store(url)
    await store.run(make_campaign)
    for _ in range(turned):
        await store.run(turn_the_page)
    return store


def content_of(path: Path) -> bytes:
    return path.read_bytes()


def overwrite(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def damage(path: Path) -> None:
    """Overwrite the third page with nonsense."""
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xab" * 4096 + whole[12288:])


class TestBackup:
    async def test_a_backup_made_while_the_bot_writes_is_a_consistent_snapshot(
        self, tmp_path: Path, url: str
    ) -> None:
        store = await made(url, 5)
        target = tmp_path / "copy.db"
        copying = asyncio.create_task(asyncio.to_thread(backup, url, target))
        while not copying.done():
            await store.run(turn_the_page)
        await copying
        await store.close()

        assert examine(f"sqlite:///{target}").problems == ()
        left, right, entries = await pages(f"sqlite:///{target}")
        assert left == right == {"page": entries - 1}
        assert entries >= 6

    async def test_a_backup_is_one_file_and_leaves_no_other_behind(self, tmp_path: Path, url: str) -> None:
        store = await made(url, 1)
        folder = tmp_path / "backups"
        folder.mkdir()

        backup(url, folder / "copy.db")

        assert [(one.name, one.stat().st_mode & 0o777) for one in folder.iterdir()] == [("copy.db", 0o600)]
        await store.close()

    async def test_a_backup_overwrites_an_existing_file_only_if_allowed(
        self, tmp_path: Path, url: str
    ) -> None:
        store = await made(url, 1)
        target = tmp_path / "copy.db"
        target.write_bytes(b"dear to somebody")

        with pytest.raises(BackupRefused, match="is there already: name another file, or add --overwrite"):
            backup(url, target)
        assert target.read_bytes() == b"dear to somebody"
        backup(url, target, overwrite=True)
        assert examine(f"sqlite:///{target}").problems == ()
        await store.close()

    async def test_a_backup_onto_the_database_itself_is_refused(self, tmp_path: Path, url: str) -> None:
        store = await made(url, 1)

        with pytest.raises(BackupRefused, match="is the database itself"):
            backup(url, tmp_path / "table.db", overwrite=True)
        await store.close()

    async def test_a_failed_backup_leaves_no_file(self, tmp_path: Path, url: str) -> None:
        folder = tmp_path / "backups"
        folder.mkdir()
        with pytest.raises(StoreUnavailable, match="There is no database at"):
            backup(url, folder / "copy.db")
        (tmp_path / "table.db").write_bytes(b"no database " * 1000)
        with pytest.raises(StoreUnavailable, match="is no database"):
            backup(url, folder / "copy.db")

        assert list(folder.iterdir()) == []

    async def test_a_backup_into_a_missing_folder_is_refused(self, tmp_path: Path, url: str) -> None:
        store = await made(url, 1)

        with pytest.raises(StoreUnavailable, match=r"none/copy\.db cannot be written: No such file"):
            backup(url, tmp_path / "none" / "copy.db")
        await store.close()


class TestRestore:
    @pytest.fixture
    async def copy(self, tmp_path: Path, url: str) -> Path:
        """A backup with two pages turned; the database has four, and nobody uses it."""
        store = await made(url, 2)
        backup(url, tmp_path / "copy.db")
        await store.run(turn_the_page)
        await store.run(turn_the_page)
        await store.close()
        return tmp_path / "copy.db"

    async def test_a_restored_backup_replaces_the_database_and_keeps_it_beside(
        self, tmp_path: Path, url: str, copy: Path
    ) -> None:
        kept = restore(copy, url)
        again = restore(copy, url)

        assert (await pages(url))[2] == 3
        assert kept == tmp_path / "table.db.replaced-1"
        assert again == tmp_path / "table.db.replaced-2"
        assert (await pages(f"sqlite:///{kept}"))[2] == 5

    async def test_a_backup_can_be_restored_where_there_was_no_database(
        self, tmp_path: Path, copy: Path
    ) -> None:
        url = f"sqlite:///{tmp_path}/other.db"

        assert restore(copy, url) is None

        assert (await pages(url))[2] == 3

    async def test_a_database_in_use_cannot_be_restored(self, url: str, copy: Path) -> None:
        store = await open_store(url)

        with pytest.raises(BackupRefused, match="is in use: stop the bot first"):
            restore(copy, url)

        await store.run(turn_the_page)
        await store.close()
        assert (await pages(url))[2] == 6

    async def test_a_database_cannot_be_restored_from_itself(
        self, tmp_path: Path, url: str, copy: Path
    ) -> None:
        with pytest.raises(BackupRefused, match="is the database itself: name a backup"):
            restore(tmp_path / "table.db", url)

    async def test_a_restore_keeps_a_crashed_database_with_all_committed_rows(
        self, tmp_path: Path, url: str, copy: Path
    ) -> None:
        store = await open_store(url)
        await store.run(turn_the_page)
        crashed = f"sqlite:///{tmp_path}/crashed.db"
        for end in ("", "-wal"):
            (tmp_path / f"crashed.db{end}").write_bytes((tmp_path / f"table.db{end}").read_bytes())
        await store.close()

        kept = restore(copy, crashed)

        assert (await pages(crashed))[2] == 3
        assert (await pages(f"sqlite:///{kept}"))[2] == 6

    async def test_a_restore_replaces_a_damaged_database_and_keeps_it(
        self, tmp_path: Path, url: str, copy: Path
    ) -> None:
        (tmp_path / "table.db").write_bytes(b"all gone " * 1000)

        kept = restore(copy, url)

        assert kept is not None
        assert kept.read_bytes() == b"all gone " * 1000
        assert (await pages(url))[2] == 3

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"no database " * 1000, "is damaged .file is not a database.: choose another backup"),
            (b"", "There is nothing in"),
        ],
    )
    async def test_a_file_that_is_no_backup_is_refused(
        self, tmp_path: Path, url: str, copy: Path, content: bytes, said: str
    ) -> None:
        overwrite(copy, content)
        before = content_of(tmp_path / "table.db")

        with pytest.raises(StoreUnavailable, match=said):
            restore(copy, url)

        assert content_of(tmp_path / "table.db") == before
        assert sorted(os.listdir(tmp_path)) == ["copy.db", "table.db"]

    async def test_a_damaged_backup_is_refused(self, url: str, copy: Path) -> None:
        damage(copy)

        with pytest.raises(StoreUnavailable, match="is damaged"):
            restore(copy, url)
        assert (await pages(url))[2] == 5

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("PRAGMA user_version = 99", "has schema 99, but this program knows only up to"),
            ("PRAGMA application_id = 7", "is a database of another program"),
            (
                "UPDATE places SET campaign_id = 9",
                "a row of places refers to one of campaigns that is not there",
            ),
        ],
    )
    async def test_a_backup_that_is_not_ours_or_not_right_is_refused(
        self, url: str, copy: Path, change: str, said: str
    ) -> None:
        with closing(sqlite3.connect(copy)) as connection, connection:
            connection.execute("INSERT INTO places (server_id, place, campaign_id) VALUES (100, 31, 1)")
            connection.execute(change)

        with pytest.raises(StoreUnavailable, match=said):
            restore(copy, url)
        assert (await pages(url))[2] == 5


class TestHealth:
    async def test_the_health_of_a_database_in_use_can_be_examined(self, tmp_path: Path, url: str) -> None:
        store = await made(url, 1)

        health = examine(url)

        assert health.path == tmp_path / "table.db"
        assert health.problems == ()
        assert health.schema == health.newest_schema
        assert health.size_bytes > 50_000
        assert health.free_bytes > 0
        await store.close()

    def test_the_health_of_a_missing_database_says_so(self, url: str) -> None:
        health = examine(url)

        assert (health.size_bytes, health.schema, health.problems) == (0, 0, ())

    async def test_the_health_of_a_damaged_database_names_the_damage(self, tmp_path: Path, url: str) -> None:
        store = await made(url, 1)
        await store.close()
        damage(tmp_path / "table.db")

        assert len(examine(url).problems) >= 1

    def test_the_health_of_a_file_that_is_no_database_says_so(self, tmp_path: Path, url: str) -> None:
        (tmp_path / "table.db").write_bytes(b"no database " * 1000)

        (problem,) = examine(url).problems
        assert problem.startswith(f"The file {tmp_path}/table.db is no database")
