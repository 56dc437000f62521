"""A campaign's settings, with the skills and synergies that its GM has added."""

from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, typed_list
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.swim_class.tables import DATA, WHEEL, SkillKey, SwimSkill, Synergy

MAGIC_DEGREE = 2


def _unset(value: object) -> object:
    """Read an empty text or "none" as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


@DATA.worded
class SwimSettings(Document):
    """A campaign's settings."""

    world: str = Field(default="", max_length=60)
    sp_per_gp: int = Field(default=10, ge=1, le=1000)
    crit_on_unfinished: bool = False
    advance_on_half: bool = False
    rank_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(default=None, ge=1, le=100)
    stabilize_counts_first: bool = False
    stack_implements: bool = False
    racial_free_rank: bool = False
    spells_as_skills: bool = False
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    carry_flat: bool = False
    convergence_parallel: bool = False
    friends_bonus: int = Field(default=1, ge=0, le=3)
    artifacts_for_sale: bool = False
    wheel_order: Annotated[tuple[SkillKey, ...], BeforeValidator(split_at_commas)] = WHEEL
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
