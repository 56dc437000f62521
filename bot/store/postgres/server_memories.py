"""What a process remembers of servers, as long as no other process has written there.

Every transaction that writes something of a server gives its row another version, drawn by lot: never one
that the server had before, not even in a database that was restored. Who finds the version that they remember
knows that everything they remember of the server is still so.
"""

from collections import OrderedDict
from threading import Lock

from bot.store.records import ServerId
from bot.store.rows import Memory

UNKNOWN = 0  # the version of a row that nobody has written yet; nothing is remembered of it
MOST_SERVERS = 512  # about 0.1 MB each


class ServerMemories:
    """What is remembered of the servers used last; for many threads.

    Args:
        most: Of how many servers.
    """

    def __init__(self, most: int = MOST_SERVERS) -> None:
        self._most = most
        self._lock = Lock()
        self._memories: OrderedDict[ServerId, Memory] = OrderedDict()

    def version(self, server: ServerId) -> int:
        """Return the version that is remembered of a server."""
        with self._lock:
            memory = self._memories.get(server)
        return UNKNOWN if memory is None else memory.version

    def at(self, server: ServerId, version: int) -> Memory:
        """Return what is remembered of a server in a version, to be used and changed by one transaction."""
        with self._lock:
            memory = self._memories.get(server)
        if memory is not None and memory.version == version != UNKNOWN:
            return memory.copy()
        new = Memory()
        new.version = version
        return new

    def keep(self, server: ServerId, memory: Memory, *, instead_of: int | None = None) -> None:
        """Remember a server.

        Args:
            server: The server.
            memory: What is known of it; used by nobody else from now on.
            instead_of: The only version in whose place it is remembered; None for any.
        """
        if memory.version == UNKNOWN or memory.is_much():
            return
        with self._lock:
            known = self._memories.get(server)
            if instead_of is not None and instead_of != (UNKNOWN if known is None else known.version):
                return
            self._memories[server] = memory
            self._memories.move_to_end(server)
            if len(self._memories) > self._most:
                self._memories.popitem(last=False)
