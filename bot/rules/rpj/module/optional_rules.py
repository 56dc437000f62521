"""Which optional rules there are, and the settings that switch them."""

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from bot.rules.kernel import SettingsWithModule


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


ADDS = MappingProxyType(
    {
        Pack.CONDITIONS: "bad things that last, and the ways out of them",
        Pack.DAMAGE_SCALES: "mega and giga damage, armor and cover",
        Pack.FIRE_AND_MOVEMENT: "cover, ammunition, suppression, overwatch",
        Pack.MASS_COMBAT: "battles of many against many",
        Pack.CINEMATIC_COMBAT: "fights without regions, and legendary foes",
        Pack.STRUCTURED_MAGIC: "spells and slots",
        Pack.WILD_MAGIC: "abilities that are made up and cost Stamina",
        Pack.MONEY: "Coin, Wealth, prices and running costs",
        Pack.INVENTORY: "bags, weights and loads",
        Pack.COIN_FLIPS: "coins instead of dice, for those who choose them",
        Pack.ACQUISITION_CHECKS: "a check to find what is rare",
        Pack.SLOW_BUILD_MAGIC: "skills of magic are capped, and grow with the character",
        Pack.PRACTICED_IMPROVISATION: "abilities of wild magic that practice makes cheaper",
    }
)
PACKS = "packs"


def typed_packs(text: str) -> tuple[Pack, ...]:
    """The optional rules that somebody has typed, with commas between; none for none.

    Raises:
        ValueError: If there is no such optional rule.
    """
    words = [word.strip().casefold() for word in text.split(",") if word.strip()]
    known = {name.casefold(): pack for pack in Pack for name in (pack.value, pack.in_words)}
    if words in ([], ["none"]):
        return ()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(f"There are no optional rules “{unknown[0]}”. There are {', '.join(Pack)}.")
    return tuple(dict.fromkeys(known[word] for word in words))


Switch = Annotated[bool | None, BeforeValidator(unset)]


def _adds(title: str) -> str:
    adds = next((words for pack, words in ADDS.items() if pack.in_words == title), "")
    return f" ({adds})" if adds else ""


def _switch(title: str) -> bool | None:
    switch: bool | None = Field(
        default=None,
        description=f"{title}{_adds(title)}: yes, no, or none, which is as the module has it.",
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

    @model_validator(mode="before")
    @classmethod
    def _together(cls, given: object) -> object:
        """Switch all optional rules at once: those named on, the others off; all as the module by default."""
        if not isinstance(given, dict) or PACKS not in given:
            return given
        rest = {key: value for key, value in given.items() if key not in {PACKS, *Pack}}
        typed = given[PACKS]
        if isinstance(typed, str) and typed.strip().casefold() in {"default", "module"}:
            return rest
        on = typed_packs(", ".join(map(str, typed)) if isinstance(typed, list) else str(typed or ""))
        return {**rest, **{pack.value: pack in on for pack in Pack}}

    def switches(self) -> dict[Pack, bool | None]:
        """Whether the campaign switches each pack on or off; None where it leaves that to its module."""
        return {pack: getattr(self, pack.value) for pack in Pack}
