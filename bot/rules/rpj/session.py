"""The start of a session, which brings Lucky Breaks, and its end, which only tells what was spent."""

from collections.abc import Sequence

from bot.rules.rpj.luck import lucky_breaks_left, refreshed
from bot.rules.rpj.luck_details import close_details
from bot.rules.rpj.money.pockets import begin_months
from bot.rules.rpj.people import figure_in
from bot.rules.rpj.settings import module_in, settings_of
from bot.rules.ruleset import CharacterId, Scene, Turning

AWARD = "The GM awards character points with /gm award; 2 to 4 each are usual."


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> Turning:
    """Give everybody their Lucky Breaks, no more and no fewer; tell which skills nobody learns now.

    Source: RPJ-LUCK-01 (R-018, R-019), RPJ-GM-08, RPJ-CHAR-16.
    """
    settings = settings_of(scene)
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    notes = (f"Nobody learns {', '.join(blocked)} here and now.",) if blocked else ()
    return Turning(scene=scene, notes=notes)


def arrive(scene: Scene, newcomer: CharacterId) -> Turning:
    """Give somebody who comes in the middle of a session all their Lucky Breaks.

    Source: RPJ-LUCK-01 (R-131).
    """
    character = refreshed(scene.character(newcomer), module_in(settings_of(scene)))
    return Turning(scene=begin_months(scene.with_character(character), newcomer))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> Turning:
    """Tell how many Lucky Breaks everybody has spent, and that it is time for character points.

    The Lucky Breaks come back when the next session starts.

    Source: RPJ-GM-08, RPJ-LUCK-01 (R-018), RPJ-ATTR-07, RPJ-CHAR-15.
    """
    spent = []
    for character in (scene.character(id_) for id_ in characters):
        most, left = figure_in(scene, character).lucky_breaks, lucky_breaks_left(character)
        if character.owner is not None and left < most:
            spent.append(f"{character.name} {most - left} of {most}")
    told = (f"Lucky Breaks spent: {' · '.join(spent)}.",) if spent else ()
    scene, details = close_details(scene)
    return Turning(scene=scene, notes=(*told, *details, AWARD))
