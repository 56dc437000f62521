"""Migrations: every earlier schema becomes the newest, and older processes go on meanwhile."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from bot.store.connection import StoreUnavailable
from bot.store.journalled_tables import from_text
from bot.store.migrate import Migration, migrate, migrations, newest_version, schema_version
from bot.store.postgres import postgres_migrations
from bot.store.postgres.postgres_migrations import migrate_postgres, newest_step, postgres_steps
from bot.store.records import ALL_SHARDS, CampaignId, DueTask, EntryId, FollowUpRecord, ServerId
from bot.store.sqlite import SqliteConnection
from bot.store.transaction import TABLES, Reader, Store, Transaction, open_store
from tests.store.contract.test_scoping import QUERIES, fill
from tests.store.dump_schema import SCHEMAS, fill_all
from tests.store.postgres_server import new_database
from tests.store.rows import ELSEWHERE, HERE, a_campaign, an_entry

EARLIER_ENTRY = """
INSERT INTO entries (
    id, server_id, campaign_id, at, interaction, channel, person, person_name,
    kind, told, rolls, changes, is_secret
)
VALUES (?, 100, 1, 3000, ?, 31, 11, 'Ann', 'play.leap', ?, '[]', '[]', ?)
"""
ROWS_WITH_IDS = (
    "SELECT server_id, id, interaction, told, changes FROM entries ORDER BY server_id, id",
    "SELECT server_id, id, entry_id, body, closed_by FROM follow_ups ORDER BY server_id, id",
)
LAST_ENTRY = 3  # of the databases kept here; what an end refers to that is gone is forgotten
VERSIONS = [step.number for step in migrations()]
DAWN = CampaignId(2)
EVERY_TABLE = (*TABLES, "meta", "server_commands", *({"follow_ups"} - {*TABLES}))
TAKES_AWAY = re.compile(r"\b(DROP (TABLE|COLUMN)|RENAME|ALTER COLUMN|TRUNCATE)\b")


def database_at(version: int, path: Path) -> Path:
    """Make a database of an earlier schema version, with a row in every table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{version:04}.sql").read_text(encoding="utf-8"))
    return path


def one_of_each(tx: Transaction, server: ServerId) -> tuple[int, int, int]:
    """Make a campaign, an entry and a follow-up; return their ids."""
    campaign = tx.save_campaign(a_campaign("New", server=server))
    entry = tx.add_entry(an_entry(campaign, "new", server=server))
    offered = FollowUpRecord(server=server, campaign=campaign, entry=entry.id, body={}, group="a")
    (follow_up,) = tx.add_follow_ups([offered])
    return campaign, entry.id, follow_up


def schema_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    found = [row for row in found if row[0] != "sqlite_sequence"]  # stays when no table needs it any more
    return {name: " ".join(sql.split()) for name, sql in found}


class TestSteps:
    def test_migrations_are_numbered_without_a_gap(self) -> None:
        assert list(range(1, len(VERSIONS) + 1)) == VERSIONS

    @pytest.mark.parametrize("version", VERSIONS)
    def test_each_earlier_schema_has_a_sample_with_rows_in_every_table(
        self, version: int, tmp_path: Path
    ) -> None:
        path = database_at(version, tmp_path / "old.db")

        with closing(sqlite3.connect(path)) as connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            empty = [name for name in tables if not connection.execute(f"SELECT 1 FROM {name}").fetchone()]

        assert empty == []

    async def test_a_new_database_runs_and_records_every_migration(self, tmp_path: Path, url: str) -> None:
        store = await open_store(url)
        await store.close()

        with closing(sqlite3.connect(tmp_path / "table.db")) as connection:
            taken = connection.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
            assert schema_version(connection) == newest_version()
        assert taken == [(step.number, step.name) for step in migrations()]

    @pytest.mark.parametrize("version", VERSIONS)
    async def test_a_migration_from_every_earlier_schema_loses_nothing(
        self, version: int, tmp_path: Path, url: str
    ) -> None:
        fresh = await open_store(f"sqlite:///{tmp_path}/fresh.db")
        await fresh.close()
        database_at(version, tmp_path / "table.db")

        store = await open_store(url)
        campaigns = await store.read(lambda reader: reader.campaigns(HERE))
        zoe = await store.read(lambda reader: reader.character_named(HERE, CampaignId(2), "ZOË"))
        entries = await store.read(lambda reader: reader.entries(HERE, CampaignId(1)))
        await store.close()

        assert [one.name for one in campaigns] == ["Own", "Dawn"]
        assert zoe is not None
        assert from_text(zoe.sheet) == {"might": 2}
        assert (zoe.resources, zoe.wounds) == ({"luck": (2, 5)}, {"body": ((1, 2),)})
        assert len(entries) == 2
        assert schema_of(tmp_path / "table.db") == schema_of(tmp_path / "fresh.db")

    async def test_an_entry_of_an_earlier_schema_can_be_undone(self, tmp_path: Path, url: str) -> None:
        database_at(1, tmp_path / "table.db")
        store = await open_store(url)

        def take_back(tx: Transaction) -> list[str]:
            entry = tx.entry_of(HERE, "more")
            assert entry is not None
            tx.revert(entry)
            tx.add_entry(an_entry(entry.campaign, "undo"))
            return [one.name for one in tx.campaigns(HERE)]

        assert await store.run(take_back) == ["Own"]
        await store.close()

    async def test_a_migrated_replacement_is_shown_in_the_message_of_its_result(
        self, tmp_path: Path, url: str
    ) -> None:
        path = database_at(2, tmp_path / "table.db")
        told = {
            11: "{}",
            12: '{"facts": {"under": 11, "stands_for": "leap"}}',
            13: '{"facts": {"under": 12, "stands_for": "leap"}}',
            14: '{"facts": {"under": 11, "stands_for": "leap"}}',
            15: '{"facts": {"under": 11}}',
        }
        secret = 14
        with closing(sqlite3.connect(path)) as connection:
            for id_, text in told.items():
                connection.execute(EARLIER_ENTRY, (id_, str(id_), text, id_ == secret))
            connection.commit()

        store = await open_store(url)
        shown = await store.read(lambda reader: [one.id for one in reader.shown_in(HERE, EntryId(11))])
        await store.close()

        assert shown == [12, 13]

    async def test_ids_stay_and_go_on_from_the_highest_ones_that_the_file_ever_had(
        self, tmp_path: Path, url: str
    ) -> None:
        path = database_at(9, tmp_path / "table.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(EARLIER_ENTRY, (5, "of another", "{}", 0))
            connection.execute("UPDATE entries SET server_id = 200 WHERE id = 5")
            connection.execute("DELETE FROM follow_ups WHERE id = 6")  # as after an undo
            connection.commit()
            before = [connection.execute(query).fetchall() for query in ROWS_WITH_IDS]

        store = await open_store(url)
        made = [await store.run(partial(one_of_each, server=ServerId(id_))) for id_ in (100, 200, 300)]
        await store.close()
        with closing(sqlite3.connect(path)) as connection:
            after = [connection.execute(query).fetchall() for query in ROWS_WITH_IDS]

        assert made == [(3, 6, 7), (3, 6, 7), (1, 1, 1)]
        assert [[row for row in now if row in was] for was, now in zip(before, after, strict=True)] == before

    @pytest.mark.parametrize("is_enforced", [True, False])
    def test_a_row_that_refers_to_nothing_stops_a_migration_before_it_changes_anything(
        self, tmp_path: Path, is_enforced: bool
    ) -> None:
        path = database_at(9, tmp_path / "table.db")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("UPDATE entries SET server_id = 200 WHERE id = 1")
            before = list(connection.iterdump())
            connection.execute(f"PRAGMA foreign_keys = {is_enforced}")

            with pytest.raises(StoreUnavailable) as refused:
                migrate(connection)

            assert list(connection.iterdump()) == before
        assert refused.value.reason == (
            f"{path} cannot be brought to schema 10: a row of follow_ups refers to one of entries that is "
            "not there. Restore a backup with `tablekeeper restore`."
        )

    async def test_f_perf_06_lists_of_due_tasks_become_rows(self, tmp_path: Path, url: str) -> None:
        """The lists of the release before had a fifth value for a press; all of them are read."""
        path = database_at(3, tmp_path / "table.db")
        notes = {
            "presses to come": "[[100, 1, 1, 5000, 77], [200, 5, 2, 4000]]",
            "ends not told yet": f"[[100, {LAST_ENTRY}], [100, 999]]",
        }
        with closing(sqlite3.connect(path)) as connection:
            connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", notes.items())
            connection.commit()

        store = await open_store(url)
        presses = await store.read(lambda reader: reader.due_tasks("press", 5000, ALL_SHARDS))
        recaps = await store.read(lambda reader: reader.due_tasks("recap", 5000, ALL_SHARDS))
        left = [await store.read(lambda reader, key=key: reader.meta(key)) for key in notes]  # type: ignore[misc]
        await store.close()

        assert presses == [
            DueTask(server=ServerId(200), kind="press", id=5, due=4000),
            DueTask(server=HERE, kind="press", id=1, due=5000),
        ]
        assert recaps == [DueTask(server=HERE, kind="recap", id=LAST_ENTRY, due=3000)]
        assert left == [None, None]

    def test_a_failed_migration_leaves_the_schema_before_it(self, tmp_path: Path) -> None:
        broken = Migration(2, "0002_broken.sql", ("CREATE TABLE half (x INTEGER) STRICT", "CREATE NONSENSE"))

        with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as connection:
            with pytest.raises(sqlite3.OperationalError):
                migrate(connection, (migrations()[0], broken))

            assert schema_version(connection) == 1
            assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall() == []
            assert connection.execute("SELECT number FROM migrations").fetchall() == [(1,)]


class TestForeign:
    @pytest.mark.parametrize("version", [newest_version() + 1, 99])
    async def test_a_newer_schema_is_refused_and_left_alone(
        self, tmp_path: Path, url: str, version: int
    ) -> None:
        path = database_at(newest_version(), tmp_path / "table.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        before = path.read_bytes()

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(url)

        assert refused.value.reason == (
            f"{path} has schema {version}, but this program knows only up to {newest_version()}: "
            "update Tablekeeper, or restore a backup made before the update."
        )
        assert path.read_bytes() == before

    async def test_the_database_of_another_program_is_refused_and_left_alone(
        self, tmp_path: Path, url: str
    ) -> None:
        path = tmp_path / "table.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE theirs (x)")
        before = path.read_bytes()

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(url)

        assert refused.value.reason == f"{path} is a database of another program: name another file."
        assert path.read_bytes() == before


class TestQueries:
    # The first looks into every text of a server, for one person who asks what is stored about them. Others
    # scan "newest": the few rows that an inner query has found.
    @pytest.mark.parametrize("name", sorted(QUERIES.keys() - {"rows_naming"}))
    def test_no_query_scans_more_rows_than_needed(self, name: str, tmp_path: Path) -> None:
        path = database_at(newest_version(), tmp_path / "table.db")
        asked: list[str] = []

        with closing(sqlite3.connect(path, factory=SqliteConnection)) as connection:
            reader = Reader(connection)
            entry = reader.entry_of(HERE, f"last {HERE}")
            assert entry is not None
            connection.set_trace_callback(asked.append)
            QUERIES[name](reader, HERE, entry)
            connection.set_trace_callback(None)
            plans = [row[3] for one in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {one}")]

        assert asked
        scans = [plan for plan in plans if "SCAN" in plan or "AUTOMATIC" in plan]
        assert [plan for plan in scans if plan != "SCAN newest"] == []


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/table.db"
    return new_database(request.getfixturevalue("postgres"))


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """The store of an older process, with rows in every table."""
    opened = await open_store(address)
    await opened.run(fill_all)
    yield opened
    await opened.close()


def newer(address: str) -> int:
    """Migrate a database as a later version may: a column to every table, and a table; return its schema."""
    statements = [f"ALTER TABLE {table} ADD COLUMN later INTEGER NOT NULL DEFAULT 0" for table in EVERY_TABLE]
    statements.append(
        "CREATE TABLE later_things (server_id BIGINT NOT NULL, id BIGINT, PRIMARY KEY (server_id, id))"
    )
    if address.startswith("sqlite"):
        version = newest_version() + 1
        with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection, connection:
            for statement in (*statements, f"PRAGMA user_version = {version}"):
                connection.execute(statement)
        return version
    version = newest_step() + 1
    with psycopg.connect(address) as link:
        for statement in (*statements, f"INSERT INTO migrations VALUES ({version}, 'later.sql', 1)"):
            link.execute(statement.encode())
    return version


class TestAnOlderProcess:
    async def test_it_reads_and_writes_every_table_after_a_migration(
        self, store: Store, address: str
    ) -> None:
        before = await store.read(lambda reader: reader.entries(HERE, DAWN))
        newer(address)

        made = await store.run(lambda tx: fill(tx, ELSEWHERE, []))

        assert await store.read(lambda reader: reader.entry(ELSEWHERE, made.id)) == made
        assert await store.read(lambda reader: reader.entries(HERE, DAWN)) == before

    async def test_it_undoes_what_was_done_before_the_migration(self, store: Store, address: str) -> None:
        campaign = await store.read(lambda reader: reader.campaigns(HERE)[0])
        await store.run(renaming("Later"))
        newer(address)

        def undo(tx: Transaction) -> None:
            entry = tx.entry_of(HERE, "renamed")
            assert entry is not None
            tx.revert(entry)
            tx.add_entry(an_entry(entry.campaign, "undo"))

        await store.run(undo)

        assert await store.read(lambda reader: reader.campaigns(HERE)[0]) == campaign

    async def test_it_forgets_a_person_and_a_server_after_a_migration(
        self, store: Store, address: str
    ) -> None:
        newer(address)

        await store.run(
            lambda tx: tx.replace_person(HERE, 11, 0, "somebody", lambda told, rolls, _: (told, rolls))
        )
        await store.run(lambda tx: tx.purge_server(HERE))

        assert await store.read(lambda reader: reader.campaigns(HERE)) == []


class TestMigratingWhileOthersGoOn:
    """On PostgreSQL a newer process migrates the database that older ones are using."""

    @pytest.fixture
    def url(self, postgres: Path) -> str:
        return new_database(postgres)

    @pytest.fixture
    async def older(self, url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
        """The store of an older process; the next one that starts has a migration more."""
        opened = await open_store(url)
        await opened.run(fill_all)
        step = (newest_step() + 1, "later.sql", "ALTER TABLE entries ADD COLUMN later BIGINT")
        steps = (*postgres_steps(), step)
        monkeypatch.setattr(postgres_migrations, "postgres_steps", lambda: steps)
        yield opened
        await opened.close()

    def migrate(self, url: str) -> None:
        with psycopg.connect(url, autocommit=True) as link:
            migrate_postgres(link, "the database")

    def steps_taken(self, url: str) -> int:
        with psycopg.connect(url) as link:
            (newest,) = link.execute("SELECT max(number) FROM migrations").fetchone() or (0,)
        return int(newest)

    async def test_units_go_on_while_a_migration_waits_for_a_backup(self, older: Store, url: str) -> None:
        with psycopg.connect(url) as backup:
            backup.execute("LOCK TABLE entries IN ACCESS SHARE MODE")  # as pg_dump does
            migrating = asyncio.create_task(asyncio.to_thread(self.migrate, url))
            for number in range(5):
                await older.run(adding(f"during {number}"))
                await asyncio.sleep(0.2)
            assert not migrating.done()

        await migrating

        assert self.steps_taken(url) == newest_step()
        await older.run(adding("after"))
        entries = await older.read(lambda reader: reader.entries(HERE, DAWN))
        assert [one.interaction for one in entries[:6]] == [
            "after",
            *(f"during {4 - one}" for one in range(5)),
        ]

    async def test_a_migration_that_is_never_let_in_says_so(
        self, older: Store, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres_migrations, "TRIES", 2)
        with psycopg.connect(url) as backup:
            backup.execute("LOCK TABLE entries IN ACCESS SHARE MODE")

            with pytest.raises(
                StoreUnavailable, match=r"another program reads it all the time \(a backup\?\)"
            ):
                await open_store(url)

        await older.run(adding("after"))
        assert self.steps_taken(url) == newest_step() - 1

    async def test_a_process_that_needs_no_migration_waits_for_nobody(self, url: str) -> None:
        await (await open_store(url)).close()
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE servers IN ACCESS EXCLUSIVE MODE")

            await asyncio.to_thread(self.migrate, url)


class TestAnOlderProgram:
    async def test_it_does_not_start_on_a_newer_database(self, store: Store, address: str) -> None:
        version = newer(address)

        with pytest.raises(StoreUnavailable) as refused:
            await open_store(address)

        assert (
            f"has schema {version}, but this program knows only up to {version - 1}" in refused.value.reason
        )
        assert "update Tablekeeper" in refused.value.reason
        await store.run(lambda tx: tx.add_entry(an_entry(DAWN, "after")))


class TestMigrations:
    def test_those_of_postgresql_take_nothing_away(self) -> None:
        taken = {file: TAKES_AWAY.findall(statements) for _, file, statements in postgres_steps()}

        assert {file for file, found in taken.items() if found} == set()


def adding(interaction: str) -> Callable[[Transaction], object]:
    """Return a unit that adds a journal entry."""
    return lambda tx: tx.add_entry(an_entry(DAWN, interaction))


def renaming(name: str) -> Callable[[Transaction], object]:
    """Return a unit that gives the first campaign another name."""

    def unit(tx: Transaction) -> object:
        campaign = tx.campaigns(HERE)[0]
        tx.save_campaign(replace(campaign, name=name))
        return tx.add_entry(an_entry(campaign.id, "renamed"))

    return unit
