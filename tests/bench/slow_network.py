"""A network on loopback: every byte to and from a database arrives some milliseconds later.

    python slow_network.py SOCKET MILLISECONDS

It prints the port on which it listens, and ends with its standard input. Its loop waits by `select`: the
usual one rounds waits up to whole milliseconds.
"""

import asyncio
import selectors
import sys

MOST_BYTES = 65536


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    """Hand everything on, later."""
    loop = asyncio.get_running_loop()
    while data := await reader.read(MOST_BYTES):
        loop.call_later(seconds, writer.write, data)
    loop.call_later(seconds, writer.close)


async def main(socket: str, seconds: float) -> None:
    """Listen until nobody reads what is printed any more."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_unix_connection(socket)
        await asyncio.gather(carry(reader, their_writer, seconds), carry(their_reader, writer, seconds))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
        runner.run(main(sys.argv[1], float(sys.argv[2]) / 1000))
