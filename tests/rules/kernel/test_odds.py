"""Exact chances as people read them."""

from fractions import Fraction

import pytest

from bot.rules.kernel import Odds
from bot.rules.kernel.odds import Chance, percent


class TestPercent:
    @pytest.mark.parametrize(
        ("chance", "written"),
        [
            (Fraction(0), "0%"),
            (Fraction(1), "100%"),
            (Fraction(21, 36), "58%"),
            (Fraction(1, 2), "50%"),
            (Fraction(5, 8), "62%"),
            (Fraction(3, 8), "38%"),
            (Fraction(99, 100), "99%"),
            (Fraction(9901, 10000), "> 99%"),
            (Fraction(10**9 - 1, 10**9), "> 99%"),
            (Fraction(1, 100), "1%"),
            (Fraction(99, 10000), "1%"),
            (Fraction(94, 10000), "0.9%"),
            (Fraction(1, 216), "0.5%"),
            (Fraction(1, 2000), "0.1%"),
            (Fraction(1, 2001), "< 0.1%"),
            (Fraction(1, 10**100), "< 0.1%"),
        ],
    )
    def test_a_percentage_is_never_0_for_the_possible_nor_100_for_the_uncertain(
        self, chance: Fraction, written: str
    ) -> None:
        assert percent(chance) == written


def test_the_chance_of_enough_adds_up_whatever_the_chances_are_counted_in() -> None:
    chances = (("failure", Chance(1, 3)), ("success", Chance(3, 6)), ("critical success", Chance(2, 12)))

    assert Odds(chances, "success").enough == Fraction(2, 3)
    assert Odds(chances, "critical success").enough == Fraction(1, 6)
    assert Odds(chances).enough is None
