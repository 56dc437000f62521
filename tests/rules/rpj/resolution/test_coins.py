"""Coins instead of dice."""

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from bot.rules.kernel.dice import Distribution, die, total
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.lucky_breaks import chance_to_turn, with_extra_die
from bot.rules.rpj.module.module_files import MODULES
from bot.rules.rpj.resolution.check import (
    CHECK,
    COINS,
    HEADS,
    TAILS,
    CoinKind,
    Flip,
    RpjResult,
    asks_for_confirmation,
    check_odds,
    reading_of,
    value_of,
    written_coins,
)
from bot.rules.rpj.resolution.check_inputs import Critical, CriticalMode, CriticalRules, RpjCheckInputs
from tests.dice import ScriptedDice
from tests.rules.rpj.table import d6, labels, rpj_table
from tests.rules.rpj.throws import coins_total, enumerated, inputs, told

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
    def test_a_flip_is_the_sum_of_five_coins_plus_7(self, coins: str, expected: int) -> None:
        assert written_coins(coins).total == expected

    def test_a_flip_never_totals_2_or_12(self) -> None:
        assert sorted(coins_total().ways) == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]

    def test_a_flip_is_written_by_kind_of_coin(self) -> None:
        assert str(written_coins("HTH HT")) == "H T H | +H | −T"


@pytest.mark.rule("RPJ-COIN-04")
@pytest.mark.parametrize(("spoilers", "expected"), [("HH", 3), ("TT", -3), ("HT", 0), ("TH", 0)])
def test_the_sum_of_the_spoilers_ignores_which_is_which(spoilers: str, expected: int) -> None:
    faces = [HEADS if letter == "H" else TAILS for letter in spoilers]
    assert sum(value_of(kind, face) for kind, face in zip(COINS[3:], faces, strict=True)) == expected


@pytest.mark.rule("RPJ-COIN-05")
class TestDistributionOfCoins:
    def test_coins_and_dice_have_the_same_mean_of_7(self) -> None:
        for falls in (coins_total(), DICE):
            assert Fraction(sum(fall * ways for fall, ways in falls.ways.items()), falls.of) == 7

    def test_coins_spread_wider_than_dice(self) -> None:
        spreads = [
            Fraction(sum((fall - 7) ** 2 * ways for fall, ways in falls.ways.items()), falls.of)
            for falls in (coins_total(), DICE)
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
    def test_the_chances_of_coins_and_dice_match_the_printed_table(
        self, target: int, coins: str, dice: str
    ) -> None:
        assert f"{float(at_least(DICE, target)) * 100:.2f}" == dice
        assert abs(float(at_least(coins_total(), target)) * 100 - float(coins)) < 0.006

    def test_coins_and_dice_differ_most_at_targets_7_and_8(self) -> None:
        gaps = {target: abs(at_least(coins_total(), target) - at_least(DICE, target)) for target in range(14)}
        assert [target for target, gap in gaps.items() if gap == max(gaps.values())] == [7, 8]
        assert max(gaps.values()) == Fraction(5, 96)

    def test_even_and_odd_totals_of_coins_are_equally_likely(self) -> None:
        assert coins_total().chance(lambda fall: fall % 2 == 0).fraction == Fraction(1, 2)
        assert [coins_total().ways[fall] for fall in (6, 7, 8)] == [6, 2, 6]

    def test_the_total_variation_distance_between_coins_and_dice_is_exact(self) -> None:
        shares = [
            {fall: Fraction(ways, falls.of) for fall, ways in falls.ways.items()}
            for falls in (coins_total(), DICE)
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
class TestCriticalFlips:
    def test_only_all_heads_and_all_tails_are_critical_flips(self) -> None:
        criticals = {
            str(flip): flip.critical
            for faces in product((TAILS, HEADS), repeat=5)
            if (flip := Flip(faces)).critical is not Critical.NONE
        }
        assert criticals == {"H H H | +H | −H": Critical.SUCCESS, "T T T | +T | −T": Critical.FAILURE}


@pytest.mark.rule("RPJ-COIN-07")
class TestExtraCoin:
    def test_an_extra_coins_head_replaces_a_regular_tail(self) -> None:
        flip = Flip(written_coins("TTT HH").faces, HEADS)
        assert (written_coins("TTT HH").total, flip.total, flip.replaced) == (7, 9, 0)

    @pytest.mark.parametrize("coins", ["HHH TH", "HHH HT", "TTT TH", "TTT HT"])
    def test_an_extra_coins_head_adds_3_when_it_replaces_a_spoilers_tail(self, coins: str) -> None:
        flip = written_coins(coins)
        assert Flip(flip.faces, HEADS).total - flip.total == 3

    def test_an_extra_coins_tail_changes_nothing(self) -> None:
        for faces in product((TAILS, HEADS), repeat=5):
            assert Flip(faces, TAILS).total == Flip(faces).total
            assert Flip(faces, TAILS).replaced is None

    def test_the_mean_of_a_flip_with_an_extra_coin_is_exact(self) -> None:
        falls = coins_total(has_extra=True)
        mean = Fraction(sum(fall * ways for fall, ways in falls.ways.items()), falls.of)
        assert f"{float(mean):.2f}" == "8.34"


@pytest.mark.rule("RPJ-COIN-09")
class TestCoinsFlippedByHand:
    @pytest.mark.parametrize(("text", "expected"), [("HHT HT", 8), ("TTT TT", 1), ("hhtht", 8)])
    def test_five_letters_are_read_as_five_coins(self, text: str, expected: int) -> None:
        assert written_coins(text).total == expected

    @pytest.mark.parametrize("text", ["HHTH", "HHTHTT", "HHX HT", ""])
    def test_anything_but_five_coins_is_refused(self, text: str) -> None:
        with pytest.raises(UserError, match="isn't five coins"):
            written_coins(text)


# --- checks with coins -------------------------------------------------------------------------


def flips(text: str) -> ScriptedDice:
    """Coins that fall so."""
    letters = "".join(text.split())
    return ScriptedDice(" ".join(f"d2:{HEADS if letter == 'H' else TAILS}" for letter in letters))


def asked(level: int = 0, target: int = 7, **rules: Any) -> RpjCheckInputs:
    """A check with coins."""
    return inputs(level, target, criticals=CriticalRules(with_coins=True, **rules))


@pytest.mark.rule("RPJ-COIN-01")
class TestChecksWithCoins:
    def test_a_check_can_be_made_with_coins_for_dice(self) -> None:
        roll = CHECK.resolve(asked(4, 10), flips("HTT HT"))
        assert reading_of(roll).total == 10
        assert reading_of(roll).result.is_success
        assert [(die.sides, die.shown) for die in roll.dice] == [
            (2, "H"),
            (2, "T"),
            (2, "T"),
            (2, "+H"),
            (2, "−T"),
        ]
        assert [(term.label, term.value) for term in roll.terms] == [("coins", 6), ("level", 4)]

    def test_the_odds_of_a_check_with_coins_are_those_of_coins(self) -> None:
        assert check_odds(asked(0, 8)).enough == Fraction(15, 32)

    def test_the_odds_of_a_check_with_coins_match_a_count_of_every_flip(self) -> None:
        for target in (1, 4, 8, 13):
            question = asked(0, target)
            assert enumerated(partial(CHECK.resolve, question)) == told(check_odds(question))

    def test_a_player_flips_coins_for_checks_where_the_campaign_allows_coin_flips(self) -> None:
        table = rpj_table(coin_flips=True)
        table.do("Laeniel", "throw", thrown="coins")
        done = table.do("Laeniel", "check", "d2:2 d2:2 d2:1 d2:2 d2:1", skill="archery")
        assert [die.sides for die in done.rolls[0].dice] == [2] * 5
        assert MODULES["generic"].criticals.with_coins is False


@pytest.mark.rule("RPJ-COIN-06")
class TestCriticalChecksWithCoins:
    @pytest.mark.parametrize(
        ("coins", "result"), [("HHH HH", RpjResult.CRITICAL_SUCCESS), ("TTT TT", RpjResult.CRITICAL_FAILURE)]
    )
    def test_five_coins_alike_are_a_critical(self, coins: str, result: RpjResult) -> None:
        assert reading_of(CHECK.resolve(asked(0, 7), flips(coins))).result is result

    def test_each_critical_with_coins_has_a_chance_of_1_in_32(self) -> None:
        chances = dict(check_odds(asked(0, 7)).chances)
        assert chances["critical success"].fraction == Fraction(1, 32)
        assert chances["critical failure"].fraction == Fraction(1, 32)

    @pytest.mark.parametrize(
        ("coins", "confirmation", "result"),
        [
            ("HHH HH", 4, "critical success"),
            ("HHH HH", 3, "success"),
            ("TTT TT", 3, "critical failure"),
            ("TTT TT", 4, "failure"),
        ],
    )
    def test_a_campaign_with_rarer_criticals_confirms_critical_flips_with_a_die(
        self, coins: str, confirmation: int, result: str
    ) -> None:
        table = rpj_table(coin_flips=True, criticals="confirm")
        table.do("Laeniel", "throw", thrown="coins")
        faces = " ".join(f"d2:{HEADS if coin == 'H' else TAILS}" for coin in coins.replace(" ", ""))

        rolled = table.do("Laeniel", "check", f"{faces} d6:{confirmation}", skill="archery", difficulty="10+")

        assert rolled.rolls[0].outcome == result

    def test_coins_follow_the_rule_for_rarer_criticals_but_not_for_frequent_ones(self) -> None:
        rare = asked(0, 7, mode=CriticalMode.CONFIRM)
        assert asks_for_confirmation(rare, (HEADS,) * 5)
        assert not asks_for_confirmation(rare, (HEADS, HEADS, TAILS, HEADS, TAILS))
        roll = CHECK.resolve(rare, ScriptedDice("d2:2 d2:2 d2:2 d2:2 d2:2 d6:1"))
        assert reading_of(roll).result is RpjResult.SUCCESS
        often = asked(0, 7, mode=CriticalMode.WIDE)
        assert reading_of(CHECK.resolve(often, flips("HHH HT"))).result is RpjResult.SUCCESS


@pytest.mark.rule("RPJ-COIN-07")
class TestLuckyBreaksOnCoins:
    def test_an_extra_coin_can_turn_a_failure(self) -> None:
        failed = CHECK.resolve(asked(0, 9), flips("TTT HH"))
        assert not reading_of(failed).result.is_success
        assert chance_to_turn(with_extra_die(failed)).fraction == Fraction(1, 2)
        turned = CHECK.resolve(with_extra_die(failed), flips("H"))
        assert reading_of(turned).total == 9
        assert [die.is_kept for die in (*turned.earlier, *turned.dice)] == [False, *[True] * 5]

    def test_a_failed_flip_no_lucky_break_can_turn_says_so(self) -> None:
        table = rpj_table(coin_flips=True)
        table.do("Laeniel", "throw", thrown="coins")
        done = table.do("Laeniel", "check", "d2:1 d2:1 d2:1 d2:2 d2:2", skill="archery", difficulty="16+")
        assert not any(label.startswith("Lucky Break") for label in labels(done))
        assert "A Lucky Break can't turn this roll." in done.notes


@pytest.mark.rule("RPJ-COIN-08")
class TestMixedTables:
    def test_f_opt_19_each_player_chooses_coins_or_dice_and_dice_are_the_default(self) -> None:
        table = rpj_table(coin_flips=True)
        for who in ("Laeniel", "Ug", "GM Ogre"):
            rolled = table.do(who, "check", d6("3 4"), skill="archery")
            assert [die.sides for die in rolled.rolls[0].dice] == [6, 6]

        table.do("Ug", "throw", thrown="coins")

        coins = table.do("Ug", "check", "d2:1 d2:1 d2:1 d2:2 d2:2", skill="archery")
        assert [die.sides for die in coins.rolls[0].dice] == [2] * 5
        dice = table.do("Laeniel", "check", d6("3 4"), skill="archery")
        assert [die.sides for die in dice.rolls[0].dice] == [6, 6]

    def test_f_opt_19_an_older_sheet_is_read_as_one_that_rolls_dice(self) -> None:
        for kept in (True, False):
            stored = {**RULESET.creation.npc().model_dump(mode="json"), "keeps_to_dice": kept}
            del stored["flips_coins"]

            sheet = RULESET.sheet.model_validate(RULESET.upgrade_sheet(stored, 1))

            assert sheet.model_dump()["flips_coins"] is False

    def test_a_player_can_switch_from_coins_back_to_dice(self) -> None:
        table = rpj_table(coin_flips=True)
        table.do("Ug", "throw", thrown="coins")
        table.do("Ug", "throw", thrown="dice")
        assert [die.sides for die in table.do("Ug", "check", d6("3 4"), skill="archery").rolls[0].dice] == [
            6,
            6,
        ]

    def test_a_campaign_without_coin_flips_refuses_the_choice_of_coins(self) -> None:
        assert rpj_table().refused("Ug", "throw", thrown="coins").what == (
            "This campaign doesn't use Coin flips."
        )

    def test_the_gm_can_have_coins_flipped_by_hand_read(self) -> None:
        table = rpj_table(coin_flips=True)
        assert table.do("GM", "coins", coins="HHT HT").headline == "reads the coins H H T | +H | −T: 8"
        assert table.do("GM", "coins", coins="TTTTT").headline.endswith(": 1, a critical failure")
