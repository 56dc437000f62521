"""Countdowns that move automatically: after checks, as time passes, and when the session ends."""

import json

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Limits, Side, Term, Visibility
from bot.store.records import CampaignId
from bot.table.base.results import ChangeLine
from bot.table.base.table import Table
from bot.table.gm import gm as game_clock
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal, log, verify
from bot.table.journal.recap import recap
from bot.table.play import countdown_actions, play
from bot.table.play.countdown_plans import BoardPlace, board
from bot.table.sessions import endings, sessions
from tests.table.conftest import HOME, Person
from tests.table.counting import FAILS, SUCCEEDS, a_plan, begin, check, everything, seen, state, values

DAY = 86_400
PLACE = BoardPlace(HOME, CampaignId(1))  # of the only campaign
LINKED = ("check",)


class TestChecks:
    @pytest.mark.rule("RPJ-COUNT-06", "RPJ-COUNT-10")
    async def test_each_success_or_failure_moves_the_countdowns_that_follow_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(
            game, gm, a_plan(links=LINKED), a_plan(links=LINKED).against("Alarm", 3, kind=Kind.FAILURE)
        )
        await begin(game, gm, a_plan("Unlinked"))

        good = await check(game, ada, SUCCEEDS)
        bad = await check(game, ada, FAILS)

        assert good.message.changes == (ChangeLine("Ada", "Evidence", "0", "1 of 4 ◼◻◻◻"),)
        assert bad.message.changes == (ChangeLine("Ada", "Alarm", "0", "1 of 3 ◼◻◻"),)
        assert await values(game, gm) == {"Evidence": "1/4", "Alarm": "1/3", "Unlinked": "0/4"}
        await check(game, ada, SUCCEEDS, countdown="Evidence")  # both linked and named: it moves once
        assert await values(game, gm) == {"Evidence": "2/4", "Alarm": "1/3", "Unlinked": "0/4"}

    @pytest.mark.rule("RPJ-COUNT-10")
    async def test_undoing_a_check_undoes_its_tick(self, game: Table, gm: Person, ada: Person) -> None:
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE, links=LINKED))
        await check(game, ada, FAILS)
        before = state(game)

        failed = await check(game, ada, FAILS)
        assert await values(game, gm) == {"Alarm": "2/4"}
        await journal.undo(game, gm.asks(), failed.entry)

        assert state(game) == before

    @pytest.mark.rule("RPJ-COUNT-11")
    async def test_a_duel_is_won_by_the_countdown_that_ends_first(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        evidence = a_plan(links=LINKED)
        await begin(game, gm, evidence, evidence.against("Alarm", 1, kind=Kind.FAILURE))

        lost = await check(game, ada, FAILS)

        assert lost.message.notes == ("Evidence is closed.", "Alarm is resolved for the opposition.") or (
            lost.message.notes == ("Alarm is resolved for the opposition.", "Evidence is closed.")
        )
        assert await values(game, gm) == {"Evidence": "0/4 closed", "Alarm": "1/1 resolved"}

    @pytest.mark.rule("RPJ-COUNT-08")
    async def test_in_a_tug_of_war_the_gms_characters_pull_the_other_way(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Revolt", Kind.TUG, 6, links=LINKED))
        await begin(game, gm, a_plan("Siege", side=Side.OPPOSITION, links=LINKED))
        await gm_cases.make_npc(game, gm.asks(), "Captain")

        await check(game, ada, SUCCEEDS)
        await check(game, gm, SUCCEEDS, acting="Captain")
        await check(game, gm, SUCCEEDS, acting="Captain")

        assert await values(game, gm) == {"Revolt": "2/6", "Siege": "2/4"}

    @pytest.mark.rule("RPJ-COUNT-07")
    async def test_a_countdown_stopped_by_a_limit_says_why(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await begin(game, gm, a_plan(limits=Limits(per_day=True), links=LINKED))
        await check(game, ada, SUCCEEDS)

        same_day = await check(game, bo, SUCCEEDS)
        await game_clock.pass_time(game, gm.asks(), DAY)
        await check(game, bo, SUCCEEDS)

        assert same_day.message.notes == ("Evidence counts one success per day, and today already has one.",)
        assert await values(game, gm) == {"Evidence": "2/4"}

    async def test_a_player_may_name_a_readable_countdown_for_a_check(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan())
        await begin(game, gm, a_plan("Mine", visibility=Visibility.KNOWN))
        await begin(game, gm, a_plan("Secret", visibility=Visibility.GM))
        await begin(game, gm, a_plan("Done", difficulty=1))
        await countdown_actions.move(game, gm.asks(), "Done", 1)

        named = await check(game, ada, SUCCEEDS, countdown="evidence")
        before = everything(game)

        assert named.message.changes == (ChangeLine("Ada", "Evidence", "0", "1 of 4 ◼◻◻◻"),)
        for name, told in (
            ("Mine", "Only a GM can move Mine"),
            ("Secret", "There is no countdown called “Secret” here"),
            ("Done", "Done is resolved and no longer moves"),
        ):
            with pytest.raises(UserError, match=told):
                await check(game, ada, SUCCEEDS, countdown=name)
        assert everything(game) == before


class TestSecrets:
    async def open_secrets(self, game: Table, gm: Person) -> None:
        await begin(game, gm, a_plan("Doom", Kind.FAILURE, visibility=Visibility.GM, links=LINKED, note="zz"))
        await begin(game, gm, a_plan("Dread", Kind.FAILURE, visibility=Visibility.KNOWN, links=LINKED))

    @pytest.mark.rule("RPJ-COUNT-04")
    async def test_a_check_that_moves_hidden_countdowns_tells_nothing_and_offers_no_undo(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        plain = await check(game, ada, FAILS)
        await self.open_secrets(game, gm)

        moving = await check(game, ada, FAILS)

        assert await values(game, gm) == {"Doom": "1/4", "Dread": "1/4"}
        assert (moving.message.changes, moving.message.notes, moving.can_undo) == ((), (), False)
        assert moving.message == plain.message

    async def test_only_a_gm_can_undo_a_check_that_moved_hidden_countdowns(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await self.open_secrets(game, gm)
        failed = await check(game, ada, FAILS)
        await check(game, ada, FAILS)

        with pytest.raises(UserError, match="That changed nothing"):
            await journal.undo(game, ada.asks(), failed.entry)
        blocked = await journal.undo(game, gm.asks(), failed.entry)
        assert isinstance(blocked, journal.UndoBlocked)
        await journal.undo(game, gm.asks(), failed.entry, together=True)

        assert await values(game, gm) == {"Doom": "0/4", "Dread": "0/4"}

    async def test_an_obstacle_caused_by_a_hidden_countdown_is_not_shown_to_players(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await self.open_secrets(game, gm)
        await begin(game, gm, a_plan("Alarm", Kind.FAILURE))
        first = await check(game, ada, FAILS, countdown="Alarm")
        await check(game, ada, FAILS)

        asked = await journal.undo(game, ada.asks(), first.entry)

        assert isinstance(asked, journal.UndoNeedsGm)

    async def test_a_partly_visible_countdown_is_told_of_when_it_is_resolved(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("Dread", Kind.FAILURE, 2, visibility=Visibility.KNOWN, links=LINKED))
        await check(game, ada, FAILS)

        last = await check(game, ada, FAILS)

        assert (last.message.changes, last.message.notes) == ((), ("Dread is resolved.",))

    @pytest.mark.rule("RPJ-COUNT-04")
    async def test_no_list_log_recap_or_export_shows_a_player_the_gms_countdowns(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await self.open_secrets(game, gm)
        await check(game, ada, FAILS)
        await countdown_actions.move(game, gm.asks(), "Doom", 2)
        await countdown_actions.move(game, gm.asks(), "Dread", 1)

        dread = await seen(game, ada, "Dread")
        page = await log.page(game, ada.asks())
        told = [str(line) for line in page.lines]
        told.append(str(await recap(game, ada.asks(), whole=True)))
        exported = [json.loads(line) async for line in verify.export_lines(game, ada.asks())]
        told += map(str, exported)

        assert (dread.value, dread.difficulty, dread.boxes, dread.about) == (None, None, "", ())
        assert not [text for text in told if "Doom" in text or "of 4" in text or "hidden_" in text]
        assert [line["told"]["headline"] for line in exported if line.get("kind") == "countdown.create"] == [
            "starts a countdown: Dread"
        ]
        assert "Doom" in "".join([line async for line in verify.export_lines(game, gm.asks())])

    async def test_a_secret_check_tells_the_gm_of_hidden_countdowns(self, game: Table, gm: Person) -> None:
        await self.open_secrets(game, gm)
        await gm_cases.make_npc(game, gm.asks(), "Spy", is_hidden=True)
        await begin(game, gm, a_plan("Plot", side=Side.OPPOSITION, visibility=Visibility.GM, links=LINKED))

        plotted = await check(game, gm, SUCCEEDS, acting="Spy")

        assert plotted.message.changes == (ChangeLine("Spy", "Plot", "0", "1 of 4 ◼◻◻◻"),)
        assert plotted.can_undo


class TestStartedByPlay:
    """A procedure may start countdowns with its result."""

    async def test_a_procedure_starts_a_duel_that_has_moved_and_goes_with_its_undo(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        before = state(game)
        done = await play.perform(game, ada.asks(), "besiege", {})

        assert done.message.notes == (
            "Breach: 1 of 3 ◼◻◻ · success · moderate",
            "Relief: 0 of 2 ◻◻ · failure · hard",
        )
        assert await values(game, gm) == {"Breach": "1/3", "Relief": "0/2"}
        assert await board(game, PLACE) is not None
        await journal.undo(game, ada.asks(), done.entry)
        assert state(game) == before

    @pytest.mark.rule("RPJ-COUNT-11")
    async def test_naming_one_countdown_of_a_duel_names_both(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await play.perform(game, ada.asks(), "besiege", {})

        await check(game, ada, FAILS, countdown="Breach")
        assert await values(game, gm) == {"Breach": "1/3", "Relief": "1/2"}

        await check(game, ada, SUCCEEDS, countdown="Relief")
        await check(game, ada, SUCCEEDS, countdown="Breach")
        assert await values(game, gm) == {"Breach": "3/3 resolved", "Relief": "1/2 closed"}

    async def test_a_countdown_with_a_taken_name_gets_a_number(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for _ in range(2):
            await play.perform(game, ada.asks(), "besiege", {})

        assert list(await values(game, gm)) == ["Breach", "Relief", "Breach 2", "Relief 2"]

    async def test_a_secret_procedure_starts_countdowns_for_the_gm_only(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await play.perform(game, gm.asks(), "besiege", {}, acting="Ada", is_secret=True)

        assert (await seen(game, gm, "Breach")).value == 1
        with pytest.raises(UserError, match="There is no countdown called"):
            await seen(game, ada, "Breach")
        assert await board(game, PLACE) is None


class TestTime:
    @pytest.mark.rule("RPJ-COUNT-02")
    async def test_a_timed_countdown_advances_as_time_passes_and_an_undo_reverts_it(
        self, game: Table, gm: Person
    ) -> None:
        await begin(game, gm, a_plan("War", every_seconds=DAY))
        await countdown_actions.move(game, gm.asks(), "War", 1)
        before = state(game)

        passed = await game_clock.pass_time(game, gm.asks(), 2 * DAY)

        assert passed.message.changes == (ChangeLine("Gwen", "War", "1", "3 of 4 ◼◼◼◻"),)
        await journal.undo(game, gm.asks(), passed.entry)
        assert state(game) == before

    async def test_a_timed_countdown_advances_when_a_procedure_takes_time(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await begin(game, gm, a_plan("War", every_seconds=3600))

        waited = await play.perform(game, gm.asks(), "wait", {"seconds": 7200})

        assert waited.message.changes == (ChangeLine("Gwen", "War", "0", "2 of 4 ◼◼◻◻"),)

    @pytest.mark.rule("RPJ-COUNT-11")
    async def test_the_gm_decides_a_tie_of_countdowns(self, game: Table, gm: Person) -> None:
        ritual = a_plan("Ritual", every_seconds=DAY)
        relief = a_plan("Relief", every_seconds=DAY)
        await begin(game, gm, ritual, relief)

        passed = await game_clock.pass_time(game, gm.asks(), 9 * DAY)

        assert passed.message.notes == (
            "Ritual and Relief finish at the same moment: the GM decides which is first with its buttons.",
        )
        assert await values(game, gm) == {"Ritual": "3/4", "Relief": "3/4"}


class TestSessionEnd:
    @pytest.mark.rule("RPJ-COUNT-12")
    async def test_the_session_end_closes_short_countdowns_until_it_is_undone(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await begin(game, gm, a_plan("Chase"))
        await begin(game, gm, a_plan("Ambush", visibility=Visibility.GM))
        await begin(game, gm, a_plan("War", term=Term.LONG))
        preview = await endings.end_preview(game, gm.asks())

        ended = await endings.end(game, gm.asks())

        assert [name for _id, name in preview.countdowns] == ["Chase", "Ambush"]
        assert ended.countdowns == ("Chase",)
        assert ended.result.message.notes[-1] == "1 short countdown closed: Chase"
        assert await values(game, gm) == {"Chase": "0/4 closed", "Ambush": "0/4 closed", "War": "0/4"}
        await journal.undo(game, gm.asks(), ended.result.entry)
        assert set((await values(game, gm)).values()) == {"0/4"}

    @pytest.mark.rule("RPJ-COUNT-12")
    async def test_a_gm_can_keep_a_short_countdown_running(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())
        await begin(game, gm, a_plan("Chase"))

        kept = await countdown_actions.keep(game, gm.asks(), [1])
        preview = await endings.end_preview(game, gm.asks())
        await endings.end(game, gm.asks())

        assert (kept.message.headline, kept.message.is_public) == ("keeps Chase running", False)
        assert preview.countdowns == ()
        assert await values(game, gm) == {"Chase": "0/4"}
