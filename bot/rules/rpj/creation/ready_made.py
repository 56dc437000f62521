"""Ready-made characters for each shipped module."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pydantic import Field

from bot.rules.kernel import TableRow, evolve
from bot.rules.rpj.advancement.module_problems import module_problems
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import OwnSkill, RpjSheet
from bot.rules.rpj.creation.new_characters import NewCharacter, build_sheet
from bot.rules.rpj.module.attributes import Category, RpjAttribute
from bot.rules.rpj.module.module import ClassSkill, GenerationMethod
from bot.rules.rpj.module.settings import RpjSettings, Shipped, module_in
from bot.rules.rpj.module.shipped import MODULES
from bot.rules.rpj.module.tables import DATA


class _ReadyMade(TableRow):
    """A ready-made character in the data, built like any other."""

    module: Shipped
    name: str
    biography: str
    array: str
    primary: Category
    levels: dict[RpjAttribute, int]
    luck: int
    class_id: str
    class_skills: tuple[str, ...]
    skills: dict[str, int]
    specialties: dict[str, str] = Field(default_factory=dict)
    linked: dict[str, RpjAttribute]
    traits: tuple[str, ...]


def _new(row: _ReadyMade) -> NewCharacter:
    module = MODULES[row.module]
    linked = {skill.id: skill.linked[0] for skill in module.skills} | row.linked
    return NewCharacter(
        method=GenerationMethod.ARRAY,
        array=row.array,
        levels=row.levels,
        primary=row.primary,
        luck=row.luck,
        class_id=row.class_id,
        class_skills=tuple(ClassSkill(skill=skill) for skill in row.class_skills),
        traits=row.traits,
        skills=tuple(
            OwnSkill(skill=skill, base=base, specialty=row.specialties.get(skill, ""), linked=linked[skill])
            for skill, base in row.skills.items()
        ),
    )


@cache
def ready_made_of(module: Shipped) -> Mapping[str, NewCharacter]:
    """The ready-made characters of a module, by name, as creation drafts."""
    rows = DATA.rows("characters", "character", _ReadyMade)
    return MappingProxyType({row.name: _new(row) for row in rows if row.module is module})


@cache
def _sheets(module: Shipped) -> Mapping[str, RpjSheet]:
    game = MODULES[module]
    notes = {row.name: row.biography for row in DATA.rows("characters", "character", _ReadyMade)}
    return MappingProxyType(
        {
            name: evolve(build_sheet(new, game, game.characters.start), biography=notes[name])
            for name, new in ready_made_of(module).items()
        }
    )


def ready_made(settings: RpjSettings) -> Mapping[str, RpjSheet]:
    """The ready-made characters for the campaign's module.

    An imported module takes those of the shipped module with its id that fit it, else none.
    """
    module = module_in(settings)
    if module.id not in tuple(Shipped):
        return MappingProxyType({})
    sheets = _sheets(Shipped(module.id))
    if settings.module in tuple(Shipped):
        return sheets
    return {name: sheet for name, sheet in sheets.items() if not module_problems(Stats(sheet, module))}
