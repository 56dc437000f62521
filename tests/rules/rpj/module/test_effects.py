"""What traits and gear do, and when it holds."""

from typing import Any

import pytest

from bot.rules.rpj.module.effects import (
    Effect,
    EffectCondition,
    RollBonus,
    RollTarget,
    RpjCircumstances,
    roll_bonus,
    toggles,
)
from bot.rules.rpj.module.module_files import MODULES


def effects_of(*traits: str) -> tuple[Effect, ...]:
    found = (MODULES["fantasy"].trait(trait) for trait in traits)
    return tuple(effect for trait in found if trait is not None for effect in trait.effects)


class TestConditionsOfEffects:
    @pytest.mark.parametrize(
        ("condition", "now", "holds"),
        [
            ({}, {}, True),
            ({"in_combat": True}, {}, False),
            ({"in_combat": True}, {"in_combat": True}, True),
            ({"in_combat": False}, {"in_combat": True}, False),
            ({"is_surprised": False, "is_first_round": True}, {"is_first_round": True}, True),
            ({"target_is_grappled": True}, {"target_is_grappled": True}, True),
            ({"skill_tag": "social"}, {"skill_tags": ("body",)}, False),
            ({"skill_tag": "social"}, {"skill_tags": ("social",)}, True),
            ({"toggle": "at sea"}, {"toggles": ("on land",)}, False),
            ({"toggle": "at sea"}, {"toggles": ("at sea",)}, True),
        ],
    )
    def test_an_effect_applies_only_when_all_its_conditions_are_met(
        self, condition: dict[str, Any], now: dict[str, Any], holds: bool
    ) -> None:
        condition_ = EffectCondition.model_validate(condition)

        assert condition_.holds(RpjCircumstances.model_validate(now)) is holds


class TestBonusesOfEffects:
    def test_bonuses_for_the_kind_of_roll_count(self) -> None:
        alert = effects_of("alert", "slow_to_react")

        assert [bonus.value for bonus in roll_bonus(alert, RollTarget.INITIATIVE, RpjCircumstances())] == [
            1,
            -1,
        ]
        assert roll_bonus(alert, RollTarget.SKILL, RpjCircumstances()) == ()

    def test_bonuses_for_another_skill_do_not_count(self) -> None:
        bonus = RollBonus(type="roll_bonus", on=RollTarget.SKILL, of="trade", value=2)

        assert roll_bonus((bonus,), RollTarget.SKILL, RpjCircumstances(), of="trade") == (bonus,)
        assert roll_bonus((bonus,), RollTarget.SKILL, RpjCircumstances(), of="games") == ()

    def test_the_player_is_asked_only_about_situations_that_matter_for_the_roll(self) -> None:
        social = effects_of("haggler", "marksman", "alert")

        assert toggles(social, RollTarget.SKILL, of="diplomacy") == ("negotiating prices",)
        assert toggles(social, RollTarget.SKILL, of="trade") == ()
        assert toggles(social, RollTarget.RANGED_ATTACK) == ("the target is in cover",)
        assert toggles(social, RollTarget.INITIATIVE) == ()
