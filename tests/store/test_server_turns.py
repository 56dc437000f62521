"""Turns at servers: in one process, one unit of a server runs at a time."""

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest

from bot.store.postgres.server_turns import ServerBusy, ServerTurns, UnitTurn
from bot.store.store_errors import StoreUnavailable
from tests.store.rows import ELSEWHERE, HERE


@pytest.fixture
def turns() -> ServerTurns:
    return ServerTurns()


def ended(error: Exception | None = None) -> "Future[Any]":
    """A unit that has ended."""
    unit: Future[Any] = Future()
    if error is None:
        unit.set_result(None)
    else:
        unit.set_exception(error)
    return unit


async def waiting(turns: ServerTurns, count: int) -> list["asyncio.Task[None]"]:
    """Units that wait for a turn."""
    tasks = [asyncio.create_task(UnitTurn(turns).wait(HERE)) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def test_the_unit_that_has_waited_longest_is_next(turns: ServerTurns) -> None:
    turns.take(HERE)
    first, second = await waiting(turns, 2)

    turns.end(HERE)
    await first

    assert not second.done()
    turns.end(HERE)
    await second


async def test_a_busy_server_is_said_and_is_free_again_at_the_end(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    one.take(HERE)

    with pytest.raises(ServerBusy) as busy:
        other.take(HERE)
    one.end(ended())

    assert busy.value.server == HERE
    other.take(HERE)


async def test_a_second_server_needs_no_turn(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    other.take(ELSEWHERE)
    one.take(HERE)

    one.take(ELSEWHERE)
    one.end(ended())

    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(ELSEWHERE)


@pytest.mark.parametrize("before", [True, False])
async def test_a_cancelled_unit_is_passed_over(turns: ServerTurns, before: bool) -> None:
    turns.take(HERE)
    first, second = await waiting(turns, 2)

    if before:
        first.cancel()
        turns.end(HERE)
    else:
        turns.end(HERE)
        await asyncio.sleep(0)  # its turn has come, and it has not gone on yet
        first.cancel()

    await asyncio.wait_for(second, 5)
    assert first.cancelled()


async def test_units_that_would_wait_in_vain_fail_together(turns: ServerTurns) -> None:
    failing = UnitTurn(turns)
    failing.take(HERE)
    tasks = await waiting(turns, 3)
    tasks[0].cancel()

    failing.end(ended(StoreUnavailable("It is down.")))

    for task in tasks[1:]:
        with pytest.raises(StoreUnavailable, match=r"It is down\."):
            await task
    assert turns.take(HERE)
