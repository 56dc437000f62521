"""A local Discord with people, and the real bot as a process of its own.

``Table`` is what the ``table`` fixture gives; ``open_table`` makes one with other settings.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from bot.app.pace import Pace
from bot.playground.discord import EVERYONE, LocalDiscord, Member, Permission
from bot.playground.discord.message_limits import embed_texts
from bot.playground.discord.payloads import Event, MessageCreated, MessageUpdated, Payload, walk_components
from bot.store.database_files import path_of
from bot.ui.text.roll_text import PAGE_LINES, TALLEST_REPLY, height
from tests.e2e.prepared import PreparedProcess, can_prepare
from tests.paces import QUICK

RECAP = r"\W*Session \d+ ended"  # read after the evening, so it may be as long as a page

_NAMED = (
    (r"</([^:>]+):\d+>", r"/\1"),
    (r"<(?:@[!&]?|#)\d+>", "@somebody"),
    (r"<t:\d+(?::\w)?>", "22 November"),
)


def shown_text(message: Payload) -> str:
    """Return the text of a message as people see it, without its buttons."""
    texts = [message.get("content") or ""]
    for embed in message.get("embeds") or []:
        texts += embed_texts(embed)
    texts += [component.get("content") or "" for component in walk_components(message.get("components"))]
    text = "\n".join(text for text in texts if text)
    for pattern, shown in _NAMED:
        text = re.sub(pattern, shown, text)
    return text


def most_lines(message: Payload) -> int:
    """Return how many lines a message may take."""
    texts = [one["content"] for one in walk_components(message.get("components")) if one.get("content")]
    is_page = len(texts) > 1 or (texts[:1] and texts[0].startswith("### "))
    return PAGE_LINES if is_page or re.match(RECAP, shown_text(message)) else TALLEST_REPLY


class PublicMessages:
    """Reads along with everything the bot shows to whole channels.

    Attributes:
        too_tall: The texts that take more lines than they may.
    """

    def __init__(self, discord: LocalDiscord) -> None:
        self.too_tall: list[str] = []
        discord.listen(self._read)

    def _read(self, event: Event) -> None:
        if not isinstance(event, MessageCreated | MessageUpdated) or event.visible_to is not None:
            return
        message, text = event.message, shown_text(event.message)
        if message["author"].get("bot") and height([text]) > most_lines(message):
            self.too_tall.append(f"{height([text])} lines: {text}")


REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120.0  # for whatever has to happen; a busy machine is slow, not wrong
COMMAND_SECONDS = 30.0  # for a command that has to be registered; this is what a wrong test waits
LOG_TAIL = 4000


class BotProcess:
    """``python -m bot run`` in a process of its own, with its log.

    Args:
        discord: The Discord it connects to.
        folder: Where it runs and stores its database and log.
        settings: Additional settings, such as ``{"SESSION__IDLE_HOURS": "1"}``.
        code: Where the packages `bot` and `cogs` are.
        database: The address of its database; by default it is a file in its folder.
        is_cold: Whether it starts as on an operator's machine, with nothing imported yet.
        pace: How long it waits for what, unless it starts so.
    """

    def __init__(
        self,
        discord: LocalDiscord,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        code: Path = REPOSITORY,
        *,
        database: str | None = None,
        is_cold: bool = False,
        pace: Pace = QUICK,
    ) -> None:
        self._code = code
        self._pace = pace
        self._is_cold = is_cold or code != REPOSITORY or not can_prepare()
        self.discord = discord
        self.database = database or f"sqlite:///{folder / 'table.db'}"
        self.settings = dict(settings or {})
        self._folder = folder
        self._log = folder / "bot.log"
        self._before = 0  # characters of the log that an earlier start has written
        self._process: asyncio.subprocess.Process | PreparedProcess | None = None

    @property
    def database_file(self) -> Path:
        """The file of its database, if that is SQLite's."""
        return path_of(self.database)

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self._process is not None
        return self._process.pid

    @property
    def log_text(self) -> str:
        """Everything it wrote to standard output and standard error since its first start."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def log(self) -> list[dict[str, Any]]:
        """Its log lines since it was started last, parsed."""
        lines = self.log_text[self._before :].splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    async def launch(self) -> None:
        """Start the process without waiting until it is ready."""
        assert not self.is_running, "the bot runs already"
        self._before = len(self.log_text)
        if not self._is_cold:
            self._process = PreparedProcess(self._folder, self._environment(), self._log, self._pace)
            return
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                "run",
                cwd=self._folder,
                env=self._environment(),
                stdout=log,
                stderr=log,
            )

    async def start(self) -> None:
        """Start the process and wait until it is connected and its commands are registered."""
        await self.launch()
        assert self._process is not None
        ending = asyncio.create_task(self._process.wait())
        standing = asyncio.create_task(self.discord.until(self._is_ready, PATIENCE_SECONDS))
        try:
            await asyncio.wait({ending, standing}, return_when=asyncio.FIRST_COMPLETED)
            assert not ending.done(), (
                f"the bot ended with {self._process.returncode}:\n{self.log_text[-LOG_TAIL:]}"
            )
            assert standing.exception() is None, f"the bot did not connect:\n{self.log_text[-LOG_TAIL:]}"
        finally:
            ending.cancel()
            standing.cancel()

    async def stop(self) -> int:
        """Stop it with SIGTERM and wait.

        Returns:
            Its exit code.
        """
        return await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """Kill it at once with SIGKILL, whatever it is doing."""
        await self._end(signal.SIGKILL)

    async def restart(self) -> None:
        """Stop it cleanly and start it again on the same database."""
        assert await self.stop() == 0, f"the bot did not end well:\n{self.log_text[-LOG_TAIL:]}"
        await self.start()

    def _is_ready(self) -> bool:
        return self.discord.gateway.is_connected and bool(self.discord.commands)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        gateway = self.discord.gateway
        before = {id(each.connection): each.connection for each in gateway.sessions if each.connection}
        if self._process.returncode is None:
            self._process.send_signal(how)
        try:
            code = await asyncio.wait_for(self._process.wait(), PATIENCE_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
            raise AssertionError(f"the bot did not end on {how.name}:\n{self.log_text[-LOG_TAIL:]}") from None
        # Another bot may be connected anew at once.
        await self.discord.until(
            lambda: (
                not gateway.is_connected or before.keys() - {id(each.connection) for each in gateway.sessions}
            )
        )
        return code

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TABLEKEEPER_")}
        ours = {
            "DISCORD__TOKEN": self.discord.token,
            "DISCORD__API_URL": self.discord.api_url,
            "DISCORD__GATEWAY_URL": self.discord.gateway_url,
            "DISCORD__EDIT_SECONDS": "0.05",
            "DISCORD__EMOJIS": "false",
            "DISCORD__ALL_COMMANDS": "true",
            "DATABASE__URL": self.database,
            "LOG__FORMAT": "json",
            **self.settings,
        }
        named = {f"TABLEKEEPER_{name}": value for name, value in ours.items()}
        return inherited | {"PYTHONPATH": str(self._code), "PYTHONUNBUFFERED": "1"} | named


class Room:
    """Two servers of a bot that goes on as it is, and the people there.

    Args:
        discord: Where they are.
        database: The address of the bot's database.

    Attributes:
        server: Where the game is played; ``gm`` (has Manage Server), ``alice`` and ``bob`` are there.
        elsewhere: Another server the bot is in; ``stranger`` is there.
    """

    def __init__(self, discord: LocalDiscord, database: str) -> None:
        self.discord = discord
        self.database = database
        self.server = discord.add_server("The Manor")
        self.elsewhere = discord.add_server("Another House")
        self.gm: Member = self.server.add_member("Gwen", EVERYONE | Permission.MANAGE_SERVER)
        self.alice: Member = self.server.add_member("Alice")
        self.bob: Member = self.server.add_member("Bob")
        self.stranger: Member = self.elsewhere.add_member("Stranger")


class Table(Room, BotProcess):
    """The bot, which may be stopped and set up otherwise, and the people around the table."""

    def __init__(
        self,
        discord: LocalDiscord,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        code: Path = REPOSITORY,
        *,
        database: str | None = None,
        is_cold: bool = False,
        pace: Pace = QUICK,
    ) -> None:
        BotProcess.__init__(
            self, discord, folder, settings, code, database=database, is_cold=is_cold, pace=pace
        )
        Room.__init__(self, discord, self.database)
        self.public_messages = PublicMessages(discord)
        self._expected_breaches: list[str] = []
        self._expected_traces: list[str] = []

    def expect_breach(self, fragment: str) -> None:
        """Expect a breach with these words: the test provokes it."""
        self._expected_breaches.append(fragment)

    def expect_trace(self, fragment: str) -> None:
        """Expect an exception in a log line with these words."""
        self._expected_traces.append(fragment)

    def assert_clean(self) -> None:
        """Assert that nothing unexpected happened.

        That is: no breach of Discord's rules, no exception, and no public message too tall for a phone.
        """
        breaches = [
            breach
            for breach in self.discord.breaches
            if not any(fragment in breach for fragment in self._expected_breaches)
        ]
        assert breaches == []
        traces = [
            line
            for line in self.log_text.split("\n")
            if "Traceback (most recent call last)" in line
            and not any(fragment in line for fragment in self._expected_traces)
        ]
        assert traces == []
        assert self.public_messages.too_tall == []


@contextlib.asynccontextmanager
async def open_table(
    folder: Path,
    *,
    spec: Path | None = None,
    database: str | None = None,
    settings: Mapping[str, str] | None = None,
    code: Path = REPOSITORY,
    edit_seconds: float = 0.0,
    rate_limits: bool = False,
    is_cold: bool = False,
    pace: Pace = QUICK,
    before: Callable[[Table], None] | None = None,
) -> AsyncIterator[Table]:
    """Open a table, start the bot, and assert at the end that everything was clean.

    Args:
        folder: Where the bot runs.
        spec: Discord's API description; every request is checked against it.
        database: The address of its database; by default it is a file in its folder.
        settings: Additional settings.
        code: Where the packages `bot` and `cogs` are.
        edit_seconds: How long Discord takes for each edit of a message.
        rate_limits: Whether Discord rate-limits the bot.
        is_cold: Whether the bot starts as on an operator's machine, with nothing imported yet.
        pace: How long the bot waits for what, unless it starts so.
        before: What is done before the bot starts.
    """
    async with LocalDiscord(
        spec=spec,
        deadline_seconds=PATIENCE_SECONDS,
        patience_seconds=PATIENCE_SECONDS,
        command_seconds=COMMAND_SECONDS,
        edit_seconds=edit_seconds,
        rate_limits=rate_limits,
    ) as discord:
        table = Table(discord, folder, settings, code, database=database, is_cold=is_cold, pace=pace)
        if before is not None:
            before(table)
        await table.start()
        try:
            yield table
        except BaseException:
            await table.kill()
            raise
        if table.is_running:
            assert await table.stop() == 0, f"the bot did not end well:\n{table.log_text[-LOG_TAIL:]}"
        table.assert_clean()
