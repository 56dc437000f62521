"""The pool of dice against a difficulty."""

from fractions import Fraction
from typing import Any

import pytest

from bot.rules.kernel import Audience
from bot.rules.swim_class.pools import (
    DiceGroup,
    Source,
    SwimPoolInputs,
    judge,
    pool_odds,
    roll_pool,
)
from bot.rules.swim_class.session import SwimOddsQuestion, answer_odds
from tests.dice import ScriptedDice
from tests.rules.swim_class.play import GameTable, lay_table, pool, script, sheet, solo, words


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
            table.why("Ash", "roll", skill="pick lock")
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
        assert table.why("Ash", "roll", skill="Composure") == "You can't roll Composure."

    def test_an_unknown_skill_is_refused(self, table: GameTable) -> None:
        assert table.why("Ash", "roll", skill="Hacking").startswith("There is no skill “Hacking”")


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
        assert table.why("Ash", "work", name="The wall") == "There is no task “The wall”."

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

        assert table.why("Ash", "open_task", name="W", skill="climb", progress=5).startswith(
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
        assert table.why("Ash", "work", name="w") == "There is no task “w”."

    def test_the_gm_may_pause_a_task_and_keep_its_progress(self) -> None:
        table = self.started()

        assert table.why("Ash", "stop", name="w", keep=True) == "Only a GM can keep the progress."
        assert words(table.do("GM", "stop", name="w", keep=True)) == "paused at 3/9"
        assert table.why("Ash", "work", name="w") == "w is paused."
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
        assert table.why("Ash", "mishap", kind="other", severity=1) == "The GM decides what that does."


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
