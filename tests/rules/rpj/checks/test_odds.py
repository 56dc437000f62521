"""The exact chances of two dice, and the page of /odds."""

from fractions import Fraction
from typing import Any

import icepool
import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.odds import Chance
from bot.rules.rpj.checks.odds import ODDS, RpjOddsQuestion, turning_chance
from bot.rules.rpj.module.settings import RpjSettings
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalMode, RpjCheckInputs, Word
from tests.rules.rpj.throws import coins_total


def enough(**question: Any) -> Fraction | None:
    """How likely a success is, as the page of /odds says."""
    return ODDS.answer(RpjOddsQuestion.model_validate(question)).enough


@pytest.mark.rule("RPJ-DICE-10")
class TestTwoDice:
    @pytest.mark.parametrize(
        ("least", "ways"),
        [(3, 35), (4, 33), (5, 30), (6, 26), (7, 21), (8, 15), (9, 10), (10, 6), (11, 3), (12, 1)],
    )
    def test_the_odds_of_two_dice_match_the_printed_table(self, least: int, ways: int) -> None:
        assert enough(target=least) == Fraction(ways, 36)
        assert enough(target=least) == (2 @ icepool.d6).probability(">=", least)

    def test_double_ones_fail_even_against_a_target_of_2(self) -> None:
        assert enough(target=2) == Fraction(35, 36)

    @pytest.mark.parametrize(("least", "ways"), [(7, 174), (8, 147), (9, 113), (10, 77), (11, 43), (12, 16)])
    def test_the_odds_with_a_lucky_break_are_those_of_the_best_two_of_three_dice(
        self, least: int, ways: int
    ) -> None:
        assert enough(target=least, lucky_break=True) == Fraction(ways, 216)
        assert enough(target=least, lucky_break=True) == icepool.d6.highest(3, 2).probability(">=", least)


@pytest.mark.rule("RPJ-DICE-10")
class TestPageOfOdds:
    @pytest.mark.parametrize(
        ("question", "percent"),
        [
            (RpjOddsQuestion(level=4, target=11), "58.33"),
            (RpjOddsQuestion(level=6, target=13), "58.33"),
            (RpjOddsQuestion(level=0, target=13), "0.00"),
            (RpjOddsQuestion(level=4, target=11, lucky_break=True), "80.56"),
            (RpjOddsQuestion(level=4, target=11, bonus=-1), "41.67"),
        ],
    )
    def test_the_odds_page_gives_the_chance_of_success(self, question: RpjOddsQuestion, percent: str) -> None:
        enough = ODDS.answer(question).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent

    def test_the_odds_page_lists_the_exact_match_separately(self) -> None:
        chances = dict(ODDS.answer(RpjOddsQuestion(level=4, target=11)).chances)

        assert chances["exact success"] == Chance(6, 36)

    def test_the_odds_page_knows_the_variants_of_criticals(self) -> None:
        question = RpjOddsQuestion.model_validate({"level": 4, "target": 11, "criticals": "confirm"})

        assert dict(ODDS.answer(question).chances)["critical success"] == Chance(3, 216)


@pytest.mark.rule("RPJ-LUCK-02")
class TestWorthOfALuckyBreak:
    def test_the_odds_page_gives_the_worth_of_a_lucky_break_before_and_after_the_roll(self) -> None:
        question = RpjOddsQuestion(level=4, target=11)

        assert ODDS.worth(question, RpjSettings()) == (
            "the dice must total 7+",
            "81% with a Lucky Break spent beforehand",
            "a Lucky Break rescues a failure 53% of the time",
        )

    @pytest.mark.rule("RPJ-DICE-10")
    @pytest.mark.parametrize(
        ("coins", "lowest", "highest", "what"), [(False, 2, 12, "dice"), (True, 1, 13, "coins")]
    )
    def test_the_odds_page_says_what_the_dice_must_add_up_to(
        self, coins: bool, lowest: int, highest: int, what: str
    ) -> None:
        def needed(level: int, target: int) -> str:
            return ODDS.worth(RpjOddsQuestion(level=level, target=target, coins=coins), RpjSettings())[0]

        assert needed(4, 4 + highest) == f"the {what} must total {highest}+"
        assert needed(4, 5 + highest) == f"the {what} alone can't reach it"
        assert needed(9, 9 + lowest) == needed(9, 8 + lowest) == f"the {what} must total {lowest}+"

    def test_the_chance_of_success_plus_rescue_equals_the_chance_of_three_dice(self) -> None:
        inputs = RpjCheckInputs(terms=(NamedTerm(label="level", value=4),), difficulty=4)
        after = turning_chance(inputs)

        assert after == Fraction(48, 90)
        assert Fraction(21, 36) + Fraction(15, 36) * after == Fraction(174, 216)

    def test_the_odds_page_shows_no_rescue_where_failure_or_success_is_impossible(self) -> None:
        sure = RpjCheckInputs(difficulty=-7, word=Word.OVERRULED)

        assert turning_chance(sure) is None
        assert ODDS.worth(RpjOddsQuestion(target=14, lucky_break=True), RpjSettings()) == (
            "the dice alone can't reach it",
        )

    def test_the_odds_use_the_campaigns_own_criticals(self) -> None:
        wide = RpjSettings(criticals=CriticalMode.WIDE)
        assert ODDS.answer_under is not None

        odds = ODDS.answer_under(RpjOddsQuestion(level=4, target=7), wide)

        assert dict(odds.chances)["critical success"] == Chance(12, 216)


@pytest.mark.rule("RPJ-HEALTH-19")
class TestDamageSaves:
    @pytest.mark.parametrize(("final", "percent"), [(7, "58.33"), (6, "72.22"), (4, "91.67"), (13, "2.78")])
    def test_the_odds_of_damage_saves_are_exact(self, final: int, percent: str) -> None:
        enough = ODDS.answer(RpjOddsQuestion(target=final, roll=CheckKind.DAMAGE_SAVE)).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent


@pytest.mark.rule("RPJ-COIN-05", "RPJ-APPX-20")
class TestOddsOfCoins:
    @pytest.mark.parametrize(("target", "percent"), [(4, "87.50"), (7, "53.12"), (8, "46.88"), (13, "3.12")])
    def test_the_odds_command_can_be_asked_about_coins(self, target: int, percent: str) -> None:
        enough = ODDS.answer(RpjOddsQuestion(target=target, coins=True)).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent

    @pytest.mark.rule("RPJ-COIN-07")
    @pytest.mark.parametrize("lucky_break", [False, True])
    def test_the_odds_of_coins_match_a_count_of_every_flip(self, lucky_break: bool) -> None:
        totals = coins_total(has_extra=lucky_break)

        for target in range(2, 14):
            counted = sum(ways for total, ways in totals.ways.items() if total >= target)
            assert enough(target=target, coins=True, lucky_break=lucky_break) == Fraction(counted, totals.of)

    def test_the_odds_are_about_dice_by_default_even_where_players_may_flip_coins(self) -> None:
        flipping, question = RpjSettings(coin_flips=True), RpjOddsQuestion(target=13)

        assert ODDS.answer_under is not None
        assert ODDS.answer_under(question, flipping).enough == 0
        with_coins = question.model_copy(update={"coins": True})
        assert dict(ODDS.answer_under(with_coins, flipping).chances)["critical success"] == Chance(1, 32)

    def test_the_odds_page_for_coins_speaks_of_coins(self) -> None:
        worth = ODDS.worth(RpjOddsQuestion(target=13, coins=True), RpjSettings())

        assert worth[0] == "the coins must total 13+"
        assert (
            ODDS.worth(RpjOddsQuestion(target=14, coins=True), RpjSettings())[0]
            == "the coins alone can't reach it"
        )
