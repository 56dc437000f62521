"""Skills and attributes on the sheet, and what they bring to a check."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import OwnSkill, Stats
from bot.rules.rpj.checks.skill_checks import (
    Fit,
    Situation,
    assert_usable,
    skill_check,
)
from bot.rules.rpj.module.basics import RpjAttribute, grade, raise_cost
from bot.rules.rpj.module.effects import RollTarget as On
from bot.rules.rpj.module.effects import RpjCircumstances, toggles
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.rules.rpj.people import FANTASY, figure, known, skill, with_skill, with_trait
from tests.rules.rpj.throws import read, thrown

UG = figure("STR 3 INT 6", skills=[known("blunt_weapons", 5, linked="STR")])
CARVER = figure("DEX 3", skills=[known("crafting", 3, "Wood")])


def terms(asked: RpjCheckInputs) -> list[tuple[str, int]]:
    return [(term.label, term.value) for term in asked.terms]


@pytest.mark.rule("RPJ-SKILL-01")
class TestSkillLevels:
    @pytest.mark.parametrize("base", range(7))
    def test_skill_levels_go_from_0_to_6(self, base: int) -> None:
        assert known("games", base, linked="CHA").base == base

    def test_a_negative_skill_level_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            known("games", -1)

    def test_a_skill_has_one_linked_attribute_or_a_choice_of_several(self) -> None:
        assert skill("games").linked == (RpjAttribute.CHA, RpjAttribute.INT)
        assert skill("horsemanship").linked == (RpjAttribute.DEX, RpjAttribute.CHA)

    def test_an_unlearned_skill_uses_the_best_linked_attribute_and_a_learned_one_the_chosen(self) -> None:
        rider = figure("DEX 3 CHA 6")
        trained = figure("DEX 3 CHA 6", skills=[known("horsemanship", 1, linked="DEX")])

        assert rider.linked(skill("horsemanship")) is RpjAttribute.CHA
        assert trained.linked(skill("horsemanship")) is RpjAttribute.DEX


@pytest.mark.rule("RPJ-SKILL-02")
class TestSkillCosts:
    @pytest.mark.parametrize(
        ("now", "wanted", "cost"),
        [
            (2, 3, 3),
            (3, 4, 4),
            (0, 5, 15),
            (0, 3, 6),
            (3, 5, 9),
            (0, 1, 1),
            (0, 6, 21),
            (5, 6, 6),
            (4, 4, 0),
        ],
    )
    def test_raising_a_skill_costs_the_number_of_each_level(self, now: int, wanted: int, cost: int) -> None:
        assert raise_cost(now, wanted) == cost


@pytest.mark.rule("RPJ-SKILL-03")
class TestUntrainedSkills:
    suits = with_skill(FANTASY, "alchemy", usable_at_zero=False)

    def test_an_unlearned_skill_counts_as_0_and_can_be_used(self) -> None:
        assert terms(skill_check(figure("CHA 6"), skill("games"))) == [("Games", 2)]

    def test_some_skills_cannot_be_used_untrained(self) -> None:
        with pytest.raises(UserError) as refused:
            skill_check(figure("INT 6", self.suits), skill("alchemy", self.suits))

        assert refused.value.sentences == (
            "You can't use Alchemy untrained.",
            "It needs a base level of at least 1.",
        )

    def test_one_level_counts_as_training(self) -> None:
        trained = figure("INT 6", self.suits, skills=[known("alchemy", 1, linked="INT")])

        assert_usable(trained, skill("alchemy", self.suits))


@pytest.mark.rule("RPJ-SKILL-04")
class TestEffectiveLevel:
    @pytest.mark.parametrize(
        ("base", "strength", "effective"), [(5, "STR 3", 6), (0, "STR 3", 1), (3, "STR 6", 5)]
    )
    def test_the_effective_level_is_the_base_plus_the_linked_attributes_bonus(
        self, base: int, strength: str, effective: int
    ) -> None:
        fighter = figure(strength, skills=[known("blunt_weapons", base, linked="STR")])

        assert fighter.effective_level(skill("blunt_weapons")) == effective


@pytest.mark.rule("RPJ-SKILL-05")
class TestGrades:
    @pytest.mark.parametrize(
        ("level", "word"),
        [
            (0, "Neophyte"),
            (1, "Novice"),
            (2, "Journeyman"),
            (3, "Journeyman"),
            (5, "Expert"),
            (7, "Master"),
            (8, "Legend"),
            (11, "Legend"),
            (-1, "Neophyte"),
        ],
    )
    def test_each_effective_level_has_a_word(self, level: int, word: str) -> None:
        assert grade(level) == word


@pytest.mark.rule("RPJ-SKILL-06")
class TestPassiveLevel:
    @pytest.mark.parametrize(
        ("will", "base", "passive"), [("WIL 6", 4, 4), ("WIL 3", 0, -1), ("WIL 0", 0, -2)]
    )
    def test_the_passive_level_is_two_below_the_effective_level(
        self, will: str, base: int, passive: int
    ) -> None:
        watcher = figure(will, skills=[known("perception", base, linked="WIL")])

        assert watcher.passive_level(skill("perception")) == passive

    def test_a_module_names_the_skills_with_a_passive_level(self) -> None:
        assert [skill_.name for skill_ in FANTASY.skills if skill_.has_passive_level] == ["Perception"]


@pytest.mark.rule("RPJ-SKILL-07")
class TestSkillCheck:
    @pytest.mark.parametrize(
        ("faces", "total", "result", "degrees"),
        [
            ((3, 4), 13, RpjResult.EXACT, 0),
            ((2, 4), 12, RpjResult.FAILURE, None),
            ((4, 4), 14, RpjResult.SUCCESS, 1),
        ],
    )
    def test_a_skill_check_adds_the_effective_level(
        self, faces: tuple[int, int], total: int, result: RpjResult, degrees: int | None
    ) -> None:
        reading = read(skill_check(UG, skill("blunt_weapons"), Situation(difficulty=6)), *faces)

        assert (reading.total, reading.result, reading.degrees) == (total, result, degrees)

    def test_a_check_of_an_unknown_skill_is_refused(self) -> None:
        assert UG.known_skill("trade") == skill("trade")
        with pytest.raises(UserError, match="This campaign has no skill “surfing”"):
            UG.known_skill("surfing")

    def test_bonuses_for_the_situation_are_listed_one_by_one(self) -> None:
        asked = skill_check(
            UG, skill("blunt_weapons"), Situation(terms=(NamedTerm(label="wet club", value=-1),))
        )

        assert terms(asked) == [("Blunt Weapons", 6), ("wet club", -1)]


@pytest.mark.rule("RPJ-SKILL-08")
class TestFitOfASkill:
    @pytest.mark.parametrize(("fit", "total"), [(Fit.PERFECT, 11), (Fit.IMPERFECT, 10), (Fit.POOR, 9)])
    def test_a_poorly_fitting_skill_has_a_penalty_of_one_or_two(self, fit: Fit, total: int) -> None:
        asked = skill_check(CARVER, skill("crafting"), Situation(difficulty=2, fit=fit))

        assert thrown(asked, 3, 4).total == total

    @pytest.mark.parametrize(("suggestion", "told"), [("Trade", "Try Trade."), ("", "Try another skill.")])
    def test_an_impossible_skill_is_refused_with_a_suggestion(self, suggestion: str, told: str) -> None:
        with pytest.raises(UserError) as refused:
            skill_check(CARVER, skill("crafting"), Situation(fit=Fit.IMPOSSIBLE, suggestion=suggestion))

        assert refused.value.sentences == ("Crafting doesn't help with that.", told)


@pytest.mark.rule("RPJ-CHAR-09")
class TestClassSkills:
    def test_class_skills_are_rolled_at_plus_1(self) -> None:
        picked = Stats(
            UG.sheet.model_copy(
                update={"class_skills": figure(class_skills=["blunt_weapons"]).sheet.class_skills}
            ),
            FANTASY,
        )
        situation = Situation(difficulty=6)

        assert read(skill_check(picked, skill("blunt_weapons"), situation), 3, 4).degrees == 1
        assert read(skill_check(UG, skill("blunt_weapons"), situation), 3, 4).degrees == 0
        assert picked.passive_level(skill("blunt_weapons")) == 4

    @pytest.mark.parametrize(
        ("task", "expected"),
        [
            ("", [("Crafting", 4), ("class skill", 1)]),
            ("Wood", [("Crafting", 4), ("class skill", 1)]),
            ("Metal", [("Crafting", 4), ("specialty Metal", -1)]),
        ],
    )
    def test_a_class_skill_with_a_specialty_counts_for_that_specialty_only(
        self, task: str, expected: list[tuple[str, int]]
    ) -> None:
        carver = figure("DEX 3", skills=[known("crafting", 3, "Wood")], class_skills=["crafting/Wood"])

        assert terms(skill_check(carver, skill("crafting"), Situation(task=task))) == expected


@pytest.mark.rule("RPJ-SKILL-22")
class TestOutsideTheSpecialty:
    @pytest.mark.parametrize(("task", "total", "degrees"), [("Leather", 10, 0), ("Wood", 11, 1)])
    def test_a_task_outside_the_specialty_has_a_penalty_of_1(
        self, task: str, total: int, degrees: int
    ) -> None:
        reading = read(skill_check(CARVER, skill("crafting"), Situation(difficulty=3, task=task)), 3, 4)

        assert (reading.total, reading.degrees) == (total, degrees)

    def test_an_untrained_character_has_no_penalty_outside_a_specialty(self) -> None:
        asked = skill_check(figure("DEX 3"), skill("crafting"), Situation(difficulty=1, task="Leather"))

        assert read(asked, 3, 4).degrees == 0


@pytest.mark.rule("RPJ-SKILL-23")
class TestOtherSpecialtyRules:
    def test_knowledge_has_a_bonus_inside_its_specialty_and_no_penalty_outside(self) -> None:
        sage = figure("INT 3", skills=[known("knowledge", 2, "Elves", "INT")])

        assert thrown(skill_check(sage, skill("knowledge"), Situation(task="Elves")), 3, 4).total == 11
        assert thrown(skill_check(sage, skill("knowledge"), Situation(task="Dwarves")), 3, 4).total == 10

    def test_a_module_may_set_a_larger_penalty_outside_the_specialty(self) -> None:
        strict = with_skill(FANTASY, "crafting", outside=-3)
        carver = figure("DEX 0", strict, skills=[known("crafting", 3, "Wood")])

        asked = skill_check(carver, skill("crafting", strict), Situation(task="Metal"))

        assert thrown(asked, 3, 4).total == 7

    @pytest.mark.parametrize(("skills", "yours"), [(["Wood"], "Wood"), ([], "none")])
    def test_a_module_may_forbid_checks_outside_the_specialty(self, skills: list[str], yours: str) -> None:
        strict = with_skill(FANTASY, "crafting", is_barred_outside=True)
        carver = figure("", strict, skills=[known("crafting", 3, specialty) for specialty in skills])

        with pytest.raises(UserError) as refused:
            skill_check(carver, skill("crafting", strict), Situation(task="Metal"))

        assert refused.value.sentences == (
            "You can't use Crafting outside your specialty.",
            f"Your specialty: {yours}.",
        )


@pytest.mark.rule("RPJ-TRAIT-02", "RPJ-TRAIT-03")
class TestTraitsInChecks:
    def total(self, *now: str, trait: str = "haggler") -> int | None:
        talker = figure("", skills=[known("diplomacy", 3, linked="CHA")], traits=[trait])
        situation = Situation(now=RpjCircumstances(toggles=now))
        return thrown(skill_check(talker, skill("diplomacy"), situation), 3, 4).total

    def test_a_situational_gift_counts_when_the_player_says_it_applies(self) -> None:
        assert self.total("negotiating prices") == 11
        assert self.total() == 10

    def test_the_player_is_asked_about_a_situational_gift_on_rolls_it_may_affect(self) -> None:
        talker = figure("", traits=["haggler"])

        assert toggles(talker.effects, On.SKILL, of="diplomacy") == ("negotiating prices",)

    def test_a_fault_without_a_situation_always_counts(self) -> None:
        penalty = {"type": "roll_bonus", "on": "skill", "of": "diplomacy", "value": -1}
        rough = with_trait("blunt", penalty, kind="fault", cost=-3)
        talker = figure("", rough, skills=[known("diplomacy", 3, linked="CHA")], traits=["blunt"])

        assert terms(skill_check(talker, skill("diplomacy", rough))) == [("Diplomacy", 3), ("Blunt", -1)]


class TestLearnedSkills:
    def test_a_sheet_lists_each_learned_skill_once(self) -> None:
        sheet = CARVER.sheet.with_skill(
            OwnSkill(skill="crafting", base=4, specialty="Wood", linked=RpjAttribute.DEX)
        )

        assert [own.base for own in sheet.skills] == [4]

    def test_a_learned_skill_with_an_unknown_field_is_refused(self) -> None:
        extra: dict[str, Any] = {"skill": "games", "linked": "CHA", "rank": 1}

        with pytest.raises(ValidationError):
            OwnSkill.model_validate(extra)
