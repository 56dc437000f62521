"""Defences, attack rolls, hits, critical hits."""

from typing import Any

import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import Strike, layers_of
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.combat.combatant import drawn
from bot.rules.rpj.combat.rules.attacks import (
    Hit,
    RpjAim,
    Way,
    assert_target,
    attack,
    attack_check,
    best_defense,
    chosen_defense,
    critical_loss,
    defenses,
    defenses_of,
    mook_felled,
    strike_of,
    targeted,
)
from bot.rules.rpj.combat.rules.combatants import Arm, Battle, arm_of, chosen_arm, unarmed
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES
from bot.rules.rpj.resolution.check import CHECK, reading_of
from tests.rules.rpj.combat.battles import (
    battle,
    mook,
    person,
    with_weapon,
    without_role,
)
from tests.rules.rpj.combat.battles import with_armor as armored
from tests.rules.rpj.people import FANTASY, figure, known, module_with, take_hit, with_trait
from tests.rules.rpj.throws import d6

LONGBOW = with_weapon(
    "longbow",
    skill="archery",
    attribute="DEX",
    damage=1,
    hands=2,
    least_range=0,
    greatest_range=4,
    range_modifiers={3: -1, 4: -2},
)
ELVISH = with_weapon("sword", LONGBOW, skill="small_blades", attribute="DEX", attack_modifier=1)
LAENIEL: dict[str, Any] = {
    "skills": [known("archery", 5), known("small_blades", 3)],
    "belongings": ("longbow", "sword"),
    "module": ELVISH,
}
HEAVY = armored("heavy_armor", skill="", dodge=-2, saves=[4, 5, 6, 7])
SPIKY = armored("spiky", saves=[4], skill="heavy_armor_use", must_absorb=True)


def laeniel(weapon: str, distance: int, **more: Any) -> tuple[Battle, RpjAim]:
    """Laeniel with a weapon, and an orc so far away."""
    orc = person("orc", foe=True, region=1 + max(distance, 0), group=1 if distance < 0 else 2)
    holding = {"wielded": (weapon,)}
    fight = battle(
        person("laeniel", "DEX 6", fighter=holding, **{**LAENIEL, **more}),
        orc,
        turn_of="laeniel",
        module=ELVISH,
    )
    return fight, RpjAim(attacker="laeniel", target="orc", arm=chosen_arm(fight["laeniel"], weapon))


def modifier(fight: Battle, aim: RpjAim) -> int:
    return attack_check(fight, aim, best_defense(fight["orc"])).modifier


def values(who: Stats) -> dict[str, int]:
    return {defense.way.value: defense.value for defense in defenses(who)}


def against(dv: int, modifier: int, *faces: int) -> Hit:
    """An attack with a modifier on a mook with a defence."""
    target = mook("m1")
    sheet = target[0].mook
    assert sheet is not None
    goblin = mook("m1", sheet.model_copy(update={"defense": dv}))
    arm = Arm(id="club", name="Club", base=(NamedTerm(label="Club", value=modifier),), damage=2)
    fight = battle(person("ug"), goblin)
    aim = RpjAim(attacker="ug", target="m1", arm=arm)
    return attack(fight, aim, best_defense(fight["m1"]), d6(*faces))


@pytest.mark.rule("RPJ-GCS-23")
class TestDodgeValue:
    def test_the_dodge_value_is_7_plus_skill_and_dexterity_bonus(self) -> None:
        assert values(figure("DEX 3", skills=[known("dodge", 4)]))["dodge"] == 12
        assert values(figure())["dodge"] == 7

    def test_heavy_armor_lowers_the_dodge_value(self) -> None:
        assert (
            values(figure("DEX 3", HEAVY, skills=[known("dodge", 4)], belongings=("heavy_armor",)))["dodge"]
            == 10
        )

    def test_a_trait_can_raise_the_dodge_value(self) -> None:
        nimble = with_trait("nimble", {"type": "roll_bonus", "on": "defense", "of": "dodge", "value": 1})

        assert values(figure("", nimble, traits=["nimble"])) == {"dodge": 8, "absorb": 7}


@pytest.mark.rule("RPJ-GCS-24")
class TestAbsorbValue:
    @pytest.mark.parametrize(("level", "value"), [(5, 13), (4, 12)])
    def test_the_absorb_value_is_7_plus_skill_and_constitution_bonus(self, level: int, value: int) -> None:
        assert values(figure("CON 3", skills=[known("dodge", level)]))["absorb"] == value

    def test_a_separate_absorb_skill_replaces_the_dodge_skill_for_absorbing(self) -> None:
        tough = module_with(
            skills=[
                {**row, "roles": ["absorb"]} if row["id"] == "survival" else row
                for row in without_role("absorb").model_dump(mode="json")["skills"]
            ]
        )

        assert values(figure("", tough, skills=[known("survival", 3), known("dodge", 1)])) == {
            "dodge": 8,
            "absorb": 10,
        }


@pytest.mark.rule("RPJ-GCS-25")
class TestArmorThatRestrictsDefenses:
    def test_armor_can_restrict_its_wearer_to_absorbing_with_its_own_skill(self) -> None:
        skills = [known("heavy_armor_use", 5, linked="CON"), known("dodge", 6)]
        spiky = person("orc", "CON 6", module=SPIKY, skills=skills, belongings=("spiky",))
        fight = battle(spiky)

        assert [(one.way, one.value) for one in defenses_of(fight["orc"])] == [(Way.ABSORB, 14)]
        with pytest.raises(UserError) as refused:
            chosen_defense(fight["orc"], Way.DODGE)
        assert refused.value.sentences == ("Orc can't dodge.", "Spiky only allows absorbing.")

    def test_light_armor_use_serves_for_dodging_and_absorbing(self) -> None:
        light = figure("", skills=[known("light_armor_use", 2)], belongings=("leather",))

        assert values(light) == {"dodge": 9, "absorb": 9}


@pytest.mark.rule("RPJ-GCS-26")
class TestChoosingADefense:
    def test_the_better_defense_counts_unless_the_defender_chooses(self) -> None:
        orc = battle(person("orc", "CON 6 DEX 3", skills=[known("dodge", 4)]))["orc"]

        assert (best_defense(orc).way, best_defense(orc).value) == (Way.ABSORB, 13)
        assert chosen_defense(orc, None) == best_defense(orc)
        assert chosen_defense(orc, Way.DODGE).value == 12

    @pytest.mark.rule("RPJ-GCS-46")
    def test_a_mook_has_only_one_defense(self) -> None:
        goblin = battle(mook("m1"))["m1"]

        assert [(one.way, one.value) for one in defenses_of(goblin)] == [(Way.MOOK, 10)]
        assert chosen_defense(goblin, Way.DODGE).value == 10


@pytest.mark.rule("RPJ-GCS-27", "RPJ-GCS-29")
class TestAttackModifier:
    @pytest.mark.parametrize(("distance", "expected"), [(0, 7), (1, 7), (2, 7), (3, 6), (4, 5)])
    def test_skill_attribute_and_range_make_up_the_attack_modifier(
        self, distance: int, expected: int
    ) -> None:
        assert modifier(*laeniel("longbow", distance)) == expected

    def test_a_weapon_adds_its_own_modifier_to_the_attack(self) -> None:
        assert modifier(*laeniel("sword", -1)) == 6

    @pytest.mark.rule("RPJ-CHAR-09")
    def test_a_class_skill_adds_to_the_attack_roll(self) -> None:
        assert modifier(*laeniel("longbow", 3, class_skills=["archery"])) == 7

    def test_a_trait_adds_to_its_own_kind_of_attack_only(self) -> None:
        bonus = {"type": "roll_bonus", "on": "ranged attack", "value": 1}
        marksman = with_trait("eagle_eye", bonus, base=ELVISH)

        assert modifier(*laeniel("longbow", 0, module=marksman, traits=["eagle_eye"])) == 8
        assert modifier(*laeniel("sword", -1, module=marksman, traits=["eagle_eye"])) == 6

    def test_an_attack_beyond_the_weapons_range_is_refused(self) -> None:
        fight, aim = laeniel("longbow", 5)

        with pytest.raises(UserError) as refused:
            assert_target(fight, aim)
        assert refused.value.sentences == (
            "Longbow can't be used at distance 5.",
            "It reaches distance 0 to 4.",
        )


@pytest.mark.rule("RPJ-GCS-07", "RPJ-GCS-11")
class TestWeaponReach:
    @pytest.mark.parametrize("distance", [0, 4])
    def test_a_longbow_reaches_from_0_to_4(self, distance: int) -> None:
        assert_target(*laeniel("longbow", distance))

    def test_a_longbow_does_not_reach_its_shooters_own_group(self) -> None:
        with pytest.raises(UserError, match="Longbow can't be used against someone in your own group"):
            assert_target(*laeniel("longbow", -1))

    def test_a_pistol_without_a_minimum_range_reaches_its_shooters_own_group(self) -> None:
        pistol = arm_of(figure("", LONGBOW), with_weapon("pistol", greatest_range=2).weapons[-1])

        assert pistol.at(-1) == 0
        assert pistol.is_ranged

    def test_a_sword_reaches_only_its_wielders_own_group(self) -> None:
        with pytest.raises(UserError, match="Sword only reaches targets in the same group"):
            assert_target(*laeniel("sword", 0))

    def test_nobody_can_shoot_through_walls_or_attack_themselves(self) -> None:
        fight, aim = laeniel("longbow", 1)
        walled = fight.with_fight(fight.fight.model_copy(update={"field": drawn("1-2", hidden="1-2")}))

        with pytest.raises(UserError, match="There is no line of fire from Region 1 to Region 2"):
            assert_target(walled, aim)
        with pytest.raises(UserError, match="You can't attack yourself"):
            assert_target(fight, RpjAim(attacker="orc", target="orc", arm=aim.arm))

    @pytest.mark.rule("RPJ-GCS-32")
    def test_an_incapacitated_target_can_only_be_given_a_coup_de_grace(self) -> None:
        fight, aim = laeniel("longbow", 1)

        with pytest.raises(UserError) as refused:
            assert_target(fight.with_health("orc", RpjHealth(out=Out.INCAPACITATED)), aim)
        assert refused.value.try_this == "Attempt a coup de grace instead."


@pytest.mark.rule("RPJ-GCS-28")
class TestAttackRoll:
    @pytest.mark.parametrize(
        ("faces", "plus", "dv", "hits"),
        [((1, 2), 6, 10, False), ((1, 3), 6, 10, True), ((2, 3), 7, 12, True)],
    )
    def test_an_attack_that_reaches_the_defense_value_hits(
        self, faces: tuple[int, int], plus: int, dv: int, hits: bool
    ) -> None:
        hit = against(dv, plus, *faces)

        assert (hit.strike is not None) is hits
        assert hit.rolls[0].against == f"{dv}+"

    @pytest.mark.rule("RPJ-GCS-30", "RPJ-DICE-03")
    def test_double_sixes_always_hit_and_double_ones_always_miss(self) -> None:
        assert against(20, 0, 6, 6) == Hit(against(20, 0, 6, 6).rolls, Strike(damage=2), is_critical=True)
        assert against(7, 6, 1, 1).strike is None

    @pytest.mark.rule("RPJ-GCS-13")
    def test_an_attack_marks_its_target_as_attacked(self) -> None:
        assert targeted(battle(person("ug")), "ug")["ug"].fighter.was_targeted

    @pytest.mark.rule("RPJ-GCS-46", "RPJ-GCS-48")
    def test_any_hit_kills_a_mook_or_knocks_it_out(self) -> None:
        fight = battle(person("ug"), mook("m1"), mook("m2"))

        assert against(10, 6, 1, 2).strike is None
        assert against(10, 6, 1, 3).strike == Strike(damage=2)
        dead = mook_felled(fight, "m1", spared=False)
        assert (dead["m1"].health.out, [one.id for one in dead.fight.present]) == (Out.DEAD, ["ug", "m2"])
        assert mook_felled(fight, "m1", spared=True)["m1"].health.out is Out.KNOCKED_OUT


def lost(who: Stats, **strike: Any) -> list[int]:
    return [loss.spot.target for loss in critical_loss(who, Strike(damage=9, **strike))[1]]


@pytest.mark.rule("RPJ-GCS-30")
class TestCriticalHits:
    def test_a_critical_hit_takes_the_save_that_would_have_been_rolled(self) -> None:
        orc = figure("", HEAVY, belongings=("heavy_armor",))

        health, losses = critical_loss(orc, Strike())
        assert [loss.spot.target for loss in losses] == [4]
        assert str(health.layers[0]) == "×4+/5+/6+/7+"

    def test_a_critical_hit_on_the_last_save_puts_the_target_out_of_action(self) -> None:
        one_left = figure(health=RpjHealth(lost_base=(7,)))

        assert critical_loss(one_left, Strike())[0].out is Out.INCAPACITATED
        assert critical_loss(one_left, Strike(is_nonlethal=True))[0].out is Out.KNOCKED_OUT

    @pytest.mark.parametrize("out", [Out.INCAPACITATED, Out.KNOCKED_OUT, Out.DEAD])
    def test_a_critical_hit_on_somebody_out_of_action_takes_no_save(self, out: Out) -> None:
        who = figure("CON 4", health=RpjHealth(out=out))

        assert critical_loss(who, Strike(hits=2)) == (who.sheet.health, ())

    def test_a_critical_hit_takes_a_save_from_the_outermost_layer(self) -> None:
        rock = Layer.fresh("rock", "Rock", LayerKind.ABILITY, (5, 6))
        pebble = Layer.fresh("pebble", "Pebble", LayerKind.ABILITY, (4,))

        assert lost(figure(health=RpjHealth(layers=(rock, pebble)))) == [5]

    def test_a_critical_hit_that_bypasses_armor_takes_a_base_save(self) -> None:
        assert lost(figure("", HEAVY, belongings=("heavy_armor",)), bypasses=(LayerKind.ARMOR,)) == [7]

    def test_a_double_critical_hit_takes_two_saves(self) -> None:
        thin = armored("thin", saves=[4], reduction=9)

        assert lost(figure("", thin, belongings=("thin",)), hits=2) == [4, 7]
        assert lost(figure(health=RpjHealth(lost_base=(7,))), hits=2) == [7]


@pytest.mark.rule("RPJ-GCS-31")
class TestDamageOfAHit:
    def test_damage_is_rolled_against_the_easiest_save_of_the_outermost_layer(self) -> None:
        orc = figure("", HEAVY, belongings=("heavy_armor",))
        told = take_hit(orc, Strike(damage=1), d6(2, 2))

        assert told[0].roll.against == "5+"
        assert str(told[0].health.layers[0]) == "×4+/5+/6+/7+"

    def test_losing_the_last_base_save_incapacitates(self) -> None:
        tough = figure("", traits=["tough"], health=RpjHealth(lost_base=(7, 7)))
        told = take_hit(tough, Strike(damage=2), d6(3, 4))

        assert (told[0].roll.against, told[0].health.out) == ("8+", Out.INCAPACITATED)


def unarmed_figure(module: Module) -> Stats:
    return figure("STR 3", module, skills=[known("athleticism", 2, linked="STR")])


@pytest.mark.rule("RPJ-GCS-57")
class TestUnarmedAttacks:
    def test_bare_hands_do_0_nonlethal_damage(self) -> None:
        arm = unarmed(unarmed_figure(FANTASY))

        assert (arm.modifier, strike_of(arm)) == (3, Strike(damage=0, is_nonlethal=True))
        fight = battle(person("ug", "STR 3", skills=[known("athleticism", 2, linked="STR")]), mook("m1"))
        hit = attack(fight, RpjAim(attacker="ug", target="m1", arm=arm), best_defense(fight["m1"]), d6(3, 4))
        assert (reading_of(hit.rolls[0]).total, hit.strike) == (10, Strike(is_nonlethal=True))

    def test_a_module_without_an_unarmed_skill_has_no_unarmed_attacks(self) -> None:
        with pytest.raises(UserError, match="no skill for unarmed combat"):
            unarmed(unarmed_figure(without_role("unarmed")))
        with pytest.raises(UserError, match="nothing to fight with"):
            chosen_arm(battle(person("ug", module=without_role("unarmed")))["ug"])

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_a_hand_to_hand_master_can_choose_lethal_damage(self) -> None:
        master = unarmed(figure(traits=["hand_to_hand_master"]))

        assert strike_of(master, lethal=True) == Strike(damage=1)
        assert strike_of(master) == Strike(damage=1, is_nonlethal=True)
        assert strike_of(unarmed(figure()), lethal=True).is_nonlethal


@pytest.mark.rule("RPJ-GCS-59")
class TestWornArmor:
    def test_only_one_set_of_armor_is_worn_at_a_time(self) -> None:
        two = armored("mail", saves=[4, 4])
        wearer = figure("", two, belongings=("mail", "leather", "shield"))

        assert [layer.id for layer in layers_of(wearer)] == ["shield", "leather", "base"]

    def test_broken_armor_still_lowers_the_dodge_value(self) -> None:
        broken = Layer.fresh("heavy_armor", "Heavy", LayerKind.ARMOR, (4,)).marked(0, is_lost=True)

        assert values(figure("", HEAVY, belongings=("heavy_armor",), health=RpjHealth(layers=(broken,)))) == {
            "dodge": 5,
            "absorb": 7,
        }


def test_every_weapon_of_the_shipped_modules_can_be_used() -> None:
    for module in MODULES.values():
        anybody = figure("", module, skills=[known(skill.id, 1) for skill in module.skills])
        for weapon in module.weapons:
            assert CHECK.key
            assert arm_of(anybody, weapon).modifier == 1
