"""Rolling upgrades: an older process goes on while a newer one has migrated the database."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from bot.store.engines import open_store
from bot.store.migrate import newest_version
from bot.store.postgres import postgres_migrations
from bot.store.postgres.postgres_migrations import migrate_postgres, newest_step, postgres_steps
from bot.store.records import CampaignId
from bot.store.store import Store
from bot.store.store_errors import StoreUnavailable
from bot.store.transaction import TABLES, Transaction
from tests.store.contract.test_scoping import fill
from tests.store.dump_schema import fill_all
from tests.store.postgres_server import new_database
from tests.store.rows import ELSEWHERE, HERE, an_entry

DAWN = CampaignId(2)
EVERY_TABLE = (*TABLES, "meta", "server_commands", *({"follow_ups"} - {*TABLES}))
TAKES_AWAY = re.compile(r"\b(DROP (TABLE|COLUMN)|RENAME|ALTER COLUMN|TRUNCATE)\b")


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
