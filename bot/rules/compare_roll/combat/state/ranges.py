"""Distances: the ranges of weapons, and whom an attack reaches."""

from dataclasses import dataclass

from bot.rules.compare_roll.combat.state.encounter import FEET_A_SPACE, spaces
from bot.rules.compare_roll.resolution.tables import HITS_SEVERAL, REACHES, CompareWeapon, Shape
from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError

MOST_FEET = 5000


def rounded(feet: int) -> int:
    """Feet rounded up to the next 5.

    Source: CMP-RNG-06 (CMP-R42).
    """
    return spaces(feet) * FEET_A_SPACE


def in_band(weapon: CompareWeapon, feet: int) -> bool:
    """Whether a distance is within a weapon's range, both ends included.

    Source: CMP-RNG-01 to CMP-RNG-06 (CMP-R42).
    """
    reach = REACHES[weapon.distance]
    return reach.nearest <= rounded(feet) <= reach.farthest


def band(weapon: CompareWeapon) -> str:
    """A weapon's range in words: "Room is 10–20 ft"."""
    reach = REACHES[weapon.distance]
    within = f"{reach.nearest}–{reach.farthest} ft" if reach.nearest else f"up to {reach.farthest} ft"
    return f"{weapon.distance} is {within}"


def radius(level: int) -> int:
    """The radius of an explosion in spaces.

    Source: CMP-WPN-07 (CMP-R37).
    """
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


@dataclass(frozen=True, slots=True)
class CompareAim:
    """The targets of an attack and their distances.

    Attributes:
        targets: The targets.
        names: Their names.
        feet: Distances: one for all, or one for each; for an explosion first that of its centre, then how
            far each target is from the centre.
    """

    targets: tuple[CharacterId, ...]
    names: tuple[str, ...]
    feet: tuple[int, ...]


def reached(
    weapon: CompareWeapon, level: int, aim: CompareAim
) -> tuple[tuple[CharacterId, ...], tuple[str, ...]]:
    """The targets an attack reaches, and a note about each of the others.

    Raises:
        UserError: If it has too many targets, or reaches none.

    Source: CMP-WPN-07, CMP-WPN-09 to CMP-WPN-12 (CMP-R39), CMP-RNG-06 (CMP-R42), CMP-EQ-10.
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

    Source: CMP-WPN-12.
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
            "Give one distance for all, or one each; for an explosion, start with its centre.",
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
