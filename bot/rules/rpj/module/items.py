"""What characters own: weapons, armour and other gear, with what each costs and weighs."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from bot.rules.rpj.module.ammunition import Magazine
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import Effect, LayerKind, SaveTarget
from bot.rules.rpj.module.entry import Id, IdOrNothing, ModuleEntry
from bot.rules.rpj.module.scales import Scale


class Rarity(StrEnum):
    """How hard something is to come by; each is a step of the ladder of costs.

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
        """Its step of the ladder, from 1."""
        return list(Rarity).index(self) + 1


class CostCategory(ModuleEntry):
    """A kind of goods that costs more than its rarity says.

    Attributes:
        offset: Steps of the ladder that are added to the rarity.
        multiplier: What the cost is multiplied by instead.

    Source: RPJ-MONEY-19, RPJ-MONEY-20 (MONEY-20a).
    """

    offset: int = Field(default=0, ge=0, le=20)
    multiplier: int = Field(default=1, ge=1, le=1000)

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> "CostCategory":
        if self.offset and self.multiplier != 1:
            raise ValueError("A category has an offset or a multiplier, not both.")
        return self


class Container(StrEnum):
    """What holds other things: a satchel or vest, or a pack.

    Source: RPJ-INV-07, RPJ-INV-08.
    """

    HANDY = "handy"
    LARGE = "large"


class Direction(StrEnum):
    """Which way a feature of an item gets better."""

    HIGHER = "higher"
    LOWER = "lower"


class RpjItem(ModuleEntry):
    """Something one can own.

    Attributes:
        rarity: How hard it is to come by; None for what cannot be bought.
        cost: A cost of its own, instead of the one its rarity gives.
        category: The cost category that it belongs to, or nothing.
        load: What it weighs while it is carried.
        load_worn: What it weighs while it is worn, for what can be worn.
        container: What kind of container it is, if it is one.
        features: What quality can change about it, with the direction in which it gets better.

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
        attribute: Whose bonus is added.
        damage: Added to the target number of a damage save.
        hits: How many times one hit does its damage.
        is_nonlethal: Whether it puts out instead of killing.
        hands: How many hands it takes.
        is_main_hand: Whether no second weapon goes with it.
        attack_modifier: Added to attacks with it.
        least_range: Shortest distance in regions; None for one's own group.
        greatest_range: Longest distance in regions; None for one's own group.
        range_modifiers: Added to attacks at a distance; 0 where a distance is not named.
        bypasses: Kinds of layers that it passes by.
        scale: How great its damage is, where damage scales are played.
        ammunition: What it takes, where Fire and Movement is played; None for what takes none.
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
        """Whether it reaches beyond one's own group."""
        return self.greatest_range is not None


class Armor(RpjItem):
    """Armour or a shield.

    Attributes:
        kind: Which of the two.
        saves: The target numbers of its damage saves.
        dodge: Added to the defence value of those who dodge.
        absorb: Added to the defence value of those who absorb.
        reduction: Taken off the damage while it is the layer struck.
        skill: The skill that it is worn with, or nothing.
        must_absorb: Whether its wearer can only absorb.
        scale: What its saves withstand, where damage scales are played.
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
    """Anything else that one carries.

    Attributes:
        effects: What it does while it is carried.
        is_medical: Whether wounds can be treated with it.
        medical_modifier: Added to the difficulty of treating them with it.
    """

    effects: tuple[Effect, ...] = ()
    is_medical: bool = False
    medical_modifier: int = Field(default=0, ge=-10, le=10)
