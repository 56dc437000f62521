"""Weapon tags: whom they hit, how far, how long they burn."""

from typing import Any

import pytest

from bot.rules.compare_roll.sheet import CompareSettings
from bot.rules.compare_roll.strikes import radius
from tests.rules.compare_roll.play import (
    COST,
    COST_HIGH,
    COST_STRESS,
    CRIT,
    FAILURE,
    SUCCESS,
    GameTable,
    button,
    carrying,
    fall,
    fight,
    foe,
    labels,
    lay_table,
    sheet,
)

SETTINGS = CompareSettings()


class TestWeaponTags:
    @pytest.mark.rule("CMP-WPN-06", "CMP-EQ-07")
    def test_a_weapon_with_a_required_skill_is_refused_without_the_skill(self) -> None:
        table = lay_table(Ash=carrying("Flame Thrower", skills={"Technical/Mechanics": 2}))
        assert "needs Mechanics 3; Ash has 2" in table.why("Ash", "attack", targets=("Ogre",))

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

        assert "is empty" in table.why("Ash", "attack", targets=("Ogre",))

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

        assert "hits only one target" in table.why("Ash", "attack", targets=both)
        assert "hits only one target" in table.why("Ash", "attack", targets=both, weapon="Unarmed")
        assert "at least one target" in table.why("Ash", "attack", targets=(), weapon="Spray")
        assert "out of range" in table.why("Ash", "attack", targets=("Ogre",), distance="25")
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

        assert "out of range" in table.why(
            "Ash", "attack", targets=everybody, weapon="grenade", distance="25"
        )
        assert "radius" in table.why("Ash", "attack", targets=("Ogre",), weapon="grenade", distance="30, 15")
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
        assert "up to 5 ft" in table.why("Ash", "attack", targets=("Ogre",), distance="10")
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
        assert "Nothing is burning" in table.why("GM", "put_out")
        table.do("GM", "encounter.end")
        assert table.hp("Ogre") == 17

    def test_a_burning_foe_who_left_the_campaign_loses_no_more_hp(self) -> None:
        table = self.table()
        self.burn(table, 5)
        table.retire("Ogre")
        self.round_(table)
        assert [line.facts for line in table.board().lines][1:] == [("gone",)]
        table.do("GM", "encounter.end")


@pytest.mark.rule(
    "CMP-OUT-01", "CMP-OUT-02", "CMP-OUT-03", "CMP-OUT-04", "CMP-OUT-05", "CMP-STRESS-01", "CMP-HIGH-01"
)
@pytest.mark.parametrize(
    ("dice", "before", "after"),
    [
        (FAILURE, (0, 0, 10), (1, 0, 10)),
        (FAILURE, (3, 0, 10), (3, 0, 9)),
        (COST, (1, 0, 10), (1, 0, 10)),
        (COST_STRESS, (1, 0, 10), (2, 0, 10)),
        (COST_STRESS, (3, 0, 8), (3, 0, 7)),
        (COST_HIGH, (0, 2, 10), (0, 3, 10)),
        (COST_HIGH, (0, 5, 10), (0, 5, 10)),
        (SUCCESS, (2, 1, 10), (2, 1, 10)),
        (CRIT, (0, 4, 10), (0, 5, 10)),
        (CRIT, (0, 5, 10), (0, 5, 10)),
        (fall((6, 6), (3, 12)), (0, 0, 10), (0, 0, 10)),
    ],
)
def test_each_outcome_gives_its_stress_and_high(
    table: GameTable, dice: str, before: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    table.set("Ash", stress=before[0], high=before[1], hp=before[2])

    table.do("GM Ash", "luck", dice, modifier=before[0])
    if table.scene.document("open/1"):
        table.do("Ash", "take")

    assert (table.points("Ash", "stress"), table.points("Ash", "high"), table.hp("Ash")) == after


@pytest.mark.rule("CMP-OUT-03")
@pytest.mark.parametrize("suffix", ["damage", "none"])
def test_the_campaign_may_let_a_suffix_give_no_stress_or_high(table: GameTable, suffix: str) -> None:
    table.settings(cost_suffix=suffix)
    table.do("Ash", "luck", COST_STRESS)
    table.do("Ash", "luck", COST_HIGH)

    assert (table.points("Ash", "stress"), table.points("Ash", "high")) == (0, 0)


def test_the_gm_decides_what_a_cost_out_of_combat_means(table: GameTable) -> None:
    assert table.do("Ash", "luck", COST).notes == ("It works, but at a cost: the GM says what.",)


def test_an_opponent_gains_no_stress_or_high(table: GameTable) -> None:
    done = table.do("GM Ogre", "luck", FAILURE)

    assert done.verdict is not None
    assert table.points("Ogre", "stress") == 0


@pytest.mark.rule("CMP-STRESS-03")
class TestStressAboveThree:
    @pytest.mark.parametrize(
        ("stress", "gain", "hp", "after", "left"),
        [(3, 1, 10, 3, 9), (2, 3, 10, 3, 8), (2, 1, 10, 3, 10), (3, 1, 1, 3, 0)],
    )
    def test_each_point_of_stress_above_3_costs_1_hp(
        self, table: GameTable, stress: int, gain: int, hp: int, after: int, left: int
    ) -> None:
        table.set("Ash", stress=stress, hp=hp)
        done = table.do("GM", "fate", target="Ash", stress=gain)

        assert (table.points("Ash", "stress"), table.hp("Ash")) == (after, left)
        assert table.ft("Ash") == "14/14"
        assert bool(labels(done)) is (left == 0)


@pytest.mark.rule("CMP-HIGH-03")
def test_a_failure_counts_at_once_when_no_high_is_left_to_burn(table: GameTable) -> None:
    table.set("Ash", stress=3, high=0, hp=10)
    done = table.do("Ash", "luck", fall((1, 1), (12, 12)))

    assert "Take it: Failure" not in labels(done)
    assert table.hp("Ash") == 9


@pytest.mark.rule("CMP-STRESS-02")
def test_stress_gained_by_a_roll_does_not_lower_the_same_roll(table: GameTable) -> None:
    table.set("Ash", stress=1)
    done = table.do("Ash", "luck", FAILURE)

    assert done.rolls[0].total == 5
    assert table.points("Ash", "stress") == 2


@pytest.mark.rule("CMP-STRESS-04", "CMP-HIGH-03")
class TestBurningHighAgainstStress:
    @pytest.mark.parametrize(("high", "stress", "burn", "after"), [(2, 3, 2, (0, 1)), (5, 3, 3, (2, 0))])
    def test_each_high_burned_removes_1_stress(
        self, table: GameTable, high: int, stress: int, burn: int, after: tuple[int, int]
    ) -> None:
        table.set("Ash", high=high, stress=stress)
        table.do("Ash", "calm", count=burn)

        assert (table.points("Ash", "high"), table.points("Ash", "stress")) == after

    @pytest.mark.parametrize(("high", "stress", "burn"), [(3, 1, 3), (1, 0, 1), (0, 2, 1)])
    def test_a_character_cannot_burn_more_high_than_they_have_high_or_stress(
        self, table: GameTable, high: int, stress: int, burn: int
    ) -> None:
        table.set("Ash", high=high, stress=stress)

        assert "against Stress" in table.why("Ash", "calm", count=burn)

    def test_high_can_be_burned_against_stress_by_button_and_off_turn(self, table: GameTable) -> None:
        table.set("Ash", high=2, stress=2)
        table.do("GM", "encounter.start", others=("Ash", "Ogre"), at_once=True)
        table.do("GM", "encounter.next")
        done = table.do("Ash", "calm")

        assert labels(done) == ["Burn 1 High · 1 Stress less"]
        table.press("Ash", done.follow_ups[0])
        assert table.points("Ash", "stress") == 0

    def test_an_open_roll_keeps_its_stress_penalty_when_stress_is_removed(self, table: GameTable) -> None:
        table.set("Ash", high=5, stress=2)
        opened = table.do("Ash", "luck", fall((3, 4), (4, 9)))
        assert opened.rolls[0].total == 5
        table.press("Ash", button(opened, "Burn 1 High · 1 Stress"))
        done = table.do("Ash", "take")

        assert done.rolls[0].total == 5
        assert table.points("Ash", "stress") == 2

    def test_high_can_remove_stress_before_an_open_failure_adds_more(self, table: GameTable) -> None:
        table.set("Ash", high=1, stress=3, hp=10)
        opened = table.do("Ash", "luck", fall((1, 1), (12, 12)))
        assert labels(opened) == ["Burn 1 High · 1 Stress less", "Accept the Failure"]
        assert opened.notes == ("High can't improve a natural 2.",)
        table.do("Ash", "calm")
        table.do("Ash", "take")

        assert (table.points("Ash", "stress"), table.hp("Ash")) == (3, 10)

    def test_removing_stress_first_or_improving_the_roll_both_add_1(self) -> None:
        table = lay_table(Ash=sheet({"STR": 7}, {"Physical/Balance": 2}))
        table.set("Ash", stress=1, high=1)
        table.do("Ash", "calm")
        assert table.do("Ash", "check", COST, skill="Balance").rolls[0].total == 9
        table.set("Ash", stress=1, high=1)
        burned = table.do("Ash", "check", COST, skill="Balance", burn=1)
        assert burned.rolls[0].total == 9
        assert burned.notes[0] == "Burning High against Stress before a roll adds as much, and lasts."
        assert table.points("Ash", "stress") == 1


@pytest.mark.rule("CMP-HIGH-02")
class TestBurningHighOnARoll:
    def test_burning_high_turns_an_open_cost_into_a_success(self, table: GameTable) -> None:
        table.set("Ash", high=2)
        opened = table.do("Ash", "luck", fall((3, 4), (5, 1)))
        assert labels(opened) == ["Burn 1 High → Success (was Cost)", "Accept the Cost"]
        done = table.press("Ash", opened.follow_ups[0])

        assert done.headline == "burns 1 High on a Cost: checks Luck"
        assert done.verdict is not None
        assert done.verdict.title == "Success"
        assert done.rolls[0].against == "7 ✓ and 3 ✓"
        assert table.points("Ash", "high") == 1
        assert table.scene.document("open/1") is None

    @pytest.mark.rule("CMP-HIGH-01")
    def test_high_gained_by_a_roll_arrives_after_high_is_burned(self, table: GameTable) -> None:
        table.set("Ash", high=5)
        table.do("Ash", "luck", fall((3, 3), (4, 9)))
        table.do("Ash", "burn", count=1)

        assert table.points("Ash", "high") == 5
        assert table.points("Ash", "stress") == 0

    def test_burning_high_turns_a_natural_12_success_into_a_crit(self, table: GameTable) -> None:
        table.set("Ash", high=3)
        opened = table.do("Ash", "luck", fall((6, 6), (3, 12)))
        done = table.press("Ash", button(opened, "Burn 3"))

        assert done.verdict is not None
        assert done.verdict.title == "Crit, natural 12"
        assert table.points("Ash", "high") == 1

    def test_burning_high_without_high_or_without_an_open_roll_is_refused(self, table: GameTable) -> None:
        assert "has only 0 High" in table.why("Ash", "luck", burn=1)
        assert table.why("Ash", "burn") == "You have no open roll."
        table.set("Ash", high=1, stress=3)
        table.do("Ash", "luck", fall((1, 1), (12, 12)))
        assert "natural 2" in table.why("Ash", "burn")

    def test_an_open_roll_counts_before_the_next_roll(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Ash", high=5)
        table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        done = table.do("Ash", "luck", f"d6:4 {fall((1, 1), (12, 12))}")

        assert done.notes[0].startswith("Before that, Ash attacks Ogre with Pistol: Cost.")
        assert (table.hp("Ogre"), table.points("Ash", "stress")) == (28, 1)
        assert labels(done)[:2] == ["Ogre counters · Unarmed 1d4", "Skip the counterattack"]

    def test_an_open_roll_that_would_bring_its_character_to_0_hp_blocks_the_next_roll(
        self, table: GameTable
    ) -> None:
        table.set("Ash", high=1, stress=3, hp=1)
        table.do("Ash", "luck", fall((1, 1), (12, 12)))

        assert "still open" in table.why("Ash", "luck")

    def test_burning_high_that_would_change_nothing_is_not_offered(self, table: GameTable) -> None:
        table.set("Ash", high=1)
        assert labels(table.do("Ash", "luck", FAILURE)) == []
        table.set("Ash", stress=3)
        opened = table.do("Ash", "luck", FAILURE)
        assert opened.notes == ("1 High would not change it.",)

    def test_a_foes_roll_offers_no_buttons(self) -> None:
        table = lay_table(Ogre=foe(hp=5))
        assert labels(table.do("GM Ogre", "luck", COST)) == []


@pytest.mark.rule("CMP-STRESS-05")
def test_rests_and_fights_change_neither_stress_nor_high(table: GameTable) -> None:
    table.set("Ash", stress=3, high=1, hp=5)
    table.do("Ash", "rest", "d6:6 d6:5 d6:2", hours=5, now=True)
    table.do("GM", "long_rest", targets=("Ash",))
    table.do("GM", "encounter.start", others=("Ash",), at_once=True)
    table.do("GM", "encounter.end")

    assert (table.points("Ash", "stress"), table.points("Ash", "high")) == (3, 1)
