"""How pools are told, and their exact chances."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.swim_class.hit_odds import scoring_ways
from bot.rules.swim_class.pools import DiceGroup, SwimPoolInputs, judge, pool_odds, progress_words, roll_pool
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import script, solo, words


def pool(count: int, difficulty: int = 1, modifier: int = 0, **more: Any) -> SwimPoolInputs:
    return SwimPoolInputs(
        skill="Climb",
        groups=(DiceGroup(name="Climb", count=count, modifier=modifier),),
        difficulty=difficulty,
        **more,
    )


@pytest.mark.rule("SWIM-TASK-10")
class TestDiceDisplay:
    def test_artifact_dice_are_marked_apart_from_skill_dice(self) -> None:
        table = solo({"wind": 2}, items=["Stave of Hermes"])
        roll = table.do("Ash", "roll", "5 4 6", skill="air", difficulty=4).rolls[0]

        assert [(die.shown, die.label) for die in roll.dice] == [
            ("⚄", "Wind"),
            ("⚃", "Wind"),
            ("✦⚅", "Stave of Hermes"),
        ]

    def test_dice_of_an_added_skill_are_marked(self) -> None:
        roll = (
            solo({"jump": 2, "walk": 2}).do("Ash", "roll", "5 4 6", skill="jump", add="walk", push=2).rolls[0]
        )

        assert [die.shown for die in roll.dice] == ["⚄", "⚃", "＋⚅"]


@pytest.mark.rule("SWIM-TASK-11")
class TestSecretRoll:
    def test_a_roll_the_gm_makes_for_a_player_still_advances_the_skill(self) -> None:
        table = solo({"spot": 2})
        done = table.do("GM Ash", "roll", "6 3", skill="spot", difficulty=6)

        assert words(done) == "1 progress"
        table.do("GM Ash", "roll", "6 6", skill="spot", difficulty=6)
        assert table.rank("Ash", "spot") == 3


@pytest.mark.rule("SWIM-TASK-12")
class TestCombinedOptions:
    def test_half_a_pool_of_5_pushed_twice_makes_4_progress(self) -> None:
        done = solo({"walk": 5}).do("Ash", "roll", "5 2", skill="walk", half=True, push=2)

        assert words(done) == "4 progress"
        assert done.headline == "rolls Walk / Run 5 (half action, pushed ×2)"
        assert done.rolls[0].against == "2+ a die"

    def test_a_strained_half_action_rolls_half_of_the_doubled_dice(self) -> None:
        table = solo({"walk": 4})
        done = table.do("Ash", "roll", "5 2 1 1", skill="walk", half=True, strain=True, push=2)

        assert len(done.rolls[0].dice) == 4
        assert table.rank("Ash", "walk") == 3

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"strain": True, "windup": 2}, "You can't combine or wind up a strained skill."),
            ({"push": 2, "focus": 1}, "You can push or focus a roll, not both."),
        ],
    )
    def test_options_that_exclude_each_other_are_refused(self, options: dict[str, Any], what: str) -> None:
        assert solo({"walk": 4}).refused("Ash", "roll", skill="walk", difficulty=3, **options) == what


@pytest.mark.rule("SWIM-TASK-13")
class TestOdds:
    @pytest.mark.parametrize(
        ("count", "difficulty", "modifier", "needed", "chance"),
        [
            (3, 4, 0, 1, "7/8"),
            (3, 4, 0, 2, "1/2"),
            (2, 6, 0, 1, "11/36"),
            (2, 6, 1, 1, "5/9"),
        ],
    )
    def test_the_chance_of_scoring_with_enough_dice_is_exact(
        self, count: int, difficulty: int, modifier: int, needed: int, chance: str
    ) -> None:
        odds = pool_odds(pool(count, difficulty, modifier, needed=needed, at_once=True))

        assert odds.enough == Fraction(chance)

    def test_the_chance_of_a_pushed_jump_is_exact(self) -> None:
        odds = pool_odds(pool(3, 2, needed=5, at_once=True, quarters=8))

        assert odds.enough == Fraction(125, 216)

    @pytest.mark.parametrize("difficulty", [2, 4, 6])
    @pytest.mark.parametrize("quarters", [1, 2, 4, 8])
    @pytest.mark.parametrize("more", [{}, {"needed": 2, "at_once": True}, {"needed": 3, "done": 5}])
    def test_counting_every_face_gives_the_odds_of_a_pool(
        self, difficulty: int, quarters: int, more: dict[str, Any]
    ) -> None:
        inputs = SwimPoolInputs(
            skill="x",
            groups=(DiceGroup(name="x", count=2), DiceGroup(name="y", count=1, modifier=1)),
            difficulty=difficulty,
            quarters=quarters,
            **more,
        )
        found: dict[str, int] = {}
        for fell in product(range(1, 7), repeat=3):
            roll = roll_pool(inputs, ScriptedDice(script(" ".join(map(str, fell)))))
            assert roll.outcome is not None
            found[roll.outcome] = found.get(roll.outcome, 0) + 1

        assert {name: chance.ways for name, chance in pool_odds(inputs).chances if chance.ways} == found

    @pytest.mark.parametrize("modifier", [-2, 0, 3])
    def test_the_odds_of_a_pool_agree_with_icepool(self, modifier: int) -> None:
        die = (icepool.d6 + modifier) >= 5
        counts = icepool.Die({0: die.quantity(False), 1: die.quantity(True)})

        expected = [int((7 @ counts).quantity(n)) for n in range(8)]

        total = sum(expected)
        assert [Fraction(ways, 6**7) for ways in scoring_ways([(7, modifier)], 5)] == [
            Fraction(ways, total) for ways in expected
        ]

    @given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(1, 8), st.integers(-3, 4))
    def test_progress_lies_between_0_and_the_number_of_dice(
        self, fell: list[int], difficulty: int, modifier: int
    ) -> None:
        judged = judge(pool(len(fell), difficulty, modifier), fell)

        assert 0 <= judged.progress <= len(fell)
        assert judged.criticals <= max(0, fell.count(1) - 1)
        assert not (judged.has_succeeded and judged.criticals)


def test_quarters_of_progress_are_shown_as_fractions() -> None:
    assert [progress_words(quarters) for quarters in (0, 1, 2, 7)] == [
        "0 progress",
        "¼ progress",
        "½ progress",
        "1¾ progress",
    ]
