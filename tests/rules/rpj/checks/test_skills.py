"""Skills and attributes on the sheet, and what they bring to a check."""

from fractions import Fraction
from typing import Any

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import OwnSkill, Stats
from bot.rules.rpj.checks.odds import ODDS, RpjOddsQuestion, turning_chance
from bot.rules.rpj.checks.skill_checks import (
    Fit,
    Situation,
    assert_usable,
    skill_check,
)
from bot.rules.rpj.checks.tables import (
    Closeness,
    NpcAbility,
    RpjStanding,
    improvised_attribute,
    improvised_levels,
    level_choice,
)
from bot.rules.rpj.module.basics import RpjAttribute, attribute_bonus, grade, raise_cost
from bot.rules.rpj.module.decision_tables import CHOICE
from bot.rules.rpj.module.effects import RollTarget as On
from bot.rules.rpj.module.effects import RpjCircumstances, toggles
from bot.rules.rpj.module.module_files import RpjSettings
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalMode, CriticalRules, RpjCheckInputs, Word
from tests.dice import ScriptedDice
from tests.rules.rpj.people import FANTASY, figure, known, skill, with_skill, with_trait
from tests.rules.rpj.throws import coins_total, read, thrown

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


def enough(**question: Any) -> Fraction | None:
    """How likely a success is, as the page of /odds says."""
    return ODDS.answer(RpjOddsQuestion.model_validate(question)).enough


@pytest.mark.rule("RPJ-DICE-10")
class TestTwoDice:
    @pytest.mark.parametrize(
        ("least", "ways"),
        [(3, 35), (4, 33), (5, 30), (6, 26), (7, 21), (8, 15), (9, 10), (10, 6), (11, 3), (12, 1)],
    )
    def test_the_odds_of_two_dice_match_the_printed_table(self, least: int, ways: int) -> None:
        assert enough(target=least) == Fraction(ways, 36)
        assert enough(target=least) == (2 @ icepool.d6).probability(">=", least)

    def test_double_ones_fail_even_against_a_target_of_2(self) -> None:
        assert enough(target=2) == Fraction(35, 36)

    @pytest.mark.parametrize(("least", "ways"), [(7, 174), (8, 147), (9, 113), (10, 77), (11, 43), (12, 16)])
    def test_the_odds_with_a_lucky_break_are_those_of_the_best_two_of_three_dice(
        self, least: int, ways: int
    ) -> None:
        assert enough(target=least, lucky_break=True) == Fraction(ways, 216)
        assert enough(target=least, lucky_break=True) == icepool.d6.highest(3, 2).probability(">=", least)


@pytest.mark.rule("RPJ-DICE-10")
class TestPageOfOdds:
    @pytest.mark.parametrize(
        ("question", "percent"),
        [
            (RpjOddsQuestion(level=4, target=11), "58.33"),
            (RpjOddsQuestion(level=6, target=13), "58.33"),
            (RpjOddsQuestion(level=0, target=13), "0.00"),
            (RpjOddsQuestion(level=4, target=11, lucky_break=True), "80.56"),
            (RpjOddsQuestion(level=4, target=11, bonus=-1), "41.67"),
        ],
    )
    def test_the_odds_page_gives_the_chance_of_success(self, question: RpjOddsQuestion, percent: str) -> None:
        enough = ODDS.answer(question).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent

    def test_the_odds_page_lists_the_exact_match_separately(self) -> None:
        chances = dict(ODDS.answer(RpjOddsQuestion(level=4, target=11)).chances)

        assert chances["exact success"] == Chance(6, 36)

    def test_the_odds_page_knows_the_variants_of_criticals(self) -> None:
        question = RpjOddsQuestion.model_validate({"level": 4, "target": 11, "criticals": "confirm"})

        assert dict(ODDS.answer(question).chances)["critical success"] == Chance(3, 216)


@pytest.mark.rule("RPJ-LUCK-02")
class TestWorthOfALuckyBreak:
    def test_the_odds_page_gives_the_worth_of_a_lucky_break_before_and_after_the_roll(self) -> None:
        question = RpjOddsQuestion(level=4, target=11)

        assert ODDS.worth(question, RpjSettings()) == (
            "the dice must total 7+",
            "81% with a Lucky Break spent beforehand",
            "a Lucky Break rescues a failure 53% of the time",
        )

    @pytest.mark.rule("RPJ-DICE-10")
    @pytest.mark.parametrize(
        ("coins", "lowest", "highest", "what"), [(False, 2, 12, "dice"), (True, 1, 13, "coins")]
    )
    def test_the_odds_page_says_what_the_dice_must_add_up_to(
        self, coins: bool, lowest: int, highest: int, what: str
    ) -> None:
        def needed(level: int, target: int) -> str:
            return ODDS.worth(RpjOddsQuestion(level=level, target=target, coins=coins), RpjSettings())[0]

        assert needed(4, 4 + highest) == f"the {what} must total {highest}+"
        assert needed(4, 5 + highest) == f"the {what} alone can't reach it"
        assert needed(9, 9 + lowest) == needed(9, 8 + lowest) == f"the {what} must total {lowest}+"

    @pytest.mark.parametrize(
        ("mode", "level", "two_dice", "rescue", "three_dice"),
        [
            (CriticalMode.NORMAL, 4, "7/12", "8/15", "29/36"),
            (CriticalMode.CONFIRM, 4, "7/12", "8/15", "29/36"),
            (CriticalMode.CONFIRM, 9, "71/72", "5/6", "431/432"),  # double ones are confirmed half the time
            (CriticalMode.WIDE, 9, "17/18", "19/24", "427/432"),
        ],
    )
    def test_the_chance_of_success_plus_rescue_equals_the_chance_of_three_dice(
        self, mode: CriticalMode, level: int, two_dice: str, rescue: str, three_dice: str
    ) -> None:
        terms = (NamedTerm(label="level", value=level),)
        inputs = RpjCheckInputs(terms=terms, difficulty=4, criticals=CriticalRules(mode=mode))
        before = Fraction(two_dice)

        assert turning_chance(inputs) == Fraction(rescue)
        assert before + (1 - before) * Fraction(rescue) == Fraction(three_dice)

    def test_the_odds_page_shows_no_rescue_where_failure_or_success_is_impossible(self) -> None:
        sure = RpjCheckInputs(difficulty=-7, word=Word.OVERRULED)

        assert turning_chance(sure) is None
        assert ODDS.worth(RpjOddsQuestion(target=14, lucky_break=True), RpjSettings()) == (
            "the dice alone can't reach it",
        )

    def test_the_odds_use_the_campaigns_own_criticals(self) -> None:
        wide = RpjSettings(criticals=CriticalMode.WIDE)
        assert ODDS.answer_under is not None

        odds = ODDS.answer_under(RpjOddsQuestion(level=4, target=7), wide)

        assert dict(odds.chances)["critical success"] == Chance(12, 216)


@pytest.mark.rule("RPJ-HEALTH-19")
class TestDamageSaves:
    @pytest.mark.parametrize(("final", "percent"), [(7, "58.33"), (6, "72.22"), (4, "91.67"), (13, "2.78")])
    def test_the_odds_of_damage_saves_are_exact(self, final: int, percent: str) -> None:
        enough = ODDS.answer(RpjOddsQuestion(target=final, roll=CheckKind.DAMAGE_SAVE)).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent


@pytest.mark.rule("RPJ-COIN-05", "RPJ-APPX-20")
class TestOddsOfCoins:
    @pytest.mark.parametrize(("target", "percent"), [(4, "87.50"), (7, "53.12"), (8, "46.88"), (13, "3.12")])
    def test_the_odds_command_can_be_asked_about_coins(self, target: int, percent: str) -> None:
        enough = ODDS.answer(RpjOddsQuestion(target=target, coins=True)).enough

        assert enough is not None
        assert f"{float(enough) * 100:.2f}" == percent

    @pytest.mark.rule("RPJ-COIN-07")
    @pytest.mark.parametrize("lucky_break", [False, True])
    def test_the_odds_of_coins_match_a_count_of_every_flip(self, lucky_break: bool) -> None:
        totals = coins_total(has_extra=lucky_break)

        for target in range(2, 14):
            counted = sum(ways for total, ways in totals.ways.items() if total >= target)
            assert enough(target=target, coins=True, lucky_break=lucky_break) == Fraction(counted, totals.of)

    def test_the_odds_are_about_dice_by_default_even_where_players_may_flip_coins(self) -> None:
        flipping, question = RpjSettings(coin_flips=True), RpjOddsQuestion(target=13)

        assert ODDS.answer_under is not None
        assert ODDS.answer_under(question, flipping).enough == 0
        with_coins = question.model_copy(update={"coins": True})
        assert dict(ODDS.answer_under(with_coins, flipping).chances)["critical success"] == Chance(1, 32)

    def test_the_odds_page_for_coins_speaks_of_coins(self) -> None:
        worth = ODDS.worth(RpjOddsQuestion(target=13, coins=True), RpjSettings())

        assert worth[0] == "the coins must total 13+"
        assert (
            ODDS.worth(RpjOddsQuestion(target=14, coins=True), RpjSettings())[0]
            == "the coins alone can't reach it"
        )


@pytest.mark.rule("RPJ-GM-01")
class TestNpcSkills:
    @pytest.mark.parametrize(
        ("ability", "closeness", "levels"),
        [
            (NpcAbility.MASTERFUL, Closeness.IN, (6, 7)),
            (NpcAbility.COMPETENT, Closeness.IN, (4, 5)),
            (NpcAbility.GREEN, Closeness.IN, (2, 3)),
            (NpcAbility.MASTERFUL, Closeness.ADJACENT, (3,)),
            (NpcAbility.COMPETENT, Closeness.ADJACENT, (2,)),
            (NpcAbility.GREEN, Closeness.ADJACENT, (1,)),
            (NpcAbility.MASTERFUL, Closeness.OUTSIDE, (0, 1)),
            (NpcAbility.GREEN, Closeness.OUTSIDE, (0, 1)),
        ],
    )
    def test_two_words_give_an_npc_one_skill_level_or_two_to_choose_from(
        self, ability: NpcAbility, closeness: Closeness, levels: tuple[int, ...]
    ) -> None:
        assert improvised_levels(ability, closeness) == levels

    def test_a_die_may_choose_between_two_npc_skill_levels(self) -> None:
        choice = level_choice(improvised_levels(NpcAbility.MASTERFUL, Closeness.IN))

        assert CHOICE.resolve(choice, ScriptedDice("d2:2")).outcome == "7"


@pytest.mark.rule("RPJ-GM-02")
class TestNpcAttributes:
    @pytest.mark.parametrize(
        ("standing", "level", "bonus"),
        [(RpjStanding.UNREMARKABLE, 2, 0), (RpjStanding.AVERAGE, 3, 1), (RpjStanding.ABOVE_AVERAGE, 4, 1)],
    )
    def test_a_word_gives_an_npc_an_attribute_level_and_bonus(
        self, standing: RpjStanding, level: int, bonus: int
    ) -> None:
        assert improvised_attribute(standing) == level
        assert attribute_bonus(improvised_attribute(standing)) == bonus
