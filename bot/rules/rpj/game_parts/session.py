"""Session start and end, which refresh the Lucky Breaks."""

from collections.abc import Sequence

from bot.rules.kernel import CharacterId
from bot.rules.rpj.character.lucky_breaks import refreshed
from bot.rules.rpj.character.pockets import begin_months
from bot.rules.rpj.character.sheet import HookResult, Scene
from bot.rules.rpj.checks.scene_details import close_details
from bot.rules.rpj.module.settings import module_in


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> HookResult:
    """Refresh everyone's Lucky Breaks, and list blocked skills.

    They were refreshed when the last session ended, but their maximum may have changed since.

    Source: RPJ-LUCK-01 (R-018, R-018a, R-019), RPJ-GM-08, RPJ-CHAR-16.
    """
    settings = scene.settings
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    notes = (f"Can't be learned for now: {', '.join(blocked)}.",) if blocked else ()
    return HookResult(scene=scene, notes=notes)


def arrive(scene: Scene, newcomer: CharacterId) -> HookResult:
    """Refresh the Lucky Breaks of a character who joins during a session.

    Source: RPJ-LUCK-01 (R-131).
    """
    character = refreshed(scene.character(newcomer), module_in(scene.settings))
    return HookResult(scene=begin_months(scene.with_character(character), newcomer))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> HookResult:
    """Refresh everyone's Lucky Breaks.

    Wounds, permanent losses and long countdowns stay.

    Source: RPJ-GM-08, RPJ-LUCK-01 (R-018, R-018a), RPJ-ATTR-07, RPJ-CHAR-15.
    """
    module = module_in(scene.settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = scene.with_character(refreshed(character, module))
    scene, details = close_details(scene)
    return HookResult(scene=scene, notes=details)
