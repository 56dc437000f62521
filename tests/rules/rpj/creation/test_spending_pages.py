"""The wizard's pages of class, traits, skills and the person."""

import pytest

from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, TraitSource
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.module import ClassSkill
from tests.rules.rpj.creation.wizard import Wizard, laeniel
from tests.rules.rpj.people import module_with

MAGE = "blunt_weapons/,survival/,intimidate/,alchemy/"


def ug(points: int = 50) -> Wizard:
    """Ug the Cave-Mage with rolled attributes, so that they bring no points."""
    wizard = Wizard(start_points=points).pick(method="roll").throw("luck", "3 3")
    wizard.throw("pool", "6 6 4 4 3 3 2 2 2 2 1 2 1 1").pick(INT="6", WIL="4", CON="3", STR="2", DEX="2")
    return wizard.pick(CHA="1").pick(**{"class": "cave_mage"}).pick(class_skills=MAGE)


def purse(wizard: Wizard) -> str:
    return wizard.steps["skills"].text.split("\n")[0]


@pytest.mark.rule("RPJ-CHAR-07", "RPJ-CHAR-11")
class TestClasses:
    def test_a_class_says_what_it_costs_and_what_comes_with_it(self) -> None:
        wizard = ug()

        assert wizard.choices("class")["cave_mage"].note.startswith("costs 5")
        assert "Comes with: Speaks in Grunts." in wizard.steps["class"].text
        assert purse(wizard) == "50 character points · class −5 · 45 left"

    def test_its_quirks_cost_nothing(self) -> None:
        sheet = ug().made()

        assert sheet.traits == (OwnTrait(trait="speaks_in_grunts", source=TraitSource.CLASS),)
        assert (sheet.available_points, sheet.total_points) == (45, 50)

    def test_one_that_is_too_dear_says_what_is_left(self) -> None:
        wizard = laeniel(start_points=4)

        assert wizard.refusal("class", "cave_mage") == (
            "Cave-Mage would cost 5 character points; 4 are left for it."
        )

    def test_a_module_without_classes_has_no_page_for_them(self) -> None:
        wizard = laeniel(own=module_with(classes=[]))

        assert "class" not in wizard.steps
        assert wizard.made().class_id == ""


@pytest.mark.rule("RPJ-CHAR-08", "RPJ-CHAR-10")
class TestClassSkills:
    def test_four_of_the_list_are_picked(self) -> None:
        wizard = ug().pick(class_skills="survival/,intimidate/,alchemy/")

        assert ("class", "Choose 4 class skills of Cave-Mage; you have 3.") in wizard.problems
        assert wizard.picks["class_skills"].most == 4

    def test_only_the_specialties_that_it_names_are_offered(self) -> None:
        wizard = laeniel().pick(**{"class": "artificer"})

        offered = [value for value in wizard.choices("class_skills") if value.startswith("crafting")]
        assert offered == ["crafting/Metal", "crafting/Wood"]
        wizard.pick(class_skills="crafting/Wood,armorcrafting/,alchemy/,knowledge/")
        assert ClassSkill(skill="crafting", specialty="Wood") in wizard.made().class_skills

    def test_without_a_class_none_are_asked_for(self) -> None:
        assert "class_skills" not in laeniel().picks


@pytest.mark.rule("RPJ-CHAR-13", "RPJ-CHAR-03", "RPJ-TRAIT-02", "RPJ-TRAIT-03")
class TestTraits:
    def test_gifts_cost_and_faults_give(self) -> None:
        wizard = ug().pick(traits="somatic_spellcasting,totally_mute")

        assert purse(wizard) == "50 character points · class −5 · gifts −6 · faults +4 · 43 left"
        assert wizard.made().total_points == 50

    def test_what_comes_with_a_class_is_not_offered(self) -> None:
        assert "speaks_in_grunts" not in ug().choices("traits")

    def test_one_that_is_too_dear_says_what_is_left(self) -> None:
        wizard = laeniel(start_points=5)

        assert wizard.refusal("traits", "lucky") == "Lucky would cost 7 character points; 5 are left."

    def test_together_they_may_be_too_dear(self) -> None:
        wizard = laeniel(start_points=8).pick(traits="lucky,riposte")

        assert ("skills", "Everything costs 11 character points; you have 8.") in wizard.problems


@pytest.mark.rule("RPJ-CHAR-14", "RPJ-SKILL-02")
class TestBuyingSkills:
    def test_ug_spends_what_he_has(self) -> None:
        wizard = ug().pick(traits="somatic_spellcasting,totally_mute")
        left = []
        for bought in (
            {"alchemy": 5},
            {"blunt_weapons": 3, "survival": 3, "intimidate": 3},
            {"open_lock": 2, "trade": 2, "games": 2},
        ):
            for skill, level in bought.items():
                wizard.buy(skill, level)
            left.append(int(purse(wizard).split(" ")[-2]))

        assert left == [28, 10, 1]
        assert wizard.made().available_points == 1

    def test_each_level_says_its_price_and_what_is_left_then(self) -> None:
        wizard = ug().pick(buying="alchemy")

        offered = wizard.choices("level.alchemy")
        assert [offered[level].label for level in "0135"] == [
            "0 · not bought",
            "1 · costs 1",
            "3 · costs 6",
            "5 · costs 15",
        ]
        assert offered["5"].note == "leaves 30"

    def test_one_that_is_too_dear_says_what_it_would_cost(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4).pick(buying="trade")

        assert wizard.refusal("level.trade", "3") == (
            "Trade 3 would cost 6 character points; 5 are left for it."
        )

    def test_what_is_paid_already_counts_for_a_raise(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4).pick(buying="games")

        assert wizard.choices("level.games")["5"].note == "leaves 0"

    def test_a_skill_is_lowered_again_and_left(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("alchemy", 0)

        assert wizard.made().skills == ()

    def test_the_best_attribute_links_it_unless_another_is_chosen(self) -> None:
        wizard = laeniel().pick(**{"class": "knight"})
        wizard.pick(class_skills="large_blades/,horsemanship/,command/,intimidate/").buy("horsemanship", 2)
        assert wizard.made().skills[0].linked is RpjAttribute.DEX

        wizard.pick(linked__horsemanship="CHA")

        assert wizard.made().skills == (OwnSkill(skill="horsemanship", base=2, linked=RpjAttribute.CHA),)


@pytest.mark.rule("RPJ-CHAR-06")
class TestTheTierCap:
    def test_a_level_above_it_is_not_offered(self) -> None:
        """F-RPJ-11."""
        wizard = ug(points=40).pick(buying="alchemy")

        assert list(wizard.choices("level.alchemy")) == ["0", "1", "2", "3", "4"]

    def test_with_fifty_points_five_is_the_most(self) -> None:
        wizard = ug().pick(buying="alchemy")

        assert "5" in wizard.choices("level.alchemy")
        assert "6" not in wizard.choices("level.alchemy")


@pytest.mark.rule("RPJ-SKILL-21")
class TestSpecialties:
    def test_a_skill_that_takes_one_asks_for_it(self) -> None:
        wizard = ug().buy("crafting", 2)

        assert [blank.key for blank in wizard.steps["skills"].blanks] == ["specialty.crafting"]
        assert ("skills", "Crafting needs a specialty, for example Crafting (Wood).") in wizard.problems
        wizard.draft["specialty.crafting"] = ("Wood",)
        assert wizard.made().skills[0].specialty == "Wood"

    def test_one_that_takes_none_asks_for_none(self) -> None:
        assert ug().pick(buying="alchemy").steps["skills"].blanks == ()


@pytest.mark.rule("RPJ-CHAR-01")
def test_who_it_is_may_be_said_or_not() -> None:
    wizard = ug()
    assert wizard.made().biography == ""

    wizard.draft |= {"species": ("Cave man",), "gender": ("he",), "biography": ("Ug strong.",)}

    sheet = wizard.made()
    assert (sheet.species, sheet.gender, sheet.biography) == ("Cave man", "he", "Ug strong.")


@pytest.mark.rule("RPJ-CHAR-12", "RPJ-CHAR-17")
def test_leftover_points_are_kept() -> None:
    wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4)

    assert wizard.made().available_points == 5
