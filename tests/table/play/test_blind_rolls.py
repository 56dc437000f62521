"""Rolls for the GM's eyes only: the player is told that they were made, and nothing else (F-ALL-19)."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.characters import controls
from bot.table.journal import journal, log, verify
from bot.table.journal.recap import recap
from bot.table.journal.shared_prompts import MessagePlace
from bot.table.play import free_rolls, play
from bot.table.requests import gatherings
from bot.table.sessions import sessions
from tests.table.conftest import Person

TOLD = "rolls for the GM's eyes only"


async def everything_readable(table: Table, who: Person, blind: Result) -> str:
    """Return whatever somebody can read about a roll."""
    exported = [line async for line in verify.export_lines(table, who.asks())]
    standing = await gatherings.standing(table, MessagePlace(who.server, blind.entry))
    found = [str(await log.page(table, who.asks())), str(await recap(table, who.asks(), whole=True))]
    return "\n".join([*found, *exported, str(blind), str(standing)])


class TestBlindRolls:
    async def test_a_player_learns_only_that_they_rolled(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        asked = ada.asks()
        blind = await play.perform(game, asked, "check", {}, is_secret=True)
        again = await play.perform(game, asked, "check", {}, is_secret=True)

        assert (blind.message.who, blind.message.headline, blind.rolls) == ("Ada", TOLD, ())
        assert blind.is_blind
        assert again == blind
        for who in (ada, bo):
            assert "checks Brawn" not in await everything_readable(game, who, blind)
        with pytest.raises(UserError, match="no longer in the journal"):
            await journal.entry_result(game, ada.asks(), blind.entry)
        shown = await controls.open_controls(game, ada.asks(), "Ada")
        assert shown.latest == ""

    async def test_the_gm_reads_the_roll_and_its_dice(self, game: Table, gm: Person, ada: Person) -> None:
        blind = await play.perform(game, ada.asks(), "check", {}, is_secret=True)

        found = await journal.entry_result(game, gm.asks(), blind.entry)

        assert (found.message.headline, len(found.rolls), found.number) == ("checks Brawn", 1, 4)

    async def test_a_player_cannot_undo_what_only_the_gm_saw(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, ada.asks(), "check", {}, is_secret=True)

        undone = await journal.undo(game, ada.asks())

        assert isinstance(undone, journal.Undone)
        assert "spends Luck" in undone.result.message.headline

    async def test_a_player_does_nothing_but_rolls_in_secret(self, game: Table, ada: Person) -> None:
        with pytest.raises(ForGmOnly, match="Only a GM can do that in secret"):
            await play.perform(game, ada.asks(), "spend", {}, is_secret=True)

    async def test_free_dice_can_be_for_the_gms_eyes_only(
        self, game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        blind = await free_rolls.roll(game, ada.asks(), "3d6", "the zzyzx door", is_blind=True)
        own = await free_rolls.roll(game, gm.asks(), "3d6", "the wall", is_blind=True)

        assert (blind.message.headline, blind.rolls) == (TOLD, ())
        assert "zzyzx" not in str(await log.page(game, ada.asks()))
        assert "zzyzx" in str(await log.page(game, gm.asks()))
        assert (len(own.rolls), own.message.is_public) == (1, False)
        with pytest.raises(UserError, match="nobody is GM"):
            await free_rolls.roll(game, neighbour.asks(), "3d6", is_blind=True)
