"""Joining a fight."""

from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.combat.rules.arms import first_in_hand
from bot.rules.rpj.combat.rules.ending import saves_lost
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind, Side, fighter_id


def new_combatant(scene: Scene, character: Character) -> RpjCombatant:
    """A new combatant: player characters on one side, NPCs on the other.

    Source: RPJ-GCS-04, RPJ-GCS-20.
    """
    mook = character.sheet.mook
    is_players = character.owner is not None
    kind = RpjKind.MOOK if mook else RpjKind.PLAYER if is_players else RpjKind.NPC
    return RpjCombatant(
        id=fighter_id(character.id),
        character=character.id,
        name=character.name,
        kind=kind,
        side=Side.PLAYERS if is_players else Side.FOES,
        wielded=() if mook else first_in_hand(figure_in(scene, character)),
        mook=mook,
        saves_lost=saves_lost(figure_in(scene, character)),
    )
