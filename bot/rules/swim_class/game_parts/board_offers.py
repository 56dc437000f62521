"""What the board of a fight offers whoever's turn it is: what their sheet offers, the best first."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.rules.kernel import FollowUp, Procedure
from bot.rules.kernel.acts import Act
from bot.rules.shared.encounters import find_character, next_buttons
from bot.rules.shared.offering import Offering
from bot.rules.swim_class.character.sheet import Scene, book, rank_of
from bot.rules.swim_class.combat.commands.attacks import GrappleOptions, SwimAttackOptions
from bot.rules.swim_class.combat.commands.board import FIGHTS, can_act, turn_buttons
from bot.rules.swim_class.combat.state.encounter import ENCOUNTERS
from bot.rules.swim_class.game_parts.acts_fights import attacks, letting_go, readied
from bot.rules.swim_class.game_parts.acts_magic import magic_acts
from bot.rules.swim_class.game_parts.acts_rolls import escapes, moves, rollable
from bot.rules.swim_class.magic.spell_casting import SwimCastOptions
from bot.rules.swim_class.movement.movement import MoveGround
from bot.rules.swim_class.resolution.tables import SPELLS, SkillKey

MOST_MENUS = 5
WITH_OTHERS = ("grapple", "brawn")  # skills beside those of attacks that the board offers
USUAL_WAYS = (MoveGround.WALK, MoveGround.FLIGHT)  # most fights never need the others; the sheet has them
ON_BUTTONS = ("trigger", "escape", "release", "stand", "move")  # what the board has as buttons, in this order


def board_offers(scene: Scene, procedures: Mapping[str, Procedure]) -> tuple[FollowUp, ...]:
    """The menus and buttons for the current combatant.

    Args:
        scene: The scene.
        procedures: The procedures of the ruleset.

    Source: SWIM-COMB-16 (SWIM-R58), SWIM-POOL-07.
    """
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    combatant = encounter.current
    character = None if combatant is None else find_character(scene, combatant.character)
    if combatant is None or character is None:
        return next_buttons(FIGHTS, scene)
    acting = replace(scene, actor_id=character.id)
    offering = Offering(acting, procedures)
    acts = _turn_acts(acting, offering) if can_act(scene, combatant) else letting_go(acting, offering)
    return (*(act.do for act in acts), *turn_buttons(scene, combatant))


def _turn_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What the acting character can do with an action: at others with the best skills, then the rest."""
    skills = book(scene)
    pools = rollable(scene, lambda key: key in WITH_OTHERS or bool(skills.definition(key).attacks))
    found = (
        *attacks(scene, offering, pools),
        *letting_go(scene, offering),
        *readied(scene, offering),
        *magic_acts(scene, offering),
        *moves(scene, offering, USUAL_WAYS),
        *escapes(scene, offering, pools),
    )
    possible = [act for act in found if not act.why_not]
    aimed = [act for act in possible if act.do.choices and _skill_of(act)]
    yield from sorted(aimed, key=lambda act: -rank_of(scene, scene.actor, _skill_of(act)))[:MOST_MENUS]
    for procedure in ON_BUTTONS:
        yield from (act for act in possible if act.do.procedure == procedure and not _is_rare(act))


def _is_rare(act: Act) -> bool:
    """Whether an act asks for something; the sheet has it."""
    return bool(act.do.choices or act.do.blanks)


def _skill_of(act: Act) -> SkillKey:
    """The skill with which an act is done to somebody else; nothing for other acts."""
    match act.do.options:
        case SwimAttackOptions(skill=skill):
            return skill
        case SwimCastOptions(spell=spell, corpse=None):
            return SPELLS[spell].form
        case GrappleOptions():
            return "grapple"
    return ""
