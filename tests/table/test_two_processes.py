"""Two processes on one PostgreSQL database: what comes to both, or is due, happens once."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings

from bot.store.records import ServerId, Shards
from bot.store.transaction import open_store
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import Request
from bot.table.base.live_rows import DueTask
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import sessions
from bot.table.watch import LinkedVoice
from tests.databases import NewDatabase, address_of, opened
from tests.paces import PATIENT
from tests.store.postgres_server import prepared_database
from tests.table.conftest import HOME, Clock, Person, Secrets
from tests.table.counting import state
from tests.table.play.test_play import do, entries, luck
from tests.table.test_presses import button, failed_check
from tests.table.test_undo import undo
from tests.table.test_undo_whatever_happens import SEQUENCES, Act, Evening
from tests.table.toy import TOY

on_postgres = pytest.mark.parametrize("engine", ["postgres"], indirect=True, scope="module")
T = TypeVar("T")
AT_ONCE = 20
HOLDING, NOT_HOLDING = Shards(2, frozenset({0})), Shards(2, frozenset({1}))
VOICE = 77


class Processes:
    """Two bots, each with a store of its own.

    Args:
        tables: Their tables.
    """

    def __init__(self, *tables: Table) -> None:
        self.tables = tables

    async def both(self, act: Callable[[Table], Awaitable[T]]) -> tuple[T, T]:
        """Let both do something at the same moment."""
        first, second = await asyncio.gather(*(act(table) for table in self.tables))
        return first, second

    async def attempts(self, *acts: Awaitable[object]) -> list[str]:
        """What comes of acts at the same moment: what they return or raise, by its type's name, in order."""
        done = await asyncio.gather(*acts, return_exceptions=True)
        return sorted(type(one).__name__ for one in done)


@asynccontextmanager
async def a_second_bot(url: str) -> AsyncIterator[Table]:
    async with opened(url) as store:
        yield Table(store=store, games={"toy": TOY}, now=Clock(), new_secret=Secrets(count=9))


@pytest.fixture
async def processes(game: Table) -> AsyncIterator[Processes]:
    async with a_second_bot(address_of(game.store)) as second:
        yield Processes(game, second)


async def checked_by_both(processes: Processes, request: Request) -> tuple[Result, Result]:
    return await processes.both(lambda table: play.perform(table, request, "check", {}))


@on_postgres
class TestDeliveredToBoth:
    """It is done once, and both answer with the same."""

    async def test_a_check_is_rolled_once(self, processes: Processes, game: Table, ada: Person) -> None:
        before = len(await entries(game, ada))

        first, second = await checked_by_both(processes, ada.asks())

        assert first == second
        assert first.rolls
        assert len(await entries(game, ada)) == before + 1

    async def test_a_point_is_spent_once(self, processes: Processes, game: Table, ada: Person) -> None:
        request = ada.asks()

        first, second = await processes.both(lambda table: play.perform(table, request, "spend", {}))

        assert first == second
        assert await luck(game, "Ada") == 1

    async def test_a_press_acts_once(self, processes: Processes, game: Table, ada: Person) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")
        request = ada.asks()

        first, second = await processes.both(lambda table: play.press(table, request, push))

        assert first == second
        assert await luck(game, "Ada") == 1

    async def test_an_undo_undoes_once(self, processes: Processes, game: Table, ada: Person) -> None:
        for _ in range(2):
            await do(game, ada, "spend")
        request = ada.asks()

        first, second = await processes.both(lambda table: journal.undo(table, request))

        assert isinstance(first, journal.Undone)
        assert first == second
        assert await luck(game, "Ada") == 1

    async def test_the_undo_of_an_undo_restores_once(
        self, processes: Processes, game: Table, ada: Person, gm: Person
    ) -> None:
        await do(game, ada, "spend")
        undone = await undo(game, ada)
        request = gm.asks()

        first, second = await processes.both(
            lambda table: journal.undo(table, request, undone.result.entry, is_sure=True)
        )

        assert first == second
        assert await luck(game, "Ada") == 1

    async def test_a_free_roll_is_rolled_once(self, processes: Processes, game: Table, ada: Person) -> None:
        request = ada.asks()

        first, second = await processes.both(lambda table: play.roll(table, request, "2d6"))

        assert first == second

    async def test_a_character_joins_once(self, processes: Processes, game: Table, ada: Person) -> None:
        request = ada.asks()

        first, second = await processes.both(
            lambda table: characters.take_ready_made(table, request, "Bo", "Cy")
        )

        assert first == second
        assert [one.name for one in await characters.listing(game, ada.asks())] == ["Ada", "Bo", "Cy"]

    async def test_the_first_command_of_a_server_makes_one_campaign(
        self, processes: Processes, neighbour: Person
    ) -> None:
        request = neighbour.asks()

        first, second = await processes.both(
            lambda table: campaigns.create(table, request, "toy", "The Short Road")
        )

        assert first == second

    async def test_many_interactions_of_many_people_count_once_each(
        self, processes: Processes, game: Table, ada: Person, bo: Person
    ) -> None:
        before = len(await entries(game, ada))
        requests = [person.asks() for _ in range(AT_ONCE // 2) for person in (ada, bo)]

        pairs = await asyncio.gather(*(checked_by_both(processes, one) for one in requests))

        assert [first for first, _ in pairs] == [second for _, second in pairs]
        done = sorted(first.entry for first, _ in pairs)
        assert done == list(range(done[0], done[0] + AT_ONCE))
        assert len(await entries(game, ada)) == before + AT_ONCE


@on_postgres
class TestAtTheSameMoment:
    """Of different interactions that exclude each other, one succeeds."""

    async def test_the_last_point_is_spent_by_one(
        self, processes: Processes, game: Table, ada: Person
    ) -> None:
        await do(game, ada, "spend")

        done = await processes.attempts(*(do(table, ada, "spend") for table in processes.tables))

        assert done == ["Result", "UserError"]
        assert await luck(game, "Ada") == 0

    async def test_a_button_is_pressed_by_one(self, processes: Processes, game: Table, ada: Person) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")

        done = await processes.attempts(*(play.press(table, ada.asks(), push) for table in processes.tables))

        assert done == ["DoneAlready", "Pressed"]
        assert await luck(game, "Ada") == 1

    async def test_an_entry_is_undone_by_one(
        self, processes: Processes, game: Table, ada: Person, gm: Person
    ) -> None:
        spent = await do(game, ada, "spend")
        first, second = processes.tables

        done = await processes.attempts(
            journal.undo(first, ada.asks(), spent.entry), journal.undo(second, gm.asks(), spent.entry)
        )

        assert done == ["Undone", "UserError"]
        assert await luck(game, "Ada") == 2

    async def test_a_name_is_given_to_one(
        self, processes: Processes, game: Table, ada: Person, bo: Person
    ) -> None:
        first, second = processes.tables

        done = await processes.attempts(
            characters.take_ready_made(first, ada.asks(), "Ada", "Cy"),
            characters.take_ready_made(second, bo.asks(), "Bo", "CY"),
        )

        assert len([one for one in done if one == "Result"]) == 1
        assert len(await characters.listing(game, ada.asks())) == 3


class InTurns(Evening):
    """An evening in which two bots act by turns, each with what it remembers."""

    def __init__(self, *tables: Table) -> None:
        self._tables = cycle(tables)
        super().__init__(tables[0])

    @property
    def table(self) -> Table:
        """The one whose turn it is."""
        return next(self._tables)

    @table.setter
    def table(self, table: Table) -> None:
        """Both are given at the beginning."""


@on_postgres
@given(acts=SEQUENCES)
@settings(max_examples=15, deadline=None)
def test_what_two_bots_did_by_turns_can_be_undone(database: NewDatabase, acts: list[Act]) -> None:
    async def evening_long() -> None:
        with tempfile.TemporaryDirectory() as folder, database(Path(folder)) as url:
            async with a_second_bot(url) as one, a_second_bot(url) as other:
                evening = InTurns(one, other)
                await evening.begin()
                before = state(one)
                done = await evening.play(acts)
                for entry, has_changed in reversed(done):
                    if has_changed:
                        await undo(evening.table, evening.gm, entry, is_sure=True)
                after = state(one)
                after["follow_ups"] = before["follow_ups"]  # those of results that changed nothing stay
                assert after == before

    asyncio.run(evening_long())


@pytest.fixture
async def both(postgres: Path, clock: Clock, gm: Person, ada: Person) -> AsyncIterator[tuple[Table, Table]]:
    """Two processes that both believe they look after a server: Gwen's campaign, in which Alice plays Ada."""
    url = prepared_database(postgres)
    stores = [await open_store(url, PATIENT), await open_store(url, PATIENT)]
    first, second = (
        Table(store=store, games={"toy": TOY}, now=clock, new_secret=Secrets(100 * number))
        for number, store in enumerate(stores)
    )
    await campaigns.create(first, gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(first, ada.asks(), "Ada")
    yield first, second
    for store in stores:
        await store.close()


def gone(_server: ServerId) -> bool:
    """Say that a server has removed the bot."""
    return False


async def only_due(table: Table, kind: str) -> DueTask:
    (found,) = await live_rows.due(table, kind)
    return found


class TestDueAtTheSameMoment:
    async def test_an_unpressed_button_is_pressed_once(
        self, both: tuple[Table, Table], ada: Person, clock: Clock
    ) -> None:
        await play.perform(both[0], ada.asks(), "dare", {})
        clock.seconds += 60
        tasks = [await only_due(table, live_rows.PRESS) for table in both]

        done = await asyncio.gather(
            *(watch.press_if_open(table, one) for table, one in zip(both, tasks, strict=True))
        )

        assert sorted(one is not None for one in done) == [False, True]
        (campaign,) = await both[0].store.read(lambda reader: reader.campaigns(HOME))
        entries = await both[0].store.read(lambda reader: reader.entries(HOME, campaign.id))
        assert len([entry for entry in entries if entry.interaction.startswith("press:")]) == 1

    async def test_a_session_ends_once_and_its_recap_is_posted_once(
        self, both: tuple[Table, Table], gm: Person, clock: Clock
    ) -> None:
        await sessions.start(both[0], gm.asks())
        clock.pass_hours(6)
        looked = [(table, (await watch.watched(table, only_ending=True))[0]) for table in both]

        ended = await asyncio.gather(*(watch.end_if_due(table, session) for table, session in looked))
        tasks = [await only_due(table, live_rows.RECAP) for table in both]
        news = await asyncio.gather(
            *(watch.news_of(table, task) for table, task in zip(both, tasks, strict=True))
        )

        assert sorted(one is not None for one in ended) == [False, True]
        assert sorted(one is not None for one in news) == [False, True]

    async def test_the_data_of_a_left_server_is_deleted_once(
        self, both: tuple[Table, Table], clock: Clock
    ) -> None:
        await asyncio.gather(*(watch.look_after(table, gone) for table in both))
        clock.pass_hours(30 * 24)

        done = await asyncio.gather(*(watch.look_after(table, gone) for table in both))

        assert sorted(done) == [(), (HOME,)]

    async def test_a_missed_answer_is_told_once(
        self, both: tuple[Table, Table], ada: Person, clock: Clock
    ) -> None:
        request = ada.asks()
        await play.perform(both[0], request, "dare", {})
        await watch.note(both[0], HOME, request.interaction)

        told = await asyncio.gather(*(watch.claim(table, ada.asks()) for table in both))

        assert sorted(len(one) for one in told) == [0, 1]


class TestWhoeverHoldsTheShard:
    @pytest.fixture
    async def other(self, both: tuple[Table, Table], gm: Person, ada: Person, clock: Clock) -> Table:
        """The process that does not hold it; a press, a missed answer and the end of a session are due."""
        holder, other = both
        holder.shards, other.shards = HOLDING, NOT_HOLDING
        await sessions.start(holder, gm.asks())
        request = ada.asks()
        await play.perform(holder, request, "dare", {})
        await watch.note(holder, HOME, request.interaction)
        clock.pass_hours(6)
        return other

    async def test_nobody_else_finds_anything_to_do_there(
        self, both: tuple[Table, Table], other: Table
    ) -> None:
        assert await live_rows.due(other, live_rows.PRESS) == ()
        assert await watch.watched(other, only_ending=True) == ()
        assert await watch.waiting(other) == set()
        assert await campaigns.outdated(other, {}) == {}
        assert await watch.look_after(other, gone) == ()
        assert await live_rows.due(both[0], live_rows.LEFT_SERVER) == ()

    async def test_who_takes_the_shard_over_finds_all_of_it(
        self, both: tuple[Table, Table], other: Table, ada: Person
    ) -> None:
        both[0].shards, other.shards = NOT_HOLDING, HOLDING

        assert (await only_due(other, live_rows.PRESS)).server == HOME
        assert [one.server for one in await watch.watched(other, only_ending=True)] == [HOME]
        assert await watch.waiting(other) == {(HOME, ada.id)}
        assert list(await campaigns.outdated(other, {})) == [HOME]
        assert await live_rows.due(both[0], live_rows.PRESS) == ()

    async def test_voice_channels_that_another_process_linked_meanwhile_are_known(
        self, both: tuple[Table, Table], gm: Person
    ) -> None:
        first, second = both
        linked = LinkedVoice(first)
        assert await linked.of(HOME) == frozenset()
        first.shards, second.shards = NOT_HOLDING, HOLDING
        await sessions.start(second, gm.asks(), voice=VOICE)

        first.shards, second.shards = HOLDING, NOT_HOLDING
        found = await linked.of(HOME)
        linked.stop()

        assert found == {VOICE}
