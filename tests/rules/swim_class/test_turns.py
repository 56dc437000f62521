"""What a turn holds, the distances a fight remembers, the ground, and moves by tables."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Family
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.board import without_part
from bot.rules.swim_class.encounter import (
    Ground,
    find_ground,
    ground_key,
    ground_lines,
    prepared_for,
    remembered,
    round_button,
    spend,
    taken_into_fight,
    the_encounter,
    with_distance,
    with_encounter,
    with_ground,
    without_distances,
    without_loose_ground,
)
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
from bot.rules.swim_class.settling import Effect, SwimContest, awaiting, with_awaiting
from bot.rules.swim_class.sheet import Reserve, ReserveKind, Scene, States, SwimItem
from tests.rules.offers import GM
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words
from tests.rules.swim_class.test_effects import contest
from tests.rules.swim_class.test_pool_sizes import fighting

WALK, SWIM, CLIMB, FLIGHT = MoveGround.WALK, MoveGround.SWIM, MoveGround.CLIMB, MoveGround.FLIGHT


def as_seen(scene: Scene, *, is_gm: bool = False) -> Scene:
    """The scene as a player or a GM acts in it."""
    return replace(scene, is_gm=is_gm, person=GM)


@pytest.mark.rule("SWIM-COMB-16", "SWIM-POOL-07")
class TestSpending:
    @pytest.mark.parametrize(
        ("used", "halves", "told"),
        [
            (0, 1, 1),
            (0, 2, 2),
            (1, 1, 2),
            (1, 2, "Ash has half an action left this turn."),
            (2, 1, "Ash has no action left this turn."),
            (2, 2, "Ash has no action left this turn."),
        ],
    )
    def test_a_turn_holds_one_action_or_two_halves(self, used: int, halves: int, told: int | str) -> None:
        table = fighting("Ash", "Orc")
        fight = the_encounter(table.scene)
        own = fight.combatant(id_of("Ash"))
        assert own is not None
        scene = with_encounter(
            table.scene, fight.with_combatant(own.model_copy(update={"halves_used": used}))
        )
        if isinstance(told, str):
            with pytest.raises(UserError, match=told):
                spend(scene, scene.character(id_of("Ash")), halves)
            return
        after = the_encounter(spend(scene, scene.character(id_of("Ash")), halves)).combatant(id_of("Ash"))

        assert after is not None
        assert after.halves_used == told

    @pytest.mark.parametrize(("who", "is_gm"), [("Orc", True), ("Cleo", False), ("Cleo", True)])
    def test_outside_the_fight_and_for_the_gm_it_is_free(self, who: str, is_gm: bool) -> None:
        scene = as_seen(fighting("Ash", "Orc").scene, is_gm=is_gm)

        assert spend(scene, scene.character(id_of(who)), 2) == scene

    def test_out_of_turn_a_player_can_do_nothing(self) -> None:
        scene = as_seen(fighting("Ash", "Orc").scene)
        with pytest.raises(UserError, match="It is Ash's turn, not Orc's"):
            spend(scene, scene.character(id_of("Orc")), 1)

    def test_before_the_first_round_it_is_free(self, table: GameTable) -> None:
        table.do("Ash", "encounter.start", others=("Orc",))

        assert spend(table.scene, table.named("Ash"), 2) == table.scene

    @pytest.mark.rule("SWIM-COMB-14")
    @pytest.mark.parametrize(
        ("held", "kind", "skill", "is_used"),
        [
            ("climb", ReserveKind.ACTION, "climb", True),
            ("craft:wood", ReserveKind.ACTION, "craft", True),
            ("craft", ReserveKind.ACTION, "craft:wood", True),
            ("climb", ReserveKind.ACTION, "jump", False),
            ("climb", ReserveKind.DEFENCE, "climb", False),
        ],
    )
    def test_a_prepared_action_is_one_of_the_same_skill(
        self, held: str, kind: ReserveKind, skill: str, is_used: bool
    ) -> None:
        table = lay_table()
        assert prepared_for(table.named("Ash"), skill) is None
        table.change("Ash", states=States(reserve=Reserve(skill=held, kind=kind)))

        assert (prepared_for(table.named("Ash"), skill) is not None) is is_used


@pytest.mark.rule("SWIM-AREA-01")
class TestDistances:
    def known(self, scene: Scene) -> list[int | None]:
        pairs = (("Ash", "Orc"), ("Bram", "Ash"), ("Orc", "Bram"))
        return [remembered(scene, id_of(one), id_of(other)) for one, other in pairs]

    def test_each_pair_has_its_own_distance_until_one_of_them_moves(self) -> None:
        scene = fighting("Ash", "Orc", "Bram").scene
        ash, orc, bram, cleo = map(id_of, ("Ash", "Orc", "Bram", "Cleo"))
        assert self.known(scene) == [None, None, None]
        for one, other, squares in ((ash, orc, 3), (ash, bram, 5), (orc, bram, 0)):
            scene = with_distance(scene, one, other, squares)
        assert self.known(scene) == [3, 5, 0]
        assert self.known(with_distance(scene, orc, ash, 4)) == [4, 5, 0]
        assert self.known(without_distances(scene, ash)) == [None, None, 0]
        assert self.known(without_distances(scene, bram)) == [3, None, None]
        assert without_distances(scene, cleo) is scene
        assert with_distance(scene, ash, cleo, 2) is scene
        assert with_distance(scene, cleo, ash, 2) is scene

    def test_without_a_fight_nothing_is_remembered(self, table: GameTable) -> None:
        scene = table.scene

        assert with_distance(scene, id_of("Ash"), id_of("Orc"), 2) is scene
        assert without_distances(scene, id_of("Ash")) is scene
        assert remembered(scene, id_of("Ash"), id_of("Orc")) is None


@pytest.mark.rule("SWIM-MAGIC-10", "SWIM-MAGIC-12", "SWIM-MAGIC-13", "SWIM-AREA-07")
class TestGround:
    @pytest.mark.parametrize(
        ("ground", "lines"),
        [
            (Ground(), ()),
            (Ground(terrain=(3, 1)), ("Rough ground: level 3 this round.",)),
            (Ground(resistance=(2,)), ("Wet ground: +2 to defense against fire this round.",)),
            (Ground(resistance=(0, 2)), ()),
            (Ground(terrain=(1,), resistance=(4, 2)),
             ("Rough ground: level 1 this round.", "Wet ground: +4 to defense against fire this round.")),
        ],
    )  # fmt: skip
    def test_the_ground_is_told_as_it_is_this_round(self, ground: Ground, lines: tuple[str, ...]) -> None:
        assert ground_lines(ground) == lines

    def test_outside_a_fight_the_ground_is_the_channels_and_plain_ground_is_none(
        self, table: GameTable
    ) -> None:
        rough = Ground(terrain=(2, 1), breathing=(id_of("Ash"),))
        assert round_button(table.scene) == ()
        assert with_ground(table.scene, Ground()) is table.scene
        scene = with_ground(table.scene, rough)

        assert find_ground(scene) == rough
        assert [one.label for one in round_button(scene)] == ["Pass a round"]
        assert scene.document(ground_key(scene)) == rough
        assert without_loose_ground(scene).document(ground_key(scene)) is None
        assert with_ground(scene, Ground()).document(ground_key(scene)) is None
        assert taken_into_fight(scene).document(ground_key(scene)) is None

    def test_in_a_fight_the_ground_is_the_fights(self) -> None:
        scene = fighting("Ash", "Orc").scene
        rough = Ground(terrain=(2,), resistance=(1,), breathing=(id_of("Orc"),))
        changed = with_ground(scene, rough)

        assert find_ground(changed) == rough
        assert changed.document(ground_key(changed)) is None
        assert without_loose_ground(changed) is changed
        assert round_button(changed) == ()
        assert taken_into_fight(changed) is changed

    @pytest.mark.parametrize(
        ("rounds", "headline", "note"),
        [
            (1, "lets a round pass", "Rough ground: level 1 this round."),
            (2, "lets 2 rounds pass", "The ground is back to normal."),
            (9, "lets 9 rounds pass", "The ground is back to normal."),
        ],
    )
    def test_rounds_that_pass_are_told_with_what_is_left(
        self, table: GameTable, rounds: int, headline: str, note: str
    ) -> None:
        table.scene = with_ground(table.scene, Ground(terrain=(2, 1)))
        done = table.do("GM", "round_passes", rounds=rounds)

        assert (done.headline, done.notes) == (headline, (note,))

    @pytest.mark.parametrize(
        ("level", "rounds", "headline", "terrain"),
        [
            (2, 1, "makes the ground rough (level 2)", (2,)),
            (1, 3, "makes the ground rough (level 1)", (1, 1, 1)),
            (0, 3, "makes the ground smooth", ()),
        ],
    )
    def test_the_gm_sets_a_level_for_some_rounds(
        self, table: GameTable, level: int, rounds: int, headline: str, terrain: tuple[int, ...]
    ) -> None:
        table.scene = with_ground(table.scene, Ground(terrain=(5,), resistance=(1,)))
        done = table.do("GM", "terrain", level=level, rounds=rounds)

        assert done.headline == headline
        assert find_ground(table.scene) == Ground(terrain=terrain, resistance=(1,))


@pytest.mark.rule("SWIM-OPP-01")
def test_an_attack_that_is_waived_leaves_the_other_shares_and_the_other_attacks() -> None:
    both = contest(Effect.HIT, 0, 0)
    scene = lay_table(Ash=sheet()).scene.with_document("contest/1", both)
    for name in ("Orc", "Beast"):
        scene = with_awaiting(scene, id_of(name), ("contest/1", "contest/2"))
    waived = without_part(scene, "contest/1", id_of("Orc"))

    assert awaiting(waived, id_of("Orc")) == ("contest/2",)
    assert awaiting(waived, id_of("Beast")) == ("contest/1", "contest/2")
    left = waived.document("contest/1")
    assert isinstance(left, SwimContest)
    assert [share.is_settled for share in left.shares] == [True, False]
    assert without_part(waived, "contest/1", id_of("Beast")).document("contest/1") is None
    assert without_part(scene, "contest/1", id_of("Cleo")).document("contest/1") == both


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
