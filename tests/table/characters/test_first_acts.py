"""What a sheet shows at first is what all that the character can do comes to, in every game (issue 15)."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest

from bot.rules import rulesets
from bot.rules.kernel import ActGroup, FollowUp
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.store.sqlite import open_store
from bot.store.transaction import Reader
from bot.table.base.table import SheetCache, Table
from bot.table.base.turn import ReadTurn
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.characters.characters import view
from bot.table.characters.seats import Seat, keyed, take_seat
from bot.table.play.play import FormWanted, Given
from tests.databases import prepared_file
from tests.table.conftest import Clock, Interactions, Person, Secrets

ACTS = 25
T = TypeVar("T")


class Evening:
    """Two players and a GM who do at random what sheets offer, after looking at each of them."""

    def __init__(self, table: Table, game: str) -> None:
        self.table, self.game, self.chance = table, game, FairDice(b"looks", game)
        self.gm = Person(1, "Gwen", numbers := Interactions(), manages_server=True)
        self.players = [Person(2, "Alice", numbers), Person(3, "Bob", numbers)]
        self.ids: list[int] = []
        self.done: Counter[ActGroup] = Counter()

    async def begin(self) -> None:
        game = self.table.games[self.game]
        await campaigns.create(self.table, self.gm.asks(), self.game, "The Mill")
        ready = list(game.creation.offered(game.settings()))
        for player, name in zip(self.players, ready, strict=False):
            await characters.take_ready_made(self.table, player.asks(), name)
            self.ids.append((await controls.open_controls(self.table, player.asks())).sheet.id)

    def any_of(self, these: Sequence[T]) -> T:
        return these[self.chance.roll(len(these)) - 1]

    async def act(self) -> None:
        place = self.chance.roll(2) - 1
        who, person = self.ids[place], self.any_of([self.players[place], self.players[place], self.gm])
        await self.table.store.read(lambda reader: self.compare(reader, person, who))
        shown = await controls.open_controls(self.table, person.asks(), who)
        group = self.any_of(shown.groups)
        able = [
            one
            for one in (await controls.open_group(self.table, person.asks(), who, group)).controls
            if not one.act.why_not and not one.trial.problem
        ]
        if able:
            one = self.any_of(able)
            given = self.given_for(one.act.do)
            await controls.take(self.table, person.asks(), who, one.key, shown.now, "", given)
            self.done[group] += 1

    def given_for(self, follow_up: FollowUp) -> Given:
        chosen = self.any_of(follow_up.choices).value if follow_up.choices else None
        return Given(chosen, {one.key: "3" for one in follow_up.blanks})

    def compare(self, reader: Reader, person: Person, who: int) -> None:
        seat = take_seat(ReadTurn(self.table, reader, person.asks()), who)
        everything = list(seat.acts())
        groups, due = seat.groups_and_due()
        assert groups == {act.group for act in everything}
        assert list(due) == [act for act in everything if act.is_due]
        for group in ActGroup:
            assert list(seat.acts(group)) == [act for act in everything if act.group is group]
        for key, act in keyed(everything).items():
            assert seat.find(key) == act
        assert seat.find("?") is None
        self.compare_parts(seat)
        self.compare_texts(reader, seat)

    def compare_parts(self, seat: Seat) -> None:
        for part in self.table.games[self.game].acts(seat.scene):
            made = {act.group for act in part.made()}
            assert made == part.groups if part.is_certain else made <= part.groups
        for act in self.table.games[self.game].gm_acts(seat.scene):
            assert act.group in set(ActGroup) - {ActGroup.FIGHT}

    def compare_texts(self, reader: Reader, seat: Seat) -> None:
        actor, game, settings = seat.scene.actor, self.table.games[self.game], seat.access.settings
        texts = self.table.sheets.texts(game, seat.record.server, actor, settings)
        assert texts == SheetCache().texts(game, seat.record.server, actor, settings)
        at = ReadTurn(self.table, reader, seat.access.request, seat.access)
        assert view(at, seat.record).glance == game.glance(actor, settings)


async def an_evening(game: str) -> Evening:
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(prepared_file(Path(folder)))
        try:
            evening = Evening(Table(store=store, games=rulesets(), now=Clock(), new_secret=Secrets()), game)
            await evening.begin()
            for _ in range(ACTS):
                with suppress(UserError, FormWanted):
                    await evening.act()
            return evening
        finally:
            await store.close()


@pytest.mark.parametrize("game", rulesets())
def test_the_groups_and_all_that_is_due_are_found_without_the_rest(game: str) -> None:
    evening = asyncio.run(an_evening(game))

    assert evening.done.total() >= ACTS / 3
    assert len(evening.done) >= 4
