"""Failures of the database: one clear line, nothing half-written, and automatic recovery."""

import asyncio
import os
import resource
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.store.connection import StoreUnavailable
from bot.store.records import CampaignId, EntryRecord
from bot.store.rows import MOST_REMEMBERED, Memory
from bot.store.sqlite import SqliteStore, open_store
from bot.store.transaction import Reader, Transaction
from tests.store.rows import ANN, HERE, Journalled, a_campaign, a_character, an_entry

DUSK = CampaignId(1)


def make_campaign(tx: Transaction) -> EntryRecord:
    tx.save_campaign(a_campaign())
    return tx.add_entry(an_entry(DUSK, "made"))


def keep_much(tx: Transaction) -> EntryRecord:
    tx.save_document(HERE, DUSK, "much", {"text": "x" * 200_000})
    return tx.add_entry(an_entry(DUSK, "much"))


def keep_more_than_fits_in_memory(tx: Transaction) -> EntryRecord:
    for number in range(100):
        tx.save_document(HERE, DUSK, f"much {number}", {"text": "x" * 200_000})
    return tx.add_entry(an_entry(DUSK, "more"))


def keep_little(tx: Transaction) -> EntryRecord:
    tx.save_document(HERE, DUSK, "little", {"text": "x"})
    return tx.add_entry(an_entry(DUSK, "little"))


async def kept(store: SqliteStore) -> list[str]:
    return await store.read(lambda reader: reader.document_keys(HERE, DUSK))


async def largest(store: SqliteStore, pages: int) -> None:
    """Limit the database's size, as a full disk would."""
    bound = f"PRAGMA max_page_count = {pages}"
    await store._writer.call(lambda connection: connection.execute(bound).fetchone())


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Limit the files of this process to *size* bytes: writes that reach the disk fail."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


class TestFullDisk:
    async def test_a_unit_fails_on_a_full_disk_and_the_store_recovers(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.run(make_campaign)
        await largest(store, 60)

        with pytest.raises(StoreUnavailable) as refused:
            await store.run(keep_much)
        assert refused.value.reason == (
            f"There is no room left for the database {tmp_path}/table.db: make room on its disk; "
            "the bot goes on by itself."
        )
        await store.run(keep_little)
        assert await kept(store) == ["little"]

        await largest(store, 10_000)
        await store.run(keep_much)
        assert await kept(store) == ["little", "much"]
        await store.close()

    async def test_units_sharing_a_commit_on_a_full_disk_fail_or_are_committed(self, url: str) -> None:
        store = await open_store(url)
        await store.run(make_campaign)
        await largest(store, 60)

        little, much = await asyncio.gather(
            store.run(keep_little), store.run(keep_much), return_exceptions=True
        )

        assert isinstance(much, StoreUnavailable)
        assert await kept(store) == (["little"] if isinstance(little, EntryRecord) else [])
        await store.close()


class TestFailingCommit:
    async def test_no_unit_of_a_failed_commit_reports_success(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.run(make_campaign)
        log = tmp_path / "table.db-wal"

        with files_no_larger_than(log.stat().st_size):
            results = await asyncio.gather(
                store.run(keep_little), store.run(keep_much), return_exceptions=True
            )
        assert [type(one) for one in results] == [StoreUnavailable, StoreUnavailable]
        assert await kept(store) == []

        await store.run(keep_little)
        assert await kept(store) == ["little"]
        await store.close()

    async def test_no_unit_reports_success_if_the_disk_fails_in_the_middle(
        self, tmp_path: Path, url: str
    ) -> None:
        store = await open_store(url)
        await store.run(make_campaign)
        log = tmp_path / "table.db-wal"

        with files_no_larger_than(log.stat().st_size + 1_000_000):
            results = await asyncio.gather(
                store.run(keep_little), store.run(keep_more_than_fits_in_memory), return_exceptions=True
            )
        assert [type(one) for one in results] == [StoreUnavailable, StoreUnavailable]
        assert await kept(store) == []

        await store.run(keep_little)
        await store.run(keep_more_than_fits_in_memory)
        assert len(await kept(store)) == 101
        await store.close()


class TestLocked:
    async def test_the_store_waits_for_another_programs_lock_and_then_reports_it(
        self, tmp_path: Path, url: str
    ) -> None:
        store = await open_store(url, busy_seconds=0.05)
        await store.run(make_campaign)

        with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(
                store.run(keep_little), store.run(keep_much), return_exceptions=True
            )
            assert await kept(store) == []

        assert [type(one) for one in results] == [StoreUnavailable, StoreUnavailable]
        assert str(results[0]) == (
            f"Another program keeps the database {tmp_path}/table.db locked: end it; "
            "the bot goes on by itself."
        )
        await store.run(keep_little)
        assert await kept(store) == ["little"]
        await store.close()

    async def test_a_lock_released_in_time_is_no_failure(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url, busy_seconds=20)
        await store.run(make_campaign)

        with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(store.run(keep_little))
            await asyncio.wait({waiting}, timeout=0.05)
            other.execute("COMMIT")

        assert isinstance(await waiting, EntryRecord)
        await store.close()

    async def test_a_locked_database_stops_the_start(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.close()

        with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked: end it"):
                await open_store(url, busy_seconds=0.05)


class TestDamage:
    @pytest.mark.parametrize(
        "content", [b"not a database at all " * 300, b"SQLite format 3\0" + b"\xff" * 9000]
    )
    async def test_a_file_that_is_no_database_is_refused_and_left_alone(
        self, tmp_path: Path, url: str, content: bytes
    ) -> None:
        path = tmp_path / "table.db"
        path.write_bytes(content)

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(url)

        assert refused.value.reason == (
            f"The file {path} is no database: name another one in database.url, or restore a "
            "backup with `tablekeeper restore`."
        )
        assert path.read_bytes() == content

    async def test_damaged_pages_are_reported_when_they_are_read(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.run(make_campaign)
        await store.run(keep_much)
        await store.close()
        path = tmp_path / "table.db"
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xab" * (len(whole) - 4096))

        with pytest.raises(StoreUnavailable, match=r"is damaged \(.*\): stop the bot and restore a backup"):
            await self.play(url)

    async def play(self, url: str) -> None:
        store = await open_store(url)
        try:
            await store.run(keep_little)
        finally:
            await store.close()


def modes_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


class TestPlace:
    async def test_a_database_in_a_missing_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(StoreUnavailable) as refused:
            await open_store(f"sqlite:///{tmp_path}/none/table.db")

        assert refused.value.reason == (
            f"The folder {tmp_path}/none of the database is missing: make it, or name another file."
        )

    async def test_a_folder_instead_of_a_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(StoreUnavailable, match="is a folder: name a file in"):
            await open_store(f"sqlite:///{tmp_path}")

    @pytest.mark.parametrize("wrong", ["table.db", "mysql://here/table", "sqlite:///", "sqlite:///:memory:"])
    async def test_an_address_that_names_no_file_is_refused(self, wrong: str) -> None:
        with pytest.raises(StoreUnavailable, match="must be sqlite:/// and the name of a file"):
            await open_store(wrong)

    async def test_a_file_name_with_special_signs_works(self, tmp_path: Path) -> None:
        store = await open_store(f"sqlite:///{tmp_path}/a b?mode=ro#%41.db")
        await store.run(make_campaign)
        await store.close()

        assert (tmp_path / "a b?mode=ro#%41.db").is_file()

    async def test_a_read_only_file_is_refused(self, unprivileged: Path) -> None:
        path = unprivileged / "table.db"
        store = await open_store(f"sqlite:///{path}")
        await store.close()
        path.chmod(0o400)

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(f"sqlite:///{path}")

        assert refused.value.reason == (
            f"The database {path} cannot be written: "
            "give the bot's user the right to write to the file and its folder."
        )

    async def test_an_unreadable_file_is_refused(self, unprivileged: Path) -> None:
        path = unprivileged / "table.db"
        path.touch(0o000)

        with pytest.raises(StoreUnavailable, match="cannot be opened: give the bot's user the right to read"):
            await open_store(f"sqlite:///{path}")

    async def test_a_read_only_folder_is_refused(self, unprivileged: Path) -> None:
        os.chmod(unprivileged, 0o500)

        with pytest.raises(StoreUnavailable, match="cannot be opened: give the bot's user the right to read"):
            await open_store(f"sqlite:///{unprivileged}/table.db")

    async def test_nobody_else_may_read_the_secrets_in_the_file(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.run(make_campaign)

        assert modes_in(tmp_path) == {"table.db": 0o600, "table.db-wal": 0o600, "table.db-shm": 0o600}
        await store.close()


class TestReading:
    async def test_the_reading_connection_cannot_write(self, url: str) -> None:
        store = await open_store(url)

        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await store._reader.call(lambda connection: connection.execute("DELETE FROM meta"))
        await store.close()


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
