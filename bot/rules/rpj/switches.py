"""Which optional rules there are, and the settings that switch them."""

from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field

from bot.rules.ruleset import SettingsWithModule


class Pack(StrEnum):
    """An optional rule; its value is the name of the setting that switches it.

    Source: RPJ-GM-06.
    """

    CONDITIONS = "conditions"
    DAMAGE_SCALES = "damage_scales"
    FIRE_AND_MOVEMENT = "fire_and_movement"
    MASS_COMBAT = "mass_combat"
    CINEMATIC_COMBAT = "cinematic_combat"
    STRUCTURED_MAGIC = "structured_magic"
    WILD_MAGIC = "wild_magic"
    MONEY = "money"
    INVENTORY = "inventory"
    COIN_FLIPS = "coin_flips"
    ACQUISITION_CHECKS = "acquisition_checks"
    SLOW_BUILD_MAGIC = "slow_build_magic"
    PRACTICED_IMPROVISATION = "practiced_improvisation"

    @property
    def in_words(self) -> str:
        """Its name in the book."""
        return self.value.replace("_", " ").capitalize().replace("and movement", "and Movement")


def unset(value: object) -> object:
    """Take an empty text, and the words none and module, for nothing."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none", "module"} else value


Switch = Annotated[bool | None, BeforeValidator(unset)]


def _switch(title: str) -> bool | None:
    switch: bool | None = Field(
        default=None,
        description=f"{title}: whether these rules are on; none is as the module has it.",
    )
    return switch


class PackSettings(SettingsWithModule):
    """The part of a campaign's settings that switches optional rules, beside a module of its own."""

    conditions: Switch = _switch("Conditions")
    damage_scales: Switch = _switch("Damage scales")
    fire_and_movement: Switch = _switch("Fire and Movement")
    mass_combat: Switch = _switch("Mass combat")
    cinematic_combat: Switch = _switch("Cinematic combat")
    structured_magic: Switch = _switch("Structured magic")
    wild_magic: Switch = _switch("Wild magic")
    money: Switch = _switch("Money")
    inventory: Switch = _switch("Inventory")
    coin_flips: Switch = _switch("Coin flips")
    maneuvers: Switch = _switch("Maneuvers")
    acquisition_checks: Switch = _switch("Acquisition checks")
    slow_build_magic: Switch = _switch("Slow Build Magic")
    practiced_improvisation: Switch = _switch("Practiced Improvisation")

    def switched(self, pack: Pack) -> bool | None:
        """Whether the campaign switches a pack on or off; None where it leaves that to its module."""
        value: bool | None = getattr(self, pack.value)
        return value
