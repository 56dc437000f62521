"""Spells and magic skills, as a module defines them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from bot.rules.kernel import Document
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.entry import Id, ModuleEntry, Name, Text
from bot.rules.rpj.module.scales import Scale

HIGHEST_LEVEL = 6
SpellLevel = Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]
Counts = Annotated[
    tuple[Annotated[int, Field(ge=0, le=50)], ...],
    Field(min_length=HIGHEST_LEVEL + 1, max_length=HIGHEST_LEVEL + 1),
]


class SpellSave(Document):
    """A saving throw against a spell.

    Attributes:
        attribute: The attribute rolled.
        on_success: What the spell still does on a success; empty for nothing.

    Source: RPJ-SMAG-07.
    """

    attribute: RpjAttribute
    on_success: Text = ""


class RpjSpell(ModuleEntry):
    """A spell.

    Attributes:
        level: From 0 (at will) to 6.
        magic_skill: The skill it belongs to.
        actions: Actions it takes in a fight.
        minutes: Minutes it takes instead; 0 where it takes actions.
        reach: Its range, in words.
        target: Its target, in words.
        least_range: Minimum range of an attack in regions; None for the same group.
        greatest_range: Maximum range of an attack in regions; None for touch.
        is_attack: Whether it needs an attack roll.
        save: The saving throw against it, or None.
        damage: Added to the target number of a damage save; None for none.
        is_nonlethal: Whether its damage knocks out instead of killing.
        scale: Its damage scale, where these are played.
        tags: Tags that innate slots refer to.

    Source: RPJ-SMAG-01, RPJ-SMAG-03 (SMAG-03b).
    """

    level: SpellLevel
    magic_skill: Id
    actions: int = Field(default=1, ge=0, le=6)
    minutes: int = Field(default=0, ge=0, le=10_000)
    reach: str = Field(default="", max_length=100)
    target: str = Field(default="", max_length=100)
    least_range: int | None = Field(default=None, ge=0, le=20)
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    is_attack: bool = False
    save: SpellSave | None = None
    damage: int | None = Field(default=None, ge=-5, le=20)
    is_nonlethal: bool = False
    scale: Scale = Scale.NORMAL
    tags: tuple[Name, ...] = ()


class Preparation(StrEnum):
    """How spells are prepared.

    Source: RPJ-SMAG-11, RPJ-SMAG-12, RPJ-SMAG-13.
    """

    NONE = "none"
    SLOT = "slot"
    LIST = "list"


class Formula(Document):
    """A number computed from a caster's levels.

    Attributes:
        flat: A constant.
        base: Multiplier of the base level of the magic skill.
        effective: Multiplier of its effective level.
        level_of: An attribute whose level is added.
        bonus_of: An attribute whose bonus is added.
    """

    flat: int = Field(default=0, ge=-50, le=50)
    base: int = Field(default=0, ge=0, le=10)
    effective: int = Field(default=0, ge=0, le=10)
    level_of: RpjAttribute | None = None
    bonus_of: RpjAttribute | None = None


class MagicSkill(Document):
    """A skill that grants spells and slots, with its own rules.

    Attributes:
        skill: The id of the skill.
        preparation: How its spells are prepared.
        knows_all: Whether all its spells are known up to the base level; else the GM teaches them.
        list_size: How many spells can be prepared, for a list.
        slot_table: Slots at each base level from 0, instead of the usual rule.
        recovery: Levels of slots an hour restores, instead of the usual rule.
        cost_multiplier: A multiplier of the cost of its levels.

    Source: RPJ-SMAG-05, RPJ-SMAG-22.
    """

    skill: Id
    preparation: Preparation = Preparation.NONE
    knows_all: bool = False
    list_size: Formula | None = None
    slot_table: tuple[Counts, ...] = Field(default=(), max_length=21)
    recovery: Formula | None = None
    cost_multiplier: int = Field(default=1, ge=1, le=4)

    @model_validator(mode="after")
    def _has_a_list_size_where_it_needs_one(self) -> "MagicSkill":
        if (self.preparation is Preparation.LIST) != (self.list_size is not None):
            raise ValueError("List preparation needs a list size, and only list preparation can have one.")
        return self


class MagicRules(Document):
    """The rules of structured magic.

    Attributes:
        word: The word for a spell.
        skills: The skills that grant spells and slots.

    Source: RPJ-SMAG-01, RPJ-SMAG-05.
    """

    word: Annotated[str, Field(min_length=1, max_length=20)] = "spell"
    skills: tuple[MagicSkill, ...] = Field(default=(), max_length=20)

    def of(self, skill: str) -> MagicSkill | None:
        """The rules of a magic skill by its id, or None for any other skill."""
        return next((found for found in self.skills if found.skill == skill), None)


def slot_word(level: int, word: str = "spell") -> str:
    """A slot's name: "3rd-level spell slot".

    Source: RPJ-SMAG-01, RPJ-SMAG-02.
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{level}{endings.get(level, 'th')}-level {word} slot"
