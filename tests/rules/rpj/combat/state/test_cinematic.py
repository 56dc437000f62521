"""Cinematic combat."""

import pytest

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.state.battlefield import (
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
class TestCinematicMap:
    def test_yards_are_measured_in_a_straight_line(self) -> None:
        assert yards_between(Position(x=0, y=0), Position(x=30, y=40)) == 50

    @pytest.mark.parametrize(("yards", "regions"), [(0, None), (2, None), (3, 0), (50, 1), (60, 2), (89, 2)])
    def test_thirty_yards_count_as_one_region_and_two_yards_as_adjacent(
        self, yards: int, regions: int | None
    ) -> None:
        assert regions_of(yards) == regions


@pytest.mark.rule("RPJ-CINE-07")
class TestDeferringATurn:
    ORDER = (LAENIEL, OLIPHAUNT, UG)

    def test_a_combatant_who_defers_acts_after_the_named_one(self) -> None:
        assert put_off(self.ORDER, LAENIEL, OLIPHAUNT) == (OLIPHAUNT, LAENIEL, UG)
        assert put_off(self.ORDER, LAENIEL, UG) == (OLIPHAUNT, UG, LAENIEL)

    def test_a_turn_can_only_be_deferred_to_later(self) -> None:
        with pytest.raises(UserError, match="You can only defer your turn to later"):
            put_off(self.ORDER, UG, LAENIEL)
        with pytest.raises(UserError):
            put_off(self.ORDER, UG, UG)


@pytest.mark.rule("RPJ-CINE-08")
class TestMovementInYards:
    @pytest.mark.parametrize(("yards", "actions"), [(30, 1), (60, 2), (75, 3), (1, 1)])
    def test_one_action_covers_thirty_yards(self, yards: int, actions: int) -> None:
        assert move_actions(yards, 3) == actions

    def test_a_walk_longer_than_the_actions_left_is_refused(self) -> None:
        with pytest.raises(UserError, match="91 yards take 4 actions; you have 3 left"):
            move_actions(91, 3)


@pytest.mark.rule("RPJ-CINE-10")
class TestSharedTurns:
    def test_players_who_are_next_to_each_other_in_the_order_can_share_a_turn(self) -> None:
        assert shared_turns((LAENIEL, UG, OLIPHAUNT), {LAENIEL, UG}) == ((LAENIEL, UG),)

    def test_players_with_a_combatant_between_them_in_the_order_cannot_share_a_turn(self) -> None:
        assert shared_turns((LAENIEL, OLIPHAUNT, UG), {LAENIEL, UG}) == ()

    def test_players_can_share_a_turn_once_the_combatant_between_them_defers(self) -> None:
        order = put_off((LAENIEL, OLIPHAUNT, UG), OLIPHAUNT, UG)
        assert shared_turns(order, {LAENIEL, UG}) == ((LAENIEL, UG),)


@pytest.mark.rule("RPJ-CINE-06")
class TestLegendaryFoes:
    def test_a_legendary_foe_can_be_finished_after_three_stages(self) -> None:
        foe = Legend()
        with pytest.raises(UserError, match="It isn't weak enough yet: 3 of 3 stages left"):
            foe.assert_can_be_finished()
        for _ in range(3):
            foe = foe.advanced()
        foe.assert_can_be_finished()
        with pytest.raises(UserError, match="It can't be weakened any further"):
            foe.advanced()


@pytest.mark.rule("RPJ-CINE-03", "RPJ-CINE-08")
class TestYards:
    @pytest.mark.parametrize(
        ("yards", "regions"), [(0, None), (2, None), (3, 0), (29, 0), (30, 1), (59, 1), (60, 2), (61, 2)]
    )
    def test_every_thirty_yards_are_a_region(self, yards: int, regions: int | None) -> None:
        assert regions_of(yards) == regions

    @pytest.mark.parametrize(
        ("yards", "left", "actions"),
        [(1, 1, 1), (30, 1, 1), (31, 1, None), (31, 2, 2), (60, 2, 2), (61, 2, None), (61, 3, 3)],
    )
    def test_an_action_covers_thirty_yards(self, yards: int, left: int, actions: int | None) -> None:
        if actions is None:
            with pytest.raises(UserError, match=f"{yards} yards take"):
                move_actions(yards, left)
        else:
            assert move_actions(yards, left) == actions

    @pytest.mark.parametrize(
        ("one", "other", "yards"),
        [((0, 0), (3, 4), 5), ((0, 0), (0, 0), 0), ((-3, 0), (3, 0), 6), ((1, 1), (2, 2), 1)],
    )
    def test_distances_are_whole_yards(
        self, one: tuple[int, int], other: tuple[int, int], yards: int
    ) -> None:
        places = (Position(x=one[0], y=one[1]), Position(x=other[0], y=other[1]))

        assert yards_between(*places) == yards_between(*reversed(places)) == yards


@pytest.mark.rule("RPJ-CINE-07", "RPJ-CINE-10")
class TestOrderWithinARound:
    @pytest.mark.parametrize(
        ("who", "after", "order"),
        [
            ("a", "b", ("b", "a", "c", "d")),
            ("a", "c", ("b", "c", "a", "d")),
            ("a", "d", ("b", "c", "d", "a")),
            ("b", "c", ("a", "c", "b", "d")),
            ("c", "c", None),
            ("c", "b", None),
        ],
    )
    def test_a_turn_is_put_off_to_right_after_another(
        self, who: str, after: str, order: tuple[str, ...] | None
    ) -> None:
        if order is None:
            with pytest.raises(UserError, match="to later"):
                put_off(("a", "b", "c", "d"), who, after)
        else:
            assert put_off(("a", "b", "c", "d"), who, after) == order

    @pytest.mark.parametrize(
        ("players", "groups"),
        [
            ("abcd", (("a", "b", "c", "d"),)),
            ("abd", (("a", "b"),)),
            ("acd", (("c", "d"),)),
            ("ac", ()),
            ("bcd", (("b", "c", "d"),)),
            ("", ()),
        ],
    )
    def test_two_or_more_in_a_row_share_their_turns(
        self, players: str, groups: tuple[tuple[str, ...], ...]
    ) -> None:
        assert shared_turns(("a", "b", "c", "d"), set(players)) == groups

    @pytest.mark.parametrize(("reached", "left"), [(0, 3), (1, 2), (2, 1), (3, 0), (4, 0)])
    def test_a_legendary_foe_says_how_many_stages_are_left(self, reached: int, left: int) -> None:
        foe = Legend(stages=3, reached=reached)

        assert foe.can_be_finished is (left == 0)
        if left:
            with pytest.raises(UserError, match=f"{left} of 3 stages left"):
                foe.assert_can_be_finished()
            assert foe.advanced().reached == reached + 1
