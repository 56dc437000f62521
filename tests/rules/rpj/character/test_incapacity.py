"""Bleeding, waking, penalties, treatment, and the end of a fight."""

from fractions import Fraction
from typing import Any

import pytest

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline, LaterEntry
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import Strike, layers_of, put_out, rested
from bot.rules.rpj.character.incapacity import (
    RpjDue,
    Wait,
    after_bleeding,
    after_waking,
    as_npcs_go,
    awake,
    bleeding_check,
    helped,
    next_due,
    recovered,
    stabilized,
    waking_check,
    with_health,
)
from bot.rules.rpj.character.lucky_breaks import (
    CLOSED,
    FIRST_TURN,
    RpjClosing,
    closing,
    window_of,
    with_extra_die,
)
from bot.rules.rpj.character.sheet import (
    Caution,
    Fists,
    OfferedStrike,
    caution,
    fists,
    goes_first,
    granted_maneuvers,
    initiative_terms,
    offered_strike,
)
from bot.rules.rpj.combat.engine.damage_steps import (
    after_treatment,
    assert_may_attack,
    assert_treatable,
    coup_begun,
    coup_check,
    hand_lent,
    helping_check,
    killed,
    treating_check,
)
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check, best_defense
from bot.rules.rpj.combat.rules.combatants import Arm, Battle
from bot.rules.rpj.combat.rules.turns import ended, next_turn
from bot.rules.rpj.module.defense_layers import CombatRules, Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import FreeAttackTrigger, LayerKind, RpjCircumstances
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES, RpjSettings
from bot.rules.rpj.resolution.check import CHECK, check_odds
from tests.rules.rpj.combat.battles import Person, battle, combat, mook, person, turn
from tests.rules.rpj.people import FANTASY, figure, known, module_with, take_hit, with_trait
from tests.rules.rpj.table import rpj_table
from tests.rules.rpj.throws import d6, read, thrown

RULES = CombatRules()
DOWN = RpjHealth(lost_base=(7, 7), out=Out.INCAPACITATED)
ASLEEP = RpjHealth(lost_base=(7, 7), out=Out.KNOCKED_OUT)
WEAK = RpjHealth(lost_base=(7, 7), is_weak=True)


def with_kit(**changes: object) -> Module:
    """Science fiction with a medical kit of its own."""
    science_fiction = MODULES["science_fiction"]
    rows = science_fiction.model_dump(mode="json")["gear"]
    own = [{**row, **changes} if row["id"] == "medical_kit" else row for row in rows]
    return module_with(science_fiction, gear=own)


KIT = with_kit(name="First aid kit", medical_modifier=-2)


def bled(health: RpjHealth, *faces: int) -> RpjHealth:
    return after_bleeding(health, thrown(bleeding_check(FANTASY), *faces), RULES)


def medic(level: int, *belongings: str, module: Module = KIT) -> Any:
    return figure("", module, skills=[known("medicine", level, linked="INT")], belongings=belongings)


def bedside(**fighter: Any) -> Battle:
    """Ug, a medic, beside an incapacitated orc with Constitution 6."""
    skills = [known("medicine", 2, linked="INT")]
    return battle(
        person("ug", module=KIT, skills=skills, fighter=fighter),
        person("orc", "CON 6", module=KIT, foe=True, health=DOWN),
        module=KIT,
    )


@pytest.mark.rule("RPJ-GCS-32")
class TestIncapacitated:
    def test_an_incapacitated_combatant_cannot_act(self) -> None:
        fight = battle(person("ug", "DEX 6", health=DOWN))

        assert (fight["ug"].is_able, fight["ug"].actions) == (False, 0)
        with pytest.raises(UserError, match="Ug is incapacitated and can't act"):
            assert_may_attack(fight, "ug")


@pytest.mark.rule("RPJ-GCS-33")
class TestBleeding:
    def test_a_bleeding_roll_is_two_dice_against_9_with_no_modifiers(self) -> None:
        check = bleeding_check(FANTASY)

        assert (check.terms, check.target) == ((), 9)
        assert bled(DOWN, 4, 5) == stabilized(DOWN)
        assert bled(DOWN, 4, 4).bleeding == 1
        assert bled(DOWN, 6, 6).is_stable

    def test_the_fifth_failed_bleeding_roll_kills(self) -> None:
        worse = DOWN.model_copy(update={"bleeding": 4})

        assert (bled(worse, 4, 4).out, bled(worse, 4, 4).bleeding) == (Out.DEAD, 5)

    @pytest.mark.rule("RPJ-LUCK-03")
    def test_a_lucky_break_saves_after_the_fifth_failed_bleeding_roll(self) -> None:
        worse = DOWN.model_copy(update={"bleeding": 4})
        roll = thrown(bleeding_check(FANTASY), 4, 4)
        turned = CHECK.resolve(with_extra_die(roll), d6(5))

        assert after_bleeding(worse, turned, RULES) == stabilized(worse)

    def test_most_bleeding_characters_survive(self) -> None:
        enough = check_odds(bleeding_check(FANTASY)).enough

        assert enough == Fraction(5, 18)
        assert (1 - enough) ** 5 == Fraction(13, 18) ** 5

    def test_a_module_may_let_incapacitated_npcs_die_or_live_at_once(self) -> None:
        assert as_npcs_go(DOWN, RULES) == DOWN
        assert as_npcs_go(DOWN, combat(npcs="they die").combat).out is Out.DEAD
        assert as_npcs_go(DOWN, combat(npcs="they live").combat).is_stable
        assert as_npcs_go(ASLEEP, combat(npcs="they die").combat) == ASLEEP

    def test_bleeding_is_rolled_on_the_own_turn_in_a_fight_or_after_a_minute(self) -> None:
        assert next_due(DOWN, RULES, in_combat=True) is None
        assert next_due(DOWN, RULES, in_combat=False) == RpjDue(Wait.BLEEDING, 60)
        assert next_due(RpjHealth(), RULES, in_combat=False) is None


@pytest.mark.rule("RPJ-GCS-34")
class TestStabilized:
    def test_a_stabilized_character_stops_bleeding_and_stays_incapacitated(self) -> None:
        stable = stabilized(DOWN.model_copy(update={"bleeding": 3}))

        assert (stable.bleeding, stable.is_bleeding, stable.out) == (0, False, Out.INCAPACITATED)

    def test_a_stabilized_character_wakes_after_8_hours(self) -> None:
        stable = stabilized(DOWN)

        assert next_due(stable, RULES, in_combat=False) == RpjDue(Wait.SLEEPING, 8 * 3600)
        assert recovered(figure(health=stable)) == RpjHealth(lost_base=(7,))


@pytest.mark.rule("RPJ-GCS-35")
class TestKnockedOut:
    def test_waking_adds_constitution_and_gets_easier_with_each_try(self) -> None:
        tired = figure("CON 3", health=ASLEEP)
        check = waking_check(tired)

        assert (check.modifier, check.target) == (3, 12)
        later = after_waking(tired, thrown(check, 4, 4))
        assert later.wakings == 1
        again = waking_check(figure("CON 3", health=later))
        assert again.target == 11
        assert read(again, 4, 4).result.is_success

    def test_a_knocked_out_character_with_constitution_0_keeps_trying_to_wake(self) -> None:
        targets = [
            waking_check(figure(health=ASLEEP.model_copy(update={"wakings": tries}))).target
            for tries in range(3)
        ]

        assert targets == [12, 11, 10]

    def test_a_knocked_out_character_without_base_saves_wakes_weakened(self) -> None:
        assert awake(figure(health=ASLEEP)) == WEAK
        assert after_waking(figure(health=ASLEEP), thrown(waking_check(figure(health=ASLEEP)), 6, 6)) == WEAK

    def test_a_knocked_out_character_with_base_saves_wakes_healthy(self) -> None:
        assert awake(figure(health=RpjHealth(out=Out.KNOCKED_OUT))) == RpjHealth()

    def test_the_first_try_to_wake_comes_after_five_minutes_or_five_rounds(self) -> None:
        assert next_due(ASLEEP, RULES, in_combat=True) == RpjDue(Wait.WAKING, 300)
        assert 5 * RULES.round_seconds == 300

    def test_the_hit_that_takes_the_last_base_save_decides_between_knocked_out_and_incapacitated(
        self,
    ) -> None:
        one_left = figure(health=RpjHealth(lost_base=(7,)))

        assert take_hit(one_left, Strike(is_nonlethal=True), d6(1, 1))[0].health.out is Out.KNOCKED_OUT
        assert take_hit(one_left, Strike(), d6(1, 1))[0].health.out is Out.INCAPACITATED


@pytest.mark.rule("RPJ-GCS-36")
class TestCoupDeGrace:
    @pytest.mark.parametrize(("faces", "kills"), [((4, 5), True), ((4, 4), False)])
    def test_a_coup_de_grace_is_two_dice_against_7_plus_the_constitution_bonus(
        self, faces: tuple[int, int], kills: bool
    ) -> None:
        check = coup_check(bedside(), "ug", "orc")

        assert (check.terms, check.target) == ((), 9)
        assert read(check, *faces).result.is_success is kills
        assert killed(DOWN).out is Out.DEAD

    def test_a_coup_de_grace_takes_an_action_and_replaces_the_turns_attacks(self) -> None:
        fight = coup_begun(bedside(), "ug", "orc")

        assert fight["ug"].fighter.turn.actions == 1
        assert fight["orc"].fighter.was_targeted
        with pytest.raises(UserError, match="You can only attempt one coup de grace per turn"):
            coup_begun(fight, "ug", "orc")
        with pytest.raises(UserError, match="A coup de grace replaces this turn's attacks"):
            assert_may_attack(fight, "ug")

    def test_a_coup_de_grace_needs_an_incapacitated_target_in_reach_and_no_attack_before(self) -> None:
        with pytest.raises(UserError, match="Ug has already attacked this turn"):
            coup_begun(bedside(turn=turn(1, 2, has_attacked=True)), "ug", "orc")
        with pytest.raises(UserError, match="Orc isn't in Ug's group"):
            coup_begun(bedside(group=2), "ug", "orc")
        with pytest.raises(UserError, match="Orc isn't incapacitated"):
            coup_begun(bedside().with_health("orc", RpjHealth()), "ug", "orc")


@pytest.mark.rule("RPJ-GCS-37")
class TestHelpingHand:
    def test_a_helping_hand_is_a_medical_check_against_9(self) -> None:
        check = helping_check(medic(2))

        assert (check.modifier, check.target) == (2, 9)
        assert read(check, 3, 4).total == 9
        assert helping_check(medic(2, "medical_kit")).target == 7

    def test_a_helping_hand_brings_the_patient_back_weakened(self) -> None:
        assert helped(DOWN.model_copy(update={"bleeding": 3})) == WEAK

    def test_a_helping_hand_takes_an_action_and_replaces_the_turns_attacks(self) -> None:
        fight = hand_lent(bedside(), "ug", "orc")

        assert fight["ug"].fighter.turn.actions == 1
        with pytest.raises(UserError, match="You can only give one helping hand per turn"):
            hand_lent(fight, "ug", "orc")
        with pytest.raises(UserError, match="A helping hand replaces this turn's attacks"):
            assert_may_attack(fight, "ug")
        with pytest.raises(UserError, match="Ug has already attacked this turn"):
            hand_lent(bedside(turn=turn(1, 2, has_attacked=True)), "ug", "orc")

    @pytest.mark.rule("RPJ-GCS-47")
    def test_mooks_cannot_give_or_receive_a_helping_hand(self) -> None:
        fight = battle(mook("m1"), person("ug", health=DOWN), mook("m2"), turn_of="mooks")

        with pytest.raises(UserError, match="Mooks can't give a helping hand"):
            hand_lent(fight, "m1", "ug")
        with pytest.raises(UserError, match="stays down"):
            hand_lent(battle(person("ug"), mook("m1")), "ug", "m1")


@pytest.mark.rule("RPJ-GCS-38")
class TestWeakened:
    def test_a_weakened_character_has_one_action_worse_attacks_and_one_base_save(self) -> None:
        fight = battle(person("ug", "DEX 6", health=WEAK), person("orc"))
        aim = RpjAim(attacker="ug", target="orc", arm=Arm(id="a", name="a", base=()))

        assert fight["ug"].actions == 1
        assert attack_check(fight, aim, best_defense(fight["orc"])).modifier == -1
        assert take_hit(figure("CON 6", health=WEAK), Strike(damage=2), d6(6, 6))[0].roll.against == "9+"

    def test_a_weakened_characters_armor_still_saves_first(self) -> None:
        assert [str(layer) for layer in layers_of(figure(belongings=("leather",), health=WEAK))] == [
            "5+/5+",
            "7+",
        ]

    def test_a_weakened_character_who_fails_a_base_save_bleeds_again(self) -> None:
        told = take_hit(figure(health=WEAK), Strike(), d6(1, 1))

        assert told[0].health == DOWN


@pytest.mark.rule("RPJ-GCS-39")
class TestMedicalAttention:
    def test_medical_attention_is_a_medical_check_against_11(self) -> None:
        check = treating_check(medic(4))

        assert (check.modifier, check.target) == (4, 11)
        assert read(check, 3, 4).result.is_success
        assert not read(check, 2, 4).result.is_success
        assert treating_check(medic(4, "medical_kit")).target == 9

    @pytest.mark.parametrize("health", [stabilized(DOWN), ASLEEP, WEAK])
    def test_medical_attention_ends_the_weakness_and_leaves_one_base_save(self, health: RpjHealth) -> None:
        assert_treatable(medic(1, "medical_kit"), health, in_combat=False)
        assert after_treatment(health) == RpjHealth(lost_base=(7,))

    @pytest.mark.rule("RPJ-HEALTH-16")
    def test_medical_attention_keeps_the_base_saves_that_were_left(self) -> None:
        assert after_treatment(put_out(RpjHealth(), Strike())) == RpjHealth()
        assert after_treatment(put_out(RpjHealth(lost_base=(7, 7)), Strike())) == RpjHealth(lost_base=(7,))

    @pytest.mark.parametrize(
        ("health", "problem"),
        [
            (DOWN, "A bleeding character must be stabilized first"),
            (RpjHealth(), "Medical attention wouldn't help here"),
            (killed(DOWN), "The dead"),
        ],
    )
    def test_only_weakened_characters_can_get_medical_attention(
        self, health: RpjHealth, problem: str
    ) -> None:
        with pytest.raises(UserError, match=problem):
            assert_treatable(medic(1, "medical_kit"), health, in_combat=False)

    def test_medical_attention_needs_equipment_and_is_impossible_in_a_fight(self) -> None:
        with pytest.raises(UserError, match="Medical attention takes an hour outside a fight"):
            assert_treatable(medic(1, "medical_kit"), WEAK, in_combat=True)
        with pytest.raises(UserError, match="needs equipment") as refused:
            assert_treatable(medic(1), WEAK, in_combat=False)
        assert "First aid kit" in refused.value.allowed

    def test_medical_attention_needs_no_equipment_if_the_module_names_none(self) -> None:
        rows = [{**row, "is_medical": False} for row in KIT.model_dump(mode="json")["gear"]]

        assert_treatable(medic(1, module=module_with(KIT, gear=rows)), WEAK, in_combat=False)


@pytest.mark.rule("RPJ-GCS-40")
class TestEndOfWeakness:
    def test_weakness_ends_after_8_hours_with_one_base_save_back(self) -> None:
        assert next_due(WEAK, RULES, in_combat=False) == RpjDue(Wait.WEAK, 8 * 3600)
        assert recovered(figure(health=WEAK)) == RpjHealth(lost_base=(7,))

    def test_the_base_saves_left_return_when_weakness_ends(self) -> None:
        assert recovered(figure("CON 3", health=RpjHealth(lost_base=(7,), is_weak=True))) == RpjHealth(
            lost_base=(7,)
        )

    def test_a_weakened_character_heals_nothing_by_resting(self) -> None:
        assert rested(WEAK, 6) == WEAK
        assert rested(recovered(figure(health=WEAK)), 2) == RpjHealth()


@pytest.mark.rule("RPJ-GCS-41")
class TestRest:
    @pytest.mark.parametrize(("hours", "lost"), [(4, (7,)), (5, (7,)), (6, ()), (20, ())])
    def test_rest_restores_a_base_save_every_two_hours(self, hours: int, lost: tuple[int, ...]) -> None:
        assert rested(RpjHealth(lost_base=(7, 7, 7)), hours).lost_base == lost


@pytest.mark.rule("RPJ-GCS-66")
class TestEndOfTheFight:
    def test_after_a_fight_wounds_stay_and_every_other_effect_ends(self) -> None:
        ward = Layer.fresh("ward", "Ward", LayerKind.ABILITY, (5,))
        bleeding = DOWN.model_copy(update={"bleeding": 2, "layers": (ward,)})
        fight = battle(
            person("ug", health=bleeding),
            person("orc"),
            mook("m1"),
            mook("m2", out=Out.DEAD),
            round_=5,
            grapples=(("orc", "m1"),),
        )
        after = ended(fight)

        assert (after.rounds, after.bleeding, after.out, after.mooks) == (5, ("Ug",), ("Ug",), 1)
        assert after.healths == {"ug": DOWN.model_copy(update={"bleeding": 2}), "orc": RpjHealth()}

    def test_after_a_fight_bleeding_is_rolled_each_minute(self) -> None:
        bleeding = DOWN.model_copy(update={"bleeding": 2})

        assert next_due(bleeding, RULES, in_combat=False) == RpjDue(Wait.BLEEDING, 60)
        assert bled(bleeding, 1, 2).bleeding == 3


def test_a_combatant_brought_back_by_a_helping_hand_acts_from_the_next_turn() -> None:
    fight = bedside().with_health("orc", helped(DOWN))

    assert next_turn(fight)["orc"].fighter.turn.actions == 1


@pytest.mark.rule("RPJ-GCS-33")
@pytest.mark.parametrize(
    ("npcs", "who", "before", "after"),
    [
        ("they die", "Ogre", RpjHealth(), Out.DEAD),
        ("they die", "Ogre", ASLEEP, Out.INCAPACITATED),
        ("they die", "Ug", RpjHealth(), Out.INCAPACITATED),
        ("they bleed like everybody", "Ogre", RpjHealth(), Out.INCAPACITATED),
    ],
)
def test_only_an_npc_put_out_of_action_now_dies_at_once_where_the_module_says_so(
    npcs: str, who: str, before: RpjHealth, after: Out
) -> None:
    table = rpj_table(RpjSettings(module="own").with_module(combat(npcs=npcs)))
    table.change(who, health=before)

    scene = with_health(table.scene, table.named(who), DOWN)

    assert scene.character(table.ids[who]).sheet.health.out is after


@pytest.mark.rule("RPJ-GCS-36")
@pytest.mark.parametrize(
    ("victim", "target"),
    [
        (person("orc", "CON 6", foe=True, health=DOWN), 9),
        (person("orc", "CON 2", foe=True, health=DOWN), 7),
        (person("orc", "CON -3", foe=True, health=DOWN), 6),
        (mook("orc"), 7),
    ],
)
def test_only_a_constitution_bonus_makes_a_coup_de_grace_harder(victim: Person, target: int) -> None:
    assert coup_check(battle(person("ug"), victim), "ug", "orc").target == target


NOBODY = figure()
MISS = FreeAttackTrigger.MELEE_MISS


@pytest.mark.rule("RPJ-TRAIT-07")
class TestCombatTraits:
    def test_riposte_uses_up_the_rounds_free_attack(self) -> None:
        duelist = figure(traits=["riposte"])

        assert offered_strike(duelist, MISS, 1) == OfferedStrike(left=0)
        assert offered_strike(duelist, MISS, 0) is None

    def test_a_ranged_miss_offers_no_riposte(self) -> None:
        assert offered_strike(figure(traits=["riposte"]), None, 1) is None
        assert offered_strike(NOBODY, MISS, 1) is None

    def test_a_module_may_make_a_riposte_free(self) -> None:
        free = {"type": "free_attack_on", "trigger": MISS.value, "costs_the_free_attack": False}

        assert offered_strike(figure("", with_trait("swift", free), traits=["swift"]), MISS, 0) == (
            OfferedStrike(left=0)
        )

    def test_a_trait_may_give_a_cautious_move_two_steps(self) -> None:
        agile = with_trait("nimble", {"type": "cautious_movement", "steps": 2})

        assert caution(figure("", agile, traits=["nimble"])) == Caution(actions=None, steps=2)

    def test_battlefield_mobility_makes_a_cautious_move_cheaper(self) -> None:
        assert caution(figure(traits=["battlefield_mobility"])) == Caution(actions=2, steps=1)
        assert caution(NOBODY) == Caution(actions=None, steps=1)

    def test_alert_adds_1_to_initiative(self) -> None:
        alert = figure(traits=["alert"])

        assert [(term.label, term.value) for term in initiative_terms(alert, RpjCircumstances())] == [
            ("Alert", 1)
        ]

    def test_characters_with_quick_draw_go_first(self) -> None:
        assert goes_first(figure(traits=["quick_draw"]))
        assert not goes_first(figure(traits=["alert"]))

    def test_a_hand_to_hand_master_does_more_damage_and_may_kill(self) -> None:
        assert fists(figure(traits=["hand_to_hand_master"])) == Fists(damage=1, may_kill=True)
        assert fists(NOBODY) == Fists(damage=0, may_kill=False)

    def test_tough_adds_a_base_save(self) -> None:
        assert figure(traits=["tough"]).base_saves == (6, 7, 7)

    def test_a_trait_may_grant_a_maneuver(self) -> None:
        trained = with_trait("trained", {"type": "grants_maneuver", "maneuver": "watchful"})

        assert granted_maneuvers(figure("", trained, traits=["trained"])) == {"watchful"}
        assert granted_maneuvers(NOBODY) == frozenset()


UG, ORC, WOLF = CharacterId(1), CharacterId(2), CharacterId(3)
SAVE = window_of(UG)
INITIATIVE = window_of(UG, is_initiative=True)


def at(*who: CharacterId) -> frozenset[CharacterId]:
    return frozenset(who)


@pytest.mark.rule("RPJ-LUCK-03")
class TestRollDeadlines:
    @pytest.mark.parametrize(
        ("window", "happening", "why"),
        [
            pytest.param(
                SAVE,
                LaterEntry(by=ORC, against=at(UG)),
                RpjClosing.PLAYED_ON,
                id="a second hit on the same one",
            ),
            pytest.param(SAVE, LaterEntry(by=ORC, against=at(WOLF)), None, id="a hit on another one"),
            pytest.param(SAVE, LaterEntry(by=UG), RpjClosing.PLAYED_ON, id="the roll against bleeding out"),
            pytest.param(SAVE, LaterEntry(by=ORC), None, id="another one's own action"),
            pytest.param(
                window_of(ORC, UG),
                LaterEntry(by=UG),
                RpjClosing.PLAYED_ON,
                id="the main check after an assist",
            ),
            pytest.param(SAVE, LaterEntry(by=ORC, is_use=True), RpjClosing.USED, id="what rests on it"),
            pytest.param(SAVE, LaterEntry(is_end_of_countdown=True), RpjClosing.RESOLVED, id="its countdown"),
            pytest.param(INITIATIVE, LaterEntry(moments=(FIRST_TURN,)), RpjClosing.TURN, id="the first turn"),
            pytest.param(SAVE, LaterEntry(moments=(FIRST_TURN,)), None, id="which closes initiative only"),
            pytest.param(SAVE, LaterEntry(moments=(CLOSED,)), RpjClosing.GM, id="the GM closes all"),
            pytest.param(
                SAVE, LaterEntry(moments=(CLOSED,), against=at(UG)), RpjClosing.GM, id="or this one's"
            ),
            pytest.param(SAVE, LaterEntry(moments=(CLOSED,), against=at(ORC)), None, id="or another one's"),
            pytest.param(
                SAVE, LaterEntry(procedure="encounter.end"), RpjClosing.ENDED, id="the fight is over"
            ),
            pytest.param(
                SAVE, LaterEntry(moments=(SESSION_ENDED,)), RpjClosing.ENDED, id="the session is over"
            ),
            pytest.param(
                SAVE, LaterEntry(procedure="restore_break", against=at(UG)), None, id="a note on the sheet"
            ),
        ],
    )
    def test_a_rolls_deadline_expires_once_play_goes_on_from_the_result(
        self, window: Deadline, happening: LaterEntry, why: RpjClosing | None
    ) -> None:
        assert closing(window, happening) is why
