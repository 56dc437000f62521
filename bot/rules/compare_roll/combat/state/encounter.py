"""An encounter: who takes part, whose turn it is, what each has left of it, cover and fire."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from bot.rules.compare_roll.character.fortunes import movement
from bot.rules.compare_roll.character.sheet import Character, Scene
from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import Combatant, FightPlace
from bot.rules.shared.encounters import Encounter as Fight

FEET_A_SPACE = 5


class CompareSide(StrEnum):
    """The two turns of a round; players always come first.

    Source: CMP-COM-03 (CMP-R28).
    """

    PLAYERS = "players"
    OPPONENTS = "opponents"


class CompareCover(StrEnum):
    """How much of somebody is hidden.

    Source: CMP-COM-06, CMP-COM-07.
    """

    NONE = "none"
    HALF = "half"
    FULL = "full"


class CompareCombatant(Combatant):
    """One participant.

    Attributes:
        side: On whose turn they act.
        moved: Spaces moved this turn.
        has_attacked: Whether the attack of this turn is used.
        is_done: Whether they have ended their turn.
        cover: What hides them.
        burn: Rounds they still burn.
    """

    side: CompareSide = CompareSide.OPPONENTS
    moved: int = Field(default=0, ge=0)
    has_attacked: bool = False
    is_done: bool = False
    cover: CompareCover = CompareCover.NONE
    burn: int = Field(default=0, ge=0)

    def fresh(self) -> "CompareCombatant":
        """The same participant at the start of their side's turn."""
        return self.changed(moved=0, has_attacked=False, is_done=False)

    def changed(self, **changes: object) -> "CompareCombatant":
        """The same participant with some fields changed."""
        return self.model_copy(update=changes)


class CompareEncounter(Fight[CompareCombatant]):
    """A fight in a channel, and which side is on; its members act in any order.

    Source: CMP-COM-03, CMP-COM-04.
    """

    side: CompareSide = CompareSide.PLAYERS

    @property
    def turn_key(self) -> str:
        """A text that is another one in every turn."""
        return f"{self.round}/{self.side}"

    def is_on(self, character: CharacterId) -> bool:
        """Whether a participant may act now."""
        fighter = self.combatant(character) if self.has_begun else None
        return fighter is not None and fighter.side is self.side and not fighter.is_done

    def waiting(self) -> Iterable[CompareCombatant]:
        """Who is on and has not ended their turn."""
        return (one for one in self.shown if self.is_on(one.character))


ENCOUNTERS = FightPlace(CompareEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep


def find_fighter(scene: Scene, who: CharacterId) -> CompareCombatant | None:
    """A character's place in the encounter of the channel, or None."""
    encounter = find_encounter(scene)
    return encounter.combatant(who) if encounter else None


def with_fighter(scene: Scene, fighter: CompareCombatant) -> Scene:
    """The same scene with one participant changed."""
    return with_encounter(scene, the_encounter(scene).with_combatant(fighter))


def cover_of(scene: Scene, who: CharacterId) -> CompareCover:
    """What hides a character."""
    fighter = find_fighter(scene, who)
    return fighter.cover if fighter else CompareCover.NONE


def spaces(feet: int) -> int:
    """Feet as spaces of 5, rounded up.

    Source: CMP-COM-01.
    """
    return -(-feet // FEET_A_SPACE)


def on_turn(scene: Scene, character: Character, *, force: bool = False) -> CompareCombatant | None:
    """A character's place in the encounter, if it may act now; None where nothing counts turns.

    Args:
        scene: The scene.
        character: Who.
        force: Whether the GM lets them act all the same.

    Raises:
        UserError: If it is the other side's turn, or theirs is over.

    Source: CMP-COM-03, CMP-COM-04.
    """
    encounter = find_encounter(scene)
    fighter = encounter.combatant(character.id) if encounter else None
    if encounter is None or fighter is None or force or not encounter.has_begun:
        return None
    if fighter.side is not encounter.side:
        raise UserError(
            f"It is the {encounter.side}’ turn.",
            "Out of turn one may defend, counter, talk and burn High.",
            "A GM passes the turn on with /encounter next.",
        )
    if fighter.is_done:
        raise UserError(f"{fighter.name}’s turn is over.", "Everybody acts once a round.")
    return fighter


def spend_attack(scene: Scene, character: Character, *, force: bool = False) -> Scene:
    """Use up the one significant act of a turn.

    Raises:
        UserError: If it is used, or it is not their turn.

    Source: CMP-COM-05 (CMP-R29).
    """
    fighter = on_turn(scene, character, force=force)
    if fighter is None:
        return scene
    if fighter.has_attacked:
        raise UserError(
            f"{fighter.name} has used the attack of this turn.",
            "One attack, item, change of armour or telling check a turn.",
            "End the turn with /compare done.",
        )
    return with_fighter(scene, fighter.changed(has_attacked=True))


def spaces_left(scene: Scene, fighter: CompareCombatant) -> int:
    """Spaces that a participant can still move."""
    character = scene.character(fighter.character)
    return max(0, movement(character.sheet, scene.settings) - fighter.moved)


def turn_line(scene: Scene, fighter: CompareCombatant) -> str:
    """What a participant has left of the turn: "moved 3/6, attack available".

    Source: CMP-COM-05.
    """
    allowance = movement(scene.character(fighter.character).sheet, scene.settings)
    attack = "attack used" if fighter.has_attacked else "attack available"
    return f"moved {fighter.moved}/{allowance}, {attack}"
