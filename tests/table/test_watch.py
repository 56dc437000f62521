"""Automatic presses: once, if nobody was faster, even after a restart."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.store.records import ALL_SHARDS, ServerId
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.live_rows import DueTask
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import sessions
from bot.table.watch import look_after, look_at
from tests.databases import address_of, on_both_engines, opened
from tests.table.conftest import ELSEWHERE, HOME, Clock, Person, Secrets
from tests.table.toy import TOY


async def dares(game: Table, who: Person) -> Result:
    return await play.perform(game, who.asks(), "dare", {})


async def only_due(table: Table) -> DueTask:
    (found,) = await live_rows.due(table, live_rows.PRESS)
    return found


class TestTime:
    async def test_a_follow_up_is_pressed_in_nobodys_name_when_its_time_has_come(
        self, game: Table, ada: Person, clock: Clock
    ) -> None:
        dared = await dares(game, ada)
        clock.seconds += 59
        assert await live_rows.due(game, live_rows.PRESS) == ()
        clock.seconds += 1

        found = await watch.press_if_open(game, await only_due(game))

        assert found is not None
        pressed, channel = found
        assert (pressed.result.message.who, pressed.result.message.headline) == (
            "Ada",
            "spends Luck (time ran out)",
        )
        assert (channel, pressed.message.entry, pressed.message.follow_ups) == (50, dared.entry, ())
        assert pressed.result.can_undo

    async def test_each_follow_up_has_its_own_time(
        self, game: Table, ada: Person, bo: Person, clock: Clock
    ) -> None:
        first = await dares(game, ada)
        clock.seconds += 30
        await dares(game, bo)
        clock.seconds += 30

        assert (await only_due(game)).id == first.follow_ups[0].id


class TestOnce:
    async def test_many_watchers_at_once_press_a_follow_up_once(
        self, game: Table, ada: Person, clock: Clock
    ) -> None:
        await dares(game, ada)
        clock.seconds += 60
        one = await only_due(game)

        answers = await asyncio.gather(*(watch.press_if_open(game, one) for _ in range(5)))

        assert len([answer for answer in answers if answer is not None]) == 1
        assert await live_rows.due(game, live_rows.PRESS) == ()

    async def test_an_automatic_press_that_was_not_posted_is_posted_later_and_then_no_longer_due(
        self, game: Table, ada: Person, clock: Clock
    ) -> None:
        await dares(game, ada)
        clock.seconds += 60
        first = await watch.press_if_open(game, await only_due(game))
        clock.seconds += 60

        one = await only_due(game)
        again = await watch.press_if_open(game, one)

        assert first is not None
        assert again is not None
        assert again[0].result.entry == first[0].result.entry
        await live_rows.note_done(game, one)
        assert await live_rows.due(game, live_rows.PRESS) == ()

    @pytest.mark.parametrize("case", ["somebody was faster", "play moved on", "undone", "not allowed"])
    async def test_nothing_is_pressed_that_can_no_longer_be_pressed(
        self, game: Table, ada: Person, gm: Person, clock: Clock, case: str
    ) -> None:
        if case == "not allowed":
            await play.perform(game, ada.asks(), "spend", {})  # no Luck is left to spend
        dared = await dares(game, ada)
        match case:
            case "somebody was faster":
                await play.press(game, ada.asks(), dared.follow_ups[0].id)
            case "play moved on":
                await gm_cases.set_resource(game, gm.asks(), "luck", 2, "Ada")
            case "undone":
                await journal.undo(game, ada.asks(), dared.entry)
        clock.seconds += 60

        assert await watch.press_if_open(game, await only_due(game)) is None

    async def test_a_follow_up_is_not_pressed_again_after_an_undo_of_the_press(
        self, game: Table, ada: Person, gm: Person, clock: Clock
    ) -> None:
        await dares(game, ada)
        clock.seconds += 60
        one = await only_due(game)
        found = await watch.press_if_open(game, one)
        assert found is not None
        await journal.undo(game, gm.asks(), found[0].result.entry)
        clock.seconds += 60

        assert await watch.press_if_open(game, await only_due(game)) is None
        clock.seconds += 60
        assert await live_rows.due(game, live_rows.PRESS) == ()


@on_both_engines
@pytest.mark.parametrize("was_pressed", [False, True])
async def test_a_due_follow_up_is_found_again_after_a_restart(
    game: Table, ada: Person, clock: Clock, was_pressed: bool
) -> None:
    await dares(game, ada)
    clock.seconds += 60
    before = await watch.press_if_open(game, await only_due(game)) if was_pressed else None
    clock.seconds += 60  # whoever pressed it has not told of it
    await game.store.close()
    async with opened(address_of(game.store)) as store:
        again = Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(9))

        after = await watch.press_if_open(again, await only_due(again))

    assert after is not None
    assert before is None or before[0].result.entry == after[0].result.entry


async def test_f_perf_06_a_look_writes_nothing_where_10_000_presses_wait_and_none_is_due(
    game: Table, gm: Person, clock: Clock, tmp_path: Path
) -> None:
    await sessions.start(game, gm.asks())
    waiting = [
        DueTask(server=HOME, kind=kind, id=id_, due=clock.seconds + 1)
        for kind in (live_rows.PRESS, live_rows.RECAP)
        for id_ in range(10_000)
    ]

    def save(tx: Transaction) -> None:
        for one in waiting:
            tx.save_due_task(one)

    await game.store.run(save)

    with closing(sqlite3.connect(tmp_path / "table.db")) as other:
        before = other.execute("PRAGMA data_version").fetchone()
        for session in await watch.watched(game):
            assert await watch.end_if_due(game, session) is None
        assert await live_rows.due(game, live_rows.PRESS) == await live_rows.due(game, live_rows.RECAP) == ()
        assert other.execute("PRAGMA data_version").fetchone() == before

        await game.store.run(lambda tx: tx.drop_due_task(waiting[0]))
        assert other.execute("PRAGMA data_version").fetchone() != before


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


class TestWelcome:
    async def test_a_server_is_welcomed_once_until_its_data_would_be_gone(
        self, table: Table, clock: Clock
    ) -> None:
        first, again = await watch.welcome(table, HOME), await watch.welcome(table, HOME)
        assert (first, again) == (True, False)
        assert await watch.welcome(table, ELSEWHERE)

        clock.seconds += round(table.left_server_days * watch.DAY_SECONDS)
        await look_after(table, lambda _server: True)

        assert await watch.welcome(table, HOME)

    async def test_a_server_with_a_campaign_is_not_welcomed(self, game: Table) -> None:
        assert not await watch.welcome(game, HOME)
