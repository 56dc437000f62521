"""Actions on a turn: one without a penalty, several with a growing one."""

from bot.rules.kernel import NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.scene import Character, Scene
from bot.rules.post_magic_maid.combat.state.encounter import (
    MaidCombatant,
    MaidEncounter,
    find_encounter,
    with_encounter,
)

PENALTY_STEP = 5
MOST_ACTIONS = 10


def action_penalty(number: int, declared: int) -> int:
    """The penalty of action *number* among the declared actions: 5, 10, 15 ...

    Source: PMM-ACT-01, PMM-ACT-02.
    """
    return PENALTY_STEP * number if declared > 1 else 0


def spend_action(scene: Scene, character: Character) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend one of a character's actions, if an encounter counts them.

    Outside an encounter, and for whoever takes no part in it, actions are free. A GM may have anybody
    act out of turn; that takes no action either.

    Returns:
        The scene afterwards, and the penalty as a term or nothing.

    Raises:
        UserError: If it is not their turn, or no action is left.

    Source: PMM-ACT-01, PMM-ACT-02 (PMM-R30: an action that was not declared is refused).
    """
    encounter = find_encounter(scene)
    combatant = encounter.combatant(character.id) if encounter else None
    if encounter is None or combatant is None:
        return scene, ()
    if not encounter.is_turn_of(character.id):
        if scene.is_gm:
            return scene, ()
        raise _not_on_turn(encounter, character)
    return take_action(scene, evolve(encounter, chooser=None), combatant)


def take_action(
    scene: Scene, encounter: MaidEncounter, combatant: MaidCombatant
) -> tuple[Scene, tuple[NamedTerm, ...]]:
    """Spend one of a combatant's actions, whoever's turn it is.

    Raises:
        UserError: If none is left this round.
    """
    if combatant.has_acted:
        raise UserError(
            f"{combatant.name} has no action left this round.",
            "Declare several actions with /maid act before your first one.",
            "End the turn with /encounter next."
            if encounter.has_begun
            else "Draw cards with /encounter next.",
        )
    number = combatant.actions_used + 1
    declared = max(1, combatant.actions_declared)
    acted = evolve(combatant, actions_used=number, actions_declared=declared)
    penalty = action_penalty(number, declared)
    terms = (NamedTerm(label=f"action ({number} of {declared})", value=-penalty),) if penalty else ()
    return with_encounter(scene, encounter.with_combatant(acted)), terms


def _not_on_turn(encounter: MaidEncounter, character: Character) -> UserError:
    if encounter.current is None:
        return UserError(
            "The cards for this encounter are not drawn yet.",
            "Until then only a starter whom nobody interrupts can act, once.",
            "Draw them with /encounter next.",
        )
    return UserError(
        f"It is {encounter.current.name}'s turn, not {character.name}'s.",
        "Out of turn you can assist, defend, roll in a contest, and answer a check the GM called for.",
    )
