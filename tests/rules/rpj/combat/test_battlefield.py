"""The battlefield: regions, groups, distances."""

import pytest
from pydantic import ValidationError

from bot.rules.kernel import CharacterId, NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import (
    ADJACENT,
    Battlefield,
    Legend,
    Link,
    Position,
    RpjCover,
    RpjKind,
    assert_destructible,
    best_bonus,
    damaged,
    drawn,
    giga_shot,
    line,
    mega_shot,
    move_actions,
    put_off,
    regions_of,
    scale,
    shared_turns,
    told_span,
    written_cover,
    yards_between,
)
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.combat.rules.shooting import Posture, target_parts
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import CombatRules
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.check_inputs import CriticalRules
from tests.rules.rpj.combat.battles import Person, battle, mook, person
from tests.rules.rpj.throws import read

FORK = drawn("1-2, 2-3, 2-4")


def distance(a: Person, b: Person, field: Battlefield | None = None) -> int:
    fight = battle(a, b, field=field).fight
    return fight.distance(a[0], b[0])


@pytest.mark.rule("RPJ-GCS-01")
class TestRowOfRegions:
    def test_a_battlefield_has_six_regions_in_a_row(self) -> None:
        assert list(Fight().field.numbers) == [1, 2, 3, 4, 5, 6]
        assert [Fight().field.exits(number) for number in range(1, 7)] == [
            (2,),
            (1, 3),
            (2, 4),
            (3, 5),
            (4, 6),
            (5,),
        ]

    def test_a_battlefield_can_have_a_single_region(self) -> None:
        assert line(1) == Battlefield(regions=1)
        assert line(1).exits(1) == ()

    def test_a_region_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(UserError) as refused:
            line(3).assert_region(4)

        assert refused.value.sentences == ("There is no region 4.", "Regions are numbered 1 to 3.")
        with pytest.raises(ValidationError, match="numbered from 1 to 2"):
            Battlefield(regions=2, links=(Link(a=2, b=3),))

    def test_the_map_has_one_line_per_region(self) -> None:
        fight = battle(
            person("ug"), person("laeniel"), person("orc", foe=True, group=2), mook("m1", group=3, region=2)
        ).fight

        assert fight.map_lines()[:3] == (
            "Region 1: [Ug, Laeniel] [Orc]",
            "Region 2: [Goblin]",
            "Region 3: –",
        )
        assert fight.map_lines(["ug"])[0] == "Region 1: [Ug]"


@pytest.mark.rule("RPJ-GCS-02")
class TestConnectedRegions:
    def test_a_region_can_touch_three_others(self) -> None:
        assert [one for one in FORK.numbers if FORK.link(2, one)] == [1, 3, 4]
        assert FORK.regions == 4

    def test_an_obstacle_between_regions_blocks_walking(self) -> None:
        wall = drawn("1-2, 2/3")

        assert [one for one in wall.numbers if wall.link(2, one)] == [1, 3]
        assert wall.exits(2) == (1,)
        assert wall.steps(1, 3) == 2

    def test_the_gm_can_block_the_line_of_fire_between_two_regions(self) -> None:
        alley = drawn("1-2, 2-3", hidden="1-3")

        assert not alley.can_shoot(3, 1)
        assert alley.can_shoot(1, 2)

    @pytest.mark.parametrize("text", ["1-1", "one-two", "1-2-3", "1"])
    def test_a_link_that_is_not_a_pair_of_regions_is_refused(self, text: str) -> None:
        with pytest.raises(UserError, match="isn't a pair of regions"):
            drawn(text)

    def test_a_link_to_a_region_beyond_the_last_is_refused(self) -> None:
        with pytest.raises(UserError, match="There are 2 regions"):
            drawn("1-2, 2-3", regions=2)
        assert [drawn(text).regions for text in ("", "1-2", "1-4")] == [1, 2, 4]


@pytest.mark.rule("RPJ-GCS-03")
class TestBattlefieldScale:
    def test_six_regions_are_about_180_yards(self) -> None:
        assert scale(line(6), CombatRules()) == "about 180 yards · a round about 1 min, an action 5–10 s"
        assert scale(line(2), CombatRules()).startswith("about 60 yards")

    def test_three_rounds_are_about_three_minutes(self) -> None:
        assert told_span(3 * CombatRules().round_seconds) == "about 3 min"

    def test_a_module_can_change_region_size_and_round_length(self) -> None:
        small = CombatRules(region_yards=10, round_seconds=6)

        assert scale(line(3), small) == "about 30 yards · a round about 6 s, an action 5–10 s"


@pytest.mark.rule("RPJ-GCS-04")
class TestKindsOfCombatants:
    def test_npcs_have_sheets_like_player_characters(self) -> None:
        fight = battle(person("ug", "DEX 4"), person("orc", "DEX 4", foe=True))

        assert fight["orc"].fighter.kind is RpjKind.NPC
        assert fight["orc"].actions == fight["ug"].actions == 3

    def test_mooks_have_no_sheet(self) -> None:
        goblin = battle(mook("m1"))["m1"]

        assert (goblin.mook, goblin.sheeted) == (goblin.fighter.mook, None)
        with pytest.raises(UserError, match="M1 is a mook"):
            goblin.figure  # noqa: B018

    def test_a_combatant_who_is_not_in_the_fight_is_refused(self) -> None:
        with pytest.raises(UserError) as refused:
            battle(person("ug")).fight.fighter("orc")

        assert refused.value.sentences == ("They aren't in this fight.", "Fighting: Ug.")


@pytest.mark.rule("RPJ-GCS-05")
class TestGroups:
    def test_every_combatant_is_in_exactly_one_group(self) -> None:
        fight = battle(person("ug"), person("laeniel"), person("orc", group=2)).fight

        assert [[one.name for one in group] for group in fight.groups(1)] == [["Ug", "Laeniel"], ["Orc"]]
        assert [one.name for one in fight.group(fight.fighter("ug"))] == ["Laeniel"]

    def test_a_new_group_gets_an_unused_number(self) -> None:
        assert battle(person("ug", group=4), person("orc", group=2)).fight.new_group == 5


@pytest.mark.rule("RPJ-GCS-06")
class TestDistance:
    @pytest.mark.parametrize(("a", "b", "steps"), [(1, 6, 5), (3, 6, 3), (2, 3, 1)])
    def test_distance_counts_the_regions_entered(self, a: int, b: int, steps: int) -> None:
        assert distance(person("a", region=a, group=1), person("b", region=b, group=2)) == steps

    def test_another_group_in_the_same_region_is_at_distance_0(self) -> None:
        assert distance(person("a", group=1), person("b", group=2)) == 0

    def test_combatants_in_the_same_group_are_nearer_than_distance_0(self) -> None:
        assert distance(person("a"), person("b")) == ADJACENT
        assert ADJACENT < 0

    def test_distance_follows_the_shortest_way(self) -> None:
        ring = drawn("1-2, 2-3, 1-3")

        assert ring.steps(1, 3) == 1

    def test_a_distance_without_any_way_between_the_regions_is_refused(self) -> None:
        with pytest.raises(UserError, match="There is no way from Region 1 to Region 3"):
            distance(person("a"), person("b", region=3, group=2), drawn("1-2", regions=3))


RULES = CriticalRules()
WALL = RpjCover(name="wall", quality=4, flank=1)


def target(modifier: int, cover: RpjCover | None, distance: int, **more: bool) -> int:
    """The target number of a ranged attack."""
    covers = (cover,) if cover else ()
    posture = Posture(modifier=modifier, covers=covers, **more)  # type: ignore[arg-type]  # flags only
    return 7 + sum(part.value for part in target_parts(posture, distance))


@pytest.mark.rule("RPJ-FIRE-12")
class TestCoverNotation:
    @pytest.mark.parametrize(
        ("text", "quality", "flank"), [("+2/1f", 2, 1), ("+3/*f", 3, ADJACENT), ("6/0", 6, 0)]
    )
    def test_cover_is_written_with_quality_and_flanking_distance(
        self, text: str, quality: int, flank: int
    ) -> None:
        cover = written_cover(text)
        assert (cover.quality, cover.flank) == (quality, flank)

    def test_cover_is_shown_in_its_notation(self) -> None:
        assert [str(written_cover(text)) for text in ("+2/1f", "+3/*f")] == ["+2/1f", "+3/*f"]

    @pytest.mark.parametrize("text", ["", "wall", "+0/1f", "+3", "+3/-1f", "+333/1f"])
    def test_an_invalid_cover_notation_is_refused(self, text: str) -> None:
        with pytest.raises(UserError, match="isn't valid cover"):
            written_cover(text)

    def test_the_better_of_two_covers_counts(self) -> None:
        covers = (WALL, RpjCover(quality=2, flank=0))
        assert [best_bonus(covers, distance) for distance in (1, 0)] == [2, 1]


@pytest.mark.rule("RPJ-FIRE-13")
@pytest.mark.parametrize(("modifier", "quality", "expected"), [(1, 6, 14), (3, 4, 14), (-2, 2, 7)])
def test_cover_quality_is_added_to_ranged_defense(modifier: int, quality: int, expected: int) -> None:
    assert target(modifier, RpjCover(quality=quality, flank=0), 2) == expected


@pytest.mark.rule("RPJ-FIRE-14")
def test_a_mega_scale_target_gets_nothing_from_cover() -> None:
    assert best_bonus((RpjCover(quality=6),), 2, scale=Scale.MEGA) == 0
    assert best_bonus((RpjCover(quality=6),), 2, scale=Scale.NORMAL) == 6


@pytest.mark.rule("RPJ-FIRE-15")
class TestHelplessInCover:
    def test_a_helpless_target_behind_good_cover_has_its_full_defense(self) -> None:
        assert target(-1, RpjCover(quality=6, flank=0), 2, is_cowering=True, is_helpless=True) == 18

    def test_a_helpless_target_in_the_open_has_defense_5(self) -> None:
        assert target(3, None, 2, is_helpless=True) == 5

    def test_a_helpless_target_behind_poor_cover_has_5_plus_the_cover(self) -> None:
        assert target(3, RpjCover(quality=2, flank=0), 2, is_helpless=True) == 7
        assert target(3, RpjCover(quality=3, flank=0), 2, is_helpless=True) == 13

    def test_poor_cover_that_conceals_a_helpless_target_counts_as_good_cover(self) -> None:
        assert target(3, RpjCover(quality=2, flank=0, conceals=True), 2, is_helpless=True) == 12


@pytest.mark.rule("RPJ-FIRE-16")
class TestFlanking:
    @pytest.mark.parametrize(
        ("quality", "flank", "modifier", "expected"),
        [
            (4, 1, 3, {2: 14, 1: 12, 0: 10}),
            (6, 0, 1, {1: 14, 0: 11, ADJACENT: 8}),
            (3, 1, 0, {1: 8}),
            (5, ADJACENT, 0, {ADJACENT: 9, 0: 12}),
        ],
    )
    def test_cover_is_full_beyond_half_at_and_nothing_within_flanking_distance(
        self, quality: int, flank: int, modifier: int, expected: dict[int, int]
    ) -> None:
        cover = RpjCover(quality=quality, flank=flank)
        assert {distance: target(modifier, cover, distance) for distance in expected} == expected


@pytest.mark.rule("RPJ-FIRE-17")
class TestTurningAroundInCover:
    @pytest.mark.parametrize(
        ("quality", "flank", "expected"),
        [
            (4, 1, {0: 4, 1: 2, 2: 0}),
            (4, 0, {ADJACENT: 4, 0: 2, 1: 0}),
            (4, ADJACENT, {ADJACENT: 2, 0: 0, 1: 0, 2: 0}),
        ],
    )
    def test_turning_around_makes_cover_count_at_close_range_instead(
        self, quality: int, flank: int, expected: dict[int, int]
    ) -> None:
        cover = RpjCover(quality=quality, flank=flank)
        found = {distance: cover.bonus(distance, is_reoriented=True) for distance in expected}
        assert found == expected

    def test_turning_back_restores_what_cover_is_worth(self) -> None:
        assert [target(3, WALL, distance) for distance in (0, 2)] == [10, 14]


@pytest.mark.rule("RPJ-FIRE-18")
class TestCowering:
    def test_cowering_doubles_cover_quality_before_distance_counts(self) -> None:
        assert RpjCover(quality=6).bonus(2, is_cowering=True) == 12
        assert RpjCover(quality=3, flank=1).bonus(1, is_cowering=True) == 3
        assert WALL.bonus(0, is_cowering=True) == 0

    def test_cowering_doubles_cover_after_turning_around_too(self) -> None:
        told = [
            target(3, WALL, distance, is_reoriented=True, is_cowering=True)
            for distance in (ADJACENT, 0, 1, 2)
        ]
        assert told == [18, 18, 14, 10]


@pytest.mark.rule("RPJ-FIRE-19")
class TestGigaShotsAtCover:
    def test_a_giga_shot_destroys_cover_on_a_roll_of_6_without_modifiers(self) -> None:
        asked = giga_shot(RULES)
        assert read(asked, 4, 2).result.is_success
        assert not read(asked, 4, 1).result.is_success
        assert f"{float(check_odds(asked).enough or 0) * 100:.2f}" == "72.22"
        assert damaged(WALL, Scale.GIGA) is None


@pytest.mark.rule("RPJ-FIRE-20")
class TestMegaShotsAtCover:
    def test_a_mega_shot_that_reaches_10_takes_1_off_cover(self) -> None:
        asked = mega_shot((NamedTerm(label="attack", value=4),), RULES)
        assert asked.target == 10
        assert read(asked, 5, 4).total == 13
        weaker = damaged(RpjCover(quality=3, flank=1), Scale.MEGA)
        assert weaker is not None
        assert str(weaker) == "+2/1f"

    def test_cover_reduced_to_0_is_destroyed(self) -> None:
        assert damaged(RpjCover(quality=1), Scale.MEGA) is None
        assert damaged(RpjCover(quality=2), Scale.MEGA) == RpjCover(quality=1)

    def test_normal_weapons_cannot_destroy_cover(self) -> None:
        with pytest.raises(UserError, match="Only mega and giga"):
            assert_destructible(WALL, Scale.NORMAL)
        with pytest.raises(UserError, match="Nothing can destroy the wall"):
            assert_destructible(WALL.model_copy(update={"destructible": False}), Scale.GIGA)


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
