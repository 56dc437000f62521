"""Rounds, turns, actions, and what else a turn can be spent on."""

from typing import Any

import pytest

from bot.rules.kernel import Roll, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.lucky_breaks import with_extra_die
from bot.rules.rpj.combat.combatant import MookSheet, RpjCombatant, RpjKind, Side, drawn, line
from bot.rules.rpj.combat.engine.magic_steps import assert_reached
from bot.rules.rpj.combat.fight import MOOKS, Fight, mooks, placed
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.turns import (
    INITIATIVE,
    ROLL_OFF,
    RollOffInputs,
    acting,
    begun,
    by_fiat,
    combat_order,
    demoted,
    ended,
    first_round,
    full_task,
    initiative_check,
    joined,
    next_turn,
    settled,
    single_task,
    slots,
    swapped,
    ties,
)
from bot.rules.rpj.module.abilities import Reach
from bot.rules.rpj.module.defense_layers import CombatRules, Out, RpjHealth, actions_of
from bot.rules.rpj.module.module import Module
from tests.rules.rpj.combat.battles import GOBLIN, battle, combat, mook, person, turn
from tests.rules.rpj.people import FANTASY, known, with_skill, with_trait
from tests.rules.rpj.table import GameTable, rpj_table
from tests.rules.rpj.throws import d6

OUT = RpjHealth(out=Out.INCAPACITATED)


def order_of(fight: Battle, turns: int) -> list[tuple[int, str]]:
    """The next turns, with the round each is in."""
    seen = []
    for _ in range(turns):
        seen.append((fight.fight.round, fight.fight.turn))
        fight = next_turn(fight)
    return seen


def newcomer(id_: str, side: Side = Side.PLAYERS) -> RpjCombatant:
    return RpjCombatant(id=id_, name=id_.capitalize(), kind=RpjKind.PLAYER, side=side)


@pytest.mark.rule("RPJ-GCS-08")
class TestRounds:
    def test_a_round_ends_when_all_three_combatants_have_had_a_turn(self) -> None:
        fight = begun(battle(person("a"), person("b"), person("c"), round_=0, turn_of=""))

        assert order_of(fight, 4) == [(1, "a"), (1, "b"), (1, "c"), (2, "a")]

    def test_an_incapacitated_combatant_still_has_a_turn_without_actions(self) -> None:
        fight = begun(battle(person("a"), person("b", health=OUT), round_=0, turn_of=""))

        assert order_of(fight, 3) == [(1, "a"), (1, "b"), (2, "a")]
        assert next_turn(fight)["b"].fighter.turn.actions == 0

    def test_a_fight_starts_only_once_and_only_with_an_initiative_order(self) -> None:
        fight = begun(battle(person("a"), round_=0, turn_of=""))

        with pytest.raises(UserError, match="This fight has already started"):
            begun(fight)
        with pytest.raises(UserError, match="This fight hasn't started"):
            next_turn(battle(person("a"), round_=0))
        with pytest.raises(UserError, match="There is no initiative order yet"):
            begun(Battle(Fight(), fight.module))

    @pytest.mark.rule("RPJ-GCS-47")
    def test_mooks_act_together_at_the_end_of_the_round(self) -> None:
        fight = begun(battle(mook("m1"), mook("m2"), person("ug"), round_=0, turn_of=""))

        assert slots(fight) == ("ug", MOOKS)
        goblins = next_turn(fight)
        assert [one.id for one in acting(goblins)] == ["m1", "m2"]
        assert [one.turn.actions for one in acting(goblins)] == [2, 2]
        assert order_of(goblins, 2) == [(1, MOOKS), (2, "ug")]

    @pytest.mark.rule("RPJ-GCS-47")
    def test_dead_mooks_have_no_turn(self) -> None:
        assert slots(battle(mook("m1", out=Out.DEAD), person("ug"))) == ("ug",)

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_quick_draw_puts_its_owner_first_in_the_first_round_only(self) -> None:
        fight = begun(battle(person("a"), person("b", traits=["quick_draw"]), round_=0, turn_of=""))

        assert order_of(fight, 4) == [(1, "b"), (1, "a"), (2, "a"), (2, "b")]

    def test_the_next_round_starts_when_the_last_in_order_leaves_in_their_turn(self) -> None:
        fight = battle(person("a"), person("b"), turn_of="b", round_=3)
        left = fight.with_fight(fight.fight.without_fighter("b"))

        assert (next_turn(left).fight.round, next_turn(left).fight.turn) == (4, "a")


@pytest.mark.rule("RPJ-GCS-09")
class TestActionsPerTurn:
    @pytest.mark.parametrize(("dexterity", "actions"), [(0, 2), (3, 2), (4, 3), (6, 3), (7, 4)])
    def test_dexterity_sets_the_actions_per_turn(self, dexterity: int, actions: int) -> None:
        assert actions_of(dexterity, CombatRules()) == actions
        assert battle(person("ug", f"DEX {dexterity}"))["ug"].actions == actions

    def test_a_weak_combatant_has_one_action(self) -> None:
        assert battle(person("ug", "DEX 6", health=RpjHealth(is_weak=True)))["ug"].actions == 1

    def test_losing_dexterity_does_not_take_actions_from_the_current_turn(self) -> None:
        slowed = begun(battle(person("ug", "DEX 4"), round_=0, turn_of=""))
        slowed = Battle(slowed.fight, slowed.module, battle(person("ug", "DEX 3")).figures)

        assert slowed["ug"].fighter.turn.actions == 3


@pytest.mark.rule("RPJ-GCS-22")
class TestOneTurn:
    def test_unspent_actions_are_lost_at_the_end_of_the_turn(self) -> None:
        fight = begun(battle(person("ug", "DEX 4"), person("orc"), round_=0, turn_of=""))
        spent = fight.spent("ug")

        assert spent["ug"].fighter.turn.actions == 2
        assert next_turn(spent)["ug"].fighter.turn.actions == 0
        assert next_turn(next_turn(spent))["ug"].fighter.turn.actions == 3

    def test_a_new_turn_clears_charges_and_marks_of_the_last_one(self) -> None:
        marked = {"charges": 2, "barred": ("b",), "turn": turn(0, 2, has_attacked=True, is_held=True)}
        fight = next_turn(battle(person("b"), person("a", fighter=marked), turn_of="b"))

        assert fight["a"].fighter.turn == turn(2)
        assert (fight["a"].fighter.charges, fight["a"].fighter.barred) == (0, ())

    def test_nobody_acts_out_of_turn_or_with_more_actions_than_they_have(self) -> None:
        fight = battle(person("ug", actions=1), person("orc"))

        with pytest.raises(UserError, match="It isn't Orc's turn"):
            fight.spent("orc")
        with pytest.raises(UserError, match="Ug has 1 action left; that takes 2"):
            fight.spent("ug", 2)
        with pytest.raises(UserError, match="no actions left"):
            fight.spent("ug").spent("ug")

    @pytest.mark.rule("RPJ-GCS-32")
    def test_an_incapacitated_combatant_cannot_act(self) -> None:
        with pytest.raises(UserError, match="Ug is incapacitated and can't act"):
            battle(person("ug", health=OUT)).spent("ug")


@pytest.mark.rule("RPJ-GCS-12")
class TestSingleActionTask:
    def test_a_task_takes_one_action(self) -> None:
        fight = single_task(battle(person("ug")), "ug")

        assert fight["ug"].fighter.turn.actions == 1
        assert fight.spent("ug")["ug"].fighter.turn.actions == 0


@pytest.mark.rule("RPJ-GCS-13")
class TestFullTurnTask:
    def test_a_full_turn_task_takes_the_whole_turn(self) -> None:
        assert full_task(battle(person("ug")), "ug")["ug"].fighter.turn.actions == 0

    def test_an_attack_in_the_last_round_does_not_prevent_a_full_turn_task(self) -> None:
        fight = next_turn(battle(person("ug", fighter={"was_targeted": True})))

        assert full_task(fight, "ug")["ug"].fighter.turn.actions == 0


@pytest.mark.rule("RPJ-GCS-14")
class TestSwappingWeapons:
    def test_the_first_weapon_swap_of_a_turn_is_free_and_the_next_takes_an_action(self) -> None:
        first = swapped(battle(person("ug")), "ug", ("bow",))
        second = swapped(first, "ug", ("club",))

        assert (first["ug"].fighter.wielded, first["ug"].fighter.turn.actions) == (("bow",), 2)
        assert (second["ug"].fighter.wielded, second["ug"].fighter.turn.actions) == (("club",), 1)

    def test_a_new_turn_restores_the_free_weapon_swap(self) -> None:
        fight = next_turn(swapped(battle(person("ug")), "ug", ("bow",)))

        assert not fight["ug"].fighter.turn.has_swapped


@pytest.mark.rule("RPJ-GCS-20")
class TestPlacingCombatants:
    def test_the_two_sides_start_at_opposite_ends_of_the_battlefield(self) -> None:
        fight = placed(placed(Fight(), newcomer("ug")), newcomer("orc", Side.FOES))

        assert [one.region for one in fight.combatants] == [1, 6]
        assert fight.distance(*fight.combatants) == 5
        assert placed(Fight(field=line(3)), newcomer("orc", Side.FOES)).combatants[0].region == 3

    def test_a_combatant_can_start_beside_another(self) -> None:
        fight = placed(placed(Fight(), newcomer("laeniel")), newcomer("ug"), beside="laeniel")

        assert [[one.name for one in group] for group in fight.groups(1)] == [["Laeniel", "Ug"]]

    def test_the_gm_can_place_a_combatant_in_any_existing_region(self) -> None:
        fight = placed(Fight(field=drawn("1-2, 2-3")), newcomer("orc", Side.FOES), region=2)

        assert fight.combatants[0].region == 2
        with pytest.raises(UserError, match="There is no region 4"):
            placed(fight, newcomer("ug"), region=4)
        with pytest.raises(UserError, match="Orc is in Region 2"):
            placed(fight, newcomer("ug"), region=1, beside="orc")


@pytest.mark.rule("RPJ-GCS-21")
def test_the_two_sides_start_in_separate_groups_of_a_single_region() -> None:
    fight = Fight(field=line(1))
    for one in (newcomer("ug"), newcomer("orc", Side.FOES), newcomer("laeniel")):
        fight = placed(fight, one)

    assert [[one.name for one in group] for group in fight.groups(1)] == [["Ug", "Laeniel"], ["Orc"]]
    assert fight.distance(fight.combatants[0], fight.combatants[1]) == 0


@pytest.mark.rule("RPJ-GCS-46")
class TestAddingMooks:
    def test_several_mooks_are_added_at_once(self) -> None:
        eight = mooks(Fight(), GOBLIN, 8)

        assert len(eight) == 8
        assert (eight[0].name, eight[7].name) == ("Goblin 1", "Goblin 8")
        assert eight[0].mook == MookSheet(name="Goblin", attack=3, damage=1, defense=10)

    def test_mooks_added_later_get_new_numbers(self) -> None:
        fight = placed(Fight(), mooks(Fight(), GOBLIN, 1)[0])

        assert [(one.id, one.name) for one in mooks(fight, GOBLIN, 2)] == [
            ("m2", "Goblin 2"),
            ("m3", "Goblin 3"),
        ]

    def test_a_fight_has_room_for_60_mooks(self) -> None:
        with pytest.raises(UserError, match="There are already 0 mooks") as refused:
            mooks(Fight(), GOBLIN, 61)

        assert refused.value.allowed == "A fight has room for 60."

    @pytest.mark.rule("RPJ-GCS-47")
    def test_mooks_have_two_actions_unless_the_module_changes_that(self) -> None:
        assert battle(mook("m1"))["m1"].actions == 2
        assert battle(mook("m1"), module=combat(mook_actions=3))["m1"].actions == 3


def test_a_turn_is_untouched_until_an_action_is_spent() -> None:
    untouched: dict[str, Any] = {"actions": 2, "received": 2}

    assert turn(**untouched, has_swapped=True).is_untouched
    assert not turn(**untouched, has_attacked=True).is_untouched
    assert not turn(1, 2).is_untouched


ALERT = with_skill(FANTASY, "survival", roles=["initiative"], linked=["DEX"])


def rolled(attributes: str, *faces: int, module: Module = FANTASY, surprise: int = 0, **more: Any) -> Roll:
    who = battle(person("ug", attributes, module=module, **more), module=module)["ug"]
    return INITIATIVE.resolve(initiative_check(who, surprise), d6(*faces))


def named(id_: str, initiative: int, *, npc: bool = False, **more: Any) -> RpjCombatant:
    kind = RpjKind.NPC if npc else RpjKind.PLAYER
    return RpjCombatant(id=id_, name=id_, kind=kind, side=Side.FOES, initiative=initiative, **more)


@pytest.mark.rule("RPJ-GCS-15")
class TestInitiativeRoll:
    def test_initiative_rolls_the_modules_initiative_skill(self) -> None:
        skilled = rolled("DEX 6", 4, 4, module=ALERT, skills=[known("survival", 4)])

        assert skilled.total == 14
        assert skilled.verdict.title == "initiative 14"

    def test_a_lower_initiative_skill_gives_a_lower_initiative(self) -> None:
        assert rolled("DEX 3", 3, 4, module=ALERT, skills=[known("survival", 2)]).total == 10

    def test_initiative_rolls_dexterity_in_a_module_without_an_initiative_skill(self) -> None:
        assert rolled("DEX 6", 4, 4).total == 14

    def test_traits_and_class_skills_add_to_initiative(self) -> None:
        assert rolled("DEX 2", 4, 4, traits=["alert"]).total == 11
        assert rolled("DEX 0", 4, 4, module=ALERT, class_skills=["survival"]).total == 9

    @pytest.mark.rule("RPJ-LUCK-02")
    def test_a_lucky_break_adds_a_die_to_initiative(self) -> None:
        before = rolled("DEX 2", 1, 2)
        after = INITIATIVE.resolve(with_extra_die(before), d6(6))

        assert (before.total, after.total) == (5, 10)
        assert [(die.face, die.is_kept) for die in (*after.earlier, *after.dice)] == [
            (1, False),
            (2, True),
            (6, True),
        ]


@pytest.mark.rule("RPJ-GCS-18")
class TestSurprise:
    def test_surprise_lowers_initiative_by_2(self) -> None:
        surprise = FANTASY.combat.surprise

        assert rolled("DEX 3", 4, 4, surprise=surprise).total == 9
        assert rolled("DEX 3", 4, 4).total == 11

    def test_the_gm_can_set_a_larger_surprise_penalty(self) -> None:
        assert rolled("DEX 3", 4, 4, surprise=-4).total == 7

    def test_a_module_can_change_the_surprise_penalty(self) -> None:
        assert combat(surprise=-3).combat.surprise == -3


@pytest.mark.rule("RPJ-GCS-16")
class TestInitiativeOrder:
    def test_the_highest_initiative_goes_first(self) -> None:
        assert combat_order([named("ug", 10), named("laeniel", 14), named("orc", 12, npc=True)]) == (
            "laeniel",
            "orc",
            "ug",
        )

    def test_players_go_before_npcs_with_the_same_initiative(self) -> None:
        everybody = [named("orc", 10, npc=True), named("ug", 10), named("laeniel", 10)]

        assert combat_order(everybody) == ("ug", "laeniel", "orc")
        assert [[one.id for one in tied] for tied in ties(everybody, RpjKind.PLAYER)] == [["ug", "laeniel"]]

    def test_tied_players_choose_their_order(self) -> None:
        tied = (named("ug", 10), named("laeniel", 10))

        assert combat_order(settled(tied, ["laeniel", "ug"])) == ("laeniel", "ug")
        assert list(ties(settled(tied, ["laeniel", "ug"]), RpjKind.PLAYER)) == []
        with pytest.raises(UserError, match="Name each tied combatant once"):
            settled(tied, ["laeniel"])

    def test_tied_npcs_go_by_their_modifier_and_then_by_a_die(self) -> None:
        orcs = [named("orc", 9, npc=True, modifier=2), named("captain", 9, npc=True, modifier=4)]

        assert combat_order(orcs) == ("captain", "orc")
        assert list(ties(orcs, RpjKind.NPC)) == []
        assert list(ties([named("ug", 9), named("a", 9, npc=True)], RpjKind.NPC)) == []
        unrolled = [evolve(named(id_, 0), initiative=None) for id_ in ("x", "y")]
        assert list(ties(unrolled, RpjKind.PLAYER)) == []
        alike = [named("a", 9, npc=True), named("b", 9, npc=True)]
        assert [[one.id for one in tied] for tied in ties(alike, RpjKind.NPC)] == [["a", "b"]]

    def test_a_roll_off_repeats_until_every_tie_is_broken(self) -> None:
        roll = ROLL_OFF.resolve(RollOffInputs(names=("Ug", "Laeniel", "Orc")), d6(3, 5, 3, 2, 2, 1, 4))

        assert roll.verdict.title == "Laeniel, then Orc, then Ug"
        assert [die.label for die in roll.dice] == ["Ug", "Laeniel", "Orc", "Ug", "Orc", "Ug", "Orc"]

    def test_a_roll_off_breaks_several_ties_the_highest_first(self) -> None:
        roll = ROLL_OFF.resolve(RollOffInputs(names=("A", "B", "C", "D")), d6(3, 5, 3, 5, 2, 4, 6, 1))

        assert roll.verdict.title == "D, then B, then A, then C"
        assert [(die.label, die.face) for die in roll.dice[4:]] == [("B", 2), ("D", 4), ("A", 6), ("C", 1)]

    def test_a_newcomer_takes_the_place_their_initiative_gives(self) -> None:
        fighting = [named("laeniel", 14), named("ug", 8)]

        assert joined(("laeniel", "ug"), fighting, named("elf", 11)) == ("laeniel", "elf", "ug")
        assert joined(("laeniel", "ug"), fighting, named("elf", 3)) == ("laeniel", "ug", "elf")
        assert joined(("laeniel", "ug"), fighting, named("elf", 14)) == ("laeniel", "elf", "ug")


@pytest.mark.rule("RPJ-GCS-17")
class TestMovingDownTheOrder:
    def test_a_combatant_can_move_down_the_order(self) -> None:
        assert demoted(("a", "b", "c"), "a", "c") == ("b", "c", "a")
        assert demoted(("a", "b", "c", "d"), "a", "b") == ("b", "a", "c", "d")
        assert demoted(("a", "b", "c", "d"), "b", "c") == ("a", "c", "b", "d")

    def test_no_combatant_can_move_up_the_order(self) -> None:
        with pytest.raises(UserError, match="That isn't later in the order"):
            demoted(("b", "a"), "a", "b")

    def test_no_combatant_can_move_behind_themselves(self) -> None:
        with pytest.raises(UserError, match="That isn't later in the order"):
            demoted(("a", "b"), "a", "a")


@pytest.mark.rule("RPJ-GCS-19")
class TestOrderSetByTheGm:
    def test_the_gm_can_set_the_initiative_order(self) -> None:
        assert by_fiat(("laeniel", "orcs", "ug"), ["orcs", "laeniel", "ug"]) == ("orcs", "laeniel", "ug")

    def test_an_order_set_by_the_gm_names_everyone_once(self) -> None:
        with pytest.raises(UserError, match="Name everyone in the order once"):
            by_fiat(("a", "b"), ["a", "a"])


@pytest.mark.rule("RPJ-TRAIT-07")
@pytest.mark.parametrize(("surprise", "terms"), [(0, []), (-1, [("Wary", 2), ("surprised", -1)])])
def test_a_trait_can_help_the_initiative_of_the_surprised_alone(
    surprise: int, terms: list[tuple[str, int]]
) -> None:
    wary = {"type": "roll_bonus", "on": "initiative", "value": 2, "when": {"is_surprised": True}}
    module = with_trait("wary", wary)
    fighting = battle(person("ug", traits=["wary"], module=module), module=module)

    found = initiative_check(fighting["ug"], surprise).terms

    assert [(one.label, one.value) for one in found] == terms


@pytest.mark.rule("RPJ-HEALTH-09")
@pytest.mark.parametrize(("before", "lost"), [({}, ("Ug 2",)), ({"ug": 1}, ("Ug 1",)), ({"ug": 2}, ())])
def test_the_end_of_a_fight_tells_how_many_saves_were_lost_in_it(
    before: dict[str, int], lost: tuple[str, ...]
) -> None:
    hurt = battle(person("ug", "CON 4", health=RpjHealth(lost_base=(7, 7))))

    assert ended(hurt, before).lost == lost


@pytest.mark.rule("RPJ-TRAIT-07")
def test_quick_combatants_go_first_in_the_first_round() -> None:
    assert first_round(("a", "b", "c"), ["c"]) == ("c", "a", "b")


@pytest.mark.rule("RPJ-GCS-17", "RPJ-GCS-19")
class TestOrderAtTheTable:
    def waiting(self) -> GameTable:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        return table

    def test_nobody_moves_down_an_order_that_is_not_there(self) -> None:
        assert self.waiting().refused("Ug", "encounter.delay").what == "There is no initiative order yet."

    @pytest.mark.parametrize(
        ("named", "order"),
        [
            (("Ogre", "Ug", "Laeniel"), "Ogre, Ug, Laeniel"),
            (("Ogre",), "Ogre, Laeniel, Ug"),
            (("Ug", "Laeniel"), "Ug, Laeniel, Ogre"),
        ],
    )
    def test_the_gm_sets_the_order_and_the_rest_follows_as_before(
        self, named: tuple[str, ...], order: str
    ) -> None:
        done = self.waiting().do("GM", "encounter.order", characters=named)

        assert done.notes[-1] == f"The order: {order}."

    @pytest.mark.parametrize(
        ("after", "order"), [({}, "Ug, Ogre, Laeniel"), ({"after": "Laeniel"}, "Ug, Laeniel, Ogre")]
    )
    def test_one_lets_the_next_or_more_go_first(self, after: dict[str, str], order: str) -> None:
        table = self.waiting()
        table.do("GM", "encounter.order", characters=("Ogre", "Ug", "Laeniel"))

        assert table.do("GM Ogre", "encounter.delay", **after).notes[-1] == f"The order: {order}."
        last = order.split(", ")[-1]
        who = last if last != "Ogre" else "GM Ogre"
        assert table.refused(who, "encounter.delay").what == "You can't act after the mooks."
        table.do("GM", "encounter.next")
        assert table.refused("Ug", "encounter.delay").what.startswith("You can only move down the order")


def far_apart(region: int) -> Battle:
    """Ug stands in region 1 of 9, the ogre in another."""
    return battle(person("ug"), person("ogre", foe=True, region=region, group=2), field=line(9))


@pytest.mark.rule("RPJ-WMAG-13")
class TestReachOfSixRegions:
    def test_a_six_region_reach_includes_a_target_six_regions_away(self) -> None:
        fight = far_apart(7)

        assert fight.fight.distance(fight["ug"].fighter, fight["ogre"].fighter) == 6
        assert_reached(fight, "ug", "ogre", Reach.SIX_REGIONS)

    def test_a_six_region_reach_excludes_a_target_seven_regions_away(self) -> None:
        with pytest.raises(UserError):
            assert_reached(far_apart(8), "ug", "ogre", Reach.SIX_REGIONS)
