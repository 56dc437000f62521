"""F-RPJ-12: awards at a session's end, once, to everybody who was there, by a GM."""

import asyncio
from dataclasses import replace

import pytest

from bot.rules.kernel import AwardRule
from bot.rules.kernel.errors import UserError
from bot.table.base.table import Table
from bot.table.characters import characters
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import endings, sessions
from bot.table.sessions import endings as awards
from tests.table.conftest import Person
from tests.table.toy import TOY
from tests.table.toy_module import ToySheet


def famous(sheet: ToySheet, fame: int) -> ToySheet:
    return sheet.model_copy(update={"brawn": sheet.brawn + fame})


FAME = AwardRule[ToySheet](key="fame", title="Fame", give=famous, usual=(1, 2), unit="point")


@pytest.fixture
def game(game: Table) -> Table:
    """A table whose game awards fame."""
    return replace(game, games={"toy": replace(TOY, awards=(FAME,))})


class TestAwards:
    async def test_present_is_who_took_part(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        assert (await awards.session_awards(game, gm.asks(), 1)).names == ("Ada", "Bo")

        await play.perform(game, ada.asks(), "check", {})

        found = await awards.session_awards(game, gm.asks(), 1)
        assert found.names == ("Ada",)
        assert [name for _id, name in found.characters] == ["Ada", "Bo"]

    async def test_of_several_characters_only_the_played_one_is_present(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await characters.take_ready_made(game, ada.asks(), "Bo", "Adela")
        await characters.use(game, ada.asks(), "Adela")

        await sessions.start(game, gm.asks())

        assert (await awards.session_awards(game, gm.asks(), 1)).names == ("Adela", "Bo")

    async def test_an_award_is_told_and_given_once_by_two_gms_at_once(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())
        (offer,) = (await awards.session_awards(game, gm.asks(), 1)).offers
        assert (offer.title, offer.usual, offer.given) == ("Fame", (1, 2), ())

        done = await asyncio.gather(
            *(
                gm_cases.award(game, gm.asks(), "fame", 2, ("Ada", "Bo"), session=1, is_first=True)
                for _ in range(2)
            ),
            return_exceptions=True,
        )

        refused = [one for one in done if isinstance(one, UserError)]
        assert [str(one) for one in refused] == [
            "Fame were already awarded for session 1: 2 points to Ada, Bo."
        ]
        (offer,) = (await awards.session_awards(game, gm.asks(), 1)).offers
        assert offer.given == ("2 points to Ada, Bo",)

    async def test_an_award_after_the_end_counts_for_that_session_and_can_be_undone(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        ended = await endings.end(game, gm.asks())
        assert ended.may_award
        given = await gm_cases.award(game, gm.asks(), "fame", 1, ("Ada",), session=1)
        assert (await awards.session_awards(game, gm.asks(), 1)).offers[0].given == ("1 point to Ada",)

        await journal.undo(game, gm.asks(), given.entry)

        assert (await awards.session_awards(game, gm.asks(), 1)).offers[0].given == ()

    async def test_a_session_that_is_not_there_has_no_awards(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await sessions.start(game, gm.asks())

        with pytest.raises(UserError):
            await awards.session_awards(game, neighbour.asks(), 1)
        with pytest.raises(UserError, match="no session 7"):
            await awards.session_awards(game, gm.asks(), 7)
        with pytest.raises(UserError, match="no session 7"):
            await gm_cases.award(game, gm.asks(), "fame", 1, ("Ada",), session=7)
