"""Grappling."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.commands.grappling import (
    assert_graspable,
    assert_may_check,
    attempted,
    broken,
    checked,
    grapple_check,
    grapple_level,
    grappled,
    lost,
    squeeze,
    squeezing,
    touch_check,
)
from bot.rules.rpj.combat.engine.damage_steps import assert_may_attack
from bot.rules.rpj.combat.engine.moves import Goal, carried, step_to
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check, best_defense
from bot.rules.rpj.combat.rules.combatants import Arm, Battle
from bot.rules.rpj.combat.rules.turns import next_turn, single_task
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.resolution.check import CHECK, RpjResult
from tests.rules.rpj.combat.battles import battle, combat, mook, person, without_role
from tests.rules.rpj.people import known, take_hit, with_trait
from tests.rules.rpj.throws import d6, read

WRESTLER: dict[str, Any] = {"skills": [known("athleticism", 3, linked="STR")]}


def wrestling(**more: Any) -> Battle:
    """Ug (level 4) and an orc (level 5), holding each other."""
    return battle(
        person("ug", "STR 4 DEX 4", **WRESTLER),
        person("orc", "STR 6 DEX 2", foe=True, **WRESTLER),
        **{"grapples": (("ug", "orc"),), **more},
    )


@pytest.mark.rule("RPJ-GCS-50")
class TestGrappleAttempts:
    @pytest.mark.parametrize(("faces", "total", "held"), [((3, 4), 11, True), ((2, 3), 9, False)])
    def test_a_grapple_attempt_rolls_dexterity_against_8_plus_the_targets_dexterity(
        self, faces: tuple[int, int], total: int, held: bool
    ) -> None:
        fight = wrestling(grapples=())
        touched = read(touch_check(fight, "ug", "orc"), *faces)

        assert touch_check(fight, "ug", "orc").target == 10
        assert (touched.total, touched.result.is_success) == (total, held)

    def test_a_grapple_attempt_takes_one_attack_action_and_leaves_the_rest(self) -> None:
        fight = attempted(battle(person("ug", actions=3), person("orc", foe=True)), "ug", "orc")
        turn = fight["ug"].fighter.turn

        assert (turn.actions, turn.has_attacked, fight["orc"].fighter.was_targeted) == (2, True, True)
        with pytest.raises(UserError) as refused:
            assert_graspable(fight, "ug", "orc")
        assert refused.value.sentences == (
            "You can only try to grapple once per turn.",
            "You can still take other actions.",
        )

    def test_a_grapple_target_must_be_near_conscious_and_not_grappling(self) -> None:
        far = battle(person("ug"), person("orc", foe=True, group=2))
        out = battle(person("ug"), person("orc", foe=True, health=RpjHealth(out=Out.KNOCKED_OUT)))
        busy = battle(person("ug"), person("orc", foe=True), person("elf"), grapples=(("orc", "elf"),))

        with pytest.raises(UserError, match="Orc isn't in Ug's group"):
            assert_graspable(far, "ug", "orc")
        with pytest.raises(UserError, match="Orc is knocked out"):
            assert_graspable(out, "ug", "orc")
        with pytest.raises(UserError, match="Orc is already in a grapple"):
            assert_graspable(busy, "ug", "orc")

    def test_two_grapplers_hold_each_other(self) -> None:
        fight = grappled(wrestling(grapples=()), "ug", "orc")
        hold = fight.fight.grapple("orc")

        assert hold is not None
        assert (hold.other("orc"), hold.other("ug")) == ("ug", "orc")

    @pytest.mark.rule("RPJ-GCS-46")
    def test_a_mook_grapples_with_dexterity_2_and_its_attack_as_a_skill(self) -> None:
        fight = battle(person("ug"), mook("m1"))

        assert touch_check(fight, "ug", "m1").target == 10
        assert grapple_level(fight["m1"]) == 3
        assert grapple_check(fight, "m1", "ug").modifier == 3


@pytest.mark.rule("RPJ-GCS-51")
class TestAttacksOnGrapplers:
    @pytest.mark.parametrize(("greatest", "expected"), [(-1, 1), (3, -1)])
    def test_a_grappler_is_easier_to_hit_in_melee_and_harder_to_shoot(
        self, greatest: int, expected: int
    ) -> None:
        fight = battle(person("elf"), person("ug"), person("orc"), grapples=(("ug", "orc"),), turn_of="elf")
        aim = RpjAim(
            attacker="elf", target="orc", arm=Arm(id="a", name="a", base=(), least=-1, greatest=greatest)
        )

        assert attack_check(fight, aim, best_defense(fight["orc"])).modifier == expected

    @pytest.mark.rule("RPJ-TRAIT-06")
    def test_a_trait_can_add_to_attacks_on_grapplers(self) -> None:
        bully = {"type": "roll_bonus", "on": "melee attack", "value": 2, "when": {"target_is_grappled": True}}
        module = with_trait("bully", bully)
        fight = battle(
            person("elf", module=module, traits=["bully"]),
            person("orc"),
            person("ug"),
            grapples=(("ug", "orc"),),
            module=module,
        )
        plain = Arm(id="a", name="a", base=())

        def modifier(target: str) -> int:
            aim = RpjAim(attacker="elf", target=target, arm=plain)
            return attack_check(fight, aim, best_defense(fight[target])).modifier

        assert modifier("orc") == 3
        free = fight.with_fight(fight.fight.without_grapple("orc"))
        assert (
            attack_check(
                free, RpjAim(attacker="elf", target="orc", arm=plain), best_defense(free["orc"])
            ).modifier
            == 0
        )


@pytest.mark.rule("RPJ-GCS-52")
class TestWhatGrapplersCannotDo:
    def test_grapplers_can_neither_move_attack_nor_do_tasks(self) -> None:
        fight = wrestling()

        for busy in ("ug", "orc"):
            with pytest.raises(UserError, match="is in a grapple with"):
                step_to(fight, busy, Goal(2))
        with pytest.raises(UserError, match="Ug is in a grapple with Orc"):
            assert_may_attack(fight, "ug")
        with pytest.raises(UserError, match="in a grapple"):
            single_task(fight, "ug")

    def test_a_grapple_check_is_made_once_per_turn(self) -> None:
        fight = checked(wrestling(), "ug")

        assert assert_may_check(wrestling(), "ug").other("ug") == "orc"
        with pytest.raises(UserError, match="You have already made this turn's grapple check"):
            assert_may_check(fight, "ug")
        with pytest.raises(UserError, match="Ug isn't in a grapple"):
            assert_may_check(wrestling(grapples=()), "ug")


@pytest.mark.rule("RPJ-GCS-53")
class TestGrappleChecks:
    def test_a_grapple_check_rolls_one_grapplers_level_against_the_others(self) -> None:
        fight = wrestling()
        ug, orc = grapple_check(fight, "ug", "orc"), grapple_check(fight, "orc", "ug")

        assert (ug.modifier, ug.target) == (4, 12)
        assert (orc.modifier, orc.target) == (5, 11)
        assert read(ug, 4, 5).result is RpjResult.SUCCESS
        assert read(orc, 2, 3).result is RpjResult.FAILURE
        assert read(orc, 4, 6).result is RpjResult.SUCCESS

    def test_the_roller_wins_a_tied_grapple_check(self) -> None:
        assert read(grapple_check(wrestling(), "orc", "ug"), 2, 4).margin == 0
        assert read(grapple_check(wrestling(), "orc", "ug"), 2, 4).result.is_success

    def test_the_strength_bonus_is_rolled_in_a_module_without_a_grappling_skill(self) -> None:
        module = without_role("grapple")
        fight = battle(
            person("ug", "STR 4", module=module), person("orc", "STR 6", module=module), module=module
        )

        assert (grapple_check(fight, "ug", "orc").modifier, grapple_check(fight, "ug", "orc").target) == (
            1,
            9,
        )

    @pytest.mark.rule("RPJ-CHAR-09")
    def test_class_skills_and_traits_add_only_to_the_rollers_grapple_check(self) -> None:
        bonus = {"type": "roll_bonus", "on": "skill", "of": "athleticism", "value": 2}
        module = with_trait("wiry", bonus)
        ug = person("ug", "STR 3", module=module, traits=["wiry"], class_skills=["athleticism"])
        fight = battle(ug, person("orc"), module=module)

        assert grapple_check(fight, "ug", "orc").modifier == 4
        assert grapple_check(fight, "orc", "ug").target == 8

    def test_a_lost_grapple_check_ends_the_turn_but_not_the_grapple(self) -> None:
        assert lost(wrestling(), "ug")["ug"].fighter.turn.actions == 0
        assert lost(wrestling(), "ug").fight.grapple("ug") is not None


@pytest.mark.rule("RPJ-GCS-54", "RPJ-GCS-56")
class TestBreakingFree:
    @pytest.mark.parametrize(("left", "kept"), [(2, 1), (3, 1), (1, 0)])
    def test_a_fighter_who_breaks_free_keeps_at_most_one_action(self, left: int, kept: int) -> None:
        fight = battle(person("ug", actions=left), person("orc"), grapples=(("ug", "orc"),))
        free = broken(fight, "ug")

        assert free["ug"].fighter.turn.actions == kept
        assert free.fight.grapples == ()

    def test_the_action_kept_after_breaking_free_can_be_an_attack(self) -> None:
        free = broken(checked(wrestling(turn_of="orc"), "orc"), "orc")

        assert_may_attack(free, "orc")
        assert free.spent("orc")["orc"].fighter.turn.actions == 0


@pytest.mark.rule("RPJ-GCS-55")
class TestSqueezingAGrappledFoe:
    @pytest.mark.parametrize(("faces", "lost_base"), [((3, 4), ()), ((3, 3), (7,))])
    def test_squeezing_is_rolled_against_base_saves_even_through_armor(
        self, faces: tuple[int, int], lost_base: tuple[int, ...]
    ) -> None:
        fight = battle(person("ug"), person("orc", belongings=("leather",)))
        told = take_hit(fight["orc"].figure, squeeze(fight), d6(*faces))

        assert (told[0].roll.against, told[0].health.lost_base) == ("7+", lost_base)

    def test_squeezing_is_lethal_unless_the_module_makes_it_nonlethal(self) -> None:
        gentle = combat(grapple_is_nonlethal=True)

        assert not squeeze(battle()).is_nonlethal
        assert squeeze(battle(module=gentle)).is_nonlethal

    def test_squeezing_takes_all_actions(self) -> None:
        assert squeezing(wrestling(), "ug")["ug"].fighter.turn.actions == 0


@pytest.mark.rule("RPJ-GCS-56")
class TestEndOfAGrapple:
    def test_a_grapple_ends_when_one_grappler_is_incapacitated(self) -> None:
        fight = wrestling().with_health("orc", RpjHealth(out=Out.INCAPACITATED))

        assert fight.fight.grapples == ()
        assert next_turn(fight)["orc"].fighter.turn.actions == 0

    def test_a_grappler_who_is_carried_away_is_free(self) -> None:
        assert carried(wrestling(), "orc", 6, None).fight.grapples == ()

    def test_a_lost_grapple_check_leaves_the_grapple_in_place(self) -> None:
        assert len(lost(wrestling(), "ug").fight.grapples) == 1


def test_grapple_rolls_resolve_as_checks() -> None:
    assert CHECK.resolve(touch_check(wrestling(), "ug", "orc"), d6(6, 6)).verdict.title.startswith("critical")
