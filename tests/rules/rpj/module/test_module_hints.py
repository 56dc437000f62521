"""What is allowed in a module and yet unusual."""

import pytest

from bot.rules.rpj.module.module_files import MODULES, module_hints
from tests.rules.rpj.module.test_modules import small


@pytest.mark.rule("RPJ-CHAR-21")
class TestSizeOfTheSkillList:
    def test_a_module_with_few_skills_is_advised_to_give_fewer_starting_points(self) -> None:
        assert module_hints(MODULES["generic"]) == (
            "There are only 15 skills; below 25, give fewer starting points.",
        )
        assert MODULES["generic"].characters.start == 40

    def test_a_class_with_too_few_skills_brings_a_hint(self) -> None:
        assert module_hints(small())[0] == "Fencer lists 1 skill for 4 class skills."

    def test_the_skill_hint_leaves_out_skills_that_need_an_optional_rule(self) -> None:
        """F-RPJ-16."""
        assert module_hints(MODULES["fantasy"])[-1] == (
            "Only 24 of the 27 skills are open to everyone; below 25, give fewer starting points."
        )
