"""Running the bot from its start to a clean end, whatever Discord does in between."""

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot import logs
from bot.client import Tablekeeper, address_discord
from bot.exits import ConfigError, Unavailable

if TYPE_CHECKING:
    from pydantic import SecretStr

    from bot.config import Settings

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FINISH_SECONDS = 10
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 2, 60
REFUSED_TOKEN, WRONG_SHARDS = 4004, (4010, 4011)


class _InMemory:
    """Remembers the digest of the commands for as long as the process lives."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    async def recall(self, key: str) -> str | None:
        return self._digests.get(key)

    async def keep(self, key: str, digest: str) -> None:
        self._digests[key] = digest


async def serve(settings: "Settings", token: "SecretStr") -> None:
    """Run the bot until it is told to stop.

    Args:
        settings: All settings.
        token: Who the bot is.

    Raises:
        ConfigError: Discord refuses the token or the shards.
        Unavailable: Discord refuses the bot for another reason.
    """
    logs.configure(settings.log, secret=token.get_secret_value())
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    address_discord(settings.discord)
    stopping = asyncio.create_task(_told_to_stop())
    wait_seconds = FIRST_RETRY_SECONDS
    memory = _InMemory()
    log.info("starting", api=settings.discord.api_url)
    while not stopping.done():
        trouble = await _run_once(Tablekeeper(settings.discord, memory), token, stopping)
        if trouble is None:
            break
        log.warning("cannot reach Discord", reason=_reason(trouble), retry_seconds=wait_seconds)
        await asyncio.wait({stopping}, timeout=wait_seconds)
        wait_seconds = min(wait_seconds * 2, LONGEST_RETRY_SECONDS)
    log.info("stopped")


async def _run_once(
    bot: Tablekeeper, token: "SecretStr", stopping: "asyncio.Task[None]"
) -> BaseException | None:
    """Run one client until the process is told to stop.

    Returns:
        Why Discord could not be reached, if that is worth another try.
    """
    async with bot:
        running = asyncio.create_task(bot.start(token.get_secret_value()))
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            log.info("stopping", under_way=len(bot.traffic))
            if not await bot.traffic.drained(FINISH_SECONDS):
                log.warning("unfinished commands", count=len(bot.traffic))
            await bot.close()
            running.cancel()
        (ended,) = await asyncio.gather(running, return_exceptions=True)
    if ended is None or isinstance(ended, asyncio.CancelledError):
        return None
    if _is_passing(ended):
        return ended
    raise _refusal(ended)


def _is_passing(error: BaseException) -> bool:
    """Tell a trouble that goes away from a refusal."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429
    return isinstance(error, aiohttp.ClientError | OSError | TimeoutError | discord.GatewayNotFound)


def _refusal(error: BaseException) -> BaseException:
    """Word a refusal for the operator; what is none of Discord's stays as it is."""
    code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or code == REFUSED_TOKEN:
        return ConfigError(["config: discord.token was refused by Discord; copy it again from the Bot page"])
    if code in WRONG_SHARDS:
        return ConfigError(["config: discord.shard_count and discord.shard_ids were refused by Discord"])
    if isinstance(error, discord.HTTPException):
        return Unavailable(f"Discord refuses the bot: {error.status} {error.text or error.response.reason}")
    if isinstance(error, discord.ConnectionClosed):
        return Unavailable(f"Discord closed the connection for good: {error.code} {error.reason}")
    return error


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


async def _told_to_stop() -> None:
    """Wait for SIGTERM or Ctrl-C; a second one ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows: Ctrl-C cancels the main task instead
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
    await stop.wait()
    with suppress(NotImplementedError):
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
