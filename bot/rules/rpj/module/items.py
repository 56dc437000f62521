"""Items: weapons, armor, gear and ammunition, and what they cost before haggling."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct
from pydantic import Field, model_validator

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, listed
from bot.rules.rpj.module.basics import Id, IdOrNothing, ModuleEntry, RpjAttribute, Scale, triangle
from bot.rules.rpj.module.effects import Effect, LayerKind, SaveTarget

LOTS = 3
MOST_STEPS = 20
SUPPRESSIVE = 2
USES_THAT_TELL = 2
_STEPS = ("None", "A Little", "Some", "Lots")


class Magazine(Document):
    """A weapon's magazine, as a module defines it. [RPJ-FIRE-02, RPJ-FIRE-03]"""

    type: Id  # the kind of ammunition, for swapping
    capacity: int = Field(ge=1, le=100)  # rounds of a fight it lasts when full
    reload_actions: int = Field(default=1, ge=0, le=6)


class Ammunition(Document):
    """The ammunition of one character's weapon. [RPJ-FIRE-02, RPJ-FIRE-04]"""

    loaded: int = Field(ge=0, le=100)  # rounds of use left in the magazine
    # How much more is carried: 0 None, 1 A Little, 2 Some, 3 Lots, above that Lots and more.
    step: int = Field(default=LOTS, ge=0, le=MOST_STEPS)
    is_used: bool = False  # whether it has been used this round
    has_suppressed: bool = False  # whether that was Suppressive Fire
    uses: int = Field(default=0, ge=0)  # attacks with it in this fight; Suppressive Fire counts twice

    def _changed(self, **changes: object) -> "Ammunition":
        return evolve(self, **changes)

    def shot(self, name: str) -> "Ammunition":
        """After an ordinary attack; only the first use in a round takes ammunition.

        Args:
            name: The weapon's name.

        Raises:
            UserError: If nothing is loaded, or nothing is carried.

        [RPJ-FIRE-02 (FIRE-02a), RPJ-FIRE-08, RPJ-FIRE-31 (FIRE-31a)]
        """
        self._assert_some(name)
        if self.is_used:
            return self._changed(uses=self.uses + 1)
        self._assert_loaded(name)
        return self._changed(loaded=self.loaded - 1, is_used=True, uses=self.uses + 1)

    def suppressed(self, name: str) -> "Ammunition":
        """After Suppressive Fire, which takes two or what is left and includes the round's ordinary use.

        Raises:
            UserError: If nothing is loaded, or nothing is carried.

        [RPJ-FIRE-22 (FIRE-22a)]
        """
        self._assert_some(name)
        self._assert_loaded(name)
        before = self.loaded + (self.is_used and not self.has_suppressed)
        return self._changed(
            loaded=max(before - SUPPRESSIVE, 0),
            is_used=True,
            has_suppressed=True,
            uses=self.uses + SUPPRESSIVE,
        )

    def spent_in_battle(self, name: str) -> "Ammunition":
        """After a contribution to a mass battle: like Suppressive Fire, with free reloading in between.

        [RPJ-MASS-11 (MASS-11b), RPJ-FIRE-05 (FIRE-05a)]
        """
        return self.new_round().suppressed(name)

    def reloaded(self, capacity: int) -> "Ammunition":
        """With a full magazine; later shots in the round take ammunition again.

        [RPJ-FIRE-03, RPJ-FIRE-02 (FIRE-02b)]
        """
        return self._changed(loaded=capacity, is_used=False, has_suppressed=False)

    def new_round(self) -> "Ammunition":
        """At the beginning of a round."""
        return self._changed(is_used=False, has_suppressed=False)

    def after_fight(self, capacity: int) -> "Ammunition":
        """After a fight: one step less if it was used twice or more, and reloaded if any is left.

        [RPJ-FIRE-05 (FIRE-05b)]
        """
        step = max(self.step - (self.uses >= USES_THAT_TELL), 0)
        return Ammunition(loaded=capacity if step else self.loaded, step=step)

    def with_step(self, step: int) -> "Ammunition":
        """With another amount carried. [RPJ-FIRE-07]"""
        return self._changed(step=step)

    def _assert_some(self, name: str) -> None:
        if not self.step:
            raise UserError(f"The {name} is out of ammunition.", "Swap with another weapon, or resupply.")

    def _assert_loaded(self, name: str) -> None:
        if not self.loaded:
            raise UserError(f"The {name} is empty.", "Reload it first.")


def step_name(step: int) -> str:
    """The amount carried, in words. [RPJ-FIRE-04]"""
    return _STEPS[step] if step <= LOTS else f"Lots +{step - LOTS}"


def reload_actions(magazine: Magazine, actions: int, left: int) -> int:
    """The actions to reload now, a whole turn at most. [RPJ-FIRE-03 (FIRE-03a, FIRE-03b)]

    Args:
        magazine: The weapon's magazine.
        actions: Actions per turn.
        left: Actions left this turn.

    Raises:
        UserError: If too few are left.
    """
    cost = min(magazine.reload_actions, actions)
    if left < cost:
        raise UserError(
            f"Reloading takes {counted(cost, 'action')}; you have {left} left.",
            "You can't split it over turns.",
        )
    return cost


def ammunition_swapped(
    one: tuple[Magazine, Ammunition], other: tuple[Magazine, Ammunition]
) -> tuple[Ammunition, Ammunition]:
    """Two weapons of one owner with their carried ammunition swapped; magazines stay.

    Raises:
        UserError: If they use different ammunition.

    [RPJ-FIRE-06 (FIRE-06a)]
    """
    if one[0].type != other[0].type:
        raise UserError("These two weapons use different ammunition.", f"{one[0].type} and {other[0].type}.")
    return one[1].with_step(other[1].step), other[1].with_step(one[1].step)


def given(giver: Ammunition, taker: Ammunition, steps: int) -> tuple[Ammunition, Ammunition]:
    """Ammunition given step by step: the giver's and the taker's. [RPJ-FIRE-07 (FIRE-07a)]

    Raises:
        UserError: If the giver has less, or the taker can't carry it.
    """
    if steps > giver.step:
        raise UserError(f"You only have {step_name(giver.step)} to give.")
    if taker.step + steps > MOST_STEPS:
        raise UserError("Nobody can carry that much.")
    return giver.with_step(giver.step - steps), taker.with_step(taker.step + steps)


class Rarity(StrEnum):
    """How rare an item is; each is a step on the ladder of costs. [RPJ-MONEY-02]"""

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
    """A kind of goods that costs more than its rarity. [RPJ-MONEY-19, RPJ-MONEY-20 (MONEY-20a)]"""

    offset: int = Field(default=0, ge=0, le=20)  # steps on the ladder added to the rarity
    multiplier: int = Field(default=1, ge=1, le=1000)  # a multiplier of the cost instead

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> "CostCategory":
        if self.offset and self.multiplier != 1:
            raise ValueError("A category can have an offset or a multiplier, not both.")
        return self


class Container(StrEnum):
    """A kind of container: a satchel or vest, or a pack. [RPJ-INV-07, RPJ-INV-08]"""

    HANDY = "handy"
    LARGE = "large"


class Direction(StrEnum):
    """The direction in which a feature of an item gets better."""

    HIGHER = "higher"
    LOWER = "lower"


class RpjItem(ModuleEntry):
    """An item. [RPJ-MONEY-02, RPJ-INV-01]"""

    rarity: Rarity | None = None  # its rarity; None for what cannot be bought
    # A cost of its own, instead of the one of its rarity.
    cost: int | None = Field(default=None, ge=0, le=10_000)
    category: IdOrNothing = ""  # its cost category, or empty
    load: int = Field(default=1, ge=0, le=100)  # its load while carried
    load_worn: int | None = Field(default=None, ge=0, le=100)  # its load while worn, if it can be worn
    container: Container | None = None  # the kind of container it is, if any
    # The features quality can change, with the direction of better.
    features: dict[Id, Direction] = Field(default_factory=dict, max_length=20)

    @property
    def is_wearable(self) -> bool:
        """Whether it can be worn."""
        return self.load_worn is not None or self.container is not None


class RpjWeapon(RpjItem):
    """A weapon."""

    skill: Id  # the skill it is used with
    attribute: RpjAttribute  # the attribute whose bonus is added
    damage: int = Field(ge=-5, le=20)  # added to the target number of a damage save
    hits: int = Field(default=1, ge=1, le=10)  # how many times one hit deals its damage
    is_nonlethal: bool = False  # whether it knocks out instead of killing
    hands: int = Field(default=1, ge=1, le=4)  # how many hands it needs
    is_main_hand: bool = False  # whether it excludes a second weapon
    attack_modifier: int = Field(default=0, ge=-10, le=10)  # added to attacks with it
    # Minimum range in regions; None for the same group.
    least_range: int | None = Field(default=None, ge=0, le=20)
    # Maximum range in regions; None for the same group.
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    # Added to attacks at a distance; 0 by default.
    range_modifiers: dict[int, int] = Field(default_factory=dict, max_length=21)
    bypasses: tuple[LayerKind, ...] = ()
    scale: Scale = Scale.NORMAL  # its damage scale, where these are played
    # Its magazine, where Fire and Movement is played; None if it needs no ammunition.
    ammunition: Magazine | None = None

    @property
    def is_ranged(self) -> bool:
        """Whether it reaches beyond the same group."""
        return self.greatest_range is not None


class Armor(RpjItem):
    """Armor or a shield."""

    kind: Literal[LayerKind.ARMOR, LayerKind.SHIELD] = LayerKind.ARMOR  # which of the two
    # The target numbers of its damage saves.
    saves: tuple[SaveTarget, ...] = Field(min_length=1, max_length=10)
    dodge: int = Field(default=0, ge=-10, le=10)  # added to the defense value for dodging
    absorb: int = Field(default=0, ge=-10, le=10)  # added to the defense value for absorbing
    reduction: int = Field(default=0, ge=0, le=10)  # damage reduction while it is the layer struck
    skill: IdOrNothing = ""  # the skill to wear it, or empty
    must_absorb: bool = False  # whether its wearer can only absorb
    scale: Scale = Scale.NORMAL  # the damage scale its saves withstand, where these are played


class RpjGear(RpjItem):
    """Any other item."""

    effects: tuple[Effect, ...] = ()  # its effects while carried
    is_medical: bool = False  # whether wounds can be treated with it
    medical_modifier: int = Field(default=0, ge=-10, le=10)  # added to the difficulty of treatment with it


MOST_CHANGES = 3
MOST_QUANTITY = 1_000_000
BETTER, WORSE = 2, 1


class Order(Document):
    """An order. [RPJ-MONEY-06 to RPJ-MONEY-09 (MONEY-08a)]"""

    quantity: int = Field(default=1, ge=1, le=MOST_QUANTITY)  # how many, bought together
    better: tuple[Id, ...] = ()  # features improved by 1, each at most once
    worse: tuple[Id, ...] = ()  # features worsened by 1 each time they are listed

    @model_validator(mode="after")
    def _keeps_to_what_quality_allows(self) -> "Order":
        if len(set(self.better)) < len(self.better):
            raise ValueError("You can improve a feature only once.")
        if len(self.better) + len(self.worse) > MOST_CHANGES:
            raise ValueError(f"You can change {MOST_CHANGES} features at most, better and worse together.")
        return self

    @property
    def changes(self) -> dict[str, int]:
        """The change of each feature: steps better, negative for worse."""
        named = dict.fromkeys((*self.better, *self.worse))
        steps = {name: self.better.count(name) - self.worse.count(name) for name in named}
        return {name: count for name, count in steps.items() if count}


class PriceLine(Struct, frozen=True):
    """One step of a price: its label, and the cost so far."""

    label: str
    cost: int


class Price(Struct, frozen=True):
    """A price with its steps."""

    lines: tuple[PriceLine, ...]  # the steps; the last has the final price

    @property
    def cost(self) -> int:
        """The final price in Coin."""
        return self.lines[-1].cost


def rung_of(cost: int) -> int:
    """The lowest step of the ladder whose cost is enough. [RPJ-MONEY-06 (MONEY-06c)]"""
    step = 0
    while triangle(step) < cost:
        step += 1
    return step


def quantity_steps(quantity: int) -> int:
    """Steps a quantity adds to a purchase: one for each started factor of ten. [RPJ-MONEY-06 (MONEY-06a)]"""
    return len(str(quantity - 1)) if quantity > 1 else 0


def own_step(item: RpjItem) -> int:
    """An item's own step on the ladder, before quantity and category. [RPJ-MONEY-04 (MONEY-04a)]

    Raises:
        UserError: If it cannot be bought.
    """
    if item.cost is not None:
        return rung_of(item.cost)
    if item.rarity is None:
        raise UserError(f"{item.name} isn't for sale.", "The module gives it no rarity or cost.")
    return item.rarity.step


def single_cost(item: RpjItem, category: CostCategory | None = None) -> int:
    """The cost of one item at the usual quality and market. [RPJ-MONEY-02, RPJ-MONEY-19, RPJ-MONEY-20]"""
    step = own_step(item)
    offset = category.offset if category else 0
    cost = triangle(step + offset) if item.cost is None else item.cost
    return cost * (category.multiplier if category else 1)


def lot_cost(item: RpjItem, quantity: int, category: CostCategory | None = None) -> int:
    """The cost of several items: singly or together, whichever is cheaper.

    [RPJ-MONEY-06 (MONEY-06a, MONEY-06b, MONEY-06c)]
    """
    singly = quantity * single_cost(item, category)
    if quantity == 1:
        return singly
    offset = category.offset if category and item.cost is None else 0
    multiplier = category.multiplier if category else 1
    return min(singly, triangle(own_step(item) + offset + quantity_steps(quantity)) * multiplier)


def price_of(
    item: RpjItem, order: Order, *, category: CostCategory | None = None, availability: int = 0
) -> Price:
    """The price of an order before haggling, step by step.

    Args:
        order: The quantity and quality.
        category: The item's cost category.
        availability: The market's price change.

    Raises:
        UserError: If it is not for sale, has no such feature, or the price change is too large.

    [RPJ-MONEY-10 (MONEY-10a), RPJ-MONEY-04, RPJ-MONEY-07, RPJ-MONEY-08]
    """
    step = own_step(item)
    _assert_features(item, order)
    if abs(availability) > step:
        raise UserError(f"The price of {item.name} can change by {step} Coin at most.")
    base = "listed" if item.cost is not None or item.rarity is None else item.rarity.value
    lines = [PriceLine(f"{base}, {category.name}" if category else base, single_cost(item, category))]
    if order.quantity > 1:
        lines.append(PriceLine(f"{order.quantity} of them", lot_cost(item, order.quantity, category)))
    if order.better or order.worse:
        quality = BETTER * len(order.better) - WORSE * len(order.worse)
        lines.append(PriceLine("quality", max(lines[-1].cost + quality, 0)))
    if availability:
        lines.append(PriceLine("market", max(lines[-1].cost + availability, 0)))
    return Price(tuple(lines))


def _assert_features(item: RpjItem, order: Order) -> None:
    unknown = [name for name in (*order.better, *order.worse) if name not in item.features]
    if unknown:
        its = listed(item.features)
        raise UserError(f"{item.name} has no feature “{unknown[0]}”.", f"Its features: {its}.")
