"""The end of a session, the texts, the settings."""

from typing import Any, cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.fortunes import gain_high, gain_stress, heal, hp_now, lose_hp
from bot.rules.compare_roll.sheet import CompareSettings, CompareStatus, Scene, status_of
from bot.rules.compare_roll.strikes import CompareCover, ComparePendingAttack, all_usable, strike
from bot.rules.compare_roll.tables import CompareShare
from bot.rules.kernel import CharacterId, HookResult
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    FAILURE,
    GameTable,
    button,
    dying,
    fight,
    foe,
    id_of,
    knock,
    labels,
    lay_table,
    sheet,
)


@pytest.mark.rule("CMP-SES-01", "CMP-STRESS-05")
class TestSessionEnd:
    def end(self, table: GameTable, *who: str) -> HookResult:
        turning = RULESET.end_session(table.scene, [id_of(name) for name in who], list(table.scene.documents))
        table.scene = cast(Scene, turning.scene)
        return turning

    def test_a_session_end_refreshes_nothing_by_default(self, table: GameTable) -> None:
        table.set("Ash", hp=12, stress=2, high=3, ammunition=2)
        table.change("Ash", ft_lost=5, weapons=[{"name": "Pistol", "shots": 3}])
        turning = self.end(table, "Ash", "Ogre")

        assert turning.notes == ("Ash: HP 12/32 · FT 9/14 · Stress 2/3 · High 3/5",)
        assert (table.hp("Ash"), table.points("Ash", "ammunition")) == (12, 2)
        assert table.sheet("Ash").weapons[0].shots == 3

    def test_the_campaign_may_reset_resources_at_the_end_of_a_session(self, table: GameTable) -> None:
        table.settings(session_reset='{"stress": 0, "hp": 99, "high": 9, "assets": 7}')
        table.set("Ash", hp=12, stress=2)
        self.end(table, "Ash")

        assert (table.hp("Ash"), table.points("Ash", "stress")) == (32, 0)
        assert (table.points("Ash", "high"), table.points("Ash", "assets")) == (5, 7)

    def test_a_session_end_keeps_unfinished_fights_and_clears_finished_ones(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre", "Wolf")
        for _ in range(6):
            table.do("GM", "encounter.next")
        self.end(table, "Ash")
        assert table.encounter().round == 4
        table.retire("Wolf")
        table.change("Ogre", foe=foe(hp=0, hp_max=9).foe)
        assert self.end(table, "Ash").put_back == ()
        assert table.scene.document("encounter/7") is None


class TestRuleTextsAndSettings:
    def test_every_rule_has_its_own_text_and_unique_ids(self) -> None:
        ids = [id_ for rule in RULESET.glossary for id_ in rule.ids]

        assert len(ids) == len(set(ids)) == 106
        assert all(rule.title and len(rule.text) <= 300 for rule in RULESET.glossary)

    @pytest.mark.parametrize("typed", ["", '{"stress": 1}', {"stress": 1}])
    def test_a_session_reset_may_be_typed(self, typed: object) -> None:
        made = CompareSettings.model_validate({"session_reset": typed})
        assert made.session_reset in ({}, {"stress": 1})

    def test_a_session_reset_that_cannot_be_read_is_refused(self) -> None:
        with pytest.raises(ValueError, match="session_reset"):
            CompareSettings.model_validate({"session_reset": "nonsense"})


@pytest.mark.rule("CMP-HP-02", "CMP-DEATH-01", "CMP-HP-01")
class TestZeroHitPoints:
    @pytest.mark.parametrize(("luck", "stress", "chance"), [(7, 0, 34), (12, 0, 59), (3, 0, 16), (7, 3, 1)])
    def test_a_player_at_0_hp_is_offered_deaths_door_with_its_chance(
        self, luck: int, stress: int, chance: int
    ) -> None:
        table = lay_table(Ash=sheet({"LCK": luck, "AGI": 1}, ft_lost=40))
        table.set("Ash", hp=4, stress=stress)
        table.settings(opponent_attack="auto_hit")
        table.change("Ogre", weapons=[{"name": "Revolver", "level": 2, "shots": 6}])
        done = table.do("GM Ogre", "attack", "d8:5 d8:4", targets=("Ash",))

        assert labels(done) == [f"Death's Door · survives {chance}%", "Blaze of Glory · 12+6d6, then dies"]
        assert table.hp("Ash") == 0
        assert "is at 0 HP" in table.why("Ash", "luck")

    def test_fire_and_stress_can_also_bring_a_player_to_deaths_door(self, table: GameTable) -> None:
        table.set("Ash", hp=1)
        fight(table, "Ash", "Ogre")
        table.scene = table.scene.with_document(
            "encounter/7", table.encounter().with_combatant(table.fighter("Ash").changed(burn=1))
        )
        table.do("GM", "encounter.next")
        burned = table.do("GM", "encounter.next")
        assert labels(burned)[0].startswith("Death's Door")
        assert "Ash burns: −1 HP, the fire is out." in burned.notes
        table.set("Bram", hp=2, stress=3)
        assert labels(table.do("GM", "fate", target="Bram", stress=2))[0].startswith("Death's Door")

    def test_a_hit_stopped_by_fortitude_does_not_lead_to_deaths_door(self) -> None:
        table = dying()
        table.change("Ash", ft_lost=0, status="stable")
        done = table.do("GM Ogre", "attack", "d4:2", targets=("Ash",))
        assert done.follow_ups == ()
        table.change("Ash", ft_lost=40)
        assert labels(table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)))[0].startswith("Death's Door")

    def test_deaths_door_and_blaze_of_glory_are_refused_above_0_hp(self, table: GameTable) -> None:
        assert "not at Death's Door" in table.why("Ash", "deathsdoor")
        assert "not at Death's Door" in table.why("Ash", "blaze")


@pytest.mark.rule("CMP-DEATH-02", "CMP-DEATH-03", "CMP-HIGH-02")
class TestDeathsDoor:
    @pytest.mark.parametrize(
        ("faces", "lives"),
        [
            (((3, 4), (4, 5), (4, 4)), True),
            (((4, 4), (4, 4), (4, 4)), True),
            (((3, 4), (3, 4), (4, 5)), False),
            (((3, 4), (4, 4), (4, 4)), False),
            (((4, 5), (4, 5), (1, 1)), True),
        ],
    )
    def test_more_misses_than_hits_at_deaths_door_mean_death(
        self, faces: tuple[tuple[int, int], ...], lives: bool
    ) -> None:
        table = dying()
        third = knock(table, *faces)
        assert labels(third) == ["Hear the verdict"]
        done = table.press("Ash", third.follow_ups[0])

        assert done.verdict is not None
        assert done.verdict.title == ("survives" if lives else "dies")
        assert table.sheet("Ash").status is (CompareStatus.STABLE if lives else CompareStatus.DEAD)

    def test_each_of_the_three_rolls_at_deaths_door_is_a_step_of_its_own(self) -> None:
        table = dying(high=1)
        first = knock(table, (4, 4))
        assert first.headline == "makes the first roll at Death's Door"
        assert first.notes == ("Hits 0, misses 0 · survives 50% from here.",)
        assert labels(first) == ["Burn 1 High → hit (was neither)", "Make the second roll"]
        burned = table.press("Ash", first.follow_ups[0])
        assert burned.verdict is not None
        assert burned.verdict.title == "hit"
        assert [die.face for die in burned.rolls[0].earlier] == [4, 4]
        assert [term.label for term in burned.rolls[0].terms] == ["High"]
        assert labels(burned) == ["Make the second roll"]
        assert "You have already rolled at Death's Door." in table.why("Ash", "blaze")

    @pytest.mark.parametrize(
        ("luck", "stress", "high", "faces", "burn", "word"),
        [
            (12, 2, 0, (5, 4), 0, "neither"),
            (7, 0, 1, (4, 4), 1, "hit"),
            (20, 0, 4, (1, 1), 4, "hit"),
            (3, 3, 0, (6, 6), 0, "neither"),
            (7, 3, 0, (6, 5), 0, "neither"),
        ],
    )
    def test_luck_stress_and_high_count_at_deaths_door(
        self, luck: int, stress: int, high: int, faces: tuple[int, int], burn: int, word: str
    ) -> None:
        table = dying(luck, stress, high)
        done = knock(table, faces)
        if burn:
            done = table.do("Ash", "burn", count=burn)

        assert done.verdict.title == word

    @pytest.mark.rule("CMP-STRESS-02")
    def test_the_campaign_may_leave_stress_and_high_out_of_deaths_door(self) -> None:
        table = dying(stress=3, high=1)
        table.settings(stress_applies_to="checks")
        done = knock(table, (4, 4))
        assert (done.rolls[0].total, labels(done)) == (8, ["Make the second roll"])
        assert "can't burn High here" in table.why("Ash", "burn")

    def test_the_verdict_of_deaths_door_may_be_typed_as_a_command(self) -> None:
        table = dying()
        knock(table, (4, 5), (4, 5), (4, 5))
        assert table.do("Ash", "deathsdoor").headline == "hears the verdict of Death's Door"
        assert "down at 0 HP" in table.why("Ash", "luck")
        other = dying()
        knock(other, (4, 5), (4, 5), (4, 5))
        assert other.do("Ash", "take").headline == "hears the verdict of Death's Door"

    def test_a_wound_during_deaths_door_changes_nothing(self) -> None:
        table = dying()
        knock(table, (4, 5))
        assert table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)).follow_ups == ()
        assert len(table.sheet("Ash").door) == 1

    def test_any_healing_brings_a_stable_character_back_into_action(self) -> None:
        table = dying()
        table.change("Ash", status="stable")
        table.change("Bram", items=[{"name": "Stim"}])
        done = table.do("Bram", "use", "d6:3", target="Ash")
        assert "Ash is back on their feet." in done.notes
        assert (table.hp("Ash"), table.sheet("Ash").status) == (3, CompareStatus.ACTIVE)
        for procedure in ("rest", "long_rest"):
            other = dying()
            other.change("Ash", status="stable")
            if procedure == "rest":
                other.do("Ash", "rest", "d6:3", now=True)
                assert other.hp("Ash") == 3
            else:
                other.do("GM", "long_rest", targets=("Ash",))
                assert other.hp("Ash") == 20
            other.do("Ash", "luck", FAILURE)

    def test_a_dead_character_stays_dead(self) -> None:
        table = dying()
        knock(table, (1, 1), (1, 1), (1, 1))
        table.do("Ash", "take")
        assert "Ash is dead." in table.why("Ash", "luck")
        assert table.do("GM Ogre", "attack", "d4:2", targets=("Ash",)).follow_ups == ()
        lines = [
            line for one in RULESET.describe(table.named("Ash"), CompareSettings()) for line in one.lines
        ]
        assert "Dead" in lines
        table.do("GM", "fate", target="Ash", revive=True, hp=5)
        table.do("Ash", "luck", FAILURE)


@pytest.mark.rule("CMP-DEATH-04")
class TestBlazeOfGlory:
    @pytest.mark.parametrize(
        ("dice", "left"), [("1 2 3 4 5 6", 31), ("1 1 1 1 1 1", 46), ("6 6 6 6 6 6", 16)]
    )
    def test_a_blaze_of_glory_hits_whoever_struck_the_character_down(self, dice: str, left: int) -> None:
        table = dying()
        done = table.do("Ash", "blaze", " ".join(f"d6:{face}" for face in dice.split()))

        assert done.headline == "goes out in a Blaze of Glory against Ogre"
        assert (table.hp("Ogre"), table.sheet("Ash").status) == (left, CompareStatus.DEAD)

    def test_without_an_attacker_the_gm_chooses_the_target_of_a_blaze_of_glory(
        self, table: GameTable
    ) -> None:
        table.set("Ash", hp=1, stress=3)
        table.do("GM", "fate", target="Ash", stress=1)
        assert "No one struck Ash down" in table.why("Ash", "blaze")
        assert "whoever struck you down" in table.why("Ash", "blaze", target="Wolf")
        before = table.scene
        table.do("GM Ash", "blaze", " ".join(["d6:1"] * 6), target="Wolf")
        assert table.hp("Wolf") == 12
        table.scene = before
        assert table.do("Ash", "blaze", nobody=True).rolls == ()


def test_the_deaths_door_button_belongs_to_the_dying_character() -> None:
    table = dying()
    done = table.do("GM", "fate", target="Bram", hp=0)
    assert button(done, "Death").character == CharacterId(2)
    assert table.do("GM", "fate", target="Bram", hp=3).notes == ("Bram is back on their feet.",)


@pytest.mark.rule("CMP-DEATH-03", "CMP-HP-01")
class TestBackOnTheirFeet:
    @pytest.mark.parametrize("status", ["stable", "dying"])
    @pytest.mark.parametrize(("healed", "after"), [(0, None), (1, "active"), (5, "active")])
    def test_any_healing_wakes_the_down(self, status: str, healed: int, after: str | None) -> None:
        table = lay_table(Ash=sheet(status=status, downed_by=4))
        table.set("Ash", hp=0)
        turned = heal(table.scene, id_of("Ash"), healed)
        now = turned.scene.character(id_of("Ash"))

        assert (hp_now(now), now.sheet.status) == (healed, after or status)
        assert now.sheet.downed_by == (None if after else 4)
        assert bool(turned.notes) is bool(after)

    @pytest.mark.parametrize(
        ("status", "door", "by", "blamed", "asked"),
        [
            ("active", (), 5, 5, True),
            ("active", (), None, None, True),
            ("dying", (), 5, 5, True),
            ("dying", (), None, 4, True),
            ("stable", (), None, None, True),
        ],
    )
    def test_whoever_strikes_a_character_down_is_remembered(
        self, status: str, door: tuple[Any, ...], by: int | None, blamed: int | None, asked: bool
    ) -> None:
        table = lay_table(Ash=sheet(status=status, downed_by=4 if status == "dying" else None, door=door))
        table.set("Ash", hp=1 if status == "active" else 0)
        turned = lose_hp(table.scene, id_of("Ash"), 3, None if by is None else CharacterId(by))

        assert turned.scene.character(id_of("Ash")).sheet.downed_by == blamed
        assert bool(turned.follow_ups) is asked

    @pytest.mark.parametrize(("hp", "told"), [(1, False), (0, True)])
    def test_an_opponent_is_down_at_0_hp(self, hp: int, told: bool) -> None:
        table = lay_table(Ogre=foe(hp=5))
        turned = lose_hp(table.scene, id_of("Ogre"), 5 - hp)

        assert bool(turned.notes) is told
        assert (status_of(turned.scene.character(id_of("Ogre"))) is CompareStatus.ACTIVE) is not told
        assert lose_hp(turned.scene, id_of("Ogre"), 1).notes == (("Ogre is down.",) if not told else ())


@pytest.mark.rule("CMP-HIGH-01", "CMP-STRESS-01", "CMP-STRESS-03")
class TestLimits:
    @pytest.mark.parametrize(
        ("gain", "high", "told"),
        [
            (1, 4, ()),
            (2, 5, ()),
            (3, 5, ("High is capped at 5; 1 point is lost.",)),
            (4, 5, ("High is capped at 5; 2 points are lost.",)),
        ],
    )
    def test_high_is_capped_at_5(self, table: GameTable, gain: int, high: int, told: tuple[str, ...]) -> None:
        table.set("Ash", high=3)
        turned = gain_high(table.scene, id_of("Ash"), gain)

        assert turned.scene.character(id_of("Ash")).left("high") == high
        assert turned.notes == told

    @pytest.mark.parametrize(("gain", "stress", "lost"), [(1, 2, 0), (2, 3, 0), (3, 3, 1), (5, 3, 3)])
    def test_stress_above_3_costs_hp(self, table: GameTable, gain: int, stress: int, lost: int) -> None:
        table.set("Ash", stress=1)
        turned = gain_stress(table.scene, id_of("Ash"), gain)
        now = turned.scene.character(id_of("Ash"))

        assert (now.left("stress"), hp_now(now)) == (stress, 32 - lost)
        assert turned.notes == ((f"Stress over 3: Ash loses {lost} HP.",) if lost else ())

    @pytest.mark.rule("CMP-STRESS-04")
    def test_high_burned_against_stress_can_be_burned_again_while_both_last(self, table: GameTable) -> None:
        table.set("Ash", stress=3, high=2)
        assert labels(table.do("Ash", "calm", count=1)) != []
        assert labels(table.do("Ash", "calm", count=1)) == []
        assert (table.points("Ash", "stress"), table.points("Ash", "high")) == (1, 0)

    @pytest.mark.rule("CMP-GM-01")
    @pytest.mark.parametrize(("hp", "told"), [(31, ()), (32, ()), (33, ("Ash can't have more than 32 HP.",))])
    def test_the_gm_is_told_only_of_hp_above_the_maximum(self, hp: int, told: tuple[str, ...]) -> None:
        assert lay_table().do("GM", "fate", target="Ash", hp=hp).notes == told

    @pytest.mark.parametrize(("left", "is_down"), [(1, False), (0, True)])
    def test_a_character_with_1_hp_stands(self, left: int, is_down: bool) -> None:
        turned = lose_hp(lay_table().scene, id_of("Ash"), 32 - left)
        assert bool(turned.follow_ups) is is_down

    @pytest.mark.rule("CMP-DEATH-02")
    @pytest.mark.parametrize(
        ("faces", "told"),
        [
            ((6, 6), "Hits 1, misses 0 · survives 66% from here."),
            ((1, 1), "Hits 0, misses 1 · survives 15% from here."),
        ],
    )
    def test_the_chance_at_deaths_door_counts_what_has_fallen(
        self, faces: tuple[int, int], told: str
    ) -> None:
        table = dying()
        assert told in knock(table, faces).notes

    @pytest.mark.rule("CMP-OUT-06", "CMP-WPN-09")
    @pytest.mark.parametrize(("shots", "weapons"), [(0, ["Unarmed"]), (1, ["Pistol", "Unarmed"])])
    def test_only_a_loaded_weapon_counters(self, shots: int, weapons: list[str]) -> None:
        made = sheet(weapons=[{"name": "Pistol", "shots": shots}])
        found = all_usable(lay_table(Ash=made).scene, lay_table(Ash=made).named("Ash"), None)
        assert [one.weapon.name for one in found] == weapons

    @pytest.mark.rule("CMP-COM-09")
    @pytest.mark.parametrize(
        ("targets", "share", "told"), [(1, "full", False), (2, "full", True), (1, "half", True)]
    )
    def test_the_sum_is_told_where_the_targets_line_does_not(
        self, targets: int, share: str, told: bool
    ) -> None:
        table = lay_table()
        blow = ComparePendingAttack(
            attacker=id_of("Ogre"),
            weapon="Unarmed",
            level=1,
            targets=(id_of("Ash"), id_of("Bram"))[:targets],
            covers=(CompareCover.NONE,) * targets,
            feet=None,
        )
        struck = strike(table.scene, blow, CompareShare(share), ScriptedDice("d4:3"))
        assert (not struck.notes[0].startswith("Ash")) is told
