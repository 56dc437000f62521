"""Characters: the wizard, stats rolled and placed, Assets, skills, what follows from a stat."""

from typing import Any

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import find_skill, own_skills, skill_names
from bot.rules.compare_roll.creation import creation_problems, stat_problems
from bot.rules.compare_roll.describing import shown_stat
from bot.rules.compare_roll.fortunes import ft_max, movement
from bot.rules.compare_roll.settings import CompareSettings
from bot.rules.compare_roll.sheet import CompareSheet, hp_max, sheet_of
from bot.rules.compare_roll.tables import CATEGORIES, LEVEL_NAMES, Stat, stat_bonus
from bot.rules.mistakes import Mistake
from tests.rules.compare_roll.play import FAILURE, GameTable, button, foe, labels, lay_table, sheet
from tests.rules.compare_roll.vectors import vectors

SETTINGS = CompareSettings()
POINTS = {stat.value: ("5",) for stat in Stat}
DRAFT: dict[str, tuple[str, ...]] = {"method": ("points",), **POINTS}


def sentences(draft: dict[str, tuple[str, ...]], settings: CompareSettings = SETTINGS) -> list[str]:
    return [problem.sentence for problem in RULESET.creation.problems(draft, settings)]


class TestNumbers:
    @pytest.mark.rule("CMP-STAT-03", "CMP-STAT-02")
    @pytest.mark.parametrize("row", vectors("band"))
    def test_a_score_gives_its_bonus(self, row: dict[str, Any]) -> None:
        assert stat_bonus(row["score"]) == row["bonus"]

    @pytest.mark.rule("CMP-CHAR-02")
    @pytest.mark.parametrize("row", vectors("hp"))
    def test_hp(self, row: dict[str, Any]) -> None:
        assert hp_max(sheet({"STR": row["strength"], "AGI": row["agility"]})) == row["hp"]

    @pytest.mark.rule("CMP-CHAR-03")
    @pytest.mark.parametrize("row", vectors("ft"))
    def test_fortitude(self, row: dict[str, Any]) -> None:
        settings = CompareSettings(ft_base_constant=row["constant"])
        made = sheet({"LCK": row["luck"], "AGI": row["agility"]}, armour=row["armour"])

        assert ft_max(made, settings) == row["ft"]

    @pytest.mark.rule("CMP-COM-02")
    @pytest.mark.parametrize("row", vectors("movement"))
    def test_movement(self, row: dict[str, Any]) -> None:
        assert movement(sheet({"AGI": row["agility"]}, armour=row["armour"]), SETTINGS) == row["spaces"]

    @pytest.mark.rule("CMP-CHAR-01")
    def test_scores_are_shown_with_their_bonus(self) -> None:
        assert shown_stat(sheet({"STR": 12}), Stat.STR) == "12 (+1)"
        assert shown_stat(sheet({"STR": 4}), Stat.STR) == "4 (−1)"

    @pytest.mark.rule("CMP-STAT-02")
    @pytest.mark.parametrize(("score", "is_allowed"), [(0, False), (1, True), (20, True), (21, False)])
    def test_scores_lie_from_1_to_20(self, score: int, is_allowed: bool) -> None:
        try:
            sheet({"STR": score})
        except ValueError:
            assert not is_allowed
        else:
            assert is_allowed


@pytest.mark.rule("CMP-CHAR-06", "CMP-STAT-05", "CMP-SKILL-02", "CMP-SKILL-05")
class TestWizard:
    def test_a_whole_draft_makes_a_sheet(self) -> None:
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
        assert made.level("Acrobatics", "Stealth") == 5
        assert made.level("Acrobatics", "Dodging") == 1
        assert made.skill_points == 8
        assert [(one.name, one.is_approved) for one in made.customs] == [("Robotics", False)]

    def test_its_pages_depend_on_the_answers(self) -> None:
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
            ((21, 5, 1, 1, 1, 1), 1, ["Each score is from 1 to 20."]),
            ((20, 7, 1, 1, 1, 0), 1, ["Each score is from 1 to 20."]),
            ((5, 5, 5, 5, 5, 4), 1, ["The six scores add up to 30: 1 points are left."]),
            ((6, 6, 5, 5, 5, 5), 1, ["The six scores add up to 30: 2 points too many are spent."]),
            ((4, 4, 4, 4, 4, 4), 0, []),
        ],
    )
    def test_points_add_up(self, scores: tuple[int, ...], base: int, told: list[str]) -> None:
        settings = CompareSettings(stat_points_base=base)

        assert [one.sentence for one in stat_problems(scores, settings)] == told

    def test_the_method_is_chosen_first(self) -> None:
        assert sentences({})[0] == "Choose how the stats are made."

    @pytest.mark.parametrize(
        ("levels", "is_allowed"), [((5, 5, 5, 1), True), ((5, 5, 5, 2), False), ((5, 5, 3), True)]
    )
    def test_sixteen_points(self, levels: tuple[int, ...], is_allowed: bool) -> None:
        names = ("Balance", "Reflexes", "Stamina", "Endurance")[: len(levels)]
        picks = {f"Physical/{name}": (str(level),) for name, level in zip(names, levels, strict=True)}

        assert (sentences({**DRAFT, "in_Physical": names, **picks}) == []) is is_allowed

    def test_sixteen_skills_at_one(self) -> None:
        six = {of: tuple(row.skills) for of, row in CATEGORIES.items()}
        picks = {
            "in_Physical": six["Physical"],
            "in_Acrobatics": six["Acrobatics"],
            "in_Technical": six["Technical"][:4],
        }
        assert sentences({**DRAFT, **picks}) == []
        assert sentences({**DRAFT, **picks, "in_Technical": six["Technical"]}) == [
            "At most 16 skills can be bought.",
            "2 skill points too many are spent; there are 16.",
        ]

    @pytest.mark.parametrize(
        ("own", "told"),
        [
            (("Robotics 2",), "cannot be read"),
            (("Nonsense: Robotics 2",), "no category"),
            (("Technical: Robotics 6",), "cannot be read"),
            (("Technical: farming 1",), "Technical has farming already."),
            (("Technical: Robots 1", "technical: robots 2"), "there twice"),
        ],
    )
    def test_own_skills_are_read(self, own: tuple[str, ...], told: str) -> None:
        draft = {**DRAFT, **{f"own_{at}": (text,) for at, text in enumerate(own, start=1)}}

        assert told in " ".join(sentences(draft))

    def test_ready_made_characters_are_legal(self) -> None:
        assert len(RULESET.creation.ready_made) == 4
        for made in RULESET.creation.ready_made.values():
            assert RULESET.sheet_problems(made) == ()
            assert isinstance(made, CompareSheet)
            assert sum(made.stats.values()) == 30
            assert (made.skill_points, sum(one.level for one in made.skills)) == (0, 16)


def sheet_of_draft(draft: dict[str, tuple[str, ...]]) -> CompareSheet:
    assert creation_problems(draft, SETTINGS) == ()
    made = RULESET.creation.build(draft, SETTINGS)
    assert isinstance(made, CompareSheet)
    return made


@pytest.mark.rule("CMP-STAT-04", "CMP-CHAR-04", "CMP-CHAR-06")
class TestRolled:
    DICE = " ".join(f"d6:{a} d6:{b}" for a, b in ((3, 4), (4, 5), (2, 2), (5, 6), (3, 3), (4, 4)))

    def rolled(self) -> GameTable:
        return lay_table(Ash=sheet_of_draft({"method": ("rolled",)}).changed(has_rolled_assets=False))

    def test_six_sums_are_placed_one_after_the_other(self) -> None:
        table = self.rolled()
        assert "not finished" in table.refused("Ash", "luck")
        assert "Influence, Luck" in table.refused("Ash", "finish")
        done = table.do("Ash", "roll_stats", self.DICE)
        assert done.notes == ("To place: 11, 9, 8, 7, 6, 4.",)
        for stat in ("STR", "AGI", "INT", "EDU", "INF", "LCK"):
            done = table.press("Ash", done.follow_ups[0], choose=stat)
        assert labels(done) == ["Finish", "Roll Assets 2d12 × 100"]
        finished = table.press("Ash", done.follow_ups[0])

        assert finished.notes == ("16 skill points are left and stay banked.",)
        assert (table.hp("Ash"), table.ft("Ash")) == (44, "13/13")
        assert dict(table.sheet("Ash").stats) == {"STR": 11, "AGI": 9, "INT": 8, "EDU": 7, "INF": 6, "LCK": 4}
        assert "is finished" in table.refused("Ash", "finish")

    def test_each_sum_is_used_once_and_each_stat_gets_one(self) -> None:
        table = self.rolled()
        assert "nothing to place" in table.refused("Ash", "place", stat="STR")
        table.do("Ash", "roll_stats", self.DICE)
        assert "rolled already" in table.refused("Ash", "roll_stats")
        table.do("Ash", "place", stat="STR", value=11)
        assert table.refused("Ash", "place", stat="AGI", value=11) == "There is no 11 left to place."
        assert table.refused("Ash", "place", stat="STR") == "Strength has its score."
        assert "stats stand" in lay_table().refused("Ash", "roll_stats")

    @pytest.mark.parametrize(("dice", "assets"), [("1 1", 200), ("5 9", 1400), ("12 12", 2400)])
    def test_assets_are_rolled_once(self, dice: str, assets: int) -> None:
        one, other = dice.split()
        table = lay_table(Ash=sheet(has_rolled_assets=False))
        table.do("Ash", "roll_assets", f"d12:{one} d12:{other}")

        assert table.points("Ash", "assets") == assets
        assert "Only" not in table.refused("Ash", "roll_assets")
        table.do("GM Ash", "roll_assets", "d12:1 d12:2")
        assert table.points("Ash", "assets") == 300


@pytest.mark.rule("CMP-SKILL-01", "CMP-SKILL-02", "CMP-SKILL-08", "CMP-CHAR-07")
class TestGrowth:
    def test_points_are_awarded_and_spent(self) -> None:
        table = lay_table(Ash=sheet(skills={"Acrobatics/Stealth": 2}, skill_points=2))
        table.do("GM", "award", target="Ash", skill_points=3, stat_points=1)
        assert table.sheet("Ash").skill_points == 5
        table.do("Ash", "spend", skill="Stealth")
        assert table.sheet("Ash").level("Acrobatics", "Stealth") == 3
        assert "is at 3; 5 is the most" in table.refused("Ash", "spend", skill="Stealth", points=3)
        assert "has 4 skill points" in table.refused("Ash", "spend", skill="Stealth", points=5)
        assert "Nothing" in table.refused("GM", "award", target="Ash")

    @pytest.mark.rule("CMP-SKILL-03")
    def test_a_lucky_novice_is_warned(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 15}, skill_points=2))

        assert table.do("Ash", "spend", skill="Stealth").notes[0] == "As a Novice, Luck gave +2."

    def test_a_stat_point_raises_a_stat_and_all_that_follows(self) -> None:
        table = lay_table(Ash=sheet({"AGI": 9, "STR": 20}, stat_points=1))
        assert table.refused("Ash", "raise", stat="STR") == "Strength is at 20, the most."
        done = table.do("Ash", "raise", stat="AGI")

        assert done.notes == ("Agility 9 → 10 (+1) · most HP 62 → 64 · most FT 16 → 17 · movement 6 → 7",)
        assert "no stat points" in table.refused("Ash", "raise", stat="AGI")

    @pytest.mark.parametrize(("score", "before", "after"), [(10, 20, 22), (8, 40, 38), (9, 0, 0)])
    def test_hp_rise_with_their_most_and_are_never_above_it(
        self, score: int, before: int, after: int
    ) -> None:
        table = lay_table(Ash=sheet({"STR": 9, "AGI": 9}))
        table.set("Ash", hp=before)
        table.do("GM", "set_stat", target="Ash", stat="STR", score=score)

        assert table.hp("Ash") == after


@pytest.mark.rule("CMP-SKILL-04", "CMP-SKILL-06", "CMP-STAT-01")
class TestSkills:
    def test_the_lists(self) -> None:
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
    def test_the_category_names_the_stat(self, name: str, stat: str) -> None:
        assert find_skill(sheet(), SETTINGS, name).stat == stat

    def test_of_two_of_one_name_the_better_is_rolled(self) -> None:
        made = sheet(skills={"Social/Leadership": 1, "Command/Leadership": 3})

        assert find_skill(made, SETTINGS, "leadership").words == "Craftsman, +3"
        assert find_skill(made, SETTINGS, "social/Leadership").level == 1
        assert find_skill(sheet(), SETTINGS, "Leadership").category == "Social"
        assert find_skill(sheet(), SETTINGS, "Leadership").words == "Novice"
        table = lay_table(Ash=sheet(skill_points=2))
        table.do("Ash", "spend", skill="Academic/Philosophy", points=2)
        assert table.sheet("Ash").level("Humanities", "Philosophy") == 0

    def test_another_is_refused(self) -> None:
        with pytest.raises(Mistake, match="no skill"):
            find_skill(sheet(), SETTINGS, "Juggling")


@pytest.mark.rule("CMP-SKILL-05")
class TestOwnSkills:
    def test_it_is_rolled_once_the_gm_agrees(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 20}, skill_points=3))
        done = table.do("Ash", "propose", category="technical", name="Robotics", level=1)
        assert "not agreed" in table.refused("Ash", "check", skill="Robotics")
        table.press("GM", button(done, "Agree, with Luck"))
        table.do("Ash", "spend", skill="Robotics")

        done = table.do("Ash", "check", FAILURE, skill="Robotics")
        assert [(term.label, term.value) for term in done.rolls[0].terms] == [("Robotics", 2), ("Luck", 3)]
        assert RULESET.sheet_problems(table.sheet("Ash")) == ()

    def test_a_refused_one_gives_its_points_back(self) -> None:
        table = lay_table(Ash=sheet(skill_points=3))
        done = table.do("Ash", "propose", category="Social", name="Haggling", level=2)
        table.press("GM", button(done, "Refuse"))

        assert (table.sheet("Ash").customs, table.sheet("Ash").skill_points) == ((), 3)
        assert "no such skill" in table.refused("GM", "approve", target="Ash", skill="Haggling")

    def test_four_fit_in_a_category_and_thirty_two_in_all(self) -> None:
        table = lay_table()
        for category in CATEGORIES:
            for at in range(4):
                table.do("Ash", "propose", category=category, name=f"Own {at}")
        assert len(table.sheet("Ash").customs) == 32
        assert "that is the most" in table.refused("Ash", "propose", category="Physical", name="Own 5")

    def test_names_of_the_list_and_points_not_there_are_refused(self, table: GameTable) -> None:
        assert "already" in table.refused("Ash", "propose", category="Physical", name="balance")
        assert "no category" in table.refused("Ash", "propose", category="Magic", name="Fire")
        assert "0 skill points" in table.refused(
            "Ash", "propose", category="Physical", name="Juggling", level=1
        )

    def test_they_stand_behind_their_category(self) -> None:
        table = lay_table()
        table.do("Ash", "propose", category="Physical", name="Juggling")
        table.do("GM", "approve", target="Ash", skill="Juggling")

        assert [one.name for one in own_skills(table.sheet("Ash"), SETTINGS)][6] == "Juggling"


class TestSheet:
    def test_what_is_wrong_is_told(self) -> None:
        five = [{"category": "Physical", "name": f"Own {at}", "level": 0} for at in range(5)]
        twice = sheet(
            skills={"Physical/Balance": 1}, customs=[{"category": "Physical", "name": "balance", "level": 0}]
        )

        assert [one.where for one in RULESET.sheet_problems(sheet(customs=five))] == ["customs"]
        assert [one.where for one in RULESET.sheet_problems(twice)] == ["skills"]
        assert [one.where for one in RULESET.sheet_problems(foe(hp=5, hp_max=4))] == ["foe"]

    @pytest.mark.rule("CMP-CHAR-01")
    def test_it_fits_one_screen(self) -> None:
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
            "Who": ("Age 31 · Sex - · Gender -",),
            "Stats": ("STR 12 (+1) · AGI 7 (+0) · INT 7 (+0)", "EDU 7 (+0) · INF 7 (+0) · LCK 4 (−1)"),
            "Condition": ("HP 27/42 · FT 10/13", "Stress 1/3 · High 2/5 · movement 7"),
            "Skills": (
                "Acrobatics: Stealth 3",
                "Technical: Robotics 2 (waits for the GM)",
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

    def test_a_draft_says_what_is_missing(self) -> None:
        draft = sheet_of_draft({"method": ("rolled",)})
        lines = [
            line
            for one in RULESET.describe(lay_table(Ash=draft).named("Ash"), SETTINGS)
            for line in one.lines
        ]

        assert "STR ? · AGI ? · INT ?" in lines
        assert "Not finished: /compare create stats" in lines
        assert "Assets not rolled: /compare create assets" in lines

    @pytest.mark.rule("CMP-COM-12")
    @pytest.mark.parametrize(("hp", "word"), [(30, "unhurt"), (20, "hurt"), (10, "badly hurt"), (0, "down")])
    def test_of_a_foe_no_numbers_are_shown(self, hp: int, word: str) -> None:
        table = lay_table(Ogre=foe(hp=hp, hp_max=30))

        assert [one.lines for one in RULESET.describe(table.named("Ogre"), SETTINGS)] == [(word, "Unarmed")]

    def test_a_newcomer_has_all_hp_and_nothing_else(self) -> None:
        caps = {rule.key: (rule.start, rule.cap(sheet(), SETTINGS)) for rule in RULESET.resources}

        assert caps == {
            "hp": (84, 32), "stress": (0, 3), "high": (0, 5), "assets": (0, None), "ammunition": (0, None),
        }  # fmt: skip
        assert RULESET.resources[0].cap(foe(), SETTINGS) == 0
        assert sheet_of(lay_table().named("Ogre")).foe is not None
