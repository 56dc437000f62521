"""Reading the journal in pages."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.access import NoCampaign
from bot.table.base.table import Table
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal, log
from bot.table.journal.log import HiddenLines, LogFilter, LogLine
from bot.table.play import free_rolls, play
from tests.table.conftest import Person


def read(page: log.LogPage) -> list[LogLine]:
    """Return the lines that somebody may read."""
    return [line for line in page.lines if isinstance(line, LogLine)]


def numbers_of(line: LogLine | HiddenLines) -> int:
    assert isinstance(line, LogLine)
    return line.number


class TestPages:
    async def test_the_log_lists_ten_entries_a_page_latest_first(self, game: Table, ada: Person) -> None:
        for _ in range(12):
            await play.perform(game, ada.asks(), "check", {})

        first = await log.page(game, ada.asks())
        second = await log.page(game, ada.asks(), before=first.older_than)

        assert [line.message.headline for line in read(first)] == ["checks Brawn"] * 10
        assert [line.number for line in read(first)] == [15, 14, 13, 12, 11, 10, 9, 8, 7, 6]
        assert [line.message.headline for line in read(second)] == [
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

        assert read(await log.page(game, ada.asks()))[0].message.headline == "spends Luck"

    async def test_the_log_shows_the_results_of_free_rolls(self, game: Table, ada: Person) -> None:
        await free_rolls.roll(game, ada.asks(), "2 + 3")

        assert read(await log.page(game, ada.asks()))[0].outcome == "5"

    async def test_the_log_can_be_filtered_by_character(self, game: Table, ada: Person, bo: Person) -> None:
        await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, bo.asks(), "check", {})

        page = await log.page(game, ada.asks(), LogFilter(character="Bo"))

        assert {line.message.who for line in read(page)} == {"Bo"}

    async def test_only_the_gm_reads_secret_entries_in_the_log(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        assert "Shade" not in repr(await log.page(game, ada.asks()))
        assert [line.is_secret for line in read(await log.page(game, gm.asks()))[:2]] == [True, True]

    async def test_entries_a_player_may_not_read_are_counted_as_secret(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        """F-ALL-19."""
        await play.perform(game, ada.asks(), "check", {})
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)
        await play.perform(game, ada.asks(), "check", {})

        shown = (await log.page(game, ada.asks())).lines
        of_ada = (await log.page(game, ada.asks(), LogFilter(character="Ada"))).lines

        assert (numbers_of(shown[0]), shown[1], numbers_of(shown[2])) == (7, HiddenLines(5, 6), 4)
        assert HiddenLines not in {type(line) for line in of_ada}

    async def test_the_log_can_be_filtered_by_person_kind_and_session(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, bo.asks(), "check", {})
        await journal.undo(game, ada.asks())
        await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        async def headlines(who: Person, **only: Any) -> list[str]:
            return [
                line.message.headline for line in read(await log.page(game, who.asks(), LogFilter(**only)))
            ]

        assert await headlines(ada, person=bo.id) == ["checks Brawn", "joins the campaign"]
        assert await headlines(ada, kind="rolls") == ["checks Brawn"]
        assert await headlines(gm, kind="secret") == ["checks Brawn"]
        assert await headlines(ada, kind="secret") == []
        assert await headlines(ada, kind="undone") == ["spends Luck"]
        assert "checks Brawn" not in await headlines(ada, kind="changes")
        assert await headlines(ada, session=1) == []
        with pytest.raises(UserError, match="no entries of that kind"):
            await headlines(ada, kind="zzyzx")

    async def test_the_menu_of_the_log_names_no_hidden_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)

        seen, by_gm = await log.page(game, ada.asks()), await log.page(game, gm.asks())

        assert [one.label for one in seen.filters][-2:] == ["Ada", "Bo"]
        assert "The Shade" in [one.label for one in by_gm.filters]

    async def test_a_page_of_the_log_is_full_even_with_secret_entries_between(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for number in range(240):
            await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=number % 20 != 0)

        first = await log.page(game, ada.asks())

        assert len(first.lines) == 10
        assert first.lines[:4] == (
            HiddenLines(225, 243),
            first.lines[1],
            HiddenLines(205, 223),
            first.lines[3],
        )

    async def test_an_undone_entry_is_marked_in_the_log(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await journal.undo(game, ada.asks())

        assert [line.is_undone for line in read(await log.page(game, ada.asks()))[:2]] == [False, True]

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
