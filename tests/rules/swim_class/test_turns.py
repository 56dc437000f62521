"""What a turn holds, the distances a fight remembers, and the ground under it."""

from dataclasses import replace

import pytest

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
from bot.rules.swim_class.settling import Effect, SwimContest, awaiting, with_awaiting
from bot.rules.swim_class.sheet import Reserve, ReserveKind, Scene, States
from tests.rules.offers import GM
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet
from tests.rules.swim_class.test_effects import contest
from tests.rules.swim_class.test_pool_sizes import fighting


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
