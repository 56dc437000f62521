"""What belongs to the table: the campaign's lists, tests that the GM asks for, the end of a session."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.rules.kernel import RuleText
from bot.rules.kernel.dice import Fall, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.performing import reason
from bot.rules.sword_and_swarm.sheet import SwarmSettings, SwarmSheet, actual, is_defeated
from bot.rules.sword_and_swarm.tests import (
    AttributeInputs,
    Edge,
    Modifier,
    ProficiencyInputs,
    SwarmAttribute,
    SwarmKind,
    SwarmResult,
    attribute_odds,
    attribute_test,
    net,
    proficiency_odds,
    proficiency_test,
    read_modifiers,
)
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import fell, lay, sheet


def names(kind: str, table: GameTable, who: str | None = None) -> list[str]:
    character = None if who is None else table.named(who)
    return list(RULESET.suggestions[kind](character, table.scene.settings))


class TestLists:
    def test_the_gm_adds_changes_and_removes_entries(self, table: GameTable) -> None:
        added = table.do("GM", "add_obstacle", name="Rope  bridge", difficulty=4)
        changed = table.do("GM", "add_obstacle", name="rope bridge", difficulty=5)
        removed = table.do("GM", "remove", name="Rope Bridge")

        assert [done.headline for done in (added, changed, removed)] == [
            "adds Rope bridge: 4 (campaign obstacles)",
            "changes rope bridge: 5 (campaign obstacles)",
            "removes Rope Bridge (campaign obstacles)",
        ]
        assert table.scene.settings == SwarmSettings()

    def test_adding_an_identical_entry_is_refused(self, table: GameTable) -> None:
        table.do("GM", "add_obstacle", name="Wall", difficulty=6)

        mistake = table.refused("GM", "add_obstacle", name="Wall", difficulty=6)

        assert mistake.what == "“Wall: 6” is already on the list."

    def test_equipment_can_raise_several_attributes(self, table: GameTable) -> None:
        table.do("GM", "add_equipment", name="Plate", attribute="Shield", amount=3)
        table.do("GM", "add_equipment", name="Plate", attribute="Mallet", amount=1)
        table.do("GM", "add_equipment", name="Plate", attribute="Shield", amount=4)

        assert table.scene.settings == SwarmSettings(equipment=("Plate: Mallet +1 Shield +4",))
        table.do("GM", "give", target="Ash", name="plate")
        assert table.do("Ash", "test", "d6:5", attribute="Mallet").rolls[0].against == "Mallet 5: 5 or less"

    def test_the_books_entries_cannot_be_removed(self, table: GameTable) -> None:
        again = table.refused("GM", "add_proficiency", name="architecture", attribute="Key")
        gone = table.refused("GM", "remove", name="Architecture")

        assert again.what == "“architecture” is already on the list."
        assert gone.what == "“Architecture” isn't on this campaign's lists."

    def test_a_list_holds_a_hundred_entries(self, table: GameTable) -> None:
        table.settings(obstacles=[f"Wall {number}: 4" for number in range(100)])

        mistake = table.refused("GM", "add_obstacle", name="One more", difficulty=4)

        assert "at most 100 items" in mistake.what

    def test_the_lists_show_every_entry(self, table: GameTable) -> None:
        assert table.do("Ash", "show_lists").notes == (
            "Proficiency test difficulties: 6 simple · 8 challenging · 10 difficult · 12 masterly"
            " · 14 daunting · 16 herculean",
            "Proficiencies: Architecture (Runes)",
            "Obstacles: none named",
            "Equipment: none",
        )
        table.settings(proficiencies="Locks: Key trained", obstacles="Wall: 6", equipment="Mail: Shield +3")
        assert table.do("Ash", "show_lists").notes[1:] == (
            "Proficiencies: Architecture (Runes) · Locks (Key, needs training)",
            "Obstacles: Wall 6",
            "Equipment: Mail (Shield +3)",
        )

    @pytest.mark.parametrize(
        ("typed", "kept"),
        [
            ({"proficiencies": "riding :  key, Locks: Key trained"}, ("riding: Key", "Locks: Key trained")),
            ({"proficiencies": ""}, ()),
            ({"proficiencies": "none"}, ()),
            ({"proficiencies": None}, ()),
            ({"obstacles": "Wall: 0, Cliff: 10"}, ("Wall: 0", "Cliff: 10")),
            ({"equipment": "Mail: Shield +1 Boots +10"}, ("Mail: Shield +1 Boots +10",)),
            (
                {"equipment": "Chain mail: shield 3 boots+1, Torch:"},
                ("Chain mail: Shield +3 Boots +1", "Torch"),
            ),
        ],
    )
    def test_the_lists_can_be_typed_as_settings(self, typed: dict[str, Any], kept: tuple[str, ...]) -> None:
        settings = SwarmSettings.model_validate(typed)

        assert getattr(settings, next(iter(typed))) == kept
        assert SwarmSettings.model_validate_json(settings.model_dump_json()) == settings

    @pytest.mark.parametrize(
        ("field", "typed"),
        [
            ("proficiencies", "Riding"),
            ("proficiencies", "Riding: Horse"),
            ("proficiencies", "Riding: Key always"),
            ("proficiencies", ": Key"),
            ("proficiencies", "Riding: Key, riding: Mallet"),
            ("proficiencies", "Architecture: Key"),
            ("obstacles", "Wall"),
            ("obstacles", "Wall: 11"),
            ("obstacles", "Wall: six"),
            ("equipment", "Mail: Shield"),
            ("equipment", "Mail: Shield +11"),
            ("equipment", "Mail: Shield +0"),
            ("equipment", "Mail: Sword +1"),
            ("equipment", "Mail: Shield +1 Shield +2"),
            ("equipment", "Mail, mail"),
            ("equipment", "x" * 61),
        ],
    )
    def test_an_unreadable_entry_is_refused(self, field: str, typed: str) -> None:
        with pytest.raises(ValidationError):
            SwarmSettings.model_validate({field: typed})

    @pytest.mark.parametrize("name", ["", "  ", "a:b", "a,b"])
    def test_an_edited_entry_needs_a_name_that_can_be_read_back(self, name: str) -> None:
        for edited in RULESET.lists:
            assert edited.complete(SwarmSettings(), None, {"name": " Two  words"})["name"] == "Two words"
            with pytest.raises(ValueError, match="at least one character"):
                edited.complete(SwarmSettings(), None, {"name": name})


class TestOffers:
    def test_the_characters_own_proficiencies_are_suggested_first(self) -> None:
        table = lay(sheet(proficiencies={"Riding": 2}))
        table.settings(proficiencies="Locks: Key, Riding: Key")

        assert names("proficiency", table, "Ash") == ["Riding", "Architecture", "Locks"]
        assert names("proficiency", table) == ["Architecture", "Locks", "Riding"]

    def test_difficulties_are_suggested_with_their_names(self, table: GameTable) -> None:
        assert names("difficulty", table)[:2] == ["6 simple", "8 challenging"]

    def test_the_gms_entries_are_suggested_for_removal(self, table: GameTable) -> None:
        table.settings(proficiencies="Locks: Key", obstacles="Wall: 6", equipment="Mail: Shield +3")

        assert names("obstacle", table) == ["Wall"]
        assert names("equipment", table) == ["Mail"]
        assert names("added", table) == ["Locks", "Wall", "Mail"]

    def test_a_characters_own_equipment_is_suggested_for_use(self, table: GameTable) -> None:
        table.do("GM", "give", target="Ash", name="Gloves", attribute="Key", amount=2)

        assert names("benefit", table, "Ash") == ["Gloves"]
        assert names("benefit", table) == []


class TestCall:
    def test_the_gm_asks_and_the_player_presses(self, table: GameTable) -> None:
        asked = table.do("GM", "call", character="Ash", attribute="Mallet", bonus=1)

        assert asked.headline == "asks Ash to test Mallet, +1 bonus (own attribute)"
        (button,) = asked.follow_ups
        assert button.label == "Test Mallet · 83%"
        assert fell(table.press("Ash", button, "d6:5")) == "success"

    def test_f_small_22_the_gm_says_the_difficulty_and_the_modifiers(self, table: GameTable) -> None:
        asked = table.do(
            "GM", "call", character="Ash", proficiency="Architecture", difficulty="8", more="+2 tools −1 rain"
        )

        assert asked.headline == (
            "asks Ash to test Architecture against 8 (challenging), +2 tools, −1 rain (proficiency, Runes)"
        )

    @pytest.mark.parametrize(
        ("asked", "label"),
        [
            ({"obstacle": "4", "advantage": True}, "Test difficulty 4 · 56%"),
            ({"proficiency": "Architecture", "difficulty": "8"}, "Test Architecture · 58%"),
            (
                {"proficiency": "Architecture", "difficulty": "8", "advantage": True},
                "Test Architecture · 58%, 83% with a re-roll",
            ),
        ],
    )
    def test_the_gm_can_ask_for_any_own_test(
        self, table: GameTable, asked: dict[str, Any], label: str
    ) -> None:
        assert table.do("GM", "call", character="Ash", **asked).follow_ups[0].label == label

    @pytest.mark.parametrize("asked", [{}, {"attribute": "Key", "obstacle": "4"}])
    def test_the_gm_asks_for_exactly_one_test(self, table: GameTable, asked: dict[str, Any]) -> None:
        mistake = table.refused("GM", "call", character="Ash", **asked)

        assert mistake.what == "Choose exactly one test."

    def test_a_forced_test_ignores_what_the_character_cannot_do(self) -> None:
        table = lay(sheet(star=0))
        assert table.refused("GM", "call", character="Ash", attribute="Key")

        asked = table.do("GM", "call", character="Ash", attribute="Key", forced=True)

        assert fell(table.press("Ash", asked.follow_ups[0], "d6:3")) == "success"


@pytest.mark.rule("SWARM-ATTR-10", "SWARM-ATTR-11")
class TestSessionEnd:
    def test_a_session_end_changes_nothing_else_and_lists_the_defeated(self) -> None:
        table = lay(sheet(star=-1, encumbrance=2))
        table.do("GM", "star", target="Bram", change=-4)

        turning = RULESET.end_session(table.scene, list(table.ids.values()), [])

        assert (turning.scene, turning.put_back) == (table.scene, ())
        assert turning.notes == ("Ash is defeated and risks death (Star −1).", "Bram is defeated (Star 0).")


class TestGlossary:
    def test_every_glossary_entry_names_existing_rules_once(self) -> None:
        assert all(isinstance(rule, RuleText) and rule.text for rule in RULESET.glossary)
        titles = [rule.title for rule in RULESET.glossary]
        assert len(set(titles)) == len(titles)

    def test_every_rule_is_in_the_glossary(self) -> None:
        told = {id_ for rule in RULESET.glossary for id_ in rule.ids}
        counts = {"TEST": 9, "MOD": 4, "CONF": 6, "PROF": 9, "ATTR": 13, "CHAR": 2}

        assert told == {
            f"SWARM-{part}-{number:02}" for part, count in counts.items() for number in range(1, count + 1)
        }


MODIFIERS = st.lists(
    st.builds(Modifier, value=st.integers(-4, 4), label=st.sampled_from(("", "cover"))), max_size=4
).map(tuple)
ATTRIBUTE_INPUTS = st.builds(
    AttributeInputs,
    kind=st.sampled_from(SwarmKind),
    name=st.just("Key"),
    value=st.integers(0, 10),
    modifiers=MODIFIERS,
    edge=st.sampled_from(Edge),
    confirm_when_impossible=st.booleans(),
)
PROFICIENCY_INPUTS = st.builds(
    ProficiencyInputs,
    proficiency=st.just("Riding"),
    attribute=st.just(SwarmAttribute.KEY),
    value=st.integers(-3, 10),
    ranks=st.integers(0, 9),
    modifiers=MODIFIERS,
    difficulty=st.integers(1, 30),
    edge=st.sampled_from(Edge),
)
FACES = st.lists(st.integers(1, 6), min_size=4, max_size=4)


def dice(faces: list[int]) -> ReplayedDice:
    def falls() -> Iterator[Fall]:
        for face, _ in zip(cycle(faces), range(8), strict=False):
            yield Fall(6, face)

    return ReplayedDice(falls())


@given(ATTRIBUTE_INPUTS, FACES)
def test_an_attribute_test_repeats_exactly_and_explains_what_was_confirmed(
    inputs: AttributeInputs, faces: list[int]
) -> None:
    roll = attribute_test(inputs, dice(faces))

    assert attribute_test(inputs, dice(faces)) == roll
    assert roll.outcome in dict(attribute_odds(inputs).chances)
    assert sum(die.is_kept and not die.label for die in roll.dice) == 1
    is_confirmed = sum(die.is_kept for die in roll.dice) > 1
    assert reason(roll, inputs).startswith("A natural 6") == is_confirmed
    assert "-" not in roll.against + reason(roll, inputs)


@given(PROFICIENCY_INPUTS, FACES)
def test_a_proficiency_test_adds_up_and_explains_the_worse_failures(
    inputs: ProficiencyInputs, faces: list[int]
) -> None:
    roll = proficiency_test(inputs, dice(faces))

    kept = sum(die.face for die in roll.dice if die.is_kept)
    assert roll.total == kept + sum(term.value for term in roll.terms)
    assert dict(proficiency_odds(inputs).chances)[str(roll.outcome)].ways > 0
    assert (reason(roll, inputs) != "") == (roll.outcome in (SwarmResult.SERIOUS, SwarmResult.DISASTROUS))


@given(ATTRIBUTE_INPUTS)
def test_a_bonus_never_makes_a_test_harder(inputs: AttributeInputs) -> None:
    better = inputs.model_copy(update={"modifiers": (*inputs.modifiers, Modifier(value=1))})

    def chance(one: AttributeInputs) -> Any:
        return attribute_odds(one).chances[1][1].fraction

    assert chance(better) >= chance(inputs) or inputs.confirm_when_impossible


@given(st.integers(0, 10), st.integers(-4, 4))
def test_both_sides_of_an_attribute_share_one_certainty(value: int, modifier: int) -> None:
    def chance(kind: SwarmKind, attribute: int) -> Any:
        inputs = AttributeInputs(kind=kind, name="Key", value=attribute)
        return attribute_odds(inputs).chances[1][1].fraction

    assert chance(SwarmKind.OWN, value) + chance(SwarmKind.OPPONENT, value) == 1
    if value >= 6 and 1 <= value - modifier <= 10:
        shifted = AttributeInputs(
            kind=SwarmKind.OPPONENT,
            name="Key",
            value=value,
            modifiers=(Modifier(value=modifier),) if modifier else (),
        )
        assert attribute_odds(shifted).chances[1][1].fraction == chance(SwarmKind.OPPONENT, value - modifier)


@given(st.lists(st.integers(-4, 4), max_size=10))
def test_bonuses_and_penalties_never_add_up_to_more_than_four(values: list[int]) -> None:
    assert -4 <= net(Modifier(value=value) for value in values) <= 4


@given(st.text(max_size=60))
def test_any_typed_modifier_is_read_or_refused(typed: str) -> None:
    with suppress(UserError):
        assert all(one.value and abs(one.value) <= 4 for one in read_modifiers(0, typed))


@given(st.lists(st.integers(-20, 20).filter(bool), max_size=8))
def test_star_never_rises_above_its_maximum_and_defeat_follows_it(changes: list[int]) -> None:
    table, settings = lay(sheet(star=2)), SwarmSettings()
    for change in changes:
        with suppress(UserError):
            table.do("GM", "star", target="Ash", change=change)
        found = table.named("Ash").sheet
        assert isinstance(found, SwarmSheet)
        star = actual(found, SwarmAttribute.STAR, settings)
        assert star <= 4
        assert is_defeated(found, settings) == (star <= 0)


@given(st.dictionaries(st.sampled_from(("class_name", "level", "ranks", "traits")), st.text(max_size=80)))
def test_anything_written_in_the_wizard_is_built_or_refused(written: dict[str, str]) -> None:
    draft = {attribute.value: ("3",) for attribute in SwarmAttribute if attribute.start is None}
    answers = {**draft, **{key: (" ".join(text.split())[:60],) for key, text in written.items()}}

    if not RULESET.creation.problems_of(answers, SwarmSettings()):
        built = RULESET.creation.build(answers, SwarmSettings())
        assert RULESET.sheet_problems(built) == ()
