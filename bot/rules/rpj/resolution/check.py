"""The check: two dice plus modifiers, against seven plus the difficulty."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

from bot.rules.kernel import Die, Family, Odds, Roll, RollRule, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance, Distribution
from bot.rules.kernel.wording import shown_number
from bot.rules.rpj.resolution.criticals import Critical, CriticalMode, Policy
from bot.rules.rpj.resolution.dice_and_coins import (
    asks_for_confirmation,
    critical_of,
    shown_dice,
    sides_of,
    throw_of,
    thrown_terms,
)
from bot.rules.rpj.resolution.inputs import COVER, COWERING, RpjCheckInputs, Word

D6 = range(1, 7)
CONFIRMATION = "confirmation"
PIPS = "⚀⚁⚂⚃⚄⚅"


class RpjResult(StrEnum):
    """The result of a check, from the worst to the best.

    Source: RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-10.
    """

    CRITICAL_FAILURE = "critical failure"
    FAILURE = "failure"
    UNDECIDED = "for the GM to decide"
    EXACT = "exact success"
    SUCCESS = "success"
    CRITICAL_SUCCESS = "critical success"

    @property
    def is_success(self) -> bool:
        """Whether it is a success without the GM's decision."""
        return self in (RpjResult.EXACT, RpjResult.SUCCESS, RpjResult.CRITICAL_SUCCESS)


# The names that successes have among the chances of a check.
SUCCESSES = frozenset(result.value for result in RpjResult if result.is_success)


@dataclass(frozen=True, slots=True)
class RpjReading:
    """The reading of a check's dice.

    Attributes:
        kept: Which dice or coins count, counted from 0.
        critical: What the faces say.
        total: Dice that count plus all terms.
        margin: The total minus the target number.
        result: The result.
        degrees: Degrees of success; None for anything but a success.
    """

    kept: tuple[int, ...]
    critical: Critical
    total: int
    margin: int
    result: RpjResult
    degrees: int | None


def read_check(inputs: RpjCheckInputs, faces: tuple[int, ...], confirmation: int | None) -> RpjReading:
    """Read the dice of a check.

    Args:
        inputs: The check.
        faces: All its dice or coins, in the order rolled.
        confirmation: The confirmation die, or None.

    Source: RPJ-DICE-01 to RPJ-DICE-05, RPJ-SKILL-09 to RPJ-SKILL-11 (R-031, R-033).
    """
    throw = throw_of(inputs, faces)
    critical = critical_of(inputs, faces, throw.kept, confirmation)
    total = throw.natural + inputs.modifier
    margin = total - inputs.target
    word = inputs.word_on(faces[place] for place in throw.kept)
    result = _result(inputs, critical, margin, word)
    degrees = None
    if result is RpjResult.CRITICAL_SUCCESS:
        degrees = max(margin, 0) + 1
    elif result in (RpjResult.EXACT, RpjResult.SUCCESS):
        degrees = margin
    return RpjReading(throw.kept, critical, total, margin, result, degrees)


def _result(inputs: RpjCheckInputs, critical: Critical, margin: int, word: Word | None) -> RpjResult:
    if word is Word.OVERRULED:
        critical = Critical.NONE
    if critical is Critical.SUCCESS:
        return RpjResult.CRITICAL_SUCCESS if margin >= 0 else _lucky(inputs, word)
    if critical is Critical.FAILURE:
        return _unlucky(inputs, margin, word)
    if margin < 0:
        return RpjResult.FAILURE
    return RpjResult.EXACT if margin == 0 and inputs.kind.may_complicate else RpjResult.SUCCESS


def _lucky(inputs: RpjCheckInputs, word: Word | None) -> RpjResult:
    if word is Word.ACCEPTED or inputs.lucky_policy is Policy.ALWAYS:
        return RpjResult.CRITICAL_SUCCESS
    return RpjResult.UNDECIDED if inputs.lucky_policy is Policy.ASK else RpjResult.FAILURE


def _unlucky(inputs: RpjCheckInputs, margin: int, word: Word | None) -> RpjResult:
    is_open = inputs.unlucky_policy is Policy.ASK and word is None
    return RpjResult.UNDECIDED if margin >= 0 and is_open else RpjResult.CRITICAL_FAILURE


def check(inputs: RpjCheckInputs, dice: Dice) -> Roll:
    """Roll the missing dice of a check, and read it.

    Source: RPJ-DICE-01 to RPJ-DICE-05, RPJ-LUCK-02 (R-004), RPJ-COIN-01.
    """
    missing, sides = inputs.dice - len(inputs.fallen), sides_of(inputs)
    faces = inputs.fallen + tuple(dice.roll(sides) for _ in range(missing))
    confirmation = inputs.confirmation
    confirmed: tuple[Die, ...] = ()
    if confirmation is None and asks_for_confirmation(inputs, faces):
        confirmation = dice.roll(6)
        confirmed = (_confirmation_die(confirmation),)
    reading = read_check(inputs, faces, confirmation)
    shown = shown_dice(inputs, faces)
    lying = () if inputs.confirmation is None else (_confirmation_die(inputs.confirmation),)
    return Roll(
        rule=CHECK.key,
        inputs=inputs,
        dice=shown[len(inputs.fallen) :] + confirmed,
        earlier=shown[: len(inputs.fallen)] + lying,
        terms=thrown_terms(inputs, faces),
        total=reading.total,
        against=_against(inputs),
        verdict=verdict_of(reading),
        odds=check_odds(inputs),
        beforehand=check_odds(inputs.beforehand) if inputs.fallen else None,
        outcome=reading.result,
        purpose=inputs.kind.purpose,
    )


def _against(inputs: RpjCheckInputs) -> str:
    """The target number, and what cover makes of it: "14+ (cover 4)".

    Source: RPJ-FIRE-09, RPJ-FIRE-13.
    """
    covers = [
        f"{term.label} {shown_number(term.value)}"
        for term in inputs.opposition
        if term.label in (COVER, COWERING)
    ]
    return f"{inputs.target}+" + (f" ({', '.join(covers)})" if covers else "")


def _confirmation_die(face: int) -> Die:
    return Die(sides=6, face=face, label=CONFIRMATION, shown=f"confirmation {PIPS[face - 1]}")


def verdict_of(reading: RpjReading) -> Verdict:
    """The result of a check in the book's words."""
    if reading.result is RpjResult.UNDECIDED:
        return Verdict(Family.PARTIAL, f"critical {reading.critical} if the GM agrees")
    if reading.result is RpjResult.FAILURE and reading.margin < 0:
        return Verdict(Family.FAILURE, f"{reading.result} by {-reading.margin}")
    if reading.degrees is None:
        return Verdict(Family.FAILURE, reading.result)
    degrees = "1 degree" if reading.degrees == 1 else f"{reading.degrees} degrees"
    if reading.result is RpjResult.EXACT:
        return Verdict(Family.PARTIAL, "success, perhaps with a complication")
    return Verdict(Family.SUCCESS, f"{reading.result}, {degrees}")


def _falls(inputs: RpjCheckInputs) -> Iterator[tuple[RpjResult, int]]:
    """The result of each way to roll the missing dice, weighted in sixths of a confirmation die."""
    may_confirm = inputs.criticals.mode is not CriticalMode.NORMAL and inputs.confirmation is None
    sides = range(1, sides_of(inputs) + 1)
    for rest in product(sides, repeat=inputs.dice - len(inputs.fallen)):
        faces = inputs.fallen + rest
        if may_confirm and asks_for_confirmation(inputs, faces):
            for confirmation in D6:
                yield read_check(inputs, faces, confirmation).result, 1
        else:
            yield read_check(inputs, faces, inputs.confirmation).result, 6 if may_confirm else 1


@lru_cache(maxsize=1024)
def check_odds(inputs: RpjCheckInputs) -> Odds:
    """The exact chance of each possible result, worst first, given the dice already rolled."""
    results = Distribution.counted(_falls(inputs))
    enough = RpjResult.EXACT if inputs.kind.may_complicate else RpjResult.SUCCESS
    chances = tuple(
        (result.value, Chance(results.ways.get(result, 0), results.of))
        for result in RpjResult
        if result in results.ways or result is enough
    )
    return Odds(chances, enough.value)


CHECK = RollRule(key="check", inputs=RpjCheckInputs, resolve=check, odds=check_odds)


@lru_cache(maxsize=256)
def reading_of(roll: Roll) -> RpjReading:
    """The reading of a rolled check.

    Args:
        roll: A roll of `CHECK`.
    """
    lying = as_fallen(roll)
    return read_check(lying, lying.fallen, lying.confirmation)


def inputs_of(roll: Roll) -> RpjCheckInputs:
    """The inputs of a rolled check.

    Args:
        roll: A roll of `CHECK`.
    """
    made = roll.inputs
    return made if isinstance(made, RpjCheckInputs) else RpjCheckInputs.model_validate(made.model_dump())


@lru_cache(maxsize=256)
def as_fallen(roll: Roll) -> RpjCheckInputs:
    """The inputs of a rolled check with its dice fixed: rolling them again rolls nothing.

    Args:
        roll: A roll of `CHECK`.
    """
    inputs = inputs_of(roll)
    new = tuple(die.face for die in roll.dice if die.label != CONFIRMATION)
    confirmation = next((die.face for die in roll.dice if die.label == CONFIRMATION), inputs.confirmation)
    return evolve(inputs, fallen=inputs.fallen + new, confirmation=confirmation)


def dice_of(roll: Roll) -> tuple[tuple[int, ...], int | None]:
    """All dice or coins of a check, including those rolled earlier, and its confirmation die or None.

    Args:
        roll: A roll of `CHECK`.
    """
    lying = as_fallen(roll)
    return lying.fallen, lying.confirmation
