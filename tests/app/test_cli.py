"""The command line as an operator uses it, and what its doctor checks and advises."""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import cast

import discord
import pytest
from msgspec.structs import replace

from bot.app.cli import main
from bot.app.client import Tablekeeper, address_discord
from bot.app.config import MEANINGS, DiscordSettings, load
from bot.app.doctor import findings
from bot.app.traffic import AnnouncedServers
from bot.playground.discord import LocalDiscord
from bot.rules import rulesets
from bot.store import copying
from bot.store.migrate import newest_version
from bot.store.transaction import open_store
from bot.table.base.table import Table
from tests.databases import prepared_file
from tests.paces import QUICK
from tests.store.dump_schema import SCHEMAS
from tests.table.conftest import Secrets

ROOT = Path(__file__).parents[2]


def tablekeeper(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder, with no settings but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TABLEKEEPER_")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class TestHelp:
    def test_help_names_every_command_and_exit_code(self, tmp_path: Path) -> None:
        shown = tablekeeper("--help", cwd=tmp_path)

        assert shown.returncode == 0
        for word in ("run", "play", "verify", "backup", "restore", "copy", "doctor", "game"):
            assert f" {word} " in shown.stdout
        for code, meaning in MEANINGS.items():
            assert f"{code.value} {meaning}" in " ".join(shown.stdout.split())

    def test_an_unknown_command_is_refused(self, tmp_path: Path) -> None:
        refused = tablekeeper("dance", cwd=tmp_path)

        assert refused.returncode == 2
        assert "invalid choice: 'dance'" in refused.stderr


class TestWrongSettings:
    def test_run_without_a_token_ends_with_one_line_and_78(self, tmp_path: Path) -> None:
        ended = tablekeeper("run", cwd=tmp_path)

        assert ended.returncode == 78
        assert ended.stdout == ""
        assert ended.stderr == (
            "config: discord.token is missing: set TABLEKEEPER_DISCORD__TOKEN (or discord.token_file)\n"
        )

    def test_every_problem_with_the_settings_has_its_own_line(self, tmp_path: Path) -> None:
        ended = tablekeeper(
            "run", cwd=tmp_path, TABLEKEEPER_DISCORD__SHARD_COUNT="x", TABLEKEEPER_LOG__FORMAT="xml"
        )

        assert ended.returncode == 78
        assert ended.stderr.splitlines() == [
            'config: discord.shard_count must be a whole number of 1 or more (got "x",'
            " from TABLEKEEPER_DISCORD__SHARD_COUNT)",
            'config: log.format must be "text" or "json" (got "xml", from TABLEKEEPER_LOG__FORMAT)',
        ]

    @pytest.mark.parametrize("words", [("--config", "mine.toml", "run"), ("run", "--config", "mine.toml")])
    def test_the_settings_file_may_be_named_before_or_after_the_command(
        self, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        (tmp_path / "mine.toml").write_text("[log]\nlevel = 5\n", encoding="utf-8")

        ended = tablekeeper(*words, cwd=tmp_path)

        assert ended.returncode == 78
        assert ended.stderr == (
            'config: log.level must be "debug", "info", "warning" or "error" (got 5, from mine.toml)\n'
        )


class TestVerify:
    HEAD = (
        '{"type": "journal", "format": "tablekeeper-journal", "version": 1,'
        ' "campaign": "The Manor", "ruleset": "none"}\n'
    )

    def test_verifying_a_correct_journal_exits_with_0(self, tmp_path: Path) -> None:
        (tmp_path / "journal.jsonl").write_text(
            self.HEAD + '{"type": "end", "entries": 0}\n', encoding="utf-8"
        )

        checked = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert checked.returncode == 0
        assert checked.stdout.startswith("Journal of The Manor (none): 0 entries, 0 rolls.\n")

    def test_verifying_a_wrong_journal_exits_with_1_and_names_the_line(self, tmp_path: Path) -> None:
        (tmp_path / "journal.jsonl").write_text(self.HEAD, encoding="utf-8")

        checked = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert checked.returncode == 1
        assert "line 1: the file is incomplete: its last line is missing" in checked.stdout

    def test_verifying_a_missing_file_is_a_usage_error(self, tmp_path: Path) -> None:
        refused = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert refused.returncode == 2
        assert "does not exist" in refused.stderr


def sample(folder: Path) -> None:
    """Put a database with something in it into a folder."""
    text = (SCHEMAS / f"{newest_version():04}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(folder / "tablekeeper.db")) as connection:
        connection.executescript(text)


class TestBackups:
    async def make_database(self, folder: Path) -> None:
        store = await open_store(f"sqlite:///{folder / 'tablekeeper.db'}")
        await store.run(lambda transaction: transaction.set_meta("greeting", "hello"))
        await store.close()

    async def greeting(self, folder: Path) -> str | None:
        store = await open_store(f"sqlite:///{folder / 'tablekeeper.db'}")
        try:
            return await store.read(lambda reader: reader.meta("greeting"))
        finally:
            await store.close()

    async def test_a_backup_can_be_restored(self, tmp_path: Path) -> None:
        await self.make_database(tmp_path)
        copied = tablekeeper("backup", "copy.db", cwd=tmp_path)
        (tmp_path / "tablekeeper.db").unlink()

        restored = tablekeeper("restore", "copy.db", cwd=tmp_path)

        assert (copied.returncode, copied.stdout) == (0, "Copied to copy.db.\n")
        assert (restored.returncode, restored.stdout) == (0, "Restored from copy.db.\n")
        assert await self.greeting(tmp_path) == "hello"

    async def test_a_backup_replaces_no_file_unless_told_to(self, tmp_path: Path) -> None:
        await self.make_database(tmp_path)
        (tmp_path / "copy.db").write_text("mine", encoding="utf-8")

        refused = tablekeeper("backup", "copy.db", cwd=tmp_path)

        assert refused.returncode == 1
        assert refused.stderr == (
            "tablekeeper: copy.db is there already: name another file, or add --overwrite.\n"
        )
        assert (tmp_path / "copy.db").read_text(encoding="utf-8") == "mine"
        assert tablekeeper("backup", "copy.db", "--overwrite", cwd=tmp_path).returncode == 0

    @pytest.mark.parametrize("is_cut", [False, True], ids=["words", "half a backup"])
    async def test_f_rel_09_a_damaged_backup_is_not_restored(self, tmp_path: Path, is_cut: bool) -> None:
        await self.make_database(tmp_path)
        assert tablekeeper("backup", "copy.db", cwd=tmp_path).returncode == 0
        content = (tmp_path / "copy.db").read_bytes()
        damaged = content[: len(content) // 2] if is_cut else b"no database at all" * 100
        (tmp_path / "copy.db").write_bytes(damaged)

        refused = tablekeeper("restore", "copy.db", cwd=tmp_path)

        assert refused.returncode == 1
        assert re.fullmatch(
            r"tablekeeper: copy\.db is damaged \(.*\): choose another backup\.\n", refused.stderr
        )
        assert await self.greeting(tmp_path) == "hello"

    def test_without_a_database_there_is_nothing_to_back_up(self, tmp_path: Path) -> None:
        refused = tablekeeper("backup", "copy.db", cwd=tmp_path)

        assert refused.returncode == 69
        assert refused.stderr == "tablekeeper: There is no database at tablekeeper.db.\n"


class TestCopies:
    def test_a_copy_says_how_far_it_is_and_what_to_do_then(self, tmp_path: Path) -> None:
        sample(tmp_path)

        copied = tablekeeper("copy", "sqlite:///tablekeeper.db", "sqlite:///copy.db", cwd=tmp_path)

        assert (copied.returncode, copied.stderr) == (0, "")
        lines = copied.stdout.splitlines()
        assert lines[0].startswith("Copying tablekeeper.db to copy.db: 1 server, ")
        assert [line.split()[0] for line in lines[1:4]] == ["Copied", "Compared:", "Replayed"]
        assert lines[-1] == "Done. Change database.url before you start the bot."
        again = tablekeeper("copy", "sqlite:///tablekeeper.db", "sqlite:///copy.db", cwd=tmp_path)
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == "tablekeeper: copy.db is not empty: name a new database to copy to.\n"

    def test_what_is_no_database_is_refused(self, tmp_path: Path) -> None:
        refused = tablekeeper("copy", "tablekeeper.db", "sqlite:///copy.db", cwd=tmp_path)

        assert refused.returncode == 69
        assert refused.stderr.startswith(
            "tablekeeper: The address of a database must be sqlite:/// and the name of a file, or like"
        )
        assert list(tmp_path.iterdir()) == []

    def test_a_copy_that_is_stopped_says_how_to_continue(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(copying, "copy_database", stop)

        with pytest.raises(SystemExit) as ended:
            main(words=["copy", "sqlite:///one.db", "sqlite:///other.db"])

        assert ended.value.code == 1
        assert capsys.readouterr().err == "tablekeeper: stopped; run the same command again to continue.\n"


class TestDoctor:
    def test_doctor_names_a_problem_with_what_to_do_and_exits_with_1(self, tmp_path: Path) -> None:
        looked = tablekeeper("doctor", cwd=tmp_path)

        assert looked.returncode == 1
        lines = looked.stdout.splitlines()
        assert lines[0] == "ok: settings: from the environment; there is no config.toml"
        assert lines[-1] == (
            "problem: token: discord.token is missing: set TABLEKEEPER_DISCORD__TOKEN "
            "(or discord.token_file); the playground needs none"
        )


async def looked(folder: Path, *, ahead_seconds: float = 0, **environment: str) -> list[str]:
    """Return the doctor's findings with these settings, as texts."""
    given = {"DATABASE__URL": f"sqlite:///{folder / 'table.db'}", **environment}
    settings = load(environment={f"TABLEKEEPER_{name}": value for name, value in given.items()})
    found = findings(settings, None, now=lambda: time.time() + ahead_seconds)
    return [str(finding) async for finding in found]


async def test_the_doctor_finds_nothing_wrong_with_a_sound_setup(local: LocalDiscord, tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN=local.token, DISCORD__API_URL=local.api_url)

    assert [line.split(":")[0:2] for line in lines] == [
        ["ok", " settings"],
        ["ok", " versions"],
        ["ok", " database"],
        ["ok", " token"],
        ["ok", " Discord"],
        ["ok", " clock"],
    ]


async def test_the_doctor_reports_a_refused_token(local: LocalDiscord, tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN="wrong", DISCORD__API_URL=local.api_url)

    assert "problem: Discord: the token was refused: create a new one on the Bot page and set it" in lines


async def test_the_doctor_reports_an_address_that_is_not_discords(
    local: LocalDiscord, tmp_path: Path
) -> None:
    local.fail_next("GET /gateway/bot", 404)

    lines = await looked(tmp_path, DISCORD__TOKEN=local.token, DISCORD__API_URL=local.api_url)

    assert f"problem: Discord: {local.api_url} answered 404: is this the right address?" in lines


async def test_the_doctor_reports_an_unreachable_address(tmp_path: Path) -> None:
    lines = await looked(tmp_path, DISCORD__TOKEN="x", DISCORD__API_URL="http://127.0.0.1:1")

    assert lines[-1].startswith("problem: Discord: http://127.0.0.1:1 can't be reached (")
    assert lines[-1].endswith("): check the network")


@pytest.mark.parametrize(("ahead_seconds", "side"), [(100, "ahead of"), (-100, "behind")])
async def test_the_doctor_reports_a_wrong_clock(
    local: LocalDiscord, tmp_path: Path, ahead_seconds: float, side: str
) -> None:
    lines = await looked(
        tmp_path,
        ahead_seconds=ahead_seconds,
        DISCORD__TOKEN=local.token,
        DISCORD__API_URL=local.api_url,
    )

    assert f"s {side} Discord's: synchronize it (NTP)" in lines[-1]


async def test_the_doctor_reports_a_missing_folder(tmp_path: Path) -> None:
    lines = await looked(tmp_path / "missing")

    assert lines[2].startswith("problem: database: The folder ")


async def test_the_doctor_reports_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_text("a shopping list", encoding="utf-8")

    lines = await looked(tmp_path)

    assert lines[2].startswith("problem: database: ")


def a_server(number: int) -> discord.Guild:
    return cast(discord.Guild, discord.Object(number))


async def test_the_bot_is_ready_without_waiting_for_servers_that_nobody_announced(tmp_path: Path) -> None:
    store = await open_store(prepared_file(tmp_path))
    table = Table(store=store, games=rulesets(), now=lambda: 0, new_secret=Secrets())
    async with LocalDiscord(deadline_seconds=60) as local:
        servers = {local.add_server(name).id for name in ("The Manor", "Elsewhere")}
        settings = DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url, emojis=False)
        address_discord(settings)
        async with Tablekeeper(settings, table, pace=replace(QUICK, unlisted_server_seconds=3600)) as bot:
            running = asyncio.create_task(bot.start(local.token))
            await bot.wait_until_ready()
            listed = {server.id: server.unavailable for server in bot.guilds}
            await bot.close()
            await asyncio.gather(running, return_exceptions=True)
    await store.close()

    assert listed == dict.fromkeys(servers, False)


async def test_every_announced_server_is_waited_for() -> None:
    servers = AnnouncedServers({1, 2})
    servers.put_nowait(a_server(2))
    servers.put_nowait(a_server(3))

    assert [(await servers.get()).id for _ in range(2)] == [2, 3]
    waiting = asyncio.create_task(servers.get())
    await asyncio.sleep(0)
    assert not waiting.done()

    servers.put_nowait(a_server(1))
    assert (await waiting).id == 1
    with pytest.raises(TimeoutError):
        await servers.get()


async def test_a_server_that_came_after_the_last_announced_one_is_not_left_out() -> None:
    servers = AnnouncedServers({1})
    servers.put_nowait(a_server(1))
    servers.put_nowait(a_server(2))

    assert [(await servers.get()).id for _ in range(2)] == [1, 2]
