"""The start of a session, which brings Lucky Breaks, and its end, which only tells what was spent."""

from collections.abc import Sequence

from bot.rules.rpj.agreeing import agree_button, held, is_held
from bot.rules.rpj.luck import lucky_breaks_left, refreshed
from bot.rules.rpj.luck_details import close_details
from bot.rules.rpj.money.pockets import begin_months
from bot.rules.rpj.people import figure_in
from bot.rules.rpj.settings import module_in, settings_of
from bot.rules.ruleset import CharacterId, Scene, Turning


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> Turning:
    """Give everybody their Lucky Breaks, no more and no fewer; tell which skills nobody learns now.

    Source: RPJ-LUCK-01 (R-018, R-019), RPJ-GM-08, RPJ-CHAR-12, RPJ-CHAR-16.
    """
    settings = settings_of(scene)
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    told = [f"Nobody learns {', '.join(blocked)} here and now."] if blocked else []
    waiting = [one for one in (scene.character(id_) for id_ in characters) if is_held(scene, one)]
    told += [f"{one.name} is played when the GM has agreed." for one in waiting]
    return Turning(scene=scene, notes=tuple(told), follow_ups=tuple(agree_button(one) for one in waiting))


def arrive(scene: Scene, newcomer: CharacterId) -> Turning:
    """Give somebody who comes in the middle of a session all their Lucky Breaks.

    Source: RPJ-LUCK-01 (R-131), RPJ-CHAR-12.
    """
    scene = held(scene, newcomer)
    character = refreshed(scene.character(newcomer), module_in(settings_of(scene)))
    scene = begin_months(scene.with_character(character), newcomer)
    if not is_held(scene, character):
        return Turning(scene=scene)
    told = (f"{character.name} is played when the GM has agreed.",)
    return Turning(scene=scene, notes=told, follow_ups=(agree_button(character),))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> Turning:
    """Tell how many Lucky Breaks everybody has spent; they come back when the next session starts.

    Source: RPJ-GM-08, RPJ-LUCK-01 (R-018), RPJ-ATTR-07.
    """
    spent = []
    for character in (scene.character(id_) for id_ in characters):
        most, left = figure_in(scene, character).lucky_breaks, lucky_breaks_left(character)
        if character.owner is not None and left < most:
            spent.append(f"{character.name} {most - left} of {most}")
    told = (f"Lucky Breaks spent: {' · '.join(spent)}.",) if spent else ()
    scene, details = close_details(scene)
    return Turning(scene=scene, notes=(*told, *details))
