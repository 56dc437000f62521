"""Effects of traits and gear under optional rules; each applies only while its rules are on."""

from typing import Annotated, Literal

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.rpj.module.potency import SpellDefense
from bot.rules.rpj.module.slots import InnateGrant


class AbilityPower(Document):
    """More ability power with every ability skill, or with one.

    Attributes:
        value: How much more.
        skill: The id of the skill; empty for all of them.

    Source: RPJ-WMAG-02, RPJ-APPX-15.
    """

    type: Literal["ability_power"]
    value: int = Field(ge=-5, le=5)
    skill: str = ""


class SlotCount(Document):
    """A higher maximum of slots at each level.

    Source: RPJ-SMAG-08, RPJ-APPX-15.
    """

    type: Literal["slot_count"]
    value: int = Field(ge=-5, le=5)


class Resists(Document):
    """A spell defense.

    Source: RPJ-SMAG-18, RPJ-APPX-16.
    """

    type: Literal["spell_defense"]
    defense: SpellDefense


class InnateSlots(Document):
    """Innate slots.

    Source: RPJ-SMAG-09.
    """

    type: Literal["innate_slots"]
    grant: InnateGrant


class WealthGrant(Document):
    """Wealth, given once when the trait is taken.

    Source: RPJ-APPX-17.
    """

    type: Literal["wealth"]
    value: int = Field(ge=1, le=100)


class LoadLimit(Document):
    """A higher load limit.

    Source: RPJ-INV-02, RPJ-APPX-18.
    """

    type: Literal["load_limit"]
    value: int = Field(ge=-10, le=10)


class RangedDefense(Document):
    """A higher target number for ranged attacks under Fire and Movement.

    Attributes:
        value: How much higher.
        only_in_the_open: Whether it only applies outside cover.

    Source: RPJ-FIRE-34, RPJ-APPX-14.
    """

    type: Literal["ranged_defense"]
    value: int = Field(ge=-5, le=5)
    only_in_the_open: bool = True


class AmmunitionStart(Document):
    """More ammunition at the start, in steps.

    Source: RPJ-FIRE-07.
    """

    type: Literal["ammunition_start"]
    steps: int = Field(ge=-3, le=10)


PackEffect = Annotated[
    AbilityPower
    | SlotCount
    | Resists
    | InnateSlots
    | WealthGrant
    | LoadLimit
    | RangedDefense
    | AmmunitionStart,
    Field(discriminator="type"),
]
