"""Starting the bot in a process that has imported everything already.

Imports take most of the bot's start. Here they are done once, in a process that does nothing else; it is
forked for each bot, which then runs ``python -m bot run``. Only a few tests need to start the program cold.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from bot.app.pace import Pace

LOOK_SECONDS = 0.02  # between looks whether a process has ended
_FORKING = multiprocessing.get_context("forkserver") if hasattr(os, "fork") else None
if _FORKING is not None:
    _FORKING.set_forkserver_preload(["bot.app.cli", "bot.app.serve", "tests.e2e.all_imports"])


class PreparedProcess:
    """The part of `asyncio.subprocess.Process` that the tests of a running bot need.

    Args:
        folder: Where it runs.
        environment: Its environment.
        log: The file to which its output is appended.
        pace: How long it waits for what.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], log: Path, pace: Pace) -> None:
        assert _FORKING is not None
        given = (str(folder), dict(environment), str(log), pace)
        self._process = _FORKING.Process(target=_run, args=given, daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, which)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Wait for its end and return its exit code."""
        # Two may wait at once, and a loop has but one reader for a pipe.
        while self._process.exitcode is None:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_SECONDS)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def can_prepare() -> bool:
    """Whether processes can be forked here."""
    return _FORKING is not None


def _run(folder: str, environment: dict[str, str], log: str, pace: Pace) -> None:
    from bot.app.cli import main

    written = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(written, 1)
    os.dup2(written, 2)
    os.close(written)
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115 - as long as the process lives
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115 - the same
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["bot", "run"]
    main(pace)
