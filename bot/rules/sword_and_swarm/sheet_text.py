"""The character sheet as short lines of text."""

from bot.rules.kernel import Gauge, Glance, Section
from bot.rules.kernel.outcome import shown_number, signed
from bot.rules.sword_and_swarm.attributes import SwarmAttribute, proficiency_modifier
from bot.rules.sword_and_swarm.equipment import attribute_words, worth_words
from bot.rules.sword_and_swarm.sheet import (
    Benefit,
    BenefitKind,
    Character,
    SwarmSettings,
    SwarmSheet,
    actual,
    base_of,
    is_defeated,
    raised_words,
    risks_death,
    star_left,
)


def describe(character: Character, settings: SwarmSettings) -> tuple[Section, ...]:
    """Attributes, state, proficiencies, equipment and traits in short lines.

    [SWARM-ATTR-01, SWARM-CONF-01, SWARM-PROF-05, SWARM-CHAR-01]
    """
    sheet = character.sheet
    sections = (
        Section("Class", (f"{sheet.class_name or 'no class'}, level {sheet.level}",)),
        Section("Attributes", tuple(_attribute_line(sheet, one, settings) for one in SwarmAttribute)),
        Section("State", _state_lines(sheet, settings)),
        Section("Proficiencies", _proficiency_lines(sheet, settings)),
        Section("Equipment", _benefit_lines(sheet, BenefitKind.EQUIPMENT)),
        Section("Traits", _benefit_lines(sheet, BenefitKind.TRAIT)),
    )
    return tuple(section for section in sections if section.lines)


def _attribute_line(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> str:
    base, value = base_of(sheet, attribute, settings), actual(sheet, attribute, settings)
    changes = [
        f"{signed(benefit.raise_of(attribute))} {benefit.name}"
        for benefit in sheet.in_use()
        if benefit.raise_of(attribute)
    ]
    if attribute is SwarmAttribute.BOOTS and sheet.encumbrance:
        changes.append(f"{signed(-sheet.encumbrance)} load")
    start = shown_number(base)
    if attribute is SwarmAttribute.STAR:
        start = f"{shown_number(star_left(sheet, settings))} of {base}"
    shown = attribute_words(attribute, value)
    number = f"{start} ({', '.join(changes)}) = {shown}" if changes else _plain(start, shown)
    return f"{attribute} {number} · {worth_words(attribute, value)}"


def _plain(start: str, shown: str) -> str:
    """An attribute without changes: "7 (2)", or "4 of 8" for Star."""
    left, _, of = start.partition(" of ")
    return f"{shown} of {of}" if of and left != of else shown


def _state_lines(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    lines = (
        "Defeated and demoralised: no tests" if is_defeated(sheet, settings) else "",
        "Risks death" if risks_death(sheet, settings) else "",
    )
    return tuple(line for line in lines if line)


def _proficiency_lines(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    return tuple(_proficiency_line(sheet, name, settings) for name in sheet.proficiencies)


def _proficiency_line(sheet: SwarmSheet, name: str, settings: SwarmSettings) -> str:
    ranks, found = sheet.proficiencies[name], settings.find_proficiency(name)
    if found is None:
        return f"{name} {ranks} · not on this campaign's list"
    whole = ranks + proficiency_modifier(actual(sheet, found.attribute, settings))
    return f"{name} {ranks} ({found.attribute}) · 2d6 {signed(whole)}"


def _benefit_lines(sheet: SwarmSheet, kind: BenefitKind) -> tuple[str, ...]:
    return tuple(_benefit_line(benefit) for benefit in sheet.benefits if benefit.kind is kind)


def _benefit_line(benefit: Benefit) -> str:
    state = "" if benefit.in_use else "not in use"
    return " · ".join(
        part for part in (raised_words(benefit.name, benefit.raises), benefit.text, state) if part
    )


def glance(character: Character, settings: SwarmSettings) -> Glance:
    """Star and the other attributes that change in a fight. [SWARM-ATTR-09 to SWARM-ATTR-11]"""
    sheet = character.sheet
    star = Gauge.of("Star", star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings))
    others = (SwarmAttribute.SHIELD, SwarmAttribute.BOOTS)
    numbers = (Gauge(str(one), shown_number(actual(sheet, one, settings))) for one in others)
    state = (
        "Risks death" if risks_death(sheet, settings) else "Defeated" if is_defeated(sheet, settings) else ""
    )
    return Glance((star, *numbers), (state,) if state else ())
