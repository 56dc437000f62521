"""The recap of a session: what was rolled, how luckily, what was spent, and nothing that is secret."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.rules.kernel import Document, Family, Odds, Roll, Verdict
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import Chance
from bot.table.base.luck import deviation, luck_of
from bot.table.base.table import Table
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal, recap
from bot.table.play import play
from bot.table.sessions import endings, sessions
from tests.table.conftest import MORNING, Clock, Person


def rolled(fell: str, *chances: tuple[str, int, int]) -> Roll:
    return Roll(
        rule="check",
        inputs=Document(),
        dice=(),
        verdict=Verdict(Family.SUCCESS, fell),
        odds=Odds(tuple((name, Chance(ways, of)) for name, ways, of in chances)),
        outcome=fell,
    )


class TestLuck:
    def test_the_rank_counts_worse_outcomes_and_half_of_the_equal_ones(self) -> None:
        luck = luck_of(rolled("cost", ("failure", 1, 4), ("cost", 1, 2), ("success", 1, 4)))

        assert luck is not None
        assert luck.rank == Fraction(1, 2)
        assert luck.chance == Fraction(1, 2)
        assert luck.variance == Fraction(9, 128)  # (1 - 1/64 - 1/8 - 1/64) / 12 = 54/64/12

    def test_four_lucky_coin_flips_are_two_deviations_lucky(self) -> None:
        coin = luck_of(rolled("success", ("failure", 1, 2), ("success", 1, 2)))
        assert coin is not None

        assert coin.variance == Fraction(1, 16)
        assert deviation([coin] * 4) == 2.0

    def test_a_certain_outcome_is_neither_lucky_nor_unlucky(self) -> None:
        certain = luck_of(rolled("success", ("success", 1, 1)))
        assert certain is not None

        assert deviation([certain]) is None

    def test_a_roll_without_exact_chances_has_no_luck(self) -> None:
        plain = Roll(rule="check", inputs=Document(), dice=(), verdict=Verdict(Family.NEWS, "7"))

        assert luck_of(plain) is None

    def test_outcomes_that_are_not_ranked_have_no_luck(self) -> None:
        picked = replace(rolled("rope", ("lamp", 1, 2), ("rope", 1, 2)), verdict=Verdict(Family.NEWS, "rope"))

        assert luck_of(picked) is None

    def test_the_expected_rank_is_one_half_whatever_the_chances(self) -> None:
        chances = (("a", 1, 6), ("b", 2, 6), ("c", 3, 6))
        ranks = [(luck_of(rolled(name, *chances)), Fraction(ways, of)) for name, ways, of in chances]

        assert sum(luck.rank * share for luck, share in ranks if luck is not None) == Fraction(1, 2)


class TestRecap:
    async def test_a_recap_counts_who_rolled_and_how_long_it_took(
        self, game: Table, gm: Person, ada: Person, bo: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        for _ in range(3):
            await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, bo.asks(), "check", {})
        clock.pass_hours(3)
        await endings.end(game, gm.asks())

        told = await recap.recap(game, ada.asks())

        assert (told.number, told.started_at, told.ended_at) == (1, MORNING, MORNING + 3 * 3600)
        assert (told.players, told.rolls, told.undone_rolls) == (3, 4, 0)
        assert told.present == ("Gwen", "Alice", "Bob")
        assert [(one.name, one.player, one.rolls) for one in told.rollers] == [
            ("Ada", "Alice", 3),
            ("Bo", "Bob", 1),
        ]

    async def test_a_roll_counts_for_who_made_it_and_the_gms_characters_stand_apart(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        """F-ALL-04: a foe's dice are no luck of whoever made it roll."""
        await gm_cases.make_npc(game, gm.asks(), "The Ogre")
        await sessions.start(game, gm.asks())
        await play.perform(game, bo.asks(), "check", {})
        for target in ("Bo", "The Ogre", "The Ogre"):
            await play.perform(game, ada.asks(), "wrestle", {"target": target})

        told = await recap.recap(game, ada.asks())

        assert told.rolls == 7
        assert [(one.name, one.player, one.rolls, one.is_gms) for one in told.rollers] == [
            ("Ada", "Alice", 3, False),
            ("Bo", "Bob", 2, False),
            ("The Ogre", "", 2, True),
        ]
        moments = (told.luckiest, told.unluckiest, told.hardest)
        assert {one.who for one in moments if one is not None} <= {"Ada", "Bo"}

    async def test_an_undone_roll_counts_and_is_marked(self, game: Table, gm: Person, bo: Person) -> None:
        await sessions.start(game, gm.asks())
        failed = await play.perform(game, bo.asks(), "check", {"bonus": -2})
        pushed = await play.press(game, bo.asks(), failed.follow_ups[0].id)
        await journal.undo(game, gm.asks(), pushed.result.entry)

        told = await recap.recap(game, bo.asks())

        assert (told.rolls, told.undone_rolls) == (2, 1)
        assert told.rollers[0].undone == 1

    async def test_a_recap_never_shows_secret_rolls_or_hidden_characters(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await sessions.start(game, gm.asks())
        await play.perform(game, gm.asks(), "check", {}, acting="The Shade", is_secret=True)
        await gm_cases.award(game, gm.asks(), "luck", 1, ("The Shade",))
        await endings.end(game, gm.asks())

        for person in (ada, gm):
            told = await recap.recap(game, person.asks(), whole=True)
            assert "Shade" not in repr(told)
            assert (told.rolls, told.heroes) == (0, ())

    async def test_a_recap_names_the_luckiest_unluckiest_and_least_likely_rolls(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        for bonus in (-4, -3, -2, -1, -1, -1, -1, 1, 2):  # Brawn 4: from impossible to certain
            await play.perform(game, ada.asks(), "check", {"bonus": bonus})

        told = await recap.recap(game, ada.asks())

        assert told.luckiest is not None
        assert told.unluckiest is not None
        assert told.hardest is not None
        assert told.luckiest.rank > told.unluckiest.rank
        assert told.hardest.verdict == "success"
        assert told.hardest.odds <= Fraction(1, 2)

    async def test_a_single_roll_is_either_the_luckiest_or_the_unluckiest(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "check", {"bonus": -1})  # Brawn 4: it may go either way

        told = await recap.recap(game, ada.asks())

        assert [told.luckiest, told.unluckiest].count(None) == 1
        assert told.hardest in {told.luckiest, None}

    async def test_a_likely_outcome_is_no_extreme(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "check", {"bonus": 2})  # Brawn 4: it cannot fail

        told = await recap.recap(game, ada.asks())

        assert (told.luckiest, told.unluckiest, told.hardest) == (None, None, None)

    async def test_a_full_recap_lists_every_entry(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})

        told = await recap.recap(game, ada.asks(), whole=True)

        assert [line.message.headline for line in told.lines] == ["starts session 1", "spends Luck"]

    async def test_an_unknown_session_is_refused(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="no session yet"):
            await recap.recap(game, gm.asks())
        await sessions.start(game, gm.asks())
        with pytest.raises(UserError, match="no session 7"):
            await recap.recap(game, gm.asks(), 7)

    async def test_each_session_has_its_own_recap(self, game: Table, gm: Person, ada: Person) -> None:
        for rolls in (2, 1):
            await sessions.start(game, gm.asks())
            for _ in range(rolls):
                await play.perform(game, ada.asks(), "check", {})
            await endings.end(game, gm.asks())

        assert [(await recap.recap(game, ada.asks(), number)).rolls for number in (1, 2)] == [2, 1]
