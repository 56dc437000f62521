"""What a GM can correct on a character by typing a number: resources, awards, wounds and timers."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MINUS
from bot.store.records import CharacterRecord
from bot.table.base.access import Access, as_played
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, look
from bot.table.gm import gm

MOST_VALUES = 25
AWARD, RESOURCE, WOUNDS, TIMER = "award", "resource", "wounds", "timer"
BETWEEN = "|"


@dataclass(frozen=True, slots=True)
class TypedValue:
    """Something that a GM can correct."""

    key: str
    label: str  # what it is called, with what it is now


@dataclass(frozen=True, slots=True)
class TypedValues:
    """Everything that a GM can correct on one character."""

    name: str
    values: tuple[TypedValue, ...]


@look(gm=True)
def typed_values(at: ReadTurn, character: int) -> TypedValues:
    """Return what a GM can correct on a character."""
    record = at.character(character)
    return TypedValues(record.name, tuple(_values(at.access, record))[:MOST_VALUES])


def _values(access: Access, record: CharacterRecord) -> Iterator[TypedValue]:
    character, game = as_played(access.game, record), access.game
    for award in game.awards:
        yield TypedValue(BETWEEN.join((AWARD, award.key)), f"{award.title}: add or take")
    for rule in game.counted(access.settings):
        now = character.resources.get(rule.key, 0)
        yield TypedValue(BETWEEN.join((RESOURCE, rule.key)), f"{rule.title}: {now} now")
    for track in game.wounds:
        capacities = track.capacities(character.sheet)
        filled = character.wounds.get(track.key, (0,) * len(capacities))
        for level, most, now in zip(track.levels, capacities, filled, strict=True):
            yield TypedValue(
                BETWEEN.join((WOUNDS, track.key, level)), f"{track.title} {level}: {now} of {most}"
            )
    for timer, due in character.timers.items():
        left = max(0, due - access.campaign.clock)
        yield TypedValue(BETWEEN.join((TIMER, timer)), f"Timer {timer}: {left} s left, 0 removes it")


async def set_value(table: Table, request: Request, character: int, key: str, typed: str) -> Result:
    """Set a value of a character as a GM typed it; of an award, add or take that much.

    Args:
        request: Who asks; must be a GM.
        key: What is set.
        typed: The number.

    Raises:
        UserError: If it is no number, or the value can't be that.
    """
    number = read_number(typed)
    kind, *rest = key.split(BETWEEN)
    match kind, rest:
        case "award", [award]:
            return await gm.award(table, request, award, number, (character,))
        case "resource", [resource]:
            return await gm.set_resource(table, request, resource, number, character)
        case "wounds", [track, level]:
            return await gm.set_wounds(table, request, track, level, number, character)
        case "timer", [timer]:
            return await gm.set_timer(table, request, timer, number or None, character)
    raise UserError("You can't choose that here.", "Choose again from the menu.")


def read_number(typed: str) -> int:
    """Return a number as somebody types it: "3", "+3", "-3".

    Raises:
        UserError: If it is none.
    """
    text = typed.strip().replace(MINUS, "-")
    digits = text.removeprefix("+") if text.startswith("+") else text.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 6:
        raise UserError(f"“{typed.strip()[:40]}” isn't a whole number.", "Type it in digits, such as 3.")
    return -int(digits) if text.startswith("-") else int(digits)
