"""Characters: the wizard, stats rolled and placed, Assets, skills, what follows from a stat."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import own_skills, skill_names, weapon_named
from bot.rules.compare_roll.compare_gm import FOES, RECORDS, read_tags
from bot.rules.compare_roll.creation import BEGINNER, stat_problems
from bot.rules.compare_roll.fortunes import ft_max, movement
from bot.rules.compare_roll.sheet import Carried, CompareSettings, CompareSheet, CompareStatus, hp_max
from bot.rules.compare_roll.sheet_text import SUGGESTION_LISTS, shown_stat
from bot.rules.compare_roll.tables import CATEGORIES, Stat, stat_bonus
from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from tests.rules.compare_roll.play import (
    FAILURE,
    SUCCESS,
    GameTable,
    fall,
    foe,
    labels,
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
        assert shown_stat(sheet({"STR": 12}), Stat.STR) == "12 (+1)"
        assert shown_stat(sheet({"STR": 4}), Stat.STR) == "4 (−1)"

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

    def test_the_wizard_first_asks_for_the_method_of_making_stats(self) -> None:
        assert sentences({})[0] == "Choose how you make your stats."

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
        assert "isn't finished" in table.refused("Ash", "luck")
        assert "Influence, Luck" in table.refused("Ash", "finish")
        done = table.do("Ash", "roll_stats", self.DICE)
        assert done.notes == ("To place: 11, 9, 8, 7, 6, 4.",)
        for stat in ("STR", "AGI", "INT", "EDU", "INF", "LCK"):
            done = table.press("Ash", done.follow_ups[0], choose=stat)
        assert labels(done) == ["Finish", "Roll Assets 2d12 × 100"]
        finished = table.press("Ash", done.follow_ups[0])

        assert finished.notes == ("16 skill points left to spend later.",)
        assert (table.hp("Ash"), table.ft("Ash")) == (44, "13/13")
        assert dict(table.sheet("Ash").stats) == {"STR": 11, "AGI": 9, "INT": 8, "EDU": 7, "INF": 6, "LCK": 4}
        assert "is already finished" in table.refused("Ash", "finish")

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
        assert "no rolls to place" in table.refused("Ash", "place", stat="STR")
        table.do("Ash", "roll_stats", self.DICE)
        assert "already rolled" in table.refused("Ash", "roll_stats")
        table.do("Ash", "place", stat="STR", value=11)
        assert table.refused("Ash", "place", stat="AGI", value=11) == "You have no 11 left to place."
        assert table.refused("Ash", "place", stat="STR") == "Strength already has a score."
        for method, is_draft in (("points", True), ("rolled", False), ("points", False)):
            unset = tuple(Stat) if is_draft else ()
            made = lay_table(Ash=sheet(method=method, is_draft=is_draft, unset=unset))
            assert "stats are final" in made.refused("Ash", "roll_stats")

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
        assert "Only" not in table.refused("Ash", "roll_assets")
        table.do("GM Ash", "roll_assets", "d12:1 d12:2")
        assert table.points("Ash", "assets") == 300


def dying(luck: int = 7, stress: int = 0, high: int = 0) -> GameTable:
    """Ash at 0 HP by the Ogre's hand."""
    table = lay_table(Ash=sheet({"LCK": luck, "AGI": 1}, ft_lost=40), Ogre=foe(hp=60, ft_max=4))
    table.set("Ash", hp=1, stress=stress, high=high)
    table.settings(opponent_attack="auto_hit")
    table.do("GM Ogre", "attack", "d4:2", targets=("Ash",))
    return table


def knock(table: GameTable, *faces: tuple[int, int]) -> Any:
    """Roll at Death's Door."""
    done = None
    for a, b in faces:
        done = table.do("Ash", "deathsdoor", f"d6:{a} d6:{b}")
    return done


@pytest.mark.rule("CMP-GM-01")
class TestGmDecisions:
    def test_the_gm_sets_numbers_within_their_limits(self, table: GameTable) -> None:
        done = table.do("GM", "fate", target="Ash", hp=50)
        assert done.notes == ("Ash can't have more than 32 HP.",)
        table.do("GM", "fate", target="Ash", hp=5, high=9 - 5)
        assert (table.hp("Ash"), table.points("Ash", "high")) == (5, 4)
        assert table.do("GM", "fate", target="Ash", high=3).notes == (
            "High is capped at 5; 2 points are lost.",
        )

    def test_the_gm_may_force_an_outcome(self, table: GameTable) -> None:
        done = table.do("GM Ash", "luck", FAILURE, outcome="Success")
        assert done.verdict is not None
        assert done.verdict.title == "Success (set by the GM)"
        assert table.points("Ash", "stress") == 0

    @pytest.mark.rule("CMP-COM-12")
    def test_only_the_gm_sees_a_foes_record(self, table: GameTable) -> None:
        done = table.do(
            "GM",
            "foe",
            target="Ogre",
            hp=12,
            fortitude=3,
            rating=4,
            attack=2,
            movement=5,
            weapon="Baseball Bat",
        )
        assert done.notes == ("HP 12/12 · FT 3/3", "Rating: +4 · attack +2 · movement 5 · Baseball Bat")
        assert not done.is_public
        table.do("GM", "foe", target="Wolf")
        assert (
            table.do("GM", "look", target="Wolf").notes[1]
            == "Rating: the campaign's default · attack +0 · movement 6 · Unarmed"
        )
        assert table.do("GM", "look", target="Ash").notes == ("HP 32/32 · FT 14/14",)
        assert "is a player's" in table.refused("GM", "foe", target="Ash")

    def test_a_hyphen_in_a_foes_weapon_is_no_minus(self, table: GameTable) -> None:
        table.settings(weapons=[{"name": "Nine-Ring Blade", "damage": "Light", "distance": "Room"}])

        done = table.do("GM", "foe", target="Ogre", attack=-2, movement=5, weapon="Nine-Ring Blade")

        assert done.notes[1] == "Rating: the campaign's default · attack −2 · movement 5 · Nine-Ring Blade"

    @pytest.mark.rule("CMP-COM-12", "CMP-FT-02")
    def test_a_foes_fortitude_wears_down_like_a_players(self) -> None:
        table = lay_table(Ash=sheet({"STR": 20}), Ogre=foe(hp=10, ft_max=2))
        table.do("Ash", "attack", f"{SUCCESS} d4:2", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (10, "1/2")
        table.do("Ash", "attack", f"{SUCCESS} d4:4", targets=("Ogre",))
        assert (table.hp("Ogre"), table.ft("Ogre")) == (7, "1/2")

    @pytest.mark.rule("CMP-EQ-08", "CMP-CHAR-01")
    def test_the_gm_hands_out_and_takes_gear(self, table: GameTable) -> None:
        table.do("GM", "give", target="Ash", thing="ammunition", count=2)
        assert table.points("Ash", "ammunition") == 8
        table.do("GM", "give", target="Ash", thing="Ammunition", count=-5)
        assert table.points("Ash", "ammunition") == 0
        table.do("GM", "give", target="Ash", thing="Pistol", level=2)
        assert table.sheet("Ash").weapons[0].shots == 10
        table.do("GM", "give", target="Ash", thing="Pistol", level=3)
        table.do("GM", "give", target="Ash", thing="Revolver")
        assert [one.level for one in table.sheet("Ash").weapons] == [3, 1]
        table.do("GM", "give", target="Ash", thing="pistol", count=-1)
        table.do("GM", "give", target="Ash", thing="Grenade", count=3)
        table.do("GM", "give", target="Ash", thing="Light Armor")
        table.do("Ash", "equip", armour="Light Armor")
        assert table.do("GM", "give", target="Ash", thing="Light Armor", count=-1).headline == (
            "takes Light Armor from Ash"
        )
        assert (table.sheet("Ash").armour, len(table.sheet("Ash").weapons)) == ("", 1)
        assert "no weapon" in table.refused("GM", "give", target="Ash", thing="Moon")
        assert "other than 0" in table.refused("GM", "give", target="Ash", thing="Stim", count=0)

    @pytest.mark.rule("CMP-EQ-08", "CMP-WPN-09")
    @pytest.mark.parametrize(
        ("had", "thing", "count", "told", "has"),
        [
            (0, "Stim", 1, "gives Stim to Ash", 1),
            (0, "Stim", 3, "gives 3 × Stim to Ash", 3),
            (3, "Stim", -1, "takes Stim from Ash", 2),
            (3, "Stim", -2, "takes 2 × Stim from Ash", 1),
            (2, "Stim", -5, "takes 2 × Stim from Ash", 0),
            (0, "Ammunition", 1, "gives Ammunition to Ash", 4),
            (1, "Ammunition", 2, "gives 2 × Ammunition to Ash", 9),
            (5, "Ammunition", -1, "takes Ammunition from Ash", 1),
            (4, "Ammunition", -1, "takes Ammunition from Ash", 0),
            (3, "Ammunition", -1, "takes the last Ammunition from Ash", 0),
            (9, "Ammunition", -2, "takes 2 × Ammunition from Ash", 1),
            (1, "Ammunition", -1, "takes the last Ammunition from Ash", 0),
            (1, "Ammunition", -9, "takes the last Ammunition from Ash", 0),
        ],
    )
    def test_what_is_given_and_taken_is_counted(
        self, had: int, thing: str, count: int, told: str, has: int
    ) -> None:
        table = lay_table(
            Ash=sheet(items=[{"name": "Stim", "count": had}] if thing == "Stim" and had else [])
        )
        table.set("Ash", ammunition=had)

        assert table.do("GM", "give", target="Ash", thing=thing, count=count).headline == told
        left = table.sheet("Ash").belonging("Stim")
        stims = left.count if left else 0
        assert (stims if thing == "Stim" else table.points("Ash", "ammunition")) == has

    @pytest.mark.parametrize("thing", ["Stim", "Ammunition", "Pistol"])
    def test_nothing_is_taken_from_who_has_none(self, table: GameTable, thing: str) -> None:
        assert table.refused("GM", "give", target="Ash", thing=thing, count=-1) == f"Ash has no {thing}."

    @pytest.mark.parametrize(("kept", "armour"), [(2, "Light Armor"), (1, "")])
    def test_only_the_last_armour_taken_is_taken_off(self, kept: int, armour: str) -> None:
        items = [{"name": "Light Armor", "count": kept}, {"name": "Stim", "count": 1}]
        table = lay_table(Ash=sheet(items=items, armour="Light Armor"))
        table.do("GM", "give", target="Ash", thing="Stim", count=-1)
        table.do("GM", "give", target="Ash", thing="Light Armor", count=-1)
        assert table.sheet("Ash").armour == armour

    @pytest.mark.parametrize(("armour", "left"), [(1, ""), (2, "Light Armor")])
    def test_only_the_last_armour_handed_over_is_taken_off(self, armour: int, left: str) -> None:
        items = [{"name": "Light Armor", "count": armour}, {"name": "Stim", "count": 1}]
        table = lay_table(Ash=sheet(items=items, armour="Light Armor"))
        table.do("Ash", "hand", thing="Stim", target="Bram")
        assert table.sheet("Ash").armour == "Light Armor"
        table.do("Ash", "hand", thing="light armor", target="Bram")
        assert table.sheet("Ash").armour == left

    @pytest.mark.rule("CMP-CHAR-05")
    @pytest.mark.parametrize(
        ("amount", "told", "has"),
        [(1, "earns 1 Assets", 51), (-1, "spends 1 Assets", 49), (-50, "spends 50 Assets", 0)],
    )
    def test_assets_are_earned_and_spent_down_to_0(self, amount: int, told: str, has: int) -> None:
        table = lay_table()
        table.set("Ash", assets=50)
        assert table.do("Ash", "money", amount=amount).headline == told
        assert table.points("Ash", "assets") == has
        assert "only" in table.refused("Ash", "money", amount=-has - 1)

    @pytest.mark.rule("CMP-CHAR-05")
    def test_what_is_counted_moves_from_one_to_the_other(self) -> None:
        table = lay_table()
        table.set("Ash", assets=50, ammunition=3)
        table.set("Bram", assets=7)
        table.do("Ash", "hand", thing="Assets", target="Bram", count=20)
        assert (
            table.do("Ash", "hand", thing="Ammunition", target="Bram").headline
            == "hands 1 Ammunition to Bram"
        )
        assert [table.points(who, "assets") for who in ("Ash", "Bram")] == [30, 27]
        assert [table.points(who, "ammunition") for who in ("Ash", "Bram")] == [2, 1]

    @pytest.mark.rule("CMP-SKILL-08")
    def test_awards_say_what_is_left_to_spend(self, table: GameTable) -> None:
        done = table.do("GM", "award", target="Ash", skill_points=1, stat_points=2)
        assert done.notes == ("Now 1 skill point and 2 stat points to spend.",)
        assert done.awards == (("Skill points", 1), ("Stat points", 2))
        assert table.do("GM", "award", target="Ash", skill_points=1).awards == (("Skill points", 1),)
        assert "Give skill points" in table.refused("GM", "award", target="Ash")

    @pytest.mark.rule("CMP-SKILL-08")
    @pytest.mark.parametrize("rule", RULESET.awards, ids=lambda rule: rule.key)
    def test_awarded_points_are_taken_back_down_to_0(self, rule: Any) -> None:
        made = sheet(skill_points=2, stat_points=2)
        left = [getattr(rule.give(made, points), rule.key) for points in (3, -1, -2)]
        assert left == [5, 1, 0]
        with pytest.raises(UserError, match="more points than are left"):
            rule.give(made, -3)

    @pytest.mark.rule("CMP-GM-01", "CMP-DEATH-03")
    def test_the_gm_revives_only_the_dead(self) -> None:
        table = lay_table(Ash=sheet(status="dead"))
        table.set("Ash", hp=0)
        assert "at least one option" in table.refused("GM", "fate", target="Ash")
        assert "isn't dead" in table.refused("GM", "fate", target="Bram", revive=True)
        revived = table.do("GM", "fate", target="Ash", revive=True)
        assert revived.headline == "revives Ash"
        assert table.sheet("Ash").status is CompareStatus.STABLE
        table.do("GM", "fate", target="Ash", hp=1)
        assert (table.sheet("Ash").status, table.hp("Ash")) == (CompareStatus.ACTIVE, 1)

    @pytest.mark.rule("CMP-COM-12")
    def test_a_record_keeps_what_is_not_set_and_gets_each_weapon_once(self) -> None:
        table = lay_table(Ogre=foe(hp=20, rating=3, attack=2))
        table.do("GM", "foe", target="Ogre", weapon="Pistol")
        table.do("GM", "foe", target="Ogre", weapon="Revolver")
        table.do("GM", "foe", target="Ogre", fortitude=2, weapon="Pistol")
        record = table.sheet("Ogre").foe
        assert record is not None
        assert (record.hp, record.rating, record.attack, record.ft_max) == (20, 3, 2, 2)
        assert [one.name for one in table.sheet("Ogre").weapons] == ["Pistol", "Revolver"]

    @pytest.mark.rule("CMP-COM-12", "CMP-ROLL-02")
    def test_a_better_foe_is_hardier_and_better_armed(self) -> None:
        settings = CompareSettings()
        made = [FOES.make(level, settings) for level in FoeLevel]
        armed = [
            FOES.give(one, level, ["Pistol"], settings) for one, level in zip(made, FoeLevel, strict=True)
        ]

        assert [one.foe for one in made] == list(RECORDS.values())
        assert [(one.hp, one.hp_max, one.ft_max, one.rating, one.attack) for one in RECORDS.values()] == [
            (6, 6, 0, 0, -1),
            (12, 12, 1, 2, 0),
            (20, 20, 2, 4, 2),
            (35, 35, 4, 6, 4),
        ]
        assert [one.weapons[0].level for one in armed] == [1, 2, 3, 4]
        hurt = made[2].changed(foe=evolve(RECORDS[FoeLevel.STRONG], hp=1), ft_lost=2)
        assert FOES.fresh(hurt) == made[2]


@pytest.mark.rule("CMP-GM-02")
class TestCampaignLists:
    @staticmethod
    def completed(key: str, row: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
        settings = CompareSettings.model_validate({"skills": [{"category": "Technical", "name": "Hacking"}]})
        (edited,) = [one for one in RULESET.lists if one.key == key]
        return dict(edited.complete(settings, before, row))

    @pytest.mark.parametrize(
        ("row", "before", "is_new"),
        [
            ({"category": "Technical", "name": "hacking"}, None, False),
            ({"category": "Social", "name": "Hacking"}, None, True),
            ({"category": "Physical", "name": "Balance"}, None, False),
            ({"category": "Social", "name": "Balance"}, None, True),
            (
                {"category": "Technical", "name": "hacking"},
                {"category": "Technical", "name": "Hacking"},
                True,
            ),
            ({"category": "Technical", "name": "Hacking"}, {"category": "Social", "name": "Hacking"}, False),
            ({"category": "Technical"}, None, True),
        ],
    )
    def test_a_category_has_each_skill_once(
        self, row: dict[str, Any], before: dict[str, Any] | None, is_new: bool
    ) -> None:
        if is_new:
            assert self.completed("skills", row, before) == row
        else:
            with pytest.raises(UserError, match="already has"):
                self.completed("skills", row, before)

    @pytest.mark.parametrize(
        ("field", "kind"), [("charges", "ammunition"), ("heals_sides", "remedy"), ("fortitude", "armour")]
    )
    def test_an_item_has_the_numbers_of_its_kind_only(self, field: str, kind: str) -> None:
        for other in ("ammunition", "remedy", "armour", "comms"):
            for nothing in (None, 0, "0"):
                self.completed("items", {"kind": other, field: nothing})
            if other == kind:
                assert self.completed("items", {"kind": other, field: 1})[field] == 1
                continue
            for value in (1, "1", 6):
                with pytest.raises(UserError):
                    self.completed("items", {"kind": other, field: value})

    def test_new_ammunition_holds_four_reloads_unless_said_otherwise(self) -> None:
        assert self.completed("items", {"kind": "ammunition"})["charges"] == 4
        assert self.completed("items", {"kind": "ammunition", "charges": 6})["charges"] == 6
        assert "charges" not in self.completed("items", {"kind": "comms"})

    @pytest.mark.rule("CMP-WPN-13")
    @pytest.mark.parametrize(
        ("extra", "dice"),
        [("1d6", (1, 6)), ("+2d8", (2, 8)), ("20d20", (20, 20)), ("1d2", (1, 2)), ("", (0, 6))],
    )
    def test_extra_dice_are_a_number_and_their_faces(
        self, table: GameTable, extra: str, dice: tuple[int, int]
    ) -> None:
        table.do("GM", "add_weapon", name="Thing", tags="Light Far", extra=extra)
        weapon = weapon_named(table.scene.settings, "Thing")
        assert (weapon.extra_dice, weapon.extra_sides) == dice

    @pytest.mark.parametrize("extra", ["0d6", "21d6", "1d1", "1d21", "d6"])
    def test_extra_dice_out_of_range_are_refused(self, table: GameTable, extra: str) -> None:
        told = table.refused("GM", "add_weapon", name="Thing", tags="Light Far", extra=extra)
        assert told == f"“{extra}” can't be read as dice."

    @pytest.mark.rule("CMP-WPN-11")
    @pytest.mark.parametrize(("level", "is_one"), [(0, False), (1, True), (5, True), (6, False)])
    def test_a_weapon_requires_a_level_that_a_skill_can_have(
        self, table: GameTable, level: int, is_one: bool
    ) -> None:
        options = {"name": "Thing", "tags": "Light Far", "requires": f"Mechanics {level}"}
        if is_one:
            table.do("GM", "add_weapon", **options)
            weapon = weapon_named(table.scene.settings, "Thing")
            assert (weapon.requires and weapon.requires.level) == level
        else:
            assert "isn't a requirement" in table.refused("GM", "add_weapon", **options)

    def test_skills_of_one_name_belong_to_their_categories(self, table: GameTable) -> None:
        for category in ("Social", "Technical"):
            table.do("GM", "add_skill", category=category, name="Haggling")
        found = own_skills(table.sheet("Ash"), table.scene.settings, named="haggling")
        assert [one.category for one in found] == ["Technical", "Social"]

    def test_the_gm_adds_a_weapon_by_its_tags(self, table: GameTable) -> None:
        table.do("GM", "add_weapon", name="Rail Gun", tags="Tech, Piercing, Far", level=2)
        table.do("GM", "give", target="Ash", thing="rail gun")
        table.do(
            "Ash",
            "attack",
            f"{fall((6, 5), (1, 1))} d10:3 d10:4",
            targets=("Ogre", "Wolf"),
            distance="100, 300",
        )
        assert (table.hp("Ogre"), table.hp("Wolf")) == (23, 23)
        table.do(
            "GM",
            "add_weapon",
            name="rail gun",
            tags="heavy far",
            extra="+1d6",
            requires="Mechanics 2",
            burn=6,
            reload=3,
        )
        assert len(RULESET.settings.model_validate(table.scene.settings.model_dump()).weapons) == 1  # type: ignore[attr-defined]  # our settings

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"tags": "Magic, Far"}, "There is no tag “Magic”."),
            ({"tags": "Light"}, "A weapon needs a damage tag and a distance tag."),
            ({"tags": "Light Far", "extra": "many"}, "“many” can't be read as dice."),
            ({"tags": "Light Far", "extra": "0d6"}, "“0d6” can't be read as dice."),
            ({"tags": "Light Far", "requires": "Mechanics"}, "“Mechanics” isn't a requirement."),
        ],
    )
    def test_weapon_tags_that_cannot_be_read_are_refused(
        self, table: GameTable, options: dict[str, Any], told: str
    ) -> None:
        assert table.refused("GM", "add_weapon", name="Thing", **options) == told

    def test_weapon_tags_may_stand_in_any_order(self) -> None:
        assert read_tags("arc room TECH") == ("Tech", "Room", "Arc")
        with pytest.raises(UserError, match="no tag"):
            read_tags("")

    def test_a_skill_added_for_everybody_uses_no_custom_skill_slot(self, table: GameTable) -> None:
        table.do("GM", "add_skill", category="technical", name="Hacking")
        assert "already" in table.refused("GM", "add_skill", category="Technical", name="hacking")
        assert "Technical/Hacking" in SUGGESTION_LISTS["skill"](None, table.scene.settings)
        table.do("Ash", "check", FAILURE, skill="Hacking")

    def test_the_gm_adds_a_difficulty_and_an_item(self, table: GameTable) -> None:
        table.do("GM", "add_difficulty", name="Brutal", number=10)
        assert "Brutal (+10)" in table.do("Ash", "luck", FAILURE, difficulty="brutal").headline
        table.do("GM", "add_difficulty", name="Dire", number=14)
        table.do("GM", "add_difficulty", name="brutal", number=11)
        added = [(one.name, one.number) for one in table.scene.settings.difficulties]
        assert added[-2:] == [("brutal", 11), ("Dire", 14)]
        assert "Brutal" not in dict(added)
        table.do("GM", "add_item", name="Quiver", kind="ammunition", charges=6)
        table.do("GM", "add_item", name="Plate", kind="armour", fortitude=8, movement=-3)
        table.do("GM", "give", target="Ash", thing="Quiver")
        table.do("GM", "give", target="Ash", thing="Plate")
        table.do("Ash", "equip", armour="plate")
        assert (table.points("Ash", "ammunition"), table.ft("Ash")) == (6, "22/22")

    def test_option_fields_suggest_names_from_the_lists(self) -> None:
        made = sheet(
            None, {"Social/Etiquette": 1}, items=[{"name": "Stim"}, {"name": "Light Armor"}, {"name": "Moon"}]
        )
        ash, settings = lay_table(Ash=made).named("Ash"), CompareSettings()
        offered = {kind: list(offer(ash, settings)) for kind, offer in SUGGESTION_LISTS.items()}

        assert offered["skill"][0] == "Social/Etiquette"
        assert (offered["remedy"], offered["armour"], offered["weapon"]) == (
            ["Stim"],
            ["Light Armor"],
            ["Unarmed"],
        )
        assert offered["category"][0] == "Physical"
        assert offered["difficulty"][-1] == "Impossible"
        assert {"Pistol", "Stim"} <= set(offered["thing"])
        assert "Stim" not in offered["any_weapon"]
        assert [list(SUGGESTION_LISTS[kind](None, settings)) for kind in ("remedy", "weapon")] == [[], []]
