"""Processes divide the shards among themselves by locks in PostgreSQL."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Self

import psycopg
import pytest

from bot.store.engines import open_store
from bot.store.postgres.shard_locks import CHANNEL, LockTimes, ShardLocks
from bot.store.store_errors import StoreUnavailable
from tests.store.postgres_server import USER, new_database, restart

QUICK = LockTimes(look=0.05, silence=30, release=60, retry=0.05, turn=0.02, identify=0.4)
ROOT = Path(__file__).parents[2]
PROGRAM = """
import asyncio, sys
from bot.store.postgres.shard_locks import LockTimes, ShardLocks

async def hold():
    locks = ShardLocks(sys.argv[1], int(sys.argv[2]), times=LockTimes(look=0.05))
    await locks.open()
    while len(locks.held) < locks.count:
        await asyncio.sleep(0.01)
    turn = locks.turn(0)
    await turn.granted()
    print("all", flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


@pytest.fixture
async def url(postgres: Path) -> str:
    """The address of a database with the bot's tables."""
    made = new_database(postgres)
    await (await open_store(made)).close()
    return made


@asynccontextmanager
async def opened(
    url: str, count: int, *, times: LockTimes = QUICK, at_once: int | None = None
) -> AsyncIterator[ShardLocks]:
    """A process's locks."""
    locks = ShardLocks(url, count, times=times)
    locks.at_once = at_once or count
    try:
        await locks.open()
        yield locks
    finally:
        await locks.close()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - a thread changes it
            await asyncio.sleep(0.005)


async def settled(*processes: ShardLocks) -> None:
    """Connect what is taken and give back what is too much, as the bot does, until each has its share."""

    def is_settled(one: ShardLocks) -> bool:
        return one.is_settled and len(one.held) == one.wanted

    async with asyncio.timeout(60):
        while (
            not all(map(is_settled, processes)) or sum(one.wanted for one in processes) != processes[0].count
        ):
            for one in processes:
                one.connected = held = one.held
                if len(held) > one.wanted:
                    await one.give_back(max(held))
            together = [shard for one in processes for shard in one.held]
            assert len(together) == len(set(together))
            await asyncio.sleep(0.005)


class FrozenAtWill:
    """A network between a process and the database, which can be cut without either side being told.

    Args:
        folder: The folder of the database's socket.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Let nothing through any more."""
        self._flows.clear()

    def mend(self) -> None:
        """Let everything through."""
        self._flows.set()

    def through(self, url: str) -> str:
        """The address of a database through this network."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        name = url.removeprefix("postgresql:///").partition("?")[0]
        return f"postgresql://{USER}@127.0.0.1:{port}/{name}?sslmode=disable&gssencmode=disable"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(f"{self._folder}/.s.PGSQL.5432")
        for way in ((reader, server_writer), (server_reader, writer)):
            task = asyncio.create_task(self._pass_on(*way))
            self._tasks.add(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (data := await reader.read(65536)) and await self._flows.wait():
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()


class TestDividing:
    async def test_four_processes_hold_eight_of_32_shards_each(self, url: str) -> None:
        async with AsyncExitStack() as stack:
            four = [await stack.enter_async_context(opened(url, 32)) for _ in range(4)]

            await settled(*four)

            assert [len(one.held) for one in four] == [8, 8, 8, 8]

    async def test_a_process_takes_no_more_than_it_can_connect_at_once(self, url: str) -> None:
        async with opened(url, 4, at_once=1) as one:
            await until(lambda: len(one.held) == 1)
            first = one.held
            one.connected = first
            await until(lambda: len(one.held) == 2)

            assert first < one.held
            assert not one.is_settled

    async def test_a_newcomer_gets_what_the_others_give_back(self, url: str) -> None:
        async with opened(url, 3) as old:
            await settled(old)
            async with opened(url, 3) as new:
                await settled(old, new)

                assert [len(old.held), len(new.held)] == [2, 1]
            await settled(old)

            assert old.held == {0, 1, 2}

    async def test_only_one_of_two_gets_the_shard_that_both_want(self, url: str) -> None:
        async with opened(url, 1) as one, opened(url, 1) as other:
            await settled(one, other)

            assert len(one.held) + len(other.held) == 1

    async def test_another_count_is_refused_while_processes_run_with_the_old_one(self, url: str) -> None:
        async with opened(url, 4):
            with pytest.raises(StoreUnavailable, match=r"discord\.shard_count 4, this one with 8: stop them"):
                async with opened(url, 8):
                    pass

        async with opened(url, 8) as later:
            await settled(later)


class TestEnds:
    async def test_a_killed_process_frees_its_shards_and_its_turn(self, url: str) -> None:
        killed = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, url, "4", cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        assert killed.stdout is not None
        assert await killed.stdout.readline() == b"all\n"
        async with opened(url, 4) as other:
            turn = other.turn(0)
            killed.kill()
            await killed.wait()
            async with asyncio.timeout(10):
                await settled(other)
            await turn.granted()
            turn.end()

    async def test_a_restarted_database_gives_each_process_back_what_it_held(
        self, postgres: Path, url: str
    ) -> None:
        async with opened(url, 4) as one, opened(url, 4) as other:
            await settled(one, other)
            before = [one.held, other.held]
            restart(postgres)
            await until(lambda: [one.held, other.held] == before)

    async def test_a_process_stops_before_others_can_take_its_shards_when_its_network_is_cut(
        self, postgres: Path, url: str
    ) -> None:
        times = replace(QUICK, silence=1.0, release=2.0)
        async with FrozenAtWill(postgres) as network, opened(network.through(url), 3, times=times) as lost:
            await settled(lost)
            network.cut()
            cut_at = time.monotonic()
            async with opened(url, 3) as other:
                await until(lambda: bool(other.held))

                assert lost.kept == frozenset()
                assert time.monotonic() - cut_at < 10
                network.mend()
                await settled(lost, other)


async def test_a_payload_is_heard(url: str) -> None:
    heard: list[str] = []
    async with opened(url, 1, times=replace(QUICK, look=20)) as locks:
        locks.heard = heard.append
        with psycopg.connect(url, autocommit=True) as link:
            link.execute(f"NOTIFY {CHANNEL}, '7 12'".encode())
        await until(lambda: heard == ["7 12"])


class TestTurns:
    async def test_shards_of_a_bucket_have_their_turns_with_time_in_between(self, url: str) -> None:
        async with opened(url, 4) as one, opened(url, 4) as other:
            began = []
            for locks in (one, other, one):
                turn = locks.turn(0)
                await turn.granted()
                began.append(time.monotonic())
                turn.end()

            assert min(later - earlier for earlier, later in pairwise(began)) >= QUICK.identify

    async def test_a_turn_waits_for_the_one_before_it_to_end(self, url: str) -> None:
        async with opened(url, 4) as one, opened(url, 4) as other:
            first = one.turn(1)
            await first.granted()
            second, elsewhere = asyncio.create_task(other.turn(1).granted()), other.turn(2)
            await elsewhere.granted()

            assert not second.done()
            first.end()
            await second

    async def test_whoever_gives_up_waiting_has_no_turn(self, url: str) -> None:
        async with opened(url, 4) as one, opened(url, 4) as other:
            first = one.turn(1)
            await first.granted()
            waiting = asyncio.create_task(other.turn(1).granted())
            await asyncio.sleep(0)
            waiting.cancel()
            first.end()

            next_turn = other.turn(1)
            await next_turn.granted()
            next_turn.end()
