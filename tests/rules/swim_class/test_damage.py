"""Damage, being down, dying, recovering."""

from typing import Any

import pytest

from bot.rules.kernel.outcome import FactKind, kind_of
from bot.rules.swim_class.damage import (
    Mishap,
    critical_buttons,
    critical_note,
    fall_buttons,
    heal_wounds,
    hit_points,
    is_down,
    is_dying,
    take_damage,
)
from bot.rules.swim_class.sheet import SoakPolicy
from bot.rules.swim_class.sheet_text import glance
from bot.rules.swim_class.tables import Pool
from tests.rules.swim_class.play import GameTable, duel, id_of, lay_table, sheet, solo, strike, words


def hp(table: GameTable, name: str, pool: Pool = Pool.PHYSICAL) -> int:
    return hit_points(table.scene, table.named(name), pool)


@pytest.mark.rule("SWIM-COMB-05", "SWIM-SKILL-04")
class TestHitPoints:
    def test_a_hit_point_pool_is_as_large_as_its_defense_skill(self) -> None:
        table = duel({"basic_melee": 3}, {"physical_defense": 3}, ash=["Great Sword"])
        table.change("Orc", soak=SoakPolicy.NEVER)
        strike(table, "5 2 1", "6 2 1")

        assert (hp(table, "Orc"), table.points("Orc", "physical_wounds")) == (1, 2)
        assert (
            len(table.do("GM Orc", "roll", "1 2 3", skill="physical defense", difficulty=4).rolls[0].dice)
            == 3
        )

    def test_a_higher_defense_rank_adds_a_hit_point(self) -> None:
        table = solo({"physical_defense": 4})
        table.set("Ash", "physical_wounds", 2)

        assert hp(table, "Ash") == 2
        assert hp(table, "Bram") == 1


@pytest.mark.rule("SWIM-COMB-06", "SWIM-SKILL-07", "SWIM-SHEET-04")
class TestComposure:
    def test_each_point_of_composure_soaks_1_damage(self) -> None:
        table = solo({"physical_defense": 3})
        done = table.do("GM", "harm", target="Ash", points=3)

        assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (1, 2)
        assert done.notes == ("Ash takes 3 damage: Composure soaks 1.",)

    def test_composure_that_is_used_up_soaks_no_damage(self) -> None:
        table = solo({"composure": 2, "physical_defense": 3})
        table.set("Ash", "scratches", 2)
        table.do("GM", "harm", target="Ash", points=1)

        assert table.points("Ash", "physical_wounds") == 1
        assert table.why("Ash", "soak") == "Ash has no Composure left."

    def test_a_player_who_chose_to_be_asked_soaks_damage_by_button(self) -> None:
        table = solo({"composure": 5, "physical_defense": 3})
        table.do("Ash", "policy", policy="ask")
        done = table.do("GM", "harm", target="Ash", points=2)

        assert [button.label for button in done.follow_ups] == ["Ash soaks 2 with Composure"]
        assert table.press("Ash", done.follow_ups[0]).headline == "soaks 2 with Composure"
        assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (2, 0)


@pytest.mark.rule("SWIM-COMB-07")
class TestOrderOfDamage:
    @pytest.mark.parametrize(("policy", "left", "scratches"), [("composure_first", 1, 1), ("never", 0, 0)])
    def test_damage_is_soaked_by_composure_first_unless_the_player_says_never(
        self, policy: str, left: int, scratches: int
    ) -> None:
        table = solo({"physical_defense": 3})
        table.do("Ash", "policy", policy=policy)
        table.do("GM", "harm", target="Ash", points=3)

        assert (hp(table, "Ash"), table.points("Ash", "scratches")) == (left, scratches)

    def test_damage_can_take_a_pool_below_0_but_never_reaches_another_pool(self, table: GameTable) -> None:
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=3)

        assert (hp(table, "Ash"), hp(table, "Ash", Pool.MENTAL)) == (-2, 1)
        assert done.notes[1] == "Ash is down and dying: roll to stabilize against 2."


@pytest.mark.rule("SWIM-COMB-08")
class TestDown:
    def test_a_character_at_0_hit_points_is_down_but_not_dying(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=3)

        assert done.notes[1] == "Ash is down."
        assert table.why("Ash", "roll", skill="spot") == "Ash is down."
        assert table.why("Ash", "stabilise") == "Ash isn't dying (physical)."
        table.do("GM", "mend", target="Ash", points=1)
        table.do("Ash", "roll", "3", skill="spot", difficulty=4)

    def test_a_character_down_in_the_social_pool_can_still_act_physically(self, table: GameTable) -> None:
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=1, pool="social")

        assert done.notes[1] == "Ash is down (social)."
        table.do("Ash", "roll", "3", skill="spot", difficulty=4)

    def test_a_character_who_is_down_defends_with_implicit_1s_only(self) -> None:
        table = duel({"basic_melee": 2}, {"physical_defense": 2})
        table.set("Orc", "physical_wounds", 2)
        done = table.do("Ash", "attack", "5 1", skill="basic melee", targets=("Orc",))

        assert words(done) == "1 hit"
        assert hp(table, "Orc") == -1

    def test_f_swim_33_a_pushed_attack_counts_dice_that_get_through_and_hits_apart(self) -> None:
        table = duel({"basic_melee": 3}, {"physical_defense": 2})
        table.set("Orc", "physical_wounds", 2)
        done = table.do("Ash", "attack", "5 4 3", skill="basic melee", targets=("Orc",), push=2)

        assert words(done) == "6 hits"
        assert "Orc can't defend: 3 dice get through, counting 2 each" in done.notes
        assert hp(table, "Orc") == -6

    def test_a_character_who_goes_down_before_defending_has_implicit_1s_only(self) -> None:
        table = duel({"basic_melee": 1}, {})
        table.do("Ash", "attack", "5", skill="basic melee", targets=("Orc",))
        table.set("Orc", "physical_wounds", 1)

        done = table.do("GM Orc", "defend")
        assert (words(done), done.rolls) == ("1 hit", ())
        assert done.notes[0] == "Orc can't defend: 1 die gets through"


@pytest.mark.rule("SWIM-COMB-09")
class TestStabilizing:
    def dying(self, below: int, rank: int = 1) -> GameTable:
        table = solo({"physical_defense": rank})
        table.set("Ash", "physical_wounds", rank + below)
        return table

    def test_stabilizing_at_1_point_below_0_is_automatic(self) -> None:
        assert words(self.dying(1).do("Ash", "stabilise")) == "stable"

    @pytest.mark.parametrize(("faces", "verdict"), [("3 1", "stable"), ("2 1", "still dying")])
    def test_stabilizing_needs_one_die_that_meets_the_damage_below_0(self, faces: str, verdict: str) -> None:
        assert words(self.dying(3, 2).do("Ash", "stabilise", faces)) == verdict

    def test_new_damage_makes_a_stable_character_dying_again(self) -> None:
        table = self.dying(1)
        table.do("Ash", "stabilise")
        assert table.why("Ash", "stabilise") == "Ash isn't dying (physical)."
        table.do("GM", "harm", target="Ash", points=1)

        assert (hp(table, "Ash"), dict(table.sheet("Ash").tallies)) == (-2, {})
        table.do("GM", "clock", minutes=1)
        assert words(table.do("Ash", "stabilise", "2")) == "stable"

    def test_a_character_7_points_below_0_cannot_be_stabilized(self) -> None:
        assert words(self.dying(7, 2).do("Ash", "stabilise", "6 6")) == "still dying"


@pytest.mark.rule("SWIM-COMB-10")
class TestDeath:
    def test_critical_failures_while_stabilizing_hurt_and_too_many_of_them_kill(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", 5)

        first = table.do("Ash", "stabilise", "1 1 1")
        assert first.notes == ("2 criticals, tally 2 of 3.",)
        table.do("GM", "clock", minutes=1)
        second = table.do("Ash", "stabilise", "1 1 3")
        assert second.notes == ("1 critical, tally 3 of 3.",)
        table.do("GM", "clock", minutes=1)
        assert words(table.do("Ash", "stabilise", "1 1 2")) == "dead"
        assert table.why("Ash", "roll", skill="spot") == "Ash is dead."
        assert table.why("Ash", "rest") == "Ash is dead."

    @pytest.mark.parametrize(
        ("first", "verdict", "left"), [(False, "still dying", -2), (True, "still dying", -3)]
    )
    def test_the_first_critical_while_stabilizing_is_free_unless_the_campaign_counts_it(
        self, *, first: bool, verdict: str, left: int
    ) -> None:
        table = solo()
        table.settings(stabilize_counts_first=first)
        table.set("Ash", "physical_wounds", 3)

        assert words(table.do("Ash", "stabilise", "1")) == verdict
        assert hp(table, "Ash") == left

    def test_too_many_criticals_in_the_mental_pool_break_the_character(self) -> None:
        table = solo({"mental_defense": 2}, tallies={"mental": 2})
        table.set("Ash", "mental_wounds", 5)

        assert words(table.do("Ash", "stabilise", "1 1", pool="mental")) == "broken"
        assert table.do("Ash", "rest", hours=1, now=True).rolls == ()


@pytest.mark.rule("SWIM-COMB-11", "SWIM-REST-03")
class TestRecovery:
    @pytest.mark.parametrize(
        ("wounds", "faces", "left", "rank"), [(3, "6 6 2", 1, 3), (3, "1 1 1", 3, 3), (1, "6 6 6", 0, 4)]
    )
    def test_an_hour_of_rest_rolls_the_defense_skill_against_6(
        self, wounds: int, faces: str, left: int, rank: int
    ) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", wounds)
        done = table.do("Ash", "rest", faces, hours=1, now=True)

        assert table.points("Ash", "physical_wounds") == left
        assert table.rank("Ash", "physical_defense") == rank
        assert not any("natural 1" in note for note in done.notes)

    def test_a_character_below_0_must_be_stable_to_rest(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", 5)
        assert table.why("Ash", "rest", hours=1) == "Ash is dying (physical)."
        table.do("Ash", "stabilise", "2 1 1")
        table.do("Ash", "rest", "6 1 1", hours=1, now=True)

        assert hp(table, "Ash") == -1

    def test_a_stable_character_healed_to_0_no_longer_counts_as_stable(self) -> None:
        table = solo({"physical_defense": 2}, stable=(Pool.PHYSICAL,))
        table.set("Ash", "physical_wounds", 3)
        table.do("Ash", "rest", "6 1", hours=1, now=True)

        assert table.sheet("Ash").stable == ()

    def test_each_hour_of_rest_is_rolled_with_the_new_rank(self) -> None:
        table = solo({"physical_defense": 2})
        table.set("Ash", "physical_wounds", 2)
        done = table.do("Ash", "rest", "6 1 6 6", hours=2, now=True)

        assert (table.points("Ash", "physical_wounds"), table.rank("Ash", "physical_defense")) == (0, 3)
        assert done.scene.clock == 7200


@pytest.mark.rule("SWIM-COMB-12", "SWIM-REST-02")
class TestBriefRest:
    @pytest.mark.parametrize(
        ("rank", "scratches", "faces", "after"),
        [(1, 1, "4", 2), (3, 2, "6 6", 3), (2, 2, "4 5", 3), (2, 1, "6", 2)],
    )
    def test_a_brief_rest_restores_composure_and_may_advance_composure(
        self, rank: int, scratches: int, faces: str, after: int
    ) -> None:
        table = solo({"composure": rank})
        table.set("Ash", "scratches", scratches)
        table.do("Ash", "rest", faces)

        assert (table.points("Ash", "scratches"), table.rank("Ash", "composure")) == (0, after)

    def test_a_brief_rest_without_scratches_rolls_no_dice(self, table: GameTable) -> None:
        table.do("GM", "set_state", target="Ash", state="prone")
        assert table.do("Ash", "rest").rolls == ()
        assert not table.sheet("Ash").states.is_prone


def test_what_is_left_of_composure_and_defenses_at_a_glance() -> None:
    table = lay_table(Ash=sheet({"composure": 3, "physical_defense": 4}))
    table.set("Ash", "scratches", 2)
    table.set("Ash", "physical_wounds", 1)

    gauges = glance(table.named("Ash"), table.scene.settings).gauges

    assert [(one.title, one.shown) for one in gauges] == [
        ("Composure", "1/3"),
        ("Physical", "3/4"),
        ("Mental", "1/1"),
        ("Social", "1/1"),
    ]


@pytest.mark.rule("SWIM-COMB-06", "SWIM-COMB-07", "SWIM-COMB-08", "SWIM-COMB-09")
class TestTakingDamage:
    @pytest.mark.parametrize(
        ("damage", "before", "policy", "after", "notes", "button"),
        [
            (0, (0, 0), "composure_first", (0, 0), (), ""),
            (1, (0, 0), "composure_first", (0, 1), ("Ash takes 1 damage: Composure soaks it.",), ""),
            (2, (0, 0), "composure_first", (0, 2), ("Ash takes 2 damage: Composure soaks it.",), ""),
            (3, (0, 0), "composure_first", (1, 2), ("Ash takes 3 damage: Composure soaks 2.",), ""),
            (2, (0, 1), "composure_first", (1, 2), ("Ash takes 2 damage: Composure soaks 1.",), ""),
            (2, (0, 2), "composure_first", (2, 2), ("Ash takes 2 damage.",), ""),
            (2, (0, 9), "composure_first", (2, 9), ("Ash takes 2 damage.",), ""),
            (2, (0, 0), "never", (2, 0), ("Ash takes 2 damage.",), ""),
            (1, (0, 0), "ask", (1, 0), ("Ash takes 1 damage.",), "Ash soaks 1 with Composure"),
            (2, (0, 1), "ask", (2, 1), ("Ash takes 2 damage.",), "Ash soaks 1 with Composure"),
            (2, (0, 2), "ask", (2, 2), ("Ash takes 2 damage.",), ""),
            (3, (0, 2), "never", (3, 2), ("Ash takes 3 damage.", "Ash is down."), ""),
            (1, (2, 0), "never", (3, 0), ("Ash takes 1 damage.", "Ash is down."), ""),
            (1, (2, 0), "composure_first", (2, 1), ("Ash takes 1 damage: Composure soaks it.",), ""),
            (1, (3, 0), "composure_first", (4, 0),
             ("Ash takes 1 damage.", "Ash is down and dying: roll to stabilize against 1."),
             "Stabilize Ash (physical)"),
            (2, (4, 0), "never", (6, 0),
             ("Ash takes 2 damage.", "Ash is down and dying: roll to stabilize against 3."),
             "Stabilize Ash (physical)"),
        ],
    )  # fmt: skip
    def test_damage_by_composure_policy_and_what_is_left(
        self,
        damage: int,
        before: tuple[int, int],
        policy: str,
        after: tuple[int, int],
        notes: tuple[str, ...],
        button: str,
    ) -> None:
        """Rank 3 in Physical Defense, rank 2 in Composure; wounds and scratches before and after."""
        table = solo({"physical_defense": 3, "composure": 2}, soak=policy)
        table.set("Ash", "physical_wounds", before[0])
        table.set("Ash", "scratches", before[1])
        hurt = take_damage(table.scene, id_of("Ash"), Pool.PHYSICAL, damage)

        left = hurt.scene.character(id_of("Ash")).left
        assert (left("physical_wounds"), left("scratches")) == after
        assert hurt.notes == notes
        assert [one.label for one in hurt.follow_ups] == [button] * bool(button)

    @pytest.mark.parametrize(
        ("name", "pool", "wounds", "note", "button"),
        [
            ("Ash", Pool.MENTAL, 1, "Ash is down (mental).", ""),
            ("Ash", Pool.SOCIAL, 2, "Ash is down (social) and dying: roll to stabilize against 1.",
             "Stabilize Ash (social)"),
            ("Orc", Pool.PHYSICAL, 2, "Orc is down and dying.", ""),
            ("Orc", Pool.MENTAL, 3, "Orc is down (mental) and dying.", ""),
        ],
    )  # fmt: skip
    def test_who_goes_down_where_is_told_and_only_a_players_character_is_asked_to_stabilize(
        self, name: str, pool: Pool, wounds: int, note: str, button: str
    ) -> None:
        table = lay_table(
            **{name: sheet({"physical_defense": 1, "mental_defense": 1, "social_defense": 1, "composure": 0})}
        )
        hurt = take_damage(table.scene, id_of(name), pool, wounds)

        assert hurt.notes[1] == note
        assert [one.label for one in hurt.follow_ups] == [button] * bool(button)

    @pytest.mark.parametrize(
        ("wounds", "scratches", "points", "soaked"),
        [(3, 0, 1, 1), (3, 0, 2, 2), (3, 0, 3, 2), (1, 0, 3, 1), (3, 1, 3, 1)],
    )
    def test_composure_soaks_no_more_than_there_is_of_either(
        self, wounds: int, scratches: int, points: int, soaked: int
    ) -> None:
        table = solo({"physical_defense": 4, "composure": 2})
        table.set("Ash", "physical_wounds", wounds)
        table.set("Ash", "scratches", scratches)

        assert table.do("Ash", "soak", points=points).headline == f"soaks {soaked} with Composure"
        assert table.points("Ash", "physical_wounds") == wounds - soaked
        assert table.points("Ash", "scratches") == scratches + soaked

    def test_without_wounds_or_composure_nothing_is_soaked(self) -> None:
        table = solo({"composure": 1})
        assert table.why("Ash", "soak") == "Ash has no wound to soak."
        table.set("Ash", "physical_wounds", 1)
        table.set("Ash", "scratches", 1)
        assert table.why("Ash", "soak") == "Ash has no Composure left."

    @pytest.mark.parametrize(
        ("wounds", "points", "healed", "is_stable"),
        [(4, 1, 1, True), (4, 2, 2, False), (4, 9, 4, False), (5, 2, 2, True), (0, 1, 0, False)],
    )
    def test_healing_heals_no_more_than_there_is_and_at_0_nobody_is_stable(
        self, wounds: int, points: int, healed: int, is_stable: bool
    ) -> None:
        table = solo({"physical_defense": 2}, stable=(Pool.PHYSICAL,))
        table.set("Ash", "physical_wounds", wounds)
        scene, done = heal_wounds(table.scene, id_of("Ash"), Pool.PHYSICAL, points)

        assert (done, scene.character(id_of("Ash")).left("physical_wounds")) == (healed, wounds - healed)
        assert (Pool.PHYSICAL in scene.character(id_of("Ash")).sheet.stable) is is_stable

    @pytest.mark.parametrize(
        ("wounds", "more", "is_down_", "is_dying_"),
        [
            (1, {}, False, False),
            (2, {}, True, False),
            (3, {}, True, True),
            (3, {"stable": (Pool.PHYSICAL,)}, True, False),
            (3, {"broken": (Pool.PHYSICAL,)}, True, False),
            (3, {"is_dead": True}, True, False),
            (3, {"stable": (Pool.MENTAL,)}, True, True),
        ],
    )
    def test_down_is_at_0_and_dying_below_it(
        self, wounds: int, more: dict[str, Any], is_down_: bool, is_dying_: bool
    ) -> None:
        table = solo({"physical_defense": 2}, **more)
        table.set("Ash", "physical_wounds", wounds)
        scene, ash = table.scene, table.named("Ash")

        assert (is_down(scene, ash), is_dying(scene, ash, Pool.PHYSICAL)) == (is_down_, is_dying_)


@pytest.mark.rule("SWIM-TASK-08", "SWIM-TASK-09", "SWIM-IMPL-02")
class TestCriticalWords:
    @pytest.mark.parametrize(
        ("ones", "cancels", "severity", "kind", "told"),
        [
            (1, 0, 0, Mishap.OTHER, "1 natural 1: first ignored, no critical."),
            (1, 2, 0, Mishap.OTHER, "1 natural 1: first ignored, no critical."),
            (2, 0, 1, Mishap.ATTACK, "2 natural 1s: first ignored, 1 critical (1 damage)."),
            (2, 1, 0, Mishap.ATTACK, "2 natural 1s: first ignored, 1 canceled, no critical."),
            (2, 2, 0, Mishap.ATTACK, "2 natural 1s: first ignored, 1 canceled, no critical."),
            (4, 1, 2, Mishap.ATTACK, "4 natural 1s: first ignored, 1 canceled, 2 criticals (2 damage)."),
            (2, 0, 1, Mishap.MOVE, "2 natural 1s: first ignored, 1 critical (prone)."),
            (3, 0, 2, Mishap.MOVE, "3 natural 1s: first ignored, 2 criticals (prone and 1 damage)."),
            (4, 0, 3, Mishap.MOVE, "4 natural 1s: first ignored, 3 criticals (prone and 2 damage)."),
            (2, 0, 1, Mishap.CRAFT, "2 natural 1s: first ignored, 1 critical (ruined material)."),
        ],
    )
    def test_natural_1s_in_words(
        self, ones: int, cancels: int, severity: int, kind: Mishap, told: str
    ) -> None:
        note = critical_note(ones, cancels, severity, kind)

        assert note == told
        assert kind_of(note) is (FactKind.HARM if severity else FactKind.HOLDS)
        assert critical_note(ones, cancels, severity, kind, whose="Orc") == f"Orc rolled {told}"

    @pytest.mark.parametrize(
        ("kind", "severity", "labels"),
        [
            (Mishap.ATTACK, 0, []),
            (Mishap.ATTACK, 2, ["Take it: 2 damage to yourself", "Waive it"]),
            (Mishap.MOVE, 1, ["Take it: prone", "Waive it"]),
            (Mishap.MOVE, 2, ["Take it: prone and 1 damage", "Waive it"]),
            (Mishap.FALL, 1, ["Ash falls and lands …", "Waive it"]),
            (Mishap.CRAFT, 2, []),
            (Mishap.OTHER, 2, []),
        ],
    )
    def test_what_can_be_done_about_a_critical(
        self, table: GameTable, kind: Mishap, severity: int, labels: list[str]
    ) -> None:
        buttons = critical_buttons(table.scene, id_of("Ash"), kind, severity, Pool.PHYSICAL)

        assert [one.label for one in buttons] == labels

    @pytest.mark.parametrize(("severity", "damage"), [(1, 0), (2, 1), (3, 2)])
    def test_the_first_critical_of_a_move_costs_only_ones_feet(self, severity: int, damage: int) -> None:
        table = solo({"physical_defense": 9, "composure": 0})
        table.do("Ash", "mishap", kind="move", severity=severity)

        assert table.points("Ash", "physical_wounds") == damage
        assert table.sheet("Ash").states.is_prone

    def test_a_landing_costs_up_to_12_damage(self, table: GameTable) -> None:
        menu = fall_buttons(table.scene, id_of("Ash"))[0]

        assert [one.value for one in menu.choices] == [str(damage) for damage in range(13)]
        assert [one.label for one in menu.choices][:3] == ["prone, no damage", "1 damage", "2 damage"]
