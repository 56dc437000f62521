"""Units of work in every store, and texts with U+0000, which no text of PostgreSQL can have."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bot.store.connection import StoreUnavailable
from bot.store.records import (
    ALL_SHARDS,
    BoardRecord,
    CampaignId,
    DueTask,
    EntryRecord,
    IdleRule,
    JsonObject,
    ServerCommandsRecord,
    ServerId,
    Shards,
)
from bot.store.transaction import Reader, Store, Transaction
from tests.store.contract.test_scoping import BEYOND_SERVERS
from tests.store.rows import ELSEWHERE, HERE, Heard, Journalled, a_campaign, a_character, a_session, an_entry

DUSK = CampaignId(1)
MIRA = "Mi\0ra"


class NoLuckLeft(Exception):
    """There are no points left to spend."""


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """Mira, character 1 of Dusk, with 200 luck."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign()))
    await beginning.do(lambda tx: tx.save_character(a_character(DUSK, resources={"luck": (200, None)})))
    return beginning


def spend(tx: Transaction, interaction: str, luck: int = 1) -> EntryRecord:
    mira = tx.character(HERE, 1)
    assert mira is not None
    left = mira.resources["luck"][0] - luck
    if left < 0:
        raise NoLuckLeft
    tx.save_character(replace(mira, resources={"luck": (left, None)}))
    return tx.add_entry(an_entry(DUSK, interaction))


async def luck_left(store: Store) -> int:
    mira = await store.read(lambda reader: reader.character(HERE, 1))
    assert mira is not None
    return mira.resources["luck"][0]


class TestTogether:
    async def test_two_hundred_units_at_once_are_all_committed(self, journalled: Journalled) -> None:
        store = journalled.store

        entries = await asyncio.gather(
            *(store.run(partial(spend, interaction=f"spend {one}")) for one in range(200))
        )

        assert await luck_left(store) == 0
        assert len({entry.id for entry in entries}) == 200

    async def test_of_two_units_that_spend_the_last_point_one_succeeds(self, journalled: Journalled) -> None:
        store = journalled.store
        await store.run(lambda tx: spend(tx, "all but one", 199))

        results = await asyncio.gather(
            store.run(lambda tx: spend(tx, "first")),
            store.run(lambda tx: spend(tx, "second")),
            return_exceptions=True,
        )

        assert {type(one) for one in results} == {EntryRecord, NoLuckLeft}
        assert await luck_left(store) == 0

    async def test_a_failed_unit_leaves_nothing_and_affects_no_other(self, journalled: Journalled) -> None:
        store = journalled.store

        def fail(tx: Transaction) -> None:
            spend(tx, "failing", 100)
            raise ZeroDivisionError

        results = await asyncio.gather(
            store.run(lambda tx: spend(tx, "before")),
            store.run(fail),
            store.run(lambda tx: spend(tx, "after")),
            return_exceptions=True,
        )

        assert [type(one) for one in results] == [EntryRecord, ZeroDivisionError, EntryRecord]
        assert await luck_left(store) == 198
        assert await store.read(lambda reader: reader.entry_of(HERE, "failing")) is None

    @pytest.mark.parametrize("error", [StopIteration, KeyboardInterrupt, SystemExit])
    async def test_the_store_goes_on_whatever_a_unit_raises(
        self, journalled: Journalled, error: type[BaseException]
    ) -> None:
        def fail(tx: Transaction) -> None:
            spend(tx, "failing")
            raise error

        async def expect_failure() -> None:
            with pytest.raises((RuntimeError, error)):
                await journalled.store.run(fail)

        await expect_failure()

        await journalled.store.run(lambda tx: spend(tx, "after"))
        assert await luck_left(journalled.store) == 199


class TestReading:
    async def test_a_committed_unit_can_be_read(self, journalled: Journalled) -> None:
        await journalled.store.run(lambda tx: spend(tx, "once", 150))

        assert await luck_left(journalled.store) == 50

    async def test_a_units_writes_are_visible_to_others_only_after_the_commit(
        self, journalled: Journalled
    ) -> None:
        store = journalled.store
        seen: list[int] = []

        def unit(tx: Transaction) -> None:
            spend(tx, "once")
            mira = tx.character(HERE, 1)
            assert mira is not None
            seen.append(mira.resources["luck"][0])
            raise NoLuckLeft

        with pytest.raises(NoLuckLeft):
            await store.run(unit)

        assert seen == [199]
        assert await luck_left(store) == 200

    async def test_a_failing_query_affects_no_other(self, journalled: Journalled) -> None:
        with pytest.raises(ZeroDivisionError):
            await journalled.store.read(lambda reader: 1 // 0)

        assert await luck_left(journalled.store) == 200


class TestCancelling:
    async def test_a_cancelled_unit_is_committed_whole_or_not_at_all(self, journalled: Journalled) -> None:
        store = journalled.store

        def twice(tx: Transaction, interaction: str) -> None:
            spend(tx, f"{interaction} first")
            spend(tx, f"{interaction} second")

        for steps in range(40):
            task = asyncio.create_task(store.run(partial(twice, interaction=f"{steps}")))
            for _ in range(steps % 8):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})

        def done(tx: Transaction) -> list[tuple[bool, bool]]:
            return [
                (
                    tx.entry_of(HERE, f"{steps} first") is not None,
                    tx.entry_of(HERE, f"{steps} second") is not None,
                )
                for steps in range(40)
            ]

        kept = await store.run(done)
        assert set(kept) <= {(True, True), (False, False)}
        assert await luck_left(store) == 200 - 2 * kept.count((True, True))

    async def test_a_cancelled_unit_affects_no_other_in_the_same_commit(self, journalled: Journalled) -> None:
        store = journalled.store
        tasks = [asyncio.create_task(store.run(partial(spend, interaction=f"{one}"))) for one in range(10)]
        for _ in range(2):
            await asyncio.sleep(0)

        for task in tasks[::2]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)

        assert [isinstance(one, EntryRecord) for one in results] == [False, True] * 5


class TestClosing:
    async def test_closing_the_store_finishes_waiting_units_first(self, journalled: Journalled) -> None:
        store = journalled.store
        waiting = [asyncio.create_task(store.run(partial(spend, interaction=f"{one}"))) for one in range(9)]
        await asyncio.sleep(0)

        await store.close()

        assert [isinstance(task.result(), EntryRecord) for task in waiting] == [True] * 9

    async def test_a_closed_store_runs_nothing(self, journalled: Journalled) -> None:
        store = journalled.store
        await store.close()
        await store.close()

        with pytest.raises(StoreUnavailable):
            await store.run(lambda tx: spend(tx, "late"))
        with pytest.raises(StoreUnavailable):
            await store.read(lambda reader: reader.character(HERE, 1))


class TestObservers:
    async def test_they_hear_of_every_unit_and_read_also_when_it_fails(self, journalled: Journalled) -> None:
        store = journalled.store
        store.observer = heard = Heard()

        await asyncio.gather(*(store.run(partial(spend, interaction=f"spend {one}")) for one in range(5)))
        with pytest.raises(NoLuckLeft):
            await store.run(lambda tx: spend(tx, "too much", 500))
        await luck_left(store)

        assert heard.works.count("write") == 6
        assert heard.works.count("read") == 1


def a_task(id_: int, due: int, *, kind: str = "press", server: ServerId = HERE) -> DueTask:
    return DueTask(server=server, kind=kind, id=id_, due=due)


async def save(store: Store, *tasks: DueTask) -> None:
    for task in tasks:
        await store.run(lambda tx, task=task: tx.save_due_task(task))  # type: ignore[misc]


async def due(store: Store, now: int, kind: str = "press") -> list[DueTask]:
    return await store.read(lambda reader: reader.due_tasks(kind, now, ALL_SHARDS))


async def test_the_longest_due_task_comes_first_and_later_ones_do_not_come(store: Store) -> None:
    late, early, other = a_task(1, 30), a_task(2, 20, server=ELSEWHERE), a_task(3, 10, kind="recap")
    await save(store, late, early, other, a_task(4, 31))

    assert await due(store, 30) == [early, late]
    assert await due(store, 30, "recap") == [other]


async def test_the_due_tasks_of_one_server_come_without_those_of_others(store: Store) -> None:
    late, early, other = a_task(1, 30), a_task(2, 20), a_task(3, 10, kind="recap")
    await save(store, late, early, other, a_task(4, 31), a_task(1, 5, server=ELSEWHERE))

    assert await store.read(lambda reader: reader.due_tasks_of(HERE, "press", 30)) == [early, late]


async def test_a_task_saved_again_has_its_new_time(store: Store) -> None:
    await save(store, a_task(1, 30), a_task(1, 40))

    assert await due(store, 39) == []
    assert await due(store, 40) == [a_task(1, 40)]


async def test_only_one_of_many_postpones_a_task(store: Store) -> None:
    task = a_task(1, 30)
    await save(store, task, a_task(1, 30, server=ELSEWHERE))

    claims = await asyncio.gather(*(store.run(lambda tx: tx.postpone_due_task(task, 90)) for _ in range(5)))

    assert sorted(claims) == [False, False, False, False, True]
    assert await due(store, 90) == [a_task(1, 30, server=ELSEWHERE), a_task(1, 90)]


async def test_a_finished_task_is_gone_and_cannot_be_claimed(store: Store) -> None:
    task, other = a_task(1, 30), a_task(1, 30, server=ELSEWHERE)
    await save(store, task, other)
    await store.run(lambda tx: tx.drop_due_task(task))

    assert await due(store, 99) == [other]
    assert await store.run(lambda tx: tx.postpone_due_task(task, 90)) is False


async def test_a_purge_removes_the_tasks_of_its_server(store: Store) -> None:
    await save(store, a_task(1, 30), a_task(1, 30, server=ELSEWHERE))

    await store.run(lambda tx: tx.purge_server(HERE))

    assert await due(store, 99) == [a_task(1, 30, server=ELSEWHERE)]


SERVERS = [ServerId(number << 22 | 77) for number in range(6)]  # two of shard 0, two of 1, one of 2 and 3


SOME = Shards(4, frozenset({1, 3}))


RULE = IdleRule(now=10**9, setting="rest", usual_hours=1, least_hours=1)


OF_ALL = {"meta", "campaign_rulesets"}  # about the program: its notes, and which games it has to load


QUERIES: dict[str, Callable[[Reader, Shards], Any]] = {
    "servers": lambda reader, shards: reader.servers(shards),
    "open_sessions": lambda reader, shards: [one.server for one in reader.open_sessions(shards)],
    "ending_sessions": lambda reader, shards: [one.server for one in reader.ending_sessions(RULE, shards)],
    "every_board": lambda reader, shards: [one.server for one in reader.every_board("own", shards)],
    "due_tasks": lambda reader, shards: [one.server for one in reader.due_tasks("own", 5000, shards)],
    "commands_states": lambda reader, shards: [one.server for one in reader.commands_states(shards)],
}


def fill(tx: Transaction, server: ServerId) -> None:
    """Give a server one of everything that is looked for in all of them."""
    campaign = tx.save_campaign(a_campaign("Own", server=server, is_default=True))
    tx.save_session(a_session(campaign, 1, server=server))
    for kind in ("own", "own/2", "other"):
        tx.save_board(BoardRecord(server=server, campaign=campaign, kind=kind, channel=7))
    tx.save_due_task(DueTask(server=server, kind="own", id=server >> 22, due=5000))
    tx.save_server_commands(
        ServerCommandsRecord(server=server, seen="s", fingerprint="f", ids={}, needs={"toy": None})
    )
    tx.add_entry(an_entry(campaign, f"first {server}", server=server))


@pytest.fixture
async def filled(store: Store) -> Store:
    for server in SERVERS:
        await store.run(lambda tx, server=server: fill(tx, server))  # type: ignore[misc]  # a bound default
    return store


def test_every_query_beyond_a_server_is_limited_to_shards_or_about_the_program() -> None:
    assert set(QUERIES) == BEYOND_SERVERS - OF_ALL


@pytest.mark.parametrize("query", list(QUERIES))
async def test_a_query_finds_the_servers_of_the_shards_alone(filled: Store, query: str) -> None:
    async def found(shards: Shards) -> list[ServerId]:
        return list(dict.fromkeys(await filled.read(lambda reader: QUERIES[query](reader, shards))))

    assert await found(ALL_SHARDS) == SERVERS
    assert await found(Shards(4, frozenset(range(4)))) == SERVERS
    assert await found(SOME) == [server for server in SERVERS if SOME.has(server)] == SERVERS[1::2]
    assert await found(Shards(4, frozenset())) == []


async def test_the_commands_of_every_server_are_read_as_those_of_each(store: Store) -> None:
    several, sent, played = SERVERS[:3]

    def unit(tx: Transaction, server: ServerId, names: dict[str, bool], *, is_sent: bool) -> None:
        for name, is_archived in names.items():
            tx.save_campaign(a_campaign(name, server=server, is_archived=is_archived))
        if is_sent:
            tx.save_server_commands(
                ServerCommandsRecord(
                    server=server, seen="s", fingerprint="f", ids={"a": 1}, needs={"toy": None}
                )
            )
        tx.add_entry(an_entry(DUSK, f"first {server}", server=server))

    await store.run(lambda tx: unit(tx, several, {"One": False, "Two": False, "Old": True}, is_sent=True))
    await store.run(lambda tx: unit(tx, sent, {"Old": True}, is_sent=True))
    await store.run(lambda tx: unit(tx, played, {"One": False}, is_sent=False))

    every = await store.read(lambda reader: list(reader.commands_states(ALL_SHARDS)))
    each = [await store.read(partial(Reader.commands_state, server=one)) for one in (several, sent, played)]
    assert every == each
    assert [len(one.played) for one in every] == [2, 0, 1]
    assert [one.record is not None and one.record.needs for one in every] == [{"toy": None}] * 2 + [False]


async def test_a_document_is_read_as_it_was_saved(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))
    body: JsonObject = {"a\0": "\0b", "\\u0000": "\ufffd"}

    entry = await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "scene", body), told=body)
    await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "scene", {}))

    found = await store.read(lambda reader: reader.entry(HERE, entry.id))
    assert found is not None
    assert found.told == body
    assert found.changes[0].after == {"body": body}


async def test_nothing_is_found_by_it(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))
    await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Mira")))

    def search(reader: Reader) -> list[object]:
        return [
            reader.character_named(HERE, DUSK, MIRA),
            reader.countdown_named(HERE, DUSK, MIRA),
            reader.entry_of(HERE, MIRA),
            *reader.characters(HERE, DUSK, contains=MIRA),
            *reader.document_keys(HERE, DUSK, MIRA),
        ]

    assert await store.read(search) == [None, None, None]
    assert await store.run(search) == [None, None, None]


async def test_an_entry_with_it_in_a_name_is_saved(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))

    def unit(tx: Transaction) -> str:
        tx.add_entry(an_entry(DUSK, "named", person_name=MIRA))
        found = tx.entry_of(HERE, "named")
        assert found is not None
        return found.person_name

    assert await store.run(unit) in {MIRA, "Mi\ufffdra"}
