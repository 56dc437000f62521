"""The optional rules, and the settings that switch them."""

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from bot.rules.kernel import OPTIONAL_RULES, PACKS, SettingsWithModule, subject


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
    """Read an empty text and the words none and module as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none", "module"} else value


ADDS = MappingProxyType(
    {
        Pack.CONDITIONS: "lasting conditions and how to end them",
        Pack.DAMAGE_SCALES: "mega and giga damage, armor and cover",
        Pack.FIRE_AND_MOVEMENT: "cover, ammunition, suppression, overwatch",
        Pack.MASS_COMBAT: "mass battles",
        Pack.CINEMATIC_COMBAT: "fights without regions, and legendary foes",
        Pack.STRUCTURED_MAGIC: "spells and slots",
        Pack.WILD_MAGIC: "abilities you build, paid with stamina",
        Pack.MONEY: "Coin, Wealth, prices and running costs",
        Pack.INVENTORY: "bags, weights and loads",
        Pack.COIN_FLIPS: "coins instead of dice, for players who choose them",
        Pack.ACQUISITION_CHECKS: "a check to find rare goods",
        Pack.SLOW_BUILD_MAGIC: "magic skills have a cap that grows with the character",
        Pack.PRACTICED_IMPROVISATION: "practice makes wild magic abilities cheaper",
    }
)
FIGHTS, WORLD = f"{OPTIONAL_RULES}: fights", f"{OPTIONAL_RULES}: world"


def typed_packs(text: str) -> tuple[Pack, ...]:
    """Read typed optional rules, separated by commas; "none" for none.

    Raises:
        ValueError: If there is no such optional rule.
    """
    words = [word.strip().casefold() for word in text.split(",") if word.strip()]
    known = {name.casefold(): pack for pack in Pack for name in (pack.value, pack.in_words)}
    if words in ([], ["none"]):
        return ()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(f"There is no optional rule “{unknown[0]}”. The optional rules: {', '.join(Pack)}.")
    return tuple(dict.fromkeys(known[word] for word in words))


Switch = Annotated[bool | None, BeforeValidator(unset)]


def _switch(title: str, adds: str = "", about: str = FIGHTS) -> bool | None:
    words = adds or next(
        words for pack, words in ADDS.items() if pack.in_words.casefold() == title.casefold()
    )
    switch: bool | None = Field(
        default=None,
        title=title,
        description=f"{words[0].upper()}{words[1:]}.",
        json_schema_extra=subject(about),
    )
    return switch


class PackSettings(SettingsWithModule):
    """The part of a campaign's settings that switches optional rules."""

    conditions: Switch = _switch("Conditions")
    damage_scales: Switch = _switch("Damage scales")
    fire_and_movement: Switch = _switch("Fire and Movement")
    mass_combat: Switch = _switch("Mass combat")
    cinematic_combat: Switch = _switch("Cinematic combat")
    structured_magic: Switch = _switch("Structured magic", about=WORLD)
    wild_magic: Switch = _switch("Wild magic", about=WORLD)
    money: Switch = _switch("Money", about=WORLD)
    inventory: Switch = _switch("Inventory", about=WORLD)
    coin_flips: Switch = _switch("Coin flips")
    maneuvers: Switch = _switch("Maneuvers", "maneuvers that characters learn and use in fights")
    acquisition_checks: Switch = _switch("Acquisition checks", about=WORLD)
    slow_build_magic: Switch = _switch("Slow Build Magic", about=WORLD)
    practiced_improvisation: Switch = _switch("Practiced Improvisation", about=WORLD)

    @model_validator(mode="before")
    @classmethod
    def _together(cls, given: object) -> object:
        """Switch all optional rules at once: those named on, the others off; "default" follows the module."""
        if not isinstance(given, dict) or PACKS not in given:
            return given
        rest = {key: value for key, value in given.items() if key not in {PACKS, *Pack}}
        typed = given[PACKS]
        if isinstance(typed, str) and typed.strip().casefold() in {"default", "module"}:
            return rest
        on = typed_packs(", ".join(map(str, typed)) if isinstance(typed, list) else str(typed or ""))
        return {**rest, **{pack.value: pack in on for pack in Pack}}

    def switches(self) -> dict[Pack, bool | None]:
        """Whether the campaign switches each optional rule on or off; None where the module decides."""
        return {pack: self.switch(pack) for pack in Pack}

    def switch(self, pack: Pack) -> bool | None:
        """Whether the campaign switches an optional rule on or off; None where the module decides."""
        said: bool | None = getattr(self, pack.value)
        return said
