"""The main rolls of coded rulesets, written in the format, have the same chances over their whole range."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from bot.rules.compare_roll.two_d12s import CompareInputs, compare_odds
from bot.rules.kernel import NamedTerm, Odds
from bot.rules.own.check_odds import chances
from bot.rules.own.game_parts import OwnCheck
from bot.rules.post_magic_maid.sheet import MaidAttribute
from bot.rules.post_magic_maid.tier_check import AttributeDie, Magic, MaidCheckInputs, check_odds
from bot.rules.post_magic_maid.tiers import TIERS
from bot.rules.sword_and_swarm.tests import (
    AttributeInputs,
    Edge,
    Modifier,
    ProficiencyInputs,
    SwarmAttribute,
    SwarmKind,
    attribute_odds,
    proficiency_odds,
)
from tests.rules.own.games import made

EDGES = {0: Edge.NONE, 1: Edge.ADVANTAGE, -1: Edge.DISADVANTAGE}


def coded(odds: Odds) -> dict[str, Fraction]:
    return {name: chance.fraction for name, chance in odds.chances}


def own(check: OwnCheck, **known: int) -> Mapping[str, Fraction]:
    return chances(check, known)


SWARM = """
[checks.attribute]
ask = { score = "0..10", bonus = "-4..4", own = "yes/no", edge = "edge", open = "yes/no" }
dice = { a = "d6", a2 = "d6", b = "d6", b2 = "d6" }
read = { x = "total a", x2 = "total a2", y = "total b", y2 = "total b2" }
tiers = [
  { name = "success", when = "first if edge = 0 else (first or second if edge > 0 else first and second)" },
  { name = "failure" },
]

[checks.attribute.let]
target = "max(0, min(score + bonus, 10)) if own else score"
added = "0 if own else bonus"
six = "target >= 6 if own else (target >= 6 or open) and 6 + added <= target"
sure = "(x <= target if own else x + added > target)"
sure2 = "(y <= target if own else y + added > target)"
first = "(x2 <= target - 5 if own else x2 + added > target - 5) if x = 6 and six else sure"
second = "(y2 <= target - 5 if own else y2 + added > target - 5) if y = 6 and six else sure2"

[checks.proficiency]
ask = { added = "-10..20", difficulty = "1..40", edge = "edge" }
dice = { one = "2d6", two = "2d6" }
read = { t = "total one", l = "lowest one", t2 = "total two", l2 = "lowest two" }
tiers = [
  { name = "disastrous failure", is = "0" },
  { name = "serious failure", is = "1" },
  { name = "failure", is = "2" },
  { name = "success", is = "3" },
]
value = "second if (edge > 0 and first != 3) or (edge < 0 and first = 3) else first"

[checks.proficiency.let]
first = "0 if t = 2 else (3 if t + added >= difficulty else (1 if l = 1 else 2))"
second = "0 if t2 = 2 else (3 if t2 + added >= difficulty else (1 if l2 = 1 else 2))"
"""


class TestSwordAndSwarm:
    def test_an_attribute_test(self) -> None:
        check = made(SWARM).checks["attribute"]
        kinds = {1: SwarmKind.OWN, 0: SwarmKind.OBSTACLE}

        for is_own, score, bonus, edge, is_open in product((0, 1), range(11), range(-4, 5), EDGES, (0, 1)):
            inputs = AttributeInputs(
                kind=kinds[is_own],
                name="Key",
                value=score,
                modifiers=(Modifier(value=bonus),) if bonus else (),
                edge=EDGES[edge],
                confirm_when_impossible=bool(is_open),
            )
            found = own(check, score=score, bonus=bonus, own=is_own, edge=edge, open=is_open)
            assert found == coded(attribute_odds(inputs)), inputs

    def test_a_proficiency_test(self) -> None:
        check = made(SWARM).checks["proficiency"]

        for added, difficulty, edge in product(range(-4, 12), range(1, 26), EDGES):
            ranks, bonus = max(0, added), min(0, added)
            inputs = ProficiencyInputs(
                proficiency="Climbing",
                attribute=SwarmAttribute.KEY,
                value=3,
                ranks=ranks,
                modifiers=(Modifier(value=bonus),) if bonus else (),
                difficulty=difficulty,
                edge=EDGES[edge],
            )
            found = own(check, added=inputs.added, difficulty=difficulty, edge=edge)
            assert found == coded(proficiency_odds(inputs)), inputs


MAID = """
[attributes]
first = { label = "First die", min = 2, max = 32 }
second = { label = "Second die", min = 2, max = 32 }
[checks.do]
ask = { bonus_dice = "0..12", magic = "yes/no", modifier = "-50..50", assist = "0..4" }
dice = { a = "d{first}", b = "d{second}", bonus = "{bonus_dice}d8", m = "{magic}d6" }
read = { sum = "total a, b, bonus", spell = "total m" }
value = "level + max(0, assist - level - 1)"
tiers = [
  { name = "below 10", is = "0" },
  { name = "10", is = "1" },
  { name = "15", is = "2" },
  { name = "20", is = "3" },
  { name = "25", is = "4" },
]
[checks.do.let]
all = "sum + modifier + (spell if spell > 1 and spell < 6 else 0)"
level = "(all >= 10) + (all >= 15) + (all >= 20) + (all >= 25)"
"""


def test_post_magic_maid_has_the_same_check() -> None:
    check = made(MAID).checks["do"]
    dice = ((8, 8), (8, 12), (12, 20), (20, 20), (32, 32), (2, 32))
    rest = product(dice, (0, 1, 2, 7, 12), (0, 1), (-15, -5, 0, 3, 12), range(5))

    for (first, second), bonus_dice, magic, modifier, assist in rest:
        inputs = MaidCheckInputs(
            first=AttributeDie(attribute=MaidAttribute.INT, sides=first),
            second=AttributeDie(attribute=MaidAttribute.STR, sides=second),
            terms=(NamedTerm(label="modifier", value=modifier),),
            bonus_dice=bonus_dice,
            magic=Magic.ATTACK if magic else Magic.NONE,
            assist=TIERS[assist] if assist else None,
        )
        found = own(
            check,
            first=first,
            second=second,
            bonus_dice=bonus_dice,
            magic=magic,
            modifier=modifier,
            assist=assist,
        )
        assert found == coded(check_odds(inputs)), inputs


COMPARE = """
[checks.do]
ask = { modifier = "-12..24", difficulty = "0..20" }
dice = { own = "2d6", referee = "2d12" }
read = { sum = "total own", pair = "doubles own", beaten = "count referee < score" }
let = { score = "sum + modifier - difficulty" }
tiers = [
  { name = "Failure", when = "sum = 2 or (beaten = 0 and not pair)" },
  { name = "Crit", when = "beaten = 2 and pair" },
  { name = "Success", when = "beaten = 2 or sum = 12" },
  { name = "Cost (+1)", when = "beaten = 1 and pair" },
  { name = "Cost", when = "beaten = 1" },
  { name = "Cost (−1)" },
]
"""


def test_compare_roll_has_the_same_compare_roll() -> None:
    check = made(COMPARE).checks["do"]

    for modifier, difficulty in product(range(-12, 25), range(21)):
        terms = (NamedTerm(label="skill", value=modifier),)
        inputs = CompareInputs(terms=terms, difficulty=difficulty)
        found = own(check, modifier=modifier, difficulty=difficulty)
        assert found == coded(compare_odds(inputs)), inputs
