"""A network between the bot and PostgreSQL that can be cut, frozen, or lose an answer."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import repeat
from pathlib import Path

from psycopg.conninfo import make_conninfo

from tests.store.postgres_server import USER

CHUNK = 65536
FOREVER = 10**9


class Proxy:
    """Passes bytes between TCP connections on loopback and a server's socket.

    Args:
        target: The server's socket.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.port = 0
        self.is_open = True
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._lost_after: bytes | None = None
        self._frozen_after: bytes | None = None
        self._lives: Iterator[int] = repeat(FOREVER)
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()

    def url(self, database: str) -> str:
        """The address of a database behind the proxy."""
        parts = make_conninfo(host="127.0.0.1", port=self.port, user=USER, dbname=database)
        return f"postgresql://?{'&'.join(parts.split())}"

    def freeze(self) -> None:
        """Hold back every byte, as a network does that has lost its way; connections stay open."""
        self._flowing.clear()

    def thaw(self) -> None:
        """Let bytes pass again."""
        self._flowing.set()

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.transport.abort()

    def cut_each(self, lives: Iterator[int]) -> None:
        """Cut every connection from now on, each after so many pieces of data."""
        self._lives = lives
        self.cut()

    def freeze_at(self, words: bytes) -> None:
        """Let the next request with these words reach the server, and freeze before the answer."""
        self._frozen_after = words

    def lose_answer_to(self, words: bytes) -> None:
        """Let the next request with these words reach the server, and cut its connection at the answer."""
        self._lost_after = words

    async def closed(self) -> None:
        """End every connection, and wait for their ends."""
        self.is_open = False
        self.thaw()
        self.cut()
        await asyncio.gather(*self._serving)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        serving = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        await self._flowing.wait()
        if not self.is_open:
            writer.transport.abort()
            return
        try:
            to_read, to_write = await asyncio.open_unix_connection(self.target)
        except OSError:  # the server is down
            writer.transport.abort()
            return
        self._writers.add(to_write)
        is_lost, left = asyncio.Event(), iter(range(next(self._lives)))
        pumps = [
            asyncio.create_task(self._pump(reader, to_write, is_lost, left, is_asking=True)),
            asyncio.create_task(self._pump(to_read, writer, is_lost, left, is_asking=False)),
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for one in (writer, to_write):
            one.transport.abort()
            self._writers.discard(one)
        await asyncio.wait(pumps)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        is_lost: asyncio.Event,
        left: Iterator[int],
        *,
        is_asking: bool,
    ) -> None:
        try:
            while (data := await reader.read(CHUNK)) and next(left, None) is not None:
                await self._flowing.wait()
                if is_asking and self._lost_after is not None and self._lost_after in data:
                    self._lost_after = None
                    is_lost.set()
                elif not is_asking and is_lost.is_set():
                    return
                writer.write(data)
                await writer.drain()
                if is_asking and self._frozen_after is not None and self._frozen_after in data:
                    self._frozen_after = None
                    self.freeze()
        except ConnectionError:
            return


@asynccontextmanager
async def proxied(folder: Path) -> AsyncIterator[Proxy]:
    """Run a proxy before the server whose socket is in a folder."""
    proxy = Proxy(folder / ".s.PGSQL.5432")
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.closed()
