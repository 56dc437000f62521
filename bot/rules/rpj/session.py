"""The end of a session: nothing is reset; what was spent is told."""

from collections.abc import Sequence

from bot.rules.rpj.luck import lucky_breaks_left
from bot.rules.rpj.people import figure_in
from bot.rules.ruleset import CharacterId, Scene, Turning


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> Turning:
    """Tell how many Lucky Breaks everybody has spent; they come back when the next session starts.

    Source: RPJ-GM-08, RPJ-LUCK-01 (R-018).
    """
    spent = []
    for character in (scene.character(id_) for id_ in characters):
        most, left = figure_in(scene, character).lucky_breaks, lucky_breaks_left(character)
        if character.owner is not None and left < most:
            spent.append(f"{character.name} {most - left} of {most}")
    notes = (f"Lucky Breaks spent: {' · '.join(spent)}.",) if spent else ()
    return Turning(scene=scene, notes=notes)
