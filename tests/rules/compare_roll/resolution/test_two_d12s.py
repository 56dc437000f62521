"""The compare roll: 2d6 against each of two d12s."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.amounts import (
    DAMAGE,
    DOOR,
    REST,
    CompareLuckInputs,
    DamageInputs,
    DoorInputs,
    dealt_by,
    roll_damage,
    survival,
)
from bot.rules.compare_roll.session import CompareOddsQuestion
from bot.rules.compare_roll.tables import OUTCOME_ROWS
from bot.rules.compare_roll.two_d12s import (
    COMPARE,
    CompareInputs,
    CompareOutcome,
    Lying,
    boosts,
    chances,
    compare,
    compare_odds,
    read,
)
from bot.rules.kernel import NamedTerm, Term, Verdict
from bot.rules.kernel.outcome import Family
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import FAILURE, GameTable, fall, lay_table, sheet
from tests.rules.compare_roll.vectors import vectors


def inputs(modifier: int = 0, difficulty: int = 2, **more: Any) -> CompareInputs:
    terms = (NamedTerm(label="all", value=modifier),) if modifier else ()
    return CompareInputs.model_validate({"terms": terms, "difficulty": difficulty, **more})


@pytest.mark.rule("CMP-ROLL-01", "CMP-ROLL-03", "CMP-ROLL-05", "CMP-ROLL-06", "CMP-ROLL-07", "CMP-ROLL-09")
@pytest.mark.parametrize("row", vectors("compare"))
def test_the_2d6_total_is_compared_with_each_d12_separately(row: dict[str, Any]) -> None:
    d6, d12 = tuple(row["d6"]), tuple(row["d12"])
    roll = compare(inputs(row["modifier"], row["difficulty"]), ScriptedDice(fall(d6, d12)))
    reading = read(Lying(d6=d6, d12=d12), row["modifier"], row["difficulty"])

    assert roll.outcome == row["outcome"]
    assert roll.total == row["total"]
    assert list(reading.targets) == row["targets"]


class TestRollDisplay:
    def test_a_roll_shows_each_target_number_with_a_check_mark_or_a_cross(self) -> None:
        roll = compare(inputs(2), ScriptedDice(fall((3, 5), (4, 10))))

        assert roll.against == "6 ✓ and 12 ✗"
        assert roll.terms == (Term("all", 2),)
        assert [die.shown for die in roll.dice] == ["d12: 4 and", "10 · 2d6:", "", ""]
        assert roll.verdict == Verdict(Family.PARTIAL, "Cost")

    @pytest.mark.rule("CMP-ROLL-04")
    @pytest.mark.parametrize(
        ("d6", "is_doubles"), [((3, 3), True), ((2, 4), False), ((1, 1), True), ((6, 5), False)]
    )
    def test_doubles_are_read_from_the_2d6(self, d6: tuple[int, int], is_doubles: bool) -> None:
        assert read(Lying(d6=d6, d12=(7, 7)), 0, 2).is_doubles is is_doubles
        assert compare(inputs(), ScriptedDice(fall(d6, (7, 7)))).against.endswith("doubles") is is_doubles

    def test_natural_2_and_natural_12_are_named_in_the_verdict(self) -> None:
        two = compare(inputs(8, 0), ScriptedDice(fall((1, 1), (1, 1))))
        lifted = compare(inputs(), ScriptedDice(fall((6, 6), (3, 12))))
        crit = compare(inputs(), ScriptedDice(fall((6, 6), (3, 5))))

        assert two.verdict.title == "Failure, natural 2"
        assert lifted.verdict.title == "Success, natural 12, raised from Cost (+1)"
        assert crit.verdict.title == "Crit, natural 12"

    def test_an_outcome_forced_by_the_gm_is_marked_and_its_chance_is_certain(self) -> None:
        forced = inputs(forced=CompareOutcome.SUCCESS)
        roll = compare(forced, ScriptedDice(fall((1, 2), (12, 12))))

        assert roll.verdict.title == "Success (set by the GM)"
        assert dict(compare_odds(forced).chances)["Success"].fraction == 1

    def test_dice_already_rolled_are_not_rolled_again(self) -> None:
        lying = Lying(d6=(3, 4), d12=(5, 1))
        roll = compare(inputs(1, lying=lying), ScriptedDice(""))

        assert roll.terms == (Term("2d6", 7), Term("all", 1))
        assert (roll.dice, roll.odds, roll.verdict.title) == ((), None, "Success")


@pytest.mark.rule("CMP-ROLL-02")
class TestDifficulty:
    @pytest.mark.parametrize(
        ("named", "against"),
        [
            ("Trivial", "1 ✓ and 12 ✗"),
            ("Normal", "3 ✓ and 14 ✗"),
            ("difficult", "5 ✓ and 16 ✗"),
            ("Hard", "7 ✗ and 18 ✗"),
            ("Impossible", "9 ✗ and 20 ✗"),
            ("+20", "21 ✗ and 32 ✗"),
            ("", "3 ✓ and 14 ✗"),
        ],
    )
    def test_the_difficulty_is_added_to_each_d12(self, table: GameTable, named: str, against: str) -> None:
        done = table.do("Ash", "luck", fall((3, 4), (1, 12)), difficulty=named)

        assert done.rolls[0].against == against

    def test_the_campaign_sets_the_default_difficulty(self, table: GameTable) -> None:
        table.settings(default_difficulty="Hard")
        assert "Hard (+6)" in table.do("Ash", "luck", FAILURE).headline
        table.settings(default_difficulty="7")
        assert "against +7" in table.do("Ash", "luck", FAILURE).headline
        table.settings(default_difficulty="Silly")
        assert "Normal (+2)" in table.do("Ash", "luck", FAILURE).headline

    @pytest.mark.parametrize("typed", ["21", "silly", "-1"])
    def test_an_unknown_difficulty_is_refused(self, table: GameTable, typed: str) -> None:
        assert "There is no difficulty" in table.refused("Ash", "luck", difficulty=typed)


@pytest.mark.rule("CMP-ROLL-08", "CMP-SKILL-03", "CMP-SKILL-07", "CMP-STRESS-02")
class TestModifiers:
    @pytest.mark.parametrize(
        ("stats", "skills", "named", "stress", "high", "burn", "modifier"),
        [
            ({"STR": 12}, {"Physical/Balance": 3}, "Balance", 2, 0, 0, 2),
            ({"LCK": 3, "AGI": 4}, {}, "Stealth", 3, 0, 0, -5),
            ({"INT": 20}, {"Technical/Design": 5}, "Design", 0, 5, 5, 13),
            ({"LCK": 11, "EDU": 7}, {}, "History", 1, 1, 1, 1),
            ({"LCK": 12, "AGI": 10}, {}, "Stealth", 0, 0, 0, 2),
            ({"LCK": 3, "AGI": 10}, {}, "Stealth", 0, 0, 0, 0),
            ({"LCK": 15, "AGI": 10}, {"Acrobatics/Stealth": 1}, "Stealth", 0, 0, 0, 2),
            ({"LCK": 15, "AGI": 10}, {}, "Stealth", 0, 0, 0, 3),
            ({"STR": 10}, {"Physical/Balance": 2}, "Balance", 3, 0, 0, 0),
        ],
    )
    def test_skill_stat_stress_and_high_add_up_to_the_modifier(
        self,
        stats: dict[str, int],
        skills: dict[str, int],
        named: str,
        stress: int,
        high: int,
        burn: int,
        modifier: int,
    ) -> None:
        table = lay_table(Ash=sheet(stats, skills))
        table.set("Ash", stress=stress, high=high)

        done = table.do("Ash", "check", fall((3, 4), (1, 1)), skill=named, burn=burn, difficulty="20")

        assert done.rolls[0].total == 7 + modifier
        assert all(term.value for term in done.rolls[0].terms)

    @pytest.mark.parametrize(
        ("luck", "stress", "modifier"), [(12, 0, 2), (3, 0, -2), (7, 0, 0), (20, 0, 6), (4, 2, -4)]
    )
    def test_luck_counts_twice_where_no_skill_fits(self, luck: int, stress: int, modifier: int) -> None:
        table = lay_table(Ash=sheet({"LCK": luck}))
        table.set("Ash", stress=stress)

        assert table.do("Ash", "luck", fall((3, 4), (12, 12)), difficulty="20").rolls[0].total == 7 + modifier

    def test_f_small_23_luck_that_counts_twice_is_named_once(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 3}))

        rolled = table.do("Ash", "luck", fall((3, 4), (12, 12)), difficulty="20").rolls[0]

        assert rolled.terms == (Term("Novice: Luck, twice", -2),)

    def test_a_novice_roll_names_the_luck_bonus(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 12}))

        assert table.do("Ash", "check", FAILURE, skill="Stealth").rolls[0].terms == (Term("Novice: Luck", 1),)

    def test_only_a_gm_adds_modifiers_or_forces_outcomes(self, table: GameTable) -> None:
        assert "modifier" in table.refused("Ash", "luck", modifier=3)
        assert "outcome" in table.refused("Ash", "luck", outcome="Crit")
        assert "stat" in table.refused("Ash", "check", skill="Stealth", stat="LCK")
        done = table.do("GM Ash", "check", fall((3, 4), (12, 12)), skill="Stealth", stat="INF", modifier=-2)
        assert done.rolls[0].terms == (Term("GM", -2),)


class TestOdds:
    @pytest.mark.parametrize("row", vectors("odds"))
    def test_the_chances_are_those_of_the_rulebook(self, row: dict[str, Any]) -> None:
        assert list(chances(row["modifier"], row["difficulty"]).values()) == row["ways"]

    @pytest.mark.parametrize(("modifier", "difficulty"), [(-5, 8), (0, 2), (3, 4), (13, 0)])
    def test_counting_every_face_gives_the_same_odds(self, modifier: int, difficulty: int) -> None:
        found = dict.fromkeys(CompareOutcome, 0)
        for x, y, a, b in product(range(1, 13), range(1, 13), range(1, 7), range(1, 7)):
            found[read(Lying(d6=(a, b), d12=(x, y)), modifier, difficulty).outcome] += 1

        assert found == chances(modifier, difficulty)

    def test_the_odds_agree_with_icepool(self) -> None:
        def outcome(a: int, b: int, x: int, y: int) -> str:
            return read(Lying(d6=(a, b), d12=(x, y)), 1, 4).outcome.value

        d6, d12 = icepool.d6, icepool.d12
        pool = icepool.map(outcome, d6, d6, d12, d12)

        for name, chance in compare_odds(inputs(1, 4)).chances:
            assert chance.fraction == Fraction(pool.quantity(name), pool.denominator())

    def test_the_odds_page_gives_exact_chances(self) -> None:
        question = CompareOddsQuestion(skill=2, stat=1, stress=1, high=1, modifier=-1, difficulty="Hard")
        novice = CompareOddsQuestion(luck=-1)

        assert [chance.ways for _, chance in RULESET.odds.answer(question).chances] == list(
            chances(2, 6).values()
        )
        assert [chance.ways for _, chance in RULESET.odds.answer(novice).chances] == list(
            chances(-1, 2).values()
        )

    @pytest.mark.rule("CMP-DEATH-01", "CMP-DEATH-02")
    @pytest.mark.parametrize("row", vectors("door"))
    def test_the_odds_at_deaths_door_are_exact(self, row: dict[str, Any]) -> None:
        terms = (NamedTerm(label="Luck", value=row["modifier"]),)
        odds = dict(DOOR.odds(DoorInputs(terms=terms)).chances) if DOOR.odds else {}

        assert (odds["hit"].ways, odds["neither"].ways, odds["miss"].ways) == (
            row["hit"],
            row["neither"],
            row["miss"],
        )
        assert survival(row["modifier"]).fraction == Fraction(row["survive"], 46656)

    def test_the_odds_of_deaths_door_and_rest_agree_with_icepool(self) -> None:
        pool = (2 @ icepool.d6).map(lambda sum_: "hit" if sum_ > 8 else "miss" if sum_ < 8 else "neither")
        odds = DOOR.odds(DoorInputs()) if DOOR.odds else None
        assert odds is not None
        for name, chance in odds.chances:
            assert chance.fraction == Fraction(pool.quantity(name), pool.denominator())
        hour = REST.odds(CompareLuckInputs()) if REST.odds else None
        assert hour is not None
        quiet = icepool.d6.map(lambda face: face > 4)
        assert dict(hour.chances)["quiet"].fraction == Fraction(quiet.quantity(True), 6)

    def test_counting_every_face_of_deaths_door_and_rest_gives_the_same_odds(self) -> None:
        thrown = [
            DOOR.resolve(DoorInputs(), ScriptedDice(f"d6:{a} d6:{b}"))
            for a in range(1, 7)
            for b in range(1, 7)
        ]
        fallen = [roll.outcome for roll in thrown]
        assert thrown[0].odds is not None
        assert {name: chance.ways for name, chance in thrown[0].odds.chances} == {
            name: fallen.count(name) for name in ("miss", "neither", "hit")
        }
        hours = [
            REST.resolve(CompareLuckInputs(), ScriptedDice(f"d6:{face}")).outcome for face in range(1, 7)
        ]
        assert (hours.count("interrupted"), hours.count("quiet")) == (4, 2)


@pytest.mark.rule("CMP-ROLL-10")
class TestDamageDice:
    @pytest.mark.parametrize(
        ("count", "sides", "plus", "least", "most"), [(6, 6, 12, 18, 48), (1, 4, 0, 1, 4), (3, 8, 0, 3, 24)]
    )
    def test_damage_is_the_sum_of_its_dice_and_its_bonus(
        self, count: int, sides: int, plus: int, least: int, most: int
    ) -> None:
        made = DamageInputs(count=count, sides=sides, plus=plus)

        assert roll_damage(made, ScriptedDice(" ".join([f"d{sides}:1"] * count))).total == least
        assert roll_damage(made, ScriptedDice(" ".join([f"d{sides}:{sides}"] * count))).total == most

    def test_the_suffix_of_an_outcome_changes_the_damage_dealt(self) -> None:
        low = DAMAGE.resolve(DamageInputs(count=1, sides=8, share="half", suffix=-1), ScriptedDice("d8:7"))
        high = DAMAGE.resolve(DamageInputs(count=1, sides=8, share="half", suffix=1), ScriptedDice("d8:7"))

        assert (dealt_by(low), dealt_by(high)) == (2, 4)
        assert low.verdict.title == "2 damage (half −1)"


@pytest.mark.rule("CMP-HIGH-02")
class TestHighBoosts:
    def test_a_boost_costs_the_fewest_high_for_each_better_outcome(self) -> None:
        lying = Lying(d6=(3, 4), d12=(7, 9))

        assert boosts(inputs(), lying, 5) == ((3, CompareOutcome.COST), (5, CompareOutcome.SUCCESS))
        assert boosts(inputs(), lying, 2) == ()

    def test_high_cannot_improve_a_natural_2(self) -> None:
        assert boosts(inputs(), Lying(d6=(1, 1), d12=(1, 1)), 5) == ()

    @pytest.mark.rule("CMP-ROLL-07")
    def test_high_can_raise_a_natural_12_to_a_crit(self) -> None:
        assert boosts(inputs(), Lying(d6=(6, 6), d12=(3, 12)), 3) == ((3, CompareOutcome.CRIT),)


def test_the_outcome_chart_has_six_distinct_rows() -> None:
    assert [row.name for row in OUTCOME_ROWS] == list(CompareOutcome)
    assert len({(row.doubles, row.beaten) for row in OUTCOME_ROWS}) == 6
    assert COMPARE.key == "compare"
