"""The check: two attribute dice plus bonuses, and the resulting tier."""

from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from math import comb
from typing import Literal

from pydantic import Field

from bot.rules.kernel import (
    Die,
    Document,
    Family,
    NamedTerm,
    Odds,
    OddsForm,
    Roll,
    RollRule,
    Term,
    Verdict,
    evolve,
)
from bot.rules.kernel import dice as exact
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.post_magic_maid.cards import DECK, MaidPurpose
from bot.rules.post_magic_maid.sheet import LARGEST_DIE, MaidAttribute
from bot.rules.post_magic_maid.tiers import MAGIC, TIERS, MaidTier, assisted, tier_of

BONUS_DIE = 8
MAGIC_DIE = len(MAGIC)
AUTOMATIC = 25
MAGIC_LABEL = "magic"


class Magic(StrEnum):
    """Whether a magic die is thrown in, and for what. [PMM-MAG-01]"""

    NONE = "none"
    ATTACK = "attack"
    DEFENCE = "defence"


class AttributeDie(Document):
    """One of the two dice of a check."""

    attribute: MaidAttribute
    sides: int = Field(ge=2, le=LARGEST_DIE)


class MaidCheckInputs(Document):
    """The inputs of a check, besides the rolled faces."""

    first: AttributeDie
    second: AttributeDie  # the other one
    terms: tuple[NamedTerm, ...] = ()  # bonuses and penalties, zeros left out
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s thrown in
    magic: Magic = Magic.NONE  # whether a magic d6 is thrown in
    is_automatic: bool = False  # an automatic 25: nothing is rolled and nothing added
    assist: MaidTier | None = None  # the best tier of those who help, or None
    forced: MaidTier | None = None  # the tier that the GM has set, or None
    needed: MaidTier | None = None  # the tier that is needed, where the GM has named one

    @property
    def modifier(self) -> int:
        """The sum of all terms."""
        return sum(term.value for term in self.terms)


def check(inputs: MaidCheckInputs, dice: Dice) -> Roll:
    """Roll both attribute dice and whatever else is thrown in, add up, and find the tier.

    [PMM-CHK-02 to PMM-CHK-04, PMM-MAG-03, PMM-MAG-04, PMM-BLZ-06, PMM-BLZ-11]
    """
    if inputs.is_automatic:
        return _as_roll(inputs, (), AUTOMATIC)
    thrown = [_attribute_die(inputs.first, dice), _attribute_die(inputs.second, dice)]
    thrown += [
        Die(sides=BONUS_DIE, face=dice.roll(BONUS_DIE), label="bonus", is_borrowed=True)
        for _ in range(inputs.bonus_dice)
    ]
    if inputs.magic is not Magic.NONE:
        face = dice.roll(MAGIC_DIE)
        is_kept = bool(MAGIC[face].adds)
        thrown.append(Die(sides=MAGIC_DIE, face=face, label=MAGIC_LABEL, is_kept=is_kept, is_borrowed=True))
    total = sum(die.face for die in thrown if die.is_kept) + inputs.modifier
    return _as_roll(inputs, tuple(thrown), total)


def _attribute_die(die: AttributeDie, dice: Dice) -> Die:
    return Die(sides=die.sides, face=dice.roll(die.sides), label=die.attribute)


def _as_roll(inputs: MaidCheckInputs, thrown: tuple[Die, ...], total: int) -> Roll:
    tier = _final(inputs, total)
    terms = () if inputs.is_automatic else inputs.terms
    return Roll(
        rule=CHECK.key,
        inputs=inputs,
        dice=thrown,
        terms=tuple(Term(term.label, term.value) for term in terms),
        total=total,
        against=f"{inputs.needed}+" if inputs.needed else "",
        verdict=_verdict(tier, inputs.needed, gms_mark(inputs, total)),
        odds=check_odds(inputs),
        beforehand=check_odds(evolve(inputs, forced=None)) if inputs.forced else None,
        outcome=tier,
        purpose=MaidPurpose.CHECK,
    )


def _final(inputs: MaidCheckInputs, total: int) -> MaidTier:
    """The tier that counts: the GM's choice, else the result of the dice and assist."""
    return _earned(inputs, total) if inputs.forced is None else inputs.forced


def _earned(inputs: MaidCheckInputs, total: int) -> MaidTier:
    """The total's tier, with the help of an assist."""
    tier = tier_of(total)
    return tier if inputs.assist is None else assisted(tier, inputs.assist)


def gms_mark(inputs: MaidCheckInputs, total: int) -> str:
    """The mark after a tier that the GM changed, or an empty text. [PMM-CHK-06]"""
    return "" if inputs.forced is None or inputs.forced is _earned(inputs, total) else " (set by the GM)"


def _verdict(tier: MaidTier, needed: MaidTier | None, mark: str) -> Verdict:
    words = f"{tier.words}{mark}"
    if needed is None:
        return Verdict(Family.FAILURE if tier is MaidTier.BELOW_10 else Family.SUCCESS, words)
    if tier.level >= needed.level:
        return Verdict(Family.SUCCESS, f"reached, {words}")
    return Verdict(Family.FAILURE, f"not reached, {words}")


@cache
def _sums(sides: tuple[int, int], bonus_dice: int, has_magic: bool) -> Distribution[int]:
    """The distribution of the sum of a check's dice."""
    thrown = [exact.die(each) for each in sides] + [exact.die(BONUS_DIE)] * bonus_dice
    if has_magic:
        thrown.append(exact.die(MAGIC_DIE).map(lambda face: MAGIC[face].adds))
    return exact.total(thrown)


@lru_cache(maxsize=1024)
def check_odds(inputs: MaidCheckInputs) -> Odds:
    """The exact chance of each tier, worst first; tiers out of reach have 0 ways."""
    if inputs.is_automatic:
        tiers = exact.certain(_final(inputs, AUTOMATIC))
    else:
        sides = (inputs.first.sides, inputs.second.sides)
        sums = _sums(sides, inputs.bonus_dice, inputs.magic is not Magic.NONE)
        tiers = sums.map(lambda sum_: _final(inputs, sum_ + inputs.modifier))
    chances = tuple((tier.value, Chance(tiers.ways.get(tier, 0), tiers.of)) for tier in TIERS)
    return Odds(chances, inputs.needed)


CHECK = RollRule(key="check", inputs=MaidCheckInputs, resolve=check, odds=check_odds)


def chance_to_reach(inputs: MaidCheckInputs, tier: MaidTier) -> Fraction:
    """The exact chance that a check reaches a tier or a better one."""
    odds = check_odds(inputs).chances
    return sum((chance.fraction for name, chance in odds if MaidTier(name).level >= tier.level), Fraction(0))


def tier_reached(roll: Roll) -> MaidTier:
    """The tier a check reached, including an assist and the GM's choice."""
    return MaidTier(roll.outcome or MaidTier.BELOW_10)


def is_double_maximum(roll: Roll) -> bool:
    """Whether both attribute dice of a check show their highest face; other dice do not matter.

    [PMM-BLZ-09; PMM-R18 (an automatic 25 rolls no dice), PMM-R23]
    """
    own = [die for die in roll.dice if not die.is_borrowed]
    return bool(own) and all(die.face == die.sides for die in own)


def magic_wounds(roll: Roll) -> int:
    """How many wounds the magic die of a check adds or takes off: 1 for a face of 1, else 0. [PMM-MAG-02]"""
    return sum(MAGIC[die.face].wounds for die in roll.dice if die.label == MAGIC_LABEL)


DieSize = Literal["d6", "d8", "d12", "d20", "d32"]


class MaidOddsQuestion(Document):
    """The check to compute the chances of."""

    first: DieSize = Field(default="d8", description="Die of one attribute")
    second: DieSize = Field(default="d8", description="Die of the other attribute")
    modifier: int = Field(default=0, ge=0, le=30, description="Attribute and ability bonuses together")
    bonus_dice: int = Field(default=0, ge=0, le=7, description="Bonus d8s added")
    magic: bool = Field(default=False, description="Add a magic d6")
    penalty: int = Field(
        default=0, ge=0, le=50, description="Penalty, such as 5, 10 or 15 for several actions"
    )
    needed: Literal["10", "15", "20", "25"] | None = Field(default=None, description="The tier you need")


def answer_odds(question: MaidOddsQuestion) -> Odds:
    """The exact chance of each tier. [PMM-CHK-02, PMM-CHK-03]"""
    return check_odds(
        MaidCheckInputs(
            first=AttributeDie(attribute=MaidAttribute.INT, sides=int(question.first.removeprefix("d"))),
            second=AttributeDie(attribute=MaidAttribute.STR, sides=int(question.second.removeprefix("d"))),
            terms=(NamedTerm(label="modifier", value=question.modifier - question.penalty),),
            bonus_dice=question.bonus_dice,
            magic=Magic.ATTACK if question.magic else Magic.NONE,
            needed=MaidTier(question.needed) if question.needed else None,
        )
    )


ODDS = OddsForm(question=MaidOddsQuestion, answer=answer_odds)


def draw_chance(wanted: int, least: int, drawn: int) -> Chance:
    """The chance of drawing at least a number of certain cards from the full deck. [PMM-DECK-01]

    Args:
        wanted: How many such cards the deck holds.
        least: How many of them must come.
        drawn: How many cards are drawn.
    """
    rest = len(DECK) - wanted
    ways = sum(comb(wanted, n) * comb(rest, drawn - n) for n in range(least, min(wanted, drawn) + 1))
    return Chance(ways, comb(len(DECK), drawn))
