"""Bots as processes of their own, with their CPU time and memory (Linux)."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bot.playground.discord import LocalDiscord

REPOSITORY = Path(__file__).resolve().parents[2]
BENCH = Path(__file__).resolve().parent
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20
SCHEDULED = 2  # the kind of a process's CPU clock that counts nanoseconds
PATIENCE_SECONDS = 120.0  # a busy machine is slow, not wrong
LOG_TAIL = 4000
OURS = ("-m", "bot", "run")
SWIFT_EDITS = {"DISCORD__EDIT_SECONDS": "0.01"}  # a board follows every press


def script(name: str) -> tuple[str, ...]:
    """Return how a program of this folder is started; it finds `bot` where the measured code is."""
    return ("-P", str(BENCH / f"{name}.py"))


def patient_discord() -> LocalDiscord:
    """Return a Discord that limits no rates and waits long."""
    return LocalDiscord(
        rate_limits=False,
        deadline_seconds=PATIENCE_SECONDS,
        patience_seconds=PATIENCE_SECONDS,
        command_seconds=PATIENCE_SECONDS,
    )


class BotProcess:
    """The process of a measured bot.

    Attributes:
        start_seconds: From its start until it was connected.
    """

    def __init__(self, pid: int, start_seconds: float) -> None:
        self.pid = pid
        self.start_seconds = start_seconds

    def cpu_seconds(self) -> float:
        """Return the CPU time that all its threads have used so far."""
        return time.clock_gettime((~self.pid << 3) | SCHEDULED)

    def memory_mb(self) -> float:
        """Return the resident memory in megabytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_MB


@asynccontextmanager
async def running(
    discord: LocalDiscord,
    database: Path,
    *command: str,
    code: Path = REPOSITORY,
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[BotProcess]:
    """Start a bot, yield it once it is connected and has its commands, and stop it.

    Args:
        discord: The Discord it connects to.
        database: Its database.
        *command: What the interpreter is told, such as `OURS`.
        code: Where the packages `bot` and `cogs` are.
        settings: Additional settings.
        environment: Additional variables.
    """
    variables = {
        **os.environ,
        "TABLEKEEPER_DISCORD__TOKEN": discord.token,
        "TABLEKEEPER_DISCORD__API_URL": discord.api_url,
        "TABLEKEEPER_DISCORD__GATEWAY_URL": discord.gateway_url,
        "TABLEKEEPER_DISCORD__EMOJIS": "false",
        "TABLEKEEPER_DISCORD__ALL_COMMANDS": "true",
        "TABLEKEEPER_DATABASE__URL": f"sqlite:///{database}",
        "PYTHONPATH": str(code),
        **{f"TABLEKEEPER_{name}": value for name, value in (settings or {}).items()},
        **(environment or {}),
    }
    with tempfile.TemporaryFile() as log:
        begun = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=database.parent, env=variables, stdout=log, stderr=log
        )
        try:
            await discord.connected(PATIENCE_SECONDS)
            started = time.perf_counter() - begun
            await discord.until(lambda: bool(discord.commands), PATIENCE_SECONDS)
            yield BotProcess(process.pid, started)
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read()[-LOG_TAIL:].decode())
            raise
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()
