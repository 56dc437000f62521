"""What fits in one's hands, several weapons at once, and swarms of mooks."""

from typing import Any

import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.damage_saves import Strike, next_save
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.checks.odds import RpjOddsQuestion
from bot.rules.rpj.combat.combatant import MookSheet
from bot.rules.rpj.combat.engine.moves import Trigger, chances
from bot.rules.rpj.combat.rules.attacks import (
    Defense,
    Hit,
    RpjAim,
    Way,
    assert_several,
    assert_target,
    attack_check,
    best_defense,
    hits,
    multi_attack,
    swarm,
)
from bot.rules.rpj.combat.rules.combatants import (
    SPELL_ARM,
    Arm,
    Battle,
    arms_of,
    assert_wieldable,
    chosen_arm,
    each_once,
    first_in_hand,
    hands_of,
    mook_arm,
    spell_arm,
    weapons_of,
    wielding,
)
from bot.rules.rpj.game_parts.sheet_text import describe
from bot.rules.rpj.module.defense_layers import Layer, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import RpjWeapon
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES, RpjSettings
from bot.rules.rpj.resolution.check_inputs import CheckKind
from tests.rules.rpj.combat.battles import GOBLIN, battle, mook, person, with_armor, with_weapon, without_role
from tests.rules.rpj.people import FANTASY, figure, known, module_with, take_hit, with_trait
from tests.rules.rpj.table import rpj_table
from tests.rules.rpj.throws import d6, read

SABER = with_weapon("saber", is_main_hand=True)
MANTIS = with_trait("mantis", {"type": "hands", "count": 4}, base=SABER)
TWELVE = Defense(Way.DODGE, (NamedTerm(label="Dodge", value=5),))


def weapon(id_: str, module: Module = SABER) -> RpjWeapon:
    return next(one for one in module.weapons if one.id == id_)


def arm(id_: str, damage: int = 2, hands: int = 1, **more: Any) -> Arm:
    return Arm(
        id=id_, name=id_, base=(NamedTerm(label="skill", value=5),), damage=damage, hands=hands, **more
    )


def several(primary: Arm, extras: list[Arm], *faces: int) -> Hit:
    """A multi-weapon attack with +5 against 12."""
    fight = battle(person("ug"), person("orc", foe=True))
    return multi_attack(fight, RpjAim(attacker="ug", target="orc", arm=primary), extras, TWELVE, d6(*faces))


@pytest.mark.rule("RPJ-GCS-58")
class TestWeaponsInHand:
    def test_a_main_hand_weapon_goes_with_a_shield_but_not_with_a_second_weapon(self) -> None:
        with pytest.raises(UserError, match="Saber can't be combined with a second weapon"):
            assert_wieldable([weapon("saber"), weapon("dagger")])
        assert_wieldable([weapon("saber")], off_hand=1)

    def test_two_hands_hold_two_small_weapons_or_one_large_one(self) -> None:
        assert_wieldable([weapon("dagger"), weapon("club")])
        assert_wieldable([weapon("great_axe")])
        with pytest.raises(UserError, match="That needs 3 hands; you have 2"):
            assert_wieldable([weapon("great_axe")], off_hand=1)

    def test_four_hands_hold_two_large_weapons(self) -> None:
        assert_wieldable([weapon("great_axe"), weapon("bow")], hands=4)
        assert hands_of(figure("", MANTIS, traits=["mantis"])) == 4
        assert hands_of(figure()) == 2

    @pytest.mark.rule("RPJ-GCS-14")
    def test_a_fighter_can_only_wield_weapons_they_carry_and_have_hands_for(self) -> None:
        armed = figure(belongings=("great_axe", "dagger", "shield"))

        assert wielding(armed, ["dagger"]) == ("dagger",)
        assert first_in_hand(armed) == ("dagger",)
        assert [one.id for one in weapons_of(armed)] == ["great_axe", "dagger"]
        with pytest.raises(UserError, match="That needs 3 hands; you have 2"):
            wielding(armed, ["great_axe"])
        with pytest.raises(UserError, match="You don't have that weapon at hand"):
            wielding(armed, ["bow"])


@pytest.mark.rule("RPJ-GCS-60")
class TestChoosingAWieldedWeapon:
    def test_each_wielded_weapon_can_be_used_alone(self) -> None:
        fight = battle(person("ug", belongings=("club", "dagger"), fighter={"wielded": ("club", "dagger")}))
        ug = fight["ug"]

        assert [one.id for one in arms_of(ug)] == ["club", "dagger", "unarmed"]
        assert (chosen_arm(ug).id, chosen_arm(ug, "dagger").id) == ("club", "dagger")
        single = RpjAim(attacker="ug", target="ug", arm=chosen_arm(ug, "dagger"))
        assert attack_check(fight, single, TWELVE).modifier == 0

    def test_f_all_38_fists_and_bare_hands_are_offered_once(self) -> None:
        ug = battle(person("ug", belongings=("fists", "club"), fighter={"wielded": ("fists",)}))["ug"]
        armed = battle(person("ug", belongings=("club",), fighter={"wielded": ("club",)}))["ug"]

        assert [one.name for one in each_once(arms_of(ug))] == ["Fists"]
        assert [one.name for one in each_once(arms_of(armed))] == ["Club", "Bare hands"]
        assert chosen_arm(ug, "unarmed").id == "unarmed"

    @pytest.mark.parametrize(("weapon", "left"), [(1, ["Claws"]), (0, ["Claws", "Bare hands"])])
    def test_bare_hands_are_left_out_beside_a_weapon_with_the_same_total(
        self, weapon: int, left: list[str]
    ) -> None:
        own = Arm(id="unarmed", name="Bare hands", base=(NamedTerm(label="Brawl", value=3),))
        claws = Arm(id="claws", name="Claws", base=(NamedTerm(label="Brawl", value=2),), weapon=weapon)

        assert [one.name for one in each_once([claws, own])] == left

    def test_a_weapon_that_is_not_in_hand_cannot_be_used(self) -> None:
        ug = battle(person("ug", belongings=("club", "dagger"), fighter={"wielded": ("club",)}))["ug"]

        with pytest.raises(UserError) as refused:
            chosen_arm(ug, "dagger")
        assert refused.value.sentences[1] == "In hand: Club, Bare hands."


@pytest.mark.rule("RPJ-GCS-61")
class TestMultiWeaponAttacks:
    def test_an_extra_weapon_that_hits_adds_1_damage(self) -> None:
        hit = several(arm("sword"), [arm("dagger")], 3, 4, 4, 4)

        assert hit.strike == Strike(damage=3)
        assert [roll.total for roll in hit.rolls] == [12, 12]

    def test_an_extra_weapon_that_misses_adds_no_damage(self) -> None:
        assert several(arm("sword"), [arm("dagger")], 3, 4, 3, 4).strike == Strike(damage=2)

    def test_a_primary_miss_ends_a_multi_weapon_attack(self) -> None:
        missed = several(arm("sword"), [arm("dagger")], 3, 3)

        assert (missed.strike, len(missed.rolls)) == (None, 1)

    def test_a_critical_primary_hit_skips_the_extra_weapons(self) -> None:
        hit = several(arm("sword"), [arm("dagger")], 6, 6)

        assert (hit.is_critical, len(hit.rolls)) == (True, 1)

    def test_a_critical_with_an_extra_weapon_counts_as_a_hit(self) -> None:
        hit = several(arm("sword"), [arm("dagger")], 3, 4, 6, 6)

        assert (hit.strike, hit.is_critical) == (Strike(damage=3), False)

    def test_each_weapon_in_hand_strikes_once_in_a_multi_weapon_attack(self) -> None:
        with pytest.raises(UserError, match="You can use each weapon once in a multi-weapon attack"):
            assert_several(arm("sword"), [arm("sword")])
        with pytest.raises(UserError, match="weapons in hand"):
            assert_several(arm("sword"), [arm("unarmed", hands=0)])
        assert_several(arm("sword"), [arm("dagger")])


@pytest.mark.rule("RPJ-GCS-62")
class TestExtraWeapons:
    def test_a_two_handed_extra_weapon_adds_2_damage(self) -> None:
        hit = several(arm("blade", 3, 2), [arm("other", 3, 2)], 3, 4, 4, 4)

        assert hit.strike == Strike(damage=5)

    def test_each_of_several_extra_weapons_rolls_at_its_own_penalty(self) -> None:
        extras = [arm("a"), arm("b")]

        assert several(arm("sword"), extras, 3, 4, 4, 4, 4, 4).strike == Strike(damage=4)
        assert several(arm("sword"), extras, 3, 4, 3, 4, 4, 4).strike == Strike(damage=3)


@pytest.mark.rule("RPJ-GCS-59")
class TestDamageReduction:
    @pytest.mark.parametrize(("by", "damage", "against"), [(1, 3, "7+"), (2, 1, "5+"), (1, -1, "4+")])
    def test_armor_reduces_damage_but_not_below_0(self, by: int, damage: int, against: str) -> None:
        mail = with_armor("mail", saves=[5], reduction=by)
        told = take_hit(figure("", mail, belongings=("mail",)), Strike(damage=damage), d6(6, 6))

        assert told[0].roll.against == against

    def test_a_module_can_let_armor_reduce_damage_below_0(self) -> None:
        mail = module_with(with_armor("mail", saves=[5], reduction=2), combat={"reduction_below_zero": True})

        told = take_hit(figure("", mail, belongings=("mail",)), Strike(damage=1), d6(6, 6))
        assert told[0].roll.against == "4+"

    def test_only_armor_that_is_hit_and_unbroken_reduces_damage(self) -> None:
        mail = with_armor("mail", saves=[5], reduction=1)
        ward = Layer.fresh("ward", "Ward", LayerKind.ABILITY, (5,))
        warded = figure("", mail, belongings=("mail",), health=RpjHealth(layers=(ward,)))
        broken = Layer.fresh("mail", "Mail", LayerKind.ARMOR, (5,), reduction=1).marked(0, is_lost=True)
        bare = figure("", mail, belongings=("mail",), health=RpjHealth(layers=(broken,)))

        assert take_hit(warded, Strike(damage=3), d6(6, 6))[0].roll.against == "8+"
        assert take_hit(bare, Strike(damage=3), d6(6, 6))[0].roll.against == "10+"


def goblins(count: int, sheet: MookSheet = GOBLIN, target: Stats | None = None, **more: Any) -> Battle:
    people = [mook(f"m{number}", sheet) for number in range(1, count + 1)]
    ug, _sheet = person("ug")
    return battle((ug, target or figure()), *people, turn_of="mooks", **more)


def aims(fight: Battle, count: int) -> list[RpjAim]:
    ids = [f"m{number}" for number in range(1, count + 1)]
    return [RpjAim(attacker=id_, target="ug", arm=mook_arm(fight[id_])) for id_ in ids]


def modifier(fight: Battle) -> int:
    return attack_check(fight, aims(fight, 1)[0], TWELVE).modifier


@pytest.mark.rule("RPJ-GCS-49")
class TestSwarmsOfMooks:
    def test_the_rolls_of_a_swarm_are_shared_out_in_turn(self) -> None:
        fight = goblins(8)
        swarmed = swarm(fight, aims(fight, 8), TWELVE, 3, d6(1, 4, 4, 5, 5, 6))

        assert [one.roll for one in swarmed] == [0, 1, 2, 0, 1, 2, 0, 1]
        assert hits(swarmed) == 5
        assert [len(one.hit.rolls[0].dice) for one in swarmed] == [2, 2, 2, 0, 0, 0, 0, 0]

    def test_a_critical_roll_counts_for_every_mook_that_shares_it(self) -> None:
        fight = goblins(4)
        swarmed = swarm(fight, aims(fight, 4), TWELVE, 2, d6(6, 6, 1, 1))

        assert [one.hit.is_critical for one in swarmed] == [True, False, True, False]
        assert hits(swarmed) == 2

    def test_a_swarm_cannot_have_more_rolls_than_attacks(self) -> None:
        fight = goblins(2)

        with pytest.raises(UserError, match="3 rolls need at least 3 attacks"):
            swarm(fight, aims(fight, 2), TWELVE, 3, d6())


@pytest.mark.rule("RPJ-GCS-67")
class TestMookAttacks:
    @pytest.mark.parametrize(("faces", "hit"), [((4, 4), True), ((3, 4), False)])
    def test_a_mook_adds_only_its_attack_modifier_to_the_roll(
        self, faces: tuple[int, int], hit: bool
    ) -> None:
        fight = goblins(1)
        eleven = Defense(Way.DODGE, (NamedTerm(label="Dodge", value=4),))

        assert read(attack_check(fight, aims(fight, 1)[0], eleven), *faces).result.is_success is hit

    def test_a_mook_does_the_damage_of_its_line(self) -> None:
        told = take_hit(figure(), Strike(damage=GOBLIN.damage), d6(6, 5))

        assert told[0].roll.against == "8+"
        assert mook_arm(goblins(1)["m1"]).damage == 1

    def test_a_mook_hits_a_grappled_target_more_easily(self) -> None:
        assert modifier(goblins(2, grapples=(("ug", "m2"),))) == 4
        assert modifier(goblins(1)) == 3

    def test_double_sixes_are_a_critical_hit_for_a_mook(self) -> None:
        fight = goblins(1)

        assert swarm(fight, aims(fight, 1), best_defense(fight["ug"]), 1, d6(6, 6))[0].hit.is_critical

    def test_each_mook_has_its_own_free_attack(self) -> None:
        fight = goblins(3)
        moving = fight.with_fight(fight.fight.model_copy(update={"turn": "ug"}))

        assert len(chances(moving, "ug", Trigger.LEAVING)) == 3

    def test_a_mook_only_reaches_its_own_group_unless_its_line_gives_a_range(self) -> None:
        near = goblins(1)
        away = near.changed("m1", group=9)
        archer = goblins(1, GOBLIN.model_copy(update={"greatest_range": 3}))

        with pytest.raises(UserError, match="its weapon only reaches targets in the same group"):
            assert_target(away, aims(away, 1)[0])
        far = archer.changed("m1", group=9, region=4)
        assert_target(far, aims(far, 1)[0])
        assert modifier(far) == 3
        assert_target(archer, aims(archer, 1)[0])
        kept_off = goblins(1, GOBLIN.model_copy(update={"least_range": 0, "greatest_range": 3}))
        with pytest.raises(UserError, match="against someone in your own group"):
            assert_target(kept_off, aims(kept_off, 1)[0])

    def test_a_character_cannot_make_a_mook_attack(self) -> None:
        with pytest.raises(UserError, match="Ug isn't a mook"):
            mook_arm(goblins(1)["ug"])


def test_a_fresh_fighter_has_a_save_to_roll() -> None:
    assert next_save(figure("", FANTASY, skills=[known("dodge", 1)]), Strike()) is not None


@pytest.mark.rule("RPJ-GCS-58")
@pytest.mark.parametrize(
    ("belongings", "held"),
    [
        ((), ()),
        (("dagger", "bow"), ("dagger",)),
        (("bow", "dagger"), ("bow",)),
        (("great_axe", "dagger"), ("great_axe",)),
        (("great_axe", "dagger", "shield"), ("dagger",)),
        (("great_axe", "shield"), ()),
    ],
)
def test_the_first_weapon_that_fits_beside_a_shield_is_in_hand(
    belongings: tuple[str, ...], held: tuple[str, ...]
) -> None:
    assert first_in_hand(figure(belongings=belongings)) == held


@pytest.mark.rule("RPJ-SMAG-06")
def test_a_spell_attack_needs_no_hand_and_adds_its_own_numbers() -> None:
    caster = figure("WIL 4", skills=[known("primitive_magic", 5, linked="WIL")])

    pelt = spell_arm(caster, f"{SPELL_ARM}pelt/6")

    spell = FANTASY.spell("pelt")
    assert spell is not None
    assert spell_arm(caster, f"{SPELL_ARM}rumble/6").damage == 0
    assert (pelt.hands, pelt.damage, pelt.is_harmless) == (0, spell.damage, False)
    assert [(term.label, term.value) for term in pelt.base] == [("Primitive Magic", 6)]
    assert (pelt.least, pelt.greatest) == (
        -1 if spell.least_range is None else spell.least_range,
        -1 if spell.greatest_range is None else spell.greatest_range,
    )


UNARMED = module_with(without_role("dodge", without_role("absorb")), weapons=[], classes=[])


def hints(module: Module) -> tuple[str, ...]:
    """What /gm module show gives the author of a module to think over about fights."""
    assert RULESET.module is not None
    found: tuple[str, ...] = RULESET.module.hints(module)
    return tuple(hint for hint in found if "skills" not in hint)


@pytest.mark.rule("RPJ-GCS-63")
class TestWhatAModuleNeedsForFights:
    @pytest.mark.parametrize("name", MODULES)
    def test_a_fight_can_be_started_in_every_shipped_module(self, name: str) -> None:
        table = rpj_table(RpjSettings.model_validate({"module": name}))

        assert table.do("Laeniel", "encounter.start", others=("Ogre",)).headline

    @pytest.mark.parametrize(
        ("module", "told"),
        [
            (
                UNARMED,
                "Fantasy can't be used for fights: no weapons and no skill for dodging or absorbing.",
            ),
            (module_with(weapons=[], classes=[]), "Fantasy can't be used for fights: no weapons."),
        ],
    )
    def test_a_fight_is_refused_naming_what_the_module_lacks(self, module: Module, told: str) -> None:
        table = rpj_table(RpjSettings(module="own").with_module(module))
        refused = table.refused("GM", "encounter.start", others=("Laeniel", "Ogre"))

        assert refused.what == told
        assert refused.try_this.startswith("The GM can add it")

    def test_a_module_author_is_told_what_fights_still_need(self) -> None:
        assert hints(UNARMED)[:2] == (
            "No weapons: fights can't be started.",
            "No skill for dodging or absorbing: fights can't be started.",
        )

    def test_a_module_author_is_told_which_optional_skills_are_missing(self) -> None:
        assert hints(FANTASY) == ("No initiative skill: the Dexterity level is rolled.",)
        assert hints(without_role("medical", without_role("grapple")))[1:] == (
            "No grappling skill: the Strength bonus is rolled.",
            "No medical skill: no helping hands, no medical attention.",
        )


@pytest.mark.rule("RPJ-GCS-64")
class TestModuleDesignAdvice:
    @pytest.mark.parametrize(
        ("damage", "told"),
        [
            (0, ("12.0 hits", "6.0 hits", "3.6 hits", "2.4 hits")),
            (2, ("3.6 hits", "2.4 hits", "1.7 hits", "1.4 hits")),
            (4, ("1.7 hits", "1.4 hits", "1.2 hits", "1.1 hits")),
        ],
    )
    def test_the_odds_of_a_damage_save_include_how_many_hits_it_lasts(
        self, damage: int, told: tuple[str, ...]
    ) -> None:
        pages = [
            RULESET.odds.worth(
                RpjOddsQuestion(target=save + damage, roll=CheckKind.DAMAGE_SAVE), RpjSettings()
            )
            for save in (4, 5, 6, 7)
        ]

        assert [page[1] for page in pages] == [f"the save lasts {hits} on average" for hits in told]

    def test_the_odds_of_other_checks_do_not_mention_lasting_hits(self) -> None:
        assert "lasts" not in " ".join(RULESET.odds.worth(RpjOddsQuestion(target=7), RpjSettings()))

    def test_a_module_author_is_told_about_unusual_damage_and_saves(self) -> None:
        strange = with_armor("skin", with_weapon("cannon", damage=6), saves=[3, 8, 8])

        assert hints(strange)[1:] == (
            "Cannon: damage is usually 0 to 4, not 6.",
            "Skin: saves are usually 4+ to 7+, not 3+.",
            "Skin: saves are usually 4+ to 7+, not 8+.",
        )


@pytest.mark.rule("RPJ-GCS-65")
class TestHowLongBaseSavesLast:
    @pytest.mark.parametrize(
        ("constitution", "lost", "hits"),
        [(0, 0, "2.8 hits"), (0, 1, "1.4 hits"), (6, 0, "5.5 hits")],
        ids=["two saves", "one left", "four saves"],
    )
    def test_the_sheet_says_how_many_hits_the_base_saves_last(
        self, constitution: int, lost: int, hits: str
    ) -> None:
        hero = figure(f"CON {constitution}", health=RpjHealth(lost_base=(7,) * lost))
        lines = next(one for one in describe(hero, None) if one.title == "Damage saves").lines

        assert lines[-1] == f"Against damage 2, the base saves last {hits} on average"

    def test_a_sheet_without_base_saves_left_does_not_say_how_long_they_last(self) -> None:
        done_for = figure("CON 0", health=RpjHealth(lost_base=(7, 7)))
        lines = next(one for one in describe(done_for, None) if one.title == "Damage saves").lines

        assert lines == ("Base: 0 of 2, broken",)
