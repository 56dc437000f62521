"""Pressing what stands under a result: once, by whoever may, as long as it stands."""

import asyncio

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly, NoCharacter
from bot.table.base.results import ChangeLine, EntryId, FollowUpId, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.journal import journal
from bot.table.play import play
from bot.table.play.play import NoLongerOpen, Pressed
from tests.databases import on_both_engines
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.play.test_play import do, luck

pytestmark = on_both_engines


async def failed_check(table: Table, who: Person) -> Result:
    """A check that failed, with its Push button."""
    for _ in range(20):
        result = await do(table, who, "check", bonus=-5)
        if result.follow_ups:
            return result
    raise AssertionError("every check succeeded")


def button(result: Result, label: str) -> FollowUpId:
    return next(one.id for one in result.follow_ups if one.follow_up.label == label)


def labels(result: Result) -> list[str]:
    return [one.follow_up.label for one in result.follow_ups]


async def press(table: Table, who: Person, id_: FollowUpId, chosen: str | None = None) -> Pressed:
    return await play.press(table, who.asks(), id_, chosen)


async def refused(table: Table, who: Person, id_: FollowUpId, chosen: str | None = None) -> UserError:
    """Press in vain; nothing at all has changed afterwards."""
    before = everything(table)
    with pytest.raises(UserError) as told:
        await press(table, who, id_, chosen)
    assert everything(table) == before
    return told.value


class TestPressing:
    async def test_a_press_acts_once_and_its_button_leaves_the_message(
        self, game: Table, ada: Person
    ) -> None:
        check = await failed_check(game, ada)
        push = button(check, "Push · 1 Luck")

        pressed = await press(game, ada, push)

        assert pressed.result.message.headline == "pushes"
        assert (pressed.message.entry, labels(pressed.message)) == (check.entry, [])
        assert (await refused(game, ada, push)).sentences == ("That has already been done.",)
        assert await luck(game, "Ada") == 1

    async def test_two_presses_at_the_same_time_act_once(self, game: Table, ada: Person) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")

        answers = await asyncio.gather(*(press(game, ada, push) for _ in range(3)), return_exceptions=True)

        assert sorted(type(answer).__name__ for answer in answers) == [
            "DoneAlready",
            "DoneAlready",
            "Pressed",
        ]
        assert await luck(game, "Ada") == 1

    async def test_the_same_press_delivered_twice_acts_once(self, game: Table, ada: Person) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")
        request = ada.asks()

        first = await play.press(game, request, push)
        kept = everything(game)

        assert await play.press(game, request, push) == first
        assert everything(game) == kept

    async def test_a_refused_press_leaves_the_button_open(self, game: Table, ada: Person) -> None:
        check = await failed_check(game, ada)
        await do(game, ada, "spend")
        spent = await do(game, ada, "spend")
        push = button(check, "Push · 1 Luck")

        assert (await refused(game, ada, push)).what == "Ada has no Luck left."

        await journal.undo(game, ada.asks(), spent.entry)
        assert (await press(game, ada, push)).result.message.headline == "pushes"

    async def test_a_press_works_from_another_channel_until_the_campaign_is_archived(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")
        eat = button(await do(game, ada, "feast"), "Eat")
        await campaigns.create(game, gm.asks(), "toy", "Another")
        await campaigns.bind(game, gm.asks(), 77, "#far", "Another")

        pressed = await play.press(game, ada.asks(place=77), push)

        assert pressed.result.message.who == "Ada"
        await campaigns.archive(game, gm.asks(), "The Long Road")
        assert (await refused(game, ada, eat)).what == "That campaign is archived."


class TestGroups:
    async def test_a_press_closes_its_group_and_leaves_the_others(self, game: Table, ada: Person) -> None:
        feast = await do(game, ada, "feast")

        pressed = await press(game, ada, button(feast, "Toast"))

        assert labels(pressed.message) == ["Eat", "Judge"]
        assert (await refused(game, ada, button(feast, "Boast"))).what == "That has already been done."

    async def test_a_lasting_button_can_be_pressed_again_and_by_everybody(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        eat = button(await do(game, ada, "feast"), "Eat")

        eaters = [(await press(game, who, eat)).result.message.who for who in (ada, bo, ada)]

        assert eaters == ["Ada", "Bo", "Ada"]


class TestWhoMayPress:
    async def test_a_players_button_is_for_them_and_the_gm(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        feast = await do(game, ada, "feast")
        toast = button(feast, "Toast")

        assert (await refused(game, bo, toast)).sentences == (
            "That button is for Ada.",
            "Only its player or a GM can press it.",
        )
        assert (await press(game, gm, toast)).result.message.who == "Ada"

    async def test_a_gms_button_is_for_the_gm_only(self, game: Table, gm: Person, ada: Person) -> None:
        judge = button(await do(game, ada, "feast"), "Judge")

        mistake = await refused(game, ada, judge)

        assert isinstance(mistake, ForGmOnly)
        assert mistake.what == "Only a GM can press that button."

    async def test_anyones_button_needs_a_character(
        self, game: Table, ada: Person, neighbour: Person
    ) -> None:
        eat = button(await do(game, ada, "feast"), "Eat")
        neighbour.server, neighbour.manages_server = ada.server, False

        assert isinstance(await refused(game, neighbour, eat), NoCharacter)

    async def test_a_button_cannot_be_pressed_from_another_server(
        self, game: Table, ada: Person, neighbour: Person
    ) -> None:
        eat = button(await do(game, ada, "feast"), "Eat")

        theirs = await refused(game, neighbour, eat)
        nothing = await refused(game, neighbour, FollowUpId(12345))

        assert isinstance(theirs, NoLongerOpen)
        assert theirs.sentences == nothing.sentences

    async def test_a_private_results_button_cannot_be_pressed_by_others(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        go_on = button(await do(game, ada, "whisper"), "Go on")

        assert isinstance(await refused(game, bo, go_on), NoLongerOpen)

        pressed = await press(game, ada, go_on)
        assert not pressed.result.message.is_public

    async def test_a_press_for_a_retired_character_is_refused(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        toast = button(await do(game, ada, "feast"), "Toast")
        await characters.retire(game, ada.asks(), "Ada")

        assert (await refused(game, gm, toast)).what == "There is no such character here."


class TestMenus:
    async def test_a_choice_from_a_menu_is_carried_out(self, game: Table, ada: Person) -> None:
        aim = await do(game, ada, "aim")

        pressed = await press(game, ada, button(aim, "How many arrows …"), "3")

        assert pressed.result.message.headline == "looses 3"

    async def test_a_menu_finds_a_character_that_was_renamed_since(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        aim = await do(game, ada, "aim")
        whom = button(aim, "Treat whom?")
        (ada_herself,) = (choice.value for choice in aim.follow_ups[1].follow_up.choices)
        await do(game, gm, "hurt", target="Ada")
        await characters.rename(game, ada.asks(), "Ada", "Ada the Bold")
        await characters.rename(game, bo.asks(), "Bo", ada_herself)

        pressed = await press(game, ada, whom, ada_herself)

        assert pressed.result.message.changes == (ChangeLine("Ada the Bold", "Body light", "1", "0"),)

    async def test_a_typed_number_is_taken_as_a_characters_name(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        with pytest.raises(UserError, match="no character called “1”"):
            await do(game, gm, "hurt", target="1")

    @pytest.mark.parametrize("chosen", [None, "", "4", "-1", "all"])
    async def test_a_choice_that_the_menu_does_not_hold_is_refused(
        self, game: Table, ada: Person, chosen: str | None
    ) -> None:
        menu = button(await do(game, ada, "aim"), "How many arrows …")

        assert (await refused(game, ada, menu, chosen)).what == "You can't choose that here."


class TestAfterAnUndo:
    async def test_an_undone_results_buttons_are_gone_until_it_is_restored(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, gm, "poison", target="Bo")
        waited = await do(game, gm, "wait", seconds=600)
        treat = button(waited, "Treat Bo")
        undone = await journal.undo(game, gm.asks(), waited.entry)
        assert isinstance(undone, journal.Undone)

        assert isinstance(await refused(game, gm, treat), NoLongerOpen)

        await journal.undo(game, gm.asks(), undone.result.entry)
        assert (await press(game, gm, treat)).result.message.headline == "treats a wound"

    async def test_an_undone_press_opens_its_button_again(self, game: Table, gm: Person, ada: Person) -> None:
        push = button(await failed_check(game, ada), "Push · 1 Luck")
        pressed = await press(game, ada, push)
        await journal.undo(game, gm.asks(), pressed.result.entry)

        again = await press(game, ada, push)

        assert labels(again.message) == []
        assert await luck(game, "Ada") == 1


class TestTime:
    async def test_timers_run_out_in_order_and_offer_follow_ups(self, game: Table, gm: Person) -> None:
        await do(game, gm, "poison", target="Ada")
        await do(game, gm, "wait", seconds=300)
        await do(game, gm, "poison", target="Bo")

        early = await do(game, gm, "wait", seconds=299)
        waited = await do(game, gm, "wait", seconds=301)

        assert (early.message.notes, labels(early)) == ((), [])
        assert waited.message.notes == ("The poison reaches Ada.", "The poison reaches Bo.")
        assert labels(waited) == ["Treat Ada", "Treat Bo"]


class TestEntries:
    async def test_another_servers_entry_cannot_be_read(
        self, game: Table, ada: Person, neighbour: Person
    ) -> None:
        spent = await do(game, ada, "spend")

        with pytest.raises(UserError) as theirs:
            await journal.entry_result(game, neighbour.asks(), spent.entry)
        with pytest.raises(UserError) as nothing:
            await journal.entry_result(game, neighbour.asks(), EntryId(999))

        assert theirs.value.sentences == nothing.value.sentences


async def test_a_hidden_characters_button_does_not_name_it_to_players(game: Table, ada: Person) -> None:
    boss = Person(1, "Gwen", ada.interactions, manages_server=True)
    await gm.make_npc(game, boss.asks(), "Ogre", is_hidden=True)
    feast = await play.perform(game, boss.asks(), "feast", {}, acting="Ogre")

    assert isinstance(await refused(game, ada, button(feast, "Toast")), NoLongerOpen)
