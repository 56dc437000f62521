"""What a campaign may set otherwise, and the skills and connections that its GM has added."""

from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from bot.rules.kernel import Document, typed_list
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.swim_class.resolution.tables import WHEEL, SkillKey, SwimSkill, Synergy

MAGIC_DEGREE = 2


def _unset(value: object) -> object:
    """Take an empty text, and the word none, for nothing."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


class SwimSettings(Document):
    """A campaign's settings."""

    world: str = Field(
        default="", max_length=60, description="What this campaign's own skills and rules are called."
    )
    sp_per_gp: int = Field(default=10, ge=1, le=1000, description="Silver pieces in a gold piece.")
    crit_on_unfinished: bool = Field(
        default=False, description="A roll that moves a task on but does not end it counts as failed."
    )
    advance_on_half: bool = Field(default=False, description="Half actions may advance a skill.")
    rank_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(
        default=None, ge=1, le=100, description="The highest rank of a skill; empty for none."
    )
    stabilise_counts_first: bool = Field(
        default=False, description="The first critical of a roll to stabilise counts."
    )
    stack_implements: bool = Field(default=False, description="Bonuses of several implements add up.")
    racial_free_rank: bool = Field(
        default=False, description="A kind's racial skills start at 1 and cost no pick."
    )
    spells_as_skills: bool = Field(
        default=False, description="Each spell is a specialisation of its form with a rank of its own."
    )
    defense_seconds: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds after which the best defense is taken where nobody chooses; 0: never.",
    )
    carry_flat: bool = Field(default=False, description="Everybody carries 20 lb freely, whatever Brawn.")
    convergence_parallel: bool = Field(
        default=False, description="In combat, all who help contribute in the same round."
    )
    friends_bonus: int = Field(
        default=1, ge=0, le=3, description="What friends present add to Social Defense."
    )
    artifacts_for_sale: bool = Field(default=False, description="The shop sells artifacts.")
    wheel_order: Annotated[tuple[SkillKey, ...], BeforeValidator(split_at_commas)] = Field(
        default=WHEEL, description="The forms of magic around the wheel, with commas between them."
    )
    skills: Annotated[tuple[SwimSkill, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=100, description="Skills of this campaign, as JSON; /swim-gm skill adds one."
    )
    synergies: Annotated[tuple[Synergy, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=200, description="Connections, as JSON; /swim-gm synergy adds one."
    )

    @field_validator("wheel_order")
    @classmethod
    def _holds_every_form_once(cls, order: tuple[SkillKey, ...]) -> tuple[SkillKey, ...]:
        if sorted(order) != sorted(WHEEL):
            raise ValueError(f"The wheel holds each of {', '.join(WHEEL)} once.")
        return order

    @property
    def wheel_edges(self) -> tuple[Synergy, ...]:
        """The synergies of the forms that stand beside each other on the wheel.

        Source: SWIM-MAGIC-02 (SWIM-R93).
        """
        after = (*self.wheel_order[1:], self.wheel_order[0])
        return tuple(
            Synergy(one=one, other=other, degree=MAGIC_DEGREE, source="SWIM-MAGIC-02")
            for one, other in zip(self.wheel_order, after, strict=True)
        )

    def opposite(self, form: SkillKey) -> SkillKey:
        """The form across the wheel.

        Source: SWIM-MAGIC-03 (SWIM-R94).
        """
        place = self.wheel_order.index(form)
        return self.wheel_order[(place + len(WHEEL) // 2) % len(WHEEL)]
