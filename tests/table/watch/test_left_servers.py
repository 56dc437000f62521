"""Data of servers that removed the bot: deleted after some time, once, and kept where the bot is back."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from bot.store.records import ALL_SHARDS, DueTask, ServerId
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.watch.watch import look_after, look_at
from tests.table.conftest import ELSEWHERE, HOME, Clock, Person, Secrets
from tests.table.toy import TOY

T = TypeVar("T")
MONTH_HOURS = 30 * 24


def away(*servers: ServerId) -> dict[ServerId, bool]:
    return {HOME: HOME not in servers, ELSEWHERE: ELSEWHERE not in servers}


async def servers_of(table: Table) -> list[ServerId]:
    return await table.store.read(lambda reader: reader.servers(ALL_SHARDS))


@pytest.fixture
async def both(table: Table, gm: Person, neighbour: Person) -> Table:
    """Two servers with a campaign each."""
    await campaigns.create(table, gm.asks(), "toy", "Dusk")
    await campaigns.create(table, neighbour.asks(), "toy", "Dawn")
    return table


async def test_a_left_server_is_deleted_after_30_days_and_no_other(both: Table, clock: Clock) -> None:
    assert await look_after(both, away(HOME).get) == ()
    clock.pass_hours(MONTH_HOURS - 1)
    assert await look_after(both, away(HOME).get) == ()
    assert await servers_of(both) == [HOME, ELSEWHERE]
    clock.pass_hours(1)

    assert await look_after(both, away(HOME).get) == (HOME,)

    assert await servers_of(both) == [ELSEWHERE]
    assert await look_after(both, away(HOME).get) == ()


async def test_a_server_that_takes_the_bot_back_keeps_everything_and_waits_anew(
    both: Table, clock: Clock
) -> None:
    await look_after(both, away(HOME).get)
    clock.pass_hours(MONTH_HOURS)
    await look_after(both, away().get)
    await look_after(both, away(HOME).get)
    clock.pass_hours(MONTH_HOURS - 1)

    assert await look_after(both, away(HOME).get) == ()
    assert await servers_of(both) == [HOME, ELSEWHERE]


async def test_one_server_that_removes_the_bot_or_takes_it_back_is_noted_at_once(
    both: Table, clock: Clock
) -> None:
    for server in (HOME, ELSEWHERE, ServerId(7)):
        await look_at(both, server, lambda _server: False)
    await look_at(both, ELSEWHERE, lambda _server: True)
    await look_at(both, HOME, lambda _server: None)  # another process knows
    clock.pass_hours(MONTH_HOURS)

    assert await look_after(both, lambda _server: False) == (HOME,)


async def test_a_server_of_another_process_is_left_to_that(both: Table, clock: Clock) -> None:
    await look_after(both, away(HOME).get)
    clock.pass_hours(MONTH_HOURS)

    assert await look_after(both, lambda _server: None) == ()
    assert await look_after(both, away(HOME).get) == (HOME,)


async def test_two_looks_at_once_delete_once(both: Table, clock: Clock) -> None:
    await look_after(both, away(HOME).get)
    clock.pass_hours(MONTH_HOURS)

    done = await asyncio.gather(*(look_after(both, away(HOME).get) for _ in range(3)))

    assert sorted(done) == [(), (), (HOME,)]


async def test_a_bot_that_comes_back_at_the_last_moment_keeps_its_data(both: Table, clock: Clock) -> None:
    await look_after(both, away(HOME).get)
    clock.pass_hours(MONTH_HOURS)
    answers = iter([False, False, True])

    def presence(server: ServerId) -> bool:
        return next(answers) if server == HOME else True

    assert await look_after(both, presence) == ()
    assert await servers_of(both) == [HOME, ELSEWHERE]


async def test_the_wait_goes_on_over_a_restart_with_a_shorter_time(
    tmp_path: Path, clock: Clock, gm: Person
) -> None:
    url = f"sqlite:///{tmp_path}/other.db"
    first = Table(store=await open_store(url), games={"toy": TOY}, now=clock, new_secret=Secrets())
    await campaigns.create(first, gm.asks(), "toy", "Dusk")
    await look_after(first, away(HOME).get)
    await first.store.close()
    clock.pass_hours(7 * 24)

    again = replace(first, store=await open_store(url), left_server_days=7)
    done = await look_after(again, away(HOME).get)
    await again.store.close()

    assert done == (HOME,)


async def test_each_unit_concerns_one_server(
    both: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[set[ServerId]] = []
    save, drop, run = Transaction.save_due_task, Transaction.drop_due_task, both.store.run

    async def counted(unit: Callable[[Transaction], T]) -> T:
        touched.append(set())
        return await run(unit)

    def note(write: Callable[[Transaction, DueTask], None]) -> Callable[[Transaction, DueTask], None]:
        def noted(tx: Transaction, task: DueTask) -> None:
            touched[-1].add(task.server)
            write(tx, task)

        return noted

    monkeypatch.setattr(Transaction, "save_due_task", note(save))
    monkeypatch.setattr(Transaction, "drop_due_task", note(drop))
    monkeypatch.setattr(both.store, "run", counted)

    await look_after(both, away(HOME, ELSEWHERE).get)
    await look_after(both, away().get)

    assert touched == [{HOME}, {ELSEWHERE}, {HOME}, {ELSEWHERE}]
