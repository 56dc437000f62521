"""Lucky Breaks: how many there are, what they can do, and the exact worth of an extra die."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from bot.rules.kernel import Document, Roll, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import Chance, Distribution
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import Character
from bot.rules.rpj.module.denials import denial
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.resolution.check import (
    D6,
    SUCCESSES,
    RpjReading,
    RpjResult,
    as_fallen,
    check_odds,
    dice_of,
    read_check,
    reading_of,
)
from bot.rules.rpj.resolution.dice_and_coins import asks_for_confirmation, sides_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

LUCKY_BREAKS = "lucky_breaks"
_RANKS = list(RpjResult)


class NotEnoughLuckyBreaks(UserError):
    """A character has fewer Lucky Breaks left than something costs."""

    def __init__(self, cost: int, left: int) -> None:
        needed = "a Lucky Break" if cost == 1 else f"{cost} Lucky Breaks"
        super().__init__(f"That costs {needed}; you have {left or 'none'} left.")


def lucky_breaks_left(character: Character) -> int:
    """How many Lucky Breaks a character has left in this session."""
    return character.resources.get(LUCKY_BREAKS, 0)


def spend(character: Character, cost: int) -> Character:
    """Pay with Lucky Breaks.

    Raises:
        NotEnoughLuckyBreaks: If there are fewer.

    Source: RPJ-LUCK-02, RPJ-LUCK-04, RPJ-LUCK-07, RPJ-SKILL-19.
    """
    left = lucky_breaks_left(character)
    if cost > left:
        raise NotEnoughLuckyBreaks(cost, left)
    return character.with_resource(LUCKY_BREAKS, left - cost)


def refreshed(character: Character, module: Module) -> Character:
    """A character with the Lucky Breaks of a new session, or on arriving later in it.

    A player's character has as many Lucky Breaks as its maximum, whatever was left over; one of the GM's
    has none.

    Source: RPJ-LUCK-01 (R-018, R-131), RPJ-GM-08.
    """
    most = 0 if character.owner is None else Stats(character.sheet, module).lucky_breaks
    return character.with_resource(LUCKY_BREAKS, most)


def _with_lost(character: Character, lost: int) -> Character:
    sheet = evolve(character.sheet, lucky_breaks_lost=lost)
    return replace(character, sheet=sheet)


def lose_for_good(character: Character, module: Module) -> Character:
    """Give up one Lucky Break of every future session, and one of this session if any is left.

    Raises:
        UserError: If the maximum is 0 already.

    Source: RPJ-LUCK-05 (R-026).
    """
    sheet = character.sheet
    if Stats(sheet, module).lucky_breaks < 1:
        raise UserError(f"{character.name} has no Lucky Break to give up.")
    left = max(lucky_breaks_left(character) - 1, 0)
    return _with_lost(character, sheet.lucky_breaks_lost + 1).with_resource(LUCKY_BREAKS, left)


def give_back(character: Character, count: int) -> Character:
    """Restore permanently lost Lucky Breaks, up to all of them; the next session starts with more.

    Source: RPJ-LUCK-06, RPJ-LUCK-01 (R-019).
    """
    return _with_lost(character, max(character.sheet.lucky_breaks_lost - count, 0))


def with_extra_die(roll: Roll) -> RpjCheckInputs:
    """The inputs of a rolled check with a third die still to roll.

    Args:
        roll: A roll of `CHECK`.

    Raises:
        UserError: If it has its third die already.

    Source: RPJ-LUCK-02 (R-020, R-004).
    """
    lying = as_fallen(roll)
    if lying.has_extra_die:
        raise UserError("This roll already has an extra die.", "You can spend one Lucky Break per roll.")
    return evolve(lying, has_extra_die=True, is_rescued=True)


def with_word(roll: Roll, word: str) -> RpjCheckInputs:
    """The inputs of a rolled check with the GM's decision about its critical; nothing more is rolled.

    Args:
        roll: A roll of `CHECK`.
        word: "accepted" or "overruled".

    Source: RPJ-DICE-03 (R-002).
    """
    faces, _confirmation = dice_of(roll)
    ruled = tuple(sorted(faces[place] for place in reading_of(roll).kept))
    lying = as_fallen(roll).model_dump()
    return RpjCheckInputs.model_validate({**lying, "word": word, "ruled": ruled})


def with_kept(roll: Roll, kept: tuple[int, int]) -> RpjCheckInputs:
    """The inputs of a check of three dice with another two of them kept.

    Args:
        roll: A roll of `CHECK` with its extra die.
        kept: The places of the two, from 0.

    Source: RPJ-LUCK-02.
    """
    return RpjCheckInputs.model_validate({**as_fallen(roll).model_dump(), "kept": kept})


@lru_cache(maxsize=256)
def chance_to_turn(roll: Roll) -> Chance:
    """The exact chance that a Lucky Break turns a roll into a success.

    Args:
        roll: A roll of `CHECK` without an extra die.

    Source: RPJ-LUCK-02, RPJ-LUCK-03.
    """
    chances = check_odds(with_extra_die(roll)).chances
    return Chance(sum(chance.ways for name, chance in chances if name in SUCCESSES), chances[0][1].of)


def chance_to_improve(roll: Roll) -> Chance:
    """The exact chance that a Lucky Break gives a better result or more degrees.

    Args:
        roll: A roll of `CHECK` without an extra die.

    Source: RPJ-LUCK-03 (R-024).
    """
    before = _rank(reading_of(roll))
    return _ranks_with(with_extra_die(roll)).chance(lambda rank: rank > before)


def _rank(reading: RpjReading) -> tuple[int, int]:
    return _RANKS.index(reading.result), reading.degrees or 0


@lru_cache(maxsize=1024)
def _ranks_with(inputs: RpjCheckInputs) -> Distribution[tuple[int, int]]:
    """How good each way to roll a check's last die is, with its confirmation die."""

    def ranks(face: int) -> Iterator[tuple[tuple[int, int], int]]:
        faces = (*inputs.fallen, face)
        asks = inputs.confirmation is None and asks_for_confirmation(inputs, faces)
        confirmations = list(D6) if asks else [inputs.confirmation]
        for confirmation in confirmations:
            yield _rank(read_check(inputs, faces, confirmation)), 6 // len(confirmations)

    return Distribution.counted(rank for face in range(1, sides_of(inputs) + 1) for rank in ranks(face))


class Flashback(Document):
    """A proposed flashback.

    Attributes:
        words: What the character did earlier.
        is_settled: Whether the GM has answered.
        answer: What the GM said when denying it.
    """

    words: str
    is_settled: bool = False
    answer: str = ""


def propose_flashback(character: Character, words: str, module: Module) -> Flashback:
    """Propose a flashback; it is paid for only when the GM allows it.

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid for.

    Source: RPJ-LUCK-04.
    """
    spend(character, module.luck.flashback_cost)
    return Flashback(words=words)


def allow_flashback(
    flashback: Flashback, character: Character, module: Module
) -> tuple[Flashback, Character]:
    """Allow a flashback and pay for it.

    Raises:
        UserError: If it was settled before.
        NotEnoughLuckyBreaks: If it can no longer be paid for.

    Source: RPJ-LUCK-04 (R-025).
    """
    _assert_waiting(flashback)
    paid = spend(character, module.luck.flashback_cost)
    return evolve(flashback, is_settled=True), paid


def deny_flashback(flashback: Flashback, reason: str, instead: str = "") -> Flashback:
    """Deny a flashback, with a reason or an alternative; it costs nothing.

    Raises:
        UserError: If it was settled before, or the GM says nothing.

    Source: RPJ-LUCK-04 (R-025), RPJ-GM-05.
    """
    _assert_waiting(flashback)
    return evolve(flashback, is_settled=True, answer=denial(reason, instead))


def _assert_waiting(flashback: Flashback) -> None:
    if flashback.is_settled:
        raise UserError("This flashback has already been decided.")
