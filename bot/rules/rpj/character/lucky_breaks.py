"""Lucky Breaks: how many there are, what they do and are worth, until when, and their buttons on rolls."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    SESSION_ENDED,
    CharacterId,
    Deadline,
    Document,
    FollowUp,
    LaterEntry,
    Roll,
    evolve,
)
from bot.rules.kernel.dice import Chance, Distribution, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import advice
from bot.rules.kernel.tracker import END, NEXT
from bot.rules.rpj.character.sheet import Character, Scene, Stats
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.resolution.check import (
    SUCCESSES,
    RpjReading,
    RpjResult,
    as_fallen,
    check_odds,
    degrees_of,
    dice_of,
    falls,
    inputs_of,
    read_check,
    reading_of,
)
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs


def denial(reason: str, instead: str = "") -> str:
    """The answer to a player whose proposal is rejected. [RPJ-GM-05]

    Args:
        reason: Why not.
        instead: An alternative.

    Raises:
        UserError: If neither is given.
    """
    why, other = reason.strip(), f"Instead: {instead.strip()}" if instead.strip() else ""
    if why and other and why[-1] not in ".!?…":
        why += "."
    text = f"{why} {other}".strip()
    if not text:
        raise UserError("Give a reason or an alternative.")
    return text


FIRST_TURN = "first turn"
TOUCHES = "touches "  # followed by the id of a combatant, who may be no character
CLOSED = "the GM has closed it"

# Procedures about a sheet or the game that are no character's roll or action.
BOOKKEEPING = frozenset({NEXT, "breaks", "lose_break", "break_loss", "restore_break", "group_turn"})


def touching(moments: Iterable[str]) -> frozenset[str]:
    """The combatants an entry concerns."""
    return frozenset(moment for moment in moments if moment.startswith(TOUCHES))


class RpjClosing(StrEnum):
    """Why the deadline of a roll has passed. [RPJ-LUCK-03 (R-023)]"""

    PLAYED_ON = "someone it concerns has acted or rolled since"
    USED = "its result has been used since"
    RESOLVED = "a countdown it moved has ended since"
    TURN = "the first turn has started"
    GM = CLOSED
    ENDED = "the fight or the session has ended"


def window_of(*concerns: CharacterId, is_initiative: bool = False, fighters: Iterable[str] = ()) -> Deadline:
    """The deadline of a roll.

    Args:
        *concerns: Characters whose state it changed, or would have changed with another result.
        is_initiative: Whether it is an initiative roll.
        fighters: The same by their ids in a fight.
    """
    until = (FIRST_TURN,) if is_initiative else ()
    return Deadline(concerns=concerns, until=(*until, *(f"{TOUCHES}{id_}" for id_ in fighters)))


def closing(window: Deadline, happening: LaterEntry) -> RpjClosing | None:
    """Why a later entry closes a deadline; None where it stays open. [RPJ-LUCK-03 (R-023)]"""
    met = {happening.by, *happening.against} & set(window.concerns)
    if SESSION_ENDED in happening.moments or happening.procedure == END:
        return RpjClosing.ENDED
    if CLOSED in happening.moments:
        return RpjClosing.GM if met or not happening.against else None
    if FIRST_TURN in happening.moments and FIRST_TURN in window.until:
        return RpjClosing.TURN
    if touching(happening.moments) & touching(window.until):
        return RpjClosing.PLAYED_ON
    if happening.is_use:
        return RpjClosing.USED
    if happening.is_end_of_countdown:
        return RpjClosing.RESOLVED
    return RpjClosing.PLAYED_ON if met and happening.procedure not in BOOKKEEPING else None


LUCKY_BREAKS = "lucky_breaks"
_RANKS = list(RpjResult)


class NotEnoughLuckyBreaks(UserError):
    """A character has fewer Lucky Breaks left than something costs."""

    def __init__(self, cost: int, left: int) -> None:
        needed = "a Lucky Break" if cost == 1 else f"{cost} Lucky Breaks"
        super().__init__(
            f"That costs {needed}; you have {left or 'none'} left.", "They come back when the session ends."
        )


def lucky_breaks_left(character: Character) -> int:
    """How many Lucky Breaks a character has left in this session."""
    return character.left(LUCKY_BREAKS)


def spend(character: Character, cost: int) -> Character:
    """Pay with Lucky Breaks. [RPJ-LUCK-02, RPJ-LUCK-04, RPJ-LUCK-07, RPJ-SKILL-19]

    Raises:
        NotEnoughLuckyBreaks: If there are fewer.
    """
    left = lucky_breaks_left(character)
    if cost > left:
        raise NotEnoughLuckyBreaks(cost, left)
    return character.with_resource(LUCKY_BREAKS, left - cost)


def refreshed(character: Character, module: Module) -> Character:
    """A character with the Lucky Breaks of a new session, or on arriving later in it.

    A player's character has as many Lucky Breaks as its maximum, whatever was left over; one of the GM's
    has none.

    [RPJ-LUCK-01 (R-018, R-131), RPJ-GM-08]
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

    [RPJ-LUCK-05 (R-026)]
    """
    sheet = character.sheet
    if Stats(sheet, module).lucky_breaks < 1:
        raise UserError(f"{character.name} has no Lucky Break to give up.")
    left = max(lucky_breaks_left(character) - 1, 0)
    return _with_lost(character, sheet.lucky_breaks_lost + 1).with_resource(LUCKY_BREAKS, left)


def give_back(character: Character, count: int) -> Character:
    """Restore permanently lost Lucky Breaks, up to all of them; the next session starts with more.

    [RPJ-LUCK-06, RPJ-LUCK-01 (R-019)]
    """
    return _with_lost(character, max(character.sheet.lucky_breaks_lost - count, 0))


def with_extra_die(roll: Roll) -> RpjCheckInputs:
    """The inputs of a rolled check with a third die still to roll. [RPJ-LUCK-02 (R-020, R-004)]

    Args:
        roll: A roll of `CHECK`.

    Raises:
        UserError: If it has its third die already.
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

    [RPJ-DICE-03 (R-002)]
    """
    faces, _confirmation = dice_of(roll)
    ruled = tuple(sorted(faces[place] for place in reading_of(roll).kept))
    lying = as_fallen(roll).model_dump()
    return RpjCheckInputs.model_validate({**lying, "word": word, "ruled": ruled})


def with_kept(roll: Roll, kept: tuple[int, int]) -> RpjCheckInputs:
    """The inputs of a check of three dice with another two of them kept. [RPJ-LUCK-02]

    Args:
        roll: A roll of `CHECK` with its extra die.
        kept: The places of the two, from 0.
    """
    return RpjCheckInputs.model_validate({**as_fallen(roll).model_dump(), "kept": kept})


def chance_to_turn(third: RpjCheckInputs) -> Chance:
    """The exact chance that a Lucky Break turns a roll into a success. [RPJ-LUCK-02, RPJ-LUCK-03]

    Args:
        third: The roll's inputs with its extra die still to roll.
    """
    chances = check_odds(third).chances
    return Chance(sum(chance.ways for name, chance in chances if name in SUCCESSES), chances[0][1].of)


def chance_to_improve(third: RpjCheckInputs, now: RpjReading) -> Chance:
    """The exact chance that a Lucky Break gives a better result or more degrees. [RPJ-LUCK-03 (R-024)]

    Args:
        third: The roll's inputs with its extra die still to roll.
        now: How it reads without.
    """
    before = _rank(now.result, now.margin)
    return _ranks_with(third).chance(lambda rank: rank > before)


def _rank(result: RpjResult, margin: int) -> tuple[int, int]:
    return _RANKS.index(result), degrees_of(result, margin) or 0


@lru_cache(maxsize=1024)
def _ranks_with(inputs: RpjCheckInputs) -> Distribution[tuple[int, int]]:
    """How good each way to roll a check's missing dice is."""
    return Distribution.counted((_rank(result, margin), ways) for result, margin, ways in falls(inputs))


class Flashback(Document):
    """A proposed flashback."""

    words: str  # what the character did earlier
    is_settled: bool = False  # whether the GM has answered
    answer: str = ""  # what the GM said when denying it


def propose_flashback(character: Character, words: str, module: Module) -> Flashback:
    """Propose a flashback; it is paid for only when the GM allows it. [RPJ-LUCK-04]

    Raises:
        NotEnoughLuckyBreaks: If it could not be paid for.
    """
    spend(character, module.luck.flashback_cost)
    return Flashback(words=words)


def allow_flashback(
    flashback: Flashback, character: Character, module: Module
) -> tuple[Flashback, Character]:
    """Allow a flashback and pay for it. [RPJ-LUCK-04 (R-025)]

    Raises:
        UserError: If it was settled before.
        NotEnoughLuckyBreaks: If it can no longer be paid for.
    """
    _assert_waiting(flashback)
    paid = spend(character, module.luck.flashback_cost)
    return evolve(flashback, is_settled=True), paid


def deny_flashback(flashback: Flashback, reason: str, instead: str = "") -> Flashback:
    """Deny a flashback, with a reason or an alternative; it costs nothing. [RPJ-LUCK-04 (R-025), RPJ-GM-05]

    Raises:
        UserError: If it was settled before, or the GM says nothing.
    """
    _assert_waiting(flashback)
    return evolve(flashback, is_settled=True, answer=denial(reason, instead))


def _assert_waiting(flashback: Flashback) -> None:
    if flashback.is_settled:
        raise UserError("This flashback has already been decided.")


LUCKY_GROUP = "lucky"
_BY_RANK = tuple(RpjResult)


class Rescue(Struct, frozen=True, kw_only=True):
    """How a roll is resolved again with other dice, and until when."""

    procedure: str  # key of the procedure that rolls the missing dice and applies the consequences
    options: Callable[[RpjCheckInputs], Document]  # its options for such a roll
    window: Deadline
    improves: bool = False  # whether a better success matters


def paid_for(scene: Scene, roller: CharacterId, inputs: RpjCheckInputs) -> Scene:
    """The scene after paying for a third die that is still to be rolled, if there is one. [RPJ-LUCK-02]

    Raises:
        NotEnoughLuckyBreaks: If it cannot be paid for.
    """
    if not inputs.has_extra_die or len(inputs.fallen) == inputs.dice:
        return scene
    return scene.with_character(spend(scene.character(roller), 1))


def rescue_buttons(roller: Character, roll: Roll, rescue: Rescue) -> tuple[FollowUp, ...]:
    """The Lucky Break buttons of a roll: add a third die, or keep another pair of the three.

    Args:
        roller: Who rolled.
        roll: A roll of `CHECK`.
        rescue: How it is resolved again.

    [RPJ-LUCK-02, RPJ-LUCK-03 (R-020, R-024)]
    """
    if inputs_of(roll).has_extra_die:
        return tuple(_keep_buttons(roller, roll, rescue))
    left = lucky_breaks_left(roller)
    if not left:
        return ()
    third, now = with_extra_die(roll), reading_of(roll)
    worth = _worth(third, now, improves=rescue.improves)
    if not worth:
        return ()
    label = f"Lucky Break · {worth}" if now.result.is_success else f"Lucky Break · {worth} · {left} left"
    return (_button(roller, rescue, label, third),)


def hopeless_note(roller: Character, roll: Roll) -> tuple[str, ...]:
    """A note that a Lucky Break can't turn a roll, where someone might expect it could."""
    if reading_of(roll).result.is_success or inputs_of(roll).has_extra_die or not lucky_breaks_left(roller):
        return ()
    return (
        () if chance_to_turn(with_extra_die(roll)).ways else (advice("A Lucky Break can't turn this roll."),)
    )


def _worth(third: RpjCheckInputs, now: RpjReading, *, improves: bool) -> str:
    """What a Lucky Break is worth to a roll; empty where it is worth nothing."""
    if not now.result.is_success:
        turn = chance_to_turn(third)
        return percent(turn) if turn.ways else ""
    better = chance_to_improve(third, now) if improves else None
    return f"better {percent(better)}" if better and better.ways else ""


def _keep_buttons(roller: Character, roll: Roll, rescue: Rescue) -> Iterator[FollowUp]:
    """Buttons for the other pairs of the three dice, where they give another useful result.

    Nobody is offered a failure for a success, or a critical failure for a plain one.
    """
    if inputs_of(roll).criticals.with_coins:
        return  # the sixth coin takes the best place there is
    faces, confirmation = dice_of(roll)
    inputs, now = inputs_of(roll), reading_of(roll)
    offered = {_result_words(now)}
    for pair in combinations(range(len(faces)), 2):
        reading = read_check(evolve(inputs, kept=pair), faces, confirmation)
        if _result_words(reading) not in offered and _is_worth_it(reading, now):
            offered.add(_result_words(reading))
            label = f"Keep {faces[pair[0]]} and {faces[pair[1]]}: {_result_words(reading)}"
            yield _button(roller, rescue, label, with_kept(roll, pair))


def _is_worth_it(reading: RpjReading, now: RpjReading) -> bool:
    """Whether a player may want this result instead of the current one."""
    return reading.result.is_success or _BY_RANK.index(reading.result) >= _BY_RANK.index(now.result)


def _result_words(reading: RpjReading) -> str:
    if reading.result in (RpjResult.SUCCESS, RpjResult.CRITICAL_SUCCESS):
        return f"{reading.result} by {reading.margin}" if reading.margin > 0 else str(reading.result)
    return str(reading.result)


def _button(roller: Character, rescue: Rescue, label: str, inputs: RpjCheckInputs) -> FollowUp:
    return FollowUp(
        procedure=rescue.procedure,
        options=rescue.options(inputs),
        label=label,
        character=roller.id,
        group=LUCKY_GROUP,
        window=rescue.window,
        rewinds=True,
    )
