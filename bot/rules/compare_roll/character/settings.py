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
from bot.rules.kernel import Document, subject, typed_list, typed_table


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
        default="Normal",
        title="Usual difficulty",
        description="The difficulty of a roll that names none: its name, or a number from 0 to 20.",
        json_schema_extra=subject("Rolls"),
    )
    cost_suffix: CostSuffix = Field(
        default=CostSuffix.STRESS_HIGH,
        title="Brackets after Cost",
        description="What (−1) and (+1) after Cost mean.",
        json_schema_extra=subject(
            "Rolls", {"stress_high": "Stress and High", "damage": "damage", "none": "nothing"}
        ),
    )
    ft_base_constant: Literal[0, 4] = Field(
        default=0,
        title="Base Fortitude",
        description="Added to Luck and Agility for maximum Fortitude.",
        json_schema_extra=subject("New characters"),
    )
    stat_points: int = Field(
        default=24,
        ge=0,
        le=114,
        title="Stat points",
        description="Points to assign to the six stats.",
        json_schema_extra=subject("New characters"),
    )
    stat_points_base: Literal[0, 1] = Field(
        default=1,
        title="Stats start at",
        description="Score of each stat before points are assigned.",
        json_schema_extra=subject("New characters"),
    )
    stress_applies_to: StressApplies = Field(
        default=StressApplies.CHECKS_DEATH,
        title="Rolls with Stress and High",
        description="The rolls that Stress lowers and High can raise.",
        json_schema_extra=subject(
            "Rolls",
            {
                "checks": "checks",
                "checks_death": "checks and Death's Door",
                "checks_death_rest": "checks, Death's Door and rests",
            },
        ),
    )
    settle_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        title="Seconds to spend High",
        description="Seconds until a roll that High can still change stands; 0: never.",
        json_schema_extra=subject("Rolls", {"0": "never"}),
    )
    opponent_attack: OpponentAttack = Field(
        default=OpponentAttack.DEFENCE_ROLL,
        title="Opponents' attacks",
        description="How an opponent's attack is decided.",
        json_schema_extra=subject(
            "Fights",
            {
                "defence_roll": "the target rolls to defend",
                "auto_hit": "they always hit",
                "gm_rolls_2d6": "the GM rolls 2d6",
            },
        ),
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        title="Seconds to defend",
        description="Seconds until a target that hasn't defended rolls Dodging automatically; 0: never.",
        json_schema_extra=subject("Fights", {"0": "never"}),
    )
    short_rest_ft: ShortRestFortitude = Field(
        default=ShortRestFortitude.HOURLY_CAPPED,
        title="Fortitude from a short rest",
        description="How much Fortitude a short rest restores.",
        json_schema_extra=subject(
            "Rests and sessions",
            {
                "hourly_capped": "1 per hour, up to half",
                "hourly": "1 per hour",
                "half_at_once": "half at once",
            },
        ),
    )
    rest_interrupts: RestInterrupts = Field(
        default=RestInterrupts.SELF,
        title="An interruption ends",
        description="Whose short rest an interruption ends.",
        json_schema_extra=subject(
            "Rests and sessions", {"self": "the roller's rest", "party": "the whole party's rest"}
        ),
    )
    range_check: bool = Field(
        default=True,
        title="Check ranges",
        description="Refuse attacks outside the weapon's range.",
        json_schema_extra=subject("Fights"),
    )
    grid: Literal["square", "hex"] = Field(
        default="square",
        title="Grid",
        description="Shape of a 5-foot space.",
        json_schema_extra=subject("Fights", {"square": "squares", "hex": "hexes"}),
    )
    reload_cost: Literal["turn", "attack"] = Field(
        default="turn",
        title="Reloading costs",
        description="What reloading costs in a fight.",
        json_schema_extra=subject("Fights", {"turn": "the whole turn", "attack": "the attack"}),
    )
    session_reset: Annotated[
        Mapping[Literal["hp", "stress", "high", "assets", "ammunition"], Annotated[int, Field(ge=0)]],
        BeforeValidator(typed_table),
    ] = Field(
        default={},
        title="Set at a session's end",
        description="Values set when a session ends, such as: stress 0, high 0.",
        json_schema_extra=subject("Rests and sessions", {"none": "nothing"}),
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
