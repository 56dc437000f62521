"""The exact chances of two dice, and the page of /odds."""

import icepool
import pytest

from bot.rules.odds import Chance
from bot.rules.rpj.odds import ODDS, OddsQuestion, sum_chance


@pytest.mark.rule("RPJ-DICE-10")
class TestTwoDice:
    @pytest.mark.parametrize(
        ("least", "ways"),
        [(2, 36), (3, 35), (4, 33), (5, 30), (6, 26), (7, 21), (8, 15), (9, 10), (10, 6), (11, 3), (12, 1)],
    )
    def test_the_printed_table_is_exact(self, least: int, ways: int) -> None:
        assert sum_chance(least) == Chance(ways, 36)
        assert sum_chance(least).fraction == (2 @ icepool.d6).probability(">=", least)

    @pytest.mark.parametrize(("least", "ways"), [(7, 174), (8, 147), (9, 113), (10, 77), (11, 43), (12, 16)])
    def test_with_a_lucky_break_the_best_two_of_three_count(self, least: int, ways: int) -> None:
        assert sum_chance(least, with_lucky_break=True) == Chance(ways, 216)
        assert sum_chance(least, with_lucky_break=True).fraction == icepool.d6.highest(3, 2).probability(
            ">=", least
        )


@pytest.mark.rule("RPJ-DICE-10")
class TestPageOfOdds:
    @pytest.mark.parametrize(
        ("question", "percent"),
        [
            (OddsQuestion(level=4, target=11), "58.33"),
            (OddsQuestion(level=6, target=13), "58.33"),
            (OddsQuestion(level=0, target=13), "0.00"),
            (OddsQuestion(level=4, target=11, lucky_break=True), "80.56"),
            (OddsQuestion(level=4, target=11, bonus=-1), "41.67"),
        ],
    )
    def test_it_says_how_likely_a_success_is(self, question: OddsQuestion, percent: str) -> None:
        enough = ODDS.answer(question).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent

    def test_it_tells_the_exact_match_apart(self) -> None:
        chances = dict(ODDS.answer(OddsQuestion(level=4, target=11)).chances)

        assert chances["exact success"] == Chance(6, 36)

    def test_it_knows_the_variants_of_criticals(self) -> None:
        question = OddsQuestion.model_validate({"level": 4, "target": 11, "criticals": "confirm"})

        assert dict(ODDS.answer(question).chances)["critical success"] == Chance(3, 216)
