"""What about a character does not fit its module."""

from collections.abc import Iterable, Iterator

from bot.rules.kernel import Problem
from bot.rules.rpj.character.carrying import items_of
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.generation import range_problems
from bot.rules.rpj.module.attributes import RpjAttribute


def module_problems(figure: Stats) -> tuple[Problem, ...]:
    """Everything on a sheet that its module does not have or allow; the sheet is not changed.

    Source: RPJ-GM-06, RPJ-ATTR-01, RPJ-SKILL-01, RPJ-TRAIT-01.
    """
    return (*_attributes(figure), *_skills(figure), *_others(figure))


def _attributes(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    for sentence in range_problems(sheet.attributes, module.attributes):
        yield Problem("attributes", sentence)
    if missing := [attribute.word for attribute in RpjAttribute if attribute not in sheet.attributes]:
        yield Problem("attributes", f"No level yet: {', '.join(missing)}.")


def _skills(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    classes = tuple(class_.id for class_ in module.classes)
    if sheet.class_id and sheet.class_id not in classes:
        yield Problem("class", f"The module has no class {sheet.class_id}.", sheet.class_id, classes)
    known = tuple(skill.id for skill in module.skills)
    for pick in sheet.class_skills:
        if module.skill(pick.skill) is None:
            yield Problem("class", f"The module has no skill {pick.skill} (class skill).", pick.skill, known)
    for own in sheet.skills:
        skill = module.skill(own.skill)
        if skill is None:
            yield Problem(
                "skills", f"The module has no skill {own.skill} (level {own.base}).", own.skill, known
            )
        elif own.base > module.characters.highest_skill:
            highest = module.characters.highest_skill
            yield Problem("skills", f"{skill.name} can be {highest} at most, not {own.base}.")


def _others(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    traits = tuple(trait.id for trait in module.traits)
    yield from _unknown("The module has no trait {}.", (trait.trait for trait in sheet.traits), traits)
    items = tuple(items_of(module))
    yield from _unknown("The module has no item {} (in use).", sheet.belongings, items)
    owned = dict.fromkeys([*(thing.item for thing in sheet.possessions), *sheet.qualities, *sheet.ammunition])
    yield from _unknown("The module has no item {}.", owned, items)
    cast = [*sheet.casting.known, *sheet.casting.prepared, *(slot.spell for slot in sheet.casting.slots)]
    spells = tuple(spell.id for spell in module.spells)
    yield from _unknown("The module has no spell {}.", dict.fromkeys(id_ for id_ in cast if id_), spells)


def _unknown(sentence: str, ids: Iterable[str], known: tuple[str, ...]) -> Iterator[Problem]:
    for id_ in ids:
        if id_ not in known:
            yield Problem("module", sentence.format(id_), id_, known)
