"""Lucky Breaks on rolls: paying for a third die, and the buttons that throw it in or keep other dice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from bot.rules.kernel import CharacterId, Deadline, Document, FollowUp, Roll
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.lucky_breaks import (
    chance_to_improve,
    chance_to_turn,
    lucky_breaks_left,
    spend,
    with_extra_die,
    with_kept,
)
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.resolution.check import RpjReading, RpjResult, dice_of, inputs_of, read_check, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

LUCKY_GROUP = "lucky"
_RANKS = tuple(RpjResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescue:
    """How a roll is made once more with other dice, and until when.

    Attributes:
        procedure: Key of the procedure that rolls what is still to fall, and does what follows from it.
        options: Its options for such a roll.
        window: Until when it can be done.
        improves: Whether a success that becomes a better one is worth something.
    """

    procedure: str
    options: Callable[[RpjCheckInputs], Document]
    window: Deadline
    improves: bool = False


def paid_for(scene: Scene, roller: CharacterId, inputs: RpjCheckInputs) -> Scene:
    """The scene once a third die that is still to fall is paid for; the same where there is none.

    Raises:
        NotEnoughLuckyBreaks: If it cannot be paid.

    Source: RPJ-LUCK-02.
    """
    if not inputs.has_extra_die or len(inputs.fallen) == inputs.dice:
        return scene
    return scene.with_character(spend(scene.character(roller), 1))


def rescue_buttons(roller: Character, most: int, roll: Roll, rescue: Rescue) -> tuple[FollowUp, ...]:
    """What a Lucky Break can still do about a roll: throw in a third die, or keep others of the three.

    Args:
        roller: Who rolled.
        most: How many Lucky Breaks a session brings them.
        roll: The roll, of `CHECK`.
        rescue: How it is made once more.

    Source: RPJ-LUCK-02, RPJ-LUCK-03 (R-020, R-024).
    """
    if inputs_of(roll).has_extra_die:
        return tuple(_keep_buttons(roller, roll, rescue))
    worth = _worth(roll, improves=rescue.improves)
    left = lucky_breaks_left(roller)
    if not worth or not left:
        return ()
    label = f"Lucky Break: {worth} · {left} of {max(most, left)} left"
    return (_button(roller, rescue, label, with_extra_die(roll)),)


def hopeless_note(roller: Character, roll: Roll) -> tuple[str, ...]:
    """That a Lucky Break cannot turn a roll, where somebody might hope it could."""
    if reading_of(roll).result.is_success or inputs_of(roll).has_extra_die or not lucky_breaks_left(roller):
        return ()
    return () if chance_to_turn(roll).ways else ("A Lucky Break cannot turn it.",)


def _worth(roll: Roll, *, improves: bool) -> str:
    """What a Lucky Break is worth to a roll, or nothing where it is worth nothing."""
    if not reading_of(roll).result.is_success:
        turn = chance_to_turn(roll)
        return f"{percent(turn)} to turn it" if turn.ways else ""
    better = chance_to_improve(roll)
    return f"{percent(better)} to improve it" if improves and better.ways else ""


def _keep_buttons(roller: Character, roll: Roll, rescue: Rescue) -> Iterator[FollowUp]:
    """The other pairs of the three dice, as far as they come to something else that somebody may want.

    Nobody is offered a failure for a success, nor a critical failure for a plain one.
    """
    if inputs_of(roll).criticals.with_coins:
        return  # the sixth coin takes the best place there is
    faces, confirmation = dice_of(roll)
    inputs, now = inputs_of(roll), reading_of(roll)
    told = {_came_to(now)}
    for pair in combinations(range(len(faces)), 2):
        reading = read_check(inputs.model_copy(update={"kept": pair}), faces, confirmation)
        if _came_to(reading) not in told and _is_worth_it(reading, now):
            told.add(_came_to(reading))
            label = f"Keep {faces[pair[0]]} and {faces[pair[1]]}: {_came_to(reading)}"
            yield _button(roller, rescue, label, with_kept(roll, pair))


def _is_worth_it(reading: RpjReading, now: RpjReading) -> bool:
    """Whether somebody may want this instead of what the dice come to now."""
    return reading.result.is_success or _RANKS.index(reading.result) >= _RANKS.index(now.result)


def _came_to(reading: RpjReading) -> str:
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
