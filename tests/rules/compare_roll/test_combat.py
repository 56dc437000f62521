"""Attacks, damage, cover, Fortitude, counter attacks, opponents."""

from typing import Any

import pytest

from bot.rules.compare_roll.amounts import shared
from bot.rules.compare_roll.catalogue import armed, weapon_named
from bot.rules.compare_roll.encounter import Cover
from bot.rules.compare_roll.ranges import in_band, radius
from bot.rules.compare_roll.settings import CompareSettings
from bot.rules.compare_roll.strikes import damage_inputs, strike, take_hit
from bot.rules.compare_roll.tables import Share, Weapon
from bot.rules.dice import ScriptedDice
from bot.rules.ruleset import CharacterId, Term
from tests.rules.compare_roll.play import (
    COST,
    COST_HIGH,
    COST_STRESS,
    CRIT,
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
    fight,
    foe,
    labels,
    lay_table,
    sheet,
)
from tests.rules.compare_roll.vectors import vectors

SETTINGS = CompareSettings()


def carrying(*weapons: str, level: int = 1, **more: Any) -> Any:
    """A sheet that carries loaded weapons."""
    kinds = [weapon_named(SETTINGS, name) for name in weapons]
    carried = [{"name": one.name, "level": level, "shots": one.reload or 0} for one in kinds]
    return sheet(more.pop("stats", None), more.pop("skills", None), weapons=carried, **more)


@pytest.mark.rule(
    "CMP-COM-09",
    "CMP-COM-06",
    "CMP-COM-07",
    "CMP-FT-01",
    "CMP-FT-02",
    "CMP-OUT-01",
    "CMP-OUT-05",
    "CMP-HP-01",
)
@pytest.mark.parametrize("row", vectors("pipeline"))
def test_damage_passes_outcome_cover_and_fortitude(row: dict[str, Any]) -> None:
    table = lay_table(Ash=sheet(ft_lost=14 - row["ft"]))
    dealt = shared(row["rolled"], Share(row["share"]))
    table.scene = take_hit(table.scene, CharacterId(1), dealt, Cover(row["cover"]), None).scene

    assert (32 - table.hp("Ash"), table.ft("Ash")) == (row["lost"], f"{row['after']}/14")


@pytest.mark.rule("CMP-FT-02")
def test_three_blocked_hits_wear_three() -> None:
    table = lay_table()
    for _ in range(3):
        table.scene = take_hit(table.scene, CharacterId(1), 1, Cover.NONE, None).scene

    assert table.ft("Ash") == "11/14"


@pytest.mark.rule("CMP-WPN-02", "CMP-WPN-03", "CMP-WPN-04", "CMP-WPN-05", "CMP-WPN-01")
@pytest.mark.parametrize("row", vectors("damage"))
def test_a_tag_and_a_level_are_dice(row: dict[str, Any]) -> None:
    weapon = Weapon(name="Thing", damage=row["damage"], distance="Room", level=row["level"])
    made = lay_table(Ash=sheet(weapons=[{"name": "Thing", "level": row["level"]}])).sheet("Ash")
    held = next(armed(made, CompareSettings(weapons=(weapon,))))
    inputs = damage_inputs(held, Share.FULL)

    assert (inputs.count, inputs.count * inputs.sides) == (row["least"], row["most"])


@pytest.mark.rule("CMP-WPN-01")
def test_a_weapon_has_at_least_level_1() -> None:
    assert Weapon(name="Thing", damage="Light", distance="Room").level == 1
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        Weapon(name="Thing", damage="Light", distance="Room", level=0)


@pytest.mark.rule(
    "CMP-EQ-01", "CMP-EQ-02", "CMP-EQ-03", "CMP-EQ-04", "CMP-EQ-05", "CMP-EQ-07", "CMP-EQ-10", "CMP-WPN-13"
)
@pytest.mark.parametrize("row", vectors("dealt"))
def test_each_weapon_deals_its_dice(row: dict[str, Any]) -> None:
    kind = weapon_named(SETTINGS, row["weapon"])
    outcome = {"half": COST, "full": SUCCESS, "double": CRIT}[row["share"]]
    made = carrying(row["weapon"], skills={"Technical/Mechanics": 3})
    if kind.is_used_up:
        made = sheet(items=[{"name": row["weapon"]}])
    table = lay_table(Ash=made, Ogre=foe(hp=99, hp_max=99, rating=0))
    sides = [damage_inputs(next(armed(made, SETTINGS)), Share.FULL).sides, 6]
    dice = " ".join(f"d{side}:{face}" for side, face in zip(sides, row["faces"], strict=False))
    burns = " d6:1" if kind.burn_sides else ""

    table.do("Ash", "attack", f"{outcome} {dice}{burns}", targets=("Ogre",), weapon=row["weapon"])

    assert 99 - table.hp("Ogre") == row["dealt"]


@pytest.mark.rule(
    "CMP-RNG-01", "CMP-RNG-02", "CMP-RNG-03", "CMP-RNG-04", "CMP-RNG-05", "CMP-RNG-06", "CMP-EQ-06"
)
@pytest.mark.parametrize("row", vectors("band_of"))
def test_both_ends_of_a_band_count(row: dict[str, Any]) -> None:
    weapon = Weapon(name="Thing", damage="Light", distance=row["distance"])

    assert in_band(weapon, row["feet"]) is row["within"]


@pytest.mark.rule("CMP-COM-08", "CMP-STAT-01")
class TestAttack:
    @pytest.mark.parametrize(
        ("weapon", "stats", "skills", "modifier"),
        [
            ("Baseball Bat", {"STR": 12}, {"Physical/Reflexes": 2}, 3),
            ("Pistol", {"AGI": 4, "LCK": 10}, {}, 0),
            ("Flame Thrower", {"INT": 15}, {"Technical/Mechanics": 3}, 5),
        ],
    )
    def test_the_tags_name_the_stat(
        self, weapon: str, stats: dict[str, int], skills: dict[str, int], modifier: int
    ) -> None:
        table = lay_table(Ash=carrying(weapon, stats=stats, skills=skills))
        done = table.do("Ash", "attack", fall((2, 4), (12, 12)), targets=("Ogre",), weapon=weapon)

        assert done.rolls[0].total == 6 + modifier
        assert done.notes == ("No damage.",)

    def test_a_failure_deals_nothing_and_spends_a_shot(self) -> None:
        table = lay_table(Ash=carrying("Revolver"))
        table.do("Ash", "attack", FAILURE, targets=("Ogre",))

        assert table.sheet("Ash").weapons[0].shots == 5
        assert (table.hp("Ogre"), table.points("Ash", "stress")) == (30, 1)

    @pytest.mark.rule("CMP-COM-12", "CMP-COM-11")
    def test_the_rating_of_the_target_is_the_difficulty(self) -> None:
        table = lay_table(Ogre=foe(hp=9, rating=4), Wolf=foe(hp=9, rating=6))
        assert "Difficult (+4)" in table.do("Ash", "attack", FAILURE, targets=("Ogre",)).headline
        assert "Normal (+2)" in table.do("Ash", "attack", FAILURE, targets=("Bram",)).headline
        assert "Hard (+6)" in table.do("Ash", "attack", FAILURE, targets=("Ogre",), difficulty="6").headline

    def test_another_skill_or_none_may_be_used(self) -> None:
        settings = {"weapons": [{"name": "Net", "damage": "Light", "distance": "Room", "stat": "INT"}]}
        table = lay_table(
            Ash=sheet({"INT": 10, "LCK": 15}, {"Command/Tactics": 4}, weapons=[{"name": "Net"}])
        )
        table.settings(**settings)
        plain = table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        skilled = table.do("Ash", "attack", FAILURE, targets=("Ogre",), skill="Tactics")

        assert plain.rolls[0].terms == (Term("Novice: Luck", 2), Term("Intelligence", 1))
        assert skilled.rolls[0].terms[0] == Term("Tactics", 4)

    def test_what_is_not_at_hand_is_refused(self, table: GameTable) -> None:
        assert "no “Bazooka”" in table.refused("Ash", "attack", targets=("Ogre",), weapon="Bazooka")
        assert "attack oneself" in table.refused("Ash", "attack", targets=("Ash",))
        assert "Only a GM" in table.refused("Ash", "attack", targets=("Ogre",), force=True)
        assert "no distance" in table.refused("Ash", "attack", targets=("Ogre",), distance="far away")
        assert "distances do not fit" in table.refused("Ash", "attack", targets=("Ogre",), distance="5, 10")

    def test_an_open_attack_rolls_its_damage_when_it_is_taken(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        table.set("Ash", high=5)
        opened = table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        assert labels(opened)[-1] == "Roll damage 1d6 ÷ 2"
        assert labels(opened)[0] == "Burn 5 High → Success (was Cost)"
        done = table.press("Ash", opened.follow_ups[0], "d6:5")

        assert done.headline == "burns 5 High: attacks Ogre with Pistol"
        assert table.hp("Ogre") == 25
        assert "Ogre is hurt." in done.notes

    def test_an_open_failure_is_taken_without_damage(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        table.set("Ash", high=5)
        opened = table.do("Ash", "attack", fall((3, 5), (10, 10)), targets=("Ogre",))

        assert labels(opened)[-1] == "Take it: Failure"

    def test_a_weapon_that_is_gone_from_the_lists_deals_nothing(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Net"}]))
        table.settings(weapons=[{"name": "Net", "damage": "Light", "distance": "Room"}])
        table.set("Ash", high=5)
        table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        opened = table.scene.document("open/1")
        table.settings()
        done = table.do("Ash", "take")

        assert opened is not None
        assert "No damage." in done.notes

    def test_the_same_holds_for_its_button(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        blow = {"attacker": 1, "weapon": "Gone", "level": 1, "targets": (4,), "covers": ("none",)}
        from bot.rules.compare_roll.opening import OpenRoll, Purpose, Worded, lay
        from bot.rules.compare_roll.rolls import CompareInputs

        table.set("Ash", high=5)
        laid = OpenRoll.model_validate(
            {"purpose": Purpose.ATTACK, "words": "attacks", "inputs": CompareInputs(), "blow": blow}
        )
        done = lay(table.scene, CharacterId(1), laid, Worded("attacks"), ScriptedDice(fall((3, 5), (1, 10))))

        assert labels(done)[-1] == "Take it: Cost"


class TestTags:
    @pytest.mark.rule("CMP-WPN-06", "CMP-EQ-07")
    def test_a_required_skill_must_be_there(self) -> None:
        table = lay_table(Ash=carrying("Flame Thrower", skills={"Technical/Mechanics": 2}))
        assert "takes Mechanics 3; Ash has 2" in table.refused("Ash", "attack", targets=("Ogre",))

        table.do("GM Ash", "attack", FAILURE, targets=("Ogre",), force=True)

    @pytest.mark.rule("CMP-WPN-08", "CMP-EQ-03", "CMP-EQ-04", "CMP-EQ-05")
    @pytest.mark.parametrize(
        ("weapon", "shots"), [("Shotgun", 2), ("Pistol", 10), ("Revolver", 6), ("Assault Rifle", 4)]
    )
    def test_so_many_attacks_to_a_loading(self, weapon: str, shots: int) -> None:
        table = lay_table(Ash=carrying(weapon))
        for _ in range(shots):
            table.set("Ash", stress=0)
            table.do("Ash", "attack", FAILURE, targets=("Ogre",))

        assert "it is empty" in table.refused("Ash", "attack", targets=("Ogre",))

    @pytest.mark.rule("CMP-WPN-09", "CMP-WPN-12", "CMP-WPN-11")
    def test_whom_a_shape_hits(self, table: GameTable) -> None:
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

        assert "hits one target" in table.refused("Ash", "attack", targets=both)
        assert "hits one target" in table.refused("Ash", "attack", targets=both, weapon="Unarmed")
        assert "needs a target" in table.refused("Ash", "attack", targets=(), weapon="Spray")
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
    def test_a_line_or_cone_begins_at_the_attacker(self, shape: str, reach: str, feet: str, hit: int) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Rail"}]))
        table.settings(weapons=[{"name": "Rail", "damage": "Tech", "distance": reach, "shape": shape}])
        dice = f"{fall((6, 5), (1, 1))} d10:4"
        table.do("Ash", "attack", dice, targets=("Ogre", "Wolf", "Bram"), distance=feet)

        hurt = [30 - table.hp("Ogre") > 0, 30 - table.hp("Wolf") > 0, table.ft("Bram") == "13/14"]
        assert sum(hurt) == hit

    @pytest.mark.rule("CMP-WPN-07", "CMP-WPN-12", "CMP-EQ-10")
    def test_an_explosion_hits_all_around_its_point(self) -> None:
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
        assert "Wolf is 15 ft away from it: the radius is 10 ft." in done.notes
        assert (table.hp("Ogre"), table.hp("Wolf"), table.hp("Ash")) == (27, 30, 29)
        table.do("Ash", "attack", FAILURE, targets=everybody, weapon="Grenade", distance="30")
        belonging = table.sheet("Ash").belonging("Grenade")
        assert belonging is not None
        assert belonging.count == 2

    @pytest.mark.rule("CMP-RNG-06")
    def test_range_may_be_forced_or_not_checked(self, table: GameTable) -> None:
        assert "up to 5 ft" in table.refused("Ash", "attack", targets=("Ogre",), distance="10")
        table.do("GM Ash", "attack", FAILURE, targets=("Ogre",), distance="10", force=True)
        table.settings(range_check=False)
        table.do("Ash", "attack", FAILURE, targets=("Ogre",), distance="90")

    @pytest.mark.rule("CMP-COM-11", "CMP-WPN-11", "CMP-COM-07", "CMP-COM-06")
    def test_several_targets_share_one_roll_and_have_their_own_cover(self) -> None:
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

    def test_cover_may_be_judged_from_the_attackers_side(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        fight(table, "Ash", "Ogre")
        table.do("GM Ogre", "cover", cover="full")
        table.do("Ash", "attack", f"{SUCCESS} d6:6", targets=("Ogre",), cover="none")

        assert table.hp("Ogre") == 24
        table.do("GM Ogre", "cover", cover="none")


@pytest.mark.rule("CMP-OUT-06", "CMP-OUT-02")
class TestCounter:
    def attacked(self, ft_lost: int, cost: str = COST) -> tuple[GameTable, Any]:
        table = lay_table(
            Ash=carrying("Pistol", ft_lost=ft_lost),
            Ogre=foe(hp=30).changed(weapons=carrying("Pistol").weapons),
        )
        return table, table.do("Ash", "attack", f"{cost} d6:5", targets=("Ogre",), distance="15")

    @pytest.mark.parametrize("cost", [COST, COST_STRESS, COST_HIGH])
    def test_every_cost_halves_and_lets_the_target_answer(self, cost: str) -> None:
        table, done = self.attacked(0, cost)

        assert table.hp("Ogre") == 28
        assert labels(done) == ["Ogre counters · Pistol 1d6", "No counter attack"]

    @pytest.mark.parametrize(("ft", "hp", "after"), [(3, 31, "3/14"), (6, 32, "5/14")])
    def test_it_hits_without_a_roll_and_nobody_answers_it(self, ft: int, hp: int, after: str) -> None:
        table, done = self.attacked(14 - ft)
        struck = table.press("GM Ogre", done.follow_ups[0], "d6:4")

        assert (table.hp("Ash"), table.ft("Ash"), struck.follow_ups) == (hp, after, ())
        assert "nothing to counter" in table.refused("GM Ogre", "counter")

    def test_it_may_be_passed_up(self) -> None:
        table, done = self.attacked(0)
        table.press("GM Ogre", done.follow_ups[1])

        assert table.scene.document("counter/7") is None

    def test_a_success_allows_none(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))

        assert table.do("Ash", "attack", f"{SUCCESS} d6:5", targets=("Ogre",)).follow_ups == ()

    def test_out_of_band_or_down_means_none(self) -> None:
        table = lay_table(Ash=carrying("Pistol"), Wolf=foe(hp=1))
        far = table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",), distance="20")
        down = table.do("Ash", "attack", f"{COST} d6:5", targets=("Wolf",))

        assert (far.follow_ups, down.follow_ups) == ((), ())
        assert "Wolf is down." in down.notes

    def test_an_empty_weapon_and_one_that_does_not_reach_are_no_answer(self) -> None:
        table, _ = self.attacked(0)
        assert "does not reach 15 ft" in table.refused("GM Ogre", "counter", weapon="Unarmed")
        table.do("GM Ogre", "counter", "d6:1")
        table.change(
            "Ogre", weapons=tuple(one.model_copy(update={"shots": 0}) for one in table.sheet("Ogre").weapons)
        )
        done = table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",), distance="15")
        assert done.follow_ups == ()

    def test_a_player_answers_a_player(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        done = table.do("Ash", "attack", f"{COST} d6:5", targets=("Bram",))
        table.press("Bram", done.follow_ups[0], "d4:2")

        assert table.ft("Ash") == "13/14"

    def test_it_lapses_with_the_side(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        fight(table, "Ash", "Ogre")
        table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",))
        table.do("GM", "next")

        assert "nothing to counter" in table.refused("GM Ogre", "counter")


@pytest.mark.rule("CMP-COM-10", "CMP-COM-12")
class TestOpponents:
    def table(self, **settings: Any) -> GameTable:
        table = lay_table(
            Ash=sheet({"AGI": 10}, {"Acrobatics/Dodging": 2}, ft_lost=17),
            Bram=sheet(ft_lost=14),
            Ogre=foe(hp=30, rating=2, attack=3).changed(weapons=carrying("Baseball Bat").weapons),
        )
        table.settings(**settings)
        return table

    @pytest.mark.parametrize(
        ("dice", "hp", "stress", "high"),
        [
            (fall((2, 1), (12, 12)), 32, 1, 0),
            (fall((3, 4), (1, 12)), 35, 0, 0),
            (fall((3, 4), (1, 1)), 38, 0, 0),
            (fall((4, 4), (1, 1)), 38, 0, 1),
            (fall((1, 1), (12, 12)), 32, 1, 0),
            (fall((3, 3), (12, 12)), 35, 1, 0),
        ],
    )
    def test_the_target_defends(self, dice: str, hp: int, stress: int, high: int) -> None:
        table = self.table()
        attacked = table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        assert labels(attacked) == ["Ash defends · Dodging, unhurt 38 %", "Ash defends with …"]
        done = table.press("Ash", attacked.follow_ups[0], dice)

        assert (table.hp("Ash"), table.points("Ash", "stress"), table.points("Ash", "high")) == (
            hp,
            stress,
            high,
        )
        assert done.headline == "defends with Dodging against 6 damage, Normal (+2)"
        assert "nothing to defend" in table.refused("Ash", "defend")

    def test_each_of_several_targets_rolls_for_itself(self) -> None:
        table = self.table()
        table.change("Ogre", items=lay_table(Ash=sheet(items=[{"name": "Grenade"}])).sheet("Ash").items)
        table.change("Wolf", ft_lost=0)
        table.do("GM Ogre", "attack", "d4:4", targets=("Ash", "Bram", "Wolf"), weapon="Grenade")
        table.do("Ash", "defend", fall((1, 2), (12, 12)))
        table.do("Bram", "defend", SUCCESS, skill="Physical/Reflexes", difficulty="Trivial")

        assert (table.hp("Ash"), table.points("Ash", "stress"), table.hp("Bram"), table.hp("Wolf")) == (
            34,
            1,
            32,
            26,
        )

    def test_attacks_wait_in_their_order(self) -> None:
        table = self.table()
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        table.do("GM Ogre", "attack", "d6:2", targets=("Ash",))

        assert "against 6 damage" in table.do("Ash", "defend", SUCCESS).headline
        assert "against 2 damage" in table.do("Ash", "defend", SUCCESS).headline

    def test_who_is_down_takes_it_all(self) -> None:
        table = self.table()
        table.set("Bram", hp=0)
        table.change("Bram", status="stable")
        done = table.do("GM Ogre", "attack", "d6:6", targets=("Bram",))

        assert labels(done)[0].startswith("Death’s Door")

    def test_damage_may_be_what_the_suffix_means(self) -> None:
        table = self.table(cost_suffix="damage")
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        table.do("Ash", "defend", COST_STRESS)

        assert table.hp("Ash") == 34

    def test_they_may_always_hit(self) -> None:
        table = self.table(opponent_attack="auto_hit")
        table.change("Ash", ft_lost=13)
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))

        assert table.hp("Ash") == 36

    def test_the_gm_may_roll_for_them(self) -> None:
        table = self.table(opponent_attack="gm_rolls_2d6", cost_suffix="damage")
        done = table.do("GM Ogre", "attack", f"{fall((3, 4), (1, 12))} d6:6", targets=("Bram",))

        assert done.rolls[0].terms == (Term("attack", 3),)
        assert table.hp("Bram") == 29
        assert labels(done)[0] == "Bram counters · Unarmed 1d4"
        table.change("Ogre", foe=foe(hp=30).foe)
        plain = table.do("GM Ogre", "attack", fall((1, 2), (12, 12)), targets=("Bram",))
        assert plain.rolls[0].terms == ()

    def test_without_a_rating_the_usual_difficulty_holds(self) -> None:
        table = self.table(default_difficulty="Hard")
        table.change("Ogre", foe=foe(hp=30).foe)
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))

        assert "Hard (+6)" in table.do("Ash", "defend", SUCCESS.replace("d6:3", "d6:6")).headline

    @pytest.mark.rule("CMP-WPN-14")
    def test_fire_catches_whoever_is_hit_in_a_defence(self) -> None:
        table = self.table()
        table.change("Ogre", weapons=carrying("Flame Thrower").weapons)
        table.do("GM Ogre", "attack", "d10:7", targets=("Ash",), cover="half")
        done = table.do("Ash", "defend", f"{COST} d6:2")

        assert "Ash burns for 2 rounds; outside a fight the GM counts them." in done.notes
        table.change("Ogre", weapons=carrying("Flame Thrower").weapons)
        table.do("GM Ogre", "attack", "d10:7", targets=("Ash",), cover="full")
        table.do("Ash", "defend", COST)


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
        table.do("GM", "next")
        table.do("GM", "next")

    def test_it_burns_a_point_at_the_end_of_each_round(self) -> None:
        table = self.table(ft=9)
        self.burn(table, 4)
        assert (table.hp("Ogre"), table.ft("Ogre")) == (30, "8/9")
        table.do("GM Ogre", "cover", cover="full")
        left = []
        for _ in range(5):
            self.round_(table)
            left.append(table.hp("Ogre"))

        assert left == [29, 28, 27, 26, 26]

    def test_the_longer_fire_counts(self) -> None:
        table = self.table()
        self.burn(table, 2)
        self.round_(table)
        self.burn(table, 5)
        assert table.fighter("Ogre").burn == 5
        self.round_(table)
        self.burn(table, 2)
        assert table.fighter("Ogre").burn == 4

    def test_a_miss_or_full_cover_lights_nothing(self) -> None:
        table = self.table()
        table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        assert table.fighter("Ogre").burn == 0
        self.round_(table)
        table.change("Ash", weapons=carrying("Flame Thrower").weapons)
        table.do("Ash", "attack", f"{fall((3, 5), (1, 1))} d10:4", targets=("Ogre",), cover="full")
        assert table.fighter("Ogre").burn == 0

    def test_the_end_burns_it_down_or_puts_it_out(self) -> None:
        table = self.table()
        self.burn(table, 5)
        table.do("GM", "end")
        assert table.hp("Ogre") == 21
        fight(table, "Ash", "Ogre")
        self.burn(table, 5)
        table.do("GM", "end", put_out=True)
        assert table.hp("Ogre") == 17

    def test_who_has_left_the_campaign_burns_no_more(self) -> None:
        table = self.table()
        self.burn(table, 5)
        table.retire("Ogre")
        self.round_(table)
        assert "Ogre" not in " ".join(table.do("GM", "order").notes)
        table.do("GM", "end")


def test_a_share_of_nothing_is_no_damage(table: GameTable) -> None:
    from bot.rules.compare_roll.strikes import Blow

    blow = Blow(attacker=CharacterId(1), weapon="Unarmed", level=1, targets=(), covers=())
    assert strike(table.scene, blow, Share.NONE, ScriptedDice("")).notes == ("No damage.",)
