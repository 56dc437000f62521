"""Damage scales: normal, mega and giga, and what a gap between them does to a blow."""

from enum import StrEnum


class Scale(StrEnum):
    """How great damage is, or what a layer withstands.

    Source: RPJ-SCALE-01.
    """

    NORMAL = "normal"
    MEGA = "mega"
    GIGA = "giga"

    @property
    def step(self) -> int:
        """From 0 to 2."""
        return list(Scale).index(self)


def gap(attack: Scale, layer: Scale) -> int:
    """How many scales damage is above the layer it strikes; below 0 where it is beneath.

    Source: RPJ-SCALE-01.
    """
    return attack.step - layer.step
