"""Attacks, damage, cover, Fortitude, counterattacks, opponents."""

from typing import Any

import pytest

from bot.rules.compare_roll.amounts import shared
from bot.rules.compare_roll.catalogue import armed, weapon_named
from bot.rules.compare_roll.encounter import CompareCover, in_band
from bot.rules.compare_roll.fortunes import movement, wound_word
from bot.rules.compare_roll.sheet import Belonging, CompareSettings
from bot.rules.compare_roll.strikes import damage_inputs, strike, take_hit
from bot.rules.compare_roll.tables import CompareShare, CompareWeapon
from bot.rules.kernel import CharacterId, Term
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    COST,
    CRIT,
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
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
def test_damage_passes_through_outcome_cover_and_fortitude(row: dict[str, Any]) -> None:
    table = lay_table(Ash=sheet(ft_lost=14 - row["ft"]))
    dealt = shared(row["rolled"], CompareShare(row["share"]))
    table.scene = take_hit(table.scene, CharacterId(1), dealt, CompareCover(row["cover"]), None).scene

    assert (32 - table.hp("Ash"), table.ft("Ash")) == (row["lost"], f"{row['after']}/14")


@pytest.mark.rule("CMP-COM-06", "CMP-FT-02")
@pytest.mark.parametrize(
    ("dealt", "cover", "told", "fortitude"),
    [
        (5, "none", "Ash: 5 damage − 2 Fortitude = 3 HP lost", 2),
        (2, "none", "Ash: 2 damage · blocked, Fortitude 2 → 1", 1),
        (4, "half", "Ash: 4 damage · half cover: 2 · blocked, Fortitude 2 → 1", 1),
        (9, "full", "Ash: 9 damage · full cover: 0", 2),
        (0, "none", "Ash: 0 damage", 2),
    ],
)
def test_only_damage_that_arrives_wears_fortitude_down(
    dealt: int, cover: str, told: str, fortitude: int
) -> None:
    table = lay_table(Ash=sheet(ft_lost=12))
    struck = take_hit(table.scene, CharacterId(1), dealt, CompareCover(cover), None)
    table.scene = struck.scene

    assert struck.notes[0] == told
    assert table.ft("Ash") == f"{fortitude}/14"


@pytest.mark.rule("CMP-COM-02")
@pytest.mark.parametrize(
    ("base", "armour", "spaces"), [(6, "", 6), (2, "Heavy Armor", 0), (0, "", 0), (0, "Heavy Armor", 0)]
)
def test_movement_never_falls_below_0(base: int, armour: str, spaces: int) -> None:
    made = foe(hp=5, movement=base).changed(armour=armour, items=(Belonging(name="Heavy Armor", count=1),))

    assert movement(made, SETTINGS) == spaces


@pytest.mark.rule("CMP-FT-02")
def test_three_blocked_hits_wear_down_3_fortitude() -> None:
    table = lay_table()
    for _ in range(3):
        table.scene = take_hit(table.scene, CharacterId(1), 1, CompareCover.NONE, None).scene

    assert table.ft("Ash") == "11/14"


@pytest.mark.rule("CMP-WPN-02", "CMP-WPN-03", "CMP-WPN-04", "CMP-WPN-05", "CMP-WPN-01")
@pytest.mark.parametrize("row", vectors("damage"))
def test_the_damage_dice_follow_from_tag_and_weapon_level(row: dict[str, Any]) -> None:
    weapon = CompareWeapon(name="Thing", damage=row["damage"], distance="Room", level=row["level"])
    made = lay_table(Ash=sheet(weapons=[{"name": "Thing", "level": row["level"]}])).sheet("Ash")
    held = next(armed(made, CompareSettings(weapons=(weapon,))))
    inputs = damage_inputs(held, CompareShare.FULL)

    assert (inputs.count, inputs.count * inputs.sides) == (row["least"], row["most"])


@pytest.mark.rule("CMP-WPN-01")
def test_a_weapon_has_at_least_level_1() -> None:
    assert CompareWeapon(name="Thing", damage="Light", distance="Room").level == 1
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        CompareWeapon(name="Thing", damage="Light", distance="Room", level=0)


@pytest.mark.rule(
    "CMP-EQ-01", "CMP-EQ-02", "CMP-EQ-03", "CMP-EQ-04", "CMP-EQ-05", "CMP-EQ-07", "CMP-EQ-10", "CMP-WPN-13"
)
@pytest.mark.parametrize("row", vectors("dealt"))
def test_each_weapon_deals_its_listed_damage_dice(row: dict[str, Any]) -> None:
    kind = weapon_named(SETTINGS, row["weapon"])
    outcome = {"half": COST, "full": SUCCESS, "double": CRIT}[row["share"]]
    made = carrying(row["weapon"], skills={"Technical/Mechanics": 3})
    if kind.is_used_up:
        made = sheet(items=[{"name": row["weapon"]}])
    table = lay_table(Ash=made, Ogre=foe(hp=99, hp_max=99, rating=0))
    sides = [damage_inputs(next(armed(made, SETTINGS)), CompareShare.FULL).sides, 6]
    dice = " ".join(f"d{side}:{face}" for side, face in zip(sides, row["faces"], strict=False))
    burns = " d6:1" if kind.burn_sides else ""

    table.do("Ash", "attack", f"{outcome} {dice}{burns}", targets=("Ogre",), weapon=row["weapon"])

    assert 99 - table.hp("Ogre") == row["dealt"]


@pytest.mark.rule(
    "CMP-RNG-01", "CMP-RNG-02", "CMP-RNG-03", "CMP-RNG-04", "CMP-RNG-05", "CMP-RNG-06", "CMP-EQ-06"
)
@pytest.mark.parametrize("row", vectors("band_of"))
def test_both_ends_of_a_range_band_are_within_range(row: dict[str, Any]) -> None:
    weapon = CompareWeapon(name="Thing", damage="Light", distance=row["distance"])

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
    def test_the_tags_of_a_weapon_name_the_stat_of_its_attack(
        self, weapon: str, stats: dict[str, int], skills: dict[str, int], modifier: int
    ) -> None:
        table = lay_table(Ash=carrying(weapon, stats=stats, skills=skills))
        done = table.do("Ash", "attack", fall((2, 4), (12, 12)), targets=("Ogre",), weapon=weapon)

        assert done.rolls[0].total == 6 + modifier
        assert done.notes == ("No damage.",)

    def test_a_failed_attack_deals_no_damage_and_spends_a_shot(self) -> None:
        table = lay_table(Ash=carrying("Revolver"))
        table.do("Ash", "attack", FAILURE, targets=("Ogre",))

        assert table.sheet("Ash").weapons[0].shots == 5
        assert (table.hp("Ogre"), table.points("Ash", "stress")) == (30, 1)

    @pytest.mark.rule("CMP-COM-12", "CMP-COM-11")
    def test_the_rating_of_the_target_is_the_difficulty_of_the_attack(self) -> None:
        table = lay_table(Ogre=foe(hp=9, rating=4), Wolf=foe(hp=9, rating=6))
        assert "Difficult (+4)" in table.do("Ash", "attack", FAILURE, targets=("Ogre",)).headline
        assert "Normal (+2)" in table.do("Ash", "attack", FAILURE, targets=("Bram",)).headline
        assert (
            "Hard (+6)" in table.do("GM Ash", "attack", FAILURE, targets=("Ogre",), difficulty="6").headline
        )

    def test_an_attack_may_use_another_skill_or_none(self) -> None:
        settings = {"weapons": [{"name": "Net", "damage": "Light", "distance": "Room", "stat": "INT"}]}
        table = lay_table(
            Ash=sheet({"INT": 10, "LCK": 15}, {"Command/Tactics": 4}, weapons=[{"name": "Net"}])
        )
        table.settings(**settings)
        plain = table.do("Ash", "attack", FAILURE, targets=("Ogre",))
        skilled = table.do("Ash", "attack", FAILURE, targets=("Ogre",), skill="Tactics")

        assert plain.rolls[0].terms == (Term("Novice: Luck", 2), Term("Intelligence", 1))
        assert skilled.rolls[0].terms[0] == Term("Tactics", 4)

    def test_an_attack_with_invalid_options_is_refused(self, table: GameTable) -> None:
        assert "no weapon “Bazooka”" in table.refused("Ash", "attack", targets=("Ogre",), weapon="Bazooka")
        assert "attack yourself" in table.refused("Ash", "attack", targets=("Ash",))
        assert "Only a GM" in table.refused("Ash", "attack", targets=("Ogre",), force=True)
        assert "isn't a distance" in table.refused("Ash", "attack", targets=("Ogre",), distance="far away")
        assert "don't match" in table.refused("Ash", "attack", targets=("Ogre",), distance="5, 10")

    def test_an_open_attack_rolls_its_damage_when_accepted(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        table.set("Ash", high=5)
        opened = table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        assert labels(opened)[-1] == "Roll damage 1d6 ÷ 2"
        assert labels(opened)[0] == "Burn 5 High → Success (was Cost)"
        done = table.press("Ash", opened.follow_ups[0], "d6:5")

        assert done.headline == "burns 5 High on a Cost: attacks Ogre with Pistol"
        assert table.hp("Ogre") == 25
        assert wound_word(table.named("Ogre")) == "scratched"

    def test_an_open_failed_attack_is_accepted_without_damage(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        table.set("Ash", high=5)
        opened = table.do("Ash", "attack", fall((3, 5), (10, 10)), targets=("Ogre",))

        assert labels(opened)[-1] == "Accept the Failure"

    def test_an_attack_with_a_weapon_removed_from_the_lists_deals_nothing(self) -> None:
        table = lay_table(Ash=sheet(weapons=[{"name": "Net"}]))
        table.settings(weapons=[{"name": "Net", "damage": "Light", "distance": "Room"}])
        table.set("Ash", high=5)
        table.do("Ash", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        opened = table.scene.document("open/1")
        table.settings()
        done = table.do("Ash", "take")

        assert opened is not None
        assert "No damage." in done.notes

    def test_the_button_of_an_attack_with_a_removed_weapon_rolls_no_damage(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        blow = {"attacker": 1, "weapon": "Gone", "level": 1, "targets": (4,), "covers": ("none",)}
        from bot.rules.compare_roll.opening import OpenRoll, Worded, lay
        from bot.rules.compare_roll.tables import ComparePurpose
        from bot.rules.compare_roll.two_d12s import CompareInputs

        table.set("Ash", high=5)
        laid = OpenRoll.model_validate(
            {"purpose": ComparePurpose.ATTACK, "words": "attacks", "inputs": CompareInputs(), "blow": blow}
        )
        done = lay(table.scene, CharacterId(1), laid, Worded("attacks"), ScriptedDice(fall((3, 5), (1, 10))))

        assert labels(done)[-1] == "Accept the Cost"


def test_an_outcome_without_a_damage_share_deals_no_damage(table: GameTable) -> None:
    from bot.rules.compare_roll.strikes import ComparePendingAttack

    blow = ComparePendingAttack(attacker=CharacterId(1), weapon="Unarmed", level=1, targets=(), covers=())
    assert strike(table.scene, blow, CompareShare.NONE, ScriptedDice("")).notes == ("No damage.",)
