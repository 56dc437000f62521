"""Checks as people ask for them at the table: skills, attributes, saving throws, Luck."""

import pytest

from bot.rules.kernel import Audience, Die, Family, FollowUp, Outcome, Verdict
from bot.rules.rpj import RULESET
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check, luck_detail
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.effects import RpjCircumstances
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs
from bot.ui.text.roll_text import roll_line
from tests.rules.rpj.people import figure, module_with, with_trait
from tests.rules.rpj.table import GameTable, besides, breaks, d6, labels, others, rpj_table
from tests.rules.rpj.throws import read

ROLLING = {"lucky_break", "roll", "check", "roll_detail"}


def target(outcome: Outcome) -> str:
    """What the roll of a result had to reach."""
    return outcome.rolls[0].against


class TestDifficulty:
    @pytest.mark.rule("RPJ-SKILL-24")
    @pytest.mark.parametrize(
        ("typed", "against"),
        [
            ("", "7+"),
            ("3", "10+"),
            ("-1", "6+"),
            ("10+", "10+"),
            ("moderate", "9+"),
            ("Implausible", "19+"),
            ("Challenging · 11-12+", "11+"),
            ("hard", "11+"),
            ("Very  Hard", "13+"),
            ("chall", "11+"),
        ],
    )
    def test_a_difficulty_is_a_number_a_target_number_or_a_name(self, typed: str, against: str) -> None:
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Intimidate", difficulty=typed)

        assert target(done) == against

    def test_an_unreadable_difficulty_is_refused_with_the_names_to_choose_from(self) -> None:
        refused = rpj_table().refused("Ug", "check", skill="Intimidate", difficulty="hardish")

        assert refused.what == "I can't read the difficulty “hardish”."
        assert refused.allowed.startswith("Type a number, a target such as 10+, or Trivial, Easy")


@pytest.mark.rule("RPJ-DICE-02")
class TestModifiers:
    def test_typed_bonuses_and_penalties_are_added_under_their_names(self) -> None:
        done = rpj_table().do(
            "Ug", "check", d6("4 3"), skill="Intimidate", difficulty="3", modifiers="+1 club −2 rain"
        )

        assert [(term.label, term.value) for term in done.rolls[0].terms] == [
            ("Intimidate", 4),
            ("club", 1),
            ("rain", -2),
        ]
        assert (done.rolls[0].total, target(done)) == (10, "10+")

    @pytest.mark.parametrize(
        ("typed", "what"),
        [
            ("rope", "I can't read “rope”."),
            ("1 rope", "I can't read “1 rope”."),
            ("+99 gods", "“+99 gods” is too large."),
            ("+21 gods", "“+21 gods” is too large."),
            ("−21 gods", "“−21 gods” is too large."),
        ],
    )
    def test_an_unreadable_modifier_is_refused(self, typed: str, what: str) -> None:
        """F-RPJ-16."""
        assert rpj_table().refused("Ug", "check", skill="Intimidate", modifiers=typed).what == what


class TestSkillChecks:
    @pytest.mark.rule("RPJ-SKILL-21")
    def test_a_specialty_of_a_skill_without_specialties_is_refused(self) -> None:
        refused = rpj_table().refused("Ug", "check", skill="Intimidate", specialty="Wolves")

        assert refused.what == "Intimidate has no specialties."

    @pytest.mark.rule("RPJ-SKILL-22")
    def test_a_check_outside_the_specialty_is_one_lower(self) -> None:
        table = rpj_table()

        inside = table.do("Laeniel", "check", d6("4 3"), skill="crafting")
        outside = table.do("Laeniel", "check", d6("4 3"), skill="crafting", specialty="Leather")

        assert (inside.headline, inside.rolls[0].total) == ("checks Crafting (Wood), Easy", 11)
        assert (outside.headline, outside.rolls[0].total) == ("checks Crafting (Leather), Easy", 10)
        assert (inside.skill, outside.skill) == ("Crafting", "Crafting")

    @pytest.mark.rule("RPJ-SKILL-21")
    def test_a_skill_can_be_typed_with_its_specialty_as_on_the_sheet(self) -> None:
        table = rpj_table()

        own = table.do("Laeniel", "check", d6("4 3"), skill="Crafting (Wood)")
        other = table.do("Laeniel", "check", d6("4 3"), skill="crafting (Leather)")

        assert (own.headline, own.rolls[0].total) == ("checks Crafting (Wood), Easy", 11)
        assert (other.headline, other.rolls[0].total) == ("checks Crafting (Leather), Easy", 10)

    @pytest.mark.rule("RPJ-SKILL-08")
    def test_a_poorly_fitting_skill_has_a_penalty_and_an_impossible_one_is_refused(self) -> None:
        table = rpj_table()

        poor = table.do("Laeniel", "check", d6("4 3"), skill="Archery", difficulty="2", fit="poor")

        assert (poor.rolls[0].total, target(poor)) == (11, "9+")
        refused = table.refused("Laeniel", "check", skill="Archery", fit="impossible")
        assert refused.what == "Archery doesn't help with that."

    @pytest.mark.rule("RPJ-SKILL-03")
    def test_an_unlearned_skill_is_rolled_with_its_attribute_bonus_alone(self) -> None:
        done = rpj_table().do("Laeniel", "check", d6("4 3"), skill="Alchemy", difficulty="1")

        assert [(term.label, term.value) for term in done.rolls[0].terms] == [("Alchemy", 1)]


class TestAttributeChecks:
    @pytest.mark.rule("RPJ-ATTR-03")
    @pytest.mark.rule("RPJ-SKILL-20")
    def test_the_attribute_command_rolls_with_the_level(self) -> None:
        done = rpj_table().do("Laeniel", "attribute", d6("4 3"), attribute="CON", difficulty="3")

        assert (done.headline, done.skill) == ("checks Constitution, Moderate", "Constitution")
        assert done.verdict == Verdict(Family.PARTIAL, "success, perhaps with a complication")
        assert done.passed

    @pytest.mark.rule("RPJ-ATTR-04")
    def test_the_attribute_command_can_roll_with_the_bonus(self) -> None:
        done = rpj_table().do(
            "Laeniel", "attribute", d6("4 3"), attribute="DEX", rolled="bonus", difficulty="2"
        )

        assert [(term.label, term.value) for term in done.rolls[0].terms] == [("Dexterity bonus", 2)]
        assert done.verdict == Verdict(Family.SUCCESS, "success, 0 degrees")

    @pytest.mark.rule("RPJ-ATTR-05")
    def test_a_saving_throw_uses_the_level_and_never_has_a_complication(self) -> None:
        done = rpj_table().do(
            "Laeniel", "attribute", d6("3 3"), attribute="CHA", rolled="saving throw", difficulty="3"
        )

        assert done.headline == "makes a Charisma saving throw, Moderate"
        assert (done.rolls[0].total, done.verdict) == (10, Verdict(Family.SUCCESS, "success, 0 degrees"))
        assert others(done) == []

    @pytest.mark.rule("RPJ-ATTR-06")
    def test_a_luck_check_names_what_is_at_stake(self) -> None:
        done = rpj_table().do("Laeniel", "luck", d6("4 4"), difficulty="12+", stake="sink or skip")

        assert done.headline == "trusts to Luck (sink or skip), Challenging"
        assert (done.rolls[0].total, target(done)) == (12, "12+")


@pytest.mark.rule("RPJ-SKILL-12")
class TestPartialFailure:
    def test_the_gm_can_let_a_player_retry_a_failed_check_one_harder(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "check", d6("1 2"), skill="Alchemy", difficulty="2")
        assert others(failed) == ["Retry (GM)", "At a cost (GM)"]
        assert {button.audience for button in besides(failed)} == {Audience.GM}

        offered = table.press("GM Ug", besides(failed)[0])

        assert offered.headline == "can try again: Alchemy, against 10+"
        assert others(offered) == ["Try again against 10+ · 17%", "Set the difficulty (GM)"]
        again = table.press("Ug", besides(offered)[0], d6("5 5"))
        assert (again.headline, target(again), again.passed) == ("checks Alchemy, Moderate", "10+", True)

    def test_the_gm_can_choose_how_much_harder_a_retry_is(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "check", d6("1 2"), skill="Alchemy", difficulty="2")
        offered = table.press("GM Ug", besides(failed)[0])

        harder = table.press("GM Ug", besides(offered)[1], choose="3")

        assert others(harder)[0] == "Try again against 12+ · 3%"

    def test_the_gm_can_turn_a_failure_into_a_success_at_a_cost(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "check", d6("1 2"), skill="Alchemy", difficulty="2")

        turned = table.press("GM Ug", besides(failed)[1])

        assert turned.verdict == Verdict(Family.PARTIAL, "success at a cost")
        assert (turned.passed, turned.skill) == (True, "Alchemy")
        assert others(turned) == ["Add a complication (GM)"]

    def test_a_failed_attribute_check_that_works_at_a_cost_counts_for_the_attribute(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "attribute", d6("1 2"), attribute="CHA", difficulty="2")

        assert table.press("GM Ug", besides(failed)[1]).skill == "Charisma"

    def test_a_retry_button_from_an_older_version_still_works(self) -> None:
        """F-RPJ-04: what stands under older messages rolls no dice."""
        table = rpj_table()
        failed = table.do("Ug", "check", d6("1 2"), skill="Alchemy", difficulty="2")
        older = besides(failed)[0].options.model_dump()
        older["attempt"]["inputs"] |= {"fallen": (), "confirmation": None}

        offered = table.do("GM Ug", "retry", **older)

        assert (offered.rolls, others(offered)[0]) == ((), "Try again against 10+ · 17%")

    def test_a_failed_saving_throw_offers_no_retry(self) -> None:
        failed = rpj_table().do(
            "Ug", "attribute", d6("1 2"), attribute="INT", rolled="saving throw", difficulty="4"
        )

        assert others(failed) == []


@pytest.mark.rule("RPJ-SKILL-10")
class TestComplication:
    def test_an_exact_match_asks_the_gm_about_a_complication(self) -> None:
        exact = rpj_table().do("Ug", "check", d6("4 4"), skill="Alchemy", difficulty="1")

        assert others(exact) == ["Add a complication (GM)", "No complication (GM)"]
        assert exact.passed

    def test_beating_the_target_by_1_brings_no_complication(self) -> None:
        assert others(rpj_table().do("Ug", "check", d6("5 4"), skill="Alchemy", difficulty="1")) == []

    def test_a_complication_is_drawn_from_the_modules_table(self) -> None:
        table = rpj_table()
        exact = table.do("Ug", "check", d6("4 4"), skill="Alchemy", difficulty="1")

        drawn = table.press("GM Ug", besides(exact)[0], d6("1 5"))

        assert (drawn.headline, drawn.notes) == ("has a complication: Alchemy", ("Someone has noticed.",))

    def test_the_gm_can_waive_a_complication_or_write_one(self) -> None:
        table = rpj_table()
        exact = table.do("Ug", "check", d6("4 4"), skill="Alchemy", difficulty="1")

        button = besides(exact)[0]
        assert [blank.key for blank in button.blanks] == ["text"]
        written = table.do("GM Ug", "complicate", **{**button.options.model_dump(), "text": "It burns."})
        assert (written.headline, written.notes) == ("has a complication: Alchemy", ("It burns.",))
        waived = table.press("GM Ug", besides(exact)[1])
        said = table.do("GM", "complication", target="Ug", text="The flask is empty now.")

        assert waived.headline == "Alchemy: no complication"
        assert said.headline == "adds a complication for Ug"
        assert said.notes == ("The flask is empty now.",)


@pytest.mark.rule("RPJ-TRAIT-02")
@pytest.mark.rule("RPJ-TRAIT-06")
class TestTraitsInChecks:
    def test_a_situational_bonus_counts_when_the_player_names_it(self) -> None:
        said = rpj_table().do("Ug", "check", d6("4 3"), skill="Diplomacy", toggles="negotiating prices")

        assert [(term.label, term.value) for term in said.rolls[0].terms] == [("negotiating prices", 1)]

    def test_a_failed_check_has_a_button_for_a_situational_bonus_that_would_rescue_it(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "check", d6("4 3"), skill="Diplomacy", difficulty="1")
        assert others(failed)[0] == "+1 negotiating prices"
        assert failed.verdict == Verdict(Family.FAILURE, "failure by 1")

        saved = table.press("Ug", besides(failed)[0])

        assert saved.headline == "checks Diplomacy, negotiating prices"
        assert (saved.rolls[0].total, saved.passed, saved.rolls[0].dice) == (8, True, ())

    def test_a_check_has_no_button_for_a_bonus_of_another_skill(self) -> None:
        failed = rpj_table().do("Ug", "check", d6("4 3"), skill="Games", difficulty="1")

        assert "+1 negotiating prices" not in others(failed)

    def test_typing_a_condition_offers_the_characters_situational_bonuses(self) -> None:
        table = rpj_table()
        offered = RULESET.suggestions["condition"](table.named("Ug"), table.scene.settings)

        assert list(offered) == ["negotiating prices"]


@pytest.mark.rule("RPJ-LUCK-02")
class TestLuckyBreakBeforehand:
    def test_a_lucky_break_paid_before_the_roll_adds_a_third_die(self) -> None:
        table = rpj_table()

        done = table.do("Ug", "check", d6("2 3 6"), skill="Intimidate", difficulty="6", lucky_break=True)

        assert done.headline == "spends a Lucky Break and checks Intimidate, Grueling"
        assert (done.rolls[0].total, done.rolls[0].against) == (13, "13+")
        assert breaks(table, "Ug") == 1

    def test_a_lucky_break_before_the_roll_is_refused_when_none_is_left(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        refused = table.refused("Ug", "check", skill="Intimidate", lucky_break=True)

        assert refused.what == "That costs a Lucky Break; you have none left."


class TestCriticalVariants:
    @pytest.mark.rule("RPJ-DICE-04")
    def test_the_confirmation_die_is_shown_next_to_the_roll(self) -> None:
        """F-RPJ-10: it decided, so it is not struck through, and it is no part of the sum."""
        table = rpj_table(criticals="confirm")

        done = table.do("Ug", "check", d6("6 6 3"), skill="Intimidate", difficulty="2")

        assert done.rolls[0].dice[2] == Die(sides=6, face=3, label="confirmation", shown="confirmation ⚂")
        assert roll_line(done.rolls[0]).startswith("⚅ ⚅ 12 confirmation ⚂ + Intimidate")
        assert done.verdict == Verdict(Family.SUCCESS, "success, 7 degrees")

    @pytest.mark.rule("RPJ-DICE-05")
    def test_an_11_may_be_critical_in_a_campaign_with_frequent_criticals(self) -> None:
        table = rpj_table(criticals="wide")

        done = table.do("Ug", "check", d6("5 6 5"), skill="Intimidate", difficulty="2")

        assert done.verdict == Verdict(Family.SUCCESS, "critical success, 7 degrees")

    @pytest.mark.rule("RPJ-DICE-03")
    def test_a_campaign_may_let_double_sixes_fail(self) -> None:
        table = rpj_table(check_success="never")

        done = table.do("Ug", "check", d6("6 6"), skill="Intimidate", difficulty="20")

        assert done.verdict == Verdict(Family.FAILURE, "failure by 11")

    @pytest.mark.rule("RPJ-DICE-03")
    def test_the_gm_may_overrule_double_ones(self) -> None:
        table = rpj_table()
        failed = table.do("Laeniel", "check", d6("1 1"), skill="Concealment", difficulty="-5")
        assert failed.verdict == Verdict(Family.FAILURE, "critical failure")

        overruled = table.press(
            "GM Laeniel", next(one for one in failed.follow_ups if one.procedure == "critical")
        )

        assert overruled.verdict == Verdict(Family.SUCCESS, "success, 7 degrees")
        assert overruled.headline == "checks Concealment; the GM overrules the critical"


@pytest.mark.rule("RPJ-DICE-11")
class TestWhoRolls:
    def test_every_roll_button_belongs_to_the_player_who_acts(self) -> None:
        table = rpj_table()
        failed = table.do("Ug", "check", d6("4 5"), skill="Alchemy", difficulty="4")
        offered = table.press("GM Ug", next(one for one in failed.follow_ups if one.procedure == "retry"))
        proposed = table.do("Ug", "propose", skill="Games", how="cheat")
        fits = table.press("GM Ug", proposed.follow_ups[0])
        detail = table.press("GM Ug", table.do("Ug", "detail", question="it rains").follow_ups[0])

        rolling = [
            one
            for done in (failed, offered, fits, detail)
            for one in done.follow_ups
            if one.procedure in ROLLING
        ]

        assert {(one.character, one.audience) for one in rolling} == {(table.ids["Ug"], Audience.OWNER)}
        assert {one.procedure for one in rolling} == ROLLING

    def test_a_saving_throw_is_rolled_by_the_character_in_danger(self) -> None:
        table = rpj_table()

        done = table.do("Ug", "attribute", d6("4 3"), attribute="CON", rolled="saving throw", difficulty="3")

        assert done.rolls[0].terms[0].label == "Constitution"


@pytest.mark.rule("RPJ-DICE-03")
class TestDoubleOnesThatReachTheTarget:
    @pytest.mark.parametrize(("difficulty", "passed"), [("5+", None), ("6+", None), ("7+", False)])
    def test_the_gm_decides_about_double_ones_that_reach_the_target_if_the_campaign_says_so(
        self, difficulty: str, passed: bool | None
    ) -> None:
        table = rpj_table(check_failure="ask")
        rolled = table.do("Ug", "check", d6("1 1"), skill="Intimidate", difficulty=difficulty)

        assert rolled.rolls[0].total == 6
        assert rolled.passed is passed
        assert ("Accept the critical (GM)" in labels(rolled)) is (passed is None)

    def test_double_ones_fail_by_default_even_when_they_meet_the_target(self) -> None:
        rolled = rpj_table().do("Ug", "check", d6("1 1"), skill="Intimidate", difficulty="6+")

        assert (rolled.rolls[0].total, rolled.passed) == (6, False)


RETRY = ["Retry (GM)", "At a cost (GM)"]


@pytest.mark.rule("RPJ-DICE-03", "RPJ-SKILL-10", "RPJ-SKILL-12", "RPJ-LUCK-02", "RPJ-LUCK-03")
@pytest.mark.parametrize(
    ("who", "difficulty", "fall", "note", "buttons"),
    [
        # Laeniel rolls with +7, the Ogre with +0.
        ("Laeniel", "5", "3 4", "", ["Lucky Break · better 50%"]),
        (
            "Laeniel",
            "7",
            "3 4",
            "",
            [
                "Lucky Break · better 50%",
                "Add a complication (GM)",
                "No complication (GM)",
            ],
        ),
        ("Laeniel", "6", "2 2", "", ["Lucky Break · 50% · 3 left", *RETRY]),
        ("Laeniel", "9", "1 2", "A Lucky Break can't turn this roll.", RETRY),
        ("Laeniel", "8", "1 2", "", ["Lucky Break · 17% · 3 left", *RETRY]),
        ("Laeniel", "12", "6 6", "", []),
        (
            "Laeniel",
            "0",
            "1 1",
            "A critical failure fails whatever the total.",
            [
                "Lucky Break · 83% · 3 left",
                "Overrule the critical (GM)",
                *RETRY,
                "Add a complication (GM)",
            ],
        ),
        ("GM Ogre", "0", "3 4", "", ["Add a complication (GM)", "No complication (GM)"]),
        ("GM Ogre", "-1", "3 4", "", []),
        ("GM Ogre", "1", "3 4", "", RETRY),
        ("GM Ogre", "5", "6 6", "", []),
        (
            "GM Ogre",
            "6",
            "6 6",
            "Double sixes, but below 13+: the GM decides whether that counts.",
            ["Accept the critical (GM)", "Overrule the critical (GM)"],
        ),
        ("GM Ogre", "0", "1 1", "", [*RETRY, "Add a complication (GM)"]),
        (
            "GM Ogre",
            "-5",
            "1 1",
            "A critical failure fails whatever the total.",
            ["Overrule the critical (GM)", *RETRY, "Add a complication (GM)"],
        ),
        ("GM Ogre", "-4", "1 1", "", [*RETRY, "Add a complication (GM)"]),
    ],
)
def test_what_can_follow_a_check_depends_on_its_result(
    who: str, difficulty: str, fall: str, note: str, buttons: list[str]
) -> None:
    done = rpj_table().do(who, "check", d6(fall), skill="Concealment", difficulty=difficulty)

    assert [label for label in labels(done) if label != "Countdown (GM)"] == buttons
    assert " ".join(done.notes) == note


@pytest.mark.rule("RPJ-SKILL-12")
class TestAfterAFailure:
    def failed(self) -> tuple[GameTable, dict[str, FollowUp]]:
        table = rpj_table()
        done = table.do("GM Ogre", "check", d6("3 4"), skill="Concealment", difficulty="1")
        return table, {button.label: button for button in done.follow_ups}

    def test_a_retry_is_one_harder_unless_the_gm_says_otherwise(self) -> None:
        table, buttons = self.failed()

        again, menu = table.press("GM Ogre", buttons["Retry (GM)"]).follow_ups

        assert again.label == "Try again against 9+ · 28%"
        assert [(one.value, one.label, one.note) for one in menu.choices] == [
            ("0", "As hard as before", "8+ · 42%"),
            ("1", "1 harder", "9+ · 28%"),
            ("2", "2 harder", "10+ · 17%"),
            ("3", "3 harder", "11+ · 8%"),
        ]
        changed = table.press("GM Ogre", menu, choose="0").follow_ups[0]
        assert changed.label == "Try again against 8+ · 42%"
        rolled = table.press("GM Ogre", changed, d6("4 4"))
        assert (rolled.passed, "Retry (GM)" in labels(rolled)) == (True, False)

    def test_it_can_work_at_a_cost(self) -> None:
        table, buttons = self.failed()

        done = table.press("GM Ogre", buttons["At a cost (GM)"])

        assert done.verdict == Verdict(Family.PARTIAL, "success at a cost")
        assert (done.passed, done.skill, labels(done)) == (True, "Concealment", ["Add a complication (GM)"])


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
