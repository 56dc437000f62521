"""The effects of traits and gear: what each changes, by how much, and when."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.spells import InnateGrant, SpellDefense


class AbilityPower(Document):
    """More ability power with every ability skill, or with one. [RPJ-WMAG-02, RPJ-APPX-15]"""

    type: Literal["ability_power"]
    value: int = Field(ge=-5, le=5)  # how much more
    skill: str = ""  # the id of the skill; empty for all of them


class SlotCount(Document):
    """A higher maximum of slots at each level. [RPJ-SMAG-08, RPJ-APPX-15]"""

    type: Literal["slot_count"]
    value: int = Field(ge=-5, le=5)


class Resists(Document):
    """A spell defense. [RPJ-SMAG-18, RPJ-APPX-16]"""

    type: Literal["spell_defense"]
    defense: SpellDefense


class InnateSlots(Document):
    """Innate slots. [RPJ-SMAG-09]"""

    type: Literal["innate_slots"]
    grant: InnateGrant


class WealthGrant(Document):
    """Wealth, given once when the trait is taken. [RPJ-APPX-17]"""

    type: Literal["wealth"]
    value: int = Field(ge=1, le=100)


class LoadLimit(Document):
    """A higher load limit. [RPJ-INV-02, RPJ-APPX-18]"""

    type: Literal["load_limit"]
    value: int = Field(ge=-10, le=10)


class RangedDefense(Document):
    """A higher target number for ranged attacks under Fire and Movement. [RPJ-FIRE-34, RPJ-APPX-14]"""

    type: Literal["ranged_defense"]
    value: int = Field(ge=-5, le=5)  # how much higher
    only_in_the_open: bool = True  # whether it only applies outside cover


class AmmunitionStart(Document):
    """More ammunition at the start, in steps. [RPJ-FIRE-07]"""

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


SaveTarget = Annotated[int, Field(ge=2, le=12)]


class RollTarget(StrEnum):
    """The kind of roll an effect changes."""

    SKILL = "skill"
    ATTRIBUTE = "attribute"
    ATTRIBUTE_BONUS = "attribute bonus"
    SAVING_THROW = "saving throw"
    LUCK = "Luck"
    DAMAGE_SAVE = "damage save"
    INITIATIVE = "initiative"
    MELEE_ATTACK = "melee attack"
    RANGED_ATTACK = "ranged attack"
    DEFENSE = "defense"


class LayerKind(StrEnum):
    """The kinds of layers of defense, from the outermost to the innermost. [RPJ-HEALTH-07]"""

    ABILITY = "ability"
    SHIELD = "shield"
    ARMOR = "armor"
    BASE = "base"


class RpjCircumstances(Document):
    """The circumstances of a roll."""

    in_combat: bool = False  # whether a fight is on
    is_surprised: bool = False  # whether the roller is surprised
    is_first_round: bool = False  # whether it is the first round of a fight
    target_is_grappled: bool = False
    skill_tags: tuple[str, ...] = ()  # the tags of the skill rolled
    toggles: tuple[str, ...] = ()  # the trait conditions the player claimed, spelled as in the effects


class EffectCondition(Document):
    """When an effect applies: everything named must be true. [RPJ-TRAIT-06]"""

    in_combat: bool | None = None  # in a fight, or outside one
    is_surprised: bool | None = None  # while surprised, or not
    is_first_round: bool | None = None  # in the first round of a fight, or not
    target_is_grappled: bool | None = None  # against a grappled target, or not
    skill_tag: str = ""  # for a skill with this tag
    toggle: str = Field(default="", max_length=60)  # when the player claims this ("negotiating prices")

    def holds(self, now: RpjCircumstances) -> bool:
        """Whether everything named is true."""
        facts = (
            (self.in_combat, now.in_combat),
            (self.is_surprised, now.is_surprised),
            (self.is_first_round, now.is_first_round),
            (self.target_is_grappled, now.target_is_grappled),
        )
        if any(wanted is not None and wanted != fact for wanted, fact in facts):
            return False
        if self.skill_tag and self.skill_tag not in now.skill_tags:
            return False
        return not self.toggle or self.toggle in now.toggles


ALWAYS = EffectCondition()


class RollBonus(Document):
    """A bonus or penalty to a kind of roll, or to one skill or attribute only."""

    type: Literal["roll_bonus"]
    on: RollTarget  # the kind of roll
    of: str = ""  # the id of the skill, or the attribute; empty for all of the kind
    value: int = Field(ge=-10, le=10)
    when: EffectCondition = ALWAYS
    # Its name beside the roll; by default the name of its trait or item.
    label: str = Field(default="", max_length=60)

    @property
    def word(self) -> str:
        """Its name beside the roll: the claimed condition, else its source. [RPJ-TRAIT-06, RPJ-COND-02]"""
        return self.when.toggle or self.label or "traits"

    def called(self, name: str) -> "RollBonus":
        """The same with a name, where it has none of its own."""
        return self if self.label else evolve(self, label=name)


class AttributeAdjust(Document):
    """Raises or lowers the effective level of an attribute."""

    type: Literal["attribute_adjust"]
    attribute: RpjAttribute
    value: int = Field(ge=-10, le=10)
    when: EffectCondition = ALWAYS


class AttributeRaisePermit(Document):
    """Lets the owner raise an attribute a number of times without the GM's approval."""

    type: Literal["attribute_raise_permit"]
    attribute: RpjAttribute | None = None  # the attribute; None for any
    count: int = Field(default=1, ge=1, le=6)  # how many times


class BaseSaveAdd(Document):
    """More base damage saves, or fewer for a negative count."""

    type: Literal["base_save_add"]
    target: SaveTarget
    count: int = Field(default=1, ge=-10, le=10)


class LayerAdd(Document):
    """An additional layer of defense."""

    type: Literal["layer_add"]
    kind: LayerKind = LayerKind.ABILITY
    saves: tuple[SaveTarget, ...] = Field(min_length=1, max_length=10)  # the target numbers of its saves
    scale: Scale = Scale.NORMAL  # the damage scale they withstand, where these are played


class LuckyBreaksMaximum(Document):
    """More (or fewer) Lucky Breaks per session."""

    type: Literal["lucky_breaks"]
    value: int = Field(ge=-5, le=5)


class UnarmedDamage(Document):
    """More damage of unarmed attacks."""

    type: Literal["unarmed_damage"]
    value: int = Field(default=0, ge=-5, le=5)  # how much more
    may_choose_lethal: bool = False  # whether the owner chooses if it is lethal


class CautiousMovement(Document):
    """Cautious movement that takes fewer actions, or goes further."""

    type: Literal["cautious_movement"]
    actions: int | None = Field(default=None, ge=1, le=6)  # actions it takes; None for the whole turn
    steps: int = Field(default=1, ge=1, le=6)  # how many moves it is worth


class FreeAttackTrigger(StrEnum):
    """What triggers a free attack."""

    MELEE_MISS = "melee attack on the owner misses"


class FreeAttackOn(Document):
    """A free attack on a trigger. [RPJ-TRAIT-07 (R-054)]"""

    type: Literal["free_attack_on"]
    trigger: FreeAttackTrigger  # what must happen
    costs_the_free_attack: bool = True  # whether it uses up the round's free attack


class InitiativeOrder(Document):
    """A place in the order regardless of the roll."""

    type: Literal["initiative_order"]
    first_in_first_round: bool = False  # acts first in the owner's first round
    last_when_surprised: bool = False  # when surprised, still acts at the end of the surprise round


class GrantsManeuver(Document):
    """A maneuver the owner can use."""

    type: Literal["grants_maneuver"]
    maneuver: Literal["prepare", "watchful", "holding", "guarding"]


class RpjHands(Document):
    """More than two hands."""

    type: Literal["hands"]
    count: int = Field(ge=1, le=8)  # how many in all


class Capability(Document):
    """Something the owner can or can't do, without numbers."""

    type: Literal["capability"]
    tag: str = Field(min_length=1, max_length=100)


Effect = Annotated[
    RollBonus
    | AttributeAdjust
    | AttributeRaisePermit
    | BaseSaveAdd
    | LayerAdd
    | LuckyBreaksMaximum
    | UnarmedDamage
    | CautiousMovement
    | FreeAttackOn
    | InitiativeOrder
    | GrantsManeuver
    | RpjHands
    | Capability
    | PackEffect,
    Field(discriminator="type"),
]


def roll_bonus(
    effects: tuple[Effect, ...], on: RollTarget, now: RpjCircumstances, *, of: str = ""
) -> tuple[RollBonus, ...]:
    """The bonuses and penalties that apply to a roll. [RPJ-TRAIT-02, RPJ-TRAIT-03, RPJ-TRAIT-06]

    Args:
        effects: The character's effects.
        on: The kind of roll.
        of: The id of the skill, or the attribute, rolled.
    """
    return tuple(
        effect
        for effect in effects
        if isinstance(effect, RollBonus)
        and effect.on is on
        and effect.of in ("", of)
        and effect.when.holds(now)
    )


def toggles(
    effects: tuple[Effect, ...],
    on: RollTarget,
    *,
    of: str = "",
    attribute: RpjAttribute | None = None,
    tags: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """The trait conditions a player can claim for a roll. [RPJ-TRAIT-02, RPJ-TRAIT-06]

    Args:
        effects: The character's effects.
        on: The kind of roll.
        of: The id of the skill, or the attribute, rolled.
        attribute: The attribute whose level is in the roll.
        tags: The tags of the skill.
    """
    return tuple(
        dict.fromkeys(
            effect.when.toggle
            for effect in effects
            if isinstance(effect, RollBonus | AttributeAdjust)
            and effect.when.toggle
            and effect.when.skill_tag in ("", *tags)
            and _concerns(effect, on, of, attribute)
        )
    )


def _concerns(
    effect: RollBonus | AttributeAdjust, on: RollTarget, of: str, attribute: RpjAttribute | None
) -> bool:
    if isinstance(effect, AttributeAdjust):
        return effect.attribute is attribute
    return effect.on is on and effect.of in ("", of)
