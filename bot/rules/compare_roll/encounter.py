"""The state of a fight: its combatants, whose turn it is, what each has left of it, cover and burning."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from pydantic import Field

from bot.rules.compare_roll.fortunes import movement
from bot.rules.compare_roll.sheet import Character, Scene, is_standing
from bot.rules.compare_roll.tables import HITS_SEVERAL, REACHES, CompareWeapon, Shape
from bot.rules.kernel import CharacterId, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import Combatant, FightPlace
from bot.rules.shared.encounters import Encounter as Fight

FEET_A_SPACE = 5


class CompareSide(StrEnum):
    """The two sides of a fight; the players always act first. [CMP-COM-03 (CMP-R28)]"""

    PLAYERS = "players"
    OPPONENTS = "opponents"


class CompareCover(StrEnum):
    """How much cover a combatant has. [CMP-COM-06, CMP-COM-07]"""

    NONE = "none"
    HALF = "half"
    FULL = "full"


class CompareCombatant(Combatant):
    """One combatant."""

    side: CompareSide = CompareSide.OPPONENTS  # the side on whose turn they act
    moved: int = Field(default=0, ge=0)  # spaces moved this turn
    has_attacked: bool = False  # whether this turn's attack is used
    is_done: bool = False  # whether they have ended their turn
    cover: CompareCover = CompareCover.NONE
    burn: int = Field(default=0, ge=0)  # rounds they will still burn

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

    [CMP-COM-03, CMP-COM-04]
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
    """Feet as spaces of 5, rounded up. [CMP-COM-01]"""
    return -(-feet // FEET_A_SPACE)


def on_turn(scene: Scene, character: Character, *, force: bool = False) -> CompareCombatant | None:
    """A character's combatant, if it can act now; None where turns do not count. [CMP-COM-03, CMP-COM-04]

    Args:
        force: Whether the GM lets them act anyway.

    Raises:
        UserError: If it is the other side's turn, or theirs has ended.
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
    """Use the one major action of a turn. [CMP-COM-05 (CMP-R29)]

    Raises:
        UserError: If it is already used, or it is not their turn.
    """
    fighter = on_turn(scene, character, force=force)
    if fighter is None:
        return scene
    if fighter.has_attacked:
        raise UserError(
            f"{fighter.name} has already used this turn's attack.",
            "One major action per turn: an attack, item, armor change, or check that affects the fight.",
            "End the turn with its button.",
        )
    return with_fighter(scene, fighter.changed(has_attacked=True))


def spaces_left(scene: Scene, fighter: CompareCombatant) -> int:
    """Spaces that a combatant can still move."""
    character = scene.character(fighter.character)
    return max(0, movement(character.sheet, scene.settings) - fighter.moved)


def can_act(scene: Scene, fighter: CompareCombatant) -> bool:
    """Whether a combatant can act: standing, and still a character of the campaign."""
    character = scene.known(fighter.character)
    return character is not None and is_standing(character)


def turn_line(scene: Scene, fighter: CompareCombatant) -> str:
    """What a combatant has done in its turn: "moved 3/6, attack used"; nothing yet: nothing. [CMP-COM-05]"""
    allowance = movement(scene.character(fighter.character).sheet, scene.settings)
    moved = f"moved {fighter.moved}/{allowance}" if fighter.moved else ""
    return ", ".join(filter(None, (moved, "attack used" if fighter.has_attacked else "")))


MOST_FEET = 5000


def rounded(feet: int) -> int:
    """Feet rounded up to the next 5. [CMP-RNG-06 (CMP-R42)]"""
    return spaces(feet) * FEET_A_SPACE


def in_band(weapon: CompareWeapon, feet: int) -> bool:
    """Whether a distance is within a weapon's range, both ends included.

    [CMP-RNG-01 to CMP-RNG-06 (CMP-R42)]
    """
    reach = REACHES[weapon.distance]
    return reach.nearest <= rounded(feet) <= reach.farthest


def band(weapon: CompareWeapon) -> str:
    """A weapon's range in words: "Room is 10–20 ft"."""
    reach = REACHES[weapon.distance]
    within = f"{reach.nearest}–{reach.farthest} ft" if reach.nearest else f"up to {reach.farthest} ft"
    return f"{weapon.distance} is {within}"


def radius(level: int) -> int:
    """The radius of an explosion in spaces. [CMP-WPN-07 (CMP-R37)]"""
    return 2 * level


def read_feet(text: str) -> tuple[int, ...]:
    """Read distances, separated by commas.

    Raises:
        UserError: If they are not whole numbers of feet.
    """
    parts = [part.strip().removesuffix("ft").strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) <= MOST_FEET for part in parts):
        raise UserError(
            f"“{text.strip()}” isn't a distance.", "Write feet as whole numbers, for example 15, or 5, 20."
        )
    return tuple(int(part) for part in parts)


class CompareAim(Struct, frozen=True):
    """The targets of an attack and their distances."""

    targets: tuple[CharacterId, ...]
    names: tuple[str, ...]
    # Distances: one for all, or one for each; for an explosion first that of its centre, then how far each
    # target is from the centre.
    feet: tuple[int, ...]


def reached(
    weapon: CompareWeapon, level: int, aim: CompareAim
) -> tuple[tuple[CharacterId, ...], tuple[str, ...]]:
    """The targets an attack reaches, and a note about each of the others.

    Raises:
        UserError: If it has too many targets, or reaches none.

    [CMP-WPN-07, CMP-WPN-09 to CMP-WPN-12 (CMP-R39), CMP-RNG-06 (CMP-R42), CMP-EQ-10]
    """
    assert_countable(weapon, aim)
    if not aim.feet:
        return aim.targets, ()
    if weapon.shape is Shape.EXPLOSIVE:
        return _blasted(weapon, level, aim)
    each = aim.feet if len(aim.feet) > 1 else aim.feet * len(aim.targets)
    is_from_here = weapon.shape in {Shape.PIERCING, Shape.ARC}
    farthest = REACHES[weapon.distance].farthest
    kept, notes = [], []
    for target, name, feet in zip(aim.targets, aim.names, each, strict=True):
        if rounded(feet) <= farthest if is_from_here else in_band(weapon, feet):
            kept.append(target)
        else:
            notes.append(f"{name} at {feet} ft is out of range: {band(weapon)}.")
    if not kept:
        raise UserError(" ".join(notes), "Both ends of the range count.", "A GM can force the attack.")
    return tuple(kept), tuple(notes)


def assert_countable(weapon: CompareWeapon, aim: CompareAim) -> None:
    """Raise `UserError` if a weapon cannot hit so many, or distances and targets do not match.

    [CMP-WPN-12]
    """
    if not aim.targets:
        raise UserError("Choose at least one target.", try_this="Separate several with commas.")
    if len(aim.targets) > 1 and not HITS_SEVERAL.get(weapon.shape, False):
        raise UserError(
            f"{weapon.name} hits only one target.", "Piercing, Arc and Explosive weapons hit several."
        )
    wanted = len(aim.targets) + (weapon.shape is Shape.EXPLOSIVE)
    if len(aim.feet) not in {0, 1, wanted}:
        raise UserError(
            f"Distances ({len(aim.feet)}) and targets ({len(aim.targets)}) don't match.",
            "Give one distance for all, or one each; for an explosion, start with its center.",
        )


def _blasted(
    weapon: CompareWeapon, level: int, aim: CompareAim
) -> tuple[tuple[CharacterId, ...], tuple[str, ...]]:
    """The targets of an explosion: its centre is within range, the targets within its radius."""
    point, *away = aim.feet
    if not in_band(weapon, point):
        raise UserError(f"{point} ft is out of range: {band(weapon)}.", try_this="A GM can force the attack.")
    if not away:
        return aim.targets, ()
    kept, notes = [], []
    for target, name, feet in zip(aim.targets, aim.names, away, strict=True):
        if spaces(feet) <= radius(level):
            kept.append(target)
        else:
            notes.append(
                f"{name} is {feet} ft from the explosion: its radius is {radius(level) * FEET_A_SPACE} ft."
            )
    if not kept:
        raise UserError(" ".join(notes))
    return tuple(kept), tuple(notes)
