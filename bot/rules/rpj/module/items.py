"""Items: weapons, armor and other gear, with their cost and load."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from bot.rules.rpj.module.ammunition import Magazine
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import Effect, LayerKind, SaveTarget
from bot.rules.rpj.module.entry import Id, IdOrNothing, ModuleEntry
from bot.rules.rpj.module.scales import Scale


class Rarity(StrEnum):
    """How rare an item is; each is a step on the ladder of costs.

    Source: RPJ-MONEY-02.
    """

    UBIQUITOUS = "ubiquitous"
    PLENTIFUL = "plentiful"
    COMMON = "common"
    UNCOMMON = "uncommon"
    RARE = "rare"
    RELIC = "relic"

    @property
    def step(self) -> int:
        """Its step on the ladder, from 1."""
        return list(Rarity).index(self) + 1


class CostCategory(ModuleEntry):
    """A kind of goods that costs more than its rarity.

    Attributes:
        offset: Steps on the ladder added to the rarity.
        multiplier: A multiplier of the cost instead.

    Source: RPJ-MONEY-19, RPJ-MONEY-20 (MONEY-20a).
    """

    offset: int = Field(default=0, ge=0, le=20)
    multiplier: int = Field(default=1, ge=1, le=1000)

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> "CostCategory":
        if self.offset and self.multiplier != 1:
            raise ValueError("A category can have an offset or a multiplier, not both.")
        return self


class Container(StrEnum):
    """A kind of container: a satchel or vest, or a pack.

    Source: RPJ-INV-07, RPJ-INV-08.
    """

    HANDY = "handy"
    LARGE = "large"


class Direction(StrEnum):
    """The direction in which a feature of an item gets better."""

    HIGHER = "higher"
    LOWER = "lower"


class RpjItem(ModuleEntry):
    """An item.

    Attributes:
        rarity: Its rarity; None for what cannot be bought.
        cost: A cost of its own, instead of the one of its rarity.
        category: Its cost category, or empty.
        load: Its load while carried.
        load_worn: Its load while worn, if it can be worn.
        container: The kind of container it is, if any.
        features: The features quality can change, with the direction of better.

    Source: RPJ-MONEY-02, RPJ-INV-01.
    """

    rarity: Rarity | None = None
    cost: int | None = Field(default=None, ge=0, le=10_000)
    category: IdOrNothing = ""
    load: int = Field(default=1, ge=0, le=100)
    load_worn: int | None = Field(default=None, ge=0, le=100)
    container: Container | None = None
    features: dict[Id, Direction] = Field(default_factory=dict, max_length=20)

    @property
    def is_wearable(self) -> bool:
        """Whether it can be worn."""
        return self.load_worn is not None or self.container is not None


class RpjWeapon(RpjItem):
    """A weapon.

    Attributes:
        skill: The skill it is used with.
        attribute: The attribute whose bonus is added.
        damage: Added to the target number of a damage save.
        hits: How many times one hit deals its damage.
        is_nonlethal: Whether it knocks out instead of killing.
        hands: How many hands it needs.
        is_main_hand: Whether it excludes a second weapon.
        attack_modifier: Added to attacks with it.
        least_range: Minimum range in regions; None for the same group.
        greatest_range: Maximum range in regions; None for the same group.
        range_modifiers: Added to attacks at a distance; 0 by default.
        bypasses: Kinds of layers it bypasses.
        scale: Its damage scale, where these are played.
        ammunition: Its magazine, where Fire and Movement is played; None if it needs no ammunition.
    """

    skill: Id
    attribute: RpjAttribute
    damage: int = Field(ge=-5, le=20)
    hits: int = Field(default=1, ge=1, le=10)
    is_nonlethal: bool = False
    hands: int = Field(default=1, ge=1, le=4)
    is_main_hand: bool = False
    attack_modifier: int = Field(default=0, ge=-10, le=10)
    least_range: int | None = Field(default=None, ge=0, le=20)
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    range_modifiers: dict[int, int] = Field(default_factory=dict, max_length=21)
    bypasses: tuple[LayerKind, ...] = ()
    scale: Scale = Scale.NORMAL
    ammunition: Magazine | None = None

    @property
    def is_ranged(self) -> bool:
        """Whether it reaches beyond the same group."""
        return self.greatest_range is not None


class Armor(RpjItem):
    """Armor or a shield.

    Attributes:
        kind: Which of the two.
        saves: The target numbers of its damage saves.
        dodge: Added to the defense value for dodging.
        absorb: Added to the defense value for absorbing.
        reduction: Damage reduction while it is the layer struck.
        skill: The skill to wear it, or empty.
        must_absorb: Whether its wearer can only absorb.
        scale: The damage scale its saves withstand, where these are played.
    """

    kind: Literal[LayerKind.ARMOR, LayerKind.SHIELD] = LayerKind.ARMOR
    saves: tuple[SaveTarget, ...] = Field(min_length=1, max_length=10)
    dodge: int = Field(default=0, ge=-10, le=10)
    absorb: int = Field(default=0, ge=-10, le=10)
    reduction: int = Field(default=0, ge=0, le=10)
    skill: IdOrNothing = ""
    must_absorb: bool = False
    scale: Scale = Scale.NORMAL


class RpjGear(RpjItem):
    """Any other item.

    Attributes:
        effects: Its effects while carried.
        is_medical: Whether wounds can be treated with it.
        medical_modifier: Added to the difficulty of treatment with it.
    """

    effects: tuple[Effect, ...] = ()
    is_medical: bool = False
    medical_modifier: int = Field(default=0, ge=-10, le=10)
