"""Countdowns: a GM starts and moves them, players press, and everything can be undone."""

import asyncio
from typing import Any

import pytest

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Limits, Side, Term, Visibility
from bot.store.records import CampaignId
from bot.table.base.access import ForGmOnly, NoCharacter
from bot.table.base.live_rows import News
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import countdown_actions, countdown_plans
from bot.table.play import countdown_plans as boards
from bot.table.play.countdown_actions import Edit, SkillWanted
from bot.table.play.countdown_plans import BoardPlace
from bot.table.play.countdowns import NoSuchCountdown
from tests.databases import on_both_engines
from tests.table.conftest import CHANNEL, HOME, Person
from tests.table.counting import a_plan, begin, everything, seen, state, values


async def press(table: Table, who: Person, id_: int = 1, **other: Any) -> Result:
    done = await countdown_actions.press(table, who.asks(), id_, **other)
    assert isinstance(done, Result)
    return done


class TestBeginning:
    @pytest.mark.rule("RPJ-COUNT-01", "RPJ-COUNT-06")
    async def test_everybody_is_told_a_countdowns_value_and_difficulty(self, game: Table, gm: Person) -> None:
        done = await begin(game, gm, a_plan())

        assert (done.result.message.who, done.result.message.headline) == (
            "Gwen",
            "starts a countdown: Evidence",
        )
        assert done.result.message.notes == ("0 of 4 ◻◻◻◻ · success · moderate",)
        assert done.result.message.is_public

    @pytest.mark.rule("RPJ-COUNT-05")
    async def test_players_read_a_countdowns_name_but_not_the_gms_note(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Treachery?", note="The baron turns.", consequence="Swords are drawn."))

        players, gms = await seen(game, ada, "treachery?"), await seen(game, gm, "Treachery?")

        assert (players.name, players.note, players.consequence) == ("Treachery?", "", "")
        assert (gms.note, gms.consequence) == ("The baron turns.", "Swords are drawn.")

    async def test_two_running_countdowns_cannot_share_a_name(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())

        with pytest.raises(UserError, match="A countdown called “EVIDENCE” is already running"):
            await begin(game, gm, a_plan("EVIDENCE"))

    async def test_a_countdowns_name_must_be_readable_and_short_enough(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="needs a readable name"):
            await begin(game, gm, a_plan("\u200b"))
        with pytest.raises(UserError, match="up to 60 characters; this one has 61"):
            await begin(game, gm, a_plan("x" * 61))

    async def test_a_countdown_follows_only_checks_that_the_game_has(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="Toy Game has no check called “fly”"):
            await begin(game, gm, a_plan(links=("fly",)))

    @pytest.mark.rule("RPJ-COUNT-13")
    async def test_the_gm_is_warned_about_a_sixth_open_countdown(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan("Hidden", visibility=Visibility.GM))
        hints = [(await begin(game, gm, a_plan(f"Number {number}"))).hints for number in range(6)]

        assert hints[:5] == [()] * 5
        assert hints[5] == ("6 open countdowns are running; with that many, each one matters less.",)

    async def test_only_a_gm_may_use_the_gms_buttons_and_list(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())
        before = everything(game)

        for deed in (
            countdown_actions.press(game, ada.asks(), 1, is_back=True),
            countdown_actions.press(game, ada.asks(), 1, for_gm=True),
            boards.gm_listing(game, ada.asks()),
        ):
            with pytest.raises(ForGmOnly):
                await deed
        assert everything(game) == before

    async def test_the_same_interaction_twice_moves_a_countdown_once(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        first = await countdown_plans.begin(game, gm.asks("71"), a_plan())
        again = await countdown_plans.begin(game, gm.asks("71"), a_plan())
        pressed = await countdown_actions.press(game, ada.asks("72"), 1)

        assert again == first
        assert await countdown_actions.press(game, ada.asks("72"), 1) == pressed
        assert await values(game, gm) == {"Evidence": "1/4"}


class TestMoving:
    @pytest.mark.rule("RPJ-COUNT-02")
    async def test_a_gm_moves_a_countdown_by_any_number_of_steps(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())

        forth = await countdown_actions.move(game, gm.asks(), "Evidence", 3)
        back = await countdown_actions.move(game, gm.asks(), "Evidence", -2)
        still = await countdown_actions.move(game, gm.asks(), "Evidence", -5)
        nowhere = await countdown_actions.move(game, gm.asks(), "Evidence", -1)
        await countdown_actions.move_to(game, gm.asks(), "Evidence", 3)
        lower = await countdown_actions.move_to(game, gm.asks(), "Evidence", 2)

        assert forth.result.message.changes == (ChangeLine("Gwen", "Evidence", "0", "3 of 4 ◼◼◼◻"),)
        assert back.result.message.headline == "reverses Evidence"
        assert still.result.message.changes == (ChangeLine("Gwen", "Evidence", "1", "0 of 4 ◻◻◻◻"),)
        assert nowhere.result.message.notes == ("Evidence stays at 0 of 4 ◻◻◻◻.",)
        assert lower.result.message.changes == (ChangeLine("Gwen", "Evidence", "3", "2 of 4 ◼◼◻◻"),)

    @pytest.mark.parametrize("visibility", Visibility)
    async def test_only_for_an_open_countdown_all_learn_that_it_stays(
        self, game: Table, gm: Person, visibility: Visibility
    ) -> None:
        await begin(game, gm, a_plan(visibility=visibility))

        stays = await countdown_actions.move(game, gm.asks(), "Evidence", -1)

        assert stays.result.message.is_public is (visibility is Visibility.OPEN)

    @pytest.mark.rule("RPJ-COUNT-03")
    async def test_a_resolved_countdown_tells_its_consequence_and_moves_no_more(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan(consequence="The press prints it.", note="And he knows."))

        done = await countdown_actions.move(game, gm.asks(), "Evidence", 9)

        assert done.result.message.notes == ("Evidence is resolved.", "The press prints it.")
        for moving in (
            countdown_actions.move(game, gm.asks(), "Evidence", 1),
            countdown_actions.press(game, ada.asks(), 1),
        ):
            with pytest.raises(UserError, match="Evidence is resolved and no longer moves"):
                await moving
        assert (await seen(game, ada, "Evidence")).consequence == "The press prints it."

    @pytest.mark.rule("RPJ-COUNT-07")
    async def test_limits_apply_to_credited_successes_but_not_to_the_gms_hand(
        self, game: Table, gm: Person
    ) -> None:
        await begin(game, gm, a_plan(limits=Limits(per_member=True)))
        await countdown_actions.move(game, gm.asks(), "Evidence", 1, character="Ada")

        with pytest.raises(UserError, match="counts only one success per character"):
            await countdown_actions.move(game, gm.asks(), "Evidence", 1, character="Ada")
        await countdown_actions.move(game, gm.asks(), "Evidence", 1)

        assert await values(game, gm) == {"Evidence": "2/4"}
        assert (await seen(game, gm, "Evidence")).history == ("+1 Ada", "+1 by hand")

    @pytest.mark.rule("RPJ-COUNT-13")
    async def test_the_gm_is_told_when_one_character_resolved_a_countdown_alone(
        self, game: Table, gm: Person
    ) -> None:
        await begin(game, gm, a_plan(difficulty=2))
        first = await countdown_actions.move(game, gm.asks(), "Evidence", 1, character="Ada")
        second = await countdown_actions.move(game, gm.asks(), "Evidence", 1, character="Ada")

        assert first.hints == ()
        assert second.hints[0].startswith("One character finished Evidence alone")

    async def test_an_undo_reverts_a_countdown_action_completely(self, game: Table, gm: Person) -> None:
        before = state(game)
        await begin(game, gm, a_plan(), a_plan().against("Alarm", 2, kind=Kind.FAILURE))
        begun = state(game)
        await countdown_actions.move(game, gm.asks(), "Evidence", 4)
        assert await values(game, gm) == {"Evidence": "4/4 resolved", "Alarm": "0/2 closed"}

        await journal.undo(game, gm.asks())
        assert state(game) == begun
        await journal.undo(game, gm.asks())
        assert state(game) == before

    async def test_a_removed_countdown_can_be_restored(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())
        await countdown_actions.move(game, gm.asks(), "Evidence", 2)
        before = state(game)

        await countdown_actions.delete(game, gm.asks(), "Evidence")
        with pytest.raises(NoSuchCountdown, match="There is no countdown called “Evidence” here"):
            await seen(game, gm, "Evidence")
        await journal.undo(game, gm.asks())

        assert state(game) == before


class TestPressing:
    async def test_a_player_advances_a_countdown_as_their_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())

        done = await press(game, ada)

        assert (done.message.who, done.message.headline) == ("Ada", "advances Evidence")
        assert (await seen(game, gm, "Evidence")).history == ("+1 Ada",)

    @on_both_engines
    async def test_of_two_presses_at_once_one_takes_the_last_step(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await begin(game, gm, a_plan(difficulty=1))

        both = await asyncio.gather(press(game, ada), press(game, bo), return_exceptions=True)

        assert sorted(type(one).__name__ for one in both) == ["NoLongerMoves", "Result"]
        assert await values(game, gm) == {"Evidence": "1/1 resolved"}

    async def test_somebody_without_a_character_cannot_advance_a_countdown(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())
        carol = Person(9, "Carol", ada.interactions)

        with pytest.raises(NoCharacter):
            await press(game, carol)

    @pytest.mark.parametrize(
        ("plan", "told"),
        [
            (a_plan(is_shared=False), "Only a GM can move Evidence"),
            (a_plan(visibility=Visibility.KNOWN), "Only a GM can move Evidence"),
            (a_plan(side=Side.OPPOSITION), "Only a GM can move Evidence"),
            (a_plan(visibility=Visibility.GM), "There is no such countdown here"),
        ],
    )
    async def test_a_player_moves_only_open_and_shared_countdowns(
        self, game: Table, gm: Person, ada: Person, plan: Any, told: str
    ) -> None:
        await begin(game, gm, plan)
        before = everything(game)

        with pytest.raises(UserError, match=told):
            await press(game, ada)

        assert everything(game) == before

    @pytest.mark.rule("RPJ-COUNT-07")
    async def test_a_press_asks_for_a_skill_if_skills_matter(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan(limits=Limits(per_skill=True)))

        assert await countdown_actions.press(game, ada.asks(), 1) == SkillWanted(1, "Evidence")
        await press(game, ada, skill="Hacking")
        with pytest.raises(UserError, match="each skill once, and hacking has already been used"):
            await press(game, ada, skill="hacking")

    async def test_a_countdown_cannot_be_pressed_from_another_server(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Next door")
        await begin(game, gm, a_plan())

        with pytest.raises(NoSuchCountdown):
            await press(game, neighbour)


class TestChanging:
    async def test_a_gm_can_show_a_hidden_countdown(self, game: Table, gm: Person, ada: Person) -> None:
        await begin(game, gm, a_plan(visibility=Visibility.GM))

        shown = await countdown_actions.change(
            game, gm.asks(), "Evidence", Edit(visibility=Visibility.OPEN, name="Proof")
        )

        assert (shown.message.headline, shown.message.is_public) == ("shows Proof", True)
        assert (await seen(game, ada, "Proof")).value == 0

    async def test_a_new_name_is_public_and_a_new_note_is_not(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())

        renamed = await countdown_actions.change(game, gm.asks(), "Evidence", Edit(name="Proof"))
        noted = await countdown_actions.change(game, gm.asks(), "Proof", Edit(note="Ha.", term=Term.LONG))

        assert (renamed.message.headline, renamed.message.is_public) == ("renames Evidence to Proof", True)
        assert (noted.message.headline, noted.message.is_public) == ("changes Proof", False)
        with pytest.raises(UserError, match="That wouldn't change anything"):
            await countdown_actions.change(game, gm.asks(), "Proof", Edit(note="Ha."))

    async def test_a_gm_links_and_unlinks_a_countdown(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())

        await countdown_actions.link(game, gm.asks(), "Evidence", "check", is_linked=True)
        with pytest.raises(UserError, match="Evidence is already linked to check"):
            await countdown_actions.link(game, gm.asks(), "Evidence", "check", is_linked=True)
        assert "advances on: check" in (await seen(game, gm, "Evidence")).about
        await countdown_actions.link(game, gm.asks(), "Evidence", "check", is_linked=False)

        assert (await seen(game, gm, "Evidence")).about == ("success", "moderate")


class TestBoard:
    PLACE = BoardPlace(HOME, CampaignId(1))  # of the only campaign
    NEWS = News(HOME, CampaignId(1))

    async def test_the_board_is_in_the_channel_of_the_first_visible_countdown(
        self, game: Table, gm: Person
    ) -> None:
        await begin(game, gm, a_plan("Secret", visibility=Visibility.GM))
        assert await boards.board(game, self.PLACE) is None

        await begin(game, gm, a_plan())

        board = await boards.board(game, self.PLACE)
        assert board is not None
        assert (board.channel, board.message) == (CHANNEL, None)
        assert [one.name for one in board.countdowns] == ["Evidence"]
        assert await boards.ROWS.campaigns(game) == [self.NEWS]
        assert await boards.ROWS.changed_by(game, self.NEWS) == [self.PLACE]

    async def test_what_the_board_shows_is_noted_unless_it_was_moved(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan())

        assert await boards.ROWS.note_shown(game, self.PLACE, None, CHANNEL, 77, "mark")
        assert not await boards.ROWS.note_shown(game, self.PLACE, None, CHANNEL, 78, "mark")
        _place, before = await boards.place_board(game, gm.asks(place=51))

        again = await boards.board(game, self.PLACE)
        assert before is not None
        assert again is not None
        assert (before.message, again.channel, again.message) == (77, 51, None)

    async def test_the_board_shows_duels_side_by_side(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan("A"))
        await begin(game, gm, a_plan("B"), a_plan().against("C", 2, kind=Kind.SUCCESS))
        await begin(game, gm, a_plan("D"))

        found = await boards.listing(game, gm.asks())

        assert [one.name for one in found.running] == ["A", "B", "C", "D"]
        assert found.running[2].about == ("opposition's success", "easy", "against B")

    async def test_listeners_of_the_board_are_told_only_of_countdowns(self, game: Table, gm: Person) -> None:
        told: list[tuple[News, bool]] = []
        boards.ROWS.listen(game, lambda news, concerns: told.append((news, concerns)))

        await begin(game, gm, a_plan())
        await gms.set_resource(game, gm.asks(), "luck", 0, "Ada")
        await asyncio.sleep(0)

        assert told == [(self.NEWS, True), (self.NEWS, False)]

    async def test_names_are_suggested_only_to_those_who_may_know_them(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())
        await begin(game, gm, a_plan("Secret", visibility=Visibility.GM))
        await countdown_actions.move(game, gm.asks(), "Evidence", 4)

        async def offered(who: Person, **kind: bool) -> list[Choice]:
            return await boards.choices(game, who.asks(), "", **kind)

        assert await offered(ada, are_over=True) == [Choice("Evidence", "Evidence")]
        assert await offered(ada) == []
        assert await offered(ada, are_over=True, for_gm=True) == []
        assert [one.value for one in await offered(gm, are_over=True)] == ["Secret", "Evidence"]
        assert Choice("check", "check") in await boards.link_choices(game, gm.asks(), "ch")
