"""What a change of a sheet means for attributes and for the state of a character, in words."""

from bot.rules.kernel import Character, Scene
from bot.rules.sword_and_swarm.character.settings import SwarmSettings, settings_of
from bot.rules.sword_and_swarm.character.sheet import (
    SwarmSheet,
    actual,
    is_defeated,
    risks_death,
    sheet_of,
    with_sheet,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import (
    SwarmAttribute,
    proficiency_modifier,
    signed,
    with_confirm,
    written,
)


def attribute_words(attribute: SwarmAttribute, value: int) -> str:
    """An actual attribute as it is written: with its Confirm Attribute, with a true minus."""
    return written(value) if attribute is SwarmAttribute.STAR and value < 0 else with_confirm(value)


def worth_words(attribute: SwarmAttribute, value: int) -> str:
    """What an actual attribute is worth: to proficiencies, or that it is too little to act.

    A Shield of 0 is what everybody has without armour, and nobody acts with it anyway.

    Source: SWARM-PROF-05, SWARM-ATTR-04, SWARM-ATTR-12.
    """
    if value > 0:
        return f"proficiencies {signed(proficiency_modifier(value))}"
    return "no protection" if attribute is SwarmAttribute.SHIELD else "cannot act with it"


def with_changed_sheet(
    scene: Scene, character: Character, sheet: SwarmSheet
) -> tuple[Scene, tuple[str, ...]]:
    """The scene with a character's sheet changed, and what that changes.

    Source: SWARM-ATTR-03.
    """
    before, settings = sheet_of(character), settings_of(scene)
    changes = []
    for attribute in SwarmAttribute:
        was, now = actual(before, attribute, settings), actual(sheet, attribute, settings)
        if was != now:
            shown = (attribute_words(attribute, value) for value in (was, now))
            changes.append(f"{attribute} {' → '.join(shown)}")
    told = (f"{character.name}: {' · '.join(changes)}",) if changes else ()
    changed = scene.with_character(with_sheet(character, sheet))
    return changed, (*told, *state_notes(character, sheet, settings))


def state_notes(character: Character, sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    """What a change of a character's sheet means for being defeated and in danger of death.

    Source: SWARM-ATTR-10, SWARM-ATTR-11 (SWARM-R27).
    """
    before, notes = sheet_of(character), []
    if is_defeated(sheet, settings) != is_defeated(before, settings):
        is_now = is_defeated(sheet, settings)
        notes.append(f"{character.name} is {'defeated and demoralised' if is_now else 'no longer defeated'}.")
    if risks_death(sheet, settings) and not risks_death(before, settings):
        notes.append(f"Star is below 0: {character.name} risks death. GM, what comes of it is your word.")
    elif risks_death(before, settings) and not risks_death(sheet, settings):
        notes.append(f"{character.name} no longer risks death.")
    return tuple(notes)
