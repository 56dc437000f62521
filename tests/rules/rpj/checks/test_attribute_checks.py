"""Checks of attributes: level, bonus, saving throws, Luck."""

import pytest

from bot.rules.rpj.checks.skill_checks import Situation, attribute_check, luck_detail
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.effects import RpjCircumstances
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs
from tests.rules.rpj.people import figure, module_with, with_trait
from tests.rules.rpj.throws import read


def terms(asked: RpjCheckInputs) -> list[tuple[str, int]]:
    return [(term.label, term.value) for term in asked.terms]


@pytest.mark.rule("RPJ-ATTR-03", "RPJ-SKILL-20")
class TestAttributeCheck:
    @pytest.mark.parametrize(
        ("level", "difficulty", "faces", "total", "result"),
        [("CON 3", 3, (3, 4), 10, RpjResult.EXACT), ("WIL 2", 2, (2, 4), 8, RpjResult.FAILURE)],
    )
    def test_an_attribute_check_adds_the_attributes_level(
        self, level: str, difficulty: int, faces: tuple[int, int], total: int, result: RpjResult
    ) -> None:
        attribute = RpjAttribute(level.split()[0])
        reading = read(attribute_check(figure(level), attribute, Situation(difficulty=difficulty)), *faces)

        assert (reading.total, reading.result) == (total, result)

    def test_a_curse_on_an_attribute_lowers_its_checks(self) -> None:
        sick = module_with(
            gear=[
                {
                    "id": "curse",
                    "name": "Curse",
                    "effects": [{"type": "attribute_adjust", "attribute": "CON", "value": -2}],
                }
            ],
        )
        cursed = figure("CON 3", sick, belongings=("curse",))

        reading = read(attribute_check(cursed, RpjAttribute.CON, Situation(difficulty=3)), 3, 4)

        assert (reading.total, reading.result) == (8, RpjResult.FAILURE)
        assert cursed.bonus(RpjAttribute.CON) == 0

    def test_a_trait_may_add_to_one_kind_of_attribute_check(self) -> None:
        when = {"toggle": "poison"}
        bonus = {"type": "roll_bonus", "on": "attribute", "of": "CON", "value": 1, "when": when}
        module = with_trait("iron", bonus)
        eater = figure("CON 4", module, traits=["iron"])
        poison = Situation(difficulty=3, now=RpjCircumstances(toggles=("poison",)))

        assert terms(attribute_check(eater, RpjAttribute.CON, poison)) == [("Constitution", 4), ("poison", 1)]

    def test_eating_poison_is_a_constitution_check(self) -> None:
        reading = read(attribute_check(figure("CON 4"), RpjAttribute.CON, Situation(difficulty=3)), 2, 4)

        assert (reading.total, reading.result) == (10, RpjResult.EXACT)

    def test_staring_at_a_wall_is_a_willpower_check(self) -> None:
        assert terms(attribute_check(figure("WIL 5"), RpjAttribute.WIL)) == [("Willpower", 5)]


@pytest.mark.rule("RPJ-ATTR-04")
class TestAttributeBonusCheck:
    @pytest.mark.parametrize(("level", "difficulty", "total"), [("STR 6", 2, 9), ("STR 2", 0, 7)])
    def test_an_attribute_bonus_check_adds_the_bonus(self, level: str, difficulty: int, total: int) -> None:
        asked = attribute_check(
            figure(level), RpjAttribute.STR, Situation(difficulty=difficulty), CheckKind.ATTRIBUTE_BONUS
        )
        reading = read(asked, 3, 4)

        assert (reading.total, reading.result, reading.degrees) == (total, RpjResult.SUCCESS, 0)


@pytest.mark.rule("RPJ-ATTR-05")
class TestSavingThrow:
    def test_a_saving_throw_is_an_attribute_check_without_complications(self) -> None:
        asked = attribute_check(
            figure("DEX 4"), RpjAttribute.DEX, Situation(difficulty=3), CheckKind.SAVING_THROW
        )
        reading = read(asked, 2, 4)

        assert (reading.total, reading.result, reading.degrees) == (10, RpjResult.SUCCESS, 0)


@pytest.mark.rule("RPJ-ATTR-06")
class TestLuckCheck:
    @pytest.mark.parametrize(
        ("faces", "total", "result"), [((4, 4), 12, RpjResult.SUCCESS), ((3, 4), 11, RpjResult.FAILURE)]
    )
    def test_a_luck_check_adds_the_luck_level(
        self, faces: tuple[int, int], total: int, result: RpjResult
    ) -> None:
        asked = attribute_check(figure("LUCK 4"), RpjAttribute.LUCK, Situation(difficulty=5), CheckKind.LUCK)

        assert (read(asked, *faces).total, read(asked, *faces).result) == (total, result)


@pytest.mark.rule("RPJ-ATTR-07")
class TestLuckDetail:
    @pytest.mark.parametrize(
        ("luck", "faces", "result"),
        [
            ("LUCK 3", (3, 4), RpjResult.SUCCESS),
            ("LUCK 2", (3, 4), RpjResult.FAILURE),
            ("LUCK 6", (2, 4), RpjResult.SUCCESS),
        ],
    )
    def test_a_luck_detail_roll_uses_the_luck_bonus_against_8(
        self, luck: str, faces: tuple[int, int], result: RpjResult
    ) -> None:
        asked = luck_detail(figure(luck))

        assert asked.target == 8
        assert read(asked, *faces).result is result
