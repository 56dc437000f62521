"""The chance shown is the chance before the dice fell, whatever is done about the roll afterwards.

Every chance is compared with the rolls themselves, each way in which their dice can fall.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.compare_roll.two_d12s import (
    COMPARE,
    DOOR,
    OUTCOMES,
    REST,
    CompareInputs,
    CompareLuckInputs,
    DoorInputs,
)
from bot.rules.kernel import Document, NamedTerm, Roll, RollRule
from bot.rules.post_magic_maid import tier_check as maid
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.rpj.character.lucky_breaks import with_extra_die, with_kept, with_word
from bot.rules.rpj.resolution.check import CHECK, dice_of, inputs_of
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalMode, Policy, RpjCheckInputs
from bot.rules.swim_class.opposition import DEFENCE, DefenceInputs
from bot.rules.swim_class.pools import POOL, SwimPoolInputs
from bot.rules.swim_class.sheet import SwimItem
from bot.rules.sword_and_swarm.tests import (
    ATTRIBUTE_TEST,
    PROFICIENCY_TEST,
    AttributeInputs,
    Edge,
    ProficiencyInputs,
    SwarmAttribute,
    SwarmKind,
)
from tests.dice import DrawnDice
from tests.rules.swim_class.play import solo

FACES = st.integers(1, 6)


class OneMore(Exception):
    """A die more than has been decided upon is rolled."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


class Decided:
    """Dice that fall as decided."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)

    def roll(self, sides: int) -> int:
        if not self.faces:
            raise OneMore(sides)
        return self.faces.pop(0)


def each_fall(rule: RollRule[Any], inputs: Document) -> dict[str, Fraction]:
    """How likely each outcome of a roll is, found by letting its dice fall in every way."""
    found: dict[str, Fraction] = {}
    open_: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_:
        faces, share = open_.pop()
        try:
            fell = str(rule.resolve(inputs, Decided(faces)).outcome)
        except OneMore as more:
            open_ += [((*faces, face), share / more.sides) for face in range(1, more.sides + 1)]
        else:
            found[fell] = found.get(fell, Fraction(0)) + share
    return found


def assert_shown(roll: Roll, due: dict[str, Fraction]) -> None:
    """The chances that are shown are those that are due."""
    assert roll.told_odds is not None
    assert {str(name): one.fraction for name, one in roll.told_odds.chances if one.ways} == due


def inputs_like(model: type[Document], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Inputs of a roll."""
    return st.fixed_dictionaries(fields).map(model.model_validate)


def term(low: int, high: int) -> st.SearchStrategy[Any]:
    """At most one part of the arithmetic."""
    return st.integers(low, high).map(lambda value: [{"label": "rope", "value": value}] if value else [])


# --- RPJ Core --------------------------------------------------------------------------------------

CHECKS = inputs_like(
    RpjCheckInputs,
    kind=st.sampled_from([CheckKind.SKILL, CheckKind.SAVING_THROW, CheckKind.DAMAGE_SAVE]),
    terms=term(-3, 9),
    difficulty=st.integers(-5, 8),
    criticals=st.fixed_dictionaries(
        {
            "mode": st.sampled_from(CriticalMode),
            "with_coins": st.booleans(),
            "check_success": st.sampled_from(Policy),
            "check_failure": st.sampled_from(Policy),
        }
    ),
    has_extra_die=st.booleans(),
)


def rescued(roll: Roll, _data: st.DataObject) -> RpjCheckInputs:
    """A Lucky Break after the roll, where it has none yet."""
    return _lying(roll) if inputs_of(roll).has_extra_die else with_extra_die(roll)


def kept(roll: Roll, data: st.DataObject) -> RpjCheckInputs:
    """Two others of three dice."""
    asked = inputs_of(roll)
    if not asked.has_extra_die or asked.criticals.with_coins:
        return _lying(roll)
    return with_kept(roll, data.draw(st.sampled_from([(0, 1), (0, 2), (1, 2)])))


def judged(roll: Roll, data: st.DataObject) -> RpjCheckInputs:
    """The GM's word about a critical."""
    return with_word(roll, data.draw(st.sampled_from(["accepted", "overruled"])))


def toggled(roll: Roll, _data: st.DataObject) -> RpjCheckInputs:
    """A bonus of which the player says afterwards that it holds."""
    more = NamedTerm(label="on deck", value=2)
    return _lying(roll).model_copy(update={"terms": (*inputs_of(roll).terms, more)})


def _lying(roll: Roll) -> RpjCheckInputs:
    faces, confirmation = dice_of(roll)
    return inputs_of(roll).model_copy(update={"fallen": faces, "confirmation": confirmation})


AFTERWARDS: tuple[Callable[[Roll, st.DataObject], RpjCheckInputs], ...] = (rescued, kept, judged, toggled)


@settings(max_examples=60)
@given(CHECKS, st.data())
def test_the_shown_chance_of_an_rpj_check_stays_whatever_follows(
    asked: RpjCheckInputs, data: st.DataObject
) -> None:
    """F-RPJ-03: after a toggle, Keep or the GM's word it was that of dice that lay there."""
    roll = CHECK.resolve(asked, DrawnDice(data))
    assert_shown(roll, each_fall(CHECK, asked))
    for follow in data.draw(st.lists(st.sampled_from(AFTERWARDS), max_size=4)):
        roll = CHECK.resolve(follow(roll, data), DrawnDice(data))
        whole = asked.model_copy(update={"terms": inputs_of(roll).terms})
        assert_shown(roll, each_fall(CHECK, whole))


# --- the other games -------------------------------------------------------------------------------

MAIDS = inputs_like(
    maid.MaidCheckInputs,
    first=st.sampled_from([4, 6, 8, 12, 20]).map(lambda sides: {"attribute": "Int", "sides": sides}),
    second=st.sampled_from([4, 6, 8, 12]).map(lambda sides: {"attribute": "Str", "sides": sides}),
    terms=term(-2, 6),
    bonus_dice=st.integers(0, 1),
    magic=st.sampled_from(maid.Magic),
    assist=st.none() | st.sampled_from(MaidTier),
    forced=st.none() | st.sampled_from(MaidTier),
    needed=st.none() | st.sampled_from(MaidTier),
)


@settings(max_examples=25)
@given(MAIDS, st.data())
def test_the_shown_chance_of_a_maid_check_is_the_dices_even_if_the_gm_sets_the_tier(
    asked: maid.MaidCheckInputs, data: st.DataObject
) -> None:
    roll = maid.CHECK.resolve(asked, DrawnDice(data))

    assert_shown(roll, each_fall(maid.CHECK, asked.model_copy(update={"forced": None})))


@settings(max_examples=10)
@given(
    inputs_like(
        CompareInputs,
        terms=term(-4, 12),
        difficulty=st.integers(0, 8),
        forced=st.none() | st.sampled_from(OUTCOMES),
    ),
    st.data(),
)
def test_the_shown_chance_of_a_compare_roll_is_the_dices_even_if_the_gm_sets_the_result(
    asked: CompareInputs, data: st.DataObject
) -> None:
    roll = COMPARE.resolve(asked, DrawnDice(data))

    assert_shown(roll, each_fall(COMPARE, asked.model_copy(update={"forced": None})))


@given(
    inputs_like(CompareLuckInputs, terms=term(-6, 6)), inputs_like(DoorInputs, terms=term(-6, 6)), st.data()
)
def test_the_shown_chances_of_rests_and_deaths_door_match_the_dice(
    hour: CompareLuckInputs, door: DoorInputs, data: st.DataObject
) -> None:
    assert_shown(REST.resolve(hour, DrawnDice(data)), each_fall(REST, hour))
    assert_shown(DOOR.resolve(door, DrawnDice(data)), each_fall(DOOR, door))


MODIFIERS = st.integers(-4, 4).map(lambda value: [{"value": value}])


@settings(max_examples=40)
@given(
    inputs_like(
        AttributeInputs,
        kind=st.sampled_from(SwarmKind),
        name=st.just("Key"),
        value=st.integers(0, 8),
        modifiers=MODIFIERS,
        edge=st.sampled_from(Edge),
        confirm_when_impossible=st.booleans(),
    ),
    inputs_like(
        ProficiencyInputs,
        proficiency=st.just("Runes"),
        attribute=st.sampled_from(SwarmAttribute),
        value=st.integers(1, 8),
        ranks=st.integers(0, 4),
        modifiers=MODIFIERS,
        difficulty=st.integers(5, 16),
        edge=st.sampled_from(Edge),
    ),
    st.data(),
)
def test_the_shown_chances_of_swarm_tests_match_the_dice_including_rerolls(
    own: AttributeInputs, trained: ProficiencyInputs, data: st.DataObject
) -> None:
    """F-SMALL-04: under every setting, also where what a 6 cannot confirm is confirmed by a 6."""
    assert_shown(ATTRIBUTE_TEST.resolve(own, DrawnDice(data)), each_fall(ATTRIBUTE_TEST, own))
    assert_shown(PROFICIENCY_TEST.resolve(trained, DrawnDice(data)), each_fall(PROFICIENCY_TEST, trained))


GROUPS = st.lists(
    st.fixed_dictionaries(
        {"name": st.just("Climb"), "count": st.integers(0, 2), "modifier": st.integers(-2, 3)}
    ),
    min_size=1,
    max_size=2,
)
LAID = st.lists(
    st.fixed_dictionaries({"name": st.just("Climb"), "source": st.just("skill"), "face": FACES}), max_size=2
)


@settings(max_examples=40)
@given(
    inputs_like(
        SwimPoolInputs,
        skill=st.just("Climb"),
        groups=GROUPS,
        banked=LAID,
        difficulty=st.integers(1, 8),
        quarters=st.sampled_from([1, 2, 4, 8, 12]),
        needed=st.none() | st.integers(1, 5),
        at_once=st.booleans(),
        done=st.integers(0, 8),
    ),
    st.data(),
)
def test_the_shown_chance_of_a_swim_pool_matches_the_dice(asked: SwimPoolInputs, data: st.DataObject) -> None:
    assert_shown(POOL.resolve(asked, DrawnDice(data)), each_fall(POOL, asked))


@settings(max_examples=40)
@given(
    brawn=st.integers(1, 4),
    over=st.integers(1, 900),
    push=st.integers(2, 6),
    flat=st.booleans(),
    data=st.data(),
)
def test_the_shown_chance_of_moving_under_a_load_matches_carrying_it(
    brawn: int, over: int, push: int, flat: bool, data: st.DataObject
) -> None:
    """F-SWIM-03: under every load; each die of Brawn that reaches the push carries 20 lb times the push."""
    tenths = brawn * 200 + over
    table = solo({"brawn": brawn}, items=[SwimItem(name="Load", weight_tenths=tenths)])
    table.settings(carry_flat=flat)
    falls = list(product(range(1, 7), repeat=brawn))
    carried = [sum(200 * push for face in fall if face >= push) for fall in falls]

    faces = " ".join(str(data.draw(FACES)) for _ in range(brawn))
    moved = table.do("Ash", "move", faces, brawn_push=push, anyway=True)

    odds = moved.rolls[0].told_odds
    assert odds is not None
    assert odds.enough == Fraction(sum(one >= tenths for one in carried), len(falls))


@settings(max_examples=40)
@given(
    inputs_like(
        DefenceInputs,
        skill=st.just("Dodge"),
        attack=st.lists(
            st.tuples(FACES, st.integers(-2, 3)).map(
                lambda one: {"name": "Sword", "face": one[0], "value": one[0] + one[1]}
            ),
            min_size=1,
            max_size=3,
        ),
        aimed=st.integers(3, 4),
        groups=GROUPS,
        implicit_modifier=st.integers(-1, 2),
        factor=st.integers(1, 2),
    ),
    st.data(),
)
def test_the_shown_chance_of_a_swim_defense_matches_the_dice(
    asked: DefenceInputs, data: st.DataObject
) -> None:
    assert_shown(DEFENCE.resolve(asked, DrawnDice(data)), each_fall(DEFENCE, asked))
