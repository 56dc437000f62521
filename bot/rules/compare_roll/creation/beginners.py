"""The limits of a beginner's sheet, and what an imported sheet keeps; anything above needs GM approval."""

from collections.abc import Iterator

from bot.rules.compare_roll.character.catalogue import find_item, find_weapon, skill_names
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import STARTING_SKILL_POINTS, CompareSheet
from bot.rules.compare_roll.creation.creation import CREATION, total_stats
from bot.rules.compare_roll.resolution.tables import CATEGORIES, ITEMS, WEAPONS
from bot.rules.kernel import Beginner, Excess, Problem, beyond_new

JUDGED = {
    *("age", "sex", "gender", "stats", "method", "rolled", "unset", "is_draft", "has_rolled_assets"),
    *("skills", "customs", "skill_points", "ft_lost", "status", "downed_by", "door"),
}
GEAR = {"weapons", "items"}


def module_problems(sheet: CompareSheet, settings: CompareSettings) -> tuple[Problem, ...]:
    """Names on a sheet that are neither on the shipped lists nor on the campaign's.

    Source: CMP-SKILL-01, CMP-SKILL-05.
    """
    return tuple(_module_problems(sheet, settings))


def _module_problems(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Problem]:
    for own in (*sheet.skills, *sheet.customs):
        if own.category not in CATEGORIES:
            known = tuple(CATEGORIES)
            yield Problem("skills", f"There is no category “{own.category}”.", own.category, known)
    for score in sheet.skills:
        names = tuple(name for of, name in skill_names(settings) if of == score.category)
        if score.category in CATEGORIES and score.name not in names:
            what = f"There is no skill “{score.name}” in {score.category}."
            yield Problem("skills", what, score.name, names)
    weapons = tuple(row.name for row in (*settings.weapons, *WEAPONS))
    items = (*(row.name for row in (*settings.items, *ITEMS)), *weapons)
    for weapon in sheet.weapons:
        if find_weapon(settings, weapon.name) is None:
            yield Problem("weapons", f"There is no weapon “{weapon.name}”.", weapon.name, weapons)
    for name in (*(item.name for item in sheet.items), *((sheet.armour,) if sheet.armour else ())):
        if find_item(settings, name) is None and find_weapon(settings, name) is None:
            yield Problem("items", f"There is no item “{name}”.", name, items)


def excess(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Excess]:
    """Everything above a beginner's limits: stat and skill points, and a ready-made character's gear at most.

    Source: CMP-STAT-05, CMP-SKILL-02, CMP-SKILL-05.
    """
    stats = sum(sheet.stats.values())
    if stats > total_stats(settings):
        yield Excess("Stat total", stats, total_stats(settings))
    points = sheet.skill_points + sum(own.level for own in (*sheet.skills, *sheet.customs))
    if points > STARTING_SKILL_POINTS:
        yield Excess("Skill points", points, STARTING_SKILL_POINTS)
    if approved := sum(own.is_approved for own in sheet.customs):
        yield Excess("Approved custom skills", approved)
    brought = CREATION.ready_made.values()
    is_ready_made = any(
        (one.weapons, one.items) == (sheet.weapons, sheet.items) and not sheet.armour for one in brought
    )
    yield from beyond_new(sheet, JUDGED | GEAR if is_ready_made else JUDGED)


def brought(sheet: CompareSheet) -> CompareSheet:
    """Return an imported sheet without its reference to another campaign's character."""
    return sheet.changed(downed_by=None)


BEGINNER = Beginner(excess=excess, brought=brought)
