"""The voice channels that sessions are linked to, remembered: people move between channels all the time."""

from collections.abc import Callable

from bot.store.records import Kept, ServerId
from bot.table.base.table import Shards, Table
from bot.table.sessions import autoend

MOST_SERVERS = 10_000  # whose channels are remembered


class LinkedVoice:
    """The voice channels that the running sessions of each server are linked to.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._channels: dict[ServerId, frozenset[int]] = {}
        self._changes = 0
        self._shards: Shards | None = None  # whose channels are remembered
        self._end: Callable[[], None] | None = None

    def stop(self) -> None:
        """Hear no more of changes."""
        if self._end is not None:
            self._end()

    def _hear(self, saved: Kept) -> None:
        if saved.turned is not None or "sessions" in saved.tables:
            self._changes += 1
            self._channels.pop(saved.server, None)

    async def of(self, server: ServerId) -> frozenset[int]:
        """Return the voice channels that the running sessions of a server are linked to."""
        if self._end is None:
            self._end = self._table.store.listen(self._hear)
        if self._shards is not self._table.shards:  # others may have looked after some of these servers
            self._shards = self._table.shards
            self._changes += 1
            self._channels.clear()
        known = self._channels.get(server)
        if known is not None:
            return known
        before = self._changes
        running = await autoend.watched(self._table, server)
        found = frozenset(session.voice for session in running if session.voice is not None)
        if before == self._changes:  # else they may have changed meanwhile
            if len(self._channels) >= MOST_SERVERS:
                self._channels.pop(next(iter(self._channels)))
            self._channels[server] = found
        return found
