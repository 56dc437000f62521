"""Free attacks, and the maneuvers."""

import pytest

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import RpjCover, RpjTurn, drawn
from bot.rules.rpj.combat.engine.moves import (
    CautiousWalk,
    Goal,
    Payment,
    RpjChance,
    RpjStep,
    Trigger,
    bonus_for,
    carried,
    cautious_paid,
    cautious_walk,
    chance_of,
    chances,
    moved,
    paid,
    step_to,
)
from bot.rules.rpj.combat.fight import PlacedCover
from bot.rules.rpj.combat.rules.combatants import (
    Battle,
    Maneuver,
    assert_known,
    charges_of,
    held,
    knows,
    prepared,
    pulled_aside,
    pushed_away,
)
from bot.rules.rpj.combat.rules.turns import next_turn
from bot.rules.rpj.module.defense_layers import CombatRules, Out, RpjHealth
from bot.rules.rpj.module.effects import FreeAttackTrigger
from bot.rules.rpj.module.module import Module
from tests.rules.rpj.combat.battles import Person, battle, combat, mook, person, turn
from tests.rules.rpj.people import with_trait

NAMES = ("prepare", "watchful", "holding", "guarding")


def _school() -> Module:
    """A module with a gift for each maneuver."""
    module = with_trait("prepare", {"type": "grants_maneuver", "maneuver": "prepare"}, cost=5)
    for name in NAMES[1:]:
        module = with_trait(name, {"type": "grants_maneuver", "maneuver": name}, base=module, cost=5)
    return module


SCHOOL = _school()


def foe(id_: str = "orc", *traits: str, **fighter: object) -> Person:
    return person(id_, foe=True, module=SCHOOL, traits=traits, fighter=dict(fighter))


def chance(reactor: Person, trigger: Trigger, **more: object) -> RpjChance | None:
    fight = battle(person("ug", module=SCHOOL), reactor, module=SCHOOL)
    return chance_of(fight, reactor[0].id, "ug", trigger)


def ids(fight: Battle, trigger: Trigger) -> list[str]:
    return [one.by for one in chances(fight, "ug", trigger)]


@pytest.mark.rule("RPJ-GCS-42")
class TestFreeAttacksPerRound:
    def test_a_fighter_has_one_free_attack_per_round(self) -> None:
        fight = battle(person("ug"), foe())
        first = chance_of(fight, "orc", "ug", Trigger.LEAVING)

        assert first == RpjChance("orc", Payment.ROUND)
        assert chance_of(paid(fight, first), "orc", "ug", Trigger.LEAVING) is None

    def test_a_new_round_restores_the_free_attack(self) -> None:
        fight = next_turn(battle(person("ug"), foe(free_attacks=0), turn_of="orc"))

        assert fight["orc"].fighter.free_attacks == 1

    def test_a_fighter_makes_no_free_attacks_in_their_own_turn(self) -> None:
        assert chance_of(battle(person("ug"), foe(), turn_of="orc"), "orc", "ug", Trigger.LEAVING) is None

    def test_a_spent_free_attack_cannot_be_paid_with_again(self) -> None:
        with pytest.raises(UserError, match="no free attack left"):
            paid(battle(person("ug"), foe(free_attacks=0)), RpjChance("orc", Payment.ROUND))

    @pytest.mark.rule("RPJ-GCS-32")
    def test_incapacitated_and_grappling_fighters_make_no_free_attacks(self) -> None:
        out = person("orc", foe=True, health=RpjHealth(out=Out.INCAPACITATED))

        assert chance(out, Trigger.LEAVING) is None
        held_fast = battle(person("ug"), foe(), person("elf"), grapples=(("orc", "elf"),))
        assert chances(held_fast, "ug", Trigger.LEAVING) == ()


@pytest.mark.rule("RPJ-GCS-43")
class TestFreeAttackTriggers:
    def test_every_enemy_in_the_group_gets_a_free_attack_on_a_leaver_or_shooter(self) -> None:
        fight = battle(person("ug"), foe(), foe("troll"), person("far", foe=True, group=2))

        assert ids(fight, Trigger.LEAVING) == ["orc", "troll"]
        assert ids(fight, Trigger.SHOOTING) == ["orc", "troll"]

    def test_leaving_a_group_of_one_draws_no_free_attack(self) -> None:
        assert ids(battle(person("ug")), Trigger.LEAVING) == []

    def test_allies_get_no_free_attack_unless_they_are_included(self) -> None:
        fight = battle(person("ug"), person("laeniel"))

        assert ids(fight, Trigger.LEAVING) == []
        assert [one.by for one in chances(fight, "ug", Trigger.LEAVING, allies=True)] == ["laeniel"]

    @pytest.mark.rule("RPJ-GCS-67")
    def test_three_mooks_get_three_free_attacks(self) -> None:
        fight = battle(person("ug"), mook("m1"), mook("m2"), mook("m3"))

        assert ids(fight, Trigger.LEAVING) == ["m1", "m2", "m3"]

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_only_a_fighter_with_riposte_gets_a_free_attack_after_a_miss(self) -> None:
        duelist = person("orc", foe=True, traits=["riposte"])

        assert chance(duelist, Trigger.MISSED) == RpjChance("orc", Payment.ROUND)
        assert chance(foe(), Trigger.MISSED) is None
        spent = person("orc", foe=True, traits=["riposte"], fighter={"free_attacks": 0, "charges": 1})
        assert chance(spent, Trigger.MISSED) == RpjChance("orc", Payment.CHARGE)
        assert chance(mook("m1"), Trigger.MISSED) is None
        free = {
            "type": "free_attack_on",
            "trigger": FreeAttackTrigger.MELEE_MISS.value,
            "costs_the_free_attack": False,
        }
        swift = person("orc", foe=True, module=with_trait("swift", free), traits=["swift"])
        assert chance(swift, Trigger.MISSED) == RpjChance("orc", Payment.NOTHING)


@pytest.mark.rule("RPJ-GCS-44")
class TestFreeAttacksOnACoupDeGrace:
    def test_a_free_attack_against_a_coup_de_grace_has_a_bonus_of_2(self) -> None:
        assert bonus_for(Trigger.COUP, CombatRules().coup_bonus) == 2
        assert bonus_for(Trigger.LEAVING, CombatRules().coup_bonus) == 0

    def test_neither_the_victim_nor_a_spent_fighter_interrupts_a_coup_de_grace(self) -> None:
        victim = person("victim", foe=True, health=RpjHealth(out=Out.INCAPACITATED))
        fight = battle(person("ug"), victim, foe(), foe("troll", free_attacks=0))

        assert ids(fight, Trigger.COUP) == ["orc"]


@pytest.mark.rule("RPJ-MNV-01")
class TestLearningManeuvers:
    def test_each_maneuver_is_learned_separately(self) -> None:
        fight = battle(foe("orc", "holding"), module=SCHOOL)

        assert [one for one in Maneuver if knows(fight["orc"], one)] == [Maneuver.HOLDING]
        with pytest.raises(UserError, match="Orc hasn't learned Prepare"):
            assert_known(fight["orc"], Maneuver.PREPARE)

    def test_the_gift_for_a_maneuver_costs_5_points(self) -> None:
        gift = SCHOOL.trait("prepare")

        assert gift is not None
        assert gift.cost == SCHOOL.combat.maneuvers.cost == 5

    def test_a_campaign_can_switch_maneuvers_off(self) -> None:
        plain = combat(SCHOOL, maneuvers={"are_on": False})
        fight = battle(person("orc", module=plain, traits=["holding"]), module=plain)

        assert not knows(fight["orc"], Maneuver.HOLDING)
        with pytest.raises(UserError, match="This campaign doesn't use maneuvers"):
            assert_known(fight["orc"], Maneuver.HOLDING)


@pytest.mark.rule("RPJ-MNV-02")
class TestPrepareManeuver:
    @pytest.mark.parametrize(("dexterity", "charges"), [(3, 1), (4, 2)])
    def test_dexterity_sets_how_many_charges_one_prepare_action_gives(
        self, dexterity: int, charges: int
    ) -> None:
        assert charges_of(dexterity, CombatRules()) == charges

    def test_each_prepare_action_adds_charges(self) -> None:
        ready = battle(person("ug", "DEX 4", module=SCHOOL, traits=["prepare"]), module=SCHOOL)
        once = prepared(ready, "ug")

        assert (once["ug"].fighter.charges, once["ug"].fighter.turn.actions) == (2, 1)
        assert prepared(once, "ug")["ug"].fighter.charges == 4

    def test_a_module_can_cap_prepare_charges(self) -> None:
        capped = combat(SCHOOL, maneuvers={"most_charges": 1})
        ready = battle(person("ug", "DEX 4", module=capped, traits=["prepare"]), module=capped)

        assert prepared(ready, "ug")["ug"].fighter.charges == 1


@pytest.mark.rule("RPJ-MNV-03")
def test_a_prepare_charge_pays_for_another_free_attack() -> None:
    fight = battle(person("ug"), foe(free_attacks=0, charges=2))
    extra = chance_of(fight, "orc", "ug", Trigger.LEAVING)

    assert extra == RpjChance("orc", Payment.CHARGE)
    assert paid(fight, extra)["orc"].fighter.charges == 1


@pytest.mark.rule("RPJ-MNV-04", "RPJ-GCS-45")
class TestFreeAttacksOnCautiousMovers:
    @pytest.mark.parametrize("charges", [1, 3])
    def test_a_free_attack_on_a_cautious_mover_takes_every_prepare_charge(self, charges: int) -> None:
        fight = battle(person("ug"), foe(charges=charges))
        only = chance_of(fight, "orc", "ug", Trigger.CAUTIOUS)

        assert only == RpjChance("orc", Payment.ALL_CHARGES)
        after = paid(fight, only)["orc"].fighter
        assert (after.charges, after.free_attacks) == (0, 1)

    def test_a_cautious_mover_draws_no_free_attack_without_a_prepare_charge(self) -> None:
        assert chance(foe(), Trigger.CAUTIOUS) is None
        with pytest.raises(UserError, match="no free attack left"):
            paid(battle(person("ug"), foe()), RpjChance("orc", Payment.ALL_CHARGES))


@pytest.mark.rule("RPJ-MNV-05")
class TestExpiryOfPrepareCharges:
    def test_prepare_charges_last_until_the_fighters_next_turn(self) -> None:
        fight = battle(person("ug"), foe(charges=2), turn_of="orc", round_=1)
        next_round = next_turn(fight)

        assert (next_round.fight.round, next_round["orc"].fighter.charges) == (2, 2)
        assert next_turn(next_round)["orc"].fighter.charges == 0


@pytest.mark.rule("RPJ-MNV-06")
class TestWatchfulStrike:
    def test_watchful_strike_allows_a_free_attack_on_a_fighter_who_comes_near(self) -> None:
        assert chance(foe("orc", "watchful"), Trigger.ARRIVING) == RpjChance(
            "orc", Payment.ROUND, (Maneuver.WATCHFUL,)
        )
        assert chance(foe(), Trigger.ARRIVING) is None
        assert chance(foe("orc", "watchful", free_attacks=0), Trigger.ARRIVING) is None

    def test_watchful_strike_draws_only_the_target_into_a_new_group(self) -> None:
        fight = pulled_aside(battle(person("ug"), foe(), person("laeniel"), foe("troll")), "orc", "ug")

        assert [[one.id for one in group] for group in fight.fight.groups(1)] == [
            ["laeniel", "troll"],
            ["ug", "orc"],
        ]
        assert fight["ug"].fighter.turn.actions == 2

    def test_a_grappling_fighter_cannot_use_watchful_strike(self) -> None:
        fight = battle(
            person("ug"), foe("orc", "watchful"), person("elf"), grapples=(("orc", "elf"),), module=SCHOOL
        )

        assert chances(fight, "ug", Trigger.ARRIVING) == ()


@pytest.mark.rule("RPJ-MNV-07")
class TestHoldingStrike:
    def test_holding_strike_can_stop_a_fighter_who_leaves_the_group(self) -> None:
        assert chance(foe("orc", "holding"), Trigger.LEAVING) == RpjChance(
            "orc", Payment.ROUND, (Maneuver.HOLDING,)
        )
        assert chance(foe("orc", "holding", charges=1), Trigger.CAUTIOUS) == RpjChance(
            "orc", Payment.ALL_CHARGES, (Maneuver.HOLDING,)
        )
        assert chance(foe("orc", "holding"), Trigger.CAUTIOUS) is None

    def test_a_held_fighter_can_act_but_not_move(self) -> None:
        fight = held(battle(person("ug"), foe()).spent("ug"), "ug")

        assert fight["ug"].fighter.turn.actions == 1
        with pytest.raises(UserError, match="is held"):
            step_to(fight, "ug", Goal(2))


@pytest.mark.rule("RPJ-MNV-08")
class TestGuardingStrike:
    def test_one_free_attack_offers_both_watchful_and_guarding_strike(self) -> None:
        assert chance(foe("orc", "guarding", "watchful"), Trigger.ARRIVING) == RpjChance(
            "orc", Payment.ROUND, (Maneuver.WATCHFUL, Maneuver.GUARDING)
        )

    def test_guarding_strike_leaves_the_target_alone_and_unable_to_return(self) -> None:
        fight = pushed_away(battle(person("ug"), foe(), person("laeniel")), "orc", "ug")

        assert fight["ug"].fighter.group == 2
        with pytest.raises(UserError, match="keeps Ug away"):
            step_to(fight, "ug", Goal(beside="laeniel"))
        assert step_to(
            fight.with_fight(fight.fight.model_copy(update={"turn": "orc"})), "orc", Goal(None, "ug")
        )

    def test_the_targets_next_turn_ends_guarding_strike(self) -> None:
        fight = pushed_away(battle(person("ug"), foe()), "orc", "ug")

        assert step_to(next_turn(next_turn(fight)), "ug", Goal(beside="orc")).group == 1


@pytest.mark.rule("RPJ-GCS-42", "RPJ-GCS-43", "RPJ-GCS-44", "RPJ-MNV-03", "RPJ-MNV-04", "RPJ-TRAIT-07")
@pytest.mark.parametrize(
    ("trigger", "free", "charges", "payment"),
    [
        (Trigger.LEAVING, 1, 0, Payment.ROUND),
        (Trigger.LEAVING, 1, 2, Payment.ROUND),
        (Trigger.LEAVING, 0, 1, Payment.CHARGE),
        (Trigger.LEAVING, 0, 0, None),
        (Trigger.SHOOTING, 1, 0, Payment.ROUND),
        (Trigger.SHOOTING, 0, 0, None),
        (Trigger.COUP, 1, 0, Payment.ROUND),
        (Trigger.COUP, 0, 2, Payment.CHARGE),
        (Trigger.CAUTIOUS, 1, 0, None),
        (Trigger.CAUTIOUS, 0, 1, Payment.ALL_CHARGES),
        (Trigger.ARRIVING, 1, 0, None),
        (Trigger.MISSED, 1, 0, None),
    ],
)
@pytest.mark.parametrize("where", ["beside", "apart", "itself", "out", "grappling", "their own turn"])
def test_what_a_free_attack_is_paid_with(
    trigger: Trigger, free: int, charges: int, payment: Payment | None, where: str
) -> None:
    orc = person(
        "orc",
        foe=True,
        group=2 if where == "apart" else 1,
        fighter={"free_attacks": free, "charges": charges},
        health=RpjHealth(out=Out.INCAPACITATED if where == "out" else Out.NO),
    )
    holds = (("orc", "elf"),) if where == "grappling" else ()
    turn_of = "orc" if where == "their own turn" else "ug"
    fight = battle(person("ug"), orc, person("elf"), turn_of=turn_of, grapples=holds)

    found = chance_of(fight, "orc", "orc" if where == "itself" else "ug", trigger)

    assert (found and found.payment) == (payment if where == "beside" else None)


AGILE = with_trait("nimble", {"type": "cautious_movement", "steps": 2})


def walk(fight: Battle, id_: str, goal: Goal) -> Battle:
    """One Move action."""
    step = step_to(fight, id_, goal)
    return moved(fight.spent(id_), id_, step)


@pytest.mark.rule("RPJ-GCS-45")
@pytest.mark.parametrize(
    ("effects", "left", "walk"),
    [
        ((), turn(2), CautiousWalk(None, 1)),
        ((), turn(3), CautiousWalk(None, 1)),
        ((), turn(1, received=2), None),
        (({"steps": 2},), turn(2), CautiousWalk(None, 2)),
        (({"steps": 2},), turn(1, received=2), None),
        (({"steps": 1, "actions": 2},), turn(2, received=3), CautiousWalk(2, 1)),
        (({"steps": 1, "actions": 2},), turn(2), CautiousWalk(2, 1)),
        (({"steps": 3, "actions": 3},), turn(2), CautiousWalk(None, 3)),
        (({"steps": 3, "actions": 3},), turn(1, received=2), None),
    ],
)
def test_a_cautious_move_takes_the_whole_turn_unless_a_gift_makes_it_shorter(
    effects: tuple[dict[str, int], ...], left: RpjTurn, walk: CautiousWalk | None
) -> None:
    module = with_trait("nimble", *({"type": "cautious_movement", **effect} for effect in effects))
    fight = battle(person("ug", module=module, traits=["nimble"], fighter={"turn": left}), module=module)

    if walk is None:
        with pytest.raises(UserError, match="whole turn"):
            cautious_walk(fight, "ug")
    else:
        assert cautious_walk(fight, "ug") == walk


@pytest.mark.parametrize(("round_", "is_first"), [(1, True), (2, False), (3, False)])
def test_only_the_first_round_is_the_first(round_: int, is_first: bool) -> None:
    assert battle(person("ug"), round_=round_)["ug"].now.is_first_round is is_first


@pytest.mark.rule("RPJ-GCS-10")
class TestMoving:
    def test_moving_two_regions_takes_two_moves(self) -> None:
        fight = walk(walk(battle(person("ug")), "ug", Goal(2)), "ug", Goal(3))

        assert (fight["ug"].fighter.region, fight["ug"].fighter.turn.actions) == (3, 0)

    def test_a_move_to_a_region_that_is_not_adjacent_is_refused(self) -> None:
        with pytest.raises(UserError) as refused:
            step_to(battle(person("ug", region=2)), "ug", Goal(4))

        assert refused.value.sentences == (
            "Region 4 isn't next to Region 2.",
            "From there, one move leads to Region 1, Region 3.",
        )

    def test_an_obstacle_between_regions_blocks_a_move(self) -> None:
        with pytest.raises(UserError, match="isn't next to"):
            step_to(battle(person("ug"), field=drawn("1/2")), "ug", Goal(2))

    def test_a_move_can_join_another_group_in_the_region(self) -> None:
        fight = walk(battle(person("ug"), person("orc", group=2)), "ug", Goal(beside="orc"))

        assert fight["ug"].fighter.group == 2
        assert fight["ug"].fighter.turn.actions == 1

    def test_a_fighter_who_enters_a_region_joins_a_group_or_starts_one(self) -> None:
        fight = battle(person("ug"), person("orc", region=2, group=2))

        assert step_to(fight, "ug", Goal(2, "orc")) == RpjStep(2, 2, leaves=False)
        assert step_to(fight, "ug", Goal(beside="orc")) == RpjStep(2, 2, leaves=False)
        assert walk(fight, "ug", Goal(2))["ug"].fighter.group == 3
        with pytest.raises(UserError, match="Orc is in Region 2"):
            step_to(fight, "ug", Goal(1, "orc"))

    def test_a_fighter_can_leave_a_group_to_stand_alone(self) -> None:
        fight = battle(person("ug"), person("orc"))

        assert step_to(fight, "ug", Goal()) == RpjStep(1, None, leaves=True)
        assert walk(fight, "ug", Goal())["ug"].fighter.group == 2

    def test_moves_that_lead_nowhere_are_refused(self) -> None:
        with pytest.raises(UserError, match="Ug is already alone there"):
            step_to(battle(person("ug")), "ug", Goal())
        with pytest.raises(UserError, match="Ug and Orc are already in the same group"):
            step_to(battle(person("ug"), person("orc")), "ug", Goal(beside="orc"))

    def test_nobody_can_leave_a_region_without_exits(self) -> None:
        with pytest.raises(UserError, match="isn't next to") as refused:
            step_to(battle(person("ug"), field=drawn("", regions=2)), "ug", Goal(2))

        assert refused.value.allowed == "There is no way out of there."

    @pytest.mark.rule("RPJ-MNV-07")
    def test_a_held_fighter_cannot_move(self) -> None:
        with pytest.raises(UserError, match="is held"):
            step_to(battle(person("ug", fighter={"turn": turn(2, is_held=True)})), "ug", Goal(2))

    @pytest.mark.rule("RPJ-MNV-08")
    def test_a_fighter_kept_away_from_a_foe_cannot_join_that_group(self) -> None:
        fight = battle(person("ug", group=2, fighter={"barred": ("orc",)}), person("orc"), mook("m1"))

        with pytest.raises(UserError, match="Orc keeps Ug away"):
            step_to(fight, "ug", Goal(beside="m1"))

    @pytest.mark.rule("RPJ-MNV-08", "RPJ-FIRE-12")
    def test_a_fighter_kept_away_from_a_foe_cannot_join_it_behind_cover(self) -> None:
        away = {"barred": ("orc",)}
        fight = battle(person("ug", group=2, fighter=away), person("orc"), person("elf", group=3))
        covers = tuple(
            PlacedCover(id=id_, cover=RpjCover(quality=3), region=1, groups=(group,))
            for id_, group in ((1, 1), (2, 3), (3, 4))
        )
        fight = fight.with_fight(evolve(fight.fight, covers=covers))

        with pytest.raises(UserError, match="Orc keeps Ug away"):
            step_to(fight, "ug", Goal(cover=1))
        assert [step_to(fight, "ug", Goal(cover=id_)).group for id_ in (2, 3)] == [3, 4]

    @pytest.mark.rule("RPJ-GCS-43", "RPJ-GCS-56")
    def test_being_carried_costs_no_action_and_ends_a_grapple(self) -> None:
        fight = battle(person("ug"), person("orc"), grapples=(("ug", "orc"),))
        gone = carried(fight, "ug", 6, None)

        assert (gone["ug"].fighter.region, gone["ug"].fighter.turn.actions) == (6, 2)
        assert gone.fight.grapples == ()


@pytest.mark.rule("RPJ-GCS-45")
class TestCautiousMovement:
    def test_a_cautious_move_takes_the_whole_turn(self) -> None:
        fight = battle(person("ug", "DEX 4", actions=3))

        assert cautious_walk(fight, "ug") == CautiousWalk(actions=None, steps=1)
        assert cautious_paid(fight, "ug", cautious_walk(fight, "ug"))["ug"].fighter.turn.actions == 0

    def test_a_cautious_move_is_refused_once_part_of_the_turn_is_spent(self) -> None:
        with pytest.raises(UserError, match="takes a whole turn"):
            cautious_walk(battle(person("ug")).spent("ug", has_attacked=True), "ug")
        with pytest.raises(UserError, match="takes a whole turn"):
            cautious_walk(battle(mook("m1", turn=turn(1, 2)), turn_of="mooks"), "m1")

    def test_a_cautious_move_goes_as_far_as_one_move(self) -> None:
        fight = battle(person("ug"), person("orc"))

        assert step_to(fight, "ug", Goal(), cautious_walk(fight, "ug").steps) == RpjStep(1, None, leaves=True)
        with pytest.raises(UserError, match="isn't next to"):
            step_to(fight, "ug", Goal(3), 1)

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_a_trait_can_extend_a_cautious_move_to_two_regions(self) -> None:
        fight = battle(person("ug", module=AGILE, traits=["nimble"]), module=AGILE)

        assert cautious_walk(fight, "ug").steps == 2
        assert step_to(fight, "ug", Goal(3), 2).region == 3

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_battlefield_mobility_lets_a_cautious_move_take_two_actions(self) -> None:
        fight = battle(person("ug", "DEX 4", actions=3, traits=["battlefield_mobility"])).spent("ug")

        assert cautious_paid(fight, "ug", cautious_walk(fight, "ug"))["ug"].fighter.turn.actions == 0
