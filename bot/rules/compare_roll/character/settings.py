"""A campaign's settings, with the GM's additions to the lists."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from bot.rules.compare_roll.resolution.tables import (
    CompareDifficultyRow,
    CompareItem,
    CompareWeapon,
    ThingName,
)
from bot.rules.kernel import Document, typed_list, typed_table


class CostSuffix(StrEnum):
    """The meaning of the number in brackets after Cost (CMP-R09)."""

    STRESS_HIGH = "stress_high"
    DAMAGE = "damage"
    NONE = "none"


class StressApplies(StrEnum):
    """The rolls that Stress lowers and High can raise (CMP-R24, CMP-R59)."""

    CHECKS_DEATH = "checks_death"
    CHECKS = "checks"
    CHECKS_DEATH_REST = "checks_death_rest"


class OpponentAttack(StrEnum):
    """How opponents' attacks are rolled (CMP-R34)."""

    DEFENCE_ROLL = "defence_roll"
    AUTO_HIT = "auto_hit"
    GM_ROLLS_2D6 = "gm_rolls_2d6"


class ShortRestFortitude(StrEnum):
    """How much Fortitude a short rest restores (CMP-R44)."""

    HOURLY_CAPPED = "hourly_capped"
    HOURLY = "hourly"
    HALF_AT_ONCE = "half_at_once"


class RestInterrupts(StrEnum):
    """Whose rests an interruption ends (CMP-R60)."""

    SELF = "self"
    PARTY = "party"


class AddedSkill(Document):
    """A skill that the GM has added to a category."""

    category: str
    name: ThingName


class CompareSettings(Document):
    """A campaign's settings."""

    default_difficulty: ThingName = Field(
        default="Normal", description="Default difficulty: a name, or a number from 0 to 20."
    )
    cost_suffix: CostSuffix = Field(
        default=CostSuffix.STRESS_HIGH,
        description="Meaning of (−1) and (+1) after Cost: Stress and High, damage, or nothing.",
    )
    ft_base_constant: Literal[0, 4] = Field(
        default=0, description="Added to Luck and Agility for maximum Fortitude: 0 or 4."
    )
    stat_points: int = Field(default=24, ge=0, le=114, description="Points to assign to the six stats.")
    stat_points_base: Literal[0, 1] = Field(
        default=1, description="Score of each stat before points are assigned: 1 or 0."
    )
    stress_applies_to: StressApplies = Field(
        default=StressApplies.CHECKS_DEATH,
        description="Rolls changed by Stress and High: checks only, also Death's Door, or also rests.",
    )
    settle_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds until a roll that High can still change is accepted as it is; 0: never.",
    )
    opponent_attack: OpponentAttack = Field(
        default=OpponentAttack.DEFENCE_ROLL,
        description="How opponents attack: the target rolls to defend, they always hit, or the GM rolls 2d6.",
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds until a target that hasn't defended rolls Dodging automatically; 0: never.",
    )
    short_rest_ft: ShortRestFortitude = Field(
        default=ShortRestFortitude.HOURLY_CAPPED,
        description="Fortitude from a short rest: 1 per hour up to half, 1 per hour, or half at once.",
    )
    rest_interrupts: RestInterrupts = Field(
        default=RestInterrupts.SELF,
        description="Whose short rest an interruption ends: only the roller's, or the whole party's.",
    )
    range_check: bool = Field(default=True, description="Refuse attacks outside the weapon's range.")
    grid: Literal["square", "hex"] = Field(default="square", description="Shape of a 5-foot space.")
    reload_cost: Literal["turn", "attack"] = Field(
        default="turn", description="What reloading costs in a fight: the whole turn, or only the attack."
    )
    session_reset: Annotated[
        Mapping[Literal["hp", "stress", "high", "assets", "ammunition"], Annotated[int, Field(ge=0)]],
        BeforeValidator(typed_table),
    ] = Field(
        default={}, description='Values set when a session ends, as JSON such as {"stress": 0}; empty: none.'
    )
    difficulties: Annotated[tuple[CompareDifficultyRow, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=25, description="Difficulties the GM has added."
    )
    skills: Annotated[tuple[AddedSkill, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=200, description="Skills the GM has added for everybody."
    )
    weapons: Annotated[tuple[CompareWeapon, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=100, description="Weapons the GM has added."
    )
    items: Annotated[tuple[CompareItem, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=100, description="Items and armour the GM has added."
    )
