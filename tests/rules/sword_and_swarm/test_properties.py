"""What is always so, whatever the numbers."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel.dice import Fall, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.attributes import Edge, Modifier, SwarmAttribute, net, read_modifiers
from bot.rules.sword_and_swarm.performing import reason
from bot.rules.sword_and_swarm.sheet import SwarmSettings, SwarmSheet, actual, is_defeated
from bot.rules.sword_and_swarm.tests import (
    AttributeInputs,
    ProficiencyInputs,
    SwarmKind,
    SwarmResult,
    attribute_odds,
    attribute_test,
    proficiency_odds,
    proficiency_test,
)
from tests.rules.sword_and_swarm.play import lay, sheet

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
