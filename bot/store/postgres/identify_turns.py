"""Turns to identify: Discord takes one shard of a bucket in five seconds, from whatever process."""

import asyncio
import time
from collections.abc import Callable

from bot.store.postgres.postgres_connection import Link

BUCKET = 0x746B03  # the first key of the advisory locks; the second one is the bucket

_TRY = "SELECT pg_try_advisory_lock(%s::int, %s::int)"
_FREE = "SELECT pg_advisory_unlock(%s::int, %s::int)"
_SINCE = """
SELECT CAST(extract(epoch FROM clock_timestamp()) AS float8) - CAST(value AS float8) FROM meta WHERE key = %s
"""
_NOTE = """
INSERT INTO meta (key, value) VALUES (%s, CAST(extract(epoch FROM clock_timestamp()) AS text))
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""


class IdentifyTurn:
    """A turn to identify a shard.

    Args:
        bucket: The shard's number modulo Discord's ``max_concurrency``.
        wake: Makes the thread with the connection look at the turns.
    """

    def __init__(self, bucket: int, wake: Callable[[], None]) -> None:
        self.bucket = bucket
        self.has_ended = False
        self.has_lock = False
        self.is_granted = False
        self.not_before = 0.0
        self._loop = asyncio.get_running_loop()
        self._granted = asyncio.Event()
        self._wake = wake

    async def granted(self) -> None:
        """Wait for the turn; whoever is cancelled meanwhile needs none any more."""
        try:
            await self._granted.wait()
        except asyncio.CancelledError:
            self.end()
            raise

    def grant(self) -> None:
        """Tell whoever waits; called by the thread."""
        self.is_granted = True
        self._loop.call_soon_threadsafe(self._granted.set)

    def end(self) -> None:
        """Leave the bucket to the next one: Discord has heard of the shard, or never will."""
        self.has_ended = True
        self._wake()


class IdentifyTurns:
    """The turns of a process, for the thread that has the connection.

    The lock of a bucket is held until Discord has heard of the shard. When that was is noted as well, by the
    database's clock: a killed process loses its locks at once, but the next one waits all the same.

    Args:
        seconds: The least time between two of a bucket.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns: list[IdentifyTurn] = []

    def __bool__(self) -> bool:
        return bool(self._turns)

    def add(self, turn: IdentifyTurn) -> None:
        """Add a turn behind those of its bucket."""
        self._turns.append(turn)

    def forget_locks(self) -> None:
        """Begin anew, after the connection with the locks was lost."""
        for turn in self._turns:
            turn.has_lock = False

    def look(self, link: Link) -> None:
        """Go on with the first turn of each bucket."""
        first = {turn.bucket: turn for turn in reversed(self._turns)}
        for turn in first.values():
            if turn.has_ended:
                self._end(link, turn)
            elif not turn.is_granted and self._has_lock(link, turn) and time.monotonic() >= turn.not_before:
                link.execute(_NOTE, (_key(turn),))
                turn.grant()

    def _has_lock(self, link: Link, turn: IdentifyTurn) -> bool:
        if not turn.has_lock and link.execute(_TRY, (BUCKET, turn.bucket)).fetchone() == (True,):
            turn.has_lock = True
            (since,) = link.execute(_SINCE, (_key(turn),)).fetchone() or (self._seconds,)
            # A negative time means that the database's clock was set back.
            turn.not_before = time.monotonic() + self._seconds - max(since, 0)
        return turn.has_lock

    def _end(self, link: Link, turn: IdentifyTurn) -> None:
        if turn.is_granted:
            link.execute(_NOTE, (_key(turn),))
        if turn.has_lock:
            link.execute(_FREE, (BUCKET, turn.bucket))
        self._turns.remove(turn)


def _key(turn: IdentifyTurn) -> str:
    return f"identified:{turn.bucket}"
