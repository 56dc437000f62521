"""Mass combat: markers, modifiers, rolls, morale, and what a battle leaves."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import CharacterId, NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.mass_battle import (
    BattleSide,
    MassBattle,
    Mode,
    RpjStatus,
    after_rolls,
    assert_integrable,
    assert_may_contribute,
    begin,
    command_check,
    commanded,
    contributed,
    contribution_check,
    dead_and_wounded,
    ended,
    having_contributed,
    is_hopeless,
    is_too_small,
    morale_roll,
    recovery_roll,
    rolling,
    shaken,
    side_roll,
    with_kills,
    with_works,
)
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.check_inputs import CriticalRules
from tests.rules.rpj.throws import read

RULES = CriticalRules()
ANDRASTOS, BASILUS = CharacterId(1), CharacterId(2)
HEROES, REBELS = 0, 1


def battle(
    heroes: int = 40, rebels: int = 60, *, gear: int = 100, mode: Mode = Mode.INDEPENDENT
) -> MassBattle:
    """Heroes against rebels."""
    return begin(
        BattleSide(name="Heroes", people=heroes, gear=gear), BattleSide(name="Rebels", people=rebels), mode
    )


def markers(told: MassBattle) -> tuple[int, int]:
    """Markers of both sides."""
    return told.sides[0].markers, told.sides[1].markers


def with_markers(heroes: int, rebels: int) -> MassBattle:
    """A battle with so many markers left of ten and ten."""
    told = battle(100, 100)
    for place, count in enumerate((heroes, rebels)):
        told = told.with_side(place, told.sides[place].model_copy(update={"markers": count}))
    return told


def side(**more: Any) -> BattleSide:
    """A side that has fought: 10 markers of 60 people."""
    return BattleSide(**{"name": "Rebels", "people": 60, "start": 10, "markers": 10, **more})


def skill(value: int) -> tuple[NamedTerm, ...]:
    return (NamedTerm(label="Command", value=value),)


@pytest.mark.rule("RPJ-MASS-01")
class TestWhenToUseMassCombat:
    def test_a_battle_of_a_few_people_is_too_small_for_mass_combat(self) -> None:
        assert is_too_small(battle(5, 4))
        assert not is_too_small(battle(60, 40))
        assert is_too_small(battle(60, 40), minimum=200)
        assert [is_too_small(battle(9, count)) for count in (10, 11, 12)] == [True, False, False]

    def test_an_integrated_battle_needs_officers_and_a_playable_part(self) -> None:
        told = battle(40, 60, mode=Mode.INTEGRATED)
        assert_integrable(told, both_have_officers=True, is_playable=True)
        for officers, playable in ((False, True), (True, False)):
            with pytest.raises(
                UserError,
                match="An integrated battle needs more than mooks on both sides",
            ):
                assert_integrable(told, both_have_officers=officers, is_playable=playable)

    def test_an_independent_battle_needs_no_officers_and_no_playable_part(self) -> None:
        assert_integrable(battle(2000, 1500), both_have_officers=False, is_playable=False)


@pytest.mark.rule("RPJ-MASS-02")
class TestMarkers:
    @pytest.mark.parametrize(
        ("heroes", "rebels", "expected"),
        [(40, 60, (7, 10)), (50, 50, (10, 10)), (1, 60, (1, 10)), (31, 60, (6, 10)), (54, 60, (9, 10))],
    )
    def test_the_stronger_side_gets_ten_markers_and_the_other_a_proportion(
        self, heroes: int, rebels: int, expected: tuple[int, int]
    ) -> None:
        assert markers(battle(heroes, rebels)) == expected

    def test_equipment_multiplies_a_sides_strength(self) -> None:
        assert markers(battle(40, 60, gear=200)) == (10, 8)

    def test_the_two_sides_of_a_battle_need_different_names(self) -> None:
        with pytest.raises(ValidationError, match="different names"):
            begin(BattleSide(name="Orcs", people=1), BattleSide(name="orcs", people=1))
        assert battle().place("rebels") == REBELS
        with pytest.raises(UserError, match="There is no side called “Elves”"):
            battle().place("Elves")


@pytest.mark.rule("RPJ-MASS-03")
@pytest.mark.parametrize(("few", "hopeless"), [(5, True), (6, False), (7, False)])
def test_odds_below_one_to_ten_are_hopeless(few: int, hopeless: bool) -> None:
    assert is_hopeless(battle(few, 60)) is hopeless


@pytest.mark.rule("RPJ-MASS-04")
class TestBattleModifier:
    def test_the_parts_of_a_battle_modifier_add_up(self) -> None:
        told = commanded(battle(), HEROES, ANDRASTOS, 2)
        told = with_works(told, HEROES, 1)
        told = contributed(told, HEROES, ANDRASTOS, 1, to_enemy=False)
        told = contributed(told, HEROES, BASILUS, 3, to_enemy=True)
        assert [(part.label, part.value) for part in told.modifier_parts(HEROES)] == [
            ("numbers", -3),
            ("command", 2),
            ("contribution", 1),
            ("fortifications", -1),
        ]
        assert (told.modifier(HEROES), told.modifier(REBELS)) == (-1, 0)

    def test_each_round_starts_with_no_modifiers_except_the_markers_left(self) -> None:
        told = commanded(battle(), HEROES, ANDRASTOS, 2)
        told = ended(after_rolls(told, (1, None)), ())
        assert (told.round, told.modifier(HEROES), told.modifier(REBELS)) == (2, -2, 2)
        assert commanded(told, HEROES, ANDRASTOS, 2).modifier(HEROES) == 0


@pytest.mark.rule("RPJ-MASS-05")
@pytest.mark.parametrize(("heroes", "rebels", "expected"), [(7, 10, -3), (10, 7, 3), (10, 10, 0), (9, 7, 2)])
def test_the_modifier_for_numbers_counts_markers(heroes: int, rebels: int, expected: int) -> None:
    assert with_markers(heroes, rebels).modifier(HEROES) == expected


@pytest.mark.rule("RPJ-MASS-06")
class TestCommandChecks:
    @pytest.mark.parametrize(("faces", "degrees"), [((5, 3), 2), ((4, 2), 0), ((6, 6), 7), ((4, 1), None)])
    def test_a_command_check_is_rolled_against_10(self, faces: tuple[int, int], degrees: int | None) -> None:
        asked = command_check(skill(4), RULES)
        assert asked.target == 10
        assert read(asked, *faces).degrees == degrees

    def test_a_command_check_raises_the_modifier_once_per_round(self) -> None:
        told = commanded(battle(), HEROES, ANDRASTOS, 2)
        assert told.modifier(HEROES) == -1
        with pytest.raises(UserError, match="Heroes have already had a command check this round"):
            commanded(told, HEROES, BASILUS, 2)

    def test_a_failed_command_check_changes_nothing_and_is_used_up(self) -> None:
        told = commanded(battle(), HEROES, ANDRASTOS, None)
        assert told.modifier(HEROES) == -3
        assert told.sides[HEROES].has_commanded

    def test_a_commander_may_also_contribute(self) -> None:
        assert_may_contribute(commanded(battle(), HEROES, ANDRASTOS, 2), ANDRASTOS)


@pytest.mark.rule("RPJ-MASS-07")
class TestFortifications:
    @pytest.mark.parametrize(("size", "defenders"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
    def test_attackers_lose_the_full_fortifications_and_defenders_gain_half(
        self, size: int, defenders: int
    ) -> None:
        told = with_works(with_markers(10, 10), HEROES, size)
        assert (told.modifier(HEROES), told.modifier(REBELS)) == (-size, defenders)

    def test_fortifications_have_a_strength_of_6_at_most(self) -> None:
        with pytest.raises(ValidationError):
            BattleSide(name="Heroes", people=1, works=-7)


@pytest.mark.rule("RPJ-MASS-08")
class TestKills:
    @pytest.mark.parametrize(
        ("people", "start", "kills", "lost"),
        [
            (60, 10, 5, 0),
            (60, 10, 6, 1),
            (70, 10, 15, 2),
            (40, 7, 5, 0),
            (40, 7, 6, 1),
            (40, 7, 11, 2),
            (40, 7, 17, 3),
            (60, 10, 59, 9),
            (60, 10, 60, 10),
        ],
    )
    def test_a_marker_falls_when_as_many_people_die_as_it_stands_for(
        self, people: int, start: int, kills: int, lost: int
    ) -> None:
        hit = side(people=people, start=start, markers=start, standing=start)
        told = battle().with_side(REBELS, hit)
        assert with_kills(told, REBELS, kills).sides[REBELS].lost == lost
        for _ in range(kills):
            told = with_kills(told, REBELS, 1)
        assert told.sides[REBELS].lost == lost

    def test_markers_lost_to_kills_count_for_morale(self) -> None:
        assert shaken(with_kills(battle(), REBELS, 6)) == (REBELS,)


@pytest.mark.rule("RPJ-MASS-09")
class TestContributionChecks:
    @pytest.mark.parametrize(("own", "enemy", "target"), [(7, 10, 13), (10, 7, 10), (9, 9, 10), (1, 10, 19)])
    def test_a_contribution_is_rolled_against_10_plus_the_enemys_extra_markers(
        self, own: int, enemy: int, target: int
    ) -> None:
        assert contribution_check(with_markers(own, enemy), HEROES, skill(4), RULES).target == target

    def test_a_character_contributes_only_once_per_round(self) -> None:
        told = having_contributed(battle(), BASILUS)
        with pytest.raises(
            UserError, match="You can contribute once per round, and not in a round when you take turns"
        ):
            assert_may_contribute(told, BASILUS)
        assert_may_contribute(ended(told, ()), BASILUS)


@pytest.mark.rule("RPJ-MASS-10")
class TestEffectOfAContribution:
    def test_a_contribution_lowers_the_enemys_modifier_or_raises_the_own(self) -> None:
        asked = contribution_check(battle(), HEROES, skill(8), RULES)
        assert read(asked, 5, 3).degrees == 3
        assert contributed(battle(), HEROES, BASILUS, 3, to_enemy=True).modifier(REBELS) == 0
        assert read(contribution_check(battle(), HEROES, skill(8), RULES), 4, 2).degrees == 1
        assert contributed(battle(), HEROES, ANDRASTOS, 1, to_enemy=False).modifier(HEROES) == -2

    @pytest.mark.parametrize(
        ("place", "to_enemy", "modifiers"),
        [(HEROES, False, (2, 0)), (REBELS, False, (0, 2)), (HEROES, True, (0, -2)), (REBELS, True, (-2, 0))],
    )
    def test_either_side_can_contribute_for_itself_or_against_the_other(
        self, place: int, to_enemy: bool, modifiers: tuple[int, int]
    ) -> None:
        told = contributed(with_markers(10, 10), place, BASILUS, 2, to_enemy=to_enemy)

        assert (told.modifier(HEROES), told.modifier(REBELS)) == modifiers

    def test_a_contribution_without_degrees_changes_nothing(self) -> None:
        assert contributed(battle(), HEROES, BASILUS, 0, to_enemy=True) == battle()

    def test_a_critical_contribution_has_one_more_degree(self) -> None:
        assert read(contribution_check(with_markers(10, 10), HEROES, skill(4), RULES), 6, 6).degrees == 7


@pytest.mark.rule("RPJ-MASS-12")
class TestBattleRolls:
    def test_each_degree_of_a_battle_roll_costs_the_other_side_a_marker(self) -> None:
        told = contributed(battle(), HEROES, BASILUS, 4, to_enemy=False)  # heroes +1, rebels +3
        assert read(side_roll(told, HEROES, RULES), 4, 3).degrees == 1
        assert markers(after_rolls(told, (1, None))) == (7, 9)

    @pytest.mark.parametrize(
        ("heroes", "faces", "degrees"),
        [(10, (4, 3), 0), (10, (6, 6), 6), (10, (3, 3), None), (2, (6, 6), 1), (10, (1, 1), None)],
    )
    def test_a_battle_roll_is_made_against_7_and_can_be_critical(
        self, heroes: int, faces: tuple[int, int], degrees: int | None
    ) -> None:
        told = with_markers(heroes, 10)
        asked = side_roll(told, HEROES, RULES)
        assert asked.target == 7
        assert read(asked, *faces).degrees == degrees

    def test_double_ones_fail_a_battle_roll_whatever_the_modifier(self) -> None:
        assert read(side_roll(with_markers(10, 4), HEROES, RULES), 1, 1).degrees is None

    def test_both_sides_lose_markers_at_once_and_never_more_than_they_have(self) -> None:
        assert markers(after_rolls(with_markers(3, 2), (5, 9))) == (0, 0)


@pytest.mark.rule("RPJ-MASS-13")
class TestMorale:
    def test_a_morale_roll_is_made_against_3_plus_all_markers_lost(self) -> None:
        asked = morale_roll(side(markers=9), RULES)
        assert asked.target == 4
        assert not read(asked, 2, 1).result.is_success

    def test_the_chances_of_morale_rolls_are_exact(self) -> None:
        told = [check_odds(morale_roll(side(markers=10 - lost), RULES)).enough for lost in range(1, 10)]
        shares = [f"{float(chance or 0) * 100:.2f}" for chance in told]
        assert shares == ["91.67", "83.33", "72.22", "58.33", "41.67", "27.78", "16.67", "8.33", "2.78"]

    def test_only_a_side_that_lost_markers_and_has_some_left_rolls_morale(self) -> None:
        assert shaken(after_rolls(battle(), (1, None))) == (REBELS,)
        assert shaken(after_rolls(battle(), (10, 3))) == (HEROES,)
        assert shaken(after_rolls(battle(), (9, 3))) == (HEROES, REBELS)
        assert shaken(battle()) == ()


@pytest.mark.rule("RPJ-MASS-14")
class TestRetreat:
    def test_a_retreating_side_makes_no_battle_roll_and_leaves_without_morale(self) -> None:
        told = battle().with_side(HEROES, battle().sides[HEROES].model_copy(update={"retreats": True}))
        assert rolling(told) == (REBELS,)
        hit = after_rolls(told, (None, 3))
        assert shaken(hit) == ()
        over = ended(hit, ())
        assert [one.status for one in over.sides] == [RpjStatus.RETREATED, RpjStatus.VICTORIOUS]
        assert (over.sides[HEROES].lost, recovery_roll(over.sides[HEROES], RULES).target) == (3, 9)

    def test_nobody_makes_a_battle_roll_when_both_sides_retreat(self) -> None:
        told = battle()
        for place in (HEROES, REBELS):
            told = told.with_side(place, told.sides[place].model_copy(update={"retreats": True}))
        assert rolling(told) == ()
        assert [one.status for one in ended(told, ()).sides] == [RpjStatus.RETREATED, RpjStatus.RETREATED]


@pytest.mark.rule("RPJ-MASS-15", "RPJ-MASS-16")
class TestEndOfABattle:
    def test_a_routed_side_loses_one_more_marker(self) -> None:
        over = ended(after_rolls(battle(), (1, None)), (REBELS,))
        assert over.sides[REBELS].lost == 2
        assert [one.status for one in over.sides] == [RpjStatus.VICTORIOUS, RpjStatus.ROUTED]

    @pytest.mark.parametrize(
        ("left", "routed", "expected"),
        [
            ((0, 3), (), ["wiped out", "victorious"]),
            ((0, 0), (), ["wiped out", "wiped out"]),
            ((2, 3), (0, 1), ["routed", "routed"]),
            ((2, 3), (), ["fighting", "fighting"]),
        ],
    )
    def test_the_last_side_left_wins_the_battle(
        self, left: tuple[int, int], routed: tuple[int, ...], expected: list[str]
    ) -> None:
        over = ended(with_markers(*left), routed)
        assert [one.status for one in over.sides] == expected
        assert over.is_over is (expected[0] != "fighting")


@pytest.mark.rule("RPJ-MASS-17")
class TestRecoveringMarkers:
    @pytest.mark.parametrize(
        ("status", "target", "share"),
        [
            (RpjStatus.VICTORIOUS, 8, "41.67"),
            (RpjStatus.RETREATED, 9, "27.78"),
            (RpjStatus.ROUTED, 10, "16.67"),
            (RpjStatus.WIPED_OUT, 10, "16.67"),
        ],
    )
    def test_recovery_of_a_marker_depends_on_how_the_side_left(
        self, status: RpjStatus, target: int, share: str
    ) -> None:
        asked = recovery_roll(side(status=status), RULES)
        assert asked.target == target
        assert f"{float(check_odds(asked).enough or 0) * 100:.2f}" == share

    def test_each_lost_marker_gets_a_recovery_roll(self) -> None:
        routed = recovery_roll(side(status=RpjStatus.ROUTED, markers=8), RULES)
        assert [read(routed, *faces).result.is_success for faces in ((3, 2), (6, 5))] == [False, True]
        won = recovery_roll(side(status=RpjStatus.VICTORIOUS, markers=7), RULES)
        assert [read(won, *faces).result.is_success for faces in ((4, 4), (4, 3), (6, 6))] == [
            True,
            False,
            True,
        ]


@pytest.mark.rule("RPJ-MASS-18")
class TestWhatAMarkerIsWorth:
    def test_lost_markers_are_converted_to_people(self) -> None:
        small = side(people=40, start=7, markers=7)
        assert [small.people_in(count) for count in range(8)] == [0, 6, 11, 17, 23, 29, 34, 40]

    @pytest.mark.parametrize(
        ("people", "start", "left", "for_good", "expected"),
        [(60, 10, 8, 1, (6, 6)), (40, 7, 4, 1, (6, 11))],
    )
    def test_people_lost_are_split_into_dead_and_wounded(
        self, people: int, start: int, left: int, for_good: int, expected: tuple[int, int]
    ) -> None:
        assert dead_and_wounded(side(people=people, start=start, markers=left), for_good) == expected


@pytest.mark.rule("RPJ-MASS-19")
def test_a_character_who_takes_turns_in_a_round_cannot_contribute_in_it() -> None:
    told = having_contributed(battle(mode=Mode.INTEGRATED), ANDRASTOS)
    with pytest.raises(
        UserError, match="You can contribute once per round, and not in a round when you take turns"
    ):
        assert_may_contribute(told, ANDRASTOS)
    assert ended(told, ()).round == 2


@pytest.mark.rule("RPJ-MASS-07")
@pytest.mark.parametrize("attacker", [HEROES, REBELS])
@pytest.mark.parametrize("size", [0, 1, 6])
def test_works_count_against_those_who_attack_them(attacker: int, size: int) -> None:
    told = with_works(with_markers(10, 10), attacker, size)

    assert told.sides[attacker].works == -size
    assert told.sides[1 - attacker].works == size
