"""Moving about, and cautiously."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.engine.moves import (
    CautiousWalk,
    Goal,
    RpjStep,
    carried,
    cautious_paid,
    cautious_walk,
    moved,
    step_to,
)
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.battlefield import drawn
from bot.rules.rpj.combat.state.combatant import RpjTurn
from tests.rules.rpj.combat.battles import battle, mook, person, turn
from tests.rules.rpj.people import with_trait

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
