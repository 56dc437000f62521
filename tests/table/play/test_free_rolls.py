"""Free rolls and exact odds."""

import asyncio
from threading import Event

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base.table import MOST_OF_ONE, MOST_WAITING, Table, TooBusy
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.play.test_play import entries


class TestRolling:
    async def test_a_free_roll_is_journalled_with_its_dice_and_seed(self, game: Table, ada: Person) -> None:
        result = await play.roll(game, ada.asks(), "2d6+3", "the *rope*\n over")

        assert (result.message.who, result.message.headline) == ("Alice", "rolls the *rope* over")
        (roll,) = result.rolls
        assert roll.total == 3 + sum(die.face for die in roll.dice)
        entry = (await entries(game, ada))[0]
        assert (entry.kind, entry.seed, entry.is_secret) == ("roll", 1, False)

    @pytest.mark.parametrize("label", [None, "", " ", "\u200b"])
    async def test_a_free_roll_needs_no_label(self, game: Table, ada: Person, label: str | None) -> None:
        assert (await play.roll(game, ada.asks(), "1d4", label)).message.headline == "rolls"

    async def test_a_secret_roll_is_for_the_person_and_the_gm(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        result = await play.roll(game, ada.asks(), "1d4", is_secret=True)

        assert not result.message.is_public
        for who in (gm, ada):
            assert (await journal.entry_result(game, who.asks(), result.entry)).rolls == result.rolls
        with pytest.raises(UserError):
            await journal.entry_result(game, bo.asks(), result.entry)

    async def test_a_roll_without_a_campaign_is_not_stored_and_says_so(
        self, table: Table, ada: Person
    ) -> None:
        before = everything(table)

        result = await play.roll(table, ada.asks(), "1d4")

        assert result.message.notes == ("There is no campaign here, so this roll isn't saved in a journal.",)
        assert everything(table) == before

    @pytest.mark.parametrize("expression", ["", "2d", "1d6+", "9999d6", "1d6" + "+1" * 300, "(" * 150, "1/0"])
    async def test_an_unreadable_or_too_large_expression_is_refused(
        self, game: Table, ada: Person, expression: str
    ) -> None:
        before = everything(game)

        with pytest.raises(UserError):
            await play.roll(game, ada.asks(), expression)

        assert everything(game) == before


class TestLargeExpressions:
    """F-REL-14."""

    async def test_a_roll_with_too_many_chances_has_none(self, game: Table, ada: Person) -> None:
        result = await play.roll(game, ada.asks(), "200d1000kh99")

        assert [(roll.odds, len(roll.dice)) for roll in result.rolls] == [(None, 200)]

    async def test_many_chances_are_counted_where_nobody_else_is_waiting(
        self, game: Table, ada: Person
    ) -> None:
        result = await play.roll(game, ada.asks(), "60d20kh30")

        assert result.rolls[0].odds is not None

    async def test_no_roll_waits_for_other_peoples_chances(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        may_end = Event()
        busy = [asyncio.ensure_future(game.computing.run(may_end.wait)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)

        quick = await play.roll(game, ada.asks(), "2d6")
        large = await play.roll(game, bo.asks(), "60d20kh30")
        with pytest.raises(TooBusy):
            await game.computing.run(may_end.wait)

        assert [quick.rolls[0].odds is None, large.rolls[0].odds is None] == [False, True]
        may_end.set()
        assert await asyncio.gather(*busy) == [True] * MOST_WAITING
        assert game.computing.is_idle

    async def test_one_server_leaves_room_for_the_others(self, game: Table) -> None:
        may_end = Event()
        busy = [asyncio.ensure_future(game.computing.run(may_end.wait, 1)) for _ in range(MOST_OF_ONE)]
        await asyncio.sleep(0)

        with pytest.raises(TooBusy):
            await game.computing.run(may_end.wait, 1)
        other = asyncio.ensure_future(game.computing.run(may_end.wait, 2))
        may_end.set()

        assert await asyncio.gather(*busy, other) == [True] * (MOST_OF_ONE + 1)
        assert game.computing.is_idle


class TestOdds:
    def test_too_many_chances_are_said_to_be_too_many(self) -> None:
        assert play.odds("200d1000kh99")[1] == "No exact chances: there are too many to count."

    def test_the_odds_give_every_total_its_chance(self) -> None:
        odds, line = play.odds("2d2-3")

        assert [(name, chance.ways, chance.of) for name, chance in odds.chances] == [
            ("−1", 1, 4),
            ("0", 2, 4),
            ("1", 1, 4),
        ]
        assert line == "−1 to 1, 0.00 on average, median 0"

    def test_more_than_16_totals_are_grouped(self) -> None:
        odds, _ = play.odds("3d20")

        assert len(odds.chances) <= 16
        assert odds.chances[0][0] == "3 to 6"
        assert sum(chance.fraction for _, chance in odds.chances) == 1

    def test_odds_without_an_exact_answer_say_why(self) -> None:
        odds, line = play.odds("3d6e6")

        assert odds.chances == ()
        assert line.startswith("No exact chances: ")
