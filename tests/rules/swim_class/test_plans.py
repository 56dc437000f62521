"""The plan of a roll before its dice: what may go together, how many dice, which of two skills."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.growth import Scored
from bot.rules.swim_class.plans import (
    Helper,
    OpenPart,
    PoolPlan,
    Share,
    assert_allowed,
    chosen_skill,
    combined_dice,
    find_part,
    open_part,
    plan_pool,
    target_of,
    trait_modifier,
    with_part,
    without_open_parts,
)
from bot.rules.swim_class.pools import DiceGroup, PoolDie, Source, SwimPoolInputs
from bot.rules.swim_class.rolling import mishap_of
from bot.rules.swim_class.sheet import HeldTrait
from bot.rules.swim_class.unopposed_roll import could_fail, own_dice
from tests.rules.swim_class.play import id_of, lay_table, sheet, solo

HELP = (Helper(name="Bram", dice=1),)


def refusal(run: Callable[[], object]) -> str:
    """Why something is refused, or nothing."""
    try:
        run()
    except UserError as error:
        return error.what
    return ""


@pytest.mark.rule("SWIM-TASK-12", "SWIM-POOL-06", "SWIM-POOL-09", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({}, ""),
        ({"is_strained": True}, ""),
        ({"is_strained": True, "windup": 1}, ""),
        ({"is_strained": True, "windup": 2}, "You can't combine or wind up a strained skill."),
        ({"is_strained": True, "adds": ("walk",)}, "You can't combine or wind up a strained skill."),
        ({"windup": 2, "adds": ("walk",), "helpers": HELP}, ""),
        ({"is_strained": True, "helpers": HELP},
         "A strained skill can't use help, and Bram would help with this roll."),
        ({"push": 1, "focus": 1, "difficulty": 2}, ""),
        ({"push": 2, "focus": 1, "difficulty": 2}, "You can push or focus a roll, not both."),
        ({"push": 2, "difficulty": 3}, ""),
        ({"push": 2, "difficulty": 4}, "You can't push a difficulty of 4."),
        ({"push": 1, "difficulty": 4}, ""),
        ({"focus": 1, "difficulty": 3, "is_opposed": True}, "You can't focus an opposed roll."),
        ({"focus": 0, "is_opposed": True}, ""),
        ({"focus": 1, "difficulty": 2}, ""),
        ({"focus": 2, "difficulty": 3}, ""),
        ({"focus": 1, "difficulty": 1}, "You can't lower a difficulty of 1 by 1."),
        ({"focus": 2, "difficulty": 2}, "You can't lower a difficulty of 2 by 2."),
    ],
)  # fmt: skip
def test_what_may_go_together_in_a_roll(options: dict[str, Any], refused: str) -> None:
    assert refusal(lambda: assert_allowed(PoolPlan(skill="climb", **options))) == refused


@pytest.mark.rule("SWIM-POOL-09", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("difficulty", "push", "focus", "target", "quarters"),
    [(4, 1, 0, 4, 4), (3, 2, 0, 6, 8), (2, 3, 0, 6, 12), (5, 1, 1, 4, 2), (5, 1, 2, 3, 1)],
)
def test_pushing_multiplies_what_a_die_must_reach_and_is_worth_and_focusing_lowers_both(
    difficulty: int, push: int, focus: int, target: int, quarters: int
) -> None:
    table = solo({"climb": 2})
    plan = PoolPlan(skill="climb", difficulty=difficulty, push=push, focus=focus)
    inputs = plan_pool(table.scene, table.named("Ash"), plan).inputs

    assert target_of(plan) == target
    assert (inputs.difficulty, inputs.quarters) == (target, quarters)


@pytest.mark.rule("SWIM-POOL-01", "SWIM-POOL-04", "SWIM-POOL-05")
@pytest.mark.parametrize(
    ("base", "added", "cap", "dice"),
    [
        (3, [], True, ()),
        (3, [0], True, (0,)),
        (3, [1], True, (0,)),
        (3, [2], True, (1,)),
        (2, [3], True, (2,)),
        (2, [4], True, (2,)),
        (2, [4], False, (3,)),
        (3, [3, 3], True, (2, 1)),
        (3, [3, 3], False, (2, 2)),
        (2, [4, 2], True, (2, 0)),
        (1, [2, 2, 2], True, (1, 0, 0)),
    ],
)
def test_each_added_skill_brings_one_die_less_than_its_rank_up_to_the_base(
    base: int, added: list[int], cap: bool, dice: tuple[int, ...]
) -> None:
    assert combined_dice(base, added, cap=cap) == dice


@pytest.mark.rule("SWIM-POOL-07", "SWIM-POOL-08")
@pytest.mark.parametrize(
    ("count", "now", "left"),
    [
        (0, (0, ""), (3, "aab")),
        (2, (2, ""), (1, "aab")),
        (3, (3, ""), (0, "aab")),
        (4, (3, "a"), (0, "ab")),
        (5, (3, "aa"), (0, "b")),
        (6, (3, "aab"), (0, "")),
        (9, (3, "aab"), (0, "")),
    ],
)
def test_dice_are_split_off_the_skills_own_first(
    count: int, now: tuple[int, str], left: tuple[int, str]
) -> None:
    def seen(share: Share) -> tuple[int, str]:
        assert share.size == share.own + sum(group.count for group in share.added)
        return share.own, "".join(group.name * group.count for group in share.added)

    whole = Share(3, (DiceGroup(name="a", count=2), DiceGroup(name="b", count=1)))

    assert tuple(map(seen, whole.divided(count))) == (now, left)
    assert all(group.count for part in whole.divided(count) for group in part.added)


@pytest.mark.rule("SWIM-SYN-05", "SWIM-SYN-06")
@pytest.mark.parametrize(
    ("ranks", "exactly", "rolled"),
    [
        ({"craft": 1, "craft:wood": 1}, False, "craft:wood"),
        ({"craft": 3, "craft:wood": 2}, False, "craft"),
        ({"craft": 3, "craft:wood": 2}, True, "craft:wood"),
        ({"craft": 4, "craft:wood": 3}, False, "craft:wood"),
        ({"craft": 1, "craft:wood": 0}, False, "craft"),
        ({"craft": 0, "craft:wood": 0}, False, "craft"),
    ],
)
def test_the_better_of_a_specialization_and_its_parent_is_rolled(
    ranks: dict[str, int], exactly: bool, rolled: str
) -> None:
    """At difficulty 4, a die of the parent scores on 3 faces, one of the specialization on 4."""
    table = solo(ranks)
    plan = PoolPlan(skill="craft:wood", difficulty=4, exactly=exactly)

    assert chosen_skill(table.scene, table.named("Ash"), plan) == rolled


@pytest.mark.rule("SWIM-SYN-06", "SWIM-RACE-06")
@pytest.mark.parametrize(("traits", "rolled"), [({"large": 2}, "brawn"), ({"small": 2}, "brawn:lifting")])
def test_traits_count_for_whether_a_specialization_is_better(traits: dict[str, int], rolled: str) -> None:
    table = lay_table(Ash=sheet({"brawn": 3, "brawn:lifting": 2}, traits=traits))
    plan = PoolPlan(skill="brawn:lifting", difficulty=4)

    assert chosen_skill(table.scene, table.named("Ash"), plan) == rolled


@pytest.mark.rule("SWIM-RACE-06", "SWIM-RACE-07", "SWIM-RACE-08", "SWIM-RACE-09")
@pytest.mark.parametrize(
    ("traits", "modifiers"),
    [
        ((), (0, 0, 0)),
        ((("fins", 2, None),), (2, -2, 0)),
        ((("fins", 2, 1),), (2, -1, 0)),
        ((("fins", 2, 0),), (2, 0, 0)),
        ((("large", 1, None),), (0, 0, 1)),
        ((("large", 3, None), ("small", 1, None)), (0, 0, 2)),
    ],
)
def test_a_trait_adds_to_one_skill_and_takes_from_another(
    traits: tuple[tuple[str, int, int | None], ...], modifiers: tuple[int, ...]
) -> None:
    held = tuple(HeldTrait(key=key, degree=degree, penalty=penalty) for key, degree, penalty in traits)
    made = sheet().model_copy(update={"traits": held})

    assert tuple(trait_modifier(made, key) for key in ("swim", "walk", "brawn")) == modifiers


def part(own: int = 0, added: int = 0, **more: Any) -> OpenPart:
    """A divided action with dice left."""
    groups = (DiceGroup(name="Walk", count=added),) if added else ()
    return OpenPart(id=more.pop("id", "1"), skill="climb", own=own, added=groups, **more)


@pytest.mark.rule("SWIM-ADV-04", "SWIM-POOL-08")
@pytest.mark.parametrize(
    ("open_", "left", "is_over", "has_advanced"),
    [
        (part(faces=(5,)), 0, True, True),
        (part(), 0, True, False),
        (part(1, faces=(5,)), 1, False, False),
        (part(0, 2, faces=(5,)), 2, False, False),
        (part(1, 2), 3, False, False),
        (part(pending=1, faces=(5,)), 0, False, False),
        (part(1, pending=1, faces=(5,)), 1, False, False),
        (part(faces=(5,), qualifies=False), 0, True, False),
    ],
)
def test_a_divided_action_is_over_when_no_die_is_left_or_undecided(
    open_: OpenPart, left: int, is_over: bool, has_advanced: bool
) -> None:
    assert (open_.left, open_.is_over, open_.has_advanced) == (left, is_over, has_advanced)


@pytest.mark.rule("SWIM-ADV-04")
@pytest.mark.parametrize(
    ("before", "dice", "could_fail", "after"),
    [
        (True, [(4, True)], True, True),
        (True, [(4, True)], False, False),
        (True, [(3, True)], True, False),
        (True, [(6, False)], True, False),
        (False, [(6, True)], True, False),
        (True, [], False, True),
        (False, [], True, False),
    ],
)
def test_every_part_of_a_divided_action_must_allow_the_advance(
    before: bool, dice: list[tuple[int, bool]], could_fail: bool, after: bool
) -> None:
    scored = [Scored(face=face, has_scored=hit) for face, hit in dice]
    judged = part(qualifies=before, faces=(5,)).judged(scored, could_fail=could_fail)

    assert judged.qualifies is after
    assert judged.faces == (5, *(face for face, _hit in dice))


@pytest.mark.rule("SWIM-POOL-08")
def test_divided_actions_are_stored_until_they_are_over_or_the_turn_ends() -> None:
    scene, ash = solo().scene, id_of("Ash")
    for one in (part(2, id="1"), part(1, id="2", is_half=True), part(pending=1, id="3")):
        scene = with_part(scene, ash, one)

    assert find_part(scene, ash, "2") == part(1, id="2", is_half=True)
    assert find_part(scene, ash, "9") is None
    assert open_part(scene, ash, "climb", is_half=False) == part(2, id="1")
    assert open_part(scene, ash, "climb", is_half=True) == part(1, id="2", is_half=True)
    assert open_part(scene, ash, "walk", is_half=False) is None
    ended = without_open_parts(scene, ash)
    assert [find_part(ended, ash, id_) is not None for id_ in "123"] == [False, False, True]
    over = with_part(scene, ash, part(id="1"))
    assert [find_part(over, ash, id_) is not None for id_ in "123"] == [False, True, True]
    assert open_part(over, ash, "climb", is_half=False) is None
    changed = with_part(scene, ash, part(1, id="1"))
    assert find_part(changed, ash, "1") == part(1, id="1")


@pytest.mark.rule("SWIM-POOL-06", "SWIM-POOL-07", "SWIM-POOL-08")
@pytest.mark.parametrize(
    ("rank", "options", "dice", "left", "is_whole"),
    [
        (3, {}, 3, 0, True),
        (3, {"part": 3}, 3, 0, False),
        (3, {"part": 2}, 2, 1, False),
        (3, {"is_half": True}, 1, 0, False),
        (4, {"is_half": True}, 2, 0, False),
        (4, {"is_half": True, "part": 1}, 1, 1, False),
        (2, {"is_strained": True}, 4, 0, True),
        (3, {"is_strained": True, "part": 5}, 5, 1, False),
        (2, {"windup": 2}, 3, 0, True),
        (3, {"windup": 3}, 6, 0, True),
        (3, {"windup": 4}, 6, 0, True),
        (3, {"windup": 4, "ignores_cap": True}, 9, 0, True),
    ],
)
def test_how_many_dice_are_rolled_and_left(
    rank: int, options: dict[str, Any], dice: int, left: int, is_whole: bool
) -> None:
    table = solo({"climb": rank})
    planned = plan_pool(table.scene, table.named("Ash"), PoolPlan(skill="climb", difficulty=4, **options))

    assert (planned.inputs.size, planned.left_own, planned.is_whole) == (dice, left, is_whole)
    table.settings(advance_on_half=True)
    planned = plan_pool(table.scene, table.named("Ash"), PoolPlan(skill="climb", difficulty=4, **options))
    assert planned.is_whole is ("part" not in options)


@pytest.mark.rule("SWIM-POOL-06", "SWIM-POOL-07", "SWIM-POOL-08")
@pytest.mark.parametrize(
    ("rank", "options", "refused"),
    [
        (1, {"is_strained": True}, "Climb 1 can't be strained."),
        (1, {"is_half": True}, "A half action needs rank 2 or more: half of one die is none."),
        (3, {"part": 4}, "You have only 3 dice to divide."),
        (1, {"part": 2}, "You have only 1 die to divide."),
        (1, {"part": 2, "rest": part(1)}, "You have only 1 die left."),
    ],
)
def test_dice_that_are_not_there_are_refused(rank: int, options: dict[str, Any], refused: str) -> None:
    table = solo({"climb": rank})
    plan = PoolPlan(skill="climb", difficulty=4, **options)

    assert refusal(lambda: plan_pool(table.scene, table.named("Ash"), plan)) == refused


@pytest.mark.rule("SWIM-TASK-06")
@pytest.mark.parametrize(
    ("options", "is_automatic"),
    [
        ({"difficulty": 1}, True),
        ({"difficulty": 2}, False),
        ({"difficulty": 2, "modifier": 1}, True),
        ({"difficulty": 3, "modifier": 1}, False),
        ({"difficulty": 1, "modifier": -1}, False),
        ({"difficulty": 1, "modifier": -1, "easy": True}, True),
        ({"difficulty": 1, "modifier": -1, "easy": True, "push": 2}, False),
        ({"difficulty": 1, "must_roll": True}, False),
        ({"difficulty": 1, "is_opposed": True}, False),
        ({"difficulty": 1, "is_opposed": True, "easy": True}, False),
        ({"difficulty": 1, "must_roll": True, "easy": True}, False),
    ],
)
def test_a_roll_no_face_can_fail_is_automatic(options: dict[str, Any], is_automatic: bool) -> None:
    table = solo({"climb": 2})
    planned = plan_pool(table.scene, table.named("Ash"), PoolPlan(skill="climb", **options))

    assert planned.inputs.is_automatic is is_automatic


@pytest.mark.rule("SWIM-TASK-07", "SWIM-SYN-06", "SWIM-RACE-03")
def test_every_modifier_of_a_die_is_named() -> None:
    table = solo({"craft:wood": 2, "dark_vision": 1, "swim": 2, "walk": 2}, traits={"fins": 2})

    def terms(skill: str, modifier: int = 0) -> dict[str, int]:
        plan = PoolPlan(skill=skill, difficulty=4, modifier=modifier, exactly=True)
        planned = plan_pool(table.scene, table.named("Ash"), plan)
        assert planned.modifier == sum(term.value for term in planned.inputs.terms)
        return {term.label: term.value for term in planned.inputs.terms}

    assert terms("craft:wood") == {"specialized": 1}
    assert terms("dark_vision", -1) == {"keen senses": 1, "circumstances": -1}
    assert terms("swim", 3) == {"trait": 2, "circumstances": 3}
    assert terms("walk") == {"trait": -2}


@pytest.mark.rule("SWIM-ADV-02")
@pytest.mark.parametrize(
    ("difficulty", "modifier", "is_automatic", "can_fail"),
    [(1, 0, False, False), (2, 0, False, True), (2, 1, False, False), (3, 1, False, True),
     (1, -1, False, True), (4, 0, True, False)],
)  # fmt: skip
def test_a_roll_can_fail_if_a_natural_1_falls_short(
    difficulty: int, modifier: int, is_automatic: bool, can_fail: bool
) -> None:
    inputs = SwimPoolInputs(skill="x", groups=(), difficulty=difficulty, is_automatic=is_automatic)

    assert could_fail(inputs, modifier) is can_fail


@pytest.mark.rule("SWIM-IMPL-05", "SWIM-IMPL-06")
@pytest.mark.parametrize(("rank", "faces"), [(0, [6]), (1, [5]), (3, [5])])
def test_the_skills_own_dice_decide_an_advance_or_an_artifacts_at_rank_0(rank: int, faces: list[int]) -> None:
    dice = [
        PoolDie("Fire", Source.SKILL, 5, 0),
        PoolDie("Torch", Source.ARTIFACT, 6, 0),
        PoolDie("Bram", Source.ADDED, 4, 0),
    ]

    assert [one.face for one in own_dice(dice, [True, False, True], rank)] == faces


@pytest.mark.rule("SWIM-TASK-03", "SWIM-POOL-09", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("options", "told", "labels"),
    [
        ({"difficulty": 7}, "No die can reach 7. Nothing was rolled.",
         ["Focus −2 · 56%", "Focus −1 · 31%", "Roll anyway"]),
        ({"difficulty": 7, "progress": 3, "once": False}, "No die can reach 7. Nothing was rolled.",
         ["Focus −2 · 56%", "Focus −1 · 31%", "Roll anyway"]),
        ({"difficulty": 8}, "No die can reach 8. Nothing was rolled.", ["Focus −2 · 31%", "Roll anyway"]),
        ({"difficulty": 9}, "No die can reach 9. Nothing was rolled.", ["Roll anyway"]),
        ({"difficulty": 2, "progress": 3},
         "These dice can make at most 2 progress, and you need 3. Nothing was rolled.",
         ["Push ×3 · 31%", "Push ×2 · 25%", "Roll anyway"]),
        ({"difficulty": 4, "progress": 3},
         "These dice can make at most 2 progress, and you need 3. Nothing was rolled.", ["Roll anyway"]),
        ({"difficulty": 7, "focus": 0, "push": 1, "half": True}, "No die can reach 7. Nothing was rolled.",
         ["Focus −2 · 33%", "Focus −1 · 17%", "Roll anyway"]),
        ({"difficulty": 8, "focus": 1}, "No die can reach 7. Nothing was rolled.", ["Roll anyway"]),
        ({"difficulty": 2, "progress": 5, "push": 2},
         "These dice can make at most 4 progress, and you need 5. Nothing was rolled.", ["Roll anyway"]),
        ({"difficulty": 1, "progress": 3, "modifier": 1},
         "These dice can make at most 2 progress, and you need 3. Nothing was rolled.",
         ["Push ×2 · 100%", "Push ×3 · 97%", "Push ×4 · 89%", "Roll anyway"]),
    ],
)  # fmt: skip
def test_a_roll_out_of_reach_is_offered_pushed_or_focused_the_best_first(
    options: dict[str, Any], told: str, labels: list[str]
) -> None:
    done = solo({"climb": 2}).do("Ash", "roll", skill="climb", **options)

    assert done.notes == (told,)
    assert [one.label for one in done.follow_ups] == labels


@pytest.mark.rule("SWIM-TASK-09")
@pytest.mark.parametrize(
    ("skill", "kind"),
    [
        ("walk", "move"),
        ("swim", "move"),
        ("jump", "move"),
        ("climb", "fall"),
        ("flight", "fall"),
        ("spot", "other"),
    ],
)
def test_what_a_critical_does_follows_from_the_skill(skill: str, kind: str) -> None:
    assert mishap_of(skill) == kind
