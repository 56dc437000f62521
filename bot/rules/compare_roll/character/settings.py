"""What a campaign may set otherwise, and what its GM has added to the lists."""

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
    """What the number in brackets after Cost means (CMP-R09)."""

    STRESS_HIGH = "stress_high"
    DAMAGE = "damage"
    NONE = "none"


class StressApplies(StrEnum):
    """Which rolls Stress lowers and High may raise (CMP-R24, CMP-R59)."""

    CHECKS_DEATH = "checks_death"
    CHECKS = "checks"
    CHECKS_DEATH_REST = "checks_death_rest"


class OpponentAttack(StrEnum):
    """How attacks of opponents are rolled (CMP-R34)."""

    DEFENCE_ROLL = "defence_roll"
    AUTO_HIT = "auto_hit"
    GM_ROLLS_2D6 = "gm_rolls_2d6"


class ShortRestFortitude(StrEnum):
    """How Fortitude comes back in a short rest (CMP-R44)."""

    HOURLY_CAPPED = "hourly_capped"
    HOURLY = "hourly"
    HALF_AT_ONCE = "half_at_once"


class RestInterrupts(StrEnum):
    """Whose rest an interruption ends (CMP-R60)."""

    SELF = "self"
    PARTY = "party"


class AddedSkill(Document):
    """A skill that the GM has added to a category."""

    category: str
    name: ThingName


class CompareSettings(Document):
    """A campaign's settings."""

    default_difficulty: ThingName = Field(
        default="Normal", description="Difficulty where none is named: a name, or a number from 0 to 20."
    )
    cost_suffix: CostSuffix = Field(
        default=CostSuffix.STRESS_HIGH,
        description="What (−1) and (+1) after Cost mean: Stress and High, damage, or nothing.",
    )
    ft_base_constant: Literal[0, 4] = Field(
        default=0, description="Added to Luck and Agility for Fortitude: 0 or 4."
    )
    stat_points: int = Field(default=24, ge=0, le=114, description="Points to assign among the six stats.")
    stat_points_base: Literal[0, 1] = Field(
        default=1, description="Score that each stat has before points are assigned: 1, or 0."
    )
    stress_applies_to: StressApplies = Field(
        default=StressApplies.CHECKS_DEATH,
        description="Which rolls Stress lowers and High raises: checks, Death's Door too, rests too.",
    )
    settle_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds after which a roll that High can still change counts as it is; 0: never.",
    )
    opponent_attack: OpponentAttack = Field(
        default=OpponentAttack.DEFENCE_ROLL,
        description="How opponents attack: the target defends, they always hit, or the GM rolls 2d6.",
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds after which a target that nobody defends rolls Dodging; 0: never.",
    )
    short_rest_ft: ShortRestFortitude = Field(
        default=ShortRestFortitude.HOURLY_CAPPED,
        description="Fortitude in a short rest: 1 an hour up to half, 1 an hour, or half at once.",
    )
    rest_interrupts: RestInterrupts = Field(
        default=RestInterrupts.SELF, description="Whose short rest an interruption ends: one's own, or all."
    )
    range_check: bool = Field(default=True, description="Refuse attacks outside the band of the weapon.")
    grid: Literal["square", "hex"] = Field(default="square", description="Shape of a space of 5 feet.")
    reload_cost: Literal["turn", "attack"] = Field(
        default="turn", description="What reloading costs in a fight: the whole turn, or the attack."
    )
    session_reset: Annotated[
        Mapping[Literal["hp", "stress", "high", "assets", "ammunition"], Annotated[int, Field(ge=0)]],
        BeforeValidator(typed_table),
    ] = Field(
        default={}, description='What a session\'s end sets, as JSON such as {"stress": 0}; else nothing.'
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
