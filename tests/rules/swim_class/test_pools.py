"""The pool of dice against a difficulty."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel import Audience
from bot.rules.swim_class.hit_odds import SwimSide, hit_ways
from bot.rules.swim_class.opposition import (
    AttackDie,
    DefenceDie,
    DefenceInputs,
    could_fail_attacking,
    could_fail_defending,
    defence_odds,
    judge_defence,
    pair_off,
    roll_defence,
)
from bot.rules.swim_class.pools import (
    DiceGroup,
    PoolDie,
    Source,
    SwimPoolInputs,
    attack_odds,
    judge,
    pool_odds,
    roll_pool,
)
from bot.rules.swim_class.session import ODDS, SwimOddsQuestion, advance_chance, answer_odds
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import GameTable, faced, lay_table, script, sheet, solo, words


def pool(count: int, difficulty: int = 1, modifier: int = 0, **more: Any) -> SwimPoolInputs:
    return SwimPoolInputs(
        skill="Climb",
        groups=(DiceGroup(name="Climb", count=count, modifier=modifier),),
        difficulty=difficulty,
        **more,
    )


def faces(text: str) -> list[int]:
    return [int(face) for face in text.split()]


@pytest.mark.rule("SWIM-TASK-01")
class TestDicePool:
    def test_a_skill_of_rank_3_rolls_3_dice(self) -> None:
        done = solo({"spot": 3}).do("Ash", "roll", "3 5 1", skill="Spot", difficulty=4)

        assert [die.face for die in done.rolls[0].dice] == [3, 5, 1]
        assert done.headline == "rolls Spot 3"

    def test_rank_0_without_an_artifact_cannot_be_rolled(self, table: GameTable) -> None:
        assert (
            table.refused("Ash", "roll", skill="pick lock")
            == "Pick Lock is at rank 0, so you have no dice to roll."
        )

    def test_the_dice_of_an_artifact_join_the_pool(self) -> None:
        done = solo({"earth": 2}, items=["Flawless crystal of the Ancients"]).do(
            "Ash", "roll", "5 2 6", skill="Earth", difficulty=4
        )

        assert [(die.face, die.is_borrowed) for die in done.rolls[0].dice] == [
            (5, False),
            (2, False),
            (6, True),
        ]
        assert words(done) == "2 progress"

    def test_composure_cannot_be_rolled(self, table: GameTable) -> None:
        assert table.refused("Ash", "roll", skill="Composure") == "You can't roll Composure."

    def test_an_unknown_skill_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "roll", skill="Hacking").startswith("There is no skill “Hacking”")


@pytest.mark.rule("SWIM-TASK-02")
class TestSuccess:
    @pytest.mark.parametrize(
        ("difficulty", "modifier", "fell", "scored"),
        [(4, 0, "5 4 3", 2), (2, 0, "5 2", 2), (6, 1, "5 6 4", 2), (7, 0, "6 6 6", 0), (3, 0, "5 5 2", 2)],
    )
    def test_a_die_scores_when_it_meets_the_difficulty(
        self, difficulty: int, modifier: int, fell: str, scored: int
    ) -> None:
        rolled = faces(fell)

        assert judge(pool(len(rolled), difficulty, modifier), rolled).progress == scored


@pytest.mark.rule("SWIM-TASK-03")
class TestAllOrNothing:
    @pytest.mark.parametrize(
        ("needed", "verdict"), [(2, "success, 2 progress of 2"), (3, "fails, 2 progress of 3")]
    )
    def test_an_all_or_nothing_roll_must_reach_all_its_progress(self, needed: int, verdict: str) -> None:
        done = solo({"climb": 3}).do(
            "Ash", "roll", "3 5 1", skill="climb", difficulty=3, progress=needed, once=True
        )

        assert words(done) == verdict

    def test_a_roll_shows_the_chance_of_its_needed_progress(self) -> None:
        done = solo({"climb": 3}).do("Ash", "roll", "3 5 1", skill="climb", difficulty=4, progress=2)

        odds = done.rolls[0].odds
        assert odds is not None
        assert odds.enough == Fraction(1, 2)

    def test_a_roll_that_cannot_reach_its_progress_says_so(self) -> None:
        odds = pool_odds(pool(2, 4, needed=3, at_once=True))

        assert odds.enough == 0
        done = solo({"climb": 2}).do(
            "Ash", "roll", "5 5", skill="climb", difficulty=4, progress=3, anyway=True
        )
        assert done.notes == ("Out of reach: these dice can make at most 2 progress, and you need 3.",)

    @pytest.mark.parametrize(("once", "verdict"), [(True, "fails, 2 progress of 3"), (False, "2 of 3")])
    def test_f_swim_17_the_option_once_makes_a_roll_all_or_nothing(self, *, once: bool, verdict: str) -> None:
        table = solo({"climb": 3})

        done = table.do("Ash", "roll", "4 5 1", skill="climb", difficulty=4, progress=3, once=once)
        assert words(done) == verdict


@pytest.mark.rule("SWIM-TASK-04")
class TestTask:
    def test_the_progress_of_a_task_adds_up_until_the_task_is_done(self) -> None:
        table = solo({"climb": 3})
        begun = table.do("Ash", "open_task", name="The wall", skill="climb", difficulty=4, progress=4)
        assert begun.notes[0] == "The wall ◻◻◻◻◻◻◻◻◻◻ 0/4"
        assert begun.follow_ups[0].audience is Audience.ANYONE

        totals = [
            words(table.do("Ash", "work", fell, name="the wall")) for fell in ("5 4 2", "1 2 3", "6 4 1")
        ]

        assert totals == ["2 of 4", "2 of 4", "done, 4 of 4"]
        assert table.refused("Ash", "work", name="The wall") == "There is no task “The wall”."

    def test_rolls_of_2_1_and_2_progress_finish_a_task_of_5(self) -> None:
        table = solo({"climb": 3})
        table.do("Ash", "open_task", name="w", skill="climb", difficulty=4, progress=5)

        totals = [words(table.do("Ash", "work", fell, name="w")) for fell in ("5 4 3", "4 2 1", "6 4 3")]

        assert totals == ["2 of 5", "3 of 5", "done, 5 of 5"]

    def test_a_skill_that_advances_during_a_task_rolls_one_more_die_next_time(self) -> None:
        table = solo({"climb": 2})
        table.do("Ash", "open_task", name="w", skill="climb", difficulty=4, progress=4)
        first = table.do("Ash", "work", "5 4", name="w")
        second = table.do("Ash", "work", "6 5 1", name="w")

        assert "Epic success: Climb 2 → 3." in first.notes
        assert words(second) == "done, 4 of 4"

    def test_surplus_progress_is_lost_and_others_may_work_on_the_task(self) -> None:
        table = lay_table(Ash=sheet({"climb": 4}), Bram=sheet({"climb": 3}))
        begun = table.do("Ash", "open_task", name="w", skill="climb", difficulty=2, progress=5)
        table.do("Ash", "work", "2 3 2 2", name="w")
        done = table.press("Bram", begun.follow_ups[0], "5 5 2")

        assert words(done) == "done, 5 of 5"

    def test_two_tasks_cannot_have_the_same_name(self, table: GameTable) -> None:
        table.do("Ash", "open_task", name="w", skill="climb", progress=5)

        assert table.refused("Ash", "open_task", name="W", skill="climb", progress=5).startswith(
            "There is already a task"
        )


@pytest.mark.rule("SWIM-TASK-05")
class TestStoppingATask:
    def started(self) -> GameTable:
        table = solo({"climb": 3})
        table.do("Ash", "open_task", name="w", skill="climb", difficulty=2, progress=9)
        table.do("Ash", "work", "2 2 2", name="w")
        return table

    def test_stopping_a_task_loses_its_progress(self) -> None:
        table = self.started()

        assert words(table.do("Ash", "stop", name="w")) == "abandoned at 3/9, progress lost"
        assert table.refused("Ash", "work", name="w") == "There is no task “w”."

    def test_the_gm_may_pause_a_task_and_keep_its_progress(self) -> None:
        table = self.started()

        assert table.refused("Ash", "stop", name="w", keep=True) == "Only a GM can keep the progress."
        assert words(table.do("GM", "stop", name="w", keep=True)) == "paused at 3/9"
        assert table.refused("Ash", "work", name="w") == "w is paused."
        assert table.do("GM", "resume", name="w").notes == ("w ◼◼◼◻◻◻◻◻◻◻ 3/9",)
        assert words(table.do("Ash", "work", "2 2 1", name="w")) == "5 of 9"


@pytest.mark.rule("SWIM-TASK-06")
class TestAutomaticSuccess:
    @pytest.mark.parametrize(("difficulty", "modifier", "push"), [(1, 0, 1), (3, 2, 1), (2, 1, 1), (2, 3, 2)])
    def test_a_roll_on_which_no_face_can_fail_succeeds_without_dice(
        self, difficulty: int, modifier: int, push: int
    ) -> None:
        done = solo({"spot": 3}).do(
            "Ash", "roll", skill="spot", difficulty=difficulty, modifier=modifier, push=push
        )

        assert done.rolls == ()
        assert words(done) == f"{3 * push} progress, automatic"

    @pytest.mark.parametrize(("difficulty", "modifier", "push"), [(1, -2, 1), (1, 0, 2)])
    def test_a_roll_on_which_a_face_can_fail_needs_dice(
        self, difficulty: int, modifier: int, push: int
    ) -> None:
        done = solo({"spot": 3}).do(
            "Ash", "roll", "5 3 1", skill="spot", difficulty=difficulty, modifier=modifier, push=push
        )

        assert len(done.rolls) == 1

    def test_dice_called_for_on_an_automatic_success_do_not_advance_the_skill(self) -> None:
        table = solo({"spot": 2})
        done = table.do("Ash", "roll", "6 6", skill="spot", call=True)

        assert words(done) == "2 progress"
        assert table.rank("Ash", "spot") == 2

    def test_every_die_counts_for_an_all_or_nothing_roll_without_dice(self) -> None:
        done = solo({"spot": 3}).do("Ash", "roll", skill="spot", progress=3, once=True)

        assert words(done) == "success, 3 progress of 3, automatic"

    def test_every_die_counts_for_a_task_worked_on_without_dice(self) -> None:
        table = solo({"spot": 3})
        table.do("Ash", "open_task", name="w", skill="spot", difficulty=1, progress=5)

        assert words(table.do("Ash", "work", name="w")) == "3 of 5, automatic"
        assert words(table.do("Ash", "work", name="w")) == "done, 5 of 5, automatic"


@pytest.mark.rule("SWIM-TASK-07")
class TestModifiers:
    @pytest.mark.parametrize(
        ("fell", "modifier", "values"),
        [("5 1", 2, [7, 3]), ("5 4 3", 1, [6, 5, 4]), ("2 2 2", 1, [3, 3, 3]), ("1", -2, [-1])],
    )
    def test_a_modifier_applies_to_every_die_without_limits_on_its_value(
        self, fell: str, modifier: int, values: list[int]
    ) -> None:
        rolled = faces(fell)

        assert [die.value for die in judge(pool(len(rolled), 1, modifier), rolled).dice] == values

    def test_a_die_changed_by_a_modifier_shows_both_values(self) -> None:
        roll = roll_pool(pool(2, 4, -2), ScriptedDice(script("5 1")))

        assert [(die.shown, die.is_kept) for die in roll.dice] == [("⚄→3", False), ("⚀→−1", False)]


@pytest.mark.rule("SWIM-TASK-08")
class TestCriticalFailures:
    @pytest.mark.parametrize(
        ("fell", "cancels", "criticals"),
        [("1 2 3", 0, 0), ("1 1 3", 0, 1), ("1 1 1", 2, 0), ("1 1 1 1", 2, 1)],
    )
    def test_every_natural_1_of_a_failed_roll_but_the_first_is_a_critical(
        self, fell: str, cancels: int, criticals: int
    ) -> None:
        rolled = faces(fell)

        assert judge(pool(len(rolled), 6, cancels=cancels), rolled).criticals == criticals

    def test_a_successful_roll_has_no_criticals(self) -> None:
        assert judge(pool(3, 6), [6, 1, 1]).criticals == 0

    def test_natural_1s_on_artifact_dice_count_as_criticals(self) -> None:
        groups = (
            DiceGroup(name="Fire", count=1),
            DiceGroup(name="Torch", source=Source.ARTIFACT, count=1),
        )

        assert judge(SwimPoolInputs(skill="Fire", groups=groups, difficulty=4), [1, 1]).criticals == 1

    def test_a_roll_that_adds_progress_to_a_task_has_no_criticals(self) -> None:
        unfinished = pool(3, 4, needed=9)

        assert judge(unfinished, [5, 1, 1]).criticals == 0
        assert judge(unfinished, [3, 1, 1]).criticals == 1

    def test_the_campaign_may_count_criticals_while_a_task_is_unfinished(self) -> None:
        assert judge(pool(3, 4, needed=9, unfinished_fails=True), [5, 1, 1]).criticals == 1

    def test_an_all_or_nothing_roll_short_of_its_progress_has_criticals(self) -> None:
        assert judge(pool(3, 4, needed=2, at_once=True), [5, 1, 1]).criticals == 1


@pytest.mark.rule("SWIM-TASK-09")
class TestConsequencesOfCriticals:
    def test_a_critical_failure_in_walking_makes_the_character_fall_and_hurts(self) -> None:
        table = solo({"walk": 3})
        done = table.do("Ash", "roll", "1 1 1", skill="walk", push=2)
        assert "3 natural 1s: first ignored, 2 criticals (prone and 1 damage)." in done.notes

        suffered = table.press("Ash", done.follow_ups[0])

        assert suffered.notes == ("Ash takes 1 damage: Composure soaks it.",)
        assert table.sheet("Ash").states.is_prone

    def test_the_gm_may_waive_a_critical_failure(self) -> None:
        table = solo({"walk": 2})
        done = table.do("Ash", "roll", "1 1", skill="walk", push=2)

        assert [button.label for button in done.follow_ups] == ["Take it: prone", "Waive it"]
        assert table.press("GM", done.follow_ups[1]).headline == "waives the critical failure"

    def test_a_critical_failure_in_an_attack_hurts_the_attacker(self, table: GameTable) -> None:
        table.do("Ash", "mishap", kind="attack", severity=1)

        assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (1, 0)

    def test_a_critical_failure_in_climbing_is_a_fall_whose_damage_the_gm_sets(self) -> None:
        table = solo({"climb": 3})
        done = table.do("Ash", "roll", "1 1 4", skill="climb", difficulty=6)

        assert done.notes == ("2 natural 1s: first ignored, 1 critical (a fall; the GM decides the damage).",)
        menu, waive = done.follow_ups
        assert (menu.label, menu.audience, waive.label) == ("Ash falls and lands …", "gm", "Waive it")
        assert [choice.label for choice in menu.choices[:2]] == ["prone, no damage", "1 damage"]
        fallen = table.press("GM", menu, choose="2")
        assert fallen.notes == (
            "Ash lies prone.",
            "Ash takes 2 damage: Composure soaks 1.",
            "Ash is down.",
        )
        assert table.sheet("Ash").states.is_prone

    def test_the_gm_decides_what_any_other_critical_failure_does(self, table: GameTable) -> None:
        done = solo({"spot": 2}).do("Ash", "roll", "1 1", skill="spot", difficulty=4)

        assert done.notes == ("2 natural 1s: first ignored, 1 critical (the GM decides what happens).",)
        assert table.refused("Ash", "mishap", kind="other", severity=1) == "The GM decides what that does."


def attack_dice(values: list[int]) -> list[AttackDie]:
    return [AttackDie(name="Melee", face=min(6, max(1, value)), value=value) for value in values]


def rolled(value: int) -> DefenceDie:
    return DefenceDie(value, PoolDie("Defence", Source.SKILL, min(6, max(1, value)), 0))


def paired(attack: list[int], defence: list[int]) -> tuple[list[tuple[int, int]], list[int]]:
    found = pair_off(attack_dice(attack), [rolled(value) for value in defence])
    return [(die.value, stopper.value) for die, stopper in found.pairs], [die.value for die in found.hits]


def defence(attack: list[int], count: int, modifier: int = 0, **more: Any) -> DefenceInputs:
    return DefenceInputs(
        skill="Defence",
        attack=tuple(attack_dice(attack)),
        aimed=more.pop("aimed", len(attack)),
        groups=(DiceGroup(name="Defence", count=count, modifier=modifier),) if count else (),
        implicit_modifier=modifier,
        **more,
    )


def fight(attack: int, defence_: int, **more: Any) -> GameTable:
    return lay_table(Ash=sheet({"basic_melee": attack}), Orc=sheet({"physical_defense": defence_}), **more)


@pytest.mark.rule("SWIM-OPP-01")
class TestOpposedTask:
    @pytest.mark.parametrize(
        ("attack", "against", "verdict"), [("5 4 1", "5 5 2 2", "no hit"), ("6 2", "3", "1 hit")]
    )
    def test_attack_dice_that_are_not_stopped_are_hits(self, attack: str, against: str, verdict: str) -> None:
        table = fight(len(attack.split()), len(against.split()))
        struck = table.do("Ash", "attack", attack, skill="basic melee", targets=("Orc",))

        assert words(struck) == f"{len(attack.split())} dice to stop"
        assert words(table.do("GM Orc", "defend", against, skill="physical defense")) == verdict

    def test_the_defense_buttons_belong_to_the_one_who_is_attacked(self) -> None:
        table = fight(2, 2)
        struck = table.do("Ash", "attack", "6 2", skill="basic melee", targets=("Orc",))

        assert [button.label for button in struck.follow_ups] == [
            "Orc: Physical Defense · 0.8 hits expected",
            "Orc doesn't oppose",
            "Orc defends with …",
        ]
        done = table.press("GM Orc", struck.follow_ups[2], "5", choose="basic_melee")
        assert done.headline == "defends against Ash with Basic Melee"
        assert faced(done) == "5 stops 2 · through: 6"

    def test_a_character_who_was_not_attacked_has_nothing_to_oppose(self, table: GameTable) -> None:
        assert table.refused("Ash", "defend") == "There is nothing for Ash to oppose."


@pytest.mark.rule("SWIM-OPP-02")
class TestStopping:
    @pytest.mark.parametrize(
        ("attack", "against", "hits"),
        [([5], [5], []), ([5], [4], [5]), ([7], [6, 5, 4], [7]), ([1], [1], [])],
    )
    def test_a_defense_die_stops_one_attack_die_of_its_value_or_less(
        self, attack: list[int], against: list[int], hits: list[int]
    ) -> None:
        assert paired(attack, against)[1] == hits


@pytest.mark.rule("SWIM-OPP-03")
class TestPairing:
    @pytest.mark.parametrize(
        ("attack", "against", "pairs", "hits"),
        [
            ([7, 3], [6, 5, 4], [(3, 4)], [7]),
            ([7, 4, 3], [6, 2, 1], [(4, 6)], [7, 3]),
            ([7, 4, 4, 3], [8, 6, 5, 4], [(7, 8), (4, 4), (4, 5), (3, 6)], []),
            ([5, 4, 1], [5, 5, 2, 2], [(5, 5), (4, 5), (1, 2)], []),
            ([6, 5, 5], [3, 3, 3], [], [6, 5, 5]),
        ],
    )
    def test_defense_dice_are_paired_in_the_defenders_favour(
        self, attack: list[int], against: list[int], pairs: list[tuple[int, int]], hits: list[int]
    ) -> None:
        assert paired(attack, against) == (pairs, hits)

    @given(st.lists(st.integers(1, 8), max_size=4), st.lists(st.integers(1, 8), max_size=4))
    def test_no_other_pairing_stops_more_attack_dice(self, attack: list[int], against: list[int]) -> None:
        padded = [*against, *[0] * len(attack)]
        best = max(
            sum(stop >= die for die, stop in zip(attack, chosen, strict=False))
            for chosen in permutations(padded, len(attack))
        )

        assert len(paired(attack, against)[0]) == best

    def test_an_artifacts_die_is_stopped_before_an_equal_skill_die(self) -> None:
        skill, artifact = attack_dice([5])[0], AttackDie(name="x", source=Source.ARTIFACT, face=5, value=5)

        assert pair_off([skill, artifact], [rolled(5)]).hits == (skill,)


@pytest.mark.rule("SWIM-OPP-04")
class TestImplicitOnes:
    def test_implicit_1s_make_up_for_missing_defense_dice(self) -> None:
        inputs = defence([7, 4, 4, 3], 3, 3)
        roll = roll_defence(inputs, ScriptedDice(script("5 3 2")))

        assert (inputs.padding, roll.outcome) == (1, "all stopped")

    def test_implicit_1s_fill_up_a_smaller_defense(self) -> None:
        table = fight(3, 1)
        table.do("Ash", "attack", "6 3 1", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "4", skill="physical defense")

        assert faced(done) == "4 stops 3, (1) stops 1 · through: 6"

    def test_a_defender_without_dice_has_only_implicit_1s(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 2}, items=["Arrow"]), Orc=sheet({"physical_defense": 0}))
        done = table.do("Ash", "attack", "2 1", skill="basic ranged", targets=("Orc",), distance=4)

        assert words(done) == "no hit"


@pytest.mark.rule("SWIM-OPP-05")
class TestNotOpposing:
    def test_every_die_gets_through_when_the_target_does_not_oppose(self) -> None:
        table = fight(2, 3)
        struck = table.do("Ash", "attack", "1 1", skill="basic melee", targets=("Orc",))
        done = table.press("GM Orc", struck.follow_ups[1])

        assert done.headline == "doesn't oppose Ash"
        assert words(done) == "2 hits"

    def test_an_unaware_target_defends_with_implicit_1s_and_bonuses(self) -> None:
        table = lay_table(Ash=sheet({"basic_ranged": 2}, items=["Arrow"]))
        assert (
            table.refused("Ash", "attack", skill="basic ranged", targets=("Orc",), unaware=True)
            == "Only a GM can make targets unaware."
        )
        done = table.do(
            "GM Ash", "attack", "5 2", skill="basic ranged", targets=("Orc",), distance=2, unaware=True
        )

        assert words(done) == "1 hit"
        assert "Orc can't defend: (2) stops 2 · 1 die gets through" in done.notes


class TestCounts:
    """F-SWIM-33: details of what hits nobody counted hits."""

    @pytest.mark.parametrize(
        ("procedure", "options", "attacked", "defended"),
        [
            ("attack", {"skill": "basic melee", "targets": ("Orc",)}, "1 hit", "2 hits"),
            ("stealth", {"observers": ("Orc",)}, "1 success", "2 successes get through"),
            ("grapple", {"target": "Orc"}, "1 success", "2 successes get through"),
        ],
    )
    def test_chances_count_what_gets_through_by_what_it_does(
        self, procedure: str, options: dict[str, Any], attacked: str, defended: str
    ) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2, "stealth": 2, "grapple": 2}))
        done = table.do("Ash", procedure, "6 5", **options)
        against = table.do("GM Orc", "defend", "2")

        for roll, needed in ((done.rolls[0], attacked), (against.rolls[0], "all stopped")):
            assert roll.odds is not None
            assert roll.odds.needed == needed
        assert against.rolls[0].verdict.title == defended
        assert against.rolls[0].outcome == defended


@pytest.mark.rule("SWIM-OPP-06")
class TestDifficultyAndOpposition:
    def test_dice_that_miss_the_difficulty_still_count_for_implicit_1s(self) -> None:
        inputs = defence([5, 2], 1, aimed=3)
        roll = roll_defence(inputs, ScriptedDice(script("3")))

        assert (inputs.padding, roll.outcome) == (2, "1 hit")

    def test_dice_below_the_difficulty_of_an_opposed_roll_are_struck_out(self) -> None:
        inputs = SwimPoolInputs(
            skill="Flight", groups=(DiceGroup(name="Flight", count=3),), difficulty=2, is_opposed=True
        )
        roll = roll_pool(inputs, ScriptedDice(script("5 2 1")))

        assert [die.is_kept for die in roll.dice] == [True, True, False]
        assert (roll.verdict.title, roll.against) == ("2 dice to stop", "2+ a die")


@pytest.mark.rule("SWIM-TASK-13")
class TestOpposedOdds:
    @pytest.mark.parametrize(
        ("question", "chances"),
        [
            ({"dice": 1, "defence": 1}, {"0 hits": "7/12", "1 hit": "5/12"}),
            ({"dice": 1, "defence": 1, "modifier": 1}, {"0 hits": "5/12", "1 hit": "7/12"}),
            ({"dice": 2, "defence": 1}, {"0 hits": "1/6", "1 hit": "125/216", "2 hits": "55/216"}),
            ({"dice": 1, "defence": 2}, {"0 hits": "161/216", "1 hit": "55/216"}),
            ({"dice": 2, "defence": 2}, {"0 hits": "581/1296", "1 hit": "35/81", "2 hits": "155/1296"}),
        ],
    )
    def test_the_chances_of_hits_are_exact(self, question: dict[str, int], chances: dict[str, str]) -> None:
        odds = answer_odds(SwimOddsQuestion.model_validate({"about": "hits", **question}))

        assert {name: chance.fraction for name, chance in odds.chances} == {
            name: Fraction(text) for name, text in chances.items()
        }

    @pytest.mark.parametrize(
        ("question", "chance"),
        [
            ({"dice": 2, "difficulty": 4}, "1/4"),
            ({"dice": 2, "difficulty": 2}, "1/4"),
            ({"dice": 2, "difficulty": 5}, "1/9"),
            ({"dice": 3, "difficulty": 6, "modifier": 1}, "1/27"),
            ({"dice": 3}, "0"),
            ({"dice": 2, "defence": 2}, "59/648"),
            ({"dice": 1, "defence": 1, "modifier": 9}, "0"),
        ],
    )
    def test_the_chance_of_advancing_a_skill_is_exact(self, question: dict[str, int], chance: str) -> None:
        asked = SwimOddsQuestion.model_validate({"about": "advancement", **question})

        assert advance_chance(asked).fraction == Fraction(chance)
        assert answer_odds(asked).enough == Fraction(chance)

    def test_the_chance_of_enough_progress_is_exact(self) -> None:
        odds = ODDS.answer(SwimOddsQuestion(dice=3, difficulty=4, needed=2))

        assert odds.enough == Fraction(1, 2)
        assert ODDS.answer(SwimOddsQuestion(dice=4, difficulty=6, focus=2, needed=9)).enough is None

    def test_no_chance_is_given_for_more_hits_than_dice(self) -> None:
        assert answer_odds(SwimOddsQuestion(dice=1, defence=1, about="hits", needed=2)).enough is None

    @pytest.mark.parametrize(("attack", "against"), [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3)])
    @pytest.mark.parametrize("modifier", [-1, 0, 2])
    def test_counting_every_face_gives_the_odds_of_an_opposed_roll(
        self, attack: int, against: int, modifier: int
    ) -> None:
        padding = max(0, attack - against)
        found = dict.fromkeys(range(attack + 1), 0)
        for fell in product(range(1, 7), repeat=attack + against):
            stoppers = [*(face for face in fell[attack:]), *[1] * padding]
            found[len(paired([face + modifier for face in fell[:attack]], stoppers)[1])] += 1

        ways = hit_ways(SwimSide(((attack, modifier),)), SwimSide(((against, 0),), (1,) * padding))

        assert dict(ways.ways) == {hits: cases for hits, cases in found.items() if cases}

    @pytest.mark.parametrize("size", [3, 5])
    def test_the_odds_of_an_opposed_roll_agree_with_icepool(self, size: int) -> None:
        left = icepool.d6.pool(size).max_pair_drop("<=", icepool.d6.pool(size)).size()

        ways = hit_ways(SwimSide(((size, 0),)), SwimSide(((size, 0),)))

        assert {hits: ways.of and Fraction(cases, ways.of) for hits, cases in ways.ways.items()} == {
            hits: Fraction(int(left.quantity(hits)), int(left.denominator())) for hits in left.outcomes()
        }

    def test_the_chances_of_12_dice_against_12_add_up_to_1(self) -> None:
        odds = answer_odds(SwimOddsQuestion(dice=12, defence=12, about="hits"))

        assert sum(chance.fraction for _, chance in odds.chances) == 1

    def test_a_defense_shows_its_chance_against_the_attack_dice_as_rolled(self) -> None:
        odds = defence_odds(defence([6, 2], 1))

        assert {name: chance.fraction for name, chance in odds.chances} == {
            "2 hits": Fraction(1, 6),
            "1 hit": Fraction(5, 6),
            "all stopped": Fraction(0),
        }

    def test_an_attack_shows_its_chance_against_the_targets_defense(self) -> None:
        struck = fight(1, 1).do("Ash", "attack", "6", skill="basic melee", targets=("Orc",))

        odds = struck.rolls[0].odds
        assert odds is not None
        assert odds.enough == Fraction(5, 12)

    def test_no_chance_is_shown_where_several_may_oppose(self) -> None:
        inputs = SwimPoolInputs(skill="x", groups=(DiceGroup(name="x", count=2),), is_opposed=True)

        assert attack_odds(inputs).chances == ()


@pytest.mark.rule("SWIM-POOL-10")
class TestPushedOpposition:
    def test_a_pushed_attack_doubles_the_opposing_dice_and_the_hits(self) -> None:
        table = fight(3, 2)
        table.do("Ash", "attack", "6 5 3", skill="basic melee", targets=("Orc",), push=2)
        done = table.do("GM Orc", "defend", "5 4 2 1", skill="physical defense")

        assert words(done) == "2 hits"
        assert faced(done) == "5 stops 5, 4 stops 3 · through: 6"

    def test_implicit_1s_against_a_pushed_attack_are_counted_after_doubling(self) -> None:
        table = fight(3, 1)
        table.do("Ash", "attack", "6 5 3", skill="basic melee", targets=("Orc",), push=2)
        done = table.do("GM Orc", "defend", "5 4", skill="physical defense")

        assert words(done) == "2 hits"

    def test_an_attack_pushed_three_times_triples_the_opposing_dice_and_the_hits(self) -> None:
        table = fight(1, 2)
        struck = table.do("Ash", "attack", "6", skill="basic melee", targets=("Orc",), push=3)

        assert struck.follow_ups[2].choices[0].label == "Physical Defense, 6 dice"
        assert words(table.do("GM Orc", "defend", "5 4 2 1 1 1", skill="physical defense")) == "3 hits"


def test_hits_between_known_dice_are_counted_and_climb_cannot_attack(table: GameTable) -> None:
    assert dict(hit_ways(SwimSide(fixed=(5, 3)), SwimSide(fixed=(4,))).ways) == {1: 1}
    assert solo().refused("Ash", "attack", skill="climb", targets=("Orc",)) == (
        "You can't attack with Climb."
    )


@pytest.mark.rule("SWIM-OPP-03", "SWIM-OPP-06", "SWIM-TASK-13")
@pytest.mark.parametrize("modifier", [-7, -3, 4])
@pytest.mark.parametrize("against", [-6, -2, 0, 3])
@pytest.mark.parametrize("difficulty", [None, 1, 3])
@pytest.mark.parametrize(("known", "stoppers"), [((), ()), ((5, -4), (2,))])
def test_far_modifiers_and_difficulties_are_counted_face_by_face(
    modifier: int, against: int, difficulty: int | None, known: tuple[int, ...], stoppers: tuple[int, ...]
) -> None:
    found: dict[int, int] = {}
    for one, two, three in product(range(1, 7), repeat=3):
        values = [*(value for value in (one + modifier, two + modifier)), *known]
        aimed = [value for value in values if difficulty is None or value >= difficulty]
        hits = len(paired(aimed, [three + against, *stoppers])[1])
        found[hits] = found.get(hits, 0) + 1
    reached = tuple(value for value in known if difficulty is None or value >= difficulty)

    ways = hit_ways(SwimSide(((2, modifier),), reached), SwimSide(((1, against),), stoppers), difficulty)
    assert dict(ways.ways) == dict(sorted(found.items()))


@pytest.mark.rule("SWIM-TASK-08", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("attack", "faces", "cancels", "criticals", "hits"),
    [
        ([6, 6], [1, 1, 1], 0, 2, 2),
        ([6, 6], [1, 1, 1], 1, 1, 2),
        ([6, 6], [1, 1, 1], 5, 0, 2),
        ([6, 6], [2, 3, 1], 0, 0, 2),
        ([6, 1], [1, 1, 1], 0, 0, 1),
        ([], [1, 1, 1], 0, 0, 0),
    ],
)
def test_only_a_defense_that_stops_nothing_has_criticals(
    attack: list[int], faces: list[int], cancels: int, criticals: int, hits: int
) -> None:
    stopped = judge_defence(defence(attack, 3, cancels=cancels, factor=2), faces)

    assert (stopped.criticals, stopped.hits) == (criticals, 2 * hits)


def test_a_defense_against_dice_that_all_missed_opposes_nothing() -> None:
    done = roll_defence(defence([], 1, aimed=2), ScriptedDice("d6:1"))

    assert (done.against, done.outcome) == ("nothing", "all stopped")
    assert roll_defence(defence([3, 5], 1), ScriptedDice("d6:1")).against == "5 · 3"


@pytest.mark.rule("SWIM-ADV-02")
@pytest.mark.parametrize(
    ("attack", "against", "has_dice", "difficulty", "attacker", "defender"),
    [
        (0, 0, True, 1, True, True),
        (5, 0, True, 1, True, True),
        (6, 0, True, 1, False, True),
        (0, 0, False, 1, True, True),
        (1, 0, False, 1, False, True),
        (1, 1, False, 1, True, True),
        (4, 0, False, 6, True, True),
        (4, 0, False, 5, False, True),
        (0, 4, True, 1, True, True),
        (0, 5, True, 1, True, False),
        (-1, 4, True, 1, True, False),
    ],
)
def test_an_advance_needs_a_roll_that_could_have_failed(
    attack: int, against: int, has_dice: bool, difficulty: int, attacker: bool, defender: bool
) -> None:
    could = could_fail_attacking(
        attack_modifier=attack, defence_modifier=against, has_dice=has_dice, difficulty=difficulty
    )

    assert could is attacker
    assert could_fail_defending(attack_modifier=attack, defence_modifier=against) is defender


@pytest.mark.rule("SWIM-TASK-13", "SWIM-POOL-09", "SWIM-POOL-11")
@pytest.mark.parametrize(
    ("question", "told", "enough"),
    [
        ({"dice": 1, "difficulty": 4}, {"0 progress": "1/2", "1 progress": "1/2"}, "1/2"),
        ({"dice": 1, "difficulty": 2, "push": 3}, {"0 progress": "5/6", "3 progress": "1/6"}, "1/6"),
        ({"dice": 2, "difficulty": 5, "focus": 1}, {"0 progress": "3/4", "1 progress": "1/4"}, "1/4"),
        ({"dice": 4, "difficulty": 6, "focus": 2}, {"0 progress": "15/16", "1 progress": "1/16"}, "1/16"),
        ({"dice": 1, "artifact": 1, "difficulty": 4, "needed": 2},
         {"0 progress": "1/4", "1 progress": "1/2", "2 progress": "1/4"}, "1/4"),
        ({"about": "hits", "dice": 1}, {"0 hits": "1/6", "1 hit": "5/6"}, "5/6"),
        ({"about": "hits", "dice": 2, "defence": 1},
         {"0 hits": "1/6", "1 hit": "125/216", "2 hits": "55/216"}, "5/6"),
        ({"about": "hits", "dice": 1, "artifact": 1},
         {"0 hits": "1/36", "1 hit": "5/18", "2 hits": "25/36"}, "35/36"),
        ({"about": "hits", "dice": 1, "defence": 1}, {"0 hits": "7/12", "1 hit": "5/12"}, "5/12"),
        ({"about": "hits", "dice": 1, "push": 2, "defence": 1, "defence_modifier": -9},
         {"0 hits": "1/6", "2 hits": "5/6"}, "5/6"),
        ({"about": "advancement", "dice": 2, "difficulty": 2},
         {"no advance": "3/4", "advances": "1/4"}, "1/4"),
        ({"about": "advancement", "dice": 2, "difficulty": 1}, {"no advance": "1", "advances": "0"}, "0"),
        ({"about": "advancement", "dice": 1, "difficulty": 6},
         {"no advance": "5/6", "advances": "1/6"}, "1/6"),
        ({"about": "advancement", "dice": 1, "difficulty": 2, "modifier": 1},
         {"no advance": "1", "advances": "0"}, "0"),
        ({"about": "advancement", "dice": 1, "difficulty": 3, "modifier": 1},
         {"no advance": "1/2", "advances": "1/2"}, "1/2"),
    ],
)  # fmt: skip
def test_questions_about_chances_are_answered_exactly(
    question: dict[str, Any], told: dict[str, str], enough: str
) -> None:
    odds = answer_odds(SwimOddsQuestion.model_validate(question))
    found = {name: chance.fraction for name, chance in odds.chances if chance.ways}

    assert found == {name: Fraction(chance) for name, chance in told.items() if Fraction(chance)}
    assert odds.enough == Fraction(enough)
