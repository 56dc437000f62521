"""Find everything on a sheet that contradicts itself."""

from collections.abc import Iterable, Iterator

from bot.rules.kernel import Problem
from bot.rules.sword_and_swarm.character.campaign_lists import folded
from bot.rules.sword_and_swarm.character.sheet import SwarmSheet
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute


def sheet_problems(sheet: SwarmSheet) -> tuple[Problem, ...]:
    """Every contradiction on a sheet: too much Star, names or increases listed twice.

    Source: SWARM-ATTR-03, SWARM-ATTR-09, SWARM-PROF-09.
    """
    return tuple(_problems(sheet))


def _problems(sheet: SwarmSheet) -> Iterator[Problem]:
    most = sheet.base[SwarmAttribute.STAR]
    if most is not None and sheet.star is not None and sheet.star > most:
        yield Problem("star", f"Star is {sheet.star}, but its maximum is {most}.")
    for name in _twice(benefit.name for benefit in sheet.benefits):
        yield Problem("benefits", f"{name} is listed twice.")
    for name in _twice(sheet.proficiencies):
        yield Problem("proficiencies", f"{name} is listed twice.")
    for benefit in sheet.benefits:
        for attribute in _twice(one.attribute for one in benefit.raises):
            yield Problem("benefits", f"{benefit.name} raises {attribute} twice.")


def _twice(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if folded(name) in seen:
            yield name
        seen.add(folded(name))
