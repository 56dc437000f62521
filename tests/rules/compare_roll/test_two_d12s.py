"""Skills, points spent later, skills of one's own, the sheet as it is read."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import find_skill, own_skills, skill_names
from bot.rules.compare_roll.session import CompareOddsQuestion
from bot.rules.compare_roll.sheet import CompareSettings
from bot.rules.compare_roll.tables import CATEGORIES, LEVEL_NAMES, OUTCOME_ROWS, ComparePurpose, Stat
from bot.rules.compare_roll.two_d12s import (
    COMPARE,
    DAMAGE,
    DOOR,
    REST,
    CompareInputs,
    CompareLuckInputs,
    CompareOutcome,
    DamageInputs,
    DoorInputs,
    Lying,
    boosts,
    chances,
    compare,
    compare_odds,
    dealt_by,
    read,
    roll_damage,
    survival,
)
from bot.rules.kernel import NamedTerm, Term, Verdict
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import Family
from tests.dice import ScriptedDice
from tests.rules.compare_roll.play import (
    FAILURE,
    GameTable,
    button,
    fall,
    foe,
    lay_table,
    sheet,
    sheet_of_draft,
    vectors,
)

SETTINGS = CompareSettings()
POINTS = {stat.value: ("5",) for stat in Stat}
DRAFT: dict[str, tuple[str, ...]] = {"method": ("points",), **POINTS}


def sentences(draft: dict[str, tuple[str, ...]], settings: CompareSettings = SETTINGS) -> list[str]:
    return [problem.sentence for problem in RULESET.creation.problems_of(draft, settings)]


@pytest.mark.rule("CMP-SKILL-01", "CMP-SKILL-02", "CMP-SKILL-08", "CMP-CHAR-07")
class TestAdvancement:
    def test_awarded_skill_points_and_stat_points_can_be_spent(self) -> None:
        table = lay_table(Ash=sheet(skills={"Acrobatics/Stealth": 2}, skill_points=2))
        table.do("GM", "award", target="Ash", skill_points=3, stat_points=1)
        assert table.sheet("Ash").skill_points == 5
        table.do("Ash", "spend", skill="Stealth")
        assert table.sheet("Ash").levels["Acrobatics", "Stealth"] == 3
        assert "is at level 3; the maximum is 5" in table.why("Ash", "spend", skill="Stealth", points=3)
        assert "has only 4 skill points" in table.why("Ash", "spend", skill="Stealth", points=5)
        assert "Give skill points" in table.why("GM", "award", target="Ash")

    @pytest.mark.rule("CMP-SKILL-03")
    def test_buying_level_1_warns_a_novice_who_rolled_better_with_luck(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 15}, skill_points=2))

        assert (
            table.do("Ash", "spend", skill="Stealth").notes[0] == "As a Novice, Ash rolled it with Luck +2."
        )

    def test_a_stat_point_raises_a_stat_and_everything_derived_from_the_stat(self) -> None:
        table = lay_table(Ash=sheet({"AGI": 9, "STR": 20}, stat_points=1))
        assert table.why("Ash", "raise", stat="STR") == "Strength is already at its maximum (20)."
        done = table.do("Ash", "raise", stat="AGI")

        assert done.notes == ("Agility 9 → 10 (+1) · max HP 62 → 64 · max FT 16 → 17 · movement 6 → 7",)
        assert "no stat points" in table.why("Ash", "raise", stat="AGI")

    @pytest.mark.parametrize(("score", "before", "after"), [(10, 20, 22), (8, 40, 38), (9, 0, 0)])
    def test_current_hp_rise_with_maximum_hp_and_never_exceed_the_maximum(
        self, score: int, before: int, after: int
    ) -> None:
        table = lay_table(Ash=sheet({"STR": 9, "AGI": 9}))
        table.set("Ash", hp=before)
        table.do("GM", "set_stat", target="Ash", stat="STR", score=score)

        assert table.hp("Ash") == after


@pytest.mark.rule("CMP-SKILL-04", "CMP-SKILL-06", "CMP-STAT-01")
class TestSkills:
    def test_the_skill_lists_hold_48_skills_in_8_categories_and_6_level_names(self) -> None:
        names = list(skill_names(SETTINGS))

        assert (len(CATEGORIES), len(names), len({name for _, name in names})) == (8, 48, 46)
        assert LEVEL_NAMES == ("Novice", "Apprentice", "Journeyman", "Craftsman", "Artisan", "Master")

    @pytest.mark.parametrize(
        ("name", "stat"),
        [
            ("Stealth", "AGI"),
            ("Navigation", "EDU"),
            ("Tactics", "INF"),
            ("Theology", "EDU"),
            ("Balance", "STR"),
        ],
    )
    def test_the_category_of_a_skill_names_its_stat(self, name: str, stat: str) -> None:
        assert find_skill(sheet(), SETTINGS, name).stat == stat

    def test_the_better_of_two_skills_with_the_same_name_is_rolled(self) -> None:
        made = sheet(skills={"Social/Leadership": 1, "Command/Leadership": 3})

        assert find_skill(made, SETTINGS, "leadership").words == "Craftsman, +3"
        assert find_skill(made, SETTINGS, "social/Leadership").level == 1
        assert find_skill(sheet(), SETTINGS, "Leadership").category == "Social"
        assert find_skill(sheet(), SETTINGS, "Leadership").words == "Novice"
        table = lay_table(Ash=sheet(skill_points=2))
        table.do("Ash", "spend", skill="Academic/Philosophy", points=2)
        assert ("Humanities", "Philosophy") not in table.sheet("Ash").levels

    def test_an_unknown_skill_is_refused(self) -> None:
        with pytest.raises(UserError, match="no skill"):
            find_skill(sheet(), SETTINGS, "Juggling")


@pytest.mark.rule("CMP-SKILL-05")
class TestCustomSkills:
    def test_a_custom_skill_can_be_rolled_once_the_gm_approves(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 20}, skill_points=3))
        done = table.do("Ash", "propose", category="technical", name="Robotics", level=1)
        assert "hasn't approved" in table.why("Ash", "check", skill="Robotics")
        table.press("GM", button(done, "Approve with Luck"))
        table.do("Ash", "spend", skill="Robotics")

        done = table.do("Ash", "check", FAILURE, skill="Robotics")
        assert [(term.label, term.value) for term in done.rolls[0].terms] == [("Robotics", 2), ("Luck", 3)]
        assert RULESET.sheet_problems(table.sheet("Ash")) == ()

    @pytest.mark.parametrize(("points", "is_one"), [(2, True), (3, False)])
    def test_a_skill_is_raised_to_level_5_at_most(self, points: int, is_one: bool) -> None:
        table = lay_table(Ash=sheet(skills={"Physical/Balance": 3}, skill_points=9))
        options = {"skill": "Physical/Balance", "points": points}
        if is_one:
            assert table.do("Ash", "spend", **options).notes == ("Skill points left: 7.",)
        else:
            assert table.why("Ash", "spend", **options) == "Balance is at level 3; the maximum is 5."

    def test_a_finished_draft_asks_the_gm_to_approve_its_own_skills(self) -> None:
        own = [{"category": "Social", "name": name, "level": 1} for name in ("Wit", "Charm", "Song")]
        table = lay_table(Ash=sheet(customs=own, is_draft=True))
        assert [one.label for one in table.do("Ash", "finish").follow_ups] == [
            "Approve Wit 1",
            "Approve Charm 1",
        ]

    def test_the_gm_rules_which_stat_an_approved_skill_uses(self) -> None:
        table = lay_table(Ash=sheet(skill_points=3))
        for name in ("Wit", "Charm"):
            table.do("Ash", "propose", category="Social", name=name, level=1)
        approved = table.do("GM", "approve", target="Ash", skill="Wit", stat="LCK")
        refused = table.do("GM", "approve", target="Ash", skill="Charm", stat="LCK", refused=True)

        assert approved.headline == "approves Ash's skill Wit, rolled with Luck"
        assert refused.headline == "refuses Ash's skill Charm"
        assert [one.what for one in RULESET.unsettled(table.scene)] == []

    def test_only_proposed_skills_of_players_wait_for_the_gm(self) -> None:
        own = [
            {"category": "Social", "name": name, "level": 1, "is_approved": name == "Wit"}
            for name in ("Wit", "Charm")
        ]
        table = lay_table(Ash=sheet(customs=own), Ogre=sheet(customs=own))

        assert [one.what for one in RULESET.unsettled(table.scene)] == ["Ash's own skill: Charm (Social)"]

    def test_a_refused_custom_skill_gives_its_points_back(self) -> None:
        table = lay_table(Ash=sheet(skill_points=3))
        done = table.do("Ash", "propose", category="Social", name="Haggling", level=2)
        table.press("GM", button(done, "Refuse"))

        assert (table.sheet("Ash").customs, table.sheet("Ash").skill_points) == ((), 3)
        assert "hasn't proposed this skill" in table.why("GM", "approve", target="Ash", skill="Haggling")

    def test_a_character_has_at_most_4_custom_skills_a_category_and_32_in_all(self, table: GameTable) -> None:
        for category in CATEGORIES:
            for at in range(4):
                table.do("Ash", "propose", category=category, name=f"Own {at}")
        assert len(table.sheet("Ash").customs) == 32
        assert "the maximum" in table.why("Ash", "propose", category="Physical", name="Own 5")

    def test_a_custom_skill_needs_a_new_name_a_category_and_enough_points(self, table: GameTable) -> None:
        assert "already" in table.why("Ash", "propose", category="Physical", name="balance")
        assert "no category" in table.why("Ash", "propose", category="Magic", name="Fire")
        assert "0 skill points" in table.why("Ash", "propose", category="Physical", name="Juggling", level=1)

    def test_custom_skills_are_listed_after_the_skills_of_their_category(self, table: GameTable) -> None:
        table.do("Ash", "propose", category="Physical", name="Juggling")
        table.do("GM", "approve", target="Ash", skill="Juggling")

        assert [one.name for one in own_skills(table.sheet("Ash"), SETTINGS)][6] == "Juggling"


class TestSheet:
    def test_every_problem_of_a_sheet_is_named(self) -> None:
        five = [{"category": "Physical", "name": f"Own {at}", "level": 0} for at in range(5)]
        twice = sheet(
            skills={"Physical/Balance": 1}, customs=[{"category": "Physical", "name": "balance", "level": 0}]
        )

        assert [one.where for one in RULESET.sheet_problems(sheet(customs=five))] == ["customs"]
        assert RULESET.sheet_problems(sheet(customs=five))[0].sentence == (
            "Physical has 5 custom skills; the limit is 4."
        )
        assert RULESET.sheet_problems(sheet(customs=five[:4])) == ()
        assert RULESET.sheet_problems(foe(hp=4, hp_max=4)) == ()
        assert [one.where for one in RULESET.sheet_problems(twice)] == ["skills"]
        assert [one.where for one in RULESET.sheet_problems(foe(hp=5, hp_max=4))] == ["foe"]

    @pytest.mark.rule("CMP-CHAR-01")
    def test_the_sheet_fits_on_one_screen(self) -> None:
        made = sheet(
            {"STR": 12, "LCK": 4},
            {"Acrobatics/Stealth": 3},
            age="31",
            customs=[{"category": "Technical", "name": "Robotics", "level": 2}],
            skill_points=3,
            weapons=[{"name": "Pistol", "level": 2, "shots": 7}, {"name": "Lost Relic"}],
            items=[{"name": "Stim", "count": 2}, {"name": "Comms", "channel": "red"}, {"name": "Grenade"}],
            armour="Light Armor",
            ft_lost=3,
        )
        table = lay_table(Ash=made)
        table.set("Ash", hp=27, stress=1, high=2, ammunition=3, assets=1400)

        assert {one.title: one.lines for one in RULESET.describe(table.named("Ash"), SETTINGS)} == {
            "Who": ("Age 31",),
            "Stats": ("STR 12\u00a0(+1) · AGI 7 · INT 7 · EDU 7 · INF 7 · LCK 4\u00a0(−1)",),
            "Condition": ("HP 27/42 · FT 10/13", "Stress 1/3 · High 2/5", "Movement 7"),
            "Skills": (
                "Acrobatics (−1 each): Stealth 3",
                "Technical (−1 each): Robotics 2 (needs GM approval)",
                "3 skill points left",
            ),
            "Gear": (
                "Pistol 7/10 L2 · Grenade · Unarmed",
                "Stim × 2 · Comms on red · Grenade",
                "Wears Light Armor",
                "Ammunition 3",
                "Assets 1400",
            ),
        }

    def test_the_sheet_of_a_draft_says_what_is_missing(self) -> None:
        draft = sheet_of_draft({"method": ("rolled",)})
        lines = [
            line
            for one in RULESET.describe(lay_table(Ash=draft).named("Ash"), SETTINGS)
            for line in one.lines
        ]

        assert "STR ? · AGI ? · INT ? · EDU ? · INF ? · LCK ?" in lines
        assert "Not finished: use /compare create stats" in lines
        assert "Assets not rolled yet" in lines

    @pytest.mark.rule("CMP-COM-12")
    @pytest.mark.parametrize(("hp", "word"), [(30, "unhurt"), (20, "hurt"), (10, "badly hurt"), (0, "down")])
    def test_the_sheet_of_a_foe_shows_no_numbers(self, hp: int, word: str) -> None:
        table = lay_table(Ogre=foe(hp=hp, hp_max=30))

        assert [one.lines for one in RULESET.describe(table.named("Ogre"), SETTINGS)] == [(word, "Unarmed")]

    def test_a_new_character_starts_with_full_hp_and_no_other_resources(self) -> None:
        caps = {rule.key: (rule.start, rule.cap(sheet(), SETTINGS)) for rule in RULESET.resources}

        assert caps == {
            "hp": (84, 32), "stress": (0, 3), "high": (0, 5), "assets": (0, None), "ammunition": (0, None),
        }  # fmt: skip
        assert RULESET.resources[0].cap(foe(), SETTINGS) == 0
        assert lay_table().named("Ogre").sheet.foe is not None


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
        assert "There is no difficulty" in table.why("Ash", "luck", difficulty=typed)


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
        assert "modifier" in table.why("Ash", "luck", modifier=3)
        assert "outcome" in table.why("Ash", "luck", outcome="Crit")
        assert "stat" in table.why("Ash", "check", skill="Stealth", stat="LCK")
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
        odds = RULESET.odds.answer(question)
        assert (odds.needed, odds.enough) == ("Success", Fraction(143, 1728))
        assert RULESET.odds.worth(question, CompareSettings()) == ("succeeds at a cost: 31%",)

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


def test_open_rolls_of_earlier_versions_are_read() -> None:
    assert ComparePurpose("defence") is ComparePurpose.DEFENSE
    with pytest.raises(ValueError, match="not a valid"):
        ComparePurpose("offense")
