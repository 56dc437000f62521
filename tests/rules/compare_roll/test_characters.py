"""Characters: the wizard, stats rolled and placed, Assets, skills, what follows from a stat."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import skill_names
from bot.rules.compare_roll.creation import BEGINNER, stat_problems
from bot.rules.compare_roll.fortunes import ft_max, movement
from bot.rules.compare_roll.session import growth
from bot.rules.compare_roll.sheet import Carried, CompareSettings, CompareSheet, hp_max
from bot.rules.compare_roll.sheet_text import shown_stat
from bot.rules.compare_roll.tables import CATEGORIES, Stat, stat_bonus
from bot.rules.kernel import evolve
from tests.rules.compare_roll.play import (
    GameTable,
    id_of,
    labels,
    lay_table,
    sheet,
    sheet_of_draft,
    vectors,
)
from tests.rules.offers import acts_of

SETTINGS = CompareSettings()
POINTS = {stat.value: ("5",) for stat in Stat}
DRAFT: dict[str, tuple[str, ...]] = {"method": ("points",), **POINTS}


def sentences(draft: dict[str, tuple[str, ...]], settings: CompareSettings = SETTINGS) -> list[str]:
    return [problem.sentence for problem in RULESET.creation.problems_of(draft, settings)]


class TestDerivedNumbers:
    @pytest.mark.rule("CMP-STAT-03", "CMP-STAT-02")
    @pytest.mark.parametrize("row", vectors("band"))
    def test_a_stat_score_gives_its_bonus(self, row: dict[str, Any]) -> None:
        assert stat_bonus(row["score"]) == row["bonus"]

    @pytest.mark.rule("CMP-CHAR-02")
    @pytest.mark.parametrize("row", vectors("hp"))
    def test_maximum_hp_follow_from_strength_and_agility(self, row: dict[str, Any]) -> None:
        assert hp_max(sheet({"STR": row["strength"], "AGI": row["agility"]})) == row["hp"]

    @pytest.mark.rule("CMP-CHAR-03")
    @pytest.mark.parametrize("row", vectors("ft"))
    def test_maximum_fortitude_follows_from_luck_agility_and_armour(self, row: dict[str, Any]) -> None:
        settings = CompareSettings(ft_base_constant=row["constant"])
        made = sheet({"LCK": row["luck"], "AGI": row["agility"]}, armour=row["armour"])

        assert ft_max(made, settings) == row["ft"]

    @pytest.mark.rule("CMP-COM-02")
    @pytest.mark.parametrize("row", vectors("movement"))
    def test_movement_follows_from_agility_and_armour(self, row: dict[str, Any]) -> None:
        assert movement(sheet({"AGI": row["agility"]}, armour=row["armour"]), SETTINGS) == row["spaces"]

    @pytest.mark.rule("CMP-CHAR-01")
    def test_stat_scores_are_shown_with_their_bonus(self) -> None:
        assert shown_stat(sheet({"STR": 12}), Stat.STR) == "12\u00a0(+1)"
        assert shown_stat(sheet({"STR": 4}), Stat.STR) == "4\u00a0(−1)"

    @pytest.mark.rule("CMP-STAT-02")
    @pytest.mark.parametrize(("score", "is_allowed"), [(0, False), (1, True), (20, True), (21, False)])
    def test_a_stat_score_lies_between_1_and_20(self, score: int, is_allowed: bool) -> None:
        try:
            sheet({"STR": score})
        except ValueError:
            assert not is_allowed
        else:
            assert is_allowed


@pytest.mark.rule("CMP-CHAR-06", "CMP-STAT-05", "CMP-SKILL-02", "CMP-SKILL-05")
class TestCreationWizard:
    def test_a_complete_draft_makes_a_sheet(self) -> None:
        draft = {
            **DRAFT,
            "age": ("31",),
            "in_Acrobatics": ("Stealth", "Dodging"),
            "Acrobatics/Stealth": ("5",),
            "own_1": ("Technical: Robotics 2",),
        }
        assert sentences(draft) == []
        made = sheet_of_draft(draft)

        assert (made.age, made.gender, made.is_draft) == ("31", "", False)
        assert made.levels["Acrobatics", "Stealth"] == 5
        assert made.levels["Acrobatics", "Dodging"] == 1
        assert made.skill_points == 8
        assert [(one.name, one.is_approved) for one in made.customs] == [("Robotics", False)]

    def test_the_pages_of_the_wizard_depend_on_the_answers(self) -> None:
        picked = {**DRAFT, "in_Physical": ("Balance", "Reflexes", "Stamina", "Endurance", "Flexibility")}
        steps = RULESET.creation.steps(picked, SETTINGS)
        rolled = RULESET.creation.steps({"method": ("rolled",)}, SETTINGS)

        assert [step.key for step in steps] == [
            "person", "stats_1", "stats_2", "skills_1", "skills_2", "levels_1", "levels_2", "own",
        ]  # fmt: skip
        assert [step.key for step in rolled] == ["person", "skills_1", "skills_2", "own"]
        assert all(len(step.picks) <= 4 and len(step.blanks) <= 5 for step in steps)
        assert all(1 <= len(pick.choices) <= 25 for step in steps for pick in step.picks)
        assert all(len(blank.prompt) <= 45 for step in steps for blank in step.blanks)

    @pytest.mark.parametrize(
        ("scores", "base", "told"),
        [
            ((5, 5, 5, 5, 5, 5), 1, []),
            ((20, 6, 1, 1, 1, 1), 1, []),
            ((21, 5, 1, 1, 1, 1), 1, ["Each score must be from 1 to 20."]),
            ((20, 7, 1, 1, 1, 0), 1, ["Each score must be from 1 to 20."]),
            ((5, 5, 5, 5, 5, 4), 1, ["Add 1 point: the six scores must add up to 30."]),
            ((6, 6, 5, 5, 5, 5), 1, ["Take 2 points away: the six scores must add up to 30."]),
            ((4, 4, 4, 4, 4, 4), 0, []),
        ],
    )
    def test_stat_scores_must_add_up_to_the_stat_points(
        self, scores: tuple[int, ...], base: int, told: list[str]
    ) -> None:
        settings = CompareSettings(stat_points_base=base)

        assert [one.sentence for one in stat_problems(scores, settings)] == told

    def test_the_wizard_asks_on_its_first_page_how_stats_are_made_by_points_until_told(self) -> None:
        first, second, *_ = RULESET.creation.steps({}, SETTINGS)
        asked = first.picks[0]

        assert (asked.prompt, asked.usual, first.required) == ("How do you make your stats?", "points", {})
        assert (second.title, sentences({})[0]) == (
            "Stats 1",
            "Add 24 points: the six scores must add up to 30.",
        )

    @pytest.mark.parametrize(
        ("levels", "is_allowed"), [((5, 5, 5, 1), True), ((5, 5, 5, 2), False), ((5, 5, 3), True)]
    )
    def test_a_new_character_spends_at_most_16_skill_points(
        self, levels: tuple[int, ...], is_allowed: bool
    ) -> None:
        names = ("Balance", "Reflexes", "Stamina", "Endurance")[: len(levels)]
        picks = {f"Physical/{name}": (str(level),) for name, level in zip(names, levels, strict=True)}

        assert (sentences({**DRAFT, "in_Physical": names, **picks}) == []) is is_allowed

    def test_a_new_character_may_take_16_skills_at_level_1(self) -> None:
        six = {of: tuple(row.skills) for of, row in CATEGORIES.items()}
        picks = {
            "in_Physical": six["Physical"],
            "in_Acrobatics": six["Acrobatics"],
            "in_Technical": six["Technical"][:4],
        }
        assert sentences({**DRAFT, **picks}) == []
        assert sentences({**DRAFT, **picks, "in_Technical": six["Technical"]}) == [
            "Remove some skills: you can buy 16 at most.",
            "Lower a skill: 2 skill points over 16.",
        ]

    def test_the_wizard_offers_every_score_skill_and_level_and_counts_what_is_left(self) -> None:
        draft = {
            **DRAFT,
            "in_Physical": ("Balance",),
            "Physical/Balance": ("4",),
            "own_4": ("Social: Wit 3",),
        }
        steps = {step.key: step for step in RULESET.creation.steps(draft, SETTINGS)}

        assert [one.label for one in steps["stats_1"].picks[0].choices] == [str(n) for n in range(1, 21)]
        for score, left in (("5", "0 left"), ("3", "2 left"), ("9", "4 over")):
            page = RULESET.creation.steps({**draft, "STR": (score,)}, SETTINGS)[1]
            assert page.text.startswith(f"The scores must add up to 30: {left}.")
        assert [pick.key for key in ("skills_1", "skills_2") for pick in steps[key].picks] == [
            f"in_{category}" for category in CATEGORIES
        ]
        assert {
            pick.key.removeprefix("in_"): tuple(one.value for one in pick.choices)
            for key in ("skills_1", "skills_2")
            for pick in steps[key].picks
        } == {name: tuple(row.skills) for name, row in CATEGORIES.items()}
        assert [one.value for one in steps["levels_1"].picks[0].choices] == ["1", "2", "3", "4", "5"]
        optional = [
            pick for key in ("stats_1", "stats_2", "skills_1", "levels_1") for pick in steps[key].picks
        ]
        assert {pick.least for pick in optional} == {0}
        assert steps["skills_1"].text.startswith("16 skill points: 9 left.")
        assert steps["levels_1"].text.startswith("16 skill points: 9 left.")
        assert [blank.key for blank in steps["own"].blanks] == ["own_1", "own_2", "own_3", "own_4"]
        assert sum(one.level for one in sheet_of_draft(draft).customs) == 3
        assert sheet_of_draft({**draft, "own_5": ("Social: Charm 1",)}) == sheet_of_draft(draft)

    def test_a_category_that_a_campaign_has_filled_up_still_fits_into_a_menu(self) -> None:
        added = [{"category": "Social", "name": f"Skill {n}"} for n in range(30)]
        settings = CompareSettings.model_validate({"skills": added})
        picks = [pick for step in RULESET.creation.steps(DRAFT, settings) for pick in step.picks]

        assert max(len(pick.choices) for pick in picks) == 25

    @pytest.mark.parametrize(
        ("own", "is_one"),
        [
            ("Social: Wit 0", True),
            ("Social: Wit 5", True),
            (f"Social: {'w' * 40} 1", True),
            (f"Social: {'w' * 41} 1", False),
            ("Social Wit 1", False),
            ("Social:  1", False),
            ("Social: Wit x", False),
        ],
    )
    def test_a_custom_skill_has_a_name_of_40_letters_and_a_level_up_to_5(
        self, own: str, is_one: bool
    ) -> None:
        assert (sentences({**DRAFT, "own_1": (own,)}) == []) is is_one

    @pytest.mark.rule("CMP-SKILL-01", "CMP-SKILL-05")
    def test_names_that_no_list_has_are_reported(self) -> None:
        known = sheet(skills={"Social/Etiquette": 1}, weapons=[{"name": "Pistol"}], items=[{"name": "Stim"}])
        strange = sheet(
            skills={"Social/Dodging": 1, "Cooking/Soup": 1},
            customs=[{"category": "Singing", "name": "Bass", "level": 1}],
            weapons=[{"name": "Sword"}],
            items=[{"name": "Towel"}, {"name": "Grenade"}],
            armour="Skirt",
        )
        problems = RULESET.module_problems

        assert problems(known, SETTINGS) == ()
        assert [(one.where, one.sentence) for one in problems(strange, SETTINGS)] == [
            ("skills", "There is no category “Cooking”."),
            ("skills", "There is no category “Singing”."),
            ("skills", "There is no skill “Dodging” in Social."),
            ("weapons", "There is no weapon “Sword”."),
            ("items", "There is no item “Towel”."),
            ("items", "There is no item “Skirt”."),
        ]

    @pytest.mark.parametrize(
        ("changes", "above"),
        [
            ({"stats": dict.fromkeys(Stat, 5)}, []),
            ({"stats": {**dict.fromkeys(Stat, 5), Stat.LCK: 6}}, ["Stat total 31 (a beginner: 30)"]),
            ({"skill_points": 16}, []),
            ({"skill_points": 17}, ["Skill points 17 (a beginner: 16)"]),
            (
                {"skill_points": 12, "customs": [{"category": "Social", "name": "Wit", "level": 5}]},
                ["Skill points 17 (a beginner: 16)"],
            ),
            (
                {"customs": [{"category": "Social", "name": "Wit", "level": 1, "is_approved": True}]},
                ["Approved custom skills 1 (a beginner: none)"],
            ),
        ],
    )
    def test_more_than_a_beginner_has_is_reported(self, changes: dict[str, Any], above: list[str]) -> None:
        base = {"stats": dict.fromkeys(Stat, 5), "has_rolled_assets": False, **changes}
        made = CompareSheet.model_validate({"skill_points": 0, **base})
        found = [str(one) for one in BEGINNER.excess(made, SETTINGS)]

        assert found == above
        assert BEGINNER.brought(made.changed(downed_by=3)).downed_by is None

    @pytest.mark.parametrize(
        ("own", "told"),
        [
            (("Robotics 2",), "can't be read"),
            (("Nonsense: Robotics 2",), "no category"),
            (("Technical: Robotics 6",), "can't be read"),
            (("Technical: farming 1",), "Rename farming: Technical already has that skill."),
            (("Technical: Robots 1", "technical: robots 2"), "one is listed twice"),
        ],
    )
    def test_a_custom_skill_that_cannot_be_read_is_refused(self, own: tuple[str, ...], told: str) -> None:
        draft = {**DRAFT, **{f"own_{at}": (text,) for at, text in enumerate(own, start=1)}}

        assert told in " ".join(sentences(draft))

    @pytest.mark.parametrize("name", sorted(RULESET.creation.ready_made))
    def test_f_small_13_a_ready_made_character_is_armed_and_has_few_penalties(self, name: str) -> None:
        ready = RULESET.creation.ready_made[name]
        assert isinstance(ready, CompareSheet)
        (weapon,) = ready.weapons

        assert weapon.name in {"Pistol", "Baseball Bat"}
        assert weapon.shots == (10 if weapon.name == "Pistol" else 0)
        assert ready.items
        assert sum(ready.bonus(stat) < 0 for stat in Stat) <= 3
        assert not list(BEGINNER.excess(ready, CompareSettings()))
        assert list(BEGINNER.excess(ready.changed(weapons=(Carried(name="Tank"),)), CompareSettings()))

    def test_f_small_13_a_change_of_armour_that_changes_nothing_says_no_sums(self) -> None:
        table = lay_table(Ash=sheet_of_draft(DRAFT))
        table.do("GM", "give", target="Ash", thing="Medium Armor")

        (note,) = table.do("Ash", "equip", armour="Medium Armor").notes
        assert note.startswith("FT ")
        assert "movement" not in note

    def test_a_new_npc_has_nothing_to_spend(self) -> None:
        made = RULESET.creation.npc()
        assert isinstance(made, CompareSheet)
        assert (made.skill_points, made.stat_points, set(made.stats.values())) == (0, 0, {5})

    def test_ready_made_characters_follow_the_creation_rules(self) -> None:
        assert len(RULESET.creation.ready_made) == 4
        for made in RULESET.creation.ready_made.values():
            assert RULESET.sheet_problems(made) == ()
            assert isinstance(made, CompareSheet)
            assert sum(made.stats.values()) == 30
            assert (made.skill_points, sum(one.level for one in made.skills)) == (0, 16)


@pytest.mark.rule("CMP-STAT-04", "CMP-CHAR-04", "CMP-CHAR-06")
class TestSpendingTheRest:
    """*Spend the rest for me*: a page's points go somewhere sensible, and nothing chosen is changed."""

    def test_stats_are_raised_evenly_and_those_chosen_stay(self) -> None:
        draft = {"method": ("points",), "AGI": ("10",)}
        assert RULESET.creation.unspent(draft, SETTINGS, "stats_1") == "15 points"

        spent = RULESET.creation.spend(draft, SETTINGS, "stats_2")

        assert [spent[stat.value][0] for stat in Stat] == ["4", "10", "4", "4", "4", "4"]
        assert sentences(dict(spent)) == []

    def test_stats_that_are_full_leave_the_rest_to_others(self) -> None:
        rich = evolve(SETTINGS, stat_points=110)

        spent = RULESET.creation.spend({"method": ("points",), "AGI": ("15",)}, rich, "stats_1")

        assert sum(int(spent[stat.value][0]) for stat in Stat) == 116

    def test_points_go_to_the_skills_chosen_then_to_those_of_the_best_stats(self) -> None:
        draft = {"method": ("points",), "AGI": ("10",), "in_Technical": ("Mechanics",)}
        assert RULESET.creation.unspent(draft, SETTINGS, None) == "15 skill points"

        spent = RULESET.creation.spend(draft, SETTINGS, "skills_1")

        assert spent["Technical/Mechanics"] == ("3",)
        assert [level for key, level in spent.items() if "/" in key] == [("3",)] * 5 + [("1",)]
        assert len(spent["in_Acrobatics"]) == 1
        better = {**draft, "Technical/Mechanics": ("5",)}
        assert RULESET.creation.spend(better, SETTINGS, "skills_1")["Technical/Mechanics"] == ("5",)
        assert RULESET.creation.unspent(spent, SETTINGS, "levels_1") == ""

    def test_nothing_is_spent_on_other_pages(self) -> None:
        assert RULESET.creation.spend({"method": ("points",)}, SETTINGS, "own") == {"method": ("points",)}
        assert RULESET.creation.unspent({"method": ("points",)}, SETTINGS, "person") == ""

    def test_the_most_skills_are_raised_once_there_are_no_more(self) -> None:
        known = list(skill_names(SETTINGS))
        names = {of: tuple(name for of_, name in known if of_ == of)[:4] for of in list(CATEGORIES)[:4]}
        draft = {"method": ("points",), **{f"in_{of}": four[:3] for of, four in names.items()}}

        spent = RULESET.creation.spend(draft, SETTINGS, "levels_1")

        assert RULESET.creation.unspent(spent, SETTINGS, None) == ""


class TestRolledStats:
    DICE = " ".join(f"d6:{a} d6:{b}" for a, b in ((3, 4), (4, 5), (2, 2), (5, 6), (3, 3), (4, 4)))

    def rolled(self) -> GameTable:
        return lay_table(Ash=sheet_of_draft({"method": ("rolled",)}).changed(has_rolled_assets=False))

    def test_six_rolled_sums_are_placed_one_after_the_other(self) -> None:
        table = self.rolled()
        assert "isn't finished" in table.why("Ash", "luck")
        assert "Influence, Luck" in table.why("Ash", "finish")
        done = table.do("Ash", "roll_stats", self.DICE)
        assert done.notes == ("To place: 11, 9, 8, 7, 6, 4.",)
        for stat in ("STR", "AGI", "INT", "EDU", "INF", "LCK"):
            done = table.press("Ash", done.follow_ups[0], choose=stat)
        assert labels(done) == ["Finish", "Roll Assets 2d12 × 100"]
        finished = table.press("Ash", done.follow_ups[0])

        assert finished.notes == ("16 skill points left to spend later.",)
        assert (table.hp("Ash"), table.ft("Ash")) == (44, "13/13")
        assert dict(table.sheet("Ash").stats) == {"STR": 11, "AGI": 9, "INT": 8, "EDU": 7, "INF": 6, "LCK": 4}
        assert "is already finished" in table.why("Ash", "finish")

    @pytest.mark.parametrize(
        ("points", "told"),
        [
            (0, ()),
            (1, ("1 skill point left to spend later.",)),
            (2, ("2 skill points left to spend later.",)),
        ],
    )
    def test_unspent_skill_points_are_told(self, points: int, told: tuple[str, ...]) -> None:
        table = lay_table(Ash=sheet(is_draft=True, skill_points=points))
        assert table.do("Ash", "finish").notes == told

    def test_each_rolled_sum_is_used_once_and_each_stat_gets_one(self) -> None:
        table = self.rolled()
        assert "no rolls to place" in table.why("Ash", "place", stat="STR")
        table.do("Ash", "roll_stats", self.DICE)
        assert "already rolled" in table.why("Ash", "roll_stats")
        table.do("Ash", "place", stat="STR", value=11)
        assert table.why("Ash", "place", stat="AGI", value=11) == "You have no 11 left to place."
        assert table.why("Ash", "place", stat="STR") == "Strength already has a score."
        for method, is_draft in (("points", True), ("rolled", False), ("points", False)):
            unset = tuple(Stat) if is_draft else ()
            made = lay_table(Ash=sheet(method=method, is_draft=is_draft, unset=unset))
            assert "stats are final" in made.why("Ash", "roll_stats")

    def test_the_highest_sum_is_placed_first(self) -> None:
        table = self.rolled()
        table.do("Ash", "roll_stats", self.DICE)
        assert table.do("Ash", "place", stat="INT").headline == "places 11 on Intelligence"
        for stat in ("STR", "AGI", "EDU", "INF", "LCK"):
            done = table.do("Ash", "place", stat=stat)
        assert labels(done) == ["Finish", "Roll Assets 2d12 × 100"]

    @pytest.mark.parametrize(("dice", "assets"), [("1 1", 200), ("5 9", 1400), ("12 12", 2400)])
    def test_starting_assets_are_rolled_once(self, dice: str, assets: int) -> None:
        one, other = dice.split()
        table = lay_table(Ash=sheet(has_rolled_assets=False))
        table.do("Ash", "roll_assets", f"d12:{one} d12:{other}")

        assert table.points("Ash", "assets") == assets
        assert "Only" not in table.why("Ash", "roll_assets")
        table.do("GM Ash", "roll_assets", "d12:1 d12:2")
        assert table.points("Ash", "assets") == 300


class TestGrowing:
    @pytest.mark.rule("CMP-SKILL-08")
    def test_a_stat_of_20_is_not_offered_to_be_raised(self) -> None:
        table = lay_table(Ash=sheet({"STR": 20, "LCK": 19}, stat_points=1))
        (raised,) = [
            act for act in acts_of(RULESET, table.scene, id_of("Ash")) if act.do.procedure == "raise"
        ]
        labels = [one.label for one in raised.do.choices]
        assert "Luck 19 → 20" in labels
        assert not [label for label in labels if label.startswith("Strength")]

    def test_another_skill_can_be_chosen_where_there_is_one(self) -> None:
        for skills, is_asked in (({}, False), ({"Acrobatics/Dodging": 1}, True)):
            table = lay_table(Ash=sheet(skills=skills))
            found = [
                act for act in acts_of(RULESET, table.scene, id_of("Ash")) if act.do.procedure == "attack"
            ]
            assert ["skill" in act.adjusts for act in found] == [is_asked]

    @pytest.mark.rule("CMP-SKILL-02", "CMP-SKILL-08")
    @pytest.mark.parametrize(("level", "points", "offered"), [(5, 2, False), (4, 2, True), (4, 1, True)])
    def test_a_skill_of_level_5_is_not_offered_to_be_raised(
        self, level: int, points: int, offered: bool
    ) -> None:
        table = lay_table(Ash=sheet(skills={"Physical/Balance": level}, skill_points=points))
        raised = [act for act in acts_of(RULESET, table.scene, id_of("Ash")) if act.do.procedure == "spend"]
        labels = [one.label for act in raised for one in act.do.choices]
        assert ("Balance 4 → 5" in labels) is offered
        assert not [label for label in labels if label.startswith("Balance 5")]
        assert {"points" in act.adjusts for act in raised} == {points > 1}

    @pytest.mark.rule("CMP-SKILL-08", "CMP-CHAR-07")
    def test_growth_is_each_stat_and_skill_that_rose(self) -> None:
        before, after = (
            sheet({"STR": score}, skills)
            for score, skills in (
                (7, {"Physical/Balance": 1}),
                (8, {"Physical/Balance": 2, "Social/Etiquette": 1}),
            )
        )
        assert [(one.what, one.before, one.after) for one in growth(before, after, CompareSettings())] == [
            ("Strength", "7", "8"),
            ("Balance", "1", "2"),
            ("Etiquette", "0", "1"),
        ]
