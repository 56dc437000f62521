"""A campaign's settings, with the skills and synergies that its GM has added."""

from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, subject, typed_list
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.swim_class.tables import WHEEL, SkillKey, SwimSkill, Synergy

MAGIC_DEGREE = 2


def _unset(value: object) -> object:
    """Read an empty text or "none" as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


class SwimSettings(Document):
    """A campaign's settings."""

    world: str = Field(
        default="",
        max_length=60,
        title="Name of the rules",
        description="Name of this campaign's own skills and rules.",
        json_schema_extra=subject("World and magic", {"": "no name yet"}),
    )
    sp_per_gp: int = Field(
        default=10,
        ge=1,
        le=1000,
        title="Silver in a gold piece",
        description="Silver pieces in a gold piece.",
        json_schema_extra=subject("World and magic"),
    )
    crit_on_unfinished: bool = Field(
        default=False,
        title="Unfinished counts as failed",
        description="A roll that advances a task without finishing it counts as failed.",
        json_schema_extra=subject("Learning"),
    )
    advance_on_half: bool = Field(
        default=False,
        title="Half actions teach",
        description="Half actions can advance a skill.",
        json_schema_extra=subject("Learning"),
    )
    rank_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None,
        ge=1,
        le=100,
        title="Highest rank",
        description="Highest rank of a skill; empty: no limit.",
        json_schema_extra=subject("Learning", {"none": "no limit"}),
    )
    stabilize_counts_first: bool = Field(
        default=False,
        title="First critical stabilizes",
        description="The first critical of a roll to stabilize counts.",
        json_schema_extra=subject("Fights and gear"),
    )
    stack_implements: bool = Field(
        default=False,
        title="Implements add up",
        description="Bonuses of several implements add up.",
        json_schema_extra=subject("Fights and gear"),
    )
    racial_free_rank: bool = Field(
        default=False,
        title="Free racial skills",
        description="A kind's racial skills start at 1 and cost no pick.",
        json_schema_extra=subject("Learning"),
    )
    spells_as_skills: bool = Field(
        default=False,
        title="Spells as skills",
        description="Each spell is a specialization of its form with its own rank.",
        json_schema_extra=subject("World and magic"),
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        title="Seconds to defend",
        description="Seconds until the best defense is rolled automatically; 0: never.",
        json_schema_extra=subject("Fights and gear", {"0": "never"}),
    )
    carry_flat: bool = Field(
        default=False,
        title="Everyone carries 20 lb",
        description="Everyone carries 20 lb freely, whatever their Brawn.",
        json_schema_extra=subject("Fights and gear"),
    )
    convergence_parallel: bool = Field(
        default=False,
        title="Help in the same round",
        description="All helpers can contribute in the same round of combat.",
        json_schema_extra=subject("Fights and gear"),
    )
    friends_bonus: int = Field(
        default=1,
        ge=0,
        le=3,
        title="Bonus from friends",
        description="Social Defense bonus when friends are present.",
        json_schema_extra=subject("Fights and gear"),
    )
    artifacts_for_sale: bool = Field(
        default=False,
        title="Artifacts for sale",
        description="The shop sells artifacts.",
        json_schema_extra=subject("World and magic"),
    )
    wheel_order: Annotated[tuple[SkillKey, ...], BeforeValidator(split_at_commas)] = Field(
        default=WHEEL,
        title="Wheel of magic",
        description="The forms of magic around the wheel, separated by commas.",
        json_schema_extra=subject("World and magic"),
    )
    skills: Annotated[tuple[SwimSkill, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=100,
        description="This campaign's own skills, as JSON; /swim-gm skill adds one.",
    )
    synergies: Annotated[tuple[Synergy, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=200,
        description="This campaign's own synergies, as JSON; /swim-gm synergy adds one.",
    )

    @field_validator("wheel_order")
    @classmethod
    def _holds_every_form_once(cls, order: tuple[SkillKey, ...]) -> tuple[SkillKey, ...]:
        if sorted(order) != sorted(WHEEL):
            raise ValueError(f"List each of {', '.join(WHEEL)} exactly once.")
        return order

    @property
    def wheel_edges(self) -> tuple[Synergy, ...]:
        """The synergies of neighbouring forms on the wheel. [SWIM-MAGIC-02 (SWIM-R93)]"""
        after = (*self.wheel_order[1:], self.wheel_order[0])
        return tuple(
            Synergy(one=one, other=other, degree=MAGIC_DEGREE, source="SWIM-MAGIC-02")
            for one, other in zip(self.wheel_order, after, strict=True)
        )

    def opposite(self, form: SkillKey) -> SkillKey:
        """The form across the wheel. [SWIM-MAGIC-03 (SWIM-R94)]"""
        place = self.wheel_order.index(form)
        return self.wheel_order[(place + len(WHEEL) // 2) % len(WHEEL)]
