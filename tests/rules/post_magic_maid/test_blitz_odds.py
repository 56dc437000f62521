"""The exact chances of a blitz."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import icepool
import pytest

from bot.rules.kernel.odds import Chance
from bot.rules.post_magic_maid.blitz import BlitzInputs, blitz_odds, draw_blitz, read_blitz
from bot.rules.post_magic_maid.tier_check import draw_chance
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import cards
from tests.rules.post_magic_maid.vectors import vectors

NOTHING = "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"


class TestOdds:
    @pytest.mark.parametrize("row", vectors("blitz_odds"))
    def test_the_ledgers_table_is_exact(self, row: dict[str, Any]) -> None:
        wanted = {"aces": 4, "jokers": 2, "faces": 12}[row["cards"]]
        exactly = (
            draw_chance(wanted, row["count"], 7).fraction - draw_chance(wanted, row["count"] + 1, 7).fraction
        )

        assert f"{float(exactly) * 100:.4f}".removesuffix(".0000") == row["percent"]

    @pytest.mark.parametrize(
        ("wanted", "least", "chance"),
        [
            (4, 1, Fraction(45962, 105417)),
            (4, 2, Fraction(903, 11713)),
            (2, 1, Fraction(350, 1431)),
            (2, 2, Fraction(7, 477)),
            (12, 1, Fraction(160387, 189210)),
            (6, 1, Fraction(718552, 1229865)),
        ],
    )
    def test_the_ledgers_chances_are_exact(self, wanted: int, least: int, chance: Fraction) -> None:
        assert draw_chance(wanted, least, 7).fraction == chance

    def test_the_chances_of_the_best_effect_drawn_are_exact(self) -> None:
        odds = dict(blitz_odds(BlitzInputs()).chances)

        assert odds["nothing"].fraction == Fraction(682, 14469)
        assert odds["an ace"].fraction == Fraction(45962, 105417)
        assert sum(chance.ways for chance in odds.values()) == odds["nothing"].of == 177100560

    def test_an_enumeration_of_all_hands_matches_the_odds(self) -> None:
        counted = dict.fromkeys(("nothing", "bonus d8s", "a Joker", "an ace"), 0)
        suits = {"A♠": "A♠ A♥ A♦ A♣", "K♠": "K♠ K♥ K♦ K♣ Q♠ Q♥ Q♦", "Joker": "Joker Joker"}
        numerals = " ".join(f"{rank}♠" for rank in range(2, 9))

        for aces, jokers, faces in combinations(range(10), 3):
            hand = (aces, jokers - aces - 1, faces - jokers - 1)
            if hand[0] > 4 or hand[1] > 2:
                continue
            picked = [
                *suits["A♠"].split()[: hand[0]],
                *suits["Joker"].split()[: hand[1]],
                *suits["K♠"].split()[: hand[2]],
                *numerals.split()[: 7 - sum(hand)],
            ]
            roll = draw_blitz(BlitzInputs(), ScriptedDice(cards(" ".join(picked))))
            drawn = read_blitz(roll)
            assert (drawn.aces, drawn.jokers, drawn.faces) == hand
            ways = comb(4, hand[0]) * comb(2, hand[1]) * comb(12, hand[2]) * comb(36, 7 - sum(hand))
            counted[str(roll.outcome)] += ways

        assert counted == {name: chance.ways for name, chance in blitz_odds(BlitzInputs()).chances}

    def test_the_odds_match_icepool(self) -> None:
        deck = icepool.Deck({"ace": 4, "joker": 2, "face": 12, "none": 36})
        hands = deck.deal(7).expand()
        names = {"ace": "an ace", "joker": "a Joker", "face": "bonus d8s"}
        worth = hands.map(lambda hand: next((names[kind] for kind in names if kind in hand), "nothing"))

        for name, chance in blitz_odds(BlitzInputs()).chances:
            assert worth.probability(name) == chance.fraction

    def test_the_average_faces_aces_and_jokers_in_seven_cards_are_right(self) -> None:
        def mean(wanted: int) -> Fraction:
            return sum((draw_chance(wanted, least, 7).fraction for least in range(1, 8)), Fraction(0))

        assert mean(12) == Fraction(14, 9)
        assert mean(12) * Fraction(9, 2) == 7
        assert mean(4) == Fraction(14, 27)
        assert mean(2) == Fraction(7, 27)

    def test_the_chance_of_cards_the_deck_does_not_contain_is_zero(self) -> None:
        assert draw_chance(2, 3, 7) == Chance(0, 177100560)
