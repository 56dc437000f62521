"""Copies of whole databases, between the engines and within each."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from bot.store import backup
from bot.store.backup import examine
from bot.store.connection import CopyRefused, StoreUnavailable, TableColumn
from bot.store.copying import Batch, Replayed, batches, copy_database, in_order
from bot.store.database_files import path_of
from bot.store.migrate import newest_version
from bot.store.postgres.postgres_migrations import newest_step
from bot.store.records import CampaignId, CountdownRecord, DueTask, ServerId
from bot.store.transaction import Transaction, open_store
from bot.table.journal.verify import replay_journals
from tests.paces import PATIENT
from tests.store.contract.test_scoping import fill
from tests.store.dump_schema import fill_all
from tests.store.postgres_server import new_database
from tests.store.rows import ELSEWHERE, HERE, a_campaign, an_entry, change, every_row
from tests.store.test_migrations import database_at

ENGINES = ("sqlite", "postgres")
SERVERS = (HERE, ELSEWHERE, ServerId(300), ServerId(400))
NUMBERS = count(1)
Place = Callable[[str], str]

END_COPIES = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'tablekeeper copy'"
)
both = pytest.mark.parametrize("engine", ENGINES)
to_the_other = pytest.mark.parametrize(("one", "other"), [ENGINES, ENGINES[::-1]], ids=["there", "back"])
every_way = pytest.mark.parametrize(
    ("one", "other"), [(one, other) for one in ENGINES for other in ENGINES], ids=lambda name: str(name)
)


@pytest.fixture(scope="module")
def database(postgres: Path) -> str:
    """The address of a PostgreSQL database for all these tests."""
    return new_database(postgres)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Returns the address of a new, empty database of an engine; a schema is one, and quickly made."""

    def new(engine: str) -> str:
        if engine == "sqlite":
            return f"sqlite:///{tmp_path}/table{next(NUMBERS)}.db"
        url, name = request.getfixturevalue("database"), f"place{next(NUMBERS)}"
        change(url, f"CREATE SCHEMA {name}")
        return f"{url}&connect_timeout=60&options=-csearch_path%3D{name}"

    return new


async def filled(url: str) -> str:
    """Put rows into every table, and countdowns that refer to each other."""
    store = await open_store(url, PATIENT)
    await store.run(fill_all)
    for server in SERVERS[1:]:
        await store.run(lambda tx, server=server: fill(tx, server, []))  # type: ignore[misc]
    await store.run(make_a_duel)
    await store.close()
    return url


def make_a_duel(tx: Transaction) -> None:
    campaign = tx.save_campaign(a_campaign("Duels"))
    ours = CountdownRecord(
        server=HERE,
        campaign=campaign,
        name="Ours",
        kind="success",
        side="players",
        visibility="open",
        term="short",
        difficulty=3,
    )
    ours = replace(ours, id=tx.save_countdown(ours))
    theirs = tx.save_countdown(replace(ours, id=0, name="Theirs", rival=ours.id))
    tx.save_countdown(replace(ours, rival=theirs))
    tx.add_entry(an_entry(campaign, "a duel"))


def copied(source: str, target: str, *, most_rows: int = 20_000) -> list[str]:
    """Copy a database, and return what was said."""
    said: list[str] = []
    copy_database(source, target, said.append, replay_journals, most_rows=most_rows)
    return said


class Stopped(Exception):
    """The copy was stopped."""


def stopped_after(source: str, target: str, lines: int) -> None:
    """Copy until so many lines were said."""
    said = count(1)

    def say(_line: str) -> None:
        if next(said) == lines:
            raise Stopped

    with pytest.raises(Stopped):
        copy_database(source, target, say, replay_journals, most_rows=1)


def ended(program: str) -> int:
    """Run a program of Python, and return how it ended."""
    return subprocess.run([sys.executable, "-c", program], check=False).returncode


class TestRows:
    @every_way
    async def test_a_copy_has_every_row_of_every_table(self, place: Place, one: str, other: str) -> None:
        source, target = await filled(place(one)), place(other)

        copied(source, target)

        rows = every_row(source)
        assert [name for name, found in rows.items() if not found] == []
        assert every_row(target) == rows

    @both
    async def test_a_copy_to_the_other_engine_and_back_is_the_same(self, place: Place, engine: str) -> None:
        there = {"sqlite": "postgres", "postgres": "sqlite"}[engine]
        source, between, target = await filled(place(engine)), place(there), place(engine)

        copied(source, between)
        copied(between, target)

        assert every_row(target) == every_row(source)

    async def test_the_source_stays_as_it_is(self, place: Place) -> None:
        source = await filled(place("sqlite"))
        before = every_row(source)

        copied(source, place("sqlite"))

        assert every_row(source) == before
        assert examine(source).problems == ()

    @to_the_other
    async def test_ids_go_on_after_the_highest_of_the_source(
        self, place: Place, one: str, other: str
    ) -> None:
        source, target = await filled(place(one)), place(other)
        copied(source, target)

        made = []
        for url in (source, target):
            store = await open_store(url, PATIENT)
            made.append(await store.run(lambda tx: tx.add_entry(an_entry(CampaignId(1), "after"))))
            await store.close()

        assert made[0].id == made[1].id

    async def test_every_sign_and_byte_is_copied_there_and_back(self, place: Place) -> None:
        source, between, target = await filled(place("sqlite")), place("postgres"), place("sqlite")
        texts = (
            "",
            "\\N",
            "\\.",
            "a\\b\tc\nd\re\x1f",
            "'\"%s %% ? :x",
            "\ufffe\U0001f3b2 straße ÉLAN",
            " x ",
        )
        with closing(sqlite3.connect(path_of(source))) as connection, connection:
            for number, text in enumerate(texts):
                connection.execute("INSERT INTO meta VALUES (?, ?)", (f"text {number} {text}", text))
            connection.execute("UPDATE portraits SET picture = ?", (bytes(range(256)),))
            connection.execute("INSERT INTO due_tasks VALUES (?, 'x', ?, ?)", (2**63 - 1, -(2**63), -1))

        copied(source, between)
        copied(between, target)

        assert every_row(target) == every_row(between) == every_row(source)

    async def test_a_text_that_postgresql_cannot_have_is_mended(self, place: Place) -> None:
        source, target = await filled(place("sqlite")), place("postgres")
        change(source, "UPDATE meta SET value = 'a' || char(0) || 'b'")

        copied(source, target)

        assert every_row(target)["meta"] == [(("key", "commands"), ("value", "a\ufffdb"))]

    def test_tables_that_refer_to_others_come_after_them(self) -> None:
        tables = ("gms", "campaigns", "copying", "migrations", "places")
        columns = [TableColumn(table, "id", is_text=False, key_place=1) for table in tables]
        references = [("gms", "places"), ("places", "campaigns"), ("campaigns", "campaigns")]

        assert [table.name for table in in_order(columns, references)] == ["campaigns", "places", "gms"]

    async def test_many_servers_are_said_while_their_journals_are_replayed(self, place: Place) -> None:
        source, target = await filled(place("sqlite")), place("sqlite")
        change(
            source,
            "WITH RECURSIVE ids (id) AS (SELECT 1001 UNION ALL SELECT id + 1 FROM ids LIMIT 250) "
            "INSERT INTO servers (server_id) SELECT id FROM ids",
        )

        said = copied(source, target)

        assert [line for line in said if line.startswith("Replayed the")] == [
            "Replayed the journals of 100 of 254 servers.",
            "Replayed the journals of 200 of 254 servers.",
        ]

    async def test_databases_with_different_tables_are_not_copied(self, place: Place) -> None:
        source, target = await filled(place("sqlite")), place("postgres")
        change(source, "CREATE TABLE notes (server_id INTEGER PRIMARY KEY)")

        with pytest.raises(LookupError, match=r"the tables of .* differ"):
            copied(source, target)


class TestProgress:
    @both
    async def test_it_says_how_far_it_is_without_a_password(self, place: Place, engine: str) -> None:
        source, target = await filled(place(engine)), place(engine)

        said = copied(source, target, most_rows=1)

        rows = sum(len(found) for found in every_row(source).values())
        assert said[0].startswith("Copying ")
        assert said[0].endswith(f": 4 servers, {rows} rows.")
        assert "user=" not in said[0]
        assert said[1:6] == [
            "Copied 1 of 4 servers.",
            "Copied 2 of 4 servers.",
            "Copied 3 of 4 servers.",
            "Copied 4 of 4 servers.",
            f"Compared: all {rows} rows are the same.",
        ]
        assert said[6].startswith("Replayed 6 journals, 6 entries: ")
        assert said[7] == "Both databases have 16 faults:"

    def test_servers_are_copied_together_up_to_a_number_of_rows(self) -> None:
        servers = {ServerId(1): 3, ServerId(4): 3, ServerId(5): 3, ServerId(7): 50, ServerId(9): 1}

        assert list(batches(servers, 6)) == [
            Batch(ServerId(1), ServerId(4), 2, 6),
            Batch(ServerId(5), ServerId(5), 1, 3),
            Batch(ServerId(7), ServerId(7), 1, 50),
            Batch(ServerId(9), ServerId(9), 1, 1),
        ]


class TestStopping:
    @to_the_other
    @pytest.mark.parametrize("lines", [1, 3, 6])
    async def test_a_stopped_copy_goes_on_and_ends_the_same(
        self, place: Place, one: str, other: str, lines: int
    ) -> None:
        source, target = await filled(place(one)), place(other)
        stopped_after(source, target, lines)

        said = copied(source, target, most_rows=1)

        assert every_row(target) == every_row(source)
        assert len([line for line in said if line.startswith("Copied")]) == max(0, 5 - lines)

    @both
    async def test_a_killed_copy_goes_on_and_ends_the_same(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        program = (
            "import os; from bot.store.copying import copy_database; said = []\n"
            "def say(line):\n"
            "    said.append(line)\n"
            "    len(said) < 3 or os.kill(os.getpid(), 9)\n"
            f"copy_database({source!r}, {target!r}, say, None, most_rows=1)\n"
        )
        assert ended(program) == -9

        copied(source, target, most_rows=1)

        assert every_row(target) == every_row(source)

    @both
    async def test_no_bot_starts_on_half_a_copy(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        stopped_after(source, target, 3)

        with pytest.raises(
            StoreUnavailable, match="is a copy that was never finished: run `tablekeeper copy`"
        ):
            await open_store(target, PATIENT)

        copied(source, target)
        await (await open_store(target, PATIENT)).close()

    async def test_the_health_of_half_a_copy_says_so(self, place: Place) -> None:
        source, target = await filled(place("sqlite")), place("sqlite")
        stopped_after(source, target, 3)

        (problem,) = examine(target).problems
        assert "is a copy that was never finished" in problem

    @both
    async def test_half_a_copy_cannot_be_copied(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        stopped_after(source, target, 3)

        with pytest.raises(CopyRefused, match="is itself half of a copy: finish that one first"):
            copied(target, place(engine))

    @both
    async def test_half_a_copy_of_another_database_is_left_alone(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        stopped_after(source, target, 3)
        before = every_row(target)
        store = await open_store(source, PATIENT)
        await store.run(lambda tx: tx.add_entry(an_entry(CampaignId(1), "meanwhile")))
        await store.close()

        with pytest.raises(CopyRefused, match=r"was changed since it began: empty .*, and copy again"):
            copied(source, target)

        assert every_row(target) == before

    @pytest.mark.parametrize("statement", ["UPDATE copying SET until = 300", "DROP TABLE copying"])
    async def test_a_second_copy_to_one_database_is_refused(self, place: Place, statement: str) -> None:
        source, target = await filled(place("sqlite")), place("postgres")

        def say(line: str) -> None:
            if line == "Copied 1 of 4 servers.":
                change(target, statement)  # as the other copy would

        with pytest.raises(CopyRefused, match=r"Another copy to .* is going on: wait until it has ended"):
            copy_database(source, target, say, replay_journals, most_rows=1)

    @both
    async def test_a_copy_that_lost_its_connection_goes_on(self, place: Place, engine: str) -> None:
        lost = {"sqlite": "postgres", "postgres": "sqlite"}[engine]
        source, target = await filled(place(engine)), place(lost)

        def say(line: str) -> None:
            if line == "Copied 2 of 4 servers.":
                change(source if engine == "postgres" else target, END_COPIES)

        with pytest.raises(StoreUnavailable, match=r"(stopped what it did|cannot be reached)"):
            copy_database(source, target, say, replay_journals, most_rows=1)

        assert copied(source, target, most_rows=1)[1:3] == [
            "Copied 3 of 4 servers.",
            "Copied 4 of 4 servers.",
        ]
        assert every_row(target) == every_row(source)


class TestChecks:
    @pytest.mark.parametrize(
        ("statement", "said"),
        [
            ("UPDATE documents SET body = '{}' WHERE server_id = 100", "The copy differs in documents"),
            ("DELETE FROM messages WHERE server_id = 100", r"The copy differs in messages \(server_id 100"),
            ("INSERT INTO due_tasks VALUES (999, 'press', 1, 1)", "has rows of other servers"),
            ("UPDATE meta SET value = 'other'", r"The copy differs in meta \(key commands\)"),
        ],
    )
    async def test_a_copy_that_was_changed_meanwhile_is_found_and_not_released(
        self, place: Place, statement: str, said: str
    ) -> None:
        source, target = await filled(place("sqlite")), place("postgres")

        def say(line: str) -> None:
            if line.startswith("Copied 4"):
                change(target, statement)

        with pytest.raises(CopyRefused, match=said):
            copy_database(source, target, say, replay_journals, most_rows=1)

        with pytest.raises(StoreUnavailable, match="never finished"):
            await open_store(target, PATIENT)

    async def test_journals_that_say_something_else_are_found(self, place: Place) -> None:
        source, target = await filled(place("sqlite")), place("sqlite")
        numbers = count(1)

        with pytest.raises(CopyRefused, match=r"journals of .* do not say the same"):
            copy_database(source, target, print, lambda *_: Replayed(faults=next(numbers)))

    @pytest.mark.parametrize("line", ["Copied 1", "Replayed"])
    async def test_a_bot_that_is_started_meanwhile_is_found(self, place: Place, line: str) -> None:
        source, target = await filled(place("postgres")), place("sqlite")

        with ExitStack() as stack:

            def say(said: str) -> None:
                if said.startswith(line):
                    stack.enter_context(psycopg.connect(source, application_name="tablekeeper"))

            with pytest.raises(CopyRefused, match=r"A bot was started on .* meanwhile: stop it"):
                copy_database(source, target, say, replay_journals, most_rows=1)

        with pytest.raises(StoreUnavailable, match="never finished"):
            await open_store(target, PATIENT)

    @pytest.mark.parametrize("server", [HERE, ServerId(999)])
    async def test_a_bot_that_has_come_and_gone_meanwhile_is_found(
        self, place: Place, server: ServerId
    ) -> None:
        source, target = await filled(place("postgres")), place("postgres")
        task = DueTask(server=server, kind="press", id=1, due=1)

        async def play() -> None:
            store = await open_store(source, PATIENT)
            await store.run(lambda tx: tx.save_due_task(task))
            await store.close()

        def say(line: str) -> None:
            if line.startswith("Compared"):
                with ThreadPoolExecutor(1) as beside:
                    beside.submit(asyncio.run, play()).result()

        with pytest.raises(CopyRefused, match=r"A bot was started on .* meanwhile: stop it"):
            copy_database(source, target, say, replay_journals)

    async def test_a_damaged_copy_is_not_released(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source, target = await filled(place("sqlite")), place("sqlite")
        monkeypatch.setattr(backup, "problems_of", lambda _: ["a page is torn"])

        with pytest.raises(
            CopyRefused, match=r"is damaged \(a page is torn\): check its disk, and copy again"
        ):
            copied(source, target)

        with pytest.raises(StoreUnavailable, match="never finished"):
            await open_store(target, PATIENT)


class TestRefusals:
    @both
    async def test_a_database_with_something_in_it_is_not_copied_to(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), await filled(place(engine))
        before = every_row(target)

        with pytest.raises(CopyRefused, match="is not empty: name a new database to copy to"):
            copied(source, target)

        assert every_row(target) == before

    @both
    async def test_a_database_that_a_bot_made_and_never_used_is_copied_to(
        self, place: Place, engine: str
    ) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        await (await open_store(target, PATIENT)).close()

        copied(source, target)

        assert every_row(target) == every_row(source)

    @both
    async def test_a_database_that_a_bot_uses_is_not_copied(self, place: Place, engine: str) -> None:
        source = await filled(place(engine))
        store = await open_store(source, PATIENT)

        with pytest.raises(CopyRefused, match=r"(is in use|A bot is using).*: stop"):
            copied(source, place("sqlite"))

        await store.run(lambda tx: tx.add_entry(an_entry(CampaignId(1), "after")))
        await store.close()

    @both
    async def test_a_database_that_a_bot_uses_is_not_copied_to(self, place: Place, engine: str) -> None:
        source, target = await filled(place("sqlite")), place(engine)
        store = await open_store(target, PATIENT)

        with pytest.raises(CopyRefused, match=r"(is in use|A bot is using).*: stop"):
            copied(source, target)

        await store.close()

    @both
    async def test_a_database_is_not_copied_onto_itself(self, place: Place, engine: str) -> None:
        source = await filled(place(engine))
        before = every_row(source)

        with pytest.raises(CopyRefused, match="FROM and TO are the same database: name another one"):
            copied(source, source)

        assert every_row(source) == before

    def test_an_older_database_is_not_copied_and_stays_as_it_is(self, place: Place, tmp_path: Path) -> None:
        path = database_at(newest_version() - 1, tmp_path / "old.db")
        before = every_row(f"sqlite:///{path}")

        with pytest.raises(CopyRefused) as refused:
            copied(f"sqlite:///{path}", place("sqlite"))

        assert refused.value.reason == (
            f"{path} has schema {newest_version() - 1}, but this program copies schema {newest_version()}: "
            "start the bot on it once, stop it, and copy again."
        )
        assert every_row(f"sqlite:///{path}") == before
        assert [one.name for one in tmp_path.iterdir()] == ["old.db"]

    @pytest.mark.parametrize(
        ("engine", "statement", "version"),
        [
            ("sqlite", f"PRAGMA user_version = {newest_version() + 1}", newest_version() + 1),
            ("postgres", f"INSERT INTO migrations VALUES ({newest_step() + 1}, 'x', 1)", newest_step() + 1),
        ],
    )
    async def test_a_newer_database_is_neither_copied_nor_copied_to(
        self, place: Place, engine: str, statement: str, version: int
    ) -> None:
        newer = await filled(place(engine))
        change(newer, statement)

        with pytest.raises(StoreUnavailable, match=f"has schema {version}, but .*: update Tablekeeper"):
            copied(newer, place("sqlite"))
        with pytest.raises(StoreUnavailable, match=f"has schema {version}, but .*: update Tablekeeper"):
            copied(await filled(place("sqlite")), newer)

    @both
    async def test_there_is_nothing_to_copy_in_an_empty_database(self, place: Place, engine: str) -> None:
        source = place(engine)
        change(source, "SELECT 1")  # makes the file

        with pytest.raises(CopyRefused, match=r"There is nothing in .*: FROM has to be the database to copy"):
            copied(source, place("sqlite"))

    @pytest.mark.parametrize(
        ("name", "said"),
        [("none.db", "There is no database at"), ("none/none.db", "There is no database at")],
    )
    async def test_a_missing_file_cannot_be_copied(
        self, place: Place, tmp_path: Path, name: str, said: str
    ) -> None:
        with pytest.raises(StoreUnavailable, match=said):
            copied(f"sqlite:///{tmp_path}/{name}", place("sqlite"))
        assert os.listdir(tmp_path) == []

    async def test_a_file_in_a_missing_folder_cannot_be_made(self, place: Place, tmp_path: Path) -> None:
        source = await filled(place("sqlite"))

        with pytest.raises(StoreUnavailable, match=r"The folder .*/none of the database is missing: make it"):
            copied(source, f"sqlite:///{tmp_path}/none/copy.db")

    async def test_another_programs_file_is_refused(self, place: Place, tmp_path: Path) -> None:
        source, theirs = await filled(place("sqlite")), f"sqlite:///{tmp_path}/theirs.db"
        change(theirs, "CREATE TABLE theirs (x)")

        with pytest.raises(StoreUnavailable, match="is a database of another program"):
            copied(source, theirs)

    async def test_a_file_that_is_no_database_is_refused(self, place: Place, tmp_path: Path) -> None:
        (tmp_path / "words.db").write_text("no database " * 1000, encoding="utf-8")

        with pytest.raises(StoreUnavailable, match="is no database"):
            copied(f"sqlite:///{tmp_path}/words.db", place("sqlite"))
