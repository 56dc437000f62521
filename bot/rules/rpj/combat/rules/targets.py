"""Ranged attacks: roll modifiers, and the target number with its parts."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel import NamedTerm
from bot.rules.rpj.combat.state.cover import RpjCover, best_bonus
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.resolution.inputs import COVER, COWERING

RANGED_PENALTY = -2
HELPLESS = -2
AIMED = 1


class Shooting(StrEnum):
    """The kind of shot.

    Source: RPJ-FIRE-21, RPJ-FIRE-23, RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-29.
    """

    PLAIN = "plain"
    AIMED = "aimed"
    SUPPRESSIVE = "suppressive"
    AT_MOVER = "at a suppressed mover"
    AT_CAUTIOUS = "at a cautious mover"
    OVERWATCH = "overwatch"

    @property
    def words(self) -> str:
        """Its words in a sentence."""
        return "on overwatch" if self is Shooting.OVERWATCH else "target moved under fire"

    @property
    def ignores_cover(self) -> bool:
        """Whether it ignores cover."""
        return self not in (Shooting.PLAIN, Shooting.AIMED)


def halved(modifier: int) -> int:
    """A modifier halved, rounded down; one that is 0 or less stays as it is.

    Source: RPJ-FIRE-23 (FIRE-23a), RPJ-FIRE-24, RPJ-FIRE-29.
    """
    return modifier // 2 if modifier > 0 else modifier


def ranged_defense(skill: int, dexterity: int) -> int:
    """The ranged defense modifier.

    Args:
        skill: Base level of the dodging or armour-using skill that was chosen.
        dexterity: Dexterity bonus.

    Source: RPJ-FIRE-09 (FIRE-09a).
    """
    return skill + dexterity + RANGED_PENALTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Posture:
    """A combatant's situation against ranged attacks.

    Attributes:
        modifier: Their ranged defence modifier; a mook's value less 7.
        covers: The covers of their group.
        is_reoriented: Whether they face the other way.
        is_cowering: Whether they cower.
        is_helpless: Whether they are unconscious or cannot move.
        agile: What traits add out of cover.
        other: Other changes of the defence value, by name: loads, conditions.
        scale: The highest scale among their unbroken layers.
    """

    modifier: int
    covers: tuple[RpjCover, ...] = ()
    is_reoriented: bool = False
    is_cowering: bool = False
    is_helpless: bool = False
    agile: int = 0
    other: tuple[NamedTerm, ...] = ()
    scale: Scale = Scale.NORMAL

    def bonus(self, distance: int) -> int:
        """The cover bonus against an attacker at a distance."""
        return best_bonus(
            self.covers,
            distance,
            is_reoriented=self.is_reoriented,
            is_cowering=self.is_cowering,
            scale=self.scale,
        )


def target_parts(
    posture: Posture, distance: int, *, is_suppressive: bool = False, ignores_cover: bool = False
) -> tuple[NamedTerm, ...]:
    """The parts of a ranged attack's target number besides 7.

    Args:
        posture: Whoever is shot at.
        distance: In regions; -1 for one's own group.
        is_suppressive: Whether it is Suppressive Fire, which halves the modifier and passes cover by.
        ignores_cover: Whether it passes cover by otherwise: overwatch, or a shot at somebody suppressed.

    Source: RPJ-FIRE-34 (FIRE-34a), RPJ-FIRE-09, RPJ-FIRE-13, RPJ-FIRE-15 (FIRE-15a).
    """
    modifier = posture.modifier
    if posture.is_helpless and not any(cover.is_good for cover in posture.covers):
        modifier = min(modifier, HELPLESS)
    if is_suppressive:
        modifier = halved(modifier)
    covered = 0 if is_suppressive or ignores_cover else posture.bonus(distance)
    named = (
        NamedTerm(label="ranged defense", value=modifier),
        NamedTerm(label="agile", value=0 if posture.covers else posture.agile),
        *posture.other,
        NamedTerm(label=COWERING if posture.is_cowering else COVER, value=covered),
    )
    return tuple(part for part in named if part.value)
