"""Weapon tags: whom they hit, how far, how long they burn."""

from typing import Any

import pytest

from bot.rules.compare_roll.catalogue import weapon_named
from bot.rules.compare_roll.encounter import radius
from bot.rules.compare_roll.sheet import CompareSettings
from tests.rules.compare_roll.play import (
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
    fight,
    foe,
    lay_table,
    sheet,
)

SETTINGS = CompareSettings()


def carrying(*weapons: str, level: int = 1, **more: Any) -> Any:
    """A sheet that carries loaded weapons."""
    kinds = [weapon_named(SETTINGS, name) for name in weapons]
    carried = [{"name": one.name, "level": level, "shots": one.reload or 0} for one in kinds]
    return sheet(more.pop("stats", None), more.pop("skills", None), weapons=carried, **more)


class TestWeaponTags:
    @pytest.mark.rule("CMP-WPN-06", "CMP-EQ-07")
    def test_a_weapon_with_a_required_skill_is_refused_without_the_skill(self) -> None:
        table = lay_table(Ash=carrying("Flame Thrower", skills={"Technical/Mechanics": 2}))
        assert "needs Mechanics 3; Ash has 2" in table.refused("Ash", "attack", targets=("Ogre",))

        table.do("GM Ash", "attack", FAILURE, targets=("Ogre",), force=True)

    @pytest.mark.rule("CMP-WPN-08", "CMP-EQ-03", "CMP-EQ-04", "CMP-EQ-05")
    @pytest.mark.parametrize(
        ("weapon", "shots"), [("Shotgun", 2), ("Pistol", 10), ("Revolver", 6), ("Assault Rifle", 4)]
    )
    def test_a_loaded_weapon_holds_its_listed_number_of_attacks(self, weapon: str, shots: int) -> None:
        table = lay_table(Ash=carrying(weapon))
        for _ in range(shots):
            table.set("Ash", stress=0)
            table.do("Ash", "attack", FAILURE, targets=("Ogre",))

        assert "is empty" in table.refused("Ash", "attack", targets=("Ogre",))

    @pytest.mark.rule("CMP-WPN-09", "CMP-WPN-12", "CMP-WPN-11")
    def test_the_shape_tag_of_a_weapon_decides_whom_an_attack_can_hit(self, table: GameTable) -> None:
        table.settings(
            weapons=[
                {"name": "Lance", "damage": "Light", "distance": "Room", "shape": "Line"},
                {"name": "Spray", "damage": "Light", "distance": "Room", "shape": "Arc"},
            ]
        )
        table.change(
            "Ash",
            weapons=lay_table(Ash=sheet(weapons=[{"name": "Lance"}, {"name": "Spray"}])).sheet("Ash").weapons,
        )
        both = ("Ogre", "Wolf")

        assert "hits only one target" in table.refused("Ash", "attack", targets=both)
        assert "hits only one target" in table.refused("Ash", "attack", targets=both, weapon="Unarmed")
        assert "at least one target" in table.refused("Ash", "attack", targets=(), weapon="Spray")
        assert "out of range" in table.refused("Ash", "attack", targets=("Ogre",), distance="25")
        table.do("Ash", "attack", FAILURE, targets=("Ogre",), distance="20 ft")

    @pytest.mark.rule("CMP-WPN-10", "CMP-WPN-11", "CMP-RNG-06", "CMP-EQ-07")
    @pytest.mark.parametrize(
        ("shape", "reach", "feet", "hit"),
        [
            ("Piercing", "Room", "5, 20, 30", 2),
            ("Arc", "Room", "5, 15, 25", 2),
            ("Piercing", "Field", "10, 50, 50", 3),
            ("Piercing", "Room", "", 3),
            ("Piercing", "Room", "15", 3),
        ],
    )
    def test_a_line_or_cone_starts_at_the_attacker(self, shape: str, reach: str, feet: str, hit: int) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Rail"}]))
        table.settings(weapons=[{"name": "Rail", "damage": "Tech", "distance": reach, "shape": shape}])
        dice = f"{fall((6, 5), (1, 1))} d10:4"
        table.do("Ash", "attack", dice, targets=("Ogre", "Wolf", "Bram"), distance=feet)

        hurt = [30 - table.hp("Ogre") > 0, 30 - table.hp("Wolf") > 0, table.ft("Bram") == "13/14"]
        assert sum(hurt) == hit

    @pytest.mark.rule("CMP-WPN-07", "CMP-WPN-12", "CMP-EQ-10")
    def test_an_explosion_hits_everybody_around_its_point(self) -> None:
        assert [radius(level) for level in (1, 2, 3)] == [2, 4, 6]
        table = lay_table(Ash=sheet(items=[{"name": "Grenade", "count": 4}], ft_lost=14))
        everybody = ("Ogre", "Wolf", "Ash")

        assert "out of range" in table.refused(
            "Ash", "attack", targets=everybody, weapon="grenade", distance="25"
        )
        assert "radius" in table.refused(
            "Ash", "attack", targets=("Ogre",), weapon="grenade", distance="30, 15"
        )
        done = table.do(
            "Ash", "attack", f"{SUCCESS} d4:3", targets=everybody, weapon="Grenade", distance="30, 10, 15, 0"
        )
        assert "Wolf is 15 ft from the explosion: its radius is 10 ft." in done.notes
        assert (table.hp("Ogre"), table.hp("Wolf"), table.hp("Ash")) == (27, 30, 29)
        table.do("Ash", "attack", FAILURE, targets=everybody, weapon="Grenade", distance="30")
        belonging = table.sheet("Ash").belonging("Grenade")
        assert belonging is not None
        assert belonging.count == 2

    @pytest.mark.rule("CMP-RNG-06")
    def test_the_range_check_may_be_overridden_or_turned_off(self, table: GameTable) -> None:
        assert "up to 5 ft" in table.refused("Ash", "attack", targets=("Ogre",), distance="10")
        table.do("GM Ash", "attack", FAILURE, targets=("Ogre",), distance="10", force=True)
        table.settings(range_check=False)
        table.do("Ash", "attack", FAILURE, targets=("Ogre",), distance="90")

    @pytest.mark.rule("CMP-COM-11", "CMP-WPN-11", "CMP-COM-07", "CMP-COM-06")
    def test_several_targets_share_one_attack_roll_and_have_their_own_cover(self) -> None:
        table = lay_table(
            Ash=sheet(weapons=[{"name": "Spray"}]),
            Ogre=foe(hp=30, ft_max=0, rating=2),
            Wolf=foe(hp=30, ft_max=2, rating=6),
            Bram=sheet(ft_lost=14),
        )
        table.settings(weapons=[{"name": "Spray", "damage": "Tech", "distance": "Room", "shape": "Arc"}])
        fight(table, "Ash", "Bram", "Ogre", "Wolf")
        table.do("GM Wolf", "cover", cover="half")
        table.do("Bram", "cover", cover="full")
        done = table.do("Ash", "attack", f"{fall((6, 5), (1, 1))} d10:5", targets=("Ogre", "Wolf", "Bram"))

        assert "Hard (+6)" in done.headline
        assert (table.hp("Ogre"), table.hp("Wolf"), table.hp("Bram")) == (25, 30, 32)
        assert table.ft("Wolf") == "1/2"
        assert table.points("Ash", "stress") == 0

    def test_the_gm_may_judge_cover_from_the_attackers_side(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        fight(table, "Ash", "Ogre")
        table.do("GM Ogre", "cover", cover="full")
        table.do("GM Ash", "attack", f"{SUCCESS} d6:6", targets=("Ogre",), cover="none")

        assert table.hp("Ogre") == 24
        table.do("GM Ogre", "cover", cover="none")


@pytest.mark.rule("CMP-WPN-14")
class TestFire:
    def table(self, *, ft: int = 0) -> GameTable:
        skilled = carrying("Flame Thrower", skills={"Technical/Mechanics": 3})
        table = lay_table(Ash=skilled, Ogre=foe(hp=30, ft_max=ft, rating=0))
        fight(table, "Ash", "Ogre")
        return table

    def burn(self, table: GameTable, rounds: int, d10: int = 4, **more: Any) -> None:
        table.change("Ash", weapons=carrying("Flame Thrower").weapons)
        table.do("Ash", "attack", f"{SUCCESS} d10:{d10} d6:{rounds}", targets=("Ogre",), **more)

    def round_(self, table: GameTable) -> None:
        table.do("GM", "encounter.next")
        table.do("GM", "encounter.next")

    def test_a_burning_target_loses_1_point_at_the_end_of_each_round(self) -> None:
        table = self.table(ft=9)
        self.burn(table, 4)
        assert (table.hp("Ogre"), table.ft("Ogre")) == (30, "8/9")
        table.do("GM Ogre", "cover", cover="full")
        left = []
        for _ in range(5):
            self.round_(table)
            left.append(table.hp("Ogre"))

        assert left == [29, 28, 27, 26, 26]

    def test_the_longer_of_two_fires_counts(self) -> None:
        table = self.table()
        self.burn(table, 2)
        self.round_(table)
        self.burn(table, 5)
        assert table.fighter("Ogre").burn == 5
        self.round_(table)
        self.burn(table, 2)
        assert table.fighter("Ogre").burn == 4

    def test_a_miss_or_full_cover_sets_nobody_on_fire(self) -> None:
        table = self.table()
        table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        assert table.fighter("Ogre").burn == 0
        self.round_(table)
        table.change("Ash", weapons=carrying("Flame Thrower").weapons)
        table.do("Ash", "attack", f"{fall((3, 5), (1, 1))} d10:4", targets=("Ogre",), cover="full")
        assert table.fighter("Ogre").burn == 0

    def test_the_end_of_an_encounter_burns_fires_down_or_puts_them_out(self) -> None:
        table = self.table()
        self.burn(table, 5)
        table.do("GM", "encounter.end")
        assert table.hp("Ogre") == 21
        fight(table, "Ash", "Ogre")
        self.burn(table, 5)
        table.do("GM", "put_out")
        assert "Nothing is burning" in table.refused("GM", "put_out")
        table.do("GM", "encounter.end")
        assert table.hp("Ogre") == 17

    def test_a_burning_foe_who_left_the_campaign_loses_no_more_hp(self) -> None:
        table = self.table()
        self.burn(table, 5)
        table.retire("Ogre")
        self.round_(table)
        assert [line.facts for line in table.board().lines][1:] == [("gone",)]
        table.do("GM", "encounter.end")
