"""The limits of a beginner's sheet; anything above them needs the GM's approval.

The book gives no numbers for beginners; the ready-made characters set the limits.
"""

from collections.abc import Iterator
from functools import cache

from bot.rules.kernel import Beginner, Excess, Problem, beyond_new
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import SwarmSheet
from bot.rules.sword_and_swarm.creation.creation import CREATION
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute

JUDGED = {
    *("class_name", "level", "base", "star", "encumbrance", "proficiencies", "benefits"),
    *("adv_attribute", "adv_proficiency"),
}


def module_problems(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[Problem, ...]:
    """Proficiencies on a sheet that are not on the campaign's list.

    Source: SWARM-PROF-02.
    """
    known = tuple(one.name for one in settings.all_proficiencies)
    return tuple(
        Problem("proficiencies", f"There is no proficiency “{name}”.", name, known)
        for name in sheet.proficiencies
        if settings.find_proficiency(name) is None
    )


def _measures(sheet: SwarmSheet) -> Iterator[tuple[str, int]]:
    yield "Level", sheet.level
    for attribute in SwarmAttribute:
        value = sheet.base[attribute]
        yield f"{attribute}", (attribute.start or 0) if value is None else value
    yield "Ranks", sum(sheet.proficiencies.values())
    yield "Attribute increases", sum(one.amount for benefit in sheet.benefits for one in benefit.raises)


@cache
def _most() -> dict[str, int]:
    """The highest values of the ready-made characters; attributes that players choose share one limit."""
    most: dict[str, int] = {}
    for sheet in CREATION.ready_made.values():
        for what, value in _measures(sheet):
            most[what] = max(most.get(what, 0), value)
    chosen = max(most[attribute] for attribute in SwarmAttribute if attribute.start is None)
    return most | {attribute: chosen for attribute in SwarmAttribute if attribute.start is None}


def excess(sheet: SwarmSheet, _settings: SwarmSettings) -> Iterator[Excess]:
    """Everything on a sheet above a beginner's limits.

    Source: SWARM-ATTR-01, SWARM-CHAR-01.
    """
    for what, value in _measures(sheet):
        if value > _most()[what]:
            yield Excess(what, value, _most()[what])
    yield from beyond_new(sheet, JUDGED)


BEGINNER = Beginner(excess=excess)
