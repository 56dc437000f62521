"""The end of a session, which brings the Lucky Breaks back, and its start, which sees that they are there."""

from collections.abc import Sequence

from bot.rules.kernel import CharacterId
from bot.rules.rpj.character.lucky_breaks import refreshed
from bot.rules.rpj.character.pockets import begin_months
from bot.rules.rpj.character.sheet import HookResult, Scene
from bot.rules.rpj.checks.scene_details import close_details
from bot.rules.rpj.module.settings import module_in


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> HookResult:
    """Give everybody their Lucky Breaks, no more and no fewer; tell which skills nobody learns now.

    They are back since the last session ended; what a session brings may have changed since.

    Source: RPJ-LUCK-01 (R-018, R-018a, R-019), RPJ-GM-08, RPJ-CHAR-16.
    """
    settings = scene.settings
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    notes = (f"Nobody learns {', '.join(blocked)} here and now.",) if blocked else ()
    return HookResult(scene=scene, notes=notes)


def arrive(scene: Scene, newcomer: CharacterId) -> HookResult:
    """Give somebody who comes in the middle of a session all their Lucky Breaks.

    Source: RPJ-LUCK-01 (R-131).
    """
    character = refreshed(scene.character(newcomer), module_in(scene.settings))
    return HookResult(scene=begin_months(scene.with_character(character), newcomer))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> HookResult:
    """Give everybody their Lucky Breaks back.

    Wounds, losses for good and long countdowns stay.

    Source: RPJ-GM-08, RPJ-LUCK-01 (R-018, R-018a), RPJ-ATTR-07, RPJ-CHAR-15.
    """
    module = module_in(scene.settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = scene.with_character(refreshed(character, module))
    scene, details = close_details(scene)
    return HookResult(scene=scene, notes=details)
