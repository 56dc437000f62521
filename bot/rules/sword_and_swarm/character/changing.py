"""Changes of a sheet, and the sentences that report them."""

from bot.rules.kernel.facts import down, to_do
from bot.rules.kernel.wording import shown_number, signed
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import (
    Character,
    Scene,
    SwarmSheet,
    actual,
    is_defeated,
    risks_death,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import (
    SwarmAttribute,
    proficiency_modifier,
    with_confirm,
)


def attribute_words(attribute: SwarmAttribute, value: int) -> str:
    """An actual attribute as the book writes it: "7 (2)" with its Confirm Attribute, "−1" for Star."""
    return shown_number(value) if attribute is SwarmAttribute.STAR and value < 0 else with_confirm(value)


def worth_words(attribute: SwarmAttribute, value: int) -> str:
    """What an actual attribute is worth: its proficiency modifier, or that it is too low to use.

    A Shield of 0 is normal without armour, and no action needs Shield.

    Source: SWARM-PROF-05, SWARM-ATTR-04, SWARM-ATTR-12.
    """
    if value > 0:
        return f"proficiencies {signed(proficiency_modifier(value))}"
    return "no protection" if attribute is SwarmAttribute.SHIELD else "too low to use"


def with_changed_sheet(
    scene: Scene, character: Character, sheet: SwarmSheet
) -> tuple[Scene, tuple[str, ...]]:
    """Change a character's sheet; return the scene and one sentence for each effect.

    Source: SWARM-ATTR-03.
    """
    before, settings = character.sheet, scene.settings
    changes = []
    for attribute in SwarmAttribute:
        was, now = actual(before, attribute, settings), actual(sheet, attribute, settings)
        if was != now:
            shown = (attribute_words(attribute, value) for value in (was, now))
            changes.append(f"{attribute} {' → '.join(shown)}")
    line = (f"{character.name}: {' · '.join(changes)}",) if changes else ()
    changed = scene.with_sheet(character, sheet)
    return changed, (*line, *state_notes(character, sheet, settings))


def state_notes(character: Character, sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    """Sentences for a character who becomes, or stops being, defeated or at risk of death.

    Source: SWARM-ATTR-10, SWARM-ATTR-11 (SWARM-R27).
    """
    before, notes = character.sheet, []
    if is_defeated(sheet, settings) != is_defeated(before, settings):
        is_now = is_defeated(sheet, settings)
        notes.append(
            down(f"{character.name} is {'defeated and demoralised' if is_now else 'no longer defeated'}.")
        )
    if risks_death(sheet, settings) and not risks_death(before, settings):
        notes.append(to_do(f"Star is below 0: {character.name} risks death. GM: you decide what happens."))
    elif risks_death(before, settings) and not risks_death(sheet, settings):
        notes.append(f"{character.name} no longer risks death.")
    return tuple(notes)
