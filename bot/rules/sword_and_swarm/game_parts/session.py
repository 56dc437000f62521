"""The end of a session."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import AwardRule, CharacterId, Growth, evolve, grown
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import down
from bot.rules.kernel.wording import counted, shown_number
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import (
    Character,
    HookResult,
    Scene,
    SwarmSheet,
    actual,
    base_of,
    is_defeated,
    risks_death,
)
from bot.rules.sword_and_swarm.combat.encounter import SwarmEncounter
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute


def _more_levels(sheet: SwarmSheet, levels: int) -> SwarmSheet:
    if sheet.level + levels < 0:
        raise UserError(f"You can't take {counted(-levels, 'level')}: level {sheet.level} is all there is.")
    return evolve(sheet, level=sheet.level + levels)


# SWARM-CHAR-01
AWARDS = (AwardRule(key="levels", title="Levels", give=_more_levels, usual=(1,), unit="level"),)


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """End all fights; nothing else changes.

    Defeated characters stay defeated and are listed.

    Source: SWARM-ATTR-10, SWARM-ATTR-11.
    """
    for key in documents:
        found = scene.document(key)
        if isinstance(found, SwarmEncounter):
            scene = scene.with_document(key, None)
    return HookResult(scene=scene, notes=_defeated(scene, characters))


def _defeated(scene: Scene, characters: Sequence[CharacterId]) -> tuple[str, ...]:
    settings, notes = scene.settings, []
    for character in (scene.character(id_) for id_ in characters):
        sheet = character.sheet
        if is_defeated(sheet, settings):
            star = shown_number(actual(sheet, SwarmAttribute.STAR, settings))
            risk = " and risks death" if risks_death(sheet, settings) else ""
            notes.append(down(f"{character.name} is defeated{risk} (Star {star})."))
    return tuple(notes)


def growth(before: SwarmSheet, after: SwarmSheet, settings: SwarmSettings) -> Iterator[Growth]:
    """Return the level, attributes and proficiencies that rose.

    Source: SWARM-CHAR-01.
    """
    yield from grown("level", before.level, after.level)
    for one in SwarmAttribute:
        yield from grown(one.value, base_of(before, one, settings), base_of(after, one, settings))
    for name, ranks in after.proficiencies.items():
        yield from grown(name, before.proficiencies.get(name, 0), ranks)


def is_down(character: Character, settings: SwarmSettings) -> bool:
    """Whether a character is defeated.

    Source: SWARM-ATTR-10.
    """
    return is_defeated(character.sheet, settings)
