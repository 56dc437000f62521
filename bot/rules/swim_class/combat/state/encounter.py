"""The state of a fight: combatants, their order and actions, and the ground."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import Combatant, FightPlace, InTurn
from bot.rules.swim_class.character.sheet import Character, Reserve, ReserveKind, Scene
from bot.rules.swim_class.character.skills import parent_of
from bot.rules.swim_class.resolution.tables import SkillKey

FULL_ACTION, HALF_ACTION = 2, 1


class SwimCombatant(Combatant):
    """One combatant.

    Attributes:
        values: Their initiative dice, highest first.
        halves_used: Half actions used this turn.
    """

    values: tuple[int, ...] = ()
    halves_used: int = Field(default=0, ge=0, le=FULL_ACTION)


class Gap(Document):
    """The squares between two combatants."""

    one: CharacterId
    other: CharacterId
    squares: int = Field(ge=0)


class Healed(Document):
    """A Healing roll of this round."""

    caster: CharacterId
    target: CharacterId


class SwimEncounter(InTurn[SwimCombatant]):
    """A fight in a channel.

    Attributes:
        terrain: Levels of rough ground, this round's first.
        resistance: The defense bonus against fire from wet ground, this round's first.
        healed: Healing rolls of this round.
        breathing: Who can breathe water this round.
        gaps: The known distances between combatants.
    """

    terrain: tuple[int, ...] = ()
    resistance: tuple[int, ...] = ()
    gaps: tuple[Gap, ...] = ()
    healed: tuple[Healed, ...] = ()
    breathing: tuple[CharacterId, ...] = ()


ENCOUNTERS = FightPlace(SwimEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep


def is_in_combat(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the channel's fight."""
    return ENCOUNTERS.combatant(scene, who) is not None


def spend(scene: Scene, character: Character, halves: int) -> Scene:
    """Spend an action or half action; outside a fight this is free.

    A GM can let anyone act out of turn for free. The raised dead use their caster's action.

    Raises:
        UserError: If it is not their turn, or not enough of it is left.

    Source: SWIM-COMB-16 (SWIM-R58), SWIM-POOL-07, SWIM-MAGIC-19 (SWIM-R107).
    """
    encounter = find_encounter(scene)
    combatant = encounter.combatant(character.sheet.raised_by or character.id) if encounter else None
    if encounter is None or combatant is None or not encounter.has_begun:
        return scene
    if encounter.acting.character != combatant.character:
        if scene.is_gm:
            return scene
        raise UserError(
            f"It is {encounter.acting.name}'s turn, not {combatant.name}'s.",
            "Out of turn you can defend, soak, or use your reserve.",
        )
    left = FULL_ACTION - combatant.halves_used
    if halves > left:
        what = "half an action" if left else "no action"
        raise UserError(
            f"{combatant.name} has {what} left this turn.",
            "A turn is one skill at full dice, or two at half their dice.",
            "End it with /encounter next.",
        )
    spent = evolve(combatant, halves_used=combatant.halves_used + halves)
    return with_encounter(scene, encounter.with_combatant(spent))


def prepared_for(character: Character, skill: SkillKey) -> Reserve | None:
    """The prepared action that matches a roll of a skill, or None.

    Source: SWIM-COMB-14.
    """
    held = character.sheet.states.reserve
    is_meant = held is not None and held.kind is ReserveKind.ACTION
    return held if is_meant and held is not None and parent_of(held.skill) == parent_of(skill) else None
