"""Favorites: kept per character, done as things are now, refused to everybody else (F-ALL-28)."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import Act, ActGroup, ActPart, CharacterId, Choice, FollowUp
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.store.records import FavoriteRecord, JsonObject
from bot.store.sqlite import open_store
from bot.store.transaction import Reader, Transaction
from bot.table.base.results import Result
from bot.table.base.table import OfferCache, SheetCache, Table
from bot.table.base.turn import ReadTurn
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls, favorites
from bot.table.characters.characters import view
from bot.table.characters.controls import Controls
from bot.table.characters.favorites import Offered, find_offered, kept_body
from bot.table.characters.seats import Seat, keyed, take_seat
from bot.table.journal import journal
from bot.table.play import play
from bot.table.play.play import FormWanted, Given
from tests.databases import prepared_file
from tests.table.conftest import HOME, Clock, Interactions, Person, Secrets
from tests.table.counting import everything
from tests.table.toy import CheckOptions, TargetOptions

ADA, BO, CAT = 1, 2, 3
NAMES = {ADA: "Ada", BO: "Bo", CAT: "Cat"}


def heal(*targets: int) -> Act:
    """The act of treating somebody, with a menu of those who are there."""
    choices = tuple(Choice(str(one), NAMES[one]) for one in targets)
    follow_up = FollowUp(
        procedure="treat",
        options=TargetOptions(target=CharacterId(targets[0])),
        label="Treat someone",
        character=CharacterId(ADA),
        choices=choices,
        chosen="target",
    )
    return Act(group=ActGroup.REST, do=follow_up)


def check(bonus: int = 0) -> Act:
    """The act of a check whose bonus can be set."""
    follow_up = FollowUp(procedure="check", options=CheckOptions(bonus=bonus), label="Check")
    return Act(group=ActGroup.CHECK, do=follow_up, adjusts={"bonus": "Bonus"})


def kept(follow_up: FollowUp) -> JsonObject:
    return kept_body(follow_up, follow_up.label)


class TestMatching:
    def test_a_kept_act_is_found_with_its_settings_whatever_is_preset_now(self) -> None:
        acts = {"treat": heal(BO), "check": check(bonus=3)}

        found = find_offered(kept(check(bonus=2).do), acts)

        assert found == Offered("check", (7,), "")  # −5 to 5: the eighth value is 2

    def test_an_act_kept_with_its_menu_asks_again_whoever_is_there_now(self) -> None:
        assert find_offered(kept(heal(BO, CAT).do), {"treat": heal(CAT, ADA)}) == Offered("treat", (), "")

    def test_an_act_kept_with_its_target_does_not_ask_while_the_target_is_there(self) -> None:
        favorite = kept(replace(heal(BO).do, choices=(), chosen=""))

        assert find_offered(favorite, {"treat": heal(CAT, BO)}) == Offered("treat", (), str(BO))
        assert find_offered(favorite, {"treat": heal(CAT)}) is None

    def test_an_act_that_is_not_offered_is_not_found(self) -> None:
        assert find_offered(kept(check().do), {"treat": heal(BO)}) is None


async def save_a_check(table: Table, who: Person, name: str = "Mine") -> Result:
    result = await play.perform(table, who.asks(), "check", {"bonus": 2})
    await favorites.save_last(table, who.asks(), name)
    return result


async def look(table: Table, who: Person, name: str = "Mine") -> Controls:
    return await controls.open_favorite(table, who.asks(), None, name)


async def use(table: Table, who: Person, shown: Controls) -> Result:
    asked = shown.asked
    assert asked is not None
    return await controls.take(table, who.asks(), shown.sheet.id, asked.control.key, shown.now, asked.state)


async def own(table: Table, who: Person) -> list[str]:
    return [one.name for one in (await favorites.own_favorites(table, who.asks())).all]


class TestFavorites:
    async def test_a_saved_act_is_done_again_with_its_options(self, game: Table, ada: Person) -> None:
        first = await save_a_check(game, ada)

        done = await use(game, ada, await look(game, ada))

        assert [roll.against for roll in done.rolls] == [roll.against for roll in first.rolls]

    async def test_saving_looking_and_removing_write_nothing_to_the_journal(
        self, game: Table, ada: Person
    ) -> None:
        first = await save_a_check(game, ada)
        await look(game, ada)
        await favorites.remove(game, ada.asks(), "mine")

        again = await journal.entry_result(game, ada.asks(), first.entry)
        assert replace(again, number=0) == first
        assert await own(game, ada) == []

    async def test_costs_are_paid_again_and_what_cannot_be_paid_is_refused(
        self, game: Table, ada: Person
    ) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await favorites.save_last(game, ada.asks(), "Mine")
        await use(game, ada, await look(game, ada))
        shown = await look(game, ada)
        before = everything(game)

        with pytest.raises(UserError, match="Luck"):
            await use(game, ada, shown)

        assert everything(game) == before

    async def test_a_second_press_of_the_same_controls_does_nothing(self, game: Table, ada: Person) -> None:
        await save_a_check(game, ada)
        shown = await look(game, ada)
        await use(game, ada, shown)

        with pytest.raises(UserError, match="Ada has done something else since"):
            await use(game, ada, shown)

    async def test_nobody_else_finds_presses_or_removes_them(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        await save_a_check(game, ada)
        shown = await look(game, ada)
        (mine,) = (await controls.open_controls(game, ada.asks())).favorites

        with pytest.raises(UserError, match="Ada isn't your character"):
            await use(game, bo, shown)
        with pytest.raises(UserError, match="Ada isn't your character"):
            await controls.open_favorite(game, bo.asks(), shown.sheet.id, mine.id)
        with pytest.raises(UserError, match="Ada isn't your character"):
            await controls.keep(game, bo.asks(), shown.sheet.id, "", "", "Stolen", now=shown.now)
        for which in (mine.id, mine.name):
            with pytest.raises(UserError, match="You have no favorite"):
                await controls.open_favorite(game, bo.asks(), None, which)
        with pytest.raises(UserError, match="You have no favorite"):
            await favorites.remove(game, bo.asks(), mine.name)
        assert await own(game, bo) == []
        assert await favorites.names(game, bo.asks(), "") == []
        assert await own(game, ada) == ["Mine"]

    async def test_what_is_kept_is_what_stood_on_the_sheet_even_if_more_was_done_since(
        self, game: Table, ada: Person
    ) -> None:
        await play.perform(game, ada.asks(), "check", {"bonus": 2})
        shown = await controls.open_controls(game, ada.asks())
        await play.perform(game, ada.asks(), "spend", {})

        await controls.keep(game, ada.asks(), shown.sheet.id, "", "", "Mine", now=shown.now)

        (mine,) = (await favorites.own_favorites(game, ada.asks())).all
        assert mine.what == shown.keeps == "checks Brawn"

    async def test_an_undone_act_is_not_saved(self, game: Table, ada: Person, gm: Person) -> None:
        done = await play.perform(game, ada.asks(), "spend", {})
        await journal.undo(game, gm.asks(), done.entry, is_sure=True)

        with pytest.raises(UserError, match="done nothing yet"):
            await favorites.save_last(game, ada.asks(), "Mine")

    @pytest.mark.parametrize("name", [" ", "\u200b", "\n"])
    async def test_a_favorite_needs_a_name(self, game: Table, ada: Person, name: str) -> None:
        await play.perform(game, ada.asks(), "check", {})

        with pytest.raises(UserError, match="needs a name"):
            await favorites.save_last(game, ada.asks(), name)

    async def test_the_twenty_sixth_is_refused_but_a_known_name_is_replaced(
        self, game: Table, ada: Person
    ) -> None:
        for number in range(25):
            await save_a_check(game, ada, f"Number {number}")

        with pytest.raises(UserError, match="You have 25 favorites"):
            await favorites.save_last(game, ada.asks(), "One more")
        saved = await favorites.save_last(game, ada.asks(), "number 7")
        assert not saved.is_new

    async def test_they_stay_with_a_renamed_character_and_are_refused_once_it_has_retired(
        self, game: Table, ada: Person
    ) -> None:
        await save_a_check(game, ada)
        await characters.rename(game, ada.asks(), "Ada", "Adela")
        assert (await use(game, ada, await look(game, ada))).message.who == "Adela"
        shown = await look(game, ada)

        await characters.retire(game, ada.asks(), "Adela")

        with pytest.raises(UserError, match="There is no such character"):
            await use(game, ada, shown)

    async def test_one_of_a_later_release_says_that_it_is_not_possible(
        self, game: Table, ada: Person
    ) -> None:
        await save_a_check(game, ada)
        shown = await look(game, ada)
        body = kept_body(replace(check().do, procedure="juggle"), "juggles")

        def put(tx: Transaction) -> int:
            return tx.save_favorite(
                FavoriteRecord(server=HOME, character=shown.sheet.id, name="Mine", body=body)
            )

        await game.store.run(put)
        with pytest.raises(UserError, match="“Mine” isn't possible now"):
            await use(game, ada, await look(game, ada))


ACTS = 25
EACH = 5  # of so many acts, one is found by its key at each look; it takes as long as to make all of them
T = TypeVar("T")


class Evening:
    """Two players and a GM who do at random what sheets offer, after looking at each of them."""

    def __init__(self, table: Table, game: str) -> None:
        self.table, self.game, self.chance = table, game, FairDice(b"looks", game)
        self.gm = Person(1, "Gwen", numbers := Interactions(), manages_server=True)
        self.players = [Person(2, "Alice", numbers), Person(3, "Bob", numbers)]
        self.ids: list[int] = []
        self.looks = 0
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
        shown = await self.looked_at(controls.open_controls, person, who)
        group = self.any_of(shown.groups)
        opened = await self.looked_at(controls.open_group, person, who, group)
        able = [one for one in opened.controls if not one.act.why_not and not one.trial.problem]
        if able:
            one = self.any_of(able)
            given = self.given_for(one.act.do)
            await controls.take(self.table, person.asks(), who, one.key, shown.now, "", given)
            self.done[group] += 1

    async def looked_at(
        self, look: Callable[..., Awaitable[Controls]], person: Person, *which: int | ActGroup
    ) -> Controls:
        """What a sheet shows, which is the same where nothing that it offers is remembered."""
        shown = await look(self.table, person.asks(), *which)
        remembered, self.table.offers = self.table.offers, OfferCache()
        assert await look(self.table, person.asks(), *which) == shown
        self.table.offers = remembered
        return shown

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
        once = made_once(seat)
        self.looks += 1
        for key, act in [*keyed(everything).items()][self.looks % EACH :: EACH]:
            assert once.find(key) == act
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


def made_once(seat: Seat) -> Seat:
    """The same seat, whose acts are not made anew for each that is looked for."""
    game, scene = seat.access.game, seat.scene
    parts = tuple(ActPart(cache(lambda part=part: [*part.made()]), *part.groups) for part in game.acts(scene))
    gm_acts = game.gm_acts(scene)
    game = replace(game, acts=lambda _scene: parts, gm_acts=lambda _scene: gm_acts)
    return replace(seat, access=replace(seat.access, game=game))


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
