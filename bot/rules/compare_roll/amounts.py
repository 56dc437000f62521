"""The rolls besides the compare roll: damage, other amounts, hours of rest, Death's Door."""

from functools import cache, lru_cache
from typing import cast

from pydantic import Field

from bot.rules.compare_roll.tables import ComparePurpose, CompareShare
from bot.rules.kernel import Die, Document, Family, NamedTerm, Odds, Roll, RollRule, Term, Verdict
from bot.rules.kernel import odds as exact
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance, Distribution
from bot.rules.kernel.outcome import signed

DOOR_TARGET = 8
INTERRUPTED_AT = 4
SHARE_WORDS = {
    CompareShare.NONE: "no damage",
    CompareShare.HALF: "half",
    CompareShare.FULL: "",
    CompareShare.DOUBLE: "doubled",
}


def shared(amount: int, share: CompareShare) -> int:
    """A share of an amount: none, half rounded down, all, or double.

    [CMP-OUT-01, CMP-OUT-02, CMP-OUT-04, CMP-OUT-05]
    """
    if share is CompareShare.HALF:
        return amount // 2
    return amount * {CompareShare.NONE: 0, CompareShare.FULL: 1, CompareShare.DOUBLE: 2}[share]


class DamageInputs(Document):
    """The inputs of a damage roll."""

    count: int = Field(ge=0, le=30)  # dice from the weapon's tag and level
    sides: int = Field(ge=2, le=20)  # their faces
    extra_dice: int = Field(default=0, ge=0, le=20)  # further dice
    extra_sides: int = Field(default=6, ge=2, le=20)  # their faces
    plus: int = 0  # a flat bonus
    share: CompareShare = CompareShare.FULL  # the share that the outcome deals
    suffix: int = 0  # added to halved damage under a campaign's setting


def roll_damage(inputs: DamageInputs, dice: Dice) -> Roll:
    """Roll damage, and apply the share that the outcome deals.

    [CMP-COM-09, CMP-WPN-01 to CMP-WPN-05, CMP-WPN-13 (CMP-R40), CMP-OUT-03]
    """
    thrown = [Die(sides=inputs.sides, face=dice.roll(inputs.sides)) for _ in range(inputs.count)]
    thrown += [
        Die(sides=inputs.extra_sides, face=dice.roll(inputs.extra_sides), label="extra")
        for _ in range(inputs.extra_dice)
    ]
    rolled = sum(die.face for die in thrown) + inputs.plus
    dealt = max(0, shared(rolled, inputs.share) + inputs.suffix)
    words = SHARE_WORDS[inputs.share] + (f" {signed(inputs.suffix)}" if inputs.suffix else "")
    return Roll(
        rule=DAMAGE.key,
        inputs=inputs,
        dice=tuple(thrown),
        terms=(Term("flat", inputs.plus),) if inputs.plus else (),
        total=rolled,
        verdict=Verdict(Family.NEWS, f"{dealt} damage" + (f" ({words})" if words else "")),
        purpose=ComparePurpose.DAMAGE,
    )


def dealt_by(roll: Roll) -> int:
    """The damage a roll deals, before cover and Fortitude."""
    inputs = cast(DamageInputs, roll.inputs)
    return max(0, shared(roll.sum, inputs.share) + inputs.suffix)


DAMAGE = RollRule(key="damage", inputs=DamageInputs, resolve=roll_damage)


class AmountInputs(Document):
    """The inputs of an amount: *count* dice of *sides* faces, × *times*; *what* is its name."""

    what: str
    count: int = Field(ge=1, le=30)
    sides: int = Field(ge=2, le=20)
    times: int = Field(default=1, ge=1, le=1000)


def roll_amount(inputs: AmountInputs, dice: Dice) -> Roll:
    """Roll an amount. [CMP-ROLL-10, CMP-CHAR-04, CMP-STAT-04, CMP-EQ-09, CMP-WPN-14]"""
    thrown = tuple(Die(sides=inputs.sides, face=dice.roll(inputs.sides)) for _ in range(inputs.count))
    total = sum(die.face for die in thrown) * inputs.times
    return Roll(
        rule=AMOUNT.key,
        inputs=inputs,
        dice=thrown,
        total=total,
        verdict=Verdict(Family.NEWS, f"{inputs.what} {total}"),
    )


AMOUNT = RollRule(key="amount", inputs=AmountInputs, resolve=roll_amount)


class CompareLuckInputs(Document):
    """The terms added to an hour of rest or to a roll at Death's Door: Luck, Stress, High."""

    terms: tuple[NamedTerm, ...] = ()

    @property
    def modifier(self) -> int:
        """The sum of all terms."""
        return sum(term.value for term in self.terms)


def rest_hour(inputs: CompareLuckInputs, dice: Dice) -> Roll:
    """Roll one hour of a short rest: the HP healed, and whether it is interrupted.

    [CMP-REST-01 (CMP-R47, CMP-R48), CMP-REST-02]
    """
    die = Die(sides=6, face=dice.roll(6))
    result = die.face + inputs.modifier
    is_interrupted = result <= INTERRUPTED_AT
    return Roll(
        rule=REST.key,
        inputs=inputs,
        dice=(die,),
        terms=_terms(inputs),
        total=result,
        verdict=Verdict(Family.PARTIAL, "interrupted")
        if is_interrupted
        else Verdict(Family.SUCCESS, "quiet"),
        odds=rest_odds(inputs),
        outcome="interrupted" if is_interrupted else "quiet",
        purpose=ComparePurpose.REST,
    )


def _terms(inputs: CompareLuckInputs) -> tuple[Term, ...]:
    return tuple(Term(term.label, term.value) for term in inputs.terms)


def rest_odds(inputs: CompareLuckInputs) -> Odds:
    """The exact chance that an hour is interrupted."""
    ways = sum(face + inputs.modifier <= INTERRUPTED_AT for face in range(1, 7))
    return Odds((("interrupted", Chance(ways, 6)), ("quiet", Chance(6 - ways, 6))))


REST = RollRule(key="rest", inputs=CompareLuckInputs, resolve=rest_hour, odds=rest_odds)


class DoorInputs(CompareLuckInputs):
    """The inputs of a roll at Death's Door."""

    lying: tuple[int, int] | None = None  # the dice, if they are already rolled
    are_shown: bool = False  # whether they are shown as dice; rolls of older journals show their sum instead


def door_word(total: int) -> str:
    """Whether a total at Death's Door is a hit, a miss, or neither (exactly 8).

    [CMP-DEATH-02 (CMP-R50, CMP-R61)]
    """
    return "hit" if total > DOOR_TARGET else "miss" if total < DOOR_TARGET else "neither"


DOOR_FAMILIES = {"hit": Family.SUCCESS, "neither": Family.PARTIAL, "miss": Family.FAILURE}


def roll_door(inputs: DoorInputs, dice: Dice) -> Roll:
    """Roll once at Death's Door. [CMP-DEATH-02]"""
    faces = inputs.lying or (dice.roll(6), dice.roll(6))
    both = tuple(Die(sides=6, face=face) for face in faces)
    is_named = bool(inputs.lying) and not inputs.are_shown
    total = sum(faces) + inputs.modifier
    word = door_word(total)
    return Roll(
        rule=DOOR.key,
        inputs=inputs,
        dice=() if inputs.lying else both,
        earlier=both if inputs.lying and not is_named else (),
        terms=(*((Term("2d6", sum(faces)),) if is_named else ()), *_terms(inputs)),
        total=total,
        against=str(DOOR_TARGET),
        verdict=Verdict(DOOR_FAMILIES[word], word),
        odds=None if inputs.lying else door_odds(inputs),
        outcome=None if inputs.lying else word,
        purpose=ComparePurpose.DOOR,
    )


@cache
def _door_distribution(modifier: int) -> Distribution[str]:
    return exact.total((exact.die(6), exact.die(6))).map(lambda sum_: door_word(sum_ + modifier))


def door_odds(inputs: DoorInputs) -> Odds:
    """The exact chance of a miss, neither and a hit."""
    ways = _door_distribution(inputs.modifier)
    return Odds(tuple((word, Chance(ways.ways.get(word, 0), 36)) for word in ("miss", "neither", "hit")))


DOOR = RollRule(key="deaths_door", inputs=DoorInputs, resolve=roll_door, odds=door_odds)


@lru_cache(maxsize=256)
def survival(modifier: int, left: int = 3, ahead: int = 0) -> Chance:
    """The exact chance to survive Death's Door. [CMP-DEATH-01, CMP-DEATH-02]

    Args:
        modifier: Luck bonus − Stress + High, on every roll.
        left: Rolls still to come.
        ahead: Hits − misses so far.
    """
    worth = {"hit": 1, "neither": 0, "miss": -1}
    each = _door_distribution(modifier).map(lambda word: worth[word])
    chance = exact.total([each] * left).chance(lambda sum_: sum_ + ahead >= 0)
    return Chance(chance.ways, chance.of)
