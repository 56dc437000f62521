"""The bot on a local Discord: what it loads and syncs, how it fails, and how it ends."""

import asyncio
import re
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any, NoReturn

import pytest
import structlog
from pydantic import SecretStr

import cogs
from bot.app import logs
from bot.app.client import cog_modules, intents
from bot.app.config import ConfigError, Settings, Unavailable, load
from bot.app.serve import serve
from bot.playground.discord import LocalDiscord, Member, Server
from tests.paces import QUICK
from tests.ports import free_port

PROBE = '''
"""A cog to try the client with."""

import asyncio

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.errors import UserError


class Probe(commands.GroupCog, group_name="probe", group_description="Tries the client."):
    @app_commands.command(description="Answers {word}.")
    async def ping(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("{word}")

    @app_commands.command(description="Answers when the bot is to stop.")
    async def slow(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        while interaction.client.traffic.is_open:
            await asyncio.sleep(0.01)
        await interaction.followup.send("at last")

    @app_commands.command(description="Breaks a rule.")
    async def mistake(self, interaction: discord.Interaction) -> None:
        raise UserError("You have no *points* left.", "They come back tomorrow.")

    @app_commands.command(description="Fails.")
    async def bug(self, interaction: discord.Interaction) -> None:
        raise RuntimeError("the dice rolled under the table")

    @app_commands.command(description="Shows a button.")
    async def button(self, interaction: discord.Interaction) -> None:
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="Old", custom_id="forgotten:7:x"))
        view.add_item(discord.ui.Button(label="Odd", custom_id="no id of ours"))
        view.stop()
        await interaction.response.send_message("press", view=view)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Probe())
'''


class LogBook:
    """Every line that is logged, with what is bound to it; a structlog processor."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._written = asyncio.Event()

    def __call__(self, _: object, __: str, line: MutableMapping[str, Any]) -> NoReturn:
        self.lines.append(dict(line))
        self._written.set()
        raise structlog.DropEvent

    async def until_told(self, beginning: str) -> None:
        async with asyncio.timeout(60):
            while not any(line["event"].startswith(beginning) for line in self.lines):
                self._written.clear()
                await self._written.wait()


@pytest.fixture
async def log_book() -> AsyncIterator[LogBook]:
    book = LogBook()
    structlog.configure(processors=[logs.with_course, book])
    yield book
    structlog.reset_defaults()


class Running:
    """The bot in this process, and what it logged."""

    def __init__(self, local: LocalDiscord, settings: Settings, log_book: LogBook) -> None:
        self.local = local
        self.settings = settings
        self.log_book = log_book
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._stop.clear()
        self._task = asyncio.create_task(serve(self.settings, SecretStr(self.local.token), self._stop, QUICK))
        await self.local.connected()
        await self.log_book.until_told("commands")

    def stop(self) -> None:
        self._stop.set()

    async def ended(self) -> None:
        assert self._task is not None
        await self._task

    def told(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.log_book.lines if line["event"] == event]

    def syncs(self) -> int:
        return len([request for request in self.local.requests if request.method == "PUT"])


@pytest.fixture
def put_cog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a function that puts the probe into the only folder searched for cogs."""
    folder = tmp_path / "cogs"
    folder.mkdir()
    monkeypatch.setattr(cogs, "__path__", [str(folder)])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def put(word: str = "pong") -> None:
        sys.modules.pop("cogs.probe", None)
        (folder / "probe.py").write_text(PROBE.replace("{word}", word), encoding="utf-8")

    yield put
    sys.modules.pop("cogs.probe", None)


def settings_for(local: LocalDiscord, tmp_path: Path) -> Settings:
    return load(
        environment={
            "TABLEKEEPER_DISCORD__API_URL": local.api_url,
            "TABLEKEEPER_DISCORD__GATEWAY_URL": local.gateway_url,
            "TABLEKEEPER_DATABASE__URL": f"sqlite:///{tmp_path / 'table.db'}",
        }
    )


@pytest.fixture
def server(local: LocalDiscord) -> Server:
    return local.add_server("The Manor")


@pytest.fixture
def alice(server: Server) -> Member:
    return server.add_member("Alice")


@pytest.fixture
async def bot(
    local: LocalDiscord, server: Server, put_cog: Callable[[str], None], tmp_path: Path, log_book: LogBook
) -> AsyncIterator[Running]:
    put_cog("pong")
    running = Running(local, settings_for(local, tmp_path), log_book)
    await running.start()
    yield running
    running.stop()
    await running.ended()
    assert local.breaches == []


class TestConnecting:
    def test_the_bot_listens_only_to_servers_events_and_voice(self) -> None:
        listened = {name for name, is_on in intents() if is_on}

        assert listened == {"guilds", "guild_scheduled_events", "voice_states"}

    def test_every_cog_of_the_package_is_found(self, put_cog: Callable[[str], None]) -> None:
        put_cog("pong")

        assert cog_modules() == ["cogs.probe"]

    async def test_the_bot_reconnects_and_goes_on(self, bot: Running, alice: Member) -> None:
        await bot.local.drop_connections(resumable=True)
        await bot.local.connected()

        assert (await alice.slash("probe ping")).text == "pong"


class TestSyncing:
    async def test_commands_are_synced_at_the_first_start(self, bot: Running) -> None:
        assert bot.syncs() == 1
        assert [command["name"] for command in bot.local.commands] == ["probe"]

    async def test_unchanged_commands_are_not_synced_again(self, bot: Running) -> None:
        await restart(bot)

        assert bot.syncs() == 1

    async def test_a_changed_description_is_synced(
        self, bot: Running, put_cog: Callable[[str], None]
    ) -> None:
        await restart(bot, lambda: put_cog("ding"))

        assert bot.syncs() == 2

    async def test_commands_missing_at_discord_are_synced_again(self, bot: Running) -> None:
        await restart(bot, lambda: bot.local.registry.everywhere.clear())

        assert bot.syncs() == 2


async def restart(bot: Running, meanwhile: Callable[[], None] = lambda: None) -> None:
    bot.stop()
    await bot.ended()
    meanwhile()
    bot.log_book.lines.clear()
    await bot.start()


class TestAnswering:
    async def test_each_interaction_has_one_log_line_with_its_ids(self, bot: Running, alice: Member) -> None:
        answer = await alice.slash("probe ping")

        assert answer.text == "pong"
        await bot.log_book.until_told("interaction")
        (line,) = bot.told("interaction")
        assert line["command"] == "/probe ping"
        assert line["outcome"] == "answered"
        assert line["milliseconds"] > 0
        assert line["interaction"] == str(answer.interaction.id)
        assert line["server"] == str(alice.server.id)
        assert line["person"] == str(alice.id)

    async def test_a_user_error_is_told_only_to_the_person(self, bot: Running, alice: Member) -> None:
        answer = await alice.slash("probe mistake")

        assert answer.ephemeral
        assert r"You have no \*points\* left. They come back tomorrow." in answer.text
        await bot.log_book.until_told("interaction")
        assert bot.told("interaction")[0]["outcome"] == "mistake"

    async def test_a_bug_is_answered_and_logged_with_the_same_id(self, bot: Running, alice: Member) -> None:
        answer = await alice.slash("probe bug")

        assert answer.ephemeral
        assert "Nothing was changed" in answer.text
        await bot.log_book.until_told("interaction")
        (line,) = bot.told("bug")
        assert line["interaction"] in answer.text
        assert bot.told("interaction")[0]["outcome"] == "bug"

    @pytest.mark.parametrize("label", ["Old", "Odd"])
    async def test_a_button_of_an_older_version_is_answered(
        self, bot: Running, alice: Member, label: str
    ) -> None:
        shown = await alice.slash("probe button")

        answer = await alice.press(shown, label)

        assert answer.ephemeral
        assert "older version" in answer.text


class TestEnding:
    async def test_a_command_in_progress_is_finished_before_the_end(
        self, bot: Running, alice: Member
    ) -> None:
        asking = asyncio.create_task(alice.slash("probe slow"))
        await bot.local.until(lambda: any("/callback" in request.path for request in bot.local.requests))

        bot.stop()
        await bot.ended()

        assert (await asking).text == "at last"
        assert bot.told("stopping")[0]["under_way"] == 1
        assert bot.told("unfinished commands") == []


class TestRefusals:
    async def test_a_wrong_token_is_reported_in_one_line(self, local: LocalDiscord, tmp_path: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            await serve(settings_for(local, tmp_path), SecretStr("wrong"), asyncio.Event(), QUICK)

        assert caught.value.lines == (
            "config: discord.token was refused by Discord; copy it again from the Bot page",
        )

    async def test_a_permanent_refusal_ends_the_start(self, local: LocalDiscord, tmp_path: Path) -> None:
        local.fail_next("GET /users/@me", 403)

        with pytest.raises(Unavailable, match="Discord refuses the bot: 403"):
            await serve(settings_for(local, tmp_path), SecretStr(local.token), asyncio.Event(), QUICK)

    async def test_the_start_is_retried_while_discord_is_unreachable(
        self, put_cog: Callable[[str], None], tmp_path: Path, log_book: LogBook
    ) -> None:
        put_cog("pong")
        local = LocalDiscord(port=free_port(), deadline_seconds=60, patience_seconds=60)
        bot = Running(local, settings_for(local, tmp_path), log_book)
        starting = asyncio.create_task(bot.start())
        await log_book.until_told("cannot reach Discord")
        async with local:
            await starting
            bot.stop()
            await bot.ended()

        assert bot.told("cannot reach Discord")[0]["retry_seconds"] == QUICK.reconnect_seconds


class TestWhatIsLoaded:
    def test_a_start_loads_neither_own_games_nor_what_only_gms_session_ends_or_several_processes_need(
        self,
    ) -> None:
        """F-PERF-11: pictures are drawn by what no cog loads either."""
        program = textwrap.dedent("""
            import importlib, sys
            import bot.app.serve
            from bot.app.client import cog_modules
            from bot.rules import rulesets
            games = {f"cogs.{game.command}" for game in rulesets().covers}
            for name in set(cog_modules()) - games:
                importlib.import_module(name)
            late = ("bot.rules.own.", "bot.table.own_", "bot.table.journal.verify", "bot.store.copying.")
            late += ("bot.table.gm.desk", "bot.table.gm.gm_secrets", "bot.table.gm.waiting")
            late += ("bot.table.campaigns.bestiary", "bot.table.campaigns.modules")
            late += ("bot.table.campaigns.prepared_encounters", "bot.table.encounters.prepared_fights")
            late += ("bot.table.requests.asking_page", "bot.table.requests.requested_checks")
            late += ("bot.table.sessions.endings", "bot.table.journal.log", "bot.table.journal.recap")
            late += ("bot.table.journal.recap", "bot.cluster.")
            assert [name for name in sys.modules if name.startswith(late)] == []
            for name in games:
                importlib.import_module(name)
            assert "PIL" not in sys.modules
        """)
        done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=False)

        assert done.returncode == 0


async def logged(program: str) -> bytes:
    """What a program writes to its log."""
    done = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        textwrap.dedent(program),
        cwd=Path(__file__).parents[2],
        stderr=asyncio.subprocess.PIPE,
    )
    _, written = await done.communicate()
    return written


class TestLines:
    async def test_log_lines_hold_no_tokens_and_no_connection_tracebacks(
        self, local: LocalDiscord, tmp_path: Path
    ) -> None:
        written = await logged("""
            import aiohttp, logging, structlog
            from bot.app import logs
            from bot.app.config import LogSettings
            logs.configure(LogSettings(level="debug", format="json"), secret="the.secret.token")
            logging.getLogger("discord.http").warning("POST %s", "/webhooks/12/aW50ZXJhY3Rpb24/messages")
            try:
                raise ConnectionRefusedError(111, "Connect call failed")
            except OSError:
                logging.getLogger("discord.shard").exception("Attempting a reconnect in %ss", 2)
            tree = logging.getLogger("discord.app_commands.tree")
            for trouble in (aiohttp.ClientError("Unknown interaction"), OSError("full")):
                try:
                    raise trouble
                except Exception:
                    tree.exception("Ignoring exception in %r", "roll")
            structlog.get_logger().info("login", token="the.secret.token")
            try:
                raise ValueError("the.secret.token")
            except ValueError:
                structlog.get_logger().exception("bug")
        """)

        assert written.count(b"\n") == 6
        assert b"Attempting a reconnect in 2s ([Errno 111] Connect call failed)" in written
        assert b"Ignoring exception in 'roll' (Unknown interaction)" in written
        assert re.findall(rb'"exc_type": "(\w+)"', written) == [b"OSError", b"ValueError"]
        assert b"the.secret.token" not in written
        assert b"aW50ZXJhY3Rpb24" not in written
        assert b"/webhooks/12/" in written

    async def test_a_lost_database_is_told_once_a_minute_for_each_sort_of_trouble(self) -> None:
        written = await logged("""
            import logging
            from bot.app import logs
            from bot.app.config import LogSettings
            logs.configure(LogSettings(format="text"))
            pool = logging.getLogger("psycopg.pool")
            for number in range(9):
                pool.warning("error connecting in %r: %s", "pool", "refused")
                pool.warning("discarding closed connection: %s", number)
                logging.getLogger("asyncio").warning("slow")
        """)

        assert written.count(b"error connecting in 'pool': refused") == 1
        assert written.count(b"discarding closed connection: 0") == 1
        assert written.count(b"slow") == 9
        assert written.count(b"\n") == 11

    async def test_a_line_of_text_names_the_interaction_and_quotes_what_has_spaces(self) -> None:
        written = await logged("""
            import logging, structlog
            from bot.app import logs
            from bot.app.config import LogSettings
            logs.configure(LogSettings(format="text"))
            with logs.begun(logs.Course({"interaction": "7", "server": None})):
                structlog.get_logger().info("interaction", command="/maid check", milliseconds=2.5, who="Ada")
            logging.getLogger("discord.shard").warning("lost")
            try:
                raise ValueError("odd")
            except ValueError:
                structlog.get_logger().exception("bug")
        """)

        moment, _, first = written.decode().partition(" ")
        lines = first.splitlines()
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)
        assert lines[0] == (
            "[info     ] interaction interaction=7 server=None command='/maid check' milliseconds=2.5 who=Ada"
        )
        assert lines[1].endswith(" [warning  ] lost logger=discord.shard")
        assert lines[2].endswith(" [error    ] bug")
        assert lines[-1] == "ValueError: odd"
