"""What of a character does not fit the module it is played by."""

from collections.abc import Iterator

from bot.rules.rpj.figure import Figure
from bot.rules.rpj.generation import range_problems


def misfits(figure: Figure) -> tuple[str, ...]:
    """Everything on a sheet that its module does not know or allow; the sheet stays as it is.

    Source: RPJ-GM-06, RPJ-ATTR-01, RPJ-SKILL-01, RPJ-TRAIT-01.
    """
    return tuple(_misfits(figure))


def _misfits(figure: Figure) -> Iterator[str]:
    sheet, module = figure.sheet, figure.module
    yield from range_problems(sheet.attributes, module.attributes)
    if sheet.class_id and module.character_class(sheet.class_id) is None:
        yield f"There is no class {sheet.class_id}."
    for pick in sheet.class_skills:
        if module.skill(pick.skill) is None:
            yield f"There is no skill {pick.skill} for a class skill."
    for own in sheet.skills:
        skill = module.skill(own.skill)
        if skill is None:
            yield f"There is no skill {own.skill} (level {own.base})."
        elif own.base > module.characters.highest_skill:
            yield f"{skill.name} goes up to {module.characters.highest_skill}, not to {own.base}."
    for trait in sheet.traits:
        if module.trait(trait.trait) is None:
            yield f"There is no trait {trait.trait}."
    known = {part.id for part in (*module.weapons, *module.armor, *module.gear)}
    for belonging in sheet.belongings:
        if belonging not in known:
            yield f"There is no {belonging} to carry."
