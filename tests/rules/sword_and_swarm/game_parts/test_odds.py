"""The chances: the tests enumerated over all faces, the odds, and an independent library agree."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import icepool
import pytest

from bot.rules.kernel import Odds, Roll
from bot.rules.kernel.dice import Dice, Fall, ReplayedDice, WrongDie
from bot.rules.kernel.odds import Chance
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.session import SwarmOddsQuestion, answer_odds
from bot.rules.sword_and_swarm.tests import attribute_odds, attribute_test, proficiency_odds, proficiency_test
from tests.rules.sword_and_swarm.play import attribute_inputs, proficiency_inputs

EDGES = ("none", "advantage", "disadvantage")
MODIFIERS = (-4, -1, 0, 2)


def rolls(roll: Callable[[Dice], Roll], faces: tuple[int, ...] = ()) -> Iterator[tuple[Roll, int]]:
    """Every way a test can fall, with how many dice were rolled: each die in turn takes every face."""
    dice = ReplayedDice(Fall(6, face) for face in faces)
    try:
        yield roll(dice), len(faces)
    except WrongDie:
        for face in range(1, 7):
            yield from rolls(roll, (*faces, face))


def enumerated(roll: Callable[[Dice], Roll]) -> dict[str, Fraction]:
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fallen, dice in rolls(roll):
        chances[str(fallen.outcome)] += Fraction(1, 6**dice)
    return dict(chances)


def told(odds: Odds) -> dict[str, Fraction]:
    assert sum(chance.fraction for _name, chance in odds.chances) == 1
    return {name: chance.fraction for name, chance in odds.chances if chance.ways}


class TestAttributeTests:
    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("impossible", [False, True])
    @pytest.mark.parametrize("kind", ["own", "opponent", "obstacle"])
    def test_the_attribute_odds_match_the_test_over_all_faces(
        self, kind: str, impossible: bool, edge: str
    ) -> None:
        for value, modifier in product(range(11), MODIFIERS):
            row = {"kind": kind, "value": value, "modifier": modifier, "edge": edge}
            inputs = attribute_inputs({**row, "confirm_when_impossible": impossible})

            assert enumerated(partial(attribute_test, inputs)) == told(attribute_odds(inputs))

    @pytest.mark.parametrize("modifier", range(-4, 5))
    @pytest.mark.parametrize("value", range(11))
    def test_the_attribute_odds_match_another_library(self, value: int, modifier: int) -> None:
        d6 = icepool.d6

        def own(face: int) -> icepool.Die[bool]:
            effective = min(10, max(0, value + modifier))
            if face == 6 and effective > 5:
                return d6 <= effective - 5
            return icepool.Die([face <= effective])

        def opponent(face: int) -> icepool.Die[bool]:
            if face == 6 and value > 5 and 6 + modifier <= value:
                return d6 + modifier > value - 5
            return icepool.Die([face + modifier > value])

        for kind, judge in (("own", own), ("opponent", opponent)):
            once = d6.map(judge)
            again = {"none": once, "advantage": once | once, "disadvantage": once & once}
            for edge in EDGES:
                row = {"kind": kind, "value": value, "modifier": modifier, "edge": edge}

                odds = dict(attribute_odds(attribute_inputs(row)).chances)

                assert odds["success"].fraction == again[edge].mean()


class TestProficiencyTests:
    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("difficulty", [1, 7, 12, 20])
    def test_the_proficiency_odds_match_the_test_over_all_faces(self, difficulty: int, edge: str) -> None:
        for value, ranks, modifier in ((-1, 0, -4), (4, 0, 0), (8, 3, 2)):
            row = {"value": value, "ranks": ranks, "modifier": modifier, "difficulty": difficulty}
            inputs = proficiency_inputs({**row, "edge": edge})

            assert enumerated(partial(proficiency_test, inputs)) == told(proficiency_odds(inputs))

    @pytest.mark.parametrize("edge", EDGES)
    @pytest.mark.parametrize("difficulty", range(2, 19))
    def test_the_proficiency_odds_match_another_library(self, difficulty: int, edge: str) -> None:
        def judge(first: int, second: int) -> str:
            if first == second == 1:
                return "disastrous failure"
            if first + second + 3 >= difficulty:
                return "success"
            return "serious failure" if 1 in (first, second) else "failure"

        def rerolled(first: str, second: str) -> str:
            return second if (first == "success") == (edge == "disadvantage") else first

        once = icepool.map(judge, icepool.d6, icepool.d6)
        results = once if edge == "none" else icepool.map(rerolled, once, once)
        row = {"value": 5, "ranks": 2, "difficulty": difficulty, "edge": edge}

        odds = proficiency_odds(proficiency_inputs(row))

        assert told(odds) == {name: results.probability(name) for name in results}


@pytest.mark.rule("SWARM-TEST-06", "SWARM-CONF-06", "SWARM-PROF-06")
class TestOddsPage:
    @pytest.mark.parametrize(
        ("asked", "success"),
        [
            ({}, Chance(18, 36)),
            ({"attribute": 7, "bonus": -1}, Chance(31, 36)),
            ({"test": "opponent", "attribute": 6, "bonus": 2}, Chance(12, 36)),
            ({"test": "obstacle", "attribute": 4}, Chance(12, 36)),
            ({"test": "opponent", "attribute": 5, "edge": "advantage"}, Chance(396, 1296)),
            ({"test": "proficiency", "attribute": 4}, Chance(15, 36)),
            (
                {"test": "proficiency", "attribute": 5, "ranks": 2, "difficulty": 10, "bonus": 1},
                Chance(26, 36),
            ),
        ],
    )
    def test_the_odds_page_gives_the_chance_of_any_test(self, asked: dict[str, Any], success: Chance) -> None:
        odds = answer_odds(SwarmOddsQuestion.model_validate(asked))

        assert odds.chances[-1] == ("success", success)

    def test_the_odds_page_belongs_to_the_ruleset(self) -> None:
        assert RULESET.odds.answer(SwarmOddsQuestion(test="proficiency")).chances[0] == (
            "disastrous failure",
            Chance(1, 36),
        )
