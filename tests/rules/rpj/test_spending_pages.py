"""The wizard's pages of class, traits, skills and the person."""

import pytest

from bot.rules.kernel import evolve
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, TraitSource
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.module import ClassSkill
from bot.rules.rpj.module.module_files import RpjSettings
from bot.rules.rpj.new_characters import Making
from tests.rules.rpj.people import FANTASY, module_with, with_skill
from tests.rules.rpj.people import skill as skill_of
from tests.rules.rpj.wizard import SEVEN, Wizard, laeniel

SIX = ("STR", "CON", "DEX", "CHA", "WIL", "INT")
HORSEMANSHIP = skill_of("horsemanship")
MAGE = "blunt_weapons/,survival/,intimidate/,alchemy/"


def ug(points: int = 50) -> Wizard:
    """Ug the Cave-Mage with rolled attributes, so that they bring no points."""
    wizard = Wizard(start_points=points).pick(method="roll").throw("luck", "3 3")
    wizard.throw("pool", "6 6 4 4 3 3 2 2 2 2 1 2 1 1").pick(INT="6", WIL="4", CON="3", STR="2", DEX="2")
    return wizard.pick(CHA="1").pick(**{"class": "cave_mage"}).pick(class_skills=MAGE)


def purse(wizard: Wizard) -> str:
    return wizard.steps["skills"].text.split("\n")[0]


@pytest.mark.rule("RPJ-CHAR-07", "RPJ-CHAR-11")
class TestClassPage:
    def test_a_class_shows_its_cost_and_its_quirks(self) -> None:
        wizard = ug()

        assert wizard.choices("class")["cave_mage"].note.startswith("costs 5")
        assert "Comes with: Speaks in Grunts." in wizard.steps["class"].text
        assert purse(wizard) == "50 character points · class −5 · 45 left"

    def test_class_quirks_cost_no_character_points(self) -> None:
        sheet = ug().made()

        assert sheet.traits == (OwnTrait(trait="speaks_in_grunts", source=TraitSource.CLASS),)
        assert (sheet.available_points, sheet.total_points) == (45, 50)

    def test_a_class_that_costs_too_much_says_how_many_points_are_left(self) -> None:
        wizard = laeniel(start_points=4)

        assert wizard.refusal("class", "cave_mage") == (
            "Cave-Mage would cost 5 character points; 4 are left for it."
        )

    def test_a_module_without_classes_has_no_class_page(self) -> None:
        wizard = laeniel(own=module_with(classes=[]))

        assert "class" not in wizard.steps
        assert wizard.made().class_id == ""


@pytest.mark.rule("RPJ-CHAR-08", "RPJ-CHAR-10")
class TestClassSkillsPage:
    def test_a_class_needs_four_class_skills_from_its_list(self) -> None:
        wizard = ug().pick(class_skills="survival/,intimidate/,alchemy/")

        assert ("class", "Choose 4 class skills of Cave-Mage; you have 3.") in wizard.problems
        assert wizard.picks["class_skills"].most == 4

    def test_only_the_specialties_a_class_names_are_offered(self) -> None:
        wizard = laeniel().pick(**{"class": "artificer"})

        offered = [value for value in wizard.choices("class_skills") if value.startswith("crafting")]
        assert offered == ["crafting/Metal", "crafting/Wood"]
        wizard.pick(class_skills="crafting/Wood,armorcrafting/,alchemy/,knowledge/")
        assert ClassSkill(skill="crafting", specialty="Wood") in wizard.made().class_skills

    def test_no_class_skills_are_asked_for_before_a_class_is_chosen(self) -> None:
        assert "class_skills" not in laeniel().picks


@pytest.mark.rule("RPJ-CHAR-13", "RPJ-CHAR-03", "RPJ-TRAIT-02", "RPJ-TRAIT-03")
class TestTraitsPage:
    def test_the_wizard_charges_for_gifts_and_refunds_faults(self) -> None:
        wizard = ug().pick(traits="somatic_spellcasting,totally_mute")

        assert purse(wizard) == "50 character points · class −5 · gifts −6 · faults +4 · 43 left"
        assert wizard.made().total_points == 50

    def test_the_wizard_does_not_offer_the_quirks_of_the_class(self) -> None:
        assert "speaks_in_grunts" not in ug().choices("traits")

    def test_a_gift_that_costs_too_much_says_how_many_points_are_left(self) -> None:
        wizard = laeniel(start_points=5)

        assert wizard.refusal("traits", "lucky") == "Lucky would cost 7 character points; 5 are left."

    def test_gifts_that_cost_too_much_together_are_reported(self) -> None:
        wizard = laeniel(start_points=8).pick(traits="lucky,riposte")

        assert ("skills", "Spend less: everything costs 11 character points; you have 8.") in wizard.problems


@pytest.mark.rule("RPJ-CHAR-14", "RPJ-SKILL-02")
class TestSkillsPage:
    def test_ug_spends_his_character_points_on_skills_in_the_wizard(self) -> None:
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

    def test_each_skill_level_shows_its_price_and_the_points_left(self) -> None:
        wizard = ug().pick(buying="alchemy")

        offered = wizard.choices("level.alchemy")
        assert [offered[level].label for level in "0135"] == [
            "0 · not bought",
            "1 · costs 1",
            "3 · costs 6",
            "5 · costs 15",
        ]
        assert offered["5"].note == "leaves 30"

    def test_a_skill_level_that_costs_too_much_is_refused_with_its_price(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4).pick(buying="trade")

        assert wizard.refusal("level.trade", "3") == (
            "Trade 3 would cost 6 character points; 5 are left for it."
        )

    def test_points_already_paid_for_a_skill_count_when_it_is_raised(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4).pick(buying="games")

        assert wizard.choices("level.games")["5"].note == "leaves 0"

    def test_a_skill_lowered_to_0_is_dropped_from_the_sheet(self) -> None:
        wizard = ug().buy("alchemy", 5).buy("alchemy", 0)

        assert wizard.made().skills == ()

    @pytest.mark.parametrize(
        ("levels", "linked"),
        [({}, "DEX"), ({"DEX": "1"}, "DEX"), ({"CHA": "1"}, "CHA"), ({"DEX": "2", "CHA": "3"}, "CHA")],
    )
    def test_a_level_not_chosen_yet_is_below_all_others(self, levels: dict[str, str], linked: str) -> None:
        draft = {key: (level,) for key, level in levels.items()}

        assert Making(draft, FANTASY).linked(HORSEMANSHIP) == linked

    @pytest.mark.parametrize(
        ("levels", "linked"), [({}, "DEX"), ({"DEX": "1"}, "DEX"), ({"DEX": "1", "luck": "2"}, "LUCK")]
    )
    def test_luck_counts_like_the_levels_once_it_is_chosen(self, levels: dict[str, str], linked: str) -> None:
        draft = {key: (level,) for key, level in levels.items()}
        skill = evolve(HORSEMANSHIP, linked=(RpjAttribute.DEX, RpjAttribute.LUCK))

        assert Making(draft, FANTASY).linked(skill) == linked

    def test_a_skill_uses_its_best_attribute_until_the_player_chooses_another(self) -> None:
        wizard = laeniel().pick(**{"class": "knight"})
        wizard.pick(class_skills="large_blades/,horsemanship/,command/,intimidate/").buy("horsemanship", 2)
        assert wizard.made().skills[0].linked is RpjAttribute.DEX

        wizard.pick(linked__horsemanship="CHA")

        assert wizard.made().skills == (OwnSkill(skill="horsemanship", base=2, linked=RpjAttribute.CHA),)

    @pytest.mark.parametrize(("skill", "is_asked"), [("horsemanship", True), ("alchemy", False)])
    def test_only_a_skill_with_several_attributes_asks_for_one(self, skill: str, is_asked: bool) -> None:
        page = ug().pick(buying=skill).steps["skills"]

        assert (f"linked.{skill}" in {pick.key for pick in page.picks}) is is_asked


@pytest.mark.rule("RPJ-CHAR-06")
class TestTierCapInTheWizard:
    def test_the_wizard_offers_no_skill_level_above_the_tier(self) -> None:
        """F-RPJ-11."""
        wizard = ug(points=40).pick(buying="alchemy")

        assert list(wizard.choices("level.alchemy")) == ["0", "1", "2", "3", "4"]
        wizard.draft["level.alchemy"] = ("6",)
        assert list(wizard.picks["level.alchemy"].barred) == []
        assert wizard.choices("level.alchemy")["6"].note == "not possible now"

    @pytest.mark.parametrize("points", [50, 59])
    def test_fifty_points_allow_skill_levels_up_to_5(self, points: int) -> None:
        wizard = ug(points=points).pick(buying="alchemy")

        assert "5" in wizard.choices("level.alchemy")
        assert "6" not in wizard.choices("level.alchemy")


@pytest.mark.rule("RPJ-SKILL-21")
class TestSpecialtiesInTheWizard:
    def test_a_skill_with_specialties_asks_for_one(self) -> None:
        wizard = ug().buy("crafting", 2)

        assert [blank.key for blank in wizard.steps["skills"].blanks] == ["specialty.crafting"]
        assert ("skills", "Crafting needs a specialty, for example Crafting (Wood).") in wizard.problems
        wizard.draft["specialty.crafting"] = ("Wood",)
        assert wizard.made().skills[0].specialty == "Wood"

    def test_a_skill_without_specialties_asks_for_none(self) -> None:
        assert ug().pick(buying="alchemy").steps["skills"].blanks == ()


@pytest.mark.rule("RPJ-CHAR-01")
def test_species_gender_and_biography_are_optional() -> None:
    wizard = ug()
    assert wizard.made().biography == ""

    wizard.draft |= {"species": ("Cave man",), "gender": ("he",), "biography": ("Ug strong.",)}

    sheet = wizard.made()
    assert (sheet.species, sheet.gender, sheet.biography) == ("Cave man", "he", "Ug strong.")


@pytest.mark.rule("RPJ-CHAR-12", "RPJ-CHAR-17")
def test_leftover_character_points_are_kept_on_the_sheet() -> None:
    wizard = ug().buy("alchemy", 5).buy("survival", 5).buy("games", 4)

    assert wizard.made().available_points == 5


@pytest.mark.rule("RPJ-CHAR-03", "RPJ-CHAR-08", "RPJ-TRAIT-01", "RPJ-TRAIT-03")
class TestWhatIsTooExpensive:
    @pytest.mark.parametrize(
        ("start", "barred"),
        [
            (7, []),
            (6, ["lucky"]),
            (5, ["lucky", "tough", "somatic_spellcasting"]),
            (3, ["lucky", "tough", "alert"]),
        ],
    )
    def test_a_gift_that_costs_more_than_is_left_is_barred(self, start: int, barred: list[str]) -> None:
        wizard = laeniel(start_points=start)
        found = wizard.picks["traits"].barred

        assert set(barred) <= set(found)
        cheap = {choice for choice in wizard.choices("traits") if choice not in found}
        costs = {trait.id: trait.cost for trait in FANTASY.traits}
        assert all(costs[id_] <= start for id_ in cheap)
        assert all(costs[id_] > start for id_ in found)
        if barred:
            assert found["lucky"] == f"Lucky would cost 7 character points; {start} are left."

    @pytest.mark.parametrize(("start", "is_barred"), [(4, True), (5, False), (6, False)])
    def test_a_class_that_costs_more_than_is_left_is_barred(self, start: int, is_barred: bool) -> None:
        barred = laeniel(start_points=start).picks["class"].barred

        assert barred == (
            {"cave_mage": f"Cave-Mage would cost 5 character points; {start} are left for it."}
            if is_barred
            else {}
        )

    def test_a_chosen_class_can_be_exchanged_for_one_of_the_same_price(self) -> None:
        wizard = laeniel(start_points=5).pick(**{"class": "cave_mage"})

        assert wizard.picks["class"].barred == {}
        assert wizard.steps["class"].text.startswith("5 character points · class −5 · 0 left\n")

    @pytest.mark.parametrize(
        ("slots", "most", "prompt"),
        [
            (4, 4, "4 class skills, each at +1"),
            (1, 1, "1 class skill, each at +1"),
            (9, 6, "6 class skills, each at +1"),
        ],
    )
    def test_no_more_class_skills_are_chosen_than_there_are(self, slots: int, most: int, prompt: str) -> None:
        own = module_with(characters={**FANTASY.characters.model_dump(), "class_slots": slots})
        pick = laeniel(own=own).pick(**{"class": "knight"}).picks["class_skills"]

        assert (pick.least, pick.most, pick.prompt) == (0, most, prompt)

    def test_the_purse_says_where_the_points_went(self) -> None:
        wizard = laeniel().pick(**{"class": "cave_mage"}).pick(traits="lucky,slow_to_react").buy("archery", 2)

        assert wizard.steps["traits"].text.split("\n")[0] == (
            "60 character points · class −5 · gifts −7 · faults +3 · skills −3 · 48 left"
        )
        assert laeniel().steps["traits"].text.split("\n")[1] == "Gifts cost points; faults give points."


class TestSpendingTheRest:
    """*Spend the rest for me*: a page's points go somewhere sensible, and nothing chosen is changed."""

    def spend(self, wizard: Wizard, step: str) -> Wizard:
        wizard.draft = dict(RULESET.creation.spend(wizard.draft, wizard.settings, step))
        return wizard

    def left(self, wizard: Wizard, step: str | None = None) -> str:
        return RULESET.creation.unspent(wizard.draft, wizard.settings, step)

    def test_rolled_levels_go_to_attributes_without_one_the_highest_first(self) -> None:
        wizard = Wizard().pick(method="roll").throw("pool", SEVEN).throw("luck", "4 4").pick(INT="6")
        assert self.left(wizard, "levels") == "5 levels"

        self.spend(wizard, "levels")

        assert "".join(wizard.draft[key][0] for key in SIX) == "433226"
        assert self.left(wizard, "levels") == ""
        assert not [where for where, _sentence in wizard.problems if where == "levels"]

    def test_an_array_chosen_before_the_levels_were_rolled_is_not_used(self) -> None:
        wizard = Wizard().pick(method="array").pick(array="A").pick(method="roll")
        wizard.throw("pool", SEVEN).throw("luck", "4 4")

        assert self.left(wizard, "levels") == "6 levels"
        self.spend(wizard, "levels")

        assert "".join(wizard.draft[key][0] for key in SIX) == "643322"

    def test_a_level_given_too_often_is_left_to_the_player(self) -> None:
        wizard = Wizard().pick(method="roll").throw("pool", SEVEN).throw("luck", "4 4")
        wizard.pick(INT="6").pick(WIL="6")

        spent = self.spend(wizard, "levels").draft

        assert (spent["INT"], spent["WIL"]) == (("6",), ("6",))
        assert [where for where, _sentence in wizard.problems if where == "levels"]

    def test_skills_whose_specialty_must_be_written_are_not_bought(self) -> None:
        wizard = laeniel(start_points=600).pick(**{"class": "ranger"})

        bought = {own.skill: own.specialty for own in self.spend(wizard, "traits").made().skills}

        assert "crafting" not in bought
        assert self.left(wizard).endswith("character points")

    def test_a_listed_specialty_is_chosen_with_its_skill(self) -> None:
        wizard = laeniel(start_points=600, own=with_skill(FANTASY, "crafting", specialties=["Wood", "Metal"]))
        wizard.pick(**{"class": "ranger"})

        bought = {own.skill: own.specialty for own in self.spend(wizard, "skills").made().skills}

        assert bought["crafting"] == "Wood"

    @pytest.mark.rule("RPJ-SMAG-23")
    @pytest.mark.parametrize(
        ("start", "rules", "magic", "highest"),
        [
            (600, (), 12, 6),
            (600, ("slow_build_magic",), 12, 6),
            (30, (), 4, 2),
            (30, ("slow_build_magic",), 3, 3),
        ],
    )
    def test_skills_are_bought_as_far_as_the_rules_allow(
        self, start: int, rules: tuple[str, ...], magic: int, highest: int
    ) -> None:
        own = module_with(optional_rules=["structured_magic", *rules])
        wizard = laeniel(start_points=start, own=own).pick(**{"class": "cave_mage"})
        wizard.buy("primitive_magic", 1).buy("refined_magic", 1)

        sheet = self.spend(wizard, "skills").made()

        levels = {one.skill: one.base for one in sheet.skills}
        cast = sum(level for id_, level in levels.items() if own.magic.of(id_) is not None)
        assert (cast, max(levels.values())) == (magic, highest)

    def test_a_tie_between_categories_is_broken(self) -> None:
        wizard = (
            Wizard().pick(method="roll").throw("pool", "4 4 4 4 4 4 4 4 4 4 4 4 1 1").throw("luck", "4 4")
        )

        assert self.spend(wizard, "levels").draft["primary"] == ("Brawny",)
        assert self.spend(wizard.pick(primary="Brainy"), "levels").draft["primary"] == ("Brainy",)

    @pytest.mark.parametrize(
        ("primary", "array", "levels"),
        [
            ("Brawny", "A", "633322"),
            ("Brawny", "B", "543332"),
            ("Shifty", "A", "336322"),
            ("Shifty", "C", "334433"),
            ("Brainy", "A", "332263"),
            ("Brainy", "B", "333254"),
        ],
    )
    def test_an_array_gives_its_highest_levels_to_the_primary_category(
        self, primary: str, array: str, levels: str
    ) -> None:
        wizard = Wizard().pick(method="array").pick(array=array).pick(primary=primary).throw("luck", "4 4")

        self.spend(wizard, "levels")

        assert "".join(wizard.draft[key][0] for key in SIX) == levels
        assert not [where for where, _sentence in wizard.problems if where == "levels"]

    @pytest.mark.parametrize(
        ("chosen", "bonus"),
        [({}, "60 left"), ({"array": "A"}, "attributes +2 · 62 left"), ({"primary": "Brainy"}, "60 left")],
    )
    def test_an_array_needs_its_letter_and_a_primary_category(
        self, chosen: dict[str, str], bonus: str
    ) -> None:
        wizard = Wizard().pick(method="array").pick(**chosen)
        before = dict(wizard.draft)

        assert self.left(wizard, "levels") == ""
        assert purse(wizard).startswith(f"60 character points · {bonus}")
        assert self.spend(wizard, "levels").draft == before

    @pytest.mark.parametrize(
        ("primary", "levels"), [("Brawny", "443333"), ("Shifty", "334433"), ("Brainy", "333344")]
    )
    def test_bought_levels_are_raised_evenly_as_far_as_the_points_go(self, primary: str, levels: str) -> None:
        wizard = Wizard().pick(method="buy").pick(primary=primary).throw("luck", "4 4")
        assert self.left(wizard, "levels") == "40 attribute points"

        self.spend(wizard, "levels")

        assert "".join(wizard.draft[key][0] for key in SIX) == levels
        assert self.left(wizard, "levels") == "2 attribute points"
        assert not [where for where, _sentence in wizard.problems if where == "levels"]
        assert self.spend(wizard, "levels").draft == wizard.draft

    @pytest.mark.parametrize(
        ("points", "levels"),
        [(0, "111111"), (37, "433333"), (38, "443333"), (39, "443333"), (200, "664444")],
    )
    def test_bought_levels_cost_no_more_than_there_is_and_go_no_higher_than_allowed(
        self, points: int, levels: str
    ) -> None:
        own = module_with(attributes={**FANTASY.attributes.model_dump(mode="json"), "points": points})
        wizard = Wizard(own=own).pick(method="buy").pick(primary="Brawny").throw("luck", "4 4")

        self.spend(wizard, "levels")

        assert "".join(wizard.draft.get(key, ("1",))[0] for key in SIX) == levels

    def test_points_go_to_class_skills_then_to_those_bought_and_of_the_best_attributes(self) -> None:
        wizard = laeniel()
        assert self.left(wizard, "skills") == ""
        assert self.spend(wizard, "skills").draft == laeniel().draft  # the class comes first
        wizard.pick(**{"class": "ranger"}).pick(class_skills="archery/").buy("archery", 2).buy("trade", 1)
        pages = ("class", "traits", "skills", None, "levels", "about")
        assert [self.left(wizard, page) for page in pages] == ["56 character points"] * 4 + [""] * 2

        self.spend(wizard, "class")

        sheet = wizard.made()
        assert sheet.available_points == 0
        assert [pick.skill for pick in sheet.class_skills] == [
            "archery",
            "survival",
            "perception",
            "concealment",
        ]
        assert {own.skill: own.base for own in sheet.skills} == {
            **dict.fromkeys(("archery", "survival", "perception", "concealment"), 4),
            **dict.fromkeys(("athleticism", "dodge", "trade"), 3),
            **dict.fromkeys(("horsemanship", "light_armor_use"), 1),
        }
        assert [self.left(wizard, page) for page in pages] == [""] * 6

    def test_nothing_is_spent_where_a_page_has_no_points(self) -> None:
        wizard = laeniel()

        assert self.spend(wizard, "attributes").draft == laeniel().draft
        assert self.left(wizard, "attributes") == self.left(wizard, "about") == ""

    def test_without_classes_the_points_go_to_skills_alone(self) -> None:
        wizard = laeniel(own=module_with(classes=[]))

        self.spend(wizard, "skills")

        assert wizard.made().class_skills == ()
        assert {own.skill: own.base for own in wizard.made().skills} == {
            **dict.fromkeys(("archery", "athleticism", "concealment", "dodge"), 4),
            **dict.fromkeys(("horsemanship", "light_armor_use", "open_lock"), 3),
            **dict.fromkeys(("small_blades", "trade"), 1),
        }

    def test_a_ready_made_hero_is_said_by_class_and_best_skills(self) -> None:
        offered = RULESET.creation.offered(RpjSettings())
        told = RULESET.creation.good_at(offered["Marit Vance"], RpjSettings())

        assert told.startswith("Adventurer, Concealment")
        assert RULESET.creation.good_at(evolve(offered["Marit Vance"], class_id=""), RpjSettings()) == (
            told.removeprefix("Adventurer, ")
        )
