"""The compare roll, 2d6 + modifiers against each of two d12s; other rolls: damage, hours, Death's Door."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import cast

from msgspec import Struct
from pydantic import Field

from bot.rules.compare_roll.tables import OUTCOME_ROWS, ComparePurpose, CompareShare, OutcomeRow
from bot.rules.kernel import (
    SESSION_ENDED,
    CharacterId,
    Deadline,
    Die,
    Document,
    Family,
    NamedTerm,
    Odds,
    Roll,
    RollRule,
    TargetNumber,
    Term,
    Verdict,
    evolve,
)
from bot.rules.kernel import dice as exact
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.kernel.outcome import signed

BEATEN, NOT_BEATEN = "✓", "✗"
REFEREE = "referee"  # whose the d12s are
HIGHEST = 12  # of the referee's dice


class CompareOutcome(StrEnum):
    """The six outcomes, from the worst to the best. [CMP-ROLL-05]"""

    FAILURE = "Failure"
    COST_STRESS = "Cost (−1)"
    COST = "Cost"
    COST_HIGH = "Cost (+1)"
    SUCCESS = "Success"
    CRIT = "Crit"

    @property
    def row(self) -> OutcomeRow:
        """Its row of the chart."""
        return ROWS[self]

    @property
    def rank(self) -> int:
        """Its rank from the worst (0) to the best (5)."""
        return RANKS[self]

    @property
    def is_cost(self) -> bool:
        """Whether it is one of the three Costs."""
        return self in {CompareOutcome.COST_STRESS, CompareOutcome.COST, CompareOutcome.COST_HIGH}

    @property
    def family(self) -> Family:
        """Its family: failure, partial or success."""
        if self is CompareOutcome.FAILURE:
            return Family.FAILURE
        return Family.PARTIAL if self.is_cost else Family.SUCCESS


OUTCOMES = tuple(CompareOutcome)
RANKS = {outcome: rank for rank, outcome in enumerate(OUTCOMES)}
ROWS = {CompareOutcome(row.name): row for row in OUTCOME_ROWS}
CHART = {(row.doubles, row.beaten): CompareOutcome(row.name) for row in OUTCOME_ROWS}


class Natural(StrEnum):
    """Dice that override the chart."""

    NONE = ""
    TWO = "natural 2"
    TWELVE = "natural 12"


class Lying(Document):
    """The rolled dice of a compare roll."""

    d6: tuple[int, int]  # the player's dice
    d12: tuple[int, int]  # the referee's dice
    are_shown: bool = False  # whether they are shown as dice; rolls of older journals show their sum instead


class CompareInputs(Document):
    """Everything that decides a compare roll, besides new dice."""

    terms: tuple[NamedTerm, ...] = ()  # skill, stat, Stress, High and the GM's modifier; zeros left out
    difficulty: int = Field(default=2, ge=0, le=20)  # the number added to each d12
    lying: Lying | None = None  # the dice, if they are already rolled and only the terms have changed
    forced: CompareOutcome | None = None  # the outcome set by a GM, or None

    @property
    def modifier(self) -> int:
        """The sum of all terms. [CMP-ROLL-08]"""
        return sum(term.value for term in self.terms)

    def plus(self, label: str, value: int) -> "CompareInputs":
        """Return the inputs with one more term."""
        return evolve(self, terms=(*self.terms, NamedTerm(label=label, value=value)))


class CompareReading(Struct, frozen=True):
    """The reading of rolled dice."""

    total: int  # 2d6 + modifier
    targets: tuple[int, int]  # each d12 + difficulty
    beaten: int  # how many of them are lower than the total
    is_doubles: bool  # whether both d6 show the same
    natural: Natural  # natural 2, natural 12 or neither
    row: CompareOutcome  # the outcome by the chart alone
    outcome: CompareOutcome  # the outcome that counts


def read(
    lying: Lying, modifier: int, difficulty: int, forced: CompareOutcome | None = None
) -> CompareReading:
    """Read the chart for rolled dice.

    [CMP-ROLL-01 (CMP-R01, CMP-R02), CMP-ROLL-03 to CMP-ROLL-07 (CMP-R04 to CMP-R06), CMP-ROLL-09]
    """
    total = sum(lying.d6) + modifier
    targets = (lying.d12[0] + difficulty, lying.d12[1] + difficulty)
    beaten = (total > targets[0]) + (total > targets[1])
    is_doubles = lying.d6[0] == lying.d6[1]
    row = CHART[is_doubles, beaten]
    natural, outcome = Natural.NONE, row
    if lying.d6 == (1, 1):
        natural, outcome = Natural.TWO, CompareOutcome.FAILURE
    elif lying.d6 == (6, 6):
        natural = Natural.TWELVE
        outcome = row if row.rank >= CompareOutcome.SUCCESS.rank else CompareOutcome.SUCCESS
    return CompareReading(total, targets, beaten, is_doubles, natural, row, forced or outcome)


def compare(inputs: CompareInputs, dice: Dice) -> Roll:
    """Roll the referee's 2d12 and the player's 2d6, and read the chart. [CMP-ROLL-01 to CMP-ROLL-09]"""
    if inputs.lying is not None:
        return _as_roll(inputs, inputs.lying, ())
    d12 = (dice.roll(12), dice.roll(12))
    d6 = (dice.roll(6), dice.roll(6))
    lying = Lying(d6=d6, d12=d12)
    return _as_roll(inputs, lying, dice_of(lying))


def dice_of(lying: Lying) -> tuple[Die, ...]:
    """The four dice of a compare roll as shown: "d12: 12 and 2 · 2d6: ⚂ ⚃"."""
    first, second = lying.d12
    return (
        Die(sides=12, face=first, label=REFEREE, shown=f"d12: {first} and"),
        Die(sides=12, face=second, label=REFEREE, shown=f"{second} · 2d6:"),
        *(Die(sides=6, face=face) for face in lying.d6),
    )


def reading_of(roll: Roll) -> CompareReading:
    """Read a compare roll again."""
    inputs = cast(CompareInputs, roll.inputs)
    return read(lying_in(roll), inputs.modifier, inputs.difficulty, inputs.forced)


def lying_in(roll: Roll) -> Lying:
    """The dice of a compare roll."""
    inputs = cast(CompareInputs, roll.inputs)
    if inputs.lying is not None:
        return inputs.lying
    faces = [die.face for die in roll.dice]
    return Lying(d12=(faces[0], faces[1]), d6=(faces[2], faces[3]), are_shown=True)


def targets_in(roll: Roll) -> tuple[TargetNumber, ...]:
    """The referee's dice with the difficulty, each with whether a compare roll beats it."""
    reading = reading_of(roll)
    return tuple(
        TargetNumber(REFEREE, target, reading.total > target, Die(sides=HIGHEST, face=face, label=REFEREE))
        for face, target in zip(lying_in(roll).d12, reading.targets, strict=True)
    )


def _as_roll(inputs: CompareInputs, lying: Lying, thrown: tuple[Die, ...]) -> Roll:
    reading = read(lying, inputs.modifier, inputs.difficulty, inputs.forced)
    marks = (f"{target} {BEATEN if reading.total > target else NOT_BEATEN}" for target in reading.targets)
    against = " and ".join(marks) + (", doubles" if reading.is_doubles else "")
    lain = () if thrown or lying.are_shown else (Term("2d6", sum(lying.d6)),)
    return Roll(
        rule=COMPARE.key,
        inputs=inputs,
        dice=thrown,
        earlier=() if thrown or not lying.are_shown else dice_of(lying),
        terms=(*lain, *(Term(term.label, term.value) for term in inputs.terms)),
        total=reading.total,
        against=against,
        verdict=Verdict(reading.outcome.family, _words(reading, inputs)),
        odds=compare_odds(inputs) if thrown else None,
        beforehand=compare_odds(evolve(inputs, forced=None)) if thrown and inputs.forced else None,
        outcome=reading.outcome if thrown else None,
        purpose=ComparePurpose.CHECK,
    )


def _words(reading: CompareReading, inputs: CompareInputs) -> str:
    if inputs.forced is not None:
        return f"{reading.outcome} (set by the GM)"
    if reading.natural is Natural.NONE:
        return str(reading.outcome)
    is_lifted = reading.natural is Natural.TWELVE and reading.outcome is not reading.row
    lifted = f", raised from {reading.row}" if is_lifted else ""
    return f"{reading.outcome}, {reading.natural}{lifted}"


def chances(modifier: int, difficulty: int) -> dict[CompareOutcome, int]:
    """In how many of 5,184 cases each outcome occurs, unless a GM sets it."""
    return dict(_chances(modifier, difficulty))


@lru_cache(maxsize=1024)
def _chances(modifier: int, difficulty: int) -> tuple[tuple[CompareOutcome, int], ...]:
    found = dict.fromkeys(OUTCOMES, 0)
    for outcome, ways in _cases(modifier, difficulty):
        found[outcome] += ways
    return tuple(found.items())


def _cases(modifier: int, difficulty: int) -> Iterator[tuple[CompareOutcome, int]]:
    """Yield the outcome and number of cases for every pair of d6 and none, one or both d12s beaten."""
    for first in range(1, 7):
        for second in range(1, 7):
            below = max(0, min(HIGHEST, first + second + modifier - difficulty - 1))
            above = HIGHEST - below
            for one, other, ways in (
                (HIGHEST, HIGHEST, above**2),
                (1, HIGHEST, 2 * below * above),
                (1, 1, below**2),
            ):
                if ways:
                    pair = Lying(d6=(first, second), d12=(one, other))
                    yield read(pair, modifier, difficulty).outcome, ways


def compare_odds(inputs: CompareInputs) -> Odds:
    """The exact chance of each outcome, worst first."""
    return _odds(inputs.modifier, inputs.difficulty, inputs.forced)


@lru_cache(maxsize=1024)
def _odds(modifier: int, difficulty: int, forced: CompareOutcome | None) -> Odds:
    ways = chances(modifier, difficulty)
    if forced is not None:
        ways = {outcome: 5184 if outcome is forced else 0 for outcome in OUTCOMES}
    return Odds(tuple((outcome.value, Chance(ways[outcome], 5184)) for outcome in OUTCOMES))


COMPARE = RollRule(key="compare", inputs=CompareInputs, resolve=compare, odds=compare_odds)


def boosts(inputs: CompareInputs, lying: Lying, high: int) -> tuple[tuple[int, CompareOutcome], ...]:
    """The fewest points of High that raise rolled dice to each better outcome. [CMP-HIGH-02 (CMP-R27)]

    A natural 2 and an outcome set by a GM cannot be raised.
    """
    if lying.d6 == (1, 1) or inputs.forced is not None:
        return ()
    modifier = inputs.modifier
    best = read(lying, modifier, inputs.difficulty).outcome
    found: list[tuple[int, CompareOutcome]] = []
    for points in range(1, high + 1):
        if best is CompareOutcome.CRIT:
            break
        raised = read(lying, modifier + points, inputs.difficulty)
        if raised.outcome.rank > best.rank:
            best = raised.outcome
            found.append((points, best))
    return tuple(found)


def settled(who: CharacterId, moment: str) -> str:
    """The event that the roll a character made at a moment is accepted."""
    return f"settled/{who}/{moment}"


def met(who: CharacterId, moment: str) -> str:
    """The event that the attack made on a character at a moment is defended."""
    return f"met/{who}/{moment}"


def until_settled(who: CharacterId, moment: str) -> Deadline:
    """The deadline of an open roll: until it is accepted, or the session ends.

    [CMP-HIGH-02 (CMP-R27), CMP-SES-01]
    """
    return Deadline(until=(settled(who, moment), SESSION_ENDED))


def until_met(who: CharacterId, moment: str) -> Deadline:
    """The deadline of an attack: until it is defended, even after the session. [CMP-COM-10]"""
    return Deadline(until=(met(who, moment),))


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
