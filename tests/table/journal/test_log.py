"""Reading the journal in pages."""

import pytest

from bot.table.base.access import ForGmOnly, NoCampaign
from bot.table.base.table import Table
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal, log
from bot.table.play import free_rolls, play
from tests.table.conftest import Person


class TestPages:
    async def test_the_log_lists_ten_entries_a_page_latest_first(self, game: Table, ada: Person) -> None:
        for _ in range(12):
            await play.perform(game, ada.asks(), "check", {})

        first = await log.page(game, ada.asks())
        second = await log.page(game, ada.asks(), before=first.older_than)

        assert [line.message.headline for line in first.lines] == ["checks Brawn"] * 10
        assert [line.message.headline for line in second.lines] == [
            "checks Brawn",
            "checks Brawn",
            "joins the campaign",
            "joins the campaign",
            "creates the campaign The Long Road (Toy Game)",
        ]
        assert (first.is_latest, second.is_latest, second.older_than) == (True, False, None)

    async def test_look_ups_leave_no_entry_in_the_log(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, ada.asks(), "aim", {})

        assert (await log.page(game, ada.asks())).lines[0].message.headline == "spends Luck"

    async def test_the_log_shows_the_results_of_free_rolls(self, game: Table, ada: Person) -> None:
        await free_rolls.roll(game, ada.asks(), "2 + 3")

        assert (await log.page(game, ada.asks())).lines[0].outcome == "5"

    async def test_the_log_can_be_filtered_by_character(self, game: Table, ada: Person, bo: Person) -> None:
        await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, bo.asks(), "check", {})

        page = await log.page(game, ada.asks(), character="Bo")

        assert {line.message.who for line in page.lines} == {"Bo"}

    async def test_only_the_gm_reads_secret_entries_in_the_log(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        assert "Shade" not in repr(await log.page(game, ada.asks()))
        assert [line.is_secret for line in (await log.page(game, gm.asks())).lines[:2]] == [True, True]

    async def test_a_page_of_the_log_is_full_even_with_secret_entries_between(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for number in range(240):
            await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=number % 20 != 0)

        assert len((await log.page(game, ada.asks())).lines) == 10

    async def test_an_undone_entry_is_marked_in_the_log(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await journal.undo(game, ada.asks())

        assert [line.is_undone for line in (await log.page(game, ada.asks())).lines[:2]] == [False, True]

    async def test_another_server_cannot_read_the_log(self, game: Table, neighbour: Person) -> None:
        with pytest.raises(NoCampaign):
            await log.page(game, neighbour.asks())


class TestOffersToUndo:
    async def test_a_gm_is_offered_entries_that_changed_something_to_undo(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, ada.asks(), "spend", {})

        offered = await log.undo_choices(game, gm.asks(), "spends")

        assert [one.label.split(" · ", 1)[1] for one in offered] == ["Ada spends Luck"]

    async def test_a_player_is_offered_no_entries_to_undo(self, game: Table, ada: Person) -> None:
        with pytest.raises(ForGmOnly):
            await log.undo_choices(game, ada.asks(), "")
