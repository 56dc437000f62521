"""The check: two dice or five coins plus modifiers, against seven plus the difficulty."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec import Struct

from bot.rules.kernel import Die, Family, Odds, Roll, RollRule, Term, Verdict, evolve
from bot.rules.kernel.dice import Chance, Dice, Distribution, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number
from bot.rules.rpj.resolution.check_inputs import (
    COVER,
    COWERING,
    Critical,
    CriticalMode,
    Policy,
    RpjCheckInputs,
    Word,
)

BASE = 7
TAILS, HEADS = 1, 2
LOWEST, HIGHEST = 1, 13


class CoinKind(StrEnum):
    """A kind of coin. [RPJ-COIN-02]"""

    REGULAR = "regular"
    POSITIVE = "positive spoiler"
    NEGATIVE = "negative spoiler"


COINS = (CoinKind.REGULAR, CoinKind.REGULAR, CoinKind.REGULAR, CoinKind.POSITIVE, CoinKind.NEGATIVE)
_VALUES = {
    CoinKind.REGULAR: {HEADS: 1, TAILS: -1},
    CoinKind.POSITIVE: {HEADS: 2, TAILS: -1},
    CoinKind.NEGATIVE: {HEADS: 1, TAILS: -2},
}
_LETTERS = {TAILS: "T", HEADS: "H"}


class Flip(Struct, frozen=True):
    """Five flipped coins, and perhaps a sixth."""

    faces: tuple[int, ...]  # each coin of `COINS`: 1 tails, 2 heads
    extra: int | None = None  # a sixth coin from a Lucky Break, or None

    @property
    def total(self) -> int:
        """The value in place of two dice: from 1 to 13. [RPJ-COIN-01, RPJ-COIN-03, RPJ-COIN-07 (COIN-07a)]

        The sixth coin replaces whichever it improves most, or none.
        """
        plain = sum(value_of(kind, face) for kind, face in zip(COINS, self.faces, strict=True))
        return BASE + plain + self._help()

    @property
    def replaced(self) -> int | None:
        """The place of the coin that the sixth one replaces, from 0, or None."""
        if self.extra is None or not self._help():
            return None
        return max(range(len(COINS)), key=self._gain)

    def _gain(self, place: int) -> int:
        extra = self.faces[place] if self.extra is None else self.extra
        return value_of(COINS[place], extra) - value_of(COINS[place], self.faces[place])

    def _help(self) -> int:
        return max(0, *(self._gain(place) for place in range(len(COINS))))

    @property
    def critical(self) -> Critical:
        """The critical: all heads, all tails, or none. [RPJ-COIN-06 (COIN-06a)]"""
        if self.total == HIGHEST:
            return Critical.SUCCESS
        return Critical.FAILURE if self.total == LOWEST else Critical.NONE

    def __str__(self) -> str:
        """The coins as text: three regular ones, positive and negative spoiler."""
        letters = [_LETTERS[face] for face in self.faces]
        return f"{' '.join(letters[:3])} | +{letters[3]} | −{letters[4]}"


def coin_mark(place: int) -> str:
    """The mark of a coin: empty, + or −."""
    return {CoinKind.POSITIVE: "+", CoinKind.NEGATIVE: "−"}.get(COINS[place], "")


def value_of(kind: CoinKind, face: int) -> int:
    """The value of a coin. [RPJ-COIN-02]

    Args:
        face: 1 tails, 2 heads.
    """
    return _VALUES[kind][face]


def written_coins(text: str) -> Flip:
    """Read coins flipped by hand: ``HHT HT`` is three regular ones, positive and negative spoiler.

    Raises:
        UserError: If it is not five letters, each H or T.

    [RPJ-COIN-09]
    """
    letters = "".join(text.split()).upper()
    if len(letters) != len(COINS) or set(letters) - set("HT"):
        raise UserError(
            f"“{text}” isn't five coins.",
            "Type three regular coins, then the positive and the negative spoiler: HHT HT",
        )
    return Flip(tuple(HEADS if letter == "H" else TAILS for letter in letters))


COIN, D6 = 2, 6
EXTRA = "🍀"


class Throw(Struct, frozen=True):
    """Rolled dice or coins."""

    natural: int  # their sum without modifiers
    kept: tuple[int, ...]  # the places of those that count, from 0


def kept_dice(faces: tuple[int, ...], chosen: tuple[int, int] | None = None) -> tuple[int, int]:
    """The places of the two dice that count: those chosen, else the two highest, the earlier of equals.

    [RPJ-LUCK-02]
    """
    if chosen is not None:
        return chosen
    if len(faces) == 2:
        return 0, 1
    best = sorted(sorted(range(len(faces)), key=lambda place: -faces[place])[:2])
    return best[0], best[1]


def sides_of(inputs: RpjCheckInputs) -> int:
    """The number of sides of each die or coin."""
    return COIN if inputs.criticals.with_coins else D6


def _flip(faces: tuple[int, ...]) -> Flip:
    return Flip(faces[: len(COINS)], faces[len(COINS)] if len(faces) > len(COINS) else None)


def throw_of(inputs: RpjCheckInputs, faces: tuple[int, ...]) -> Throw:
    """Read the dice or coins of a check. [RPJ-DICE-01, RPJ-LUCK-02, RPJ-COIN-01, RPJ-COIN-07]

    Args:
        faces: All its dice or coins, in the order of throwing.
    """
    if not inputs.criticals.with_coins:
        kept = kept_dice(faces, inputs.kept)
        return Throw(sum(faces[place] for place in kept), kept)
    flip = _flip(faces)
    places = [place for place in range(len(COINS)) if place != flip.replaced]
    if flip.replaced is not None:
        places.append(len(COINS))
    return Throw(flip.total, tuple(places))


def asks_for_confirmation(inputs: RpjCheckInputs, faces: tuple[int, ...]) -> bool:
    """Whether the roll needs a confirmation die to be critical.

    [RPJ-DICE-04, RPJ-DICE-05, RPJ-COIN-06 (COIN-06b)]
    """
    if inputs.criticals.mode is CriticalMode.NORMAL:
        return False
    if inputs.criticals.with_coins:
        rarer = inputs.criticals.mode is CriticalMode.CONFIRM
        return rarer and _flip(faces).critical is not Critical.NONE
    first, second = kept_dice(faces, inputs.kept)
    return inputs.criticals.asks_for_confirmation((faces[first], faces[second]))


def critical_of(
    inputs: RpjCheckInputs, faces: tuple[int, ...], kept: tuple[int, ...], confirmation: int | None
) -> Critical:
    """The critical the dice alone show. [RPJ-DICE-03 to RPJ-DICE-05, RPJ-COIN-06]

    Args:
        faces: All its dice or coins, in the order of throwing.
        kept: The places of those that count.
        confirmation: The confirmation die, where one was rolled.
    """
    rules = inputs.criticals
    if not rules.with_coins:
        first, second = kept
        return rules.critical((faces[first], faces[second]), confirmation)
    critical = _flip(faces).critical
    if confirmation is None:
        return critical
    if critical is Critical.FAILURE:
        return critical if confirmation <= rules.confirm_fail_max else Critical.NONE
    return critical if confirmation >= rules.confirm_success_min else Critical.NONE


def shown_dice(inputs: RpjCheckInputs, faces: tuple[int, ...]) -> tuple[Die, ...]:
    """The dice or coins as shown, with those that do not count marked. [RPJ-COIN-02, RPJ-COIN-09]"""
    kept, sides = throw_of(inputs, faces).kept, sides_of(inputs)
    plain = len(COINS) if inputs.criticals.with_coins else 2
    return tuple(
        Die(
            sides=sides,
            face=face,
            label=EXTRA if place == plain else "",
            is_kept=place in kept,
            shown=_coin(place, face) if inputs.criticals.with_coins else "",
        )
        for place, face in enumerate(faces)
    )


def _coin(place: int, face: int) -> str:
    letter = "H" if face == HEADS else "T"
    return f"{coin_mark(place)}{letter}" if place < len(COINS) else f"{EXTRA} {letter}"


def thrown_terms(inputs: RpjCheckInputs, faces: tuple[int, ...]) -> tuple[Term, ...]:
    """The terms of the sum besides the dice; for coins, their value too."""
    coins = (Term("coins", throw_of(inputs, faces).natural),) if inputs.criticals.with_coins else ()
    return (*coins, *(Term(term.label, term.value) for term in inputs.terms))


D6_FACES = range(1, 7)
CONFIRMATION = "confirmation"
PIPS = "⚀⚁⚂⚃⚄⚅"


class RpjResult(StrEnum):
    """The result of a check, from the worst to the best. [RPJ-DICE-01, RPJ-DICE-03, RPJ-SKILL-10]"""

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


class RpjReading(Struct, frozen=True):
    """The reading of a check's dice."""

    kept: tuple[int, ...]  # which dice or coins count, counted from 0
    critical: Critical  # what the faces say
    total: int  # dice that count plus all terms
    margin: int  # the total minus the target number
    result: RpjResult
    degrees: int | None  # degrees of success; None for anything but a success


def read_check(inputs: RpjCheckInputs, faces: tuple[int, ...], confirmation: int | None) -> RpjReading:
    """Read the dice of a check. [RPJ-DICE-01 to RPJ-DICE-05, RPJ-SKILL-09 to RPJ-SKILL-11 (R-031, R-033)]

    Args:
        faces: All its dice or coins, in the order rolled.
        confirmation: The confirmation die, or None.
    """
    throw = throw_of(inputs, faces)
    critical = critical_of(inputs, faces, throw.kept, confirmation)
    total = throw.natural + inputs.modifier
    margin = total - inputs.target
    word = inputs.word_on(faces[place] for place in throw.kept)
    result = _result(inputs, critical, margin, word)
    return RpjReading(throw.kept, critical, total, margin, result, degrees_of(result, margin))


def degrees_of(result: RpjResult, margin: int) -> int | None:
    """The degrees of success; None for anything but a success. [RPJ-SKILL-09, RPJ-SKILL-11 (R-031, R-033)]"""
    if result is RpjResult.CRITICAL_SUCCESS:
        return max(margin, 0) + 1
    return margin if result in (RpjResult.EXACT, RpjResult.SUCCESS) else None


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

    [RPJ-DICE-01 to RPJ-DICE-05, RPJ-LUCK-02 (R-004), RPJ-COIN-01]
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
    """The target number, and what cover makes of it: "14+ (cover 4)". [RPJ-FIRE-09, RPJ-FIRE-13]"""
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
    if reading.result is RpjResult.FAILURE:
        return Verdict(Family.FAILURE, f"{reading.result} by {-reading.margin}")
    if reading.degrees is None:
        return Verdict(Family.FAILURE, reading.result)
    degrees = "1 degree" if reading.degrees == 1 else f"{reading.degrees} degrees"
    if reading.result is RpjResult.EXACT:
        return Verdict(Family.PARTIAL, "success, perhaps with a complication")
    return Verdict(Family.SUCCESS, f"{reading.result}, {degrees}")


def falls(inputs: RpjCheckInputs) -> Iterator[tuple[RpjResult, int, int]]:
    """Each way to roll the missing dice: result, margin, weight in sixths of a confirmation die."""
    may_confirm = inputs.criticals.mode is not CriticalMode.NORMAL and inputs.confirmation is None
    sides, added = range(1, sides_of(inputs) + 1), inputs.modifier - inputs.target
    rests = product(sides, repeat=inputs.dice - len(inputs.fallen))
    thrown: Iterable[tuple[int, ...]] = (inputs.fallen + rest for rest in rests)
    if not (inputs.criticals.with_coins or inputs.kept):  # only the two highest dice count, in any order
        thrown = (tuple(sorted(faces)[-2:]) for faces in thrown)
    for faces, ways in Counter(thrown).items():
        throw = throw_of(inputs, faces)
        asks = may_confirm and asks_for_confirmation(inputs, faces)
        word = inputs.word and inputs.word_on(faces[place] for place in throw.kept)
        for confirmation in D6_FACES if asks else (inputs.confirmation,):
            critical = critical_of(inputs, faces, throw.kept, confirmation)
            margin = throw.natural + added
            weight = 6 if may_confirm and not asks else 1
            yield _result(inputs, critical, margin, word), margin, ways * weight


@lru_cache(maxsize=1024)
def check_odds(inputs: RpjCheckInputs) -> Odds:
    """The exact chance of each possible result, worst first, given the dice already rolled."""
    results = Distribution.counted((result, ways) for result, _margin, ways in falls(inputs))
    enough = RpjResult.EXACT if inputs.kind.may_complicate else RpjResult.SUCCESS
    chances = tuple(
        (result.value, Chance(results.ways.get(result, 0), results.of))
        for result in RpjResult
        if result in results.ways or result is enough
    )
    return Odds(chances, enough.value)


def chance_words(inputs: RpjCheckInputs) -> str:
    """The chance that a check succeeds, as text."""
    return percent(check_odds(inputs).enough or Fraction())


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
