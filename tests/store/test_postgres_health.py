"""What `doctor` finds out about a PostgreSQL database, and backups of it."""

import shutil
import subprocess
import time
from pathlib import Path

import psycopg
import pytest

from bot.app.config import load
from bot.app.doctor import findings
from bot.store.backup import backup, channels_used, restore
from bot.store.connection import BackupRefused, StoreUnavailable
from bot.store.postgres import postgres_health
from bot.store.postgres import postgres_health as postgres_backup
from bot.store.postgres.postgres_health import examine_postgres
from bot.store.postgres.postgres_migrations import newest_step, postgres_steps
from bot.store.transaction import open_store
from tests.store.dump_schema import fill_all
from tests.store.postgres_server import new_database, pooled, url_of
from tests.store.rows import CHANNEL, HERE

SERVER = "SELECT 15, 'UTF8', current_database()"  # what the server says of itself


@pytest.fixture
def empty(postgres: Path) -> str:
    """The address of a new, empty database."""
    return new_database(postgres)


@pytest.fixture
async def url(empty: str) -> str:
    """The address of a database with rows in every table."""
    store = await open_store(empty)
    await store.run(fill_all)
    await store.close()
    return empty


def change(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as link:
        for statement in statements:
            link.execute(statement.encode())


def problems(url: str, direct_url: str | None = None) -> list[str]:
    return list(examine_postgres(url, direct_url).problems)


class TestHealth:
    def test_a_sound_database_has_no_problems(self, url: str) -> None:
        health = examine_postgres(url)

        assert health.problems == ()
        assert health.state.endswith(f", schema {newest_step()}")
        assert " answers, PostgreSQL " in health.state

    def test_an_empty_database_has_no_tables_yet(self, empty: str) -> None:
        health = examine_postgres(empty)

        assert health.problems == ()
        assert health.state.endswith("no tables yet")
        assert channels_used(empty) == ()

    def test_a_server_that_archives_nothing_says_so_and_what_cannot_be_seen(self, empty: str) -> None:
        assert examine_postgres(empty).backups == (
            "the server archives no log (archive_mode is off); whether pg_dump is used can't be seen"
        )

    def test_a_database_of_another_encoding_is_a_problem(self, postgres: Path) -> None:
        change(
            url_of(postgres, "postgres"),
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
        )

        (problem,) = problems(url_of(postgres, "latin"))

        assert "has the encoding LATIN1, which lacks many characters: create a database with" in problem

    @pytest.mark.parametrize(("seconds", "side"), [(100, "behind"), (-100, "ahead of")])
    def test_a_clock_that_differs_is_a_problem(self, empty: str, seconds: int, side: str) -> None:
        (problem,) = examine_postgres(empty, now=lambda: time.time() + seconds).problems

        assert problem == f"the database's clock is 100 s {side} this machine's: synchronize both (NTP)"

    def test_a_missing_migration_is_a_problem(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        steps = ((1, "0001_never_taken.sql", ""), *postgres_steps())
        monkeypatch.setattr(postgres_health, "postgres_steps", lambda: steps)

        (problem,) = problems(url)

        assert "lacks the migration 0001_never_taken.sql, although it has later ones" in problem

    @pytest.mark.parametrize(
        ("name", "value", "said"),
        [
            ("OLDEST_POSTGRES", 99, "update it to 99 or newer"),
            ("_SERVER", f"{SERVER}, TRUE, 'public', TRUE", "is a standby and takes no changes: connect"),
            ("_ARCHIVE", "SELECT TRUE, TRUE, NULL", "the server fails to archive its log (archive_command)"),
        ],
    )
    def test_a_server_that_is_not_fit_is_a_problem(
        self, url: str, monkeypatch: pytest.MonkeyPatch, name: str, value: object, said: str
    ) -> None:
        monkeypatch.setattr(postgres_health, name, value)

        (problem,) = problems(url)

        assert said in problem

    @pytest.mark.parametrize(
        ("seconds", "said"), [("240", "the last part 4 min ago"), ("NULL", "none of it yet")]
    )
    def test_a_server_that_archives_its_log_says_when(
        self, empty: str, monkeypatch: pytest.MonkeyPatch, seconds: str, said: str
    ) -> None:
        monkeypatch.setattr(postgres_health, "_ARCHIVE", f"SELECT TRUE, FALSE, {seconds}")

        assert examine_postgres(empty).backups == (
            f"the server archives its log, {said}; whether there is a base backup can't be seen"
        )

    def test_a_schema_that_the_next_start_changes_is_said(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        newest = newest_step()
        monkeypatch.setattr(postgres_health, "newest_step", lambda: newest + 1)

        assert examine_postgres(url).state.endswith(f"schema {newest} becomes {newest + 1} at the next start")

    def test_half_a_copy_is_a_problem(self, url: str) -> None:
        change(url, "CREATE TABLE copying (source TEXT, until BIGINT)")

        (problem,) = problems(url)

        assert problem.endswith("never finished: run `tablekeeper copy` again, or use another database")

    def test_an_index_that_was_not_finished_is_a_problem(self, url: str) -> None:
        change(
            url,
            "UPDATE pg_index SET indisvalid = FALSE "
            "WHERE indexrelid = CAST('entries_interaction' AS regclass)",
        )

        (problem,) = problems(url)

        assert problem.endswith("is not complete: run REINDEX INDEX entries_interaction")

    def test_a_user_who_may_not_create_tables_is_a_problem(self, postgres: Path, empty: str) -> None:
        change(empty, "CREATE ROLE guest LOGIN")
        try:
            (problem,) = problems(empty.replace("user=postgres", "user=guest"))
        finally:
            change(empty, "DROP ROLE guest")

        assert "the user may not create tables in " in problem
        assert "or GRANT CREATE ON SCHEMA public TO it" in problem

    def test_a_direct_address_of_another_database_is_a_problem(self, empty: str, postgres: Path) -> None:
        assert problems(empty, empty) == []
        assert problems(empty, url_of(postgres, "postgres")) == [
            "database.direct_url leads to another database than database.url: name the same one"
        ]

    def test_channels_are_found(self, url: str) -> None:
        assert (HERE, CHANNEL) in channels_used(url)


class TestDoctor:
    async def looked(self, url: str, *, ahead_seconds: float = 0) -> list[str]:
        """Return what the doctor says of the database."""
        settings = load(environment={"TABLEKEEPER_DATABASE__URL": url})
        found = findings(settings, None, now=lambda: time.time() + ahead_seconds)
        lines = [str(finding) async for finding in found]
        return [line for line in lines if "database" in line or "backups" in line]

    async def test_it_says_what_it_found(self, url: str) -> None:
        database, backups = await self.looked(url)

        assert database.startswith("ok: database: ")
        assert database.endswith(f", schema {newest_step()}")
        assert backups.startswith("ok: backups: the server archives no log")

    async def test_it_says_every_problem(self, url: str) -> None:
        (problem,) = await self.looked(url, ahead_seconds=100)

        assert problem.startswith("problem: database: the database's clock is 100 s behind")

    async def test_it_says_that_there_is_no_database(self, postgres: Path) -> None:
        (problem,) = await self.looked(url_of(postgres, "none"))

        assert problem.startswith("problem: database: ")
        assert 'database "none" does not exist' in problem


class TestPoolers:
    def test_one_in_transaction_mode_needs_a_direct_address(
        self, empty: str, postgres: Path, pgbouncer: Path
    ) -> None:
        with pooled(pgbouncer, postgres) as folder:
            through = empty.replace(str(postgres), str(folder))

            (problem,) = problems(through)
            assert "leads through a pooler in transaction mode, which keeps no locks" in problem
            assert problems(through, empty) == []
            assert examine_postgres(through, empty).state.endswith(", no tables yet")
            assert " answers, through a pooler, PostgreSQL " in examine_postgres(through, empty).state
            assert problems(through, through) == [
                "database.direct_url leads through a pooler too: name the server itself"
            ]

    def test_one_in_session_mode_is_no_problem(self, empty: str, postgres: Path, pgbouncer: Path) -> None:
        with pooled(pgbouncer, postgres, "session") as folder:
            assert problems(empty.replace(str(postgres), str(folder))) == []


class TestBackups:
    def test_a_backup_can_be_restored_into_a_new_database(
        self, url: str, postgres: Path, tmp_path: Path
    ) -> None:
        file, again = tmp_path / "copy.dump", new_database(postgres)

        backup(url, file)

        assert file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(BackupRefused, match="pg_restore --no-owner") as said:
            restore(file, url)
        command = said.value.reason.split("`")[1].replace("ADDRESS", again).split()
        subprocess.run(command, check=True)
        with psycopg.connect(url) as one, psycopg.connect(again) as other:
            for table in ("entries", "portraits", "seeds", "servers", "migrations"):
                query = f"SELECT * FROM {table}".encode()
                assert one.execute(query).fetchall() == other.execute(query).fetchall() != []

    def test_a_failed_backup_leaves_no_file(self, postgres: Path, tmp_path: Path) -> None:
        with pytest.raises(StoreUnavailable, match=r"was not backed up: .*database .none. does not exist"):
            backup(url_of(postgres, "none"), tmp_path / "copy.dump")

        assert list(tmp_path.iterdir()) == []

    def test_a_backup_replaces_no_file_unless_allowed(self, url: str, tmp_path: Path) -> None:
        file = tmp_path / "copy.dump"
        file.write_bytes(b"dear to somebody")

        with pytest.raises(BackupRefused, match="is there already: name another file, or add --overwrite"):
            backup(url, file)

        assert file.read_bytes() == b"dear to somebody"
        backup(url, file, overwrite=True)
        assert file.read_bytes().startswith(b"PGDMP")

    def test_a_missing_program_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgres_backup, "DUMP_PROGRAM", "pg_dump_that_is_nowhere")

        with pytest.raises(StoreUnavailable, match="is not installed here: install PostgreSQL's client"):
            backup("postgresql:///none", tmp_path / "copy.dump")

    def test_the_password_is_not_among_the_words_of_the_program(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program = tmp_path / "pg_dump"
        program.write_text(
            f'#!/bin/sh\necho "$@" > {tmp_path}/words\necho "$PGPASSWORD" > {tmp_path}/secret\n'
        )
        program.chmod(0o700)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

        backup("postgresql://bot:hush@nowhere/table", tmp_path / "copy.dump")

        assert shutil.which("pg_dump") == str(program)
        words = (tmp_path / "words").read_text()
        assert "hush" not in words
        assert "application_name='tablekeeper backup'" in words  # a copy would take another for a bot
        assert (tmp_path / "secret").read_text() == "hush\n"
