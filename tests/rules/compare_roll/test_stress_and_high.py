"""Outcomes, Stress and High through their whole life."""

import pytest

from tests.rules.compare_roll.play import (
    COST,
    COST_HIGH,
    COST_STRESS,
    CRIT,
    FAILURE,
    SUCCESS,
    GameTable,
    button,
    fall,
    foe,
    labels,
    lay_table,
    sheet,
)


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

        assert "against Stress" in table.refused("Ash", "calm", count=burn)

    def test_high_can_be_burned_against_stress_by_button_and_off_turn(self, table: GameTable) -> None:
        table.set("Ash", high=2, stress=2)
        table.do("GM", "encounter.start", others=("Ash", "Ogre"), at_once=True)
        table.do("GM", "encounter.next")
        done = table.do("Ash", "calm")

        assert labels(done) == ["Burn 1 High · Stress 1 → 0"]
        table.press("Ash", done.follow_ups[0])
        assert table.points("Ash", "stress") == 0

    def test_an_open_roll_keeps_its_stress_penalty_when_stress_is_removed(self, table: GameTable) -> None:
        table.set("Ash", high=5, stress=2)
        opened = table.do("Ash", "luck", fall((3, 4), (4, 9)))
        assert opened.rolls[0].total == 5
        table.press("Ash", button(opened, "Burn 1 High · Stress"))
        done = table.do("Ash", "take")

        assert done.rolls[0].total == 5
        assert table.points("Ash", "stress") == 2

    def test_high_can_remove_stress_before_an_open_failure_adds_more(self, table: GameTable) -> None:
        table.set("Ash", high=1, stress=3, hp=10)
        opened = table.do("Ash", "luck", fall((1, 1), (12, 12)))
        assert labels(opened) == ["Burn 1 High · Stress 3 → 2", "Accept the Failure"]
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
        assert "has only 0 High" in table.refused("Ash", "luck", burn=1)
        assert table.refused("Ash", "burn") == "You have no open roll."
        table.set("Ash", high=1, stress=3)
        table.do("Ash", "luck", fall((1, 1), (12, 12)))
        assert "natural 2" in table.refused("Ash", "burn")

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

        assert "still open" in table.refused("Ash", "luck")

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
