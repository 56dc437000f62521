"""What the optional rules add to a sheet, each while it is on."""

from collections.abc import Iterator

from bot.rules.rpj.conditions.telling import condition_lines
from bot.rules.rpj.inventory.procedures import load_lines
from bot.rules.rpj.magic.keeping import ability_lines
from bot.rules.rpj.magic.mages import grants_of, mages_of
from bot.rules.rpj.magic.preparing import slot_lines
from bot.rules.rpj.magic.wielders import ability_skills
from bot.rules.rpj.money.pockets import purse_of
from bot.rules.rpj.money.treasury import purse_lines
from bot.rules.rpj.packs import Pack, is_on
from bot.rules.rpj.people import figure_of, sheet_of
from bot.rules.rpj.settings import RpjSettings, module_in
from bot.rules.ruleset import Character, Section


def pack_sections(character: Character, settings: RpjSettings) -> tuple[Section, ...]:
    """The sections of the optional rules that are on.

    Source: RPJ-COND-01, RPJ-MONEY-01, RPJ-INV-01, RPJ-INV-02.
    """
    return tuple(section for section in _sections(character, settings) if section.lines)


def _sections(character: Character, settings: RpjSettings) -> Iterator[Section]:
    if is_on(settings, Pack.CONDITIONS):
        yield Section("Conditions", condition_lines(sheet_of(character).conditions, module_in(settings)))
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
