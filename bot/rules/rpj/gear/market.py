"""The market of a campaign: price changes, and failed acquisition checks."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.quality import features_of
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.gear.prices import Order, Price, own_step, price_of
from bot.rules.rpj.module.items import CostCategory, RpjItem
from bot.rules.rpj.module.module import Module

MARKET = "market"
MARKET_KEY = f"{MARKET}/all"


class Market(Document):
    """The current price changes.

    Attributes:
        general: The change for everything, up to each item's limit.
        shifts: The changes of single items, by id, instead of the general one.
        tried: Failed acquisition checks, as "character/item".

    Source: RPJ-MONEY-04, RPJ-MONEY-11 (MONEY-11b).
    """

    general: int = Field(default=0, ge=-10, le=10)
    shifts: dict[str, int] = Field(default_factory=dict)
    tried: tuple[str, ...] = Field(default=(), max_length=1000)

    def availability(self, item: RpjItem) -> int:
        """The price change of an item."""
        step = own_step(item)
        return self.shifts.get(item.id, max(-step, min(step, self.general)))

    def with_shift(self, item: RpjItem, shift: int) -> "Market":
        """The market with one item's price changed; 0 returns it to the general change.

        Raises:
            UserError: If the change is too large.
        """
        step = own_step(item)
        if abs(shift) > step:
            raise UserError(f"The price of {item.name} can change by {step} Coin at most.")
        rest = {id_: old for id_, old in self.shifts.items() if id_ != item.id}
        return evolve(self, shifts={**rest, item.id: shift} if shift else rest)


def market_of(scene: Scene) -> Market:
    """The market of the campaign."""
    found = scene.document(MARKET_KEY)
    return found if isinstance(found, Market) else Market()


def category_of(module: Module, item: RpjItem) -> CostCategory | None:
    """The cost category of an item, or None."""
    return next((found for found in module.money.categories if found.id == item.category), None)


def offered_price(scene: Scene, module: Module, item: RpjItem, order: Order) -> Price:
    """The current price of an order, before haggling.

    Raises:
        UserError: If it is not for sale, or has no such feature.

    Source: RPJ-MONEY-10.
    """
    described = evolve(item, features=dict(features_of(item)))
    category, shift = category_of(module, item), market_of(scene).availability(item)
    return price_of(described, order, category=category, availability=shift)


def goods(module: Module) -> tuple[RpjItem, ...]:
    """Everything that is for sale, the cheapest rarity first."""
    things = (*module.weapons, *module.armor, *module.gear)
    sold = [item for item in things if item.rarity is not None or item.cost is not None]
    return tuple(sorted(sold, key=lambda item: (own_step(item), item.name)))


def attempt_key(who: CharacterId, item: RpjItem) -> str:
    """The key of a failed acquisition check."""
    return f"{who}/{item.id}"


def price_words(price: Price) -> str:
    """A price step by step: "common 6 · quality 8 · market 6"."""
    return " · ".join(f"{line.label} {line.cost}" for line in price.lines)
