"""Fire and Movement: target numbers, shots, suppression, overwatch, cautious movement."""

from typing import Any

import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import (
    ADJACENT,
    CAUTIOUS,
    RpjCover,
    Side,
    UnderFire,
    counted,
    hidden_stacks,
    is_triggered,
    shots_at_mover,
    stack_name,
    stacks,
)
from bot.rules.rpj.combat.engine.attack_steps import Suppressing, suppressing_check
from bot.rules.rpj.combat.engine.moves import shot_arm
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check, best_defense
from bot.rules.rpj.combat.rules.combatants import Arm
from bot.rules.rpj.combat.rules.shooting import (
    Posture,
    Shooting,
    defense_modifier,
    halved,
    ranged_defense,
    ranged_skill,
    target_parts,
)
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.rules.rpj.combat.battles import GOBLIN, battle, mook, person, with_armor, with_weapon, without_role
from tests.rules.rpj.people import FANTASY, figure, known, module_with
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
    def test_ranged_defense_is_base_level_plus_dexterity_bonus_minus_2(
        self, skill: int, dexterity: int, expected: int
    ) -> None:
        assert target(ranged_defense(skill, dexterity)) == expected

    @pytest.mark.parametrize(
        ("armor", "skill"),
        [
            ({"skill": "heavy_armor_use"}, "dodge"),
            ({"skill": "heavy_armor_use", "must_absorb": True}, "heavy_armor_use"),
            ({"skill": "", "must_absorb": True}, "dodge"),
        ],
    )
    def test_armor_that_only_absorbs_forces_its_own_skill_if_it_has_one(
        self, armor: dict[str, Any], skill: str
    ) -> None:
        module = with_armor("plate", FIRED, **armor)
        worn = figure("DEX 3", module, skills=[known("dodge", 4)], belongings=("plate",))

        found = ranged_skill(worn)

        assert found is not None
        assert found.id == skill

    def test_without_a_dodge_skill_ranged_defense_is_the_dexterity_bonus_minus_2(self) -> None:
        assert target(defense_modifier(figure("DEX 3", without_role("dodge")))) == 6

    def test_a_mooks_single_defense_also_serves_as_its_ranged_defense(self) -> None:
        assert target(10 - 7, covers=(RpjCover(quality=4, flank=0),)) == 14


@pytest.mark.rule("RPJ-FIRE-10")
class TestShotModifier:
    def test_base_weapon_and_range_make_up_the_modifier_of_a_shot(self) -> None:
        assert shot(4, weapon=1).modifier == 5
        assert shot(4, weapon=1, distance=-2).modifier == 3

    def test_suppression_halves_the_base_of_a_shot_but_not_its_bonuses(self) -> None:
        class_skill = (NamedTerm(label="class skill", value=1),)
        assert shot(4, weapon=1, addends=class_skill, under_fire=PINNED).modifier == 4


@pytest.mark.rule("RPJ-FIRE-11")
class TestShotRoll:
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
    def test_a_shot_hits_on_its_total_or_a_double_six_but_never_on_a_double_one(
        self, added: int, faces: tuple[int, int], needed: int, hits: bool
    ) -> None:
        asked = against(needed, shot(added))
        assert read(asked, *faces).result.is_success is hits


@pytest.mark.rule("RPJ-FIRE-21")
class TestAimedFire:
    def test_aiming_adds_1_to_the_shot(self) -> None:
        aimed = shot(4, weapon=1, how=Shooting.AIMED)
        assert aimed.modifier == 6
        assert target(3, 1, covers=(RpjCover(quality=3, flank=1),)) == 11
        assert read(against(11, aimed), 4, 3).result.is_success


@pytest.mark.rule("RPJ-FIRE-23")
class TestSuppressiveFire:
    @pytest.mark.parametrize(("own", "expected"), [(3, 8), (6, 10), (1, 7), (-1, 6), (-2, 5)])
    def test_suppressive_fire_meets_half_the_defense_and_ignores_cover(self, own: int, expected: int) -> None:
        assert target(own, fire="suppressive", covers=(RpjCover(quality=6),)) == expected

    def test_suppressive_fire_compares_one_roll_with_every_target(self) -> None:
        needed = [target(own, fire="suppressive") for own in (3, 6)]
        assert [read(against(one, shot(2)), 4, 3).result.is_success for one in needed] == [
            True,
            False,
        ]

    def test_a_suppressed_mook_shoots_with_half_its_attack(self) -> None:
        assert shot(5, under_fire=PINNED).modifier == 2


@pytest.mark.rule("RPJ-FIRE-24")
class TestSuppressed:
    @pytest.mark.parametrize(("base", "expected"), [(4, 3), (5, 3)])
    def test_suppression_halves_the_base_of_a_shot_but_not_the_weapon_modifier(
        self, base: int, expected: int
    ) -> None:
        assert shot(base, weapon=1, under_fire=PINNED).modifier == expected

    def test_halving_leaves_zero_and_negative_values_alone(self) -> None:
        assert [halved(value) for value in (1, 0, -1, -3)] == [0, 0, -1, -3]

    def test_a_second_suppression_adds_no_penalty_but_both_shooters_are_listed(self) -> None:
        twice = UnderFire().suppressed("bo", 1, has_had_turn=False).suppressed("cy", 1, has_had_turn=False)
        assert twice.suppressors == ("bo", "cy")
        assert shot(6, under_fire=PINNED, how=Shooting.AT_CAUTIOUS).modifier == 3


@pytest.mark.rule("RPJ-FIRE-25")
class TestMovingUnderFire:
    PINNED = UnderFire().suppressed("bo", 1, has_had_turn=False).suppressed("cy", 1, has_had_turn=False)

    def test_a_suppressed_fighters_first_move_draws_a_shot_from_each_suppressor(self) -> None:
        assert shots_at_mover(self.PINNED) == ("bo", "cy")
        assert shots_at_mover(self.PINNED.moved(leaves_cover=True)) == ()
        assert shots_at_mover(self.PINNED.moved(leaves_cover=True).turn_began()) == ("bo", "cy")

    def test_an_unsuppressed_fighter_draws_no_shots_by_moving(self) -> None:
        assert shots_at_mover(UnderFire()) == ()

    def test_cover_does_not_count_against_a_shot_at_a_moving_target(self) -> None:
        assert target(3, covers=(RpjCover(quality=6),), fire="reaction") == 10


@pytest.mark.rule("RPJ-FIRE-26")
class TestOverwatch:
    WATCH = UnderFire().watching(2)

    def test_entering_a_watched_region_triggers_overwatch(self) -> None:
        assert is_triggered(self.WATCH, 1, 2, is_cautious=False)
        assert not is_triggered(self.WATCH, 2, 2, is_cautious=False)
        assert not is_triggered(self.WATCH, 2, 3, is_cautious=False)

    def test_overwatch_lasts_until_the_watcher_shoots(self) -> None:
        assert self.WATCH.overwatch == 2
        assert self.WATCH.fired().overwatch is None

    def test_a_fighter_on_overwatch_cannot_move_until_the_next_turn(self) -> None:
        with pytest.raises(UserError, match="You can't move while on overwatch"):
            self.WATCH.assert_may_move()
        self.WATCH.turn_began().assert_may_move()

    def test_a_fighter_watches_only_one_region_at_a_time(self) -> None:
        assert self.WATCH.watching(4).overwatch == 4

    def test_cover_does_not_count_against_an_overwatch_shot(self) -> None:
        assert target(3, covers=(WALL,), fire="reaction") == 10


@pytest.mark.rule("RPJ-FIRE-27")
def test_overwatch_and_the_shot_at_a_suppressed_mover_are_separate_shots() -> None:
    shooter = UnderFire().watching(2)
    mover = UnderFire().suppressed("shooter", 1, has_had_turn=False)
    assert shots_at_mover(mover) == ("shooter",)
    assert is_triggered(shooter, 1, 2, is_cautious=False)
    assert shooter.fired().overwatch is None


@pytest.mark.rule("RPJ-FIRE-28")
class TestCautiousMovement:
    def test_cautious_movement_in_the_open_counts_as_light_cover(self) -> None:
        assert UnderFire().cautious(in_cover=False).is_cautious
        assert [target(3, distance, covers=(CAUTIOUS,)) for distance in (1, 0)] == [11, 10]

    def test_cautious_movement_adds_nothing_to_real_cover(self) -> None:
        assert not UnderFire().cautious(in_cover=True).is_cautious

    def test_cautious_movement_ends_with_the_next_turn_and_is_not_cowering(self) -> None:
        moved = UnderFire().cautious(in_cover=False)
        assert not moved.turn_began().is_cautious
        assert not moved.turn_ended(1, in_cover=True).is_cowering

    def test_agile_adds_nothing_to_cautious_movement(self) -> None:
        assert target(3, 1, covers=(CAUTIOUS,), agile=1) == 11


@pytest.mark.rule("RPJ-FIRE-29")
class TestShotsAtCautiousMovers:
    @pytest.mark.parametrize(("base", "expected"), [(4, 2), (5, 2)])
    def test_a_shot_at_a_cautious_mover_has_half_its_base(self, base: int, expected: int) -> None:
        assert shot(base, how=Shooting.AT_CAUTIOUS).modifier == expected

    def test_the_base_of_a_shot_is_never_halved_twice(self) -> None:
        assert shot(6, under_fire=PINNED, how=Shooting.AT_CAUTIOUS).modifier == 3


@pytest.mark.rule("RPJ-FIRE-30")
def test_a_cautious_move_does_not_trigger_overwatch() -> None:
    assert not is_triggered(UnderFire().watching(2), 1, 2, is_cautious=True)


@pytest.mark.rule("RPJ-FIRE-17", "RPJ-FIRE-18")
class TestTurningAndCoweringInCover:
    def test_a_fighter_who_leaves_cover_faces_forward_again(self) -> None:
        assert not UnderFire(is_reoriented=True).moved(leaves_cover=True).is_reoriented
        assert UnderFire(is_reoriented=True).moved(leaves_cover=False).is_reoriented

    def test_a_fighter_who_neither_moves_nor_attacks_in_cover_cowers_until_the_next_turn(self) -> None:
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
    def test_a_fighter_who_attacks_moves_watches_or_turns_does_not_cower(self, acted: UnderFire) -> None:
        assert not acted.turn_ended(1, in_cover=True).is_cowering


@pytest.mark.rule("RPJ-FIRE-32")
def test_each_extra_weapon_adds_1_to_suppressive_fire() -> None:
    guns = {"attribute": "DEX", "least_range": 0, "greatest_range": 5, "attack_modifier": 5}
    armed = with_weapon("second", with_weapon("first", FIRED, **guns), **guns, range_modifiers={2: -1})
    held = {"wielded": ("first", "second")}
    shooter = person("ug", module=armed, fighter=held, belongings=("first", "second"))
    fight = battle(shooter, mook("rat", region=3, group=2), module=armed)

    one = Suppressing(attacker="ug", group=2, weapon="first")
    assert suppressing_check(fight, one, "rat").modifier == 5
    both = one.model_copy(update={"extras": ("second",)})
    assert suppressing_check(fight, both, "rat").modifier == 6
    other_way_round = Suppressing(attacker="ug", group=2, weapon="second", extras=("first",))
    assert suppressing_check(fight, other_way_round, "rat").modifier == 6


@pytest.mark.rule("RPJ-FIRE-33")
def test_suppressive_fire_gives_a_weak_fighter_better_odds_than_a_shot() -> None:
    ordinary = check_odds(against(14, shot(2))).enough
    assert target(4, fire="suppressive") == 9
    suppressive = check_odds(against(9, shot(2))).enough
    assert f"{float(ordinary or 0) * 100:.2f}" == "2.78"
    assert f"{float(suppressive or 0) * 100:.2f}" == "58.33"


@pytest.mark.rule("RPJ-FIRE-34")
class TestTargetNumberOfAShot:
    def test_cover_cowering_agility_and_load_change_the_target_number_of_a_shot(self) -> None:
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
    def test_a_wall_is_worth_the_listed_target_number_at_every_distance(
        self, turned: bool, cowers: bool, expected: list[int]
    ) -> None:
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
    def test_a_car_is_worth_the_listed_bonus_at_close_range(
        self, flags: dict[str, bool], expected: list[int]
    ) -> None:
        car = RpjCover(quality=3, flank=0)
        assert [car.bonus(distance, **flags) for distance in (ADJACENT, 0, 1)] == expected


TRUTHS = (False, True)


@pytest.mark.rule(
    "RPJ-FIRE-12", "RPJ-FIRE-17", "RPJ-FIRE-18", "RPJ-FIRE-24", "RPJ-FIRE-25", "RPJ-FIRE-26", "RPJ-FIRE-28"
)
class TestWhatEndsWhat:
    @pytest.mark.parametrize("in_cover", TRUTHS)
    @pytest.mark.parametrize("before", TRUTHS)
    def test_cowering_and_facing_the_other_way_last_only_in_cover(self, before: bool, in_cover: bool) -> None:
        state = UnderFire(is_cowering=before, is_reoriented=before, overwatch=2)

        shoved = state.displaced(in_cover=in_cover)
        walked = state.moved(leaves_cover=not in_cover)

        assert (shoved.is_cowering, shoved.is_reoriented) == (before and in_cover, before and in_cover)
        assert (walked.is_cowering, walked.is_reoriented) == (False, before and in_cover)
        assert (shoved.overwatch, walked.overwatch) == (None, None)
        assert (walked.has_moved, walked.acted, shoved.has_moved, shoved.acted) == (True, True, False, False)

    @pytest.mark.parametrize("in_cover", TRUTHS)
    @pytest.mark.parametrize("acted", TRUTHS)
    def test_only_the_idle_in_cover_cower(self, in_cover: bool, acted: bool) -> None:
        ended = UnderFire(acted=acted).turn_ended(1, in_cover=in_cover)

        assert ended.is_cowering is (in_cover and not acted)

    @pytest.mark.parametrize(
        ("has_had_turn", "ends", "lasts"), [(False, 1, (True, False)), (True, 2, (True, True, False))]
    )
    def test_suppression_lasts_to_the_end_of_the_next_turn(
        self, has_had_turn: bool, ends: int, lasts: tuple[bool, ...]
    ) -> None:
        state = UnderFire().suppressed("a", 1, has_had_turn=has_had_turn)

        assert (state.until_round, state.suppressors, state.is_suppressed) == (ends, ("a",), True)
        found = [state.is_suppressed]
        for round_ in range(1, ends + 1):
            state = state.turn_ended(round_, in_cover=False)
            found.append(state.is_suppressed)
        assert tuple(found) == lasts
        assert state.suppressors == ()

    def test_each_suppressor_is_listed_once_the_latest_last(self) -> None:
        state = UnderFire()
        for by in ("a", "b", "a"):
            state = state.suppressed(by, 1, has_had_turn=False)

        assert state.suppressors == ("b", "a")

    @pytest.mark.parametrize("has_moved", TRUTHS)
    @pytest.mark.parametrize("is_suppressed", TRUTHS)
    def test_only_the_first_move_of_the_suppressed_draws_shots(
        self, is_suppressed: bool, has_moved: bool
    ) -> None:
        state = UnderFire(
            suppressors=("a", "b"), until_round=2 if is_suppressed else None, has_moved=has_moved
        )

        assert shots_at_mover(state) == (("a", "b") if is_suppressed and not has_moved else ())

    @pytest.mark.parametrize(
        ("watched", "start", "end", "cautious", "triggers"),
        [
            (2, 1, 2, False, True),
            (2, 2, 2, False, False),
            (2, 1, 3, False, False),
            (2, 2, 3, False, False),
            (2, 1, 2, True, False),
            (None, 1, 2, False, False),
        ],
    )
    def test_only_entering_the_watched_region_without_caution_is_shot_at(
        self, watched: int | None, start: int, end: int, cautious: bool, triggers: bool
    ) -> None:
        assert is_triggered(UnderFire(overwatch=watched), start, end, is_cautious=cautious) is triggers

    @pytest.mark.parametrize("in_cover", TRUTHS)
    def test_a_cautious_move_counts_as_cover_only_in_the_open(self, in_cover: bool) -> None:
        state = UnderFire(is_reoriented=True).cautious(in_cover=in_cover)

        assert (state.is_cautious, state.is_reoriented, state.has_moved) == (not in_cover, in_cover, True)

    def test_a_new_turn_ends_what_lasts_until_then(self) -> None:
        state = UnderFire(
            is_cowering=True,
            is_cautious=True,
            overwatch=3,
            has_moved=True,
            acted=True,
            is_reoriented=True,
            suppressors=("a",),
            until_round=4,
        ).turn_began()

        assert state == UnderFire(is_reoriented=True, suppressors=("a",), until_round=4)

    def test_one_turns_around_once_a_turn_and_acts_by_it(self) -> None:
        turned = UnderFire(is_cowering=True).reoriented(3, in_cover=True)

        assert (turned.is_reoriented, turned.acted, turned.is_cowering) == (True, True, False)
        with pytest.raises(UserError, match="once per turn"):
            turned.reoriented(3, in_cover=True)
        assert not turned.reoriented(4, in_cover=True).is_reoriented
        with pytest.raises(UserError, match="no cover"):
            UnderFire().reoriented(1, in_cover=False)


@pytest.mark.rule("RPJ-GCS-67")
class TestStacks:
    ARCHER = GOBLIN.model_copy(update={"name": "Archer"})

    def test_equal_mooks_that_stand_together_are_one_stack(self) -> None:
        goblins = [mook(f"g{number}", group=1)[0] for number in range(2)]
        apart = mook("g2", group=2)[0]
        other = mook("a0", self.ARCHER, group=1)[0]
        friend = mook("g3", group=1, side=Side.PLAYERS)[0]
        somebody = person("ug")[0]
        everybody = (*goblins, somebody, apart, other, friend)

        assert [[one.id for one in stack] for stack in stacks(everybody)] == [
            ["g0", "g1"],
            ["g2"],
            ["a0"],
            ["g3"],
        ]
        hidden = [one for one in everybody if one is not somebody]
        assert [[one.id for one in stack] for stack in hidden_stacks(hidden)] == [
            ["g0", "g1", "g3"],
            ["g2"],
            ["a0"],
        ]

    def test_mooks_are_counted_and_a_single_one_of_several_has_its_own_name(self) -> None:
        goblins = [mook(f"g{number}", group=1)[0] for number in range(3)]
        single = mook("a0", self.ARCHER)[0]

        assert counted((*goblins, single, person("ug")[0])) == ("Goblin ×3", "Archer", "Ug")
        assert counted(goblins[:2]) == ("Goblin ×2",)
        assert counted(goblins[:1]) == ("Goblin",)
        assert stack_name(goblins[:1], goblins) == "G0"
        assert stack_name(goblins[:2], goblins) == "Goblin ×2"
        assert stack_name([single], [*goblins, single]) == "Archer"


@pytest.mark.rule("RPJ-GCS-13", "RPJ-GCS-22")
@pytest.mark.parametrize(
    ("spent", "targeted", "untouched"),
    [
        ({}, False, True),
        ({}, True, True),
        ({"has_swapped": True}, False, True),
        ({"actions": 1}, False, False),
        ({"has_attacked": True}, False, False),
        ({"is_held": True}, False, False),
        ({"has_checked": True}, True, False),
    ],
)
def test_a_task_of_a_minute_needs_a_whole_turn_and_no_attack(
    spent: dict[str, Any], targeted: bool, untouched: bool
) -> None:
    one = person("ug", fighter={"was_targeted": targeted})[0]
    one = one.model_copy(update={"turn": one.turn.model_copy(update=spent)})

    assert one.turn.is_untouched is untouched
    assert one.has_a_minute is (untouched and not targeted)


@pytest.mark.rule("RPJ-FIRE-25")
class TestTheWeaponForAShotOutOfTurn:
    MODULE = with_weapon(
        "sling",
        with_weapon(
            "crossbow",
            FIRED,
            skill="archery",
            attribute="DEX",
            attack_modifier=2,
            least_range=0,
            greatest_range=3,
            range_modifiers={3: -4},
        ),
        skill="archery",
        attribute="DEX",
        attack_modifier=1,
        least_range=0,
        greatest_range=5,
    )

    def chosen(self, region: int, *wielded: str) -> str | None:
        shooter = person(
            "ug",
            module=self.MODULE,
            belongings=("sling", "crossbow", "dagger"),
            fighter={"wielded": wielded},
        )
        orc = person("orc", module=self.MODULE, foe=True, region=region, group=2)
        arm = shot_arm(battle(shooter, orc, module=self.MODULE), "ug", "orc")
        return None if arm is None else arm.id

    @pytest.mark.parametrize(
        ("region", "wielded", "weapon"),
        [
            (2, ("sling", "crossbow"), "crossbow"),
            (2, ("crossbow", "sling"), "crossbow"),
            (4, ("sling", "crossbow"), "sling"),
            (5, ("sling", "crossbow"), "sling"),
            (5, ("crossbow",), None),
            (2, ("dagger", "sling"), "sling"),
            (2, ("dagger",), None),
            (2, (), None),
        ],
    )
    def test_the_best_weapon_in_hand_that_reaches_is_used(
        self, region: int, wielded: tuple[str, ...], weapon: str | None
    ) -> None:
        assert self.chosen(region, *wielded) == weapon
