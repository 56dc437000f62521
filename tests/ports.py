"""Ports for what a test starts later, or in another process."""

import itertools
import os
import socket

FIRST, LAST = 20_000, 32_000  # below those that the system gives to connections, and to whoever asks for any
AT_ONCE = 100
_numbers = itertools.count(FIRST + os.getpid() * AT_ONCE % (LAST - FIRST))  # each process has others


def free_port() -> int:
    """A port of loopback that nobody uses, and that nobody is given who does not ask for this one."""
    while True:
        port = FIRST + (next(_numbers) - FIRST) % (LAST - FIRST)
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
