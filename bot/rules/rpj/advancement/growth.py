"""What advanced (or shrank) about a character, with derived values."""

from collections.abc import Iterator

from bot.rules.kernel import Growth, grown
from bot.rules.kernel.wording import signed
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.combat_rules import actions_of
from bot.rules.rpj.module.settings import RpjSettings, module_in

Changed = tuple[str, str, str]


def growth(before: Stats, after: Stats) -> Iterator[Changed]:
    """The changed values: what it is, before, after.

    Source: RPJ-CHAR-01, RPJ-CHAR-02, RPJ-CHAR-03, RPJ-CHAR-05, RPJ-ATTR-02, RPJ-HEALTH-04.
    """
    was, now = before.sheet, after.sheet
    yield from _number("Character points to spend", was.available_points, now.available_points)
    yield from _number("Character power", was.total_points, now.total_points)
    for attribute in RpjAttribute:
        yield from _number(attribute.word, was.attributes.get(attribute, 0), now.attributes.get(attribute, 0))
        yield from _bonus(attribute, before, after)
    yield from _skills(before, after)
    yield from _number("Actions per turn", _actions(before), _actions(after))
    yield from _number("Base saves", len(before.base_saves), len(after.base_saves))
    yield from _number("Lucky Breaks per session", before.lucky_breaks, after.lucky_breaks)
    yield from _traits(before, after)


def _actions(figure: Stats) -> int:
    return actions_of(figure.level(RpjAttribute.DEX), figure.module.combat)


def _number(what: str, was: int, now: int) -> Iterator[Changed]:
    if was != now:
        yield what, str(was), str(now)


def _bonus(attribute: RpjAttribute, before: Stats, after: Stats) -> Iterator[Changed]:
    was, now = before.bonus(attribute), after.bonus(attribute)
    if was != now:
        yield f"{attribute.word} bonus", signed(was), signed(now)


def _skills(before: Stats, after: Stats) -> Iterator[Changed]:
    for skill in after.module.skills:
        own = after.sheet.own_skill(skill.id) or before.sheet.own_skill(skill.id)
        if own is not None:
            name = skill.with_specialty(own.specialty)
            yield from _number(name, before.base_level(skill), after.base_level(skill))


def _traits(before: Stats, after: Stats) -> Iterator[Changed]:
    had, has = _trait_names(before), _trait_names(after)
    for name in [*(one for one in had if one not in has), *(one for one in has if one not in had)]:
        yield name, "yes" if name in had else "no", "yes" if name in has else "no"


def _trait_names(figure: Stats) -> list[str]:
    found = (figure.module.trait(own.trait) for own in figure.sheet.traits)
    return [trait.name for trait in found if trait is not None]


DERIVED = ("Character points to spend", "Character power", "Actions per turn", "Base saves")


def grown_parts(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Growth]:
    """Return the attributes, skills and traits that a character gained or raised."""
    if not has_grown(before, after):
        return
    module = module_in(settings)
    for what, was, now in growth(Stats(before, module), Stats(after, module)):
        if now == "yes":
            yield Growth(what, "", "new")
        elif what not in DERIVED and was.isdecimal() and now.isdecimal():
            yield from grown(what, int(was), int(now))


def has_grown(before: RpjSheet, after: RpjSheet) -> bool:
    """Whether anything about advancement changed on a sheet."""
    parts = ("available_points", "total_points", "attributes", "skills", "traits")
    return any(getattr(before, part) != getattr(after, part) for part in parts)
