"""Prices before haggling: rarity, quantity, category, quality and the market, in this order."""

from dataclasses import dataclass

from pydantic import Field, model_validator

from bot.rules.kernel import Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.costs import triangle
from bot.rules.rpj.module.entry import Id
from bot.rules.rpj.module.items import CostCategory, RpjItem

MOST_CHANGES = 3
MOST_QUANTITY = 1_000_000
BETTER, WORSE = 2, 1


class Order(Document):
    """An order.

    Attributes:
        quantity: How many, bought together.
        better: Features improved by 1, each at most once.
        worse: Features worsened by 1 each time they are listed.

    Source: RPJ-MONEY-06 to RPJ-MONEY-09 (MONEY-08a).
    """

    quantity: int = Field(default=1, ge=1, le=MOST_QUANTITY)
    better: tuple[Id, ...] = ()
    worse: tuple[Id, ...] = ()

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
        named = dict.fromkeys((*self.better, *self.worse), 0)
        steps = {name: self.better.count(name) - self.worse.count(name) for name in named}
        return {name: count for name, count in steps.items() if count}


@dataclass(frozen=True, slots=True)
class PriceLine:
    """One step of a price: its label, and the cost so far."""

    label: str
    cost: int


@dataclass(frozen=True, slots=True)
class Price:
    """A price with its steps.

    Attributes:
        lines: The steps; the last has the final price.
    """

    lines: tuple[PriceLine, ...]

    @property
    def cost(self) -> int:
        """The final price in Coin."""
        return self.lines[-1].cost


def rung_of(cost: int) -> int:
    """The lowest step of the ladder whose cost is enough.

    Source: RPJ-MONEY-06 (MONEY-06c).
    """
    step = 0
    while triangle(step) < cost:
        step += 1
    return step


def quantity_steps(quantity: int) -> int:
    """Steps a quantity adds to a purchase: one for each started factor of ten.

    Source: RPJ-MONEY-06 (MONEY-06a).
    """
    return len(str(quantity - 1)) if quantity > 1 else 0


def own_step(item: RpjItem) -> int:
    """An item's own step on the ladder, before quantity and category.

    Raises:
        UserError: If it cannot be bought.

    Source: RPJ-MONEY-04 (MONEY-04a).
    """
    if item.cost is not None:
        return rung_of(item.cost)
    if item.rarity is None:
        raise UserError(f"{item.name} isn't for sale.", "The module gives it no rarity or cost.")
    return item.rarity.step


def single_cost(item: RpjItem, category: CostCategory | None = None) -> int:
    """The cost of one item at the usual quality and market.

    Source: RPJ-MONEY-02, RPJ-MONEY-19, RPJ-MONEY-20.
    """
    step = own_step(item)
    offset = category.offset if category else 0
    cost = triangle(step + offset) if item.cost is None else item.cost
    return cost * (category.multiplier if category else 1)


def lot_cost(item: RpjItem, quantity: int, category: CostCategory | None = None) -> int:
    """The cost of several items: singly or together, whichever is cheaper.

    Source: RPJ-MONEY-06 (MONEY-06a, MONEY-06b, MONEY-06c).
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
        item: The item.
        order: The quantity and quality.
        category: The item's cost category.
        availability: The market's price change.

    Raises:
        UserError: If it is not for sale, has no such feature, or the price change is too large.

    Source: RPJ-MONEY-10 (MONEY-10a), RPJ-MONEY-04, RPJ-MONEY-07, RPJ-MONEY-08.
    """
    step = own_step(item)
    _assert_features(item, order)
    if abs(availability) > step:
        raise UserError(f"The price of {item.name} can change by {step} Coin at most.")
    lines = [PriceLine(_base_label(item, category), single_cost(item, category))]
    if order.quantity > 1:
        lines.append(PriceLine(f"{order.quantity} of them", lot_cost(item, order.quantity, category)))
    if order.better or order.worse:
        quality = BETTER * len(order.better) - WORSE * len(order.worse)
        lines.append(PriceLine("quality", max(lines[-1].cost + quality, 0)))
    if availability:
        lines.append(PriceLine("market", max(lines[-1].cost + availability, 0)))
    return Price(tuple(lines))


def _base_label(item: RpjItem, category: CostCategory | None) -> str:
    base = "listed" if item.cost is not None or item.rarity is None else item.rarity.value
    return f"{base}, {category.name}" if category else base


def _assert_features(item: RpjItem, order: Order) -> None:
    unknown = [name for name in (*order.better, *order.worse) if name not in item.features]
    if unknown:
        allowed = ", ".join(item.features) or "none"
        raise UserError(f"{item.name} has no feature “{unknown[0]}”.", f"Its features: {allowed}.")
