"""Opponents' attacks, and the counterattacks that a Cost allows."""

from typing import Any, cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import armed, weapon_named
from bot.rules.compare_roll.fortunes import movement, wound_word
from bot.rules.compare_roll.sheet import Belonging, CompareSettings, Scene
from bot.rules.compare_roll.strikes import CompareCover, damage_inputs, in_band, strike, take_hit
from bot.rules.compare_roll.tables import CompareShare, CompareWeapon
from bot.rules.compare_roll.two_d12s import CompareInputs, shared
from bot.rules.kernel import CharacterId, Outcome, Term, settle_all, waive_all
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    COST,
    COST_HIGH,
    COST_STRESS,
    CRIT,
    FAILURE,
    SUCCESS,
    GameTable,
    carrying,
    fall,
    fight,
    foe,
    id_of,
    labels,
    lay_table,
    sheet,
    vectors,
)

SETTINGS = CompareSettings()


@pytest.mark.rule("CMP-OUT-06", "CMP-OUT-02")
class TestCounterattacks:
    def attacked(self, ft_lost: int, cost: str = COST) -> tuple[GameTable, Any]:
        table = lay_table(
            Ash=carrying("Pistol", ft_lost=ft_lost),
            Ogre=foe(hp=30).changed(weapons=carrying("Pistol").weapons),
        )
        return table, table.do("Ash", "attack", f"{cost} d6:5", targets=("Ogre",), distance="15")

    @pytest.mark.parametrize("cost", [COST, COST_STRESS, COST_HIGH])
    def test_every_cost_halves_damage_and_allows_a_counterattack(self, cost: str) -> None:
        table, done = self.attacked(0, cost)

        assert table.hp("Ogre") == 28
        assert labels(done) == ["Ogre counters · Pistol 1d6", "Skip the counterattack"]

    @pytest.mark.parametrize(("ft", "hp", "after"), [(3, 31, "3/14"), (6, 32, "5/14")])
    def test_a_counterattack_hits_without_a_roll_and_cannot_be_countered(
        self, ft: int, hp: int, after: str
    ) -> None:
        table, done = self.attacked(14 - ft)
        struck = table.press("GM Ogre", done.follow_ups[0], "d6:4")

        assert (table.hp("Ash"), table.ft("Ash"), struck.follow_ups) == (hp, after, ())
        assert "no attack to counter" in table.why("GM Ogre", "counter")

    def test_a_counterattack_may_be_skipped(self) -> None:
        table, done = self.attacked(0)
        table.press("GM Ogre", done.follow_ups[1])

        assert table.scene.document("counter/7") is None

    def test_a_success_allows_no_counterattack(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))

        assert table.do("Ash", "attack", f"{SUCCESS} d6:5", targets=("Ogre",)).follow_ups == ()

    def test_a_target_out_of_range_or_down_gets_no_counterattack(self) -> None:
        table = lay_table(Ash=carrying("Pistol"), Wolf=foe(hp=1))
        far = table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",), distance="20")
        down = table.do("Ash", "attack", f"{COST} d6:5", targets=("Wolf",))

        assert (far.follow_ups, down.follow_ups) == ((), ())
        assert "Wolf is down." in down.notes

    def test_a_counterattack_needs_a_loaded_weapon_that_reaches(self) -> None:
        table, _ = self.attacked(0)
        assert "doesn't reach 15 ft" in table.why("GM Ogre", "counter", weapon="Unarmed")
        table.do("GM Ogre", "counter", "d6:1")
        table.change(
            "Ogre", weapons=tuple(one.model_copy(update={"shots": 0}) for one in table.sheet("Ogre").weapons)
        )
        done = table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",), distance="15")
        assert done.follow_ups == ()

    def test_a_player_may_counterattack_a_player(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        done = table.do("Ash", "attack", f"{COST} d6:5", targets=("Bram",))
        table.press("Bram", done.follow_ups[0], "d4:2")

        assert table.ft("Ash") == "13/14"

    def test_a_counterattack_lapses_when_the_other_sides_turn_starts(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        fight(table, "Ash", "Ogre")
        table.do("Ash", "attack", f"{COST} d6:5", targets=("Ogre",))
        table.do("GM", "encounter.next")

        assert "no attack to counter" in table.why("GM Ogre", "counter")


@pytest.mark.rule("CMP-COM-10", "CMP-COM-12")
class TestOpponentAttacks:
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
    def test_a_players_defense_roll_decides_the_damage_of_an_opponents_attack(
        self, dice: str, hp: int, stress: int, high: int
    ) -> None:
        table = self.table()
        attacked = table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        assert labels(attacked) == ["Ash: Dodging 38%", "Ash defends with …"]
        done = table.press("Ash", attacked.follow_ups[0], dice)

        assert (table.hp("Ash"), table.points("Ash", "stress"), table.points("Ash", "high")) == (
            hp,
            stress,
            high,
        )
        assert done.headline == "defends against Ogre (6 damage) with Dodging, Normal (+2)"
        assert "no attack to defend" in table.why("Ash", "defend")

    def test_each_of_several_targets_rolls_its_own_defense(self) -> None:
        table = self.table()
        table.change("Ogre", items=lay_table(Ash=sheet(items=[{"name": "Grenade"}])).sheet("Ash").items)
        table.change("Wolf", ft_lost=0)
        table.do("GM Ogre", "attack", "d4:4", targets=("Ash", "Bram", "Wolf"), weapon="Grenade")
        table.do("Ash", "defend", fall((1, 2), (12, 12)))
        table.do("GM Bram", "defend", SUCCESS, skill="Physical/Reflexes", difficulty="Trivial")

        assert (table.hp("Ash"), table.points("Ash", "stress"), table.hp("Bram"), table.hp("Wolf")) == (
            34,
            1,
            32,
            26,
        )

    def test_attacks_are_defended_in_the_order_they_were_made(self) -> None:
        table = self.table()
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        table.do("GM Ogre", "attack", "d6:2", targets=("Ash",))

        assert "(6 damage)" in table.do("Ash", "defend", SUCCESS).headline
        assert "(2 damage)" in table.do("Ash", "defend", SUCCESS).headline

    def test_a_character_who_is_down_takes_full_damage_without_defending(self) -> None:
        table = self.table()
        table.set("Bram", hp=0)
        table.change("Bram", status="stable")
        done = table.do("GM Ogre", "attack", "d6:6", targets=("Bram",))

        assert labels(done)[0].startswith("Death's Door")

    def test_the_suffix_of_a_defense_may_change_the_damage(self) -> None:
        table = self.table(cost_suffix="damage")
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))
        table.do("Ash", "defend", COST_STRESS)

        assert table.hp("Ash") == 34

    def test_the_campaign_may_let_opponents_always_hit(self) -> None:
        table = self.table(opponent_attack="auto_hit")
        table.change("Ash", ft_lost=13)
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))

        assert table.hp("Ash") == 36

    def test_the_campaign_may_let_the_gm_roll_for_opponents(self) -> None:
        table = self.table(opponent_attack="gm_rolls_2d6", cost_suffix="damage")
        done = table.do("GM Ogre", "attack", f"{fall((3, 4), (1, 12))} d6:6", targets=("Bram",))

        assert done.rolls[0].terms == (Term("attack", 3),)
        assert table.hp("Bram") == 29
        assert labels(done)[0] == "Bram counters · Unarmed 1d4"
        table.change("Ogre", foe=foe(hp=30).foe)
        plain = table.do("GM Ogre", "attack", fall((1, 2), (12, 12)), targets=("Bram",))
        assert plain.rolls[0].terms == ()

    def test_a_defense_against_an_unrated_opponent_uses_the_default_difficulty(self) -> None:
        table = self.table(default_difficulty="Hard")
        table.change("Ogre", foe=foe(hp=30).foe)
        table.do("GM Ogre", "attack", "d6:6", targets=("Ash",))

        assert "Hard (+6)" in table.do("Ash", "defend", SUCCESS.replace("d6:3", "d6:6")).headline

    @pytest.mark.rule("CMP-WPN-14")
    def test_a_character_hit_by_a_flame_thrower_while_defending_catches_fire(self) -> None:
        table = self.table()
        table.change("Ogre", weapons=carrying("Flame Thrower").weapons)
        table.do("GM Ogre", "attack", "d10:7", targets=("Ash",), cover="half")
        done = table.do("Ash", "defend", f"{COST} d6:2")

        assert "Ash burns for 2 rounds; outside a fight the GM counts them." in done.notes
        table.change("Ogre", weapons=carrying("Flame Thrower").weapons)
        table.do("GM Ogre", "attack", "d10:7", targets=("Ash",), cover="full")
        table.do("Ash", "defend", COST)


def settled(table: GameTable, falls: str) -> Outcome:
    dice = ScriptedDice(falls)
    done = settle_all(table.scene, RULESET.unsettled, dice)
    dice.assert_all_rolled()
    return done


def waiting(table: GameTable) -> list[str]:
    return [one.what for one in RULESET.unsettled(table.scene)]


class TestEndOfAFight:
    def attacked(self) -> GameTable:
        """The Ogre's attack on Ash waits for a defense."""
        table = lay_table()
        fight(table, "Ash", "Ogre")
        table.do("GM", "encounter.next")
        table.do("GM Ogre", "attack", "d4:3", targets=("Ash",))
        return table

    def test_f_opt_04_ending_an_encounter_lists_the_defenses_still_owed(self) -> None:
        table = self.attacked()

        asked = table.do("GM", "encounter.end")

        assert asked.headline == "can't end the fight yet: 1 thing is open"
        assert asked.notes == ("Ash's defense against Ogre, 3 damage.",)
        assert asked.follow_ups[0].label.startswith("Ash: Dodging")
        assert asked.follow_ups[-2].label == "Settle it and end (GM)"

    def test_f_opt_04_settling_a_defense_rolls_dodging(self) -> None:
        table = self.attacked()
        asked = table.do("GM", "encounter.end")

        ended = table.press("GM", asked.follow_ups[-2], fall((1, 2), (11, 11)))

        assert ended.notes[0] == "Ash's defense against Ogre, 3 damage: Failure."
        assert (table.hp("Ash"), table.ft("Ash")) == (32, "13/14")
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_waiving_a_defense_deals_no_damage(self) -> None:
        table = self.attacked()
        asked = table.do("GM", "encounter.end")

        table.press("GM", asked.follow_ups[-1])

        assert (table.hp("Ash"), table.ft("Ash")) == (32, "14/14")
        assert waiting(table) == []

    def test_f_opt_04_an_unused_counterattack_passes_when_the_encounter_ends(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        table.do("Ash", "attack", f"{COST} d4:1", targets=("Ogre",))
        asked = table.do("GM", "encounter.end")
        assert asked.notes == ("Counterattack by Ogre against Ash.",)

        ended = table.press("GM", asked.follow_ups[-2])

        assert ended.notes[0] == "Counterattack by Ogre against Ash: settled."


@pytest.mark.rule("CMP-SES-01")
class TestEndOfASession:
    def test_f_opt_04_open_rolls_count_with_their_damage_when_the_session_ends(self) -> None:
        table = lay_table(Bram=sheet(weapons=[{"name": "Pistol", "shots": 9}]))
        table.set("Bram", high=5)
        table.do("Bram", "attack", fall((3, 5), (1, 10)), targets=("Ogre",))
        assert waiting(table) == ["Bram's roll (attacks Ogre with Pistol), which High can still change"]
        assert all(one.lapses for one in RULESET.unsettled(table.scene))

        done = settled(table, "d6:6")

        assert done.notes[1] == "Bram attacks Ogre with Pistol: Cost."
        assert len(done.rolls) == 1

    def test_f_opt_04_attacks_waiting_for_a_defense_stay_open_after_the_session(self) -> None:
        table = lay_table()
        table.do("GM Ogre", "attack", "d4:1", targets=("Cleo",))

        everybody = [id_of("Cleo"), id_of("Ogre")]
        ended = RULESET.end_session(table.scene, everybody, list(table.scene.documents))
        table.scene = cast(Scene, ended.scene)

        assert waiting(table) == ["Cleo's defense against Ogre, 1 damage"]
        assert waive_all(table.scene, RULESET.unsettled).notes == (
            "Waived: Cleo's defense against Ogre, 1 damage.",
        )


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
def test_three_blocked_hits_wear_down_3_fortitude(table: GameTable) -> None:
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
        assert "no weapon “Bazooka”" in table.why("Ash", "attack", targets=("Ogre",), weapon="Bazooka")
        assert "attack yourself" in table.why("Ash", "attack", targets=("Ash",))
        assert "Only a GM" in table.why("Ash", "attack", targets=("Ogre",), force=True)
        assert "isn't a distance" in table.why("Ash", "attack", targets=("Ogre",), distance="far away")
        assert "don't match" in table.why("Ash", "attack", targets=("Ogre",), distance="5, 10")

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
        table.settings(weapons=())
        done = table.do("Ash", "take")

        assert opened is not None
        assert "No damage." in done.notes

    def test_the_button_of_an_attack_with_a_removed_weapon_rolls_no_damage(self) -> None:
        table = lay_table(Ash=carrying("Pistol"))
        blow = {"attacker": 1, "weapon": "Gone", "level": 1, "targets": (4,), "covers": ("none",)}
        from bot.rules.compare_roll.opening import OpenRoll, Worded, lay
        from bot.rules.compare_roll.tables import ComparePurpose

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
