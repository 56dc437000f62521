"""The bot as a process: started, restarted when it dies, stopped in time."""

from __future__ import annotations

import asyncio
import subprocess
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence

from bot.app.exits import Exit

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
