"""Coins instead of dice."""

from fractions import Fraction
from itertools import product

import pytest

from bot.rules.mistakes import Mistake
from bot.rules.odds import Distribution, die, total
from bot.rules.rpj.coins import COINS, HEADS, TAILS, CoinKind, Flip, coin_falls, value_of, written_coins
from bot.rules.rpj.criticals import Critical

DICE = total([die(6), die(6)])


def at_least(falls: Distribution[int], target: int) -> Fraction:
    """How often a total reaches a target."""
    return falls.chance(lambda fall: fall >= target).fraction


@pytest.mark.rule("RPJ-COIN-02")
def test_each_kind_of_coin_has_its_values() -> None:
    assert {kind.value: (value_of(kind, HEADS), value_of(kind, TAILS)) for kind in CoinKind} == {
        "regular": (1, -1),
        "positive spoiler": (2, -1),
        "negative spoiler": (1, -2),
    }


@pytest.mark.rule("RPJ-COIN-03")
class TestTheFlip:
    @pytest.mark.parametrize(
        ("coins", "expected"), [("HHH HH", 13), ("TTT TT", 1), ("HHT HT", 8), ("HHH TT", 7)]
    )
    def test_five_coins_and_seven(self, coins: str, expected: int) -> None:
        assert written_coins(coins).total == expected

    def test_two_and_twelve_never_come(self) -> None:
        assert sorted(coin_falls().ways) == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]

    def test_it_is_written_by_kind(self) -> None:
        assert str(written_coins("HTH HT")) == "H T H | +H | −T"


@pytest.mark.rule("RPJ-COIN-04")
@pytest.mark.parametrize(("spoilers", "expected"), [("HH", 3), ("TT", -3), ("HT", 0), ("TH", 0)])
def test_it_does_not_matter_which_spoiler_is_which(spoilers: str, expected: int) -> None:
    faces = [HEADS if letter == "H" else TAILS for letter in spoilers]
    assert sum(value_of(kind, face) for kind, face in zip(COINS[3:], faces, strict=True)) == expected


@pytest.mark.rule("RPJ-COIN-05")
class TestDistribution:
    def test_the_mean_is_seven_for_both(self) -> None:
        for falls in (coin_falls(), DICE):
            assert Fraction(sum(fall * ways for fall, ways in falls.ways.items()), falls.of) == 7

    def test_coins_spread_wider(self) -> None:
        spreads = [
            Fraction(sum((fall - 7) ** 2 * ways for fall, ways in falls.ways.items()), falls.of)
            for falls in (coin_falls(), DICE)
        ]
        assert spreads == [Fraction(15, 2), Fraction(35, 6)]

    @pytest.mark.parametrize(
        ("target", "coins", "dice"),
        [
            (7, "53.13", "58.33"),
            (8, "46.88", "41.67"),
            (11, "12.50", "8.33"),
            (4, "87.50", "91.67"),
            (13, "3.12", "0.00"),
        ],
    )
    def test_target_numbers(self, target: int, coins: str, dice: str) -> None:
        assert f"{float(at_least(DICE, target)) * 100:.2f}" == dice
        assert abs(float(at_least(coin_falls(), target)) * 100 - float(coins)) < 0.006

    def test_the_largest_gap_is_at_seven_and_eight(self) -> None:
        gaps = {target: abs(at_least(coin_falls(), target) - at_least(DICE, target)) for target in range(14)}
        assert [target for target, gap in gaps.items() if gap == max(gaps.values())] == [7, 8]
        assert max(gaps.values()) == Fraction(5, 96)

    def test_even_and_odd_are_equally_likely(self) -> None:
        assert coin_falls().chance(lambda fall: fall % 2 == 0).fraction == Fraction(1, 2)
        assert [coin_falls().ways[fall] for fall in (6, 7, 8)] == [6, 2, 6]

    def test_total_variation_distance(self) -> None:
        shares = [
            {fall: Fraction(ways, falls.of) for fall, ways in falls.ways.items()}
            for falls in (coin_falls(), DICE)
        ]
        distance = (
            sum(
                abs(shares[0].get(fall, Fraction(0)) - shares[1].get(fall, Fraction(0)))
                for fall in range(1, 14)
            )
            / 2
        )
        assert f"{float(distance):.4f}" == "0.2361"


@pytest.mark.rule("RPJ-COIN-06")
class TestCriticals:
    def test_all_heads_and_all_tails(self) -> None:
        criticals = {
            str(flip): flip.critical
            for faces in product((TAILS, HEADS), repeat=5)
            if (flip := Flip(faces)).critical is not Critical.NONE
        }
        assert criticals == {"H H H | +H | −H": Critical.SUCCESS, "T T T | +T | −T": Critical.FAILURE}


@pytest.mark.rule("RPJ-COIN-07")
class TestExtraCoin:
    def test_a_head_takes_the_place_of_a_regular_tail(self) -> None:
        flip = Flip(written_coins("TTT HH").faces, HEADS)
        assert (written_coins("TTT HH").total, flip.total, flip.replaced) == (7, 9, 0)

    @pytest.mark.parametrize("coins", ["HHH TH", "HHH HT", "TTT TH", "TTT HT"])
    def test_against_a_spoiler_s_tail_it_is_worth_three(self, coins: str) -> None:
        flip = written_coins(coins)
        assert Flip(flip.faces, HEADS).total - flip.total == 3

    def test_a_tail_changes_nothing(self) -> None:
        for faces in product((TAILS, HEADS), repeat=5):
            assert Flip(faces, TAILS).total == Flip(faces).total
            assert Flip(faces, TAILS).replaced is None

    def test_its_mean(self) -> None:
        falls = coin_falls(has_extra=True)
        mean = Fraction(sum(fall * ways for fall, ways in falls.ways.items()), falls.of)
        assert f"{float(mean):.2f}" == "8.34"


@pytest.mark.rule("RPJ-COIN-09")
class TestCoinsFlippedByHand:
    @pytest.mark.parametrize(("text", "expected"), [("HHT HT", 8), ("TTT TT", 1), ("hhtht", 8)])
    def test_five_letters_are_five_coins(self, text: str, expected: int) -> None:
        assert written_coins(text).total == expected

    @pytest.mark.parametrize("text", ["HHTH", "HHTHTT", "HHX HT", ""])
    def test_anything_else_is_refused(self, text: str) -> None:
        with pytest.raises(Mistake, match="is not five coins"):
            written_coins(text)
