"""Run the bot from its start to a clean end, whatever Discord does in between."""

import asyncio
import secrets
import signal
import sys
import time
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.app.client import Tablekeeper, address_discord
from bot.app.config import ConfigError, Unavailable, is_postgres, without_secrets
from bot.app.monitoring import DatabaseHealth, monitored
from bot.cluster import shard_locks
from bot.rules import rulesets
from bot.store.connection import StoreUnavailable
from bot.store.database_files import used_by_one_bot
from bot.store.records import ServerId
from bot.store.transaction import open_store
from bot.table.base.table import Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pydantic import SecretStr

    from bot.app.config import Settings
    from bot.app.pace import Pace
    from bot.cluster.shard_holder import Locks
    from bot.store.transaction import Store

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NO_SERVER = ServerId(0)
REFUSED_TOKEN, WRONG_SHARDS = 4004, (4010, 4011)


async def serve(settings: "Settings", token: "SecretStr", stop: asyncio.Event, pace: "Pace") -> None:
    """Run the bot until it is told to stop.

    Args:
        stop: Set to end it; commands in progress are finished first.

    Raises:
        ConfigError: Discord refuses the token or the shards, or a port can't be used.
        Unavailable: The database can't be used, or Discord refuses the bot for another reason.
    """
    address_discord(settings.discord)
    log.info("starting", database=without_secrets(settings.database.url), api=settings.discord.api_url)
    async with _opened(settings.database.url, pace) as store:
        await _serve_table(settings, token, _table(settings, store), stop, pace)
    log.info("stopped")


async def serve_until_signalled(settings: "Settings", token: "SecretStr", pace: "Pace") -> None:
    """Run the bot until SIGTERM or Ctrl-C; a second one ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def on_signal() -> None:
        stop.set()
        for number in signals:
            loop.remove_signal_handler(number)

    if sys.platform != "win32":  # there, Ctrl-C cancels the main task instead
        for number in signals:
            loop.add_signal_handler(number, on_signal)
    await serve(settings, token, stop, pace)


@asynccontextmanager
async def _opened(url: str, pace: "Pace") -> "AsyncIterator[Store]":
    """Keep the database open, for this bot alone if it is a file; close it at the end."""
    with ExitStack() as stack:
        try:
            stack.enter_context(used_by_one_bot(url))
            store = await open_store(url, pace.database)
        except StoreUnavailable as error:
            raise Unavailable(error.reason) from None
        try:
            yield store
        finally:
            await store.close()


async def _serve_table(
    settings: "Settings", token: "SecretStr", table: Table, stop: asyncio.Event, pace: "Pace"
) -> None:
    """Run one client after the other, until one has reached Discord and ended."""
    stopping = asyncio.create_task(_set(stop))
    wait_seconds = pace.reconnect_seconds
    engine = "postgresql" if is_postgres(settings.database.url) else "sqlite"
    async with monitored(settings.metrics, engine, DatabaseHealth(lambda: _look(table))) as monitor:
        if monitor.store_observer is not None:
            table.store.observer = monitor.store_observer
        while not stop.is_set():
            async with _shard_locks(settings, table, pace) as locks:
                monitor.bot = bot = Tablekeeper(
                    settings.discord,
                    table,
                    pace=pace,
                    on_passed=monitor.on_passed,
                    http_trace=monitor.http_trace,
                    locks=locks,
                )
                trouble = await _run_once(bot, token, stopping)
            if trouble is None:
                break
            log.warning("cannot reach Discord", reason=_reason(trouble), retry_seconds=wait_seconds)
            await asyncio.wait({stopping}, timeout=wait_seconds)
            wait_seconds = min(wait_seconds * 2, pace.longest_reconnect_seconds)
    stopping.cancel()


async def _look(table: Table) -> None:
    """Read something small."""
    await table.store.read(lambda reader: reader.campaigns(NO_SERVER))


@asynccontextmanager
async def _shard_locks(settings: "Settings", table: Table, pace: "Pace") -> "AsyncIterator[Locks | None]":
    """Yield the locks by which processes divide the shards among themselves, where they do."""
    count = settings.discord.shard_count if settings.discord.shard_ids is None else None
    url = settings.database.direct_url or settings.database.url
    if count is None or not is_postgres(url):
        yield None
        return
    try:
        async with shard_locks.shared(url, count, table.store, pace.locks) as locks:
            yield locks
    except StoreUnavailable as error:
        raise Unavailable(error.reason) from None


def _table(settings: "Settings", store: "Store") -> Table:
    return Table(
        store=store,
        games=rulesets(),
        now=lambda: int(time.time()),
        new_secret=lambda: secrets.token_bytes(32),
        idle_hours=settings.session.idle_hours,
        voice_empty_minutes=settings.session.voice_empty_minutes,
        left_server_days=settings.privacy.left_server_days,
    )


async def _run_once(
    bot: Tablekeeper, token: "SecretStr", stopping: "asyncio.Task[None]"
) -> BaseException | None:
    """Run one client until the process is told to stop.

    Returns:
        Why Discord could not be reached, if it is worth another try.
    """
    async with bot:
        running = asyncio.create_task(bot.start(token.get_secret_value()))
        holding = asyncio.create_task(bot.hold_shards())
        await asyncio.wait({running, stopping, holding}, return_when=asyncio.FIRST_COMPLETED)
        holding.cancel()
        await asyncio.wait({holding})
        if not running.done():
            log.info("stopping", under_way=len(bot.traffic))
            if not await bot.traffic.drained(bot.pace.finish_commands_seconds):
                log.warning("unfinished commands", count=len(bot.traffic))
            await bot.close()
            running.cancel()
        ends = await asyncio.gather(running, holding, return_exceptions=True)
    for ended in ends:
        if ended is not None and not isinstance(ended, asyncio.CancelledError):
            if _is_passing(ended):
                return ended
            raise _refusal(ended)
    return None


def _is_passing(error: BaseException) -> bool:
    """Return whether an error is temporary, and no refusal."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429
    return isinstance(error, aiohttp.ClientError | OSError | TimeoutError | discord.GatewayNotFound)


def _refusal(error: BaseException) -> BaseException:
    """Word Discord's refusal for the operator; return any other error unchanged."""
    code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or code == REFUSED_TOKEN:
        return ConfigError(["config: discord.token was refused by Discord; copy it again from the Bot page"])
    if code in WRONG_SHARDS:
        return ConfigError(["config: discord.shard_count and discord.shard_ids were refused by Discord"])
    if isinstance(error, discord.HTTPException):
        words = error.response.reason if not error.text or "\n" in error.text else error.text
        return Unavailable(f"Discord refuses the bot: {error.status} {words} (is discord.api_url right?)")
    if isinstance(error, discord.ConnectionClosed):
        return Unavailable(f"Discord closed the connection for good: {error.code} {error.reason}")
    return error


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


async def _set(stop: asyncio.Event) -> None:
    await stop.wait()
