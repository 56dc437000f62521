"""Fire and Movement: target numbers, shots, suppression, overwatch, cautious movement."""

from typing import Any

import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.engine.fire_steps import Suppressing, suppressing_check
from bot.rules.rpj.combat.rules.arms import Arm
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check
from bot.rules.rpj.combat.rules.defenses import best_defense
from bot.rules.rpj.combat.rules.targets import Posture, Shooting, halved, ranged_defense, target_parts
from bot.rules.rpj.combat.state.cover import ADJACENT, CAUTIOUS, RpjCover
from bot.rules.rpj.combat.state.suppression import UnderFire, is_triggered, shots_at_mover
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import RpjCheckInputs
from tests.rules.rpj.combat.battles import battle, mook, person, with_weapon
from tests.rules.rpj.people import FANTASY, module_with
from tests.rules.rpj.throws import read

WALL = RpjCover(name="wall", quality=4, flank=1)
FIRED = module_with(FANTASY, optional_rules=["fire_and_movement"])
PINNED = UnderFire().suppressed("rat", 1, has_had_turn=False)
OVERLOADED = (NamedTerm(label="overloaded", value=-1),)


def target(modifier: int, distance: int = 2, *, fire: str = "", **more: Any) -> int:
    """The target number of a shot: ordinary, suppressive, or one that passes cover by."""
    posture = Posture(modifier=modifier, **more)
    parts = target_parts(
        posture, distance, is_suppressive=fire == "suppressive", ignores_cover=fire == "reaction"
    )
    return 7 + sum(part.value for part in parts)


def shot(
    base: int, *, weapon: int = 0, distance: int = 0, how: Shooting = Shooting.PLAIN, **more: Any
) -> RpjCheckInputs:
    """The roll of a shot at a mook two regions away.

    Args:
        base: Base level of the skill and the attribute bonus.
        weapon: What the weapon adds.
        distance: What the distance adds.
        how: How it is shot.
        **more: What the owner adds to the roll, and what they suffer under fire.
    """
    skill = NamedTerm(label="Pistols", value=base - 2)
    dexterity = NamedTerm(label="Dexterity bonus", value=2)
    arm = Arm(
        id="gun",
        name="Gun",
        base=(skill, dexterity),
        weapon=weapon,
        addends=more.get("addends", ()),
        greatest=5,
        range_modifiers={2: distance},
    )
    shooter = person("ug", module=FIRED, fighter={"under_fire": more.get("under_fire", UnderFire())})
    fight = battle(shooter, mook("rat", region=3, group=2), module=FIRED)
    aim = RpjAim(attacker="ug", target="rat", arm=arm, shot=how)
    return attack_check(fight, aim, best_defense(fight["rat"]))


def against(needed: int, inputs: RpjCheckInputs) -> RpjCheckInputs:
    """The same roll against another target number."""
    return inputs.model_copy(update={"difficulty": needed - 7, "opposition": ()})


@pytest.mark.rule("RPJ-FIRE-09")
class TestRangedDefense:
    @pytest.mark.parametrize(
        ("skill", "dexterity", "expected"),
        [(4, 1, 10), (0, 1, 6), (2, 1, 8), (0, 0, 5), (6, 2, 13), (4, 2, 11)],
    )
    def test_base_level_and_dexterity_less_two(self, skill: int, dexterity: int, expected: int) -> None:
        assert target(ranged_defense(skill, dexterity)) == expected

    def test_a_mook_has_its_one_value(self) -> None:
        assert target(10 - 7, covers=(RpjCover(quality=4, flank=0),)) == 14


@pytest.mark.rule("RPJ-FIRE-10")
class TestAttackModifier:
    def test_base_weapon_and_range(self) -> None:
        assert shot(4, weapon=1).modifier == 5
        assert shot(4, weapon=1, distance=-2).modifier == 3

    def test_only_the_base_is_halved(self) -> None:
        class_skill = (NamedTerm(label="class skill", value=1),)
        assert shot(4, weapon=1, addends=class_skill, under_fire=PINNED).modifier == 4


@pytest.mark.rule("RPJ-FIRE-11")
class TestAttackRoll:
    @pytest.mark.parametrize(
        ("added", "faces", "needed", "hits"),
        [
            (4, (4, 1), 10, False),
            (4, (4, 1), 6, True),
            (4, (4, 2), 10, True),
            (2, (6, 6), 18, True),
            (9, (1, 1), 10, False),
        ],
    )
    def test_total_against_defence_with_criticals(
        self, added: int, faces: tuple[int, int], needed: int, hits: bool
    ) -> None:
        asked = against(needed, shot(added))
        assert read(asked, *faces).result.is_success is hits


@pytest.mark.rule("RPJ-FIRE-21")
class TestAimedFire:
    def test_one_is_added_to_the_roll(self) -> None:
        aimed = shot(4, weapon=1, how=Shooting.AIMED)
        assert aimed.modifier == 6
        assert target(3, 1, covers=(RpjCover(quality=3, flank=1),)) == 11
        assert read(against(11, aimed), 4, 3).result.is_success

    def test_the_suppressed_do_not_aim(self) -> None:
        with pytest.raises(UserError, match="You can't aim while suppressed"):
            UnderFire().suppressed("bo", 1, has_had_turn=False).assert_may_aim()
        UnderFire().assert_may_aim()


@pytest.mark.rule("RPJ-FIRE-23")
class TestSuppressiveFire:
    @pytest.mark.parametrize(("own", "expected"), [(3, 8), (6, 10), (1, 7), (-1, 6), (-2, 5)])
    def test_half_of_the_defence_and_no_cover(self, own: int, expected: int) -> None:
        assert target(own, fire="suppressive", covers=(RpjCover(quality=6),)) == expected

    def test_one_roll_is_compared_with_each(self) -> None:
        needed = [target(own, fire="suppressive") for own in (3, 6)]
        assert [read(against(one, shot(2)), 4, 3).result.is_success for one in needed] == [
            True,
            False,
        ]

    def test_a_suppressed_mook_has_half_of_its_attack(self) -> None:
        assert shot(5, under_fire=PINNED).modifier == 2


@pytest.mark.rule("RPJ-FIRE-24")
class TestSuppressed:
    @pytest.mark.parametrize(("base", "expected"), [(4, 3), (5, 3)])
    def test_the_base_is_halved_and_the_weapon_is_not(self, base: int, expected: int) -> None:
        assert shot(base, weapon=1, under_fire=PINNED).modifier == expected

    def test_what_is_nothing_or_less_is_not_halved(self) -> None:
        assert [halved(value) for value in (1, 0, -1, -3)] == [0, 0, -1, -3]

    def test_it_ends_with_their_next_turn(self) -> None:
        before = UnderFire().suppressed("bo", 1, has_had_turn=False)
        assert not before.turn_ended(1, in_cover=False).is_suppressed
        late = UnderFire().suppressed("bo", 1, has_had_turn=True)
        assert late.turn_ended(1, in_cover=False).is_suppressed
        assert not late.turn_ended(2, in_cover=False).is_suppressed

    def test_twice_is_no_more_and_both_are_listed(self) -> None:
        twice = UnderFire().suppressed("bo", 1, has_had_turn=False).suppressed("cy", 1, has_had_turn=False)
        assert twice.suppressors == ("bo", "cy")
        assert shot(6, under_fire=PINNED, how=Shooting.AT_CAUTIOUS).modifier == 3


@pytest.mark.rule("RPJ-FIRE-25")
class TestMovingUnderFire:
    PINNED = UnderFire().suppressed("bo", 1, has_had_turn=False).suppressed("cy", 1, has_had_turn=False)

    def test_the_first_move_of_a_turn_draws_a_shot_of_each(self) -> None:
        assert shots_at_mover(self.PINNED) == ("bo", "cy")
        assert shots_at_mover(self.PINNED.moved(leaves_cover=True)) == ()
        assert shots_at_mover(self.PINNED.moved(leaves_cover=True).turn_began()) == ("bo", "cy")

    def test_who_is_not_suppressed_draws_none(self) -> None:
        assert shots_at_mover(UnderFire()) == ()

    def test_the_mover_has_no_cover(self) -> None:
        assert target(3, covers=(RpjCover(quality=6),), fire="reaction") == 10


@pytest.mark.rule("RPJ-FIRE-26")
class TestOverwatch:
    WATCH = UnderFire().watching(2)

    def test_who_enters_the_region_may_be_shot_at(self) -> None:
        assert is_triggered(self.WATCH, 1, 2, is_cautious=False)
        assert not is_triggered(self.WATCH, 2, 2, is_cautious=False)
        assert not is_triggered(self.WATCH, 2, 3, is_cautious=False)

    def test_a_shot_ends_it_and_holding_does_not(self) -> None:
        assert self.WATCH.overwatch == 2
        assert self.WATCH.fired().overwatch is None

    def test_nobody_moves_after_setting_it(self) -> None:
        with pytest.raises(UserError, match="You can't move while on overwatch"):
            self.WATCH.assert_may_move()
        self.WATCH.turn_began().assert_may_move()

    def test_there_is_one_at_a_time(self) -> None:
        assert self.WATCH.watching(4).overwatch == 4

    def test_who_enters_has_no_cover(self) -> None:
        assert target(3, covers=(WALL,), fire="reaction") == 10


@pytest.mark.rule("RPJ-FIRE-27")
def test_overwatch_and_the_shot_at_the_suppressed_are_two_shots() -> None:
    shooter = UnderFire().watching(2)
    mover = UnderFire().suppressed("shooter", 1, has_had_turn=False)
    assert shots_at_mover(mover) == ("shooter",)
    assert is_triggered(shooter, 1, 2, is_cautious=False)
    assert shooter.fired().overwatch is None


@pytest.mark.rule("RPJ-FIRE-28")
class TestCautiousMovement:
    def test_out_of_cover_it_stands_in_for_a_little(self) -> None:
        assert UnderFire().cautious(in_cover=False).is_cautious
        assert [target(3, distance, covers=(CAUTIOUS,)) for distance in (1, 0)] == [11, 10]

    def test_in_real_cover_only_that_counts(self) -> None:
        assert not UnderFire().cautious(in_cover=True).is_cautious

    def test_it_is_over_with_the_next_turn_and_nobody_cowers_in_it(self) -> None:
        moved = UnderFire().cautious(in_cover=False)
        assert not moved.turn_began().is_cautious
        assert not moved.turn_ended(1, in_cover=True).is_cowering

    def test_the_agile_have_nothing_more_of_it(self) -> None:
        assert target(3, 1, covers=(CAUTIOUS,), agile=1) == 11


@pytest.mark.rule("RPJ-FIRE-29")
class TestShotsAtTheCautious:
    @pytest.mark.parametrize(("base", "expected"), [(4, 2), (5, 2)])
    def test_they_have_half_of_the_base(self, base: int, expected: int) -> None:
        assert shot(base, how=Shooting.AT_CAUTIOUS).modifier == expected

    def test_never_a_quarter(self) -> None:
        assert shot(6, under_fire=PINNED, how=Shooting.AT_CAUTIOUS).modifier == 3


@pytest.mark.rule("RPJ-FIRE-30")
def test_a_cautious_move_draws_no_overwatch() -> None:
    assert not is_triggered(UnderFire().watching(2), 1, 2, is_cautious=True)


@pytest.mark.rule("RPJ-FIRE-17", "RPJ-FIRE-18")
class TestInCover:
    def test_turning_about_is_once_a_turn_and_in_cover_only(self) -> None:
        once = UnderFire().reoriented(1, in_cover=True)
        with pytest.raises(UserError, match="You can turn around once per turn"):
            once.reoriented(1, in_cover=True)
        assert not once.reoriented(2, in_cover=True).is_reoriented
        with pytest.raises(UserError, match="no cover"):
            UnderFire().reoriented(1, in_cover=False)

    def test_who_leaves_cover_faces_forward_again(self) -> None:
        assert not UnderFire(is_reoriented=True).moved(leaves_cover=True).is_reoriented
        assert UnderFire(is_reoriented=True).moved(leaves_cover=False).is_reoriented

    def test_who_neither_moves_nor_attacks_in_cover_cowers_until_their_next_turn(self) -> None:
        cowering = UnderFire().turn_began().turn_ended(1, in_cover=True)
        assert cowering.is_cowering
        assert not cowering.turn_began().is_cowering
        assert not UnderFire().turn_ended(1, in_cover=False).is_cowering

    @pytest.mark.parametrize(
        "acted",
        [
            UnderFire().attacked(),
            UnderFire().moved(leaves_cover=False),
            UnderFire().watching(1),
            UnderFire().reoriented(1, in_cover=True),
        ],
    )
    def test_who_did_anything_else_does_not(self, acted: UnderFire) -> None:
        assert not acted.turn_ended(1, in_cover=True).is_cowering


@pytest.mark.rule("RPJ-FIRE-32")
def test_several_weapons_suppress_better_by_one_each() -> None:
    guns = {"attribute": "DEX", "least_range": 0, "greatest_range": 5, "attack_modifier": 5}
    armed = with_weapon("second", with_weapon("first", FIRED, **guns), **guns, range_modifiers={2: -1})
    held = {"wielded": ("first", "second")}
    shooter = person("ug", module=armed, fighter=held, belongings=("first", "second"))
    fight = battle(shooter, mook("rat", region=3, group=2), module=armed)

    one = Suppressing(attacker="ug", group=2, weapon="first")
    assert suppressing_check(fight, one, "rat").modifier == 5
    both = one.model_copy(update={"extras": ("second",)})
    assert suppressing_check(fight, both, "rat").modifier == 6


@pytest.mark.rule("RPJ-FIRE-33")
def test_for_a_weak_fighter_suppression_is_worth_more_than_a_shot() -> None:
    ordinary = check_odds(against(14, shot(2))).enough
    assert target(4, fire="suppressive") == 9
    suppressive = check_odds(against(9, shot(2))).enough
    assert f"{float(ordinary or 0) * 100:.2f}" == "2.78"
    assert f"{float(suppressive or 0) * 100:.2f}" == "58.33"


@pytest.mark.rule("RPJ-FIRE-34")
class TestPipeline:
    def test_each_step_in_its_order(self) -> None:
        assert target(3, 1, covers=(WALL,), is_cowering=True) == 14
        assert target(3, agile=1) == 11
        assert target(3, agile=1, fire="suppressive") == 9
        assert target(3, 2, covers=(WALL,), other=OVERLOADED) == 13

    @pytest.mark.parametrize(
        ("turned", "cowers", "expected"),
        [
            (False, False, [10, 10, 12, 14]),
            (True, False, [14, 14, 12, 10]),
            (False, True, [10, 10, 14, 18]),
            (True, True, [18, 18, 14, 10]),
        ],
    )
    def test_a_wall_from_every_distance(self, turned: bool, cowers: bool, expected: list[int]) -> None:
        told = [
            target(3, distance, covers=(WALL,), is_reoriented=turned, is_cowering=cowers)
            for distance in (ADJACENT, 0, 1, 2)
        ]
        assert told == expected

    @pytest.mark.parametrize(
        ("flags", "expected"),
        [
            ({}, [0, 1, 3]),
            ({"is_cowering": True}, [0, 3, 6]),
            ({"is_reoriented": True}, [3, 1, 0]),
            ({"is_reoriented": True, "is_cowering": True}, [6, 3, 0]),
        ],
    )
    def test_a_car_from_close_by(self, flags: dict[str, bool], expected: list[int]) -> None:
        car = RpjCover(quality=3, flank=0)
        assert [car.bonus(distance, **flags) for distance in (ADJACENT, 0, 1)] == expected
