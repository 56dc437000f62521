"""What people type for a check, however they write it; what does nothing is refused."""

import pytest

from bot.rules.kernel import Narrowed
from bot.rules.rpj import RULESET
from tests.rules.rpj.table import d6, rpj_table


class TestTypingModifiers:
    @pytest.mark.parametrize(
        ("typed", "terms"),
        [
            ("rope +1", [("rope", 1)]),
            ("rope +1 rain -2", [("rope", 1), ("rain", -2)]),
            ("rope +1, −2 rain", [("rope", 1), ("rain", -2)]),
            ("two-handed+2", [("two-handed", 2)]),
            ("+2 high ground, dry −1 dark", [("high ground, dry", 2), ("dark", -1)]),
        ],
    )
    def test_a_modifiers_number_may_come_before_or_after_its_word(
        self, typed: str, terms: list[tuple[str, int]]
    ) -> None:
        """F-RPJ-13."""
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Intimidate", modifiers=typed)

        assert [(term.label, term.value) for term in done.rolls[0].terms[1:]] == terms


@pytest.mark.rule("RPJ-TRAIT-02", "RPJ-TRAIT-06")
class TestTypingConditions:
    """F-RPJ-07: what does nothing for a roll is refused, and not offered."""

    def test_a_condition_counts_however_it_is_spelled(self) -> None:
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Diplomacy", toggles="Negotiating Prices")

        assert ("negotiating prices", 1) in [(term.label, term.value) for term in done.rolls[0].terms]

    @pytest.mark.parametrize(
        ("how", "what", "allowed"),
        [
            (
                {"skill": "Trade", "toggles": "negotiating prices"},
                "“negotiating prices” doesn't affect Trade.",
                "Leave it empty: none of your traits do.",
            ),
            (
                {"skill": "Diplomacy", "toggles": "banana"},
                "“banana” doesn't affect Diplomacy.",
                "You can use: negotiating prices.",
            ),
        ],
    )
    def test_a_condition_that_does_not_affect_the_check_is_refused_with_those_that_do(
        self, how: dict[str, str], what: str, allowed: str
    ) -> None:
        refused = rpj_table().refused("Ug", "check", **how)

        assert (refused.what, refused.allowed) == (what, allowed)

    def test_a_condition_that_does_not_affect_an_attribute_or_luck_is_refused(self) -> None:
        table = rpj_table()

        said = table.refused("Ug", "attribute", attribute="CHA", toggles="negotiating prices").what
        assert said == "“negotiating prices” doesn't affect Charisma."
        assert table.refused("Ug", "luck", toggles="banana").what == "“banana” doesn't affect Luck."

    def test_only_conditions_that_affect_the_chosen_skill_are_offered(self) -> None:
        table = rpj_table()
        offered, ug = RULESET.suggestions["condition"], table.named("Ug")
        assert isinstance(offered, Narrowed)

        assert offered.names(ug, table.scene.settings, {"skill": "Diplomacy"}) == ["negotiating prices"]
        assert offered.names(ug, table.scene.settings, {"skill": "Trade"}) == []
        assert offered(ug, table.scene.settings) == ["negotiating prices"]
        for kind in ("attribute condition", "luck condition"):
            assert list(RULESET.suggestions[kind](ug, table.scene.settings)) == []


@pytest.mark.rule("RPJ-SKILL-07")
class TestMisspelledNames:
    """F-RPJ-15: a name that the module does not have is guessed."""

    @pytest.mark.parametrize(
        ("typed", "allowed"),
        [
            ("Stealth", "Did you mean Concealment?"),
            ("lockpicking", "Did you mean Open Lock?"),
            ("Athletcism", "Did you mean Athleticism?"),
            ("blade", "Did you mean Large Blades or Small Blades?"),
        ],
    )
    def test_a_misspelled_skill_name_is_refused_with_a_suggestion(self, typed: str, allowed: str) -> None:
        refused = rpj_table().refused("Ug", "check", skill=typed)

        assert refused.sentences == (f"This campaign has no skill “{typed}”.", allowed)

    def test_an_unknown_skill_name_unlike_any_other_is_refused_with_the_whole_list(self) -> None:
        assert rpj_table().refused("Ug", "check", skill="Surfing").allowed.startswith("Its skills: ")
