"""The exact chances of Jokers in initiative."""

from fractions import Fraction
from math import comb, perm
from typing import Any

import icepool
import pytest

from bot.rules.post_magic_maid.encounter import DrawInputs, draw_odds, draw_order_cards
from bot.rules.post_magic_maid.tier_check import draw_chance
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.vectors import vectors


class TestOdds:
    @pytest.mark.parametrize("row", vectors("initiative_odds"))
    def test_the_ledgers_table_is_exact(self, row: dict[str, Any]) -> None:
        n = row["participants"]
        odds = dict(draw_odds(DrawInputs(names=("x",) * n)).chances)
        alike = 1 - sum(
            Fraction(comb(2, jokers) * comb(13, n - jokers) * 4 ** (n - jokers), comb(54, n))
            for jokers in range(min(2, n) + 1)
        )

        assert f"{float(1 - odds['no Joker'].fraction) * 100:.3f}" == row["a_joker"]
        assert f"{float(odds['both Jokers'].fraction) * 100:.3f}" == row["both_jokers"]
        assert f"{float(alike) * 100:.3f}" == row["shared_rank"]
        assert draw_chance(2, 2, n).fraction == odds["both Jokers"].fraction

    @pytest.mark.parametrize(("count", "gone"), [(1, ()), (2, ()), (2, ("A♠", "Joker1")), (1, ("2♠",))])
    def test_an_enumeration_of_all_draws_matches_the_odds(self, count: int, gone: tuple[str, ...]) -> None:
        inputs = DrawInputs(names=("x",) * count, gone=gone)
        left = 54 - len(gone)
        counted = dict.fromkeys(("no Joker", "a Joker", "both Jokers"), 0)
        scripts: list[list[str]] = [[]]
        for sides in range(left, left - count, -1):
            scripts = [[*script, f"d{sides}:{face}"] for script in scripts for face in range(1, sides + 1)]

        for script in scripts:
            counted[str(draw_order_cards(inputs, ScriptedDice(" ".join(script))).outcome)] += 1

        assert {name: Fraction(ways, perm(left, count)) for name, ways in counted.items() if ways} == {
            name: chance.fraction for name, chance in draw_odds(inputs).chances if chance.ways
        }

    @pytest.mark.parametrize("count", [2, 5, 10])
    def test_the_odds_match_icepool(self, count: int) -> None:
        jokers = icepool.Deck({1: 2, 0: 52}).deal(count).sum()

        for number, (_, chance) in enumerate(draw_odds(DrawInputs(names=("x",) * count)).chances):
            assert jokers.probability(number) == chance.fraction
