"""The sheet sections of optional rules, each while it is on."""

from collections.abc import Iterator

from bot.rules.kernel import Section
from bot.rules.rpj.character.casters import grants_of, mages_of
from bot.rules.rpj.character.figures import figure_of
from bot.rules.rpj.character.pockets import purse_of
from bot.rules.rpj.character.sheet import Character
from bot.rules.rpj.combat.commands.carry_commands import load_lines
from bot.rules.rpj.conditions.condition_text import condition_lines
from bot.rules.rpj.gear.gm_money import purse_lines
from bot.rules.rpj.magic.ability_commands import ability_lines
from bot.rules.rpj.magic.ability_users import ability_skills
from bot.rules.rpj.magic.preparing import slot_lines
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import RpjSettings, module_in


def pack_sections(character: Character, settings: RpjSettings) -> tuple[Section, ...]:
    """The sections of the optional rules that are on.

    Source: RPJ-COND-01, RPJ-MONEY-01, RPJ-INV-01, RPJ-INV-02.
    """
    return tuple(section for section in _sections(character, settings) if section.lines)


def _sections(character: Character, settings: RpjSettings) -> Iterator[Section]:
    if is_on(settings, Pack.CONDITIONS):
        yield Section("Conditions", condition_lines(character.sheet.conditions, module_in(settings)))
    if is_on(settings, Pack.STRUCTURED_MAGIC):
        figure = figure_of(character, settings)
        if mages_of(figure) or grants_of(figure):
            yield Section("Spells", slot_lines(figure))
    if is_on(settings, Pack.WILD_MAGIC):
        figure = figure_of(character, settings)
        if ability_skills(figure):
            yield Section("Abilities", ability_lines(figure))
    if is_on(settings, Pack.MONEY):
        yield Section("Purse", purse_lines(purse_of(character)))
    if is_on(settings, Pack.INVENTORY):
        yield Section("Load", load_lines(figure_of(character, settings)))
