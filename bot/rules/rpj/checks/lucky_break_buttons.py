"""Lucky Breaks on rolls: paying for a third die, and the buttons that add it or keep other dice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from bot.rules.kernel import CharacterId, Deadline, Document, FollowUp, Roll, evolve
from bot.rules.kernel.facts import advice
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
    """How a roll is resolved again with other dice, and until when.

    Attributes:
        procedure: Key of the procedure that rolls the missing dice and applies the consequences.
        options: Its options for such a roll.
        window: Its deadline.
        improves: Whether a better success matters.
    """

    procedure: str
    options: Callable[[RpjCheckInputs], Document]
    window: Deadline
    improves: bool = False


def paid_for(scene: Scene, roller: CharacterId, inputs: RpjCheckInputs) -> Scene:
    """The scene after paying for a third die that is still to be rolled, if there is one.

    Raises:
        NotEnoughLuckyBreaks: If it cannot be paid for.

    Source: RPJ-LUCK-02.
    """
    if not inputs.has_extra_die or len(inputs.fallen) == inputs.dice:
        return scene
    return scene.with_character(spend(scene.character(roller), 1))


def rescue_buttons(roller: Character, most: int, roll: Roll, rescue: Rescue) -> tuple[FollowUp, ...]:
    """The Lucky Break buttons of a roll: add a third die, or keep another pair of the three.

    Args:
        roller: Who rolled.
        most: Their Lucky Breaks per session.
        roll: A roll of `CHECK`.
        rescue: How it is resolved again.

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
    """A note that a Lucky Break can't turn a roll, where someone might expect it could."""
    if reading_of(roll).result.is_success or inputs_of(roll).has_extra_die or not lucky_breaks_left(roller):
        return ()
    return () if chance_to_turn(roll).ways else (advice("A Lucky Break can't turn this roll."),)


def _worth(roll: Roll, *, improves: bool) -> str:
    """What a Lucky Break is worth to a roll; empty where it is worth nothing."""
    if not reading_of(roll).result.is_success:
        turn = chance_to_turn(roll)
        return f"{percent(turn)} to turn it" if turn.ways else ""
    better = chance_to_improve(roll)
    return f"{percent(better)} to improve it" if improves and better.ways else ""


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
    return reading.result.is_success or _RANKS.index(reading.result) >= _RANKS.index(now.result)


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
