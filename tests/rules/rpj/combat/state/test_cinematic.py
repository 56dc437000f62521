"""Cinematic combat."""

import pytest

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.state.cinematic import (
    Legend,
    Position,
    move_actions,
    put_off,
    regions_of,
    shared_turns,
    yards_between,
)

LAENIEL, OLIPHAUNT, UG = (CharacterId(number) for number in (1, 2, 3))


@pytest.mark.rule("RPJ-CINE-03")
class TestMap:
    def test_yards_are_measured_straight(self) -> None:
        assert yards_between(Position(x=0, y=0), Position(x=30, y=40)) == 50

    @pytest.mark.parametrize(("yards", "regions"), [(0, None), (2, None), (3, 0), (50, 1), (60, 2), (89, 2)])
    def test_thirty_of_them_are_a_region_and_two_are_beside(self, yards: int, regions: int | None) -> None:
        assert regions_of(yards) == regions


@pytest.mark.rule("RPJ-CINE-07")
class TestPuttingOffATurn:
    ORDER = (LAENIEL, OLIPHAUNT, UG)

    def test_whoever_waits_acts_after_another(self) -> None:
        assert put_off(self.ORDER, LAENIEL, OLIPHAUNT) == (OLIPHAUNT, LAENIEL, UG)
        assert put_off(self.ORDER, LAENIEL, UG) == (OLIPHAUNT, UG, LAENIEL)

    def test_nobody_moves_up(self) -> None:
        with pytest.raises(UserError, match="You can only defer your turn to later"):
            put_off(self.ORDER, UG, LAENIEL)
        with pytest.raises(UserError):
            put_off(self.ORDER, UG, UG)


@pytest.mark.rule("RPJ-CINE-08")
class TestMovement:
    @pytest.mark.parametrize(("yards", "actions"), [(30, 1), (60, 2), (75, 3), (1, 1)])
    def test_an_action_is_worth_thirty_yards(self, yards: int, actions: int) -> None:
        assert move_actions(yards, 3) == actions

    def test_more_than_is_left_is_refused(self) -> None:
        with pytest.raises(UserError, match="91 yards take 4 actions; you have 3 left"):
            move_actions(91, 3)


@pytest.mark.rule("RPJ-CINE-10")
class TestSharedTurns:
    def test_players_who_follow_each_other_may_act_together(self) -> None:
        assert shared_turns((LAENIEL, UG, OLIPHAUNT), {LAENIEL, UG}) == ((LAENIEL, UG),)

    def test_with_somebody_between_them_they_may_not(self) -> None:
        assert shared_turns((LAENIEL, OLIPHAUNT, UG), {LAENIEL, UG}) == ()

    def test_once_the_one_between_waits_they_may(self) -> None:
        order = put_off((LAENIEL, OLIPHAUNT, UG), OLIPHAUNT, UG)
        assert shared_turns(order, {LAENIEL, UG}) == ((LAENIEL, UG),)


@pytest.mark.rule("RPJ-CINE-06")
class TestLegendaryFoes:
    def test_three_stages_make_the_last_blow_possible(self) -> None:
        foe = Legend()
        with pytest.raises(UserError, match="It isn't weak enough yet: 3 of 3 stages left"):
            foe.assert_can_be_finished()
        for _ in range(3):
            foe = foe.advanced()
        foe.assert_can_be_finished()
        with pytest.raises(UserError, match="It can't be weakened any further"):
            foe.advanced()
