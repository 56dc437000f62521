"""Everything ``tablekeeper play`` starts: the local Discord, the page, and the real bot as a process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import webbrowser
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from aiohttp import web
from msgspec import Struct

from bot.app.config import Exit, Unavailable
from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.payloads import ConnectionChanged, Event
from bot.playground.page import Page, gather, shipped_scenes
from bot.store.database_files import SCHEME, held, set_aside

FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 1.0, 30.0
SETTLED_SECONDS = 60.0
CLOSING_SECONDS = 15.0
HOPELESS = (Exit.CONFIG, Exit.USAGE)


class BotProcess:
    """Keeps the bot running.

    Attributes:
        cannot_start: Whether it ended in a way that starting it again cannot mend.
        starts: How often it was started.
    """

    def __init__(
        self,
        *,
        command: Sequence[str],
        environment: Mapping[str, str],
        say: Callable[[str], None],
        on_gone: Callable[[str], None],
        first_wait_seconds: float = FIRST_WAIT_SECONDS,
    ) -> None:
        """Prepare the process.

        Args:
            command: What to run.
            environment: Its whole environment.
            say: Where lines for the operator go.
            on_gone: Hears a sentence for the page when the bot is gone.
            first_wait_seconds: How long to wait before the first new start; it doubles up to half a minute.
        """
        self._command = command
        self._environment = environment
        self._say = say
        self._on_gone = on_gone
        self._first_wait_seconds = first_wait_seconds
        self.cannot_start = False
        self.starts = 0

    async def keep_running(self, ending: asyncio.Event) -> None:
        """Run the bot until *ending* is set, or until it is clear that it cannot start."""
        loop = asyncio.get_running_loop()
        told_to_end = asyncio.create_task(ending.wait())
        wait_seconds = self._first_wait_seconds
        try:
            while not ending.is_set():
                started_at = loop.time()
                code = await self._run_once(told_to_end)
                if code is None or ending.is_set():
                    return
                if code in HOPELESS:
                    self.cannot_start = True
                    self._gone(f"The bot cannot start (exit code {code}).")
                    return
                if loop.time() - started_at > SETTLED_SECONDS:
                    wait_seconds = self._first_wait_seconds
                self._gone(
                    f"The bot ended by itself ({_how(code)}). It is started again in {wait_seconds:g} s."
                )
                await asyncio.wait({told_to_end}, timeout=wait_seconds)
                wait_seconds = min(wait_seconds * 2, LONGEST_WAIT_SECONDS)
        finally:
            told_to_end.cancel()

    async def _run_once(self, told_to_end: asyncio.Task[bool]) -> int | None:
        """Run the process once.

        Returns:
            Its exit code if it ended by itself; None if it was stopped.
        """
        # A session of its own (on Windows a group): Ctrl-C reaches only us, and the bot ends while its
        # Discord is still there.
        process = await asyncio.create_subprocess_exec(
            *self._command,
            env=dict(self._environment),
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.starts += 1
        ended = asyncio.create_task(process.wait())
        try:
            await asyncio.wait({ended, told_to_end}, return_when=asyncio.FIRST_COMPLETED)
            return ended.result() if ended.done() else None
        finally:
            await self._stop(process, ended)

    async def _stop(self, process: Process, ended: asyncio.Task[int]) -> None:
        if ended.done():
            return
        process.terminate()
        await asyncio.wait({ended}, timeout=CLOSING_SECONDS)
        if not ended.done():
            self._say(f"The bot did not end within {CLOSING_SECONDS:g} s and was stopped hard.")
            process.kill()
            await ended

    def _gone(self, sentence: str) -> None:
        self._say(sentence)
        self._on_gone(sentence)


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


LOOPBACK = "127.0.0.1"
STOPPING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
OURS = "TABLEKEEPER_DISCORD__"


class PlayOptions(Struct, frozen=True):
    """The options of ``tablekeeper play``."""

    port: int  # the page's port; a free one is taken when it is in use
    database_url: str  # the playground's own database
    config: Path | None = None  # the settings file the bot reads as well
    is_opened: bool = False  # whether to open the page in the browser
    is_fresh: bool = False  # whether to begin with nothing; what was played before is put aside


async def play(
    options: PlayOptions, say: Callable[[str], None], stopping: asyncio.Event | None = None
) -> None:
    """Play until told to stop (Ctrl-C, SIGTERM, or *stopping*).

    Args:
        options: How to play.
        say: Where lines for the operator go.
        stopping: Set from elsewhere to end it.

    Raises:
        Unavailable: The bot cannot start with these settings; starting it again would not help.
    """
    ending = stopping or asyncio.Event()
    with stopped_by_signals(ending):
        bot = await _play(options, say, ending)
    say("The playground has ended.")
    if bot.cannot_start:
        raise Unavailable("the bot cannot start; what it said is above")


async def _play(options: PlayOptions, say: Callable[[str], None], ending: asyncio.Event) -> BotProcess:
    with own_database(options.database_url, say, is_fresh=options.is_fresh) as database_url:
        return await _play_in(database_url, options, say, ending)


async def _play_in(
    database_url: str, options: PlayOptions, say: Callable[[str], None], ending: asyncio.Event
) -> BotProcess:
    async with LocalDiscord() as discord:
        page = Page(discord, gather(discord), shipped_scenes())
        async with served(page.app, options.port) as port:
            _announce(port, options, say)
            discord.listen(_connection_teller(say))
            bot = BotProcess(
                command=bot_command(options.config),
                environment=bot_environment(os.environ, discord, database_url),
                say=say,
                on_gone=lambda sentence: page.audience.bot_is(online=False, sentence=sentence),
            )
            await bot.keep_running(ending)
        for breach in discord.breaches:
            say(f"Against Discord's rules: {breach}")
    return bot


@contextmanager
def own_database(url: str, say: Callable[[str], None], *, is_fresh: bool = False) -> Iterator[str]:
    """A database for this playground alone (numbered if the named one is in use); yields its URL.

    Args:
        say: Where lines for the operator go.
        is_fresh: Whether what is in it is put aside before.
    """
    path = Path(url.removeprefix(SCHEME))
    if not url.startswith(SCHEME) or not path.parent.is_dir():
        yield url  # the bot says what is wrong with it
        return
    with ExitStack() as stack:
        number, own = 1, path
        while not stack.enter_context(held(own)):
            number += 1
            own = path.with_stem(f"{path.stem}-{number}")
        if own != path:
            say(f"Another playground plays in {path}; this one plays in {own}.")
        kept = set_aside(own) if is_fresh else None
        if kept is not None:
            say(f"What was played before is kept as {kept}.")
        yield f"{SCHEME}{own}"


@asynccontextmanager
async def served(app: web.Application, port: int) -> AsyncIterator[int]:
    """Serve the page on loopback at *port*, or at a free port if that one is taken; yields the port."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, LOOPBACK, port).start()
        except OSError:
            await web.TCPSite(runner, LOOPBACK, 0).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def bot_command(config: Path | None) -> list[str]:
    """The command that starts the real bot, tied to this process's lifetime where the system can."""
    given = ["--config", str(config)] if config is not None else []
    # Windows can't replace a process by another: with a leash the bot would seem to have ended at once.
    leash = [] if sys.platform == "win32" else ["-m", "bot.playground.page"]
    return [sys.executable, *leash, "-m", "bot", "run", *given]


def bot_environment(
    environment: Mapping[str, str], discord: LocalDiscord, database_url: str
) -> dict[str, str]:
    """The environment that points the bot to the local Discord, whatever its settings say."""
    kept = {name: value for name, value in environment.items() if not name.upper().startswith(OURS)}
    return kept | {
        f"{OURS}TOKEN": discord.token,
        f"{OURS}API_URL": discord.api_url,
        f"{OURS}GATEWAY_URL": discord.gateway_url,
        "TABLEKEEPER_DATABASE__URL": database_url,
    }


def _announce(port: int, options: PlayOptions, say: Callable[[str], None]) -> None:
    address = f"http://{LOOPBACK}:{port}/"
    if options.port not in (0, port):
        say(f"Port {options.port} is taken; port {port} is free.")
    say(f"The playground: {address}  (Ctrl-C ends it)")
    if options.is_opened:
        webbrowser.open(address)


def _connection_teller(say: Callable[[str], None]) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        if isinstance(event, ConnectionChanged) and event.is_connected:
            say("The bot is connected.")

    return tell


@contextmanager
def stopped_by_signals(ending: asyncio.Event) -> Iterator[None]:
    """Set *ending* on a signal, also where the loop has no signal handlers, as on Windows."""
    loop = asyncio.get_running_loop()
    numbers = [getattr(signal, name) for name in STOPPING_SIGNALS if hasattr(signal, name)]
    before = {
        number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(ending.set)) for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
