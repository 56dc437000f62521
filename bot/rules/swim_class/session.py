"""The end of a session."""

from collections.abc import Sequence

from bot.rules.ruleset import CharacterId, Scene, Turning
from bot.rules.swim_class.resources import SCRATCHES
from bot.rules.swim_class.scenes import end_scene
from bot.rules.swim_class.tasks import Task

VOLATILE = ("encounter/", "buildup/", "parts/", "pledges/", "healing/", "ground/")


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> Turning:
    """Put back what a session's end puts back: Composure without a roll, and all that ends with a scene.

    Wounds, dying, ranks, goods, long tasks and rolls that nobody has stood against yet stay.

    Source: SWIM-REST-01 (SWIM-R112).
    """
    scene = end_scene(scene, characters)
    for who in characters:
        character = scene.character(who)
        if character.resources.get(SCRATCHES, 0):
            scene = scene.with_character(character.with_resource(SCRATCHES, 0))
    for key in documents:
        found = scene.document(key)
        is_short = isinstance(found, Task) and found.is_open and not found.is_long
        if key.startswith(VOLATILE) or is_short:
            scene = scene.with_document(key, None)
    return Turning(scene=scene)
