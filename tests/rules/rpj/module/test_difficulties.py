"""The difficulty ladder, and which target number suits whom."""

from fractions import Fraction

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.checks.odds import ODDS, RpjOddsQuestion
from bot.rules.rpj.module.basics import (
    LADDER,
    SuitingTarget,
    average_difficulty,
    difficulty_label,
    difficulty_named,
    suiting_targets,
)


@pytest.mark.rule("RPJ-SKILL-24")
class TestDifficultyLadder:
    @pytest.mark.parametrize(
        ("difficulty", "label"),
        [
            (-3, "Trivial"),
            (-1, "Trivial"),
            (0, "Easy"),
            (1, "Easy"),
            (3, "Moderate"),
            (5, "Challenging"),
            (6, "Grueling"),
            (8, "Legendary"),
            (12, "Implausible"),
            (30, "Implausible"),
        ],
    )
    def test_each_difficulty_has_a_name(self, difficulty: int, label: str) -> None:
        assert difficulty_label(difficulty) == label

    def test_each_name_of_a_difficulty_covers_its_target_numbers(self) -> None:
        assert [(rung.name, rung.targets) for rung in LADDER] == [
            ("Trivial", "6-7+"),
            ("Easy", "7-8+"),
            ("Moderate", "9-10+"),
            ("Challenging", "11-12+"),
            ("Grueling", "13-14+"),
            ("Legendary", "15-18+"),
            ("Implausible", "19+"),
        ]

    @pytest.mark.parametrize(
        ("typed", "difficulty"),
        [
            ("Trivial", -1),
            ("easy", 0),
            (" moderate ", 2),
            ("Challenging", 4),
            ("Grueling", 6),
            ("Legendary", 8),
            ("Implausible", 12),
            ("3", 3),
            ("+3", 3),
            ("-1", -1),
            ("10+", 3),
            ("15+", 8),
        ],
    )
    def test_a_typed_difficulty_name_means_its_lowest_difficulty(self, typed: str, difficulty: int) -> None:
        assert difficulty_named(typed) == difficulty

    def test_an_unknown_difficulty_name_is_refused(self) -> None:
        with pytest.raises(UserError) as refused:
            difficulty_named("nasty")

        assert refused.value.sentences == (
            "I can't read the difficulty “nasty”.",
            "Type a number, a target such as 10+, or Trivial, Easy, Moderate, Challenging, Grueling, "
            "Legendary, Implausible.",
        )


def enough(level: int, target: int) -> Fraction | None:
    """How likely a check succeeds, as the page of /odds says."""
    return ODDS.answer(RpjOddsQuestion(level=level, target=target)).enough


@pytest.mark.rule("RPJ-SKILL-25")
class TestSuitingTargets:
    @pytest.mark.parametrize(
        ("level", "targets"),
        [
            (0, [3, 6, 7, 9, 11]),
            (1, [4, 7, 8, 10, 12]),
            (4, [7, 10, 11, 13, 15]),
            (8, [11, 14, 15, 17, 19]),
        ],
    )
    def test_each_skill_level_has_a_target_number_for_each_chance(
        self, level: int, targets: list[int]
    ) -> None:
        assert [suiting.target for suiting in suiting_targets(level)] == targets
        assert [suiting.percent for suiting in suiting_targets(level)] == [95, 75, 50, 25, 5]

    def test_the_chances_of_suiting_targets_are_exact(self) -> None:
        chances = [enough(0, suiting.target) for suiting in suiting_targets(0)]

        assert chances == [Fraction(ways, 36) for ways in (35, 26, 21, 10, 3)]


@pytest.mark.rule("RPJ-SKILL-26")
class TestAverageTasks:
    @pytest.mark.parametrize(("level", "difficulty"), [(4, 3), (0, -1)])
    def test_the_difficulty_of_an_average_task_is_one_below_the_level(
        self, level: int, difficulty: int
    ) -> None:
        assert average_difficulty(level) == difficulty
        assert SuitingTarget(75, 7 + difficulty) in suiting_targets(level)

    def test_an_average_task_succeeds_26_times_in_36(self) -> None:
        assert enough(4, 10) == Fraction(26, 36)

    def test_a_difficulty_equal_to_the_level_succeeds_21_times_in_36(self) -> None:
        assert enough(4, 11) == Fraction(21, 36)
