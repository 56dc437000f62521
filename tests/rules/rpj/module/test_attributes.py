"""The seven attributes, their categories, and the bonus of a level."""

import pytest

from bot.rules.rpj.module.basics import Category, RpjAttribute, attribute_bonus, category_of


@pytest.mark.rule("RPJ-ATTR-02")
class TestAttributeBonus:
    @pytest.mark.parametrize(
        ("level", "bonus"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (7, 2), (9, 3), (-1, -1)]
    )
    def test_the_attribute_bonus_is_a_third_of_the_level_rounded_down(self, level: int, bonus: int) -> None:
        assert attribute_bonus(level) == bonus


class TestAttributeCategories:
    def test_six_attributes_form_three_pairs(self) -> None:
        assert {category: category.members for category in Category} == {
            "Brawny": ("STR", "CON"),
            "Shifty": ("DEX", "CHA"),
            "Brainy": ("WIL", "INT"),
        }

    def test_luck_belongs_to_no_category(self) -> None:
        assert category_of(RpjAttribute.CHA) is Category.SHIFTY
        assert category_of(RpjAttribute.LUCK) is None

    def test_each_attribute_has_a_name(self) -> None:
        assert [attribute.word for attribute in RpjAttribute] == [
            "Strength",
            "Constitution",
            "Dexterity",
            "Charisma",
            "Willpower",
            "Intelligence",
            "Luck",
        ]
