"""Random play and random undos: everything is as it was before."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.play import play
from tests.databases import NewDatabase, on_both_engines, opened
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.counting import everything, state
from tests.table.test_undo import undo
from tests.table.toy import TOY

Act = Callable[["Evening"], Awaitable[Result]]


class Evening:
    """A table in the middle of play, on a database of its own."""

    def __init__(self, table: Table) -> None:
        self.table = table
        numbers = Interactions()
        self.gm = Person(1, "Gwen", numbers, manages_server=True)
        self.ada = Person(2, "Alice", numbers)
        self.bo = Person(3, "Bob", numbers)
        self.open: list[Any] = []

    async def begin(self) -> None:
        await campaigns.create(self.table, self.gm.asks(), "toy", "The Long Road")
        await characters.take_ready_made(self.table, self.ada.asks(), "Ada")
        await characters.take_ready_made(self.table, self.bo.asks(), "Bo")
        await gm.make_npc(self.table, self.gm.asks(), "Ogre", is_hidden=True)

    async def play(self, acts: Sequence[Act]) -> list[tuple[EntryId, bool]]:
        """Play acts; return the entries and whether each changed something. UserErrors change nothing."""
        done: list[tuple[EntryId, bool]] = []
        for act in acts:
            before = everything(self.table)
            try:
                result = await act(self)
            except UserError:
                assert everything(self.table) == before
            else:
                self.open += result.follow_ups
                done.append((result.entry, result.can_undo))
        return done


def as_person(who: str, procedure: str, **given: Any) -> Act:
    async def act(evening: Evening) -> Result:
        person: Person = getattr(evening, who)
        acting = "Ogre" if who == "gm" and not procedure.startswith(("hurt", "poison", "wait")) else None
        return await play.perform(evening.table, person.asks(), procedure, given, acting=acting)

    return act


def press_any(position: int) -> Act:
    async def act(evening: Evening) -> Result:
        if not evening.open:
            raise UserError("Nothing can be pressed.")
        one = evening.open[position % len(evening.open)]
        return (await play.press(evening.table, evening.gm.asks(), one.id)).result

    return act


def rename(who: str, name: str, to: str) -> Act:
    async def act(evening: Evening) -> Result:
        person: Person = getattr(evening, who)
        return await characters.rename(evening.table, person.asks(), name, to)

    return act


def retire(who: str, name: str) -> Act:
    async def act(evening: Evening) -> Result:
        return await characters.retire(evening.table, getattr(evening, who).asks(), name)

    return act


def newcomer(who: str, name: str) -> Act:
    async def act(evening: Evening) -> Result:
        return await characters.take_ready_made(evening.table, getattr(evening, who).asks(), "Bo", name)

    return act


PLAYERS = st.sampled_from(["ada", "bo", "gm"])
NAMES = st.sampled_from(["Ada", "Bo", "Ogre", "Cy", "CY"])
ALONE = st.sampled_from(["spend", "train", "check", "feast", "whisper"])
ACTS = st.one_of(
    st.builds(
        as_person, PLAYERS, st.sampled_from(["spend", "train", "check", "feast", "whisper", "stumble"])
    ),
    st.builds(lambda target: as_person("gm", "hurt", target=target), NAMES),
    st.builds(lambda target: as_person("gm", "poison", target=target), NAMES),
    st.builds(lambda who, target: as_person(who, "treat", target=target), PLAYERS, NAMES),
    st.builds(lambda seconds: as_person("gm", "wait", seconds=seconds), st.sampled_from([1, 300, 600])),
    st.builds(lambda who, text: as_person(who, "omen", text=text), PLAYERS, st.text(max_size=5)),
    st.builds(press_any, st.integers(min_value=0, max_value=30)),
    st.builds(rename, PLAYERS, NAMES, NAMES),
    st.builds(retire, PLAYERS, NAMES),
    st.builds(newcomer, PLAYERS, NAMES),
)
SEQUENCES = cast("st.SearchStrategy[list[Act]]", st.lists(ACTS, min_size=1, max_size=12))


@asynccontextmanager
async def an_evening(database: NewDatabase) -> AsyncIterator[Evening]:
    with tempfile.TemporaryDirectory() as folder, database(Path(folder)) as url:
        async with opened(url) as store:
            evening = Evening(Table(store=store, games={"toy": TOY}, now=Clock(), new_secret=Secrets()))
            await evening.begin()
            yield evening


@on_both_engines
class TestWhateverHappens:
    @given(acts=SEQUENCES)
    @settings(max_examples=25, deadline=None)
    def test_undoing_everything_one_by_one_restores_the_beginning(
        self, database: NewDatabase, acts: list[Act]
    ) -> None:
        async def evening_long() -> None:
            async with an_evening(database) as evening:
                before = state(evening.table)
                done = await evening.play(acts)
                for entry, has_changed in reversed(done):
                    if has_changed:
                        await undo(evening.table, evening.gm, entry, is_sure=True)
                after = state(evening.table)
                after["follow_ups"] = before["follow_ups"]  # those of results that changed nothing stay
                assert after == before

        asyncio.run(evening_long())

    @given(acts=SEQUENCES, which=st.integers(min_value=0, max_value=11))
    @settings(max_examples=25, deadline=None)
    def test_an_undo_with_its_obstacles_and_the_undo_of_that_change_nothing(
        self, database: NewDatabase, acts: list[Act], which: int
    ) -> None:
        async def evening_long() -> None:
            async with an_evening(database) as evening:
                done = [entry for entry, has_changed in await evening.play(acts) if has_changed]
                if not done:
                    return
                before = state(evening.table)
                undone = await undo(evening.table, evening.gm, done[which % len(done)], together=True)
                await undo(evening.table, evening.gm, undone.result.entry)
                assert state(evening.table) == before

        asyncio.run(evening_long())
