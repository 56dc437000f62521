"""Opponents' attacks, and the counterattacks that a Cost allows."""

from typing import Any, cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import weapon_named
from bot.rules.compare_roll.sheet import CompareSettings, Scene
from bot.rules.kernel import Outcome, Term, settle_all, waive_all
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    COST,
    COST_HIGH,
    COST_STRESS,
    SUCCESS,
    GameTable,
    fall,
    fight,
    foe,
    id_of,
    labels,
    lay_table,
    sheet,
)

SETTINGS = CompareSettings()


def carrying(*weapons: str, level: int = 1, **more: Any) -> Any:
    """A sheet that carries loaded weapons."""
    kinds = [weapon_named(SETTINGS, name) for name in weapons]
    carried = [{"name": one.name, "level": level, "shots": one.reload or 0} for one in kinds]
    return sheet(more.pop("stats", None), more.pop("skills", None), weapons=carried, **more)


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
        assert "no attack to counter" in table.refused("GM Ogre", "counter")

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
        assert "doesn't reach 15 ft" in table.refused("GM Ogre", "counter", weapon="Unarmed")
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

        assert "no attack to counter" in table.refused("GM Ogre", "counter")


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
        assert labels(attacked) == ["Ash defends · Dodging, unhurt 38%", "Ash defends with …"]
        done = table.press("Ash", attacked.follow_ups[0], dice)

        assert (table.hp("Ash"), table.points("Ash", "stress"), table.points("Ash", "high")) == (
            hp,
            stress,
            high,
        )
        assert done.headline == "defends against Ogre (6 damage) with Dodging, Normal (+2)"
        assert "no attack to defend" in table.refused("Ash", "defend")

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

        assert asked.headline == "can't end the encounter yet: 1 thing is open"
        assert asked.notes == ("Ash's defense against Ogre, 3 damage.",)
        assert asked.follow_ups[0].label.startswith("Ash defends · Dodging")
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

    def test_f_opt_04_an_unused_counterattack_passes_when_the_encounter_ends(self) -> None:
        table = lay_table()
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
