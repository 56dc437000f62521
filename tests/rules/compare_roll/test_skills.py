"""Skills, points spent later, skills of one's own, the sheet as it is read."""

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.catalogue import find_skill, own_skills, skill_names
from bot.rules.compare_roll.sheet import CompareSettings
from bot.rules.compare_roll.tables import CATEGORIES, LEVEL_NAMES, Stat
from bot.rules.kernel.errors import UserError
from tests.rules.compare_roll.play import FAILURE, GameTable, button, foe, lay_table, sheet, sheet_of_draft

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
        assert "is at level 3; the maximum is 5" in table.refused("Ash", "spend", skill="Stealth", points=3)
        assert "has only 4 skill points" in table.refused("Ash", "spend", skill="Stealth", points=5)
        assert "Give skill points" in table.refused("GM", "award", target="Ash")

    @pytest.mark.rule("CMP-SKILL-03")
    def test_buying_level_1_warns_a_novice_who_rolled_better_with_luck(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 15}, skill_points=2))

        assert (
            table.do("Ash", "spend", skill="Stealth").notes[0] == "As a Novice, Ash rolled it with Luck +2."
        )

    def test_a_stat_point_raises_a_stat_and_everything_derived_from_the_stat(self) -> None:
        table = lay_table(Ash=sheet({"AGI": 9, "STR": 20}, stat_points=1))
        assert table.refused("Ash", "raise", stat="STR") == "Strength is already at its maximum (20)."
        done = table.do("Ash", "raise", stat="AGI")

        assert done.notes == ("Agility 9 → 10 (+1) · max HP 62 → 64 · max FT 16 → 17 · movement 6 → 7",)
        assert "no stat points" in table.refused("Ash", "raise", stat="AGI")

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
        assert "hasn't approved" in table.refused("Ash", "check", skill="Robotics")
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
            assert table.refused("Ash", "spend", **options) == "Balance is at level 3; the maximum is 5."

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
        assert "hasn't proposed this skill" in table.refused("GM", "approve", target="Ash", skill="Haggling")

    def test_a_character_has_at_most_4_custom_skills_a_category_and_32_in_all(self) -> None:
        table = lay_table()
        for category in CATEGORIES:
            for at in range(4):
                table.do("Ash", "propose", category=category, name=f"Own {at}")
        assert len(table.sheet("Ash").customs) == 32
        assert "the maximum" in table.refused("Ash", "propose", category="Physical", name="Own 5")

    def test_a_custom_skill_needs_a_new_name_a_category_and_enough_points(self, table: GameTable) -> None:
        assert "already" in table.refused("Ash", "propose", category="Physical", name="balance")
        assert "no category" in table.refused("Ash", "propose", category="Magic", name="Fire")
        assert "0 skill points" in table.refused(
            "Ash", "propose", category="Physical", name="Juggling", level=1
        )

    def test_custom_skills_are_listed_after_the_skills_of_their_category(self) -> None:
        table = lay_table()
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
            "Who": ("Age 31 · Sex – · Gender –",),
            "Stats": ("STR 12 (+1) · AGI 7 (+0) · INT 7 (+0)", "EDU 7 (+0) · INF 7 (+0) · LCK 4 (−1)"),
            "Condition": ("HP 27/42 · FT 10/13", "Stress 1/3 · High 2/5 · movement 7"),
            "Skills": (
                "Acrobatics: Stealth 3 (rolls +2)",
                "Technical: Robotics 2 (needs GM approval)",
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

        assert "STR ? · AGI ? · INT ?" in lines
        assert "Not finished: use /compare create stats" in lines
        assert "Assets not rolled: use /compare create assets" in lines

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
