"""Notes and handouts: written by a GM, given to all or to some, read again, changed, removed, undone."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.table import Table
from bot.table.gm import gm_secrets
from bot.table.gm import gm_secrets as handouts
from bot.table.gm.gm_secrets import SecretKind
from bot.table.journal import journal, log
from bot.table.sessions import sessions
from tests.table.characters.test_portraits import a_picture
from tests.table.conftest import Person
from tests.table.gm.test_gm_secrets import CANARY, a_note, all_that, character, reveal
from tests.table.whole import everything


class TestGiving:
    async def test_everybody_reads_what_was_handed_out_and_finds_it_again(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        assert await handouts.given(game, ada.asks()) == []

        revealed = await reveal(game, gm, SecretKind.NOTE, id_)

        assert revealed.result.message.headline == f"hands out “{CANARY} letter”"
        assert [one.title for one in await handouts.given(game, ada.asks())] == [f"{CANARY} letter"]
        assert (await handouts.read_handout(game, ada.asks(), id_)).text == f"The {CANARY} is under the bed."

    async def test_a_note_for_one_is_unknown_to_the_others(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        id_ = await a_note(game, gm)

        revealed = await reveal(game, gm, SecretKind.NOTE, id_, await character(game, gm, "Ada"))

        assert (revealed.names, revealed.result.message.is_public) == (("Ada",), False)
        assert (await handouts.read_handout(game, ada.asks(), id_)).title == f"{CANARY} letter"
        assert CANARY not in await all_that(game, bo)
        with pytest.raises(UserError, match="You don't have this note"):
            await handouts.read_handout(game, bo.asks(), id_)

    async def test_a_note_can_be_taken_back_and_giving_it_undone(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        await reveal(game, gm, SecretKind.NOTE, id_)
        with pytest.raises(UserError, match="They have it already"):
            await reveal(game, gm, SecretKind.NOTE, id_)
        await gm_secrets.reveal(game, gm.asks(), SecretKind.NOTE, id_, [])
        taken = await handouts.given(game, ada.asks())
        with pytest.raises(UserError, match="Nobody has it"):
            await gm_secrets.reveal(game, gm.asks(), SecretKind.NOTE, id_, [])
        given = await reveal(game, gm, SecretKind.NOTE, id_)

        await journal.undo(game, gm.asks(), given.result.entry)

        assert taken == await handouts.given(game, ada.asks()) == []


class TestWriting:
    async def test_a_picture_is_written_anew_and_comes_with_the_handout(
        self, game: Table, gm: Person
    ) -> None:
        content = a_picture((2400, 1200))

        id_, result = await handouts.save_handout(game, gm.asks(), "Map", "", content=content)
        found = await handouts.read_handout(game, gm.asks(), id_)

        assert (found.has_picture, found.picture[8:12], found.picture == content) == (True, b"WEBP", False)
        assert not result.message.is_public

    async def test_a_note_is_changed_and_the_change_undone(self, game: Table, gm: Person) -> None:
        id_ = await a_note(game, gm)

        _, changed = await handouts.save_handout(game, gm.asks(), "Letter", "Burnt.", id_=id_)
        after = await handouts.read_handout(game, gm.asks(), id_)
        await journal.undo(game, gm.asks(), changed.entry)

        assert (after.title, after.text) == ("Letter", "Burnt.")
        assert (await handouts.read_handout(game, gm.asks(), id_)).title == f"{CANARY} letter"

    async def test_a_removed_note_is_gone_for_everybody_until_that_is_undone(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        await reveal(game, gm, SecretKind.NOTE, id_)
        asked = gm.asks()

        removed = await handouts.remove_handout(game, asked, id_)
        again = await handouts.remove_handout(game, asked, id_)
        gone = await handouts.given(game, ada.asks())
        await journal.undo(game, gm.asks(), removed.entry)

        assert (again.entry, gone) == (removed.entry, [])
        assert len(await handouts.given(game, ada.asks())) == 1

    async def test_the_same_form_delivered_twice_writes_one_note(self, game: Table, gm: Person) -> None:
        asked = gm.asks()
        first = await handouts.save_handout(game, asked, "Letter", "Burnt.")

        assert (await handouts.save_handout(game, asked, "Letter", "Burnt."))[0] == first[0]
        assert len((await gm_secrets.secrets_page(game, gm.asks())).secrets) == 1

    async def test_what_makes_no_note_is_refused_and_changes_nothing(self, game: Table, gm: Person) -> None:
        id_ = await a_note(game, gm, "text")
        before = everything(game)

        for title, text, which, content, why in (
            (" ", "text", "", b"", "needs a title"),
            ("Letter", " ", "", b"", "nothing in it"),
            ("Letter", "", "", b"no picture", "can't read this picture"),
            ("Letter", "text", "99", b"", "don't have this note"),
            (f"{CANARY} letter", "text", id_, b"", "wouldn't change anything"),
        ):
            with pytest.raises(UserError, match=why):
                await handouts.save_handout(game, gm.asks(), title, text, id_=which, content=content)

        assert everything(game) == before

    async def test_the_log_tells_players_that_something_secret_happened(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await a_note(game, gm)

        shown = await log.page(game, ada.asks())

        assert shown.lines[0] == log.HiddenLines(4, 4)
