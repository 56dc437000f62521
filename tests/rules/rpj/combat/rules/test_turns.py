"""Rounds, turns, actions, and what else a turn can be spent on."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.turns import (
    acting,
    begun,
    full_task,
    next_turn,
    single_task,
    slots,
    swapped,
)
from bot.rules.rpj.combat.state.battlefield import drawn, line
from bot.rules.rpj.combat.state.combatant import MookSheet, RpjCombatant, RpjKind, Side
from bot.rules.rpj.combat.state.fight import MOOKS, Fight, mooks, placed
from bot.rules.rpj.module.defense_layers import CombatRules, Out, RpjHealth, actions_of
from tests.rules.rpj.combat.battles import GOBLIN, battle, combat, mook, person, turn

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
        with pytest.raises(UserError, match="Ug is incapacitated"):
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

    def test_a_combatant_attacked_this_round_cannot_do_a_full_turn_task(self) -> None:
        with pytest.raises(UserError, match="has been attacked"):
            full_task(battle(person("ug", fighter={"was_targeted": True})), "ug")

    def test_an_attack_in_the_last_round_does_not_prevent_a_full_turn_task(self) -> None:
        fight = next_turn(battle(person("ug", fighter={"was_targeted": True})))

        assert full_task(fight, "ug")["ug"].fighter.turn.actions == 0

    def test_a_full_turn_task_is_refused_once_an_action_is_spent(self) -> None:
        with pytest.raises(
            UserError, match="That takes a whole turn; you have already used part of this one"
        ):
            full_task(battle(person("ug")).spent("ug"), "ug")


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
