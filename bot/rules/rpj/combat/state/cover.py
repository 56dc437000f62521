"""Cover: its bonus by distance, and destroying it."""

import re

from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.resolution.criticals import CriticalRules
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs

ADJACENT = -1
GOOD_QUALITY = 3
USUAL_QUALITIES = range(1, 7)
GIGA_TARGET, MEGA_TARGET = 6, 10
_NOTATION = re.compile(r"\s*\+?(?P<quality>\d{1,2})\s*/\s*(?P<flank>\d{1,2}|\*)\s*f?\s*", re.IGNORECASE)


class RpjCover(Document):
    """Something to hide behind.

    Attributes:
        name: What it is.
        quality: Added to ranged defence; usually from 1, for concealment only, to 6.
        flank: The flanking distance in regions; -1 for ``*``.
        conceals: Whether it hides the helpless completely.
        destructible: Whether it can be shot away.

    Source: RPJ-FIRE-12, RPJ-FIRE-13.
    """

    name: str = Field(default="cover", max_length=60)
    quality: int = Field(ge=1, le=20)
    flank: int = Field(default=0, ge=ADJACENT, le=20)
    conceals: bool = False
    destructible: bool = True

    def __str__(self) -> str:
        return f"+{self.quality}/{'*' if self.flank == ADJACENT else self.flank}f"

    @property
    def words(self) -> str:
        """Its bonus and where it counts, for people who don't know the notation."""
        halved = {ADJACENT: "in the same group", 0: "in the same region", 1: "1 region away"}
        at = halved.get(self.flank, f"{self.flank} regions away")
        nearer = "" if self.flank == ADJACENT else ", none nearer"
        return f"+{self.quality} against shots, half {at}{nearer}"

    def bonus(self, distance: int, *, is_reoriented: bool = False, is_cowering: bool = False) -> int:
        """Its bonus against an attacker at a distance.

        Args:
            distance: In regions; -1 for one's own group.
            is_reoriented: Whether whoever is in it faces the other way.
            is_cowering: Whether they cower.

        Source: RPJ-FIRE-16 (FIRE-16a), RPJ-FIRE-17, RPJ-FIRE-18 (FIRE-18a).
        """
        quality = self.quality * (2 if is_cowering else 1)
        if distance == self.flank:
            return quality // 2
        return quality if (distance > self.flank) is not is_reoriented else 0

    @property
    def is_good(self) -> bool:
        """Whether it protects helpless combatants fully.

        Source: RPJ-FIRE-15.
        """
        return self.quality >= GOOD_QUALITY or self.conceals


def written_cover(text: str, name: str = "cover") -> RpjCover:
    """Read cover in its notation: ``+3/1f``, or ``+3/*f``.

    Raises:
        UserError: If it is not written so.

    Source: RPJ-FIRE-12.
    """
    found = _NOTATION.fullmatch(text)
    if found is None or not int(found["quality"]):
        raise UserError(
            f"“{text}” isn't valid cover.", "Type quality and flanking distance, such as +3/1f or +3/*f."
        )
    flank = ADJACENT if found["flank"] == "*" else int(found["flank"])
    return RpjCover(name=name, quality=int(found["quality"]), flank=flank)


def best_bonus(
    covers: tuple[RpjCover, ...],
    distance: int,
    *,
    is_reoriented: bool = False,
    is_cowering: bool = False,
    scale: Scale = Scale.NORMAL,
) -> int:
    """The bonus of the best of several covers, never their sum; 0 for targets too big for cover.

    Args:
        covers: Those of one's group.
        distance: To the attacker, in regions; -1 for one's own group.
        is_reoriented: Whether whoever is in them faces the other way.
        is_cowering: Whether they cower.
        scale: The highest scale among their unbroken layers, where scales are on.

    Source: RPJ-FIRE-12 (FIRE-12a), RPJ-FIRE-14 (FIRE-14a).
    """
    if scale is not Scale.NORMAL:
        return 0
    bonuses = (
        cover.bonus(distance, is_reoriented=is_reoriented, is_cowering=is_cowering) for cover in covers
    )
    return max(bonuses, default=0)


CAUTIOUS = RpjCover(name="cautious", quality=1, flank=0)


def assert_destructible(cover: RpjCover, scale: Scale) -> None:
    """Refuse to shoot at cover this weapon can't damage.

    Raises:
        UserError: If the weapon is of the normal scale, or the cover stays.

    Source: RPJ-FIRE-19, RPJ-FIRE-20, RPJ-SCALE-10.
    """
    if scale is Scale.NORMAL:
        raise UserError("Only mega and giga weapons can destroy cover.")
    if not cover.destructible:
        raise UserError(f"Nothing can destroy the {cover.name}.")


def giga_shot(criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a giga weapon's bare roll against cover.

    Source: RPJ-FIRE-19 (FIRE-19a).
    """
    return RpjCheckInputs(kind=CheckKind.ATTACK, difficulty=GIGA_TARGET - 7, criticals=criticals)


def mega_shot(terms: tuple[NamedTerm, ...], criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a mega weapon's attack on cover.

    Args:
        terms: The attack modifier, by its parts.
        criticals: How the campaign treats criticals.

    Source: RPJ-FIRE-20.
    """
    return RpjCheckInputs(kind=CheckKind.ATTACK, terms=terms, difficulty=MEGA_TARGET - 7, criticals=criticals)


def damaged(cover: RpjCover, scale: Scale) -> RpjCover | None:
    """Cover after a hit; None if it is destroyed.

    Source: RPJ-FIRE-19, RPJ-FIRE-20 (FIRE-20b).
    """
    if scale is Scale.GIGA or cover.quality <= 1:
        return None
    return evolve(cover, quality=cover.quality - 1)
