"""Moves by tables: how far, over which ground, under which load, and what is measured."""

from typing import Any

import pytest

from bot.rules.kernel import Family
from bot.rules.swim_class.encounter import Ground, remembered, with_distance, with_ground
from bot.rules.swim_class.movement import (
    MoveGround,
    SwimMoveOptions,
    free_load,
    is_encumbered,
    load_of,
    move_plan,
    pounds_words,
    squares_words,
    terrain_level,
)
from bot.rules.swim_class.sheet import States, SwimItem
from tests.rules.swim_class.play import id_of, lay_table, solo, words
from tests.rules.swim_class.test_pool_sizes import fighting

WALK, SWIM, CLIMB, FLIGHT = MoveGround.WALK, MoveGround.SWIM, MoveGround.CLIMB, MoveGround.FLIGHT


@pytest.mark.rule("SWIM-SKILL-08", "SWIM-SKILL-09", "SWIM-SKILL-10", "SWIM-RACE-05")
@pytest.mark.parametrize(
    ("how", "progress", "difficulty", "told"),
    [
        (WALK, 0, 1, "0 squares"),
        (WALK, 1, 4, "1 square"),
        (CLIMB, 2, 1, "2 squares"),
        (SWIM, 0, 1, "sinks"),
        (SWIM, 1, 1, "treads water"),
        (SWIM, 2, 1, "treads water, 1 square"),
        (SWIM, 3, 1, "treads water, 2 squares"),
        (SWIM, 3, 2, "treads water"),
        (FLIGHT, 0, 2, "falls"),
        (FLIGHT, 1, 2, "hovers"),
        (FLIGHT, 3, 2, "hovers, 2 squares"),
    ],
)
def test_how_far_a_move_goes(how: MoveGround, progress: int, difficulty: int, told: str) -> None:
    verdict = squares_words(how, progress, difficulty)

    assert verdict.title == told
    assert verdict.family is (Family.SUCCESS if progress else Family.FAILURE)


@pytest.mark.rule("SWIM-SKILL-08", "SWIM-AREA-07", "SWIM-RACE-08", "SWIM-RACE-09", "SWIM-MAGIC-10")
@pytest.mark.parametrize(
    ("traits", "ground", "options", "level", "difficulty", "modifier", "easy"),
    [
        ({}, (), {}, 0, 1, 0, True),
        ({}, (), {"difficulty": 2}, 0, 2, 0, False),
        ({}, (), {"terrain": 2}, 2, 3, 0, False),
        ({}, (3, 9), {"terrain": 2}, 3, 4, 0, False),
        ({}, (1,), {"terrain": 2}, 2, 3, 0, False),
        ({}, (1,), {"difficulty": 4}, 1, 5, 0, False),
        ({}, (), {"tight": True}, 0, 1, 0, True),
        ({"large": 2}, (), {}, 0, 1, 0, True),
        ({"large": 2}, (), {"tight": True}, 2, 3, 0, False),
        ({"large": 2}, (3,), {"tight": True}, 3, 4, 0, False),
        ({"small": 2}, (), {"open_rough": True}, 0, 1, 0, True),
        ({"small": 2}, (1,), {"open_rough": True}, 1, 2, -2, False),
        ({"small": 2}, (1,), {}, 1, 2, 0, False),
        ({}, (1,), {"open_rough": True}, 1, 2, 0, False),
        ({}, (), {"how": "swim"}, 0, 1, 0, False),
        ({}, (), {"how": "climb", "difficulty": 3}, 0, 3, 0, False),
        ({}, (5,), {"how": "flight", "difficulty": 3, "terrain": 2}, 5, 2, 0, False),
    ],
)
def test_what_a_die_of_a_move_must_reach(
    traits: dict[str, int],
    ground: tuple[int, ...],
    options: dict[str, Any],
    level: int,
    difficulty: int,
    modifier: int,
    easy: bool,
) -> None:
    table = solo(traits=traits)
    table.scene = with_ground(table.scene, Ground(terrain=ground))
    chosen = SwimMoveOptions.model_validate(options)
    plan = move_plan(table.scene, table.named("Ash"), chosen)

    assert terrain_level(table.scene, table.named("Ash"), chosen) == level
    assert (plan.difficulty, plan.modifier, plan.easy) == (difficulty, modifier, easy)


@pytest.mark.rule("SWIM-SKILL-19", "SWIM-ITEM-10")
@pytest.mark.parametrize(
    ("brawn", "flat", "stones", "load", "free", "over"),
    [
        (1, False, 1, 100, 20, False),
        (1, False, 2, 200, 20, False),
        (1, False, 3, 300, 20, True),
        (3, False, 6, 600, 60, False),
        (3, True, 3, 300, 20, True),
        (0, False, 1, 100, 0, True),
    ],
)
def test_20_pounds_a_rank_of_brawn_are_carried_freely(
    brawn: int, flat: bool, stones: int, load: int, free: int, over: bool
) -> None:
    table = solo({"brawn": brawn}, items=[SwimItem(name="Stone", weight_tenths=100, quantity=stones)])
    table.settings(carry_flat=flat)
    scene, ash = table.scene, table.named("Ash")

    assert (load_of(ash), free_load(scene, ash), is_encumbered(scene, ash)) == (load, free, over)


@pytest.mark.rule("SWIM-SKILL-19")
@pytest.mark.parametrize(
    ("load", "faces", "told", "note"),
    [
        (600, "4 4", "2 squares, automatic", "Can carry 80 lb for this move; the load is 60 lb."),
        (800, "2 2", "2 squares, automatic", "Can carry 80 lb for this move; the load is 80 lb."),
        (600, "4 1", "stuck", "Can carry 40 lb for this move; the load is 60 lb."),
        (410, "1 1", "stuck", "Can carry 0 lb for this move; the load is 41 lb."),
    ],
)
def test_a_pushed_roll_of_brawn_carries_more_for_one_move(
    load: int, faces: str, told: str, note: str
) -> None:
    table = solo({"brawn": 2, "walk": 2}, items=[SwimItem(name="Stone", weight_tenths=load)])
    done = table.do("Ash", "move", faces)

    assert (words(done), done.notes[0]) == (told, note)


@pytest.mark.rule("SWIM-AREA-01", "SWIM-SKILL-08", "SWIM-SKILL-11")
@pytest.mark.parametrize(
    ("procedure", "options", "faces", "is_known"),
    [
        ("move", {}, "", False),
        ("move", {"how": "climb", "difficulty": 4}, "5", False),
        ("move", {"how": "climb", "difficulty": 4}, "2", True),
        ("jump", {"gap": 2}, "", False),
        ("jump", {"gap": 4, "push": 2}, "2", False),
        ("jump", {"gap": 4, "push": 2}, "1", True),
    ],
)
def test_a_move_that_gets_anywhere_makes_the_fight_forget_distances(
    procedure: str, options: dict[str, Any], faces: str, is_known: bool
) -> None:
    table = fighting("Ash", "Orc")
    table.scene = with_distance(table.scene, id_of("Ash"), id_of("Orc"), 3)
    table.do("Ash", procedure, faces, **options)

    assert (remembered(table.scene, id_of("Ash"), id_of("Orc")) is not None) is is_known


@pytest.mark.rule("SWIM-RACE-05")
@pytest.mark.parametrize(
    ("faces", "told", "is_up", "falls"), [("2", "hovers", True, False), ("1", "falls", False, True)]
)
def test_a_flight_that_fails_falls(faces: str, told: str, is_up: bool, falls: bool) -> None:
    table = solo({"flight": 1})
    table.change("Ash", states=States(is_hovering=not is_up))
    done = table.do("Ash", "move", faces, how="flight")

    assert words(done) == told
    assert table.sheet("Ash").states.is_hovering is is_up
    assert any(one.procedure == "fall" for one in done.follow_ups) is falls


@pytest.mark.rule("SWIM-SKILL-11", "SWIM-SKILL-20", "SWIM-SKILL-12")
@pytest.mark.parametrize(
    ("procedure", "options", "faces", "told"),
    [
        ("jump", {"gap": 1, "modifier": -1}, "5 1", "success, 1 progress of 1"),
        ("jump", {"gap": 2, "modifier": -1}, "5 1", "success, 1 progress of 1"),
        ("jump", {"gap": 3, "modifier": -1}, "5 1", "fails, 1 progress of 2"),
        ("jump", {"gap": 4, "modifier": -1}, "5 5", "success, 2 progress of 2"),
        ("lift", {"pounds": 30, "modifier": -1}, "5 1", "success, 1 progress of 1"),
        ("lift", {"pounds": 31, "modifier": -1}, "5 1", "fails, 1 progress of 2"),
        ("lift", {"pounds": 60, "modifier": -1}, "5 5", "success, 2 progress of 2"),
        ("throw", {"modifier": -1}, "5 1", "3 squares"),
        ("throw", {"modifier": -1, "heavy": True}, "5 5", "4 ft"),
    ],
)
def test_every_2_feet_and_every_30_pounds_need_a_success(
    procedure: str, options: dict[str, Any], faces: str, told: str
) -> None:
    done = solo({"jump": 2, "brawn": 2, "throw": 2}).do("Ash", procedure, faces, **options)

    assert words(done) == told


@pytest.mark.rule("SWIM-AREA-01")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"feet": 4}, "0 squares"),
        ({"feet": 5}, "1 square"),
        ({"feet": 14}, "2 squares"),
        ({"metres": 1}, "0 squares"),
        ({"metres": 2}, "1 square"),
        ({"metres": 3}, "2 squares"),
        ({"east": -3, "north": 2}, "3 squares"),
        ({"east": 2, "north": -4}, "4 squares"),
        ({"feet": 10, "metres": 6}, "4 squares"),
    ],
)
def test_distances_are_measured_in_squares(options: dict[str, int], told: str) -> None:
    assert words(lay_table().do("GM", "distance", **options)) == told


@pytest.mark.parametrize(("tenths", "told"), [(0, "0 lb"), (5, "0.5 lb"), (10, "1 lb"), (125, "12.5 lb")])
def test_weights_are_told_in_pounds_and_tenths(tenths: int, told: str) -> None:
    assert pounds_words(tenths) == told
