"""Foes made in a moment, as good as people nobody has written a sheet for."""

from collections.abc import Sequence

from bot.rules.kernel import evolve
from bot.rules.kernel.foes import FoeLevel, FoeRules
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import OwnSkill, RpjSheet
from bot.rules.rpj.combat.state.combatant import MookSheet
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.module import Module, RpjSkill
from bot.rules.rpj.module.settings import RpjSettings, module_in

SKILLS = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 4, FoeLevel.STRONG: 6, FoeLevel.MIGHTY: 7}  # RPJ-GM-01
ATTRIBUTES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 4}  # RPJ-GM-02


def _make(level: FoeLevel, settings: RpjSettings) -> RpjSheet:
    """A sheet with attributes of a level, and the skills that fights use.

    Source: RPJ-GM-01, RPJ-GM-02.
    """
    sheet = RpjSheet(attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[level]))
    module = module_in(settings)
    for skill in module.skills:
        if skill.roles:
            sheet = _skilled(sheet, skill, level, module)
    return sheet


def _skilled(sheet: RpjSheet, skill: RpjSkill, level: FoeLevel, module: Module) -> RpjSheet:
    """The sheet with a skill at the effective level that its own level means."""
    figure = Stats(sheet, module)
    linked = figure.linked(skill)
    base = max(0, SKILLS[level] - figure.bonus(linked))
    specialty = (*skill.specialties, *skill.examples, "")[0] if skill.has_specialty else ""
    return sheet.with_skill(OwnSkill(skill=skill.id, base=base, specialty=specialty, linked=linked))


def _give(sheet: RpjSheet, level: FoeLevel, names: Sequence[str], settings: RpjSettings) -> RpjSheet:
    """The sheet with weapons and the skills they are used with.

    Source: RPJ-GM-01, RPJ-GCS-57.
    """
    module = module_in(settings)
    skills = {skill.id: skill for skill in module.skills}
    for weapon in module.weapons:
        if weapon.name in names:
            rest = tuple(one for one in sheet.belongings if one != weapon.id)
            sheet = evolve(sheet, belongings=(*rest, weapon.id))
            sheet = _skilled(sheet, skills[weapon.skill], level, module)
    return sheet


FOES: FoeRules[RpjSheet, RpjSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in module_in(settings).weapons],
    make=_make,
    give=_give,
    mook=MookSheet,
    as_mook=lambda mook: RpjSheet(
        attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[FoeLevel.ABLE]), mook=mook
    ),
    fresh=lambda sheet: evolve(sheet, conditions=()),
)
