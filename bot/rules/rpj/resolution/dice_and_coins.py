"""The dice of a check: two d6 or five coins, and one more with a Lucky Break."""

from dataclasses import dataclass

from bot.rules.kernel import Die, Term
from bot.rules.rpj.resolution.coins import COINS, HEADS, Flip, coin_mark
from bot.rules.rpj.resolution.criticals import Critical, CriticalMode
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

COIN, D6 = 2, 6
EXTRA = "🍀"


@dataclass(frozen=True, slots=True)
class Throw:
    """Rolled dice or coins.

    Attributes:
        natural: Their sum without modifiers.
        kept: The places of those that count, from 0.
    """

    natural: int
    kept: tuple[int, ...]


def kept_dice(faces: tuple[int, ...], chosen: tuple[int, int] | None = None) -> tuple[int, int]:
    """The places of the two dice that count: those chosen, else the two highest, the earlier of equals.

    Source: RPJ-LUCK-02.
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
    """Read the dice or coins of a check.

    Args:
        inputs: The check.
        faces: All its dice or coins, in the order of throwing.

    Source: RPJ-DICE-01, RPJ-LUCK-02, RPJ-COIN-01, RPJ-COIN-07.
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

    Source: RPJ-DICE-04, RPJ-DICE-05, RPJ-COIN-06 (COIN-06b).
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
    """The critical the dice alone show.

    Args:
        inputs: The check.
        faces: All its dice or coins, in the order of throwing.
        kept: The places of those that count.
        confirmation: The confirmation die, where one was rolled.

    Source: RPJ-DICE-03 to RPJ-DICE-05, RPJ-COIN-06.
    """
    rules = inputs.criticals
    if not rules.with_coins:
        first, second = kept
        return rules.critical((faces[first], faces[second]), confirmation)
    critical = _flip(faces).critical
    if confirmation is None or not asks_for_confirmation(inputs, faces):
        return critical
    if critical is Critical.FAILURE:
        return critical if confirmation <= rules.confirm_fail_max else Critical.NONE
    return critical if confirmation >= rules.confirm_success_min else Critical.NONE


def shown_dice(inputs: RpjCheckInputs, faces: tuple[int, ...]) -> tuple[Die, ...]:
    """The dice or coins as shown, with those that do not count marked.

    Source: RPJ-COIN-02, RPJ-COIN-09.
    """
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
