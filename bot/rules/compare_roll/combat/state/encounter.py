"""The state of a fight: its combatants, whose turn it is, what each has left of it, cover and burning."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from bot.rules.compare_roll.character.fortunes import movement
from bot.rules.compare_roll.character.sheet import Character, Scene
from bot.rules.kernel import CharacterId, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import Combatant, FightPlace
from bot.rules.shared.encounters import Encounter as Fight

FEET_A_SPACE = 5


class CompareSide(StrEnum):
    """The two sides of a fight; the players always act first.

    Source: CMP-COM-03 (CMP-R28).
    """

    PLAYERS = "players"
    OPPONENTS = "opponents"


class CompareCover(StrEnum):
    """How much cover a combatant has.

    Source: CMP-COM-06, CMP-COM-07.
    """

    NONE = "none"
    HALF = "half"
    FULL = "full"


class CompareCombatant(Combatant):
    """One combatant.

    Attributes:
        side: The side on whose turn they act.
        moved: Spaces moved this turn.
        has_attacked: Whether this turn's attack is used.
        is_done: Whether they have ended their turn.
        cover: Their cover.
        burn: Rounds they will still burn.
    """

    side: CompareSide = CompareSide.OPPONENTS
    moved: int = Field(default=0, ge=0)
    has_attacked: bool = False
    is_done: bool = False
    cover: CompareCover = CompareCover.NONE
    burn: int = Field(default=0, ge=0)

    @property
    def is_foe(self) -> bool:
        """Whether they act on the opponents' turn."""
        return self.side is CompareSide.OPPONENTS

    def fresh(self) -> "CompareCombatant":
        """Return the combatant at the start of their side's turn."""
        return self.changed(moved=0, has_attacked=False, is_done=False)

    def changed(self, **changes: object) -> "CompareCombatant":
        """Return the combatant with some fields changed."""
        return evolve(self, **changes)


class CompareEncounter(Fight[CompareCombatant]):
    """A fight in a channel, and whose turn it is; the members of a side act in any order.

    Source: CMP-COM-03, CMP-COM-04.
    """

    side: CompareSide = CompareSide.PLAYERS

    @property
    def turn_key(self) -> str:
        """A text that differs from turn to turn."""
        return f"{self.round}/{self.side}"

    def is_on(self, character: CharacterId) -> bool:
        """Whether a combatant can act now."""
        fighter = self.combatant(character) if self.has_begun else None
        return fighter is not None and fighter.side is self.side and not fighter.is_done

    def waiting(self) -> Iterable[CompareCombatant]:
        """The combatants who have not ended their turn."""
        return (one for one in self.shown if self.is_on(one.character))


ENCOUNTERS = FightPlace(CompareEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep
find_fighter = ENCOUNTERS.combatant


def with_fighter(scene: Scene, fighter: CompareCombatant) -> Scene:
    """Return the scene with one combatant replaced."""
    return with_encounter(scene, the_encounter(scene).with_combatant(fighter))


def cover_of(scene: Scene, who: CharacterId) -> CompareCover:
    """A character's cover in the channel's fight."""
    fighter = find_fighter(scene, who)
    return fighter.cover if fighter else CompareCover.NONE


def spaces(feet: int) -> int:
    """Feet as spaces of 5, rounded up.

    Source: CMP-COM-01.
    """
    return -(-feet // FEET_A_SPACE)


def on_turn(scene: Scene, character: Character, *, force: bool = False) -> CompareCombatant | None:
    """A character's combatant, if it can act now; None where turns do not count.

    Args:
        scene: The scene.
        character: The character.
        force: Whether the GM lets them act anyway.

    Raises:
        UserError: If it is the other side's turn, or theirs has ended.

    Source: CMP-COM-03, CMP-COM-04.
    """
    encounter = find_encounter(scene)
    fighter = encounter.combatant(character.id) if encounter else None
    if encounter is None or fighter is None or force or not encounter.has_begun:
        return None
    if fighter.side is not encounter.side:
        raise UserError(
            f"It is the {encounter.side}' turn.",
            "Out of turn you can defend, counter, talk and burn High.",
            "A GM passes the turn with /encounter next.",
        )
    if fighter.is_done:
        raise UserError(f"{fighter.name}'s turn is over.", "Everyone acts once per round.")
    return fighter


def spend_attack(scene: Scene, character: Character, *, force: bool = False) -> Scene:
    """Use the one major action of a turn.

    Raises:
        UserError: If it is already used, or it is not their turn.

    Source: CMP-COM-05 (CMP-R29).
    """
    fighter = on_turn(scene, character, force=force)
    if fighter is None:
        return scene
    if fighter.has_attacked:
        raise UserError(
            f"{fighter.name} has already used this turn's attack.",
            "One major action per turn: an attack, item, armour change, or check that affects the fight.",
            "End the turn with /compare done.",
        )
    return with_fighter(scene, fighter.changed(has_attacked=True))


def spaces_left(scene: Scene, fighter: CompareCombatant) -> int:
    """Spaces that a combatant can still move."""
    character = scene.character(fighter.character)
    return max(0, movement(character.sheet, scene.settings) - fighter.moved)


def turn_line(scene: Scene, fighter: CompareCombatant) -> str:
    """What a combatant has left of the turn: "moved 3/6, attack available".

    Source: CMP-COM-05.
    """
    allowance = movement(scene.character(fighter.character).sheet, scene.settings)
    attack = "attack used" if fighter.has_attacked else "attack available"
    return f"moved {fighter.moved}/{allowance}, {attack}"
