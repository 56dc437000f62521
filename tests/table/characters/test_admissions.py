"""Characters that wait for approval, and drafts that open again."""

from dataclasses import replace

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.characters import characters, creation_pages
from bot.table.characters import characters as admissions
from bot.table.characters.characters import NobodyWaits
from bot.table.characters.creation_pages import WizardPage
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import sessions
from tests.table.conftest import Person


@pytest.fixture
def strict(game: Table) -> Table:
    """A game whose GM approves each character."""
    toy = game.games["toy"]
    made = replace(toy.creation, needs_leave=lambda _settings: True)
    return replace(game, games={"toy": replace(toy, creation=made)})


async def drafted(table: Table, who: Person, name: str = "Cy") -> WizardPage:
    page = await creation_pages.begin(table, who.asks())
    await creation_pages.write(table, who.asks(), page.draft, "brawn", {"brawn": "5"})
    return await creation_pages.write(table, who.asks(), page.draft, "name", {"name": name})


async def asked(table: Table, who: Person, name: str = "Cy") -> Result:
    page = await drafted(table, who, name)
    return await creation_pages.finish(table, who.asks(), page.draft)


async def names(table: Table, who: Person) -> list[str]:
    return [one.name for one in await characters.listing(table, who.asks())]


class TestWaiting:
    async def test_a_finished_character_waits_for_approval_and_nobody_plays_it(
        self, strict: Table, ada: Person
    ) -> None:
        result = await asked(strict, ada)

        assert (result.message.headline, result.message.who) == ("asks to join the campaign", "Cy")
        assert result.waiting is not None
        assert await names(strict, ada) == ["Ada", "Bo"]
        with pytest.raises(UserError, match="no character called"):
            await play.perform(strict, ada.asks(), "check", {}, acting="Cy")

    async def test_a_gms_character_does_not_wait(self, strict: Table, gm: Person) -> None:
        assert (await asked(strict, gm)).waiting is None

    async def test_ready_made_characters_wait_too(self, strict: Table, ada: Person) -> None:
        result = await characters.take_ready_made(strict, ada.asks(), "Bo", "Eve")

        assert result.waiting is not None

    async def test_the_gm_and_its_player_can_read_a_waiting_character(
        self, strict: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None

        assert (await admissions.waiting_sheet(strict, gm.asks(), waiting)).name == "Cy"
        assert (await admissions.waiting_sheet(strict, ada.asks(), waiting)).sections[0].lines == ("Brawn 5",)
        with pytest.raises(ForGmOnly):
            await admissions.waiting_sheet(strict, bo.asks(), waiting)


class TestAdmitting:
    async def test_an_admitted_character_joins_and_is_played(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None

        told = (await admissions.admit(strict, gm.asks(), waiting)).message

        assert (told.who, told.headline) == ("Cy", "joins the campaign")
        listed = await characters.listing(strict, ada.asks())
        assert [one.name for one in listed if one.is_current] == ["Cy"]

    async def test_a_character_admitted_during_a_session_gets_the_session_values(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        toy = replace(
            strict.games["toy"],
            arrive=lambda scene, newcomer: replace(
                strict.games["toy"].start_session(scene, ()), notes=(scene.character(newcomer).name,)
            ),
        )
        laid = replace(strict, games={"toy": toy})
        await sessions.start(laid, gm.asks())
        assert (await asked(laid, ada)).message.notes == (
            "A GM can approve it, or undo it so it can be changed.",
        )

        assert (await admissions.admit(laid, gm.asks(), "cy")).message.notes == ("Cy",)

    async def test_an_admitted_character_waits_no_more(self, strict: Table, gm: Person, ada: Person) -> None:
        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None

        await admissions.admit(strict, gm.asks(), waiting)

        with pytest.raises(NobodyWaits):
            await admissions.admit(strict, gm.asks(), waiting)

    async def test_a_character_whose_name_was_taken_meanwhile_is_not_admitted(
        self, strict: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        one = (await asked(strict, ada)).waiting
        other = (await asked(strict, bo)).waiting
        assert one is not None
        assert other is not None
        await admissions.admit(strict, gm.asks(), one)

        with pytest.raises(UserError, match="is already taken"):
            await admissions.admit(strict, gm.asks(), other)

    async def test_waiting_characters_are_suggested(self, strict: Table, gm: Person, ada: Person) -> None:
        await asked(strict, ada)

        assert [one.label for one in await admissions.choices(strict, gm.asks(), "")] == ["Cy"]

    async def test_a_character_waits_again_after_an_undo_of_its_admission(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None
        admitted = await admissions.admit(strict, gm.asks(), waiting)

        await journal.undo(strict, gm.asks(), admitted.entry, is_sure=True)

        assert await names(strict, gm) == ["Ada", "Bo"]
        assert [one.label for one in await admissions.choices(strict, gm.asks(), "")] == ["Cy"]


class TestOpeningAgain:
    async def test_an_undone_character_is_a_draft_again(self, strict: Table, gm: Person, ada: Person) -> None:
        result = await asked(strict, ada)

        await journal.undo(strict, gm.asks(), result.entry, is_sure=True)

        page = await creation_pages.begin(strict, ada.asks())
        assert page.answers == {"brawn": ("5",), "name": ("Cy",)}
        with pytest.raises(NobodyWaits):
            await admissions.admit(strict, gm.asks(), "Cy")

    async def test_its_player_may_undo_a_waiting_character_too(self, game: Table, ada: Person) -> None:
        await asked(game, ada)

        await journal.undo(game, ada.asks(), is_sure=True)

        assert (await creation_pages.begin(game, ada.asks())).answers["brawn"] == ("5",)

    async def test_a_draft_started_meanwhile_is_not_overwritten_by_an_undo(
        self, game: Table, ada: Person
    ) -> None:
        await asked(game, ada)
        page = await creation_pages.begin(game, ada.asks())
        await creation_pages.write(game, ada.asks(), page.draft, "brawn", {"brawn": "1"})

        await journal.undo(game, ada.asks(), is_sure=True)

        assert (await creation_pages.begin(game, ada.asks())).answers == {"brawn": ("1",)}
