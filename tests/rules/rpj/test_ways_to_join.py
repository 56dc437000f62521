"""Creating a character."""

from typing import Any

import pytest

from bot.rules.kernel import Roll
from bot.rules.rpj.character.sheet import OwnSkill, Stats, TraitSource
from bot.rules.rpj.game_parts.sheet_text import describe
from bot.rules.rpj.module.basics import Category, RpjAttribute, tier_of
from bot.rules.rpj.module.module import ClassSkill, GenerationMethod, Module
from bot.rules.rpj.new_characters import (
    NewCharacter,
    RpjLuckInputs,
    RpjPoolInputs,
    build_sheet,
    creation_problems,
    points_left,
    roll_luck,
    roll_pool,
)
from tests.dice import ScriptedDice
from tests.rules.rpj.people import FANTASY, figure, known, module_with, with_skill
from tests.rules.rpj.table import d6

PICKS = ("blunt_weapons", "survival", "intimidate", "alchemy")
SIX = {"STR": 2, "CON": 3, "DEX": 2, "CHA": 1, "WIL": 4, "INT": 6}


def ug(**changes: Any) -> NewCharacter:
    """Ug the Cave-Mage: points bought, class chosen, nothing else spent."""
    made: dict[str, Any] = {
        "method": "buy",
        "levels": SIX,
        "primary": "Brainy",
        "luck": 3,
        "class_id": "cave_mage",
        "class_skills": [{"skill": pick} for pick in PICKS],
    }
    return NewCharacter.model_validate({**made, **changes})


def problems(new: NewCharacter, module: Module = FANTASY, start: int = 50) -> list[tuple[str, str]]:
    return [(problem.where, problem.sentence) for problem in creation_problems(new, module, start)]


def bought(*skills: OwnSkill) -> dict[str, Any]:
    return {"skills": [own.model_dump() for own in skills]}


ROLLED = {"method": "roll", "pool": (6, 4, 3, 2, 2, 1), "levels": SIX}


@pytest.mark.rule("RPJ-ATTR-08")
class TestCreationMethods:
    arrays_only = module_with(attributes={"methods": ["array"]})

    def test_a_creation_method_the_module_does_not_offer_is_refused(self) -> None:
        assert problems(ug(), self.arrays_only) == [
            ("attributes", "This campaign allows these methods for attributes: array.")
        ]

    def test_luck_must_be_rolled_with_every_creation_method(self) -> None:
        spread = {"DEX": 6, "CHA": 3, "STR": 3, "CON": 3, "WIL": 2, "INT": 2}
        new = ug(method="array", array="A", levels=spread, primary="Shifty", luck=None)

        assert problems(new, self.arrays_only) == [("attributes", "Roll Luck first.")]

    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({"method": "array"}, "Choose an array: A, B, C."),
            (
                {"method": "array", "array": "A", "primary": None},
                "Choose a primary category: Brawny, Shifty or Brainy.",
            ),
            ({"method": "roll"}, "Roll the levels first."),
            (
                {"method": "roll 10d6", "pool": (6, 4, 3, 2, 2, 2)},
                "Assign the levels you rolled: 6, 4, 3, 2, 2, 2, not 6, 4, 3, 2, 2, 1.",
            ),
            (
                {"levels": {"STR": 1}},
                "Choose a level for Constitution, Dexterity, Charisma, Willpower, Intelligence.",
            ),
            ({"levels": {**SIX, "STR": 9}}, "Strength must be from 0 to 6, not 9."),
        ],
    )
    def test_each_wrong_attribute_choice_is_reported(self, changes: dict[str, Any], told: str) -> None:
        assert ("attributes", told) in problems(ug(**changes))

    def test_a_complete_character_with_rolled_attributes_has_no_problems(self) -> None:
        assert problems(ug(**ROLLED)) == []


@pytest.mark.rule("RPJ-ATTR-14")
@pytest.mark.parametrize("array", ["", "D"])
def test_an_array_that_is_not_there_gives_no_points(array: str) -> None:
    assert points_left(NewCharacter(method=GenerationMethod.ARRAY, array=array), FANTASY, 50) == 50


@pytest.mark.rule("RPJ-ATTR-10", "RPJ-ATTR-16")
@pytest.mark.parametrize(
    ("roll", "last"),
    [
        (roll_pool(RpjPoolInputs(), ScriptedDice(d6("5 4 " * 7))), "⚃ (4)"),
        (roll_pool(RpjPoolInputs(is_10d6=True), ScriptedDice(d6("5 4 " * 5))), "⚃"),
        (roll_luck(RpjLuckInputs(), ScriptedDice(d6("5 4"))), "⚃ (9 halved)"),
    ],
)
def test_the_dice_of_creation_are_six_sided_and_shown_by_their_pips(roll: Roll, last: str) -> None:
    assert {die.sides for die in roll.dice} == {6}
    assert (roll.dice[0].shown, roll.dice[-1].shown) == ("⚄", last)


@pytest.mark.rule("RPJ-CHAR-12")
class TestOrderOfCreation:
    def test_creation_problems_are_listed_in_the_order_of_the_steps(self) -> None:
        assert problems(NewCharacter()) == [
            ("attributes", "Roll Luck first."),
            (
                "attributes",
                "Choose a level for Strength, Constitution, Dexterity, Charisma, Willpower, Intelligence.",
            ),
            ("class", "Choose a class: Knight, Ranger, Artificer, Rogue, Cave-Mage."),
        ]

    def test_unspent_character_points_may_be_kept(self) -> None:
        new = ug(
            **ROLLED,
            **bought(known("survival", 5, linked="WIL"), known("games", 5, linked="CHA"), known("trade", 4)),
        )

        assert problems(new) == []
        assert build_sheet(new, FANTASY, 50).available_points == 5

    def test_a_character_without_luck_is_refused(self) -> None:
        assert problems(ug(luck=None)) == [("attributes", "Roll Luck first.")]

    def test_a_finished_character_has_its_tier_lucky_breaks_and_base_saves(self) -> None:
        made = Stats(build_sheet(ug(), FANTASY, 50), FANTASY)
        assert [build_sheet(ug(luck=luck), FANTASY, 50).attributes[RpjAttribute.LUCK] for luck in (0, 3)] == [
            0,
            3,
        ]

        assert (made.tier, made.skill_cap, made.lucky_breaks, made.base_saves) == (5, 5, 2, (7, 7, 7))
        assert made.sheet.attributes == {**SIX, RpjAttribute.LUCK: 3}
        assert made.sheet.primary is Category.BRAINY


@pytest.mark.rule("RPJ-CHAR-02", "RPJ-CHAR-03", "RPJ-CHAR-07", "RPJ-CHAR-13")
class TestPointsAtCreation:
    def test_a_class_costs_points_to_spend_but_no_character_power(self) -> None:
        sheet = build_sheet(ug(**ROLLED), FANTASY, 50)

        assert (sheet.available_points, sheet.total_points) == (45, 50)

    def test_gifts_cost_points_and_faults_refund_them(self) -> None:
        new = ug(**ROLLED, traits=("somatic_spellcasting", "totally_mute"))
        sheet = build_sheet(new, FANTASY, 50)

        assert (sheet.available_points, sheet.total_points) == (43, 50)

    def test_a_new_character_cannot_spend_more_points_than_they_have(self) -> None:
        new = ug(
            **ROLLED,
            traits=("somatic_spellcasting", "totally_mute"),
            **bought(
                known("survival", 5, linked="WIL"),
                known("games", 5, linked="CHA"),
                known("trade", 4),
                known("dodge", 2),
                known("archery", 1),
            ),
        )

        assert points_left(new, FANTASY, 50) == -1
        assert problems(new) == [("skills", "Spend less: everything costs 51 character points; you have 50.")]

    def test_a_new_characters_class_must_be_in_the_module(self) -> None:
        assert problems(ug(class_id="pilot", class_skills=[])) == [
            ("class", "Choose a class: Knight, Ranger, Artificer, Rogue, Cave-Mage.")
        ]

    def test_a_character_can_be_made_in_a_module_without_classes(self) -> None:
        classless = module_with(classes=[])
        sheet = build_sheet(ug(**ROLLED, class_id="", class_skills=[]), classless, 50)

        assert (sheet.available_points, sheet.belongings) == (50, ())

    def test_a_module_may_make_a_skill_cheaper_for_a_class(self) -> None:
        cheaper = with_skill(FANTASY, "alchemy", class_costs=[{"class_id": "cave_mage", "percent": 50}])
        new = ug(**ROLLED, **bought(known("alchemy", 3, linked="INT"), known("games", 2, linked="CHA")))

        assert points_left(new, cheaper, 50) == 39
        assert points_left(new, FANTASY, 50) == 36

    @pytest.mark.parametrize(
        ("most", "told"),
        [
            (None, []),
            (4, []),
            (3, [("traits", "Remove a fault: they can give 3 points at most, not 4.")]),
        ],
    )
    def test_a_module_may_limit_refunds_for_faults(
        self, most: int | None, told: list[tuple[str, str]]
    ) -> None:
        module = module_with(characters={} if most is None else {"most_refund": most})

        assert problems(ug(traits=("totally_mute",)), module) == told


@pytest.mark.rule("RPJ-ATTR-17")
class TestTwoCurrencies:
    def test_attribute_points_cannot_buy_skills(self) -> None:
        ones = dict.fromkeys(SIX, 1)
        new = ug(levels=ones, class_id="", class_skills=[], **bought(known("games", 2, linked="CHA")))

        assert problems(new, module_with(classes=[]), 0) == [
            ("skills", "Games 2 needs character power 20 (your highest level now: 0)."),
            ("skills", "Spend less: everything costs 3 character points; you have 2."),
        ]
        assert points_left(new, module_with(classes=[]), 0) == -1

    def test_character_points_cannot_buy_attributes(self) -> None:
        assert problems(ug(levels={**SIX, "DEX": 4}), FANTASY, 500) == [
            ("attributes", "Lower some levels: they cost 45 attribute points; you have 40.")
        ]

    def test_leftover_attribute_points_give_a_new_character_two_character_points(self) -> None:
        assert points_left(ug(), FANTASY, 50) == 47

    @pytest.mark.parametrize(
        ("array", "spread", "left"), [("A", (6, 3, 3, 3, 2, 2), 47), ("B", (5, 4, 3, 3, 3, 2), 45)]
    )
    def test_two_of_the_three_arrays_give_two_character_points(
        self, array: str, spread: tuple[int, ...], left: int
    ) -> None:
        names = ("INT", "WIL", "STR", "CON", "DEX", "CHA")
        new = ug(method="array", array=array, levels=dict(zip(names, spread, strict=True)))

        assert problems(new) == []
        assert points_left(new, FANTASY, 50) == left

    def test_leftover_points_raise_character_power_only_if_the_module_says_so(self) -> None:
        generous = module_with(attributes={"leftover_counts_as_power": True})
        high = ug(**bought(known("games", 5, linked="CHA")))

        assert build_sheet(ug(), FANTASY, 48).total_points == 48
        assert build_sheet(ug(), generous, 48).total_points == 50
        assert problems(high, FANTASY, 48) == [
            ("skills", "Games 5 needs character power 50 (your highest level now: 4).")
        ]
        assert problems(high, generous, 48) == []


@pytest.mark.rule("RPJ-CHAR-04", "RPJ-CHAR-05")
class TestCharacterPower:
    @pytest.mark.parametrize(
        ("points", "word"),
        [
            (40, "tier 4 · Novice"),
            (50, "tier 5 · Novice"),
            (60, "tier 6 · Beginner"),
            (89, "tier 8 · Beginner"),
            (90, "tier 9 · Trained"),
            (130, "tier 13 · Expert"),
            (30, "tier 3"),
        ],
    )
    def test_the_sheet_has_a_word_for_each_character_power(self, points: int, word: str) -> None:
        lines = describe(figure(total_points=points), None)[0].lines

        assert lines == (f"0 of {points} character points to spend · {word}",)

    @pytest.mark.parametrize(
        ("total", "tier"), [(40, 4), (45, 4), (49, 4), (50, 5), (66, 6), (130, 13), (9, 0)]
    )
    def test_the_tier_is_a_tenth_of_character_power_rounded_down(self, total: int, tier: int) -> None:
        assert tier_of(total) == tier


@pytest.mark.rule("RPJ-CHAR-08", "RPJ-CHAR-10")
class TestChoosingClassSkills:
    @pytest.mark.parametrize(
        ("picks", "told"),
        [
            (PICKS[:3], ["Choose 4 class skills of Cave-Mage; you have 3."]),
            ((*PICKS[:3], PICKS[0]), ["Choose different class skills."]),
            ((*PICKS[:3], "trade"), ["Trade isn't a class skill of Cave-Mage."]),
        ],
    )
    def test_a_new_character_picks_four_different_class_skills_from_the_list(
        self, picks: tuple[str, ...], told: list[str]
    ) -> None:
        new = ug(class_skills=[{"skill": pick} for pick in picks])

        assert [sentence for _, sentence in problems(new)] == told

    def test_a_class_skill_can_be_picked_without_any_level_in_it(self) -> None:
        sheet = build_sheet(ug(), FANTASY, 50)

        assert sheet.class_skills[0] == ClassSkill(skill="blunt_weapons")
        assert sheet.skills == ()

    @pytest.mark.parametrize(
        ("specialty", "told"),
        [("Metal", []), ("Wood", []), ("Leather", ["Crafting (Leather) isn't a class skill of Artificer."])],
    )
    def test_a_class_skill_must_have_a_specialty_its_class_names(
        self, specialty: str, told: list[str]
    ) -> None:
        picks = [{"skill": pick} for pick in ("armorcrafting", "alchemy", "knowledge")]
        new = ug(class_id="artificer", class_skills=[{"skill": "crafting", "specialty": specialty}, *picks])

        assert [sentence for _, sentence in problems(new)] == told

    def test_a_class_with_a_short_skill_list_gives_fewer_class_skills(self) -> None:
        short = module_with(
            classes=[{"id": "cave_mage", "name": "Cave-Mage", "skills": [{"skill": "survival"}]}]
        )

        assert problems(ug(class_skills=[{"skill": "survival"}]), short) == []


@pytest.mark.rule("RPJ-CHAR-11")
class TestClassQuirks:
    def test_class_quirks_come_with_the_class_at_no_cost(self) -> None:
        plain = build_sheet(ug(**ROLLED), FANTASY, 50)

        assert [(own.trait, own.source) for own in plain.traits] == [("speaks_in_grunts", TraitSource.CLASS)]
        assert plain.available_points == 45

    def test_a_class_quirk_cannot_be_taken_as_a_trait(self) -> None:
        assert problems(ug(traits=("speaks_in_grunts",))) == [
            ("traits", "This campaign has no trait “speaks_in_grunts” to take.")
        ]


class TestTraitsAtCreation:
    def test_a_new_character_can_take_a_trait_only_once(self) -> None:
        assert problems(ug(traits=("lucky", "lucky"))) == [("traits", "You can take Lucky only once.")]

    def test_a_new_character_cannot_take_two_traits_that_exclude_each_other(self) -> None:
        assert problems(ug(traits=("alert", "slow_to_react"))) == [
            ("traits", "You can't take both Slow to React and alert: remove one.")
        ]


@pytest.mark.rule("RPJ-SKILL-21", "RPJ-CHAR-14")
class TestBuyingSkillsAtCreation:
    @pytest.mark.parametrize(
        ("own", "told"),
        [
            (known("surfing", 1), "This campaign has no skill “surfing”."),
            (known("games", 7, linked="CHA"), "Games can be 6 at most."),
            (
                known("games", 6, linked="CHA"),
                "Games 6 needs character power 60 (your highest level now: 5).",
            ),
            (known("games", 1), "Games is linked to Charisma, Intelligence, not Dexterity."),
            (known("crafting", 1), "Crafting needs a specialty, for example Crafting (Wood)."),
            (known("games", 1, "Chess", "CHA"), "Games has no specialties."),
        ],
    )
    def test_a_forbidden_skill_purchase_is_reported(self, own: OwnSkill, told: str) -> None:
        assert problems(ug(**bought(own))) == [("skills", told)]

    def test_a_new_character_can_take_a_skill_with_one_specialty_only(self) -> None:
        new = ug(**bought(known("crafting", 1, "Wood"), known("crafting", 1, "Metal")))

        assert problems(new) == [("skills", "You can take crafting only once, with one specialty.")]

    @pytest.mark.parametrize(
        ("specialty", "told"),
        [
            ("Airships", []),
            ("Rafts", [("skills", "Crafting needs one of these specialties: Metal, Wood, Airships.")]),
        ],
    )
    def test_a_module_may_limit_a_skill_to_certain_specialties(
        self, specialty: str, told: list[tuple[str, str]]
    ) -> None:
        module = with_skill(FANTASY, "crafting", specialties=["Metal", "Wood", "Airships"])

        assert problems(ug(**bought(known("crafting", 1, specialty))), module) == told

    @pytest.mark.parametrize(
        ("start", "traits", "chain"),
        [(50, ("somatic_spellcasting", "totally_mute"), [28, 10, 1]), (53, (), [33, 15, 6])],
    )
    def test_ug_spends_his_character_points_on_skills_step_by_step(
        self, start: int, traits: tuple[str, ...], chain: list[int]
    ) -> None:
        three = [
            known(pick, 3, linked=linked)
            for pick, linked in (("blunt_weapons", "STR"), ("survival", "WIL"), ("intimidate", "WIL"))
        ]
        two = [known("open_lock", 2), known("trade", 2), known("games", 2, linked="CHA")]
        spends = [[known("alchemy", 5, linked="INT")], three, two]
        left = []
        for steps in (1, 2, 3):
            skills = [own for step in spends[:steps] for own in step]
            left.append(points_left(ug(**ROLLED, traits=traits, **bought(*skills)), FANTASY, start))

        assert left == chain
