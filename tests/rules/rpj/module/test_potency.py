"""Rolls that magic asks for."""

import pytest

from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.spells import spell_defense_roll, spell_save, touch_check
from bot.rules.rpj.resolution.check_inputs import CriticalRules
from tests.rules.rpj.throws import read

RULES = CriticalRules()


@pytest.mark.rule("RPJ-SMAG-07")
class TestSavingThrows:
    def test_a_save_against_a_spell_is_7_plus_the_casters_base_level(self) -> None:
        asked = spell_save(RpjAttribute.CON, 4, 5, RULES)
        assert asked.target == 12
        assert read(asked, 5, 3).result.is_success
        assert not read(asked, 5, 2).result.is_success

    def test_innate_magic_uses_an_attribute_for_the_base_level_in_saves(self) -> None:
        assert spell_save(RpjAttribute.CON, 0, 4, RULES).target == 11


@pytest.mark.rule("RPJ-SMAG-18")
class TestSpellDefense:
    def test_a_spell_defense_roll_is_7_plus_the_casters_attribute(self) -> None:
        asked = spell_defense_roll(4, 5, RULES)
        assert asked.target == 12
        assert not read(asked, 3, 3).result.is_success
        assert read(asked, 5, 3).result.is_success


@pytest.mark.rule("RPJ-WMAG-05")
def test_an_ability_defense_roll_uses_the_abilitys_attribute() -> None:
    asked = spell_defense_roll(4, 6, RULES)
    assert asked.target == 13
    assert read(asked, 5, 4).result.is_success


@pytest.mark.rule("RPJ-WMAG-18")
class TestTouchAttacks:
    @pytest.mark.parametrize(("own", "target", "needed"), [(4, 2, 11), (6, 6, 15)])
    def test_touching_a_target_is_9_plus_the_targets_dexterity(
        self, own: int, target: int, needed: int
    ) -> None:
        assert touch_check(own, target, RULES).target == needed

    def test_touching_a_target_is_a_dexterity_check(self) -> None:
        asked = touch_check(4, 2, RULES)
        assert read(asked, 4, 3).result.is_success
        assert not read(asked, 3, 3).result.is_success
