"""Processes divide the shards among themselves by locks in PostgreSQL."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from bot.cluster.shard_locks import (
    ON_ITS_WAY,
    Holders,
    IdentifyTurn,
    IdentifyTurns,
    ShardLocks,
    to_take,
)
from bot.store.connection import StoreUnavailable
from bot.store.postgres.patience import LockTimes
from bot.store.postgres.postgres_connection import Link
from bot.store.postgres.postgres_store import CHANNEL
from bot.store.records import ALL_SHARDS, Shards
from tests.databases import SpareDatabases
from tests.faults.proxy import Proxy, proxied
from tests.store.postgres_server import database_of, restart

QUICK = LockTimes(look=0.05, silence=30, release=60, retry=0.05, turn=0.02, identify=0.4)
ROOT = Path(__file__).parents[2]
PROGRAM = """
import asyncio, sys
from bot.store.postgres.patience import LockTimes
from bot.cluster.shard_locks import ShardLocks

async def hold():
    locks = ShardLocks(sys.argv[1], int(sys.argv[2]), None, LockTimes(look=0.05))
    locks.at_once = locks.count
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
def url(spare_databases: SpareDatabases) -> Iterator[str]:
    """The address of a database with the bot's tables."""
    with spare_databases.one() as made:
        yield made


async def unheard(payload: str) -> None:
    raise AssertionError(payload)


@asynccontextmanager
async def opened(
    url: str,
    count: int,
    *,
    heard: Callable[[str], Coroutine[Any, Any, None]] = unheard,
    times: LockTimes = QUICK,
    at_once: int | None = None,
) -> AsyncIterator[ShardLocks]:
    """A process's locks."""
    locks = ShardLocks(url, count, heard, times)
    locks.at_once = count if at_once is None else at_once
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


def through(network: Proxy, url: str) -> str:
    """The address of a database through a network that can be cut."""
    return network.url(database_of(url))


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

    async def test_nothing_is_left_to_a_process_before_it_can_connect_shards(self, url: str) -> None:
        async with opened(url, 2) as old:
            await settled(old)
            async with opened(url, 2, at_once=0) as new:
                await asyncio.sleep(4 * QUICK.look)
                assert old.wanted == 2

                new.at_once = 2
                await settled(old, new)

                assert [len(old.held), len(new.held)] == [1, 1]

    async def test_only_one_of_two_gets_the_shard_that_both_want(self, url: str) -> None:
        async with opened(url, 1) as one, opened(url, 1) as other:
            await settled(one, other)

            assert len(one.held) + len(other.held) == 1

    async def test_another_count_is_refused_while_processes_run_with_the_old_one(self, url: str) -> None:
        async with opened(url, 4):
            with pytest.raises(StoreUnavailable, match=r"discord\.shard_count 4, this one with 8: stop them"):
                async with opened(url, 8):
                    pass

        async def opens() -> bool:
            try:
                async with opened(url, 8) as later:
                    await settled(later)
            except StoreUnavailable:  # the server has not ended the old session yet
                return False
            return True

        while not await opens():
            pass


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
            await settled(other)
            await turn.granted()
            turn.end()

    async def test_a_restarted_database_gives_a_process_back_what_it_held(
        self, postgres: Path, url: str
    ) -> None:
        async with opened(url, 4, at_once=2) as one:
            await settled(one)
            one.at_once = 0  # what it held needs no room
            restart(postgres)
            await until(lambda: one.held == {0, 1, 2, 3})

    async def test_processes_divide_the_shards_again_after_a_restart(self, postgres: Path, url: str) -> None:
        async with opened(url, 4) as one, opened(url, 4) as other:
            await settled(one, other)
            restart(postgres)
            await until(lambda: one.wanted == other.wanted == 2)
            await settled(one, other)

            assert one.held | other.held == {0, 1, 2, 3}

    async def test_a_process_stops_before_others_can_take_its_shards_when_its_network_is_cut(
        self, postgres: Path, url: str
    ) -> None:
        times = replace(QUICK, silence=1.0, release=2.0)
        async with proxied(postgres) as network, opened(through(network, url), 3, times=times) as lost:
            await settled(lost)
            network.freeze()
            async with opened(url, 3) as other:
                await until(lambda: bool(other.held))

                assert lost.kept == frozenset()
                network.thaw()
                await settled(lost, other)

    async def test_a_shard_is_free_when_the_connection_is_lost_while_it_is_given_back(
        self, postgres: Path, url: str
    ) -> None:
        async with proxied(postgres) as network, opened(through(network, url), 2) as leaving:
            await settled(leaving)
            network.lose_answer_to(b"pg_advisory_unlock")

            async with asyncio.timeout(60):
                await leaving.give_back(1)

            await settled(leaving)


async def test_a_payload_is_heard(url: str) -> None:
    payloads: asyncio.Queue[str] = asyncio.Queue()
    async with opened(url, 1, heard=payloads.put, times=replace(QUICK, look=20)):
        with psycopg.connect(url, autocommit=True) as link:
            link.execute(f"NOTIFY {CHANNEL}, '7 12'".encode())

        assert await payloads.get() == "7 12"


async def test_a_bug_in_hearing_a_payload_is_logged(url: str) -> None:
    async def broken(_payload: str) -> None:
        raise ZeroDivisionError

    with capture_logs() as lines:
        async with opened(url, 1, heard=broken):
            with psycopg.connect(url, autocommit=True) as link:
                link.execute(f"NOTIFY {CHANNEL}, '7 12'".encode())
            await until(lambda: bool(lines))

    assert [(one["event"], type(one["exc_info"])) for one in lines] == [
        ("news of another process not told", ZeroDivisionError)
    ]


class Noted:
    """A connection that answers as told, and remembers how far ahead an identify was noted."""

    def __init__(self, answers: list[tuple[object]]) -> None:
        self.answers = answers
        self.ahead: list[object] = []

    def execute(self, query: str, values: tuple[object, ...]) -> "Noted":
        if "INSERT" in query:
            self.ahead.append(values[1])
        return self

    def fetchone(self) -> tuple[object]:
        return self.answers.pop(0)


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

    async def test_an_identify_counts_from_when_discord_can_have_heard_of_it(self) -> None:
        turns, turn, link = IdentifyTurns(5.0), IdentifyTurn(0, lambda: None), Noted([(True,), (-0.4,)])
        connection = cast("Link", link)
        turns.add(turn)
        before = time.monotonic()
        turns.look(connection)
        assert turn.not_before >= before + 5.4

        turn.not_before = before
        turns.look(connection)
        turn.end()
        turns.look(connection)
        assert link.ahead == [ON_ITS_WAY, 0]

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


THIRD_OF_FOUR = 6 << 22 | 12345  # 6 % 4 = 2


class TestShards:
    def test_a_server_is_in_the_shard_of_discords_formula(self) -> None:
        having = [number for number in range(4) if Shards(4, frozenset({number})).has(THIRD_OF_FOUR)]

        assert having == [2]

    def test_one_who_holds_none_has_no_server(self) -> None:
        nobody = Shards(4, frozenset())

        assert not nobody.has(THIRD_OF_FOUR)
        assert not nobody.are_all

    def test_one_who_holds_every_shard_has_every_server(self) -> None:
        assert all(ALL_SHARDS.has(server) for server in (1, THIRD_OF_FOUR))
        assert ALL_SHARDS.are_all
        assert Shards(2, frozenset({0, 1})).are_all
        assert not Shards(2, frozenset({1})).are_all


def seen(count: int, **held: int) -> list[Holders]:
    """What each process sees, where each holds so many shards."""
    pids = range(1, len(held) + 1)
    holders = [pid for pid, number in zip(pids, held.values(), strict=True) for _ in range(number)]
    return [
        Holders(count=count, me=pid, alive=frozenset(pids), by_shard=dict(enumerate(holders))) for pid in pids
    ]


class TestShares:
    @pytest.mark.parametrize(
        ("count", "processes", "shares"),
        [(32, 4, [8, 8, 8, 8]), (1, 2, [1, 0]), (4, 3, [2, 1, 1]), (3, 1, [3]), (2, 3, [1, 1, 0])],
    )
    def test_shards_that_nobody_holds_are_divided_evenly(
        self, count: int, processes: int, shares: list[int]
    ) -> None:
        views = seen(count, **{f"process{number}": 0 for number in range(processes)})

        assert [view.share for view in views] == shares

    def test_whoever_holds_more_already_keeps_one_more(self) -> None:
        assert [view.share for view in seen(5, one=2, two=3)] == [2, 3]

    def test_a_newcomer_gets_an_equal_share(self) -> None:
        assert [view.share for view in seen(32, one=32, newcomer=0)] == [16, 16]

    def test_the_shares_are_all_shards_however_they_are_held(self) -> None:
        for first in range(8):
            for second in range(8 - first):
                assert sum(view.share for view in seen(7, one=first, two=second, three=0)) == 7


class TestTaking:
    def test_free_shards_are_taken_up_to_the_share(self) -> None:
        (view,) = seen(3, one=1)

        assert sorted(to_take(view, ripe={1, 2}, lost=(), room=9)) == [1, 2]

    def test_only_as_many_as_can_be_connected_are_taken(self) -> None:
        (view,) = seen(8, one=0)

        assert len(to_take(view, ripe=range(8), lost=(), room=2)) == 2

    def test_a_shard_that_has_just_become_free_is_left_to_whoever_lost_it(self) -> None:
        (view,) = seen(2, one=0)

        assert to_take(view, ripe=(), lost=(), room=9) == []

    def test_lost_shards_are_taken_back_at_once(self) -> None:
        (view,) = seen(4, one=0)

        assert to_take(view, ripe=(), lost={1, 3}, room=0) == [1, 3]

    def test_what_was_taken_back_need_not_be_given_away_to_a_spare(self) -> None:
        view = Holders(count=2, me=3, alive=frozenset({1, 2, 3}), by_shard={0: 1})
        assert view.share == 0

        back = to_take(view, ripe=(), lost={1}, room=0)

        assert back == [1]
        assert view.after_taking(back).share == 1

    def test_nothing_is_taken_above_the_share(self) -> None:
        view = Holders(count=4, me=1, alive=frozenset({1, 2}), by_shard={0: 1, 1: 1})

        assert to_take(view, ripe={2, 3}, lost=(), room=9) == []

    def test_two_processes_begin_with_different_shards(self) -> None:
        first, second = seen(8, one=0, two=0)

        assert to_take(first, ripe=range(8), lost=(), room=1) != to_take(
            second, ripe=range(8), lost=(), room=1
        )
