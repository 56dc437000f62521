"""What traits and gear do, and when it holds."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.abilities import (
    Ability,
    Area,
    Concentration,
    Magnitude,
    Reach,
    Recipe,
    Strain,
    Wild,
    ability_check,
    after_practice,
    asks_the_gm,
    begin_practice,
    magnitudes_for,
    most_stamina,
    regained,
    strain_of,
    strain_roll,
)
from bot.rules.rpj.module.basics import RpjAttribute
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
from bot.rules.rpj.module.spells import spell_defense_roll, spell_save, touch_check
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import CriticalRules, RpjCheckInputs
from tests.rules.rpj.throws import read


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


MONTH = 30 * 24 * 3600


def recipe(magnitude: str, **more: Any) -> Recipe:
    """What an ability is made of."""
    return Recipe(magnitude=Magnitude(magnitude), **more)


def check(power: int, cost: int, base: int = 4) -> RpjCheckInputs:
    """The check of an ability."""
    return ability_check((NamedTerm(label="Fire", value=power),), cost, RULES, base)


def fireball(**more: Any) -> Ability:
    """An ability of cost 4."""
    return Ability(name="Fireball", skill="fire", recipe=recipe("strong"), **more)


@pytest.mark.rule("RPJ-WMAG-01")
def test_an_ability_skill_cannot_be_used_untrained() -> None:
    with pytest.raises(UserError, match="You haven't learned that ability skill"):
        check(2, 0, base=0)


@pytest.mark.rule("RPJ-WMAG-02", "RPJ-WMAG-04")
class TestAbilityCheck:
    def test_an_ability_check_adds_power_against_7_plus_the_cost(self) -> None:
        asked = check(8, 7)
        assert asked.target == 14
        assert read(asked, 3, 3).result.is_success
        assert not read(asked, 3, 2).result.is_success

    def test_an_ability_without_cost_is_rolled_against_7(self) -> None:
        assert check(8, 0).target == 7

    def test_double_ones_fail_an_ability_check(self) -> None:
        assert read(check(30, 0), 1, 1).result is RpjResult.CRITICAL_FAILURE


@pytest.mark.rule("RPJ-WMAG-03")
class TestCostOfAnAbility:
    def test_magnitude_and_parameters_add_up_to_an_abilitys_cost(self) -> None:
        strong = recipe("strong", reach=Reach.SIX_REGIONS, area=Area.GROUP)
        assert (strong.cost, check(0, strong.cost).target) == (7, 14)
        slow = strong.model_copy(update={"concentration": Concentration.TEN_MINUTES})
        assert (slow.cost, check(0, slow.cost).target) == (5, 12)
        assert strong.parts == (("strong", 4), ("180 yards, 6 regions", 1), ("10 yards, one group", 2))

    def test_an_abilitys_cost_never_falls_below_0(self) -> None:
        assert recipe("trivial", reach=Reach.TOUCH).cost == 0


@pytest.mark.rule("RPJ-WMAG-10")
class TestMagnitude:
    def test_each_magnitude_has_its_cost(self) -> None:
        assert [magnitude.cost for magnitude in Magnitude] == [0, 1, 2, 4, 6, 8]
        assert check(0, recipe("strong").cost).target == 11

    def test_the_gm_sets_the_cost_of_an_overwhelming_ability_at_8_or_more(self) -> None:
        assert check(0, recipe("overwhelming", overwhelming=10).cost).target == 17
        with pytest.raises(ValidationError):
            recipe("overwhelming", overwhelming=7)


@pytest.mark.rule("RPJ-WMAG-11")
class TestWhatAMagnitudeCanDo:
    @pytest.mark.parametrize(
        ("damage", "cheapest"),
        [
            (None, "trivial"),
            (0, "weak"),
            (1, "moderate"),
            (2, "moderate"),
            (3, "strong"),
            (4, "very strong"),
            (5, "very strong"),
        ],
    )
    def test_an_abilitys_damage_needs_a_magnitude(self, damage: int | None, cheapest: str) -> None:
        assert magnitudes_for(damage)[0] == cheapest

    def test_an_ability_with_damage_2_may_be_moderate_or_strong(self) -> None:
        assert magnitudes_for(2) == ("moderate", "strong")

    def test_an_ability_with_too_much_damage_for_its_magnitude_is_refused(self) -> None:
        with pytest.raises(ValidationError, match="Damage 3 needs one of these magnitudes: strong"):
            recipe("moderate", damage=3)

    def test_an_ability_with_damage_5_or_more_needs_the_gms_approval(self) -> None:
        assert magnitudes_for(5) == ("very strong", "overwhelming")
        assert not asks_the_gm(recipe("very strong", damage=4))
        assert asks_the_gm(recipe("very strong", damage=5))
        assert asks_the_gm(recipe("overwhelming"))

    def test_each_magnitude_has_a_description(self) -> None:
        assert all(magnitude.does.endswith(".") for magnitude in Magnitude)


@pytest.mark.rule("RPJ-WMAG-12")
def test_a_weak_effect_may_have_a_greater_magnitude_at_its_higher_cost() -> None:
    assert recipe("very strong").cost == 6
    assert recipe("weak").cost == 1
    assert magnitudes_for(None) == tuple(Magnitude)


@pytest.mark.rule("RPJ-WMAG-13")
def test_the_default_parameters_of_an_ability_cost_nothing() -> None:
    plain = Recipe()
    assert (plain.concentration, plain.reach, plain.area) == ("one action", "10 yards", "one target")
    assert plain.parts == ()


@pytest.mark.rule("RPJ-WMAG-14")
class TestConcentration:
    @pytest.mark.parametrize(
        ("magnitude", "time", "expected"),
        [
            ("very strong", Concentration.TEN_MINUTES, 4),
            ("very strong", Concentration.MINUTE, 5),
            ("moderate", Concentration.INSTANT, 5),
        ],
    )
    def test_long_concentration_lowers_an_abilitys_cost_and_instant_use_raises_it(
        self, magnitude: str, time: Concentration, expected: int
    ) -> None:
        assert recipe(magnitude, concentration=time).cost == expected

    def test_a_minute_of_concentration_is_one_round_and_ten_minutes_are_ten(self) -> None:
        assert [time.rounds for time in Concentration] == [0, 0, 1, 10]


@pytest.mark.rule("RPJ-WMAG-15")
def test_an_abilitys_range_changes_its_cost() -> None:
    assert recipe("moderate", reach=Reach.SIGHT).cost == 4
    assert recipe("weak", reach=Reach.TOUCH).cost == 0
    assert recipe("weak", reach=Reach.SIX_REGIONS).cost == 2


@pytest.mark.rule("RPJ-WMAG-16")
class TestAreaOfAnAbility:
    def test_a_group_area_costs_2_and_each_region_3(self) -> None:
        costs = [recipe("trivial", area=Area.GROUP).cost]
        costs += [recipe("trivial", area=Area.REGIONS, regions=count).cost for count in (1, 2, 3)]
        assert costs == [2, 3, 6, 9]

    def test_a_group_area_cannot_have_more_than_one_region(self) -> None:
        with pytest.raises(ValidationError, match="Only an area of regions can have more than one region"):
            recipe("trivial", area=Area.GROUP, regions=2)


@pytest.mark.rule("RPJ-WMAG-17")
def test_choosing_targets_costs_extra_and_needs_an_area() -> None:
    assert recipe("trivial", area=Area.REGIONS, is_selective=True).cost == 5
    with pytest.raises(ValidationError, match="You can only choose targets in an area"):
        recipe("trivial", is_selective=True)


@pytest.mark.rule("RPJ-WMAG-19")
def test_the_gm_may_set_an_abilitys_cost() -> None:
    odd = recipe("strong", reach=Reach.SIGHT, override=5)
    assert (odd.cost, check(0, odd.cost).target) == (5, 12)


@pytest.mark.rule("RPJ-WMAG-20")
def test_a_saved_ability_costs_what_its_recipe_says() -> None:
    saved = Ability(
        name="Wall", skill="fire", recipe=recipe("strong", reach=Reach.SIX_REGIONS, area=Area.GROUP)
    )
    kept = Wild().with_ability(saved)
    found = kept.ability("WALL")
    assert found is not None
    assert found.cost == 7
    assert kept.with_ability(fireball()).with_ability(saved).abilities == (fireball(), saved)


@pytest.mark.rule("RPJ-WMAG-06")
@pytest.mark.parametrize(
    ("skills", "constitution", "expected"),
    [([(5, 2)], 1, 13), ([(1, 0)], 0, 2), ([(4, 2), (4, 1)], 1, 11), ([], 3, 0)],
)
def test_maximum_stamina_is_twice_the_best_ability_skill_plus_two_bonuses(
    skills: list[tuple[int, int]], constitution: int, expected: int
) -> None:
    assert most_stamina(skills, constitution) == expected


@pytest.mark.rule("RPJ-WMAG-07")
def test_every_attempt_costs_stamina_even_below_0() -> None:
    course = [Wild()]
    for cost in (7, 7, 0):
        course.append(course[-1].paid(cost))
    assert [13 - wild.spent for wild in course] == [13, 6, -1, -1]


@pytest.mark.rule("RPJ-WMAG-08")
class TestStrain:
    @pytest.mark.parametrize(("stamina", "needed"), [(0, 6), (-1, 7), (-5, 11), (-2, 8), (-3, 9)])
    def test_a_strain_roll_is_made_against_6_plus_the_missing_stamina(
        self, stamina: int, needed: int
    ) -> None:
        asked = strain_roll(0, stamina, RULES)
        assert asked is not None
        assert asked.target == needed

    def test_no_strain_is_rolled_while_stamina_is_left(self) -> None:
        assert strain_roll(0, 1, RULES) is None

    @pytest.mark.parametrize(
        ("stamina", "faces", "expected"),
        [
            (-3, (4, 1), Strain.HELD),
            (-3, (3, 1), Strain.KNOCKED_OUT),
            (0, (1, 1), Strain.DYING),
        ],
    )
    def test_a_failed_strain_roll_knocks_out_and_double_ones_kill(
        self, stamina: int, faces: tuple[int, int], expected: Strain
    ) -> None:
        asked = strain_roll(4, stamina, RULES)
        assert asked is not None
        assert strain_of(read(asked, *faces).result) is expected


@pytest.mark.rule("RPJ-WMAG-09")
@pytest.mark.parametrize(("most", "course"), [(13, [-3, 3, 9, 13, 13]), (2, [0, 1, 2]), (1, [0, 1])])
def test_an_hour_of_rest_restores_half_of_the_maximum_stamina(most: int, course: list[int]) -> None:
    assert [regained(course[0], most, hours) for hours in range(len(course))] == course


@pytest.mark.rule("RPJ-WMAG-21")
class TestPractice:
    def test_a_month_of_practice_makes_an_ability_permanently_cheaper_by_1(self) -> None:
        wild = begin_practice(Wild().with_ability(fireball()), fireball(), 100, 30)
        assert after_practice(wild, 99 + MONTH) == wild
        done = after_practice(wild, 100 + MONTH)
        assert [one.cost for one in done.abilities] == [3]
        assert done.practice is None

    @pytest.mark.parametrize(
        ("ability", "words"),
        [
            (fireball(is_practiced=True), "You have already practiced Fireball"),
            (fireball(is_premade=True), "comes with the module"),
            (Ability(name="Glow", skill="fire", recipe=Recipe()), "costs nothing"),
        ],
    )
    def test_practice_is_refused_for_an_ability_already_practiced_premade_or_free(
        self, ability: Ability, words: str
    ) -> None:
        with pytest.raises(UserError, match=words):
            begin_practice(Wild(), ability, 0, 30)

    def test_starting_to_practice_another_ability_drops_the_first(self) -> None:
        glow = Ability(name="Glow", skill="fire", recipe=recipe("weak"))
        wild = begin_practice(Wild(abilities=(fireball(), glow)), fireball(), 0, 30)
        changed = begin_practice(wild, glow, 10, 30)
        assert changed.practice is not None
        assert changed.practice.ability == "Glow"
        assert [one.cost for one in after_practice(changed, 10 + MONTH).abilities] == [4, 0]


@pytest.mark.rule(
    "RPJ-WMAG-03", "RPJ-WMAG-10", "RPJ-WMAG-14", "RPJ-WMAG-15", "RPJ-WMAG-16", "RPJ-WMAG-17", "RPJ-WMAG-19"
)
@pytest.mark.parametrize(
    ("changes", "cost"),
    [
        ({}, 0),
        ({"magnitude": "weak"}, 1),
        ({"magnitude": "moderate"}, 2),
        ({"magnitude": "strong"}, 4),
        ({"magnitude": "very strong"}, 6),
        ({"magnitude": "strong", "concentration": "instant"}, 7),
        ({"magnitude": "strong", "concentration": "one minute"}, 3),
        ({"magnitude": "strong", "concentration": "ten minutes"}, 2),
        ({"magnitude": "weak", "concentration": "ten minutes"}, 0),
        ({"magnitude": "strong", "reach": "touch"}, 3),
        ({"magnitude": "strong", "reach": "180 yards, 6 regions"}, 5),
        ({"magnitude": "strong", "reach": "within sight"}, 6),
        ({"magnitude": "strong", "area": "10 yards, one group"}, 6),
        ({"magnitude": "strong", "area": "30 yards a region"}, 7),
        ({"magnitude": "strong", "area": "30 yards a region", "regions": 2}, 10),
        ({"magnitude": "strong", "area": "10 yards, one group", "is_selective": True}, 8),
        ({"magnitude": "overwhelming", "overwhelming": 12}, 12),
        ({"magnitude": "strong", "reach": "within sight", "override": 3}, 3),
        ({"reach": "touch"}, 0),
    ],
)
def test_every_parameter_adds_its_cost_and_none_goes_below_0(changes: dict[str, Any], cost: int) -> None:
    recipe = Recipe.model_validate(changes)

    assert recipe.cost == cost
    assert sum(part for _name, part in recipe.parts) in (cost, min(cost, -1))
    assert all(part for _name, part in recipe.parts)


@pytest.mark.rule("RPJ-WMAG-16", "RPJ-WMAG-17")
@pytest.mark.parametrize(
    "changes",
    [
        {"regions": 2},
        {"regions": 2, "area": "10 yards, one group"},
        {"is_selective": True},
    ],
)
def test_regions_and_chosen_targets_need_an_area(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Recipe.model_validate(changes)


@pytest.mark.rule("RPJ-WMAG-11", "RPJ-WMAG-20")
@pytest.mark.parametrize(
    ("damage", "magnitudes", "asks"),
    [
        (0, ["weak"], False),
        (1, ["moderate"], False),
        (2, ["moderate", "strong"], False),
        (3, ["strong"], False),
        (4, ["very strong", "overwhelming"], False),
    ],
)
def test_damage_needs_a_magnitude(damage: int, magnitudes: list[str], asks: bool) -> None:
    allowed = [str(one) for one in magnitudes_for(damage)]

    assert allowed[: len(magnitudes[:1])] == magnitudes[:1]
    for magnitude in Magnitude:
        changes = {"magnitude": magnitude, "damage": damage}
        if str(magnitude) in allowed:
            made = Recipe.model_validate(changes)
            assert asks_the_gm(made) is (asks or magnitude is Magnitude.OVERWHELMING)
        else:
            with pytest.raises(ValidationError, match=f"Damage {damage} needs"):
                Recipe.model_validate(changes)


@pytest.mark.rule("RPJ-WMAG-06")
@pytest.mark.parametrize(
    ("skills", "constitution", "most"),
    [
        ((), 2, 0),
        (((0, 3),), 2, 0),
        (((3, 1),), 1, 8),
        (((3, 1), (4, 0)), 1, 9),
        (((3, 1), (3, 2)), 0, 8),
        (((1, -1),), -2, 0),
    ],
)
def test_the_best_ability_skill_and_constitution_make_up_stamina(
    skills: tuple[tuple[int, int], ...], constitution: int, most: int
) -> None:
    assert most_stamina(skills, constitution) == most


@pytest.mark.rule("RPJ-WMAG-08")
@pytest.mark.parametrize(
    ("stamina", "willpower", "target"), [(1, 4, None), (0, 4, 6), (-1, 4, 7), (-3, 0, 9)]
)
def test_using_up_all_stamina_asks_for_a_roll_against_strain(
    stamina: int, willpower: int, target: int | None
) -> None:
    asked = strain_roll(willpower, stamina, CriticalRules())

    assert (asked and (asked.target, asked.modifier)) == (None if target is None else (target, willpower))


@pytest.mark.rule("RPJ-WMAG-01")
def test_an_ability_skill_needs_a_level() -> None:
    assert ability_check((), 3, CriticalRules(), 1).target == 10
    assert ability_check((), 0, CriticalRules(), 1).opposition == ()
    with pytest.raises(UserError, match="haven't learned"):
        ability_check((), 3, CriticalRules(), 0)
