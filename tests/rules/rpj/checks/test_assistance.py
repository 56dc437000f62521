"""Helping with a check, and what is left of a failed one."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.checks.attempts import Assistance, assist_difficulty, assisted_difficulty, retry
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.resolution.check import RpjResult
from tests.rules.rpj.people import FANTASY, figure, known, skill, with_skill
from tests.rules.rpj.throws import inputs, read, thrown

EASY, HARD = Assistance.EASY, Assistance.HARD


@pytest.mark.rule("RPJ-SKILL-13")
class TestAssistance:
    @pytest.mark.parametrize(("main", "easy", "hard"), [(5, 2, 3), (6, 2, 3)])
    def test_a_helper_chooses_a_third_or_half_of_the_difficulty(
        self, main: int, easy: int, hard: int
    ) -> None:
        assert (assist_difficulty(EASY, main), assist_difficulty(HARD, main)) == (easy, hard)

    @pytest.mark.parametrize("assistance", Assistance)
    def test_a_failed_assist_leaves_the_difficulty_unchanged(self, assistance: Assistance) -> None:
        assert assisted_difficulty(assistance, 5, read(inputs(0, 9), 1, 1)) == 5

    def test_a_helper_rolls_the_same_skill_with_their_own_bonuses(self) -> None:
        helper = figure(
            "DEX 3", skills=[known("crafting", 1, "Wood")], class_skills=["crafting/Wood"], traits=["haggler"]
        )
        asked = skill_check(helper, skill("crafting"), Situation(difficulty=assist_difficulty(EASY, 5)))

        assert (asked.target, asked.modifier) == (9, 3)

    def test_a_character_who_cannot_use_a_skill_cannot_assist_with_it(self) -> None:
        strict = with_skill(FANTASY, "alchemy", usable_at_zero=False)

        with pytest.raises(UserError, match="You can't use Alchemy untrained"):
            skill_check(figure("INT 3", strict), skill("alchemy", strict))


@pytest.mark.rule("RPJ-SKILL-14")
class TestEasyAssistance:
    @pytest.mark.parametrize(("main", "difficulty"), [(5, 2), (1, 1), (0, 0), (7, 3), (-1, 0)])
    def test_an_easy_assist_has_a_third_of_the_difficulty_rounded_up(
        self, main: int, difficulty: int
    ) -> None:
        assert assist_difficulty(EASY, main) == difficulty

    def test_a_successful_easy_assist_lowers_the_difficulty_by_1(self) -> None:
        assert assisted_difficulty(EASY, 5, read(inputs(4, 9), 6, 5)) == 4

    def test_a_total_of_11_succeeds_only_with_the_easy_assist(self) -> None:
        assert read(inputs(4, 11), 3, 4).result is RpjResult.EXACT
        assert read(inputs(4, 12), 3, 4).result is RpjResult.FAILURE


@pytest.mark.rule("RPJ-SKILL-15")
class TestHardAssistance:
    @pytest.mark.parametrize(("main", "difficulty"), [(6, 3), (5, 3)])
    def test_a_hard_assist_has_half_of_the_difficulty_rounded_up(self, main: int, difficulty: int) -> None:
        assert assist_difficulty(HARD, main) == difficulty

    @pytest.mark.parametrize(
        ("main", "level", "faces", "left"),
        [
            (6, 7, (3, 4), 2),
            (6, 3, (3, 4), 6),
            (6, 1, (6, 6), 2),
            (2, 7, (3, 4), -2),
        ],
    )
    def test_a_successful_hard_assist_lowers_the_difficulty_by_its_degrees(
        self, main: int, level: int, faces: tuple[int, int], left: int
    ) -> None:
        helped = read(inputs(level, 10), *faces)

        assert assisted_difficulty(HARD, main, helped) == left


@pytest.mark.rule("RPJ-SKILL-12")
class TestRetryingAFailure:
    @pytest.mark.parametrize(("harder", "target"), [(1, 10), (0, 9), (2, 11)])
    def test_a_retry_can_be_harder_and_starts_with_two_new_dice(self, harder: int, target: int) -> None:
        failed = inputs(0, 9, fallen=(1, 2, 3), has_extra_die=True, kept=(0, 2))

        again = retry(failed, harder)

        assert again.target == target
        assert len(thrown(again, 3, 4).dice) == 2

    def test_a_retry_is_one_harder_by_default(self) -> None:
        assert retry(inputs(0, 9)).difficulty == 3
