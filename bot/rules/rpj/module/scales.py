"""Damage scales: normal, mega and giga, and the gap between them."""

from collections.abc import Iterable
from enum import StrEnum


class Scale(StrEnum):
    """The scale of damage, or of what a layer withstands.

    Source: RPJ-SCALE-01.
    """

    NORMAL = "normal"
    MEGA = "mega"
    GIGA = "giga"

    @property
    def step(self) -> int:
        """From 0 to 2."""
        return list(Scale).index(self)

    @property
    def tag(self) -> str:
        """The tag of a layer of this scale: M or G; empty for normal."""
        return "" if self is Scale.NORMAL else self[0].upper()


STEP_DAMAGE = 4
HARMLESS, UPWARD, DOWNWARD, CRUSHING = -2, -1, 1, 2


def gap(attack: Scale, layer: Scale) -> int:
    """How many scales damage is above the layer it strikes; negative where below.

    Source: RPJ-SCALE-01.
    """
    return attack.step - layer.step


def highest(scales: Iterable[Scale]) -> Scale:
    """The highest of several scales; normal where there is none.

    Source: RPJ-SCALE-09 (SCALE-09a).
    """
    return max(scales, key=lambda scale: scale.step, default=Scale.NORMAL)
