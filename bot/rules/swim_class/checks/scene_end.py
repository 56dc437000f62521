"""The end of a scene: clear what lasts only until then."""

from collections.abc import Iterable

from bot.rules.kernel import CharacterId, evolve
from bot.rules.swim_class.character.sheet import Scene, States
from bot.rules.swim_class.checks.helping import pledges_key
from bot.rules.swim_class.checks.parts import parts_key
from bot.rules.swim_class.checks.unopposed_roll import buildup_key


def end_scene(scene: Scene, characters: Iterable[CharacterId]) -> Scene:
    """Clear everything about some characters that ends with the scene.

    Source: SWIM-REST-01, SWIM-REST-02.
    """
    for who in characters:
        character = scene.character(who)
        sheet = character.sheet
        if sheet.states != States():
            scene = scene.with_sheet(character, evolve(sheet, states=States()))
        for key in (buildup_key(who), parts_key(who), pledges_key(who)):
            if scene.document(key) is not None:
                scene = scene.with_document(key, None)
    return scene
