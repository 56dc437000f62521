"""The battlefield: regions, groups, distances."""

import pytest
from pydantic import ValidationError

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.state.battlefield import ADJACENT, Battlefield, Link, drawn, line, scale, told_span
from bot.rules.rpj.combat.state.combatant import RpjKind
from bot.rules.rpj.combat.state.fight import Fight
from bot.rules.rpj.module.defense_layers import CombatRules
from tests.rules.rpj.combat.battles import Person, battle, mook, person

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
