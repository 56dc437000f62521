"""What characters own: items and their quality, what they weigh, and the purse."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import ceil
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, signed
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.items import Armor, Container, Direction, RpjItem, RpjWeapon
from bot.rules.rpj.module.module import LoadRules, Module

HARDEST, EASIEST = 2, 12
SAVES = "saves"
_USUAL: dict[type[RpjItem], dict[str, Direction]] = {
    RpjWeapon: {"damage": Direction.HIGHER, "attack_modifier": Direction.HIGHER},
    Armor: {
        SAVES: Direction.LOWER,
        "dodge": Direction.HIGHER,
        "absorb": Direction.HIGHER,
        "reduction": Direction.HIGHER,
    },
}
Thing = TypeVar("Thing", bound=RpjItem)

HAS = "See what you have with /rpj-gear purse."


def features_of(item: RpjItem) -> Mapping[str, Direction]:
    """The features quality can change about an item, and which direction is better. [RPJ-MONEY-07]

    What the module says comes first; without it, weapons change in damage and attack, armor in its saves
    and defense modifiers, and everything in its load.
    """
    usual = next((found for kind, found in _USUAL.items() if isinstance(item, kind)), {})
    return dict(item.features) or {**usual, "load": Direction.LOWER}


def of_quality(item: Thing, changes: Mapping[str, int]) -> Thing:
    """An item with some of its features changed. [RPJ-MONEY-07, RPJ-MONEY-08]

    Args:
        item: The item of the module.
        changes: Steps better for each feature; negative is worse.
    """
    features = features_of(item)
    update: dict[str, object] = {}
    for name, steps in changes.items():
        signed = steps if features.get(name) is Direction.HIGHER else -steps
        if name == SAVES and isinstance(item, Armor):
            update[name] = tuple(min(max(save + signed, HARDEST), EASIEST) for save in item.saves)
        elif isinstance(now := getattr(item, name, None), int):
            update[name] = max(now + signed, 0) if name in ("load", "reduction") else now + signed
    return evolve(item, **update) if update else item


def with_qualities(module: Module, qualities: Mapping[str, Mapping[str, int]]) -> Module:
    """The module with some items of another quality. [RPJ-MONEY-07, RPJ-MONEY-08]

    Args:
        qualities: The changes of each item, by its id.
    """
    return evolve(
        module,
        weapons=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.weapons),
        armor=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.armor),
        gear=tuple(of_quality(item, qualities.get(item.id, {})) for item in module.gear),
    )


def quality_words(changes: Mapping[str, int]) -> str:
    """An item's changes in words: "damage +1, load −1"; empty for the usual quality."""
    return ", ".join(f"{name} {signed(steps)}" for name, steps in sorted(changes.items()))


HEAVY_ATTRIBUTES = (RpjAttribute.STR, RpjAttribute.DEX, RpjAttribute.CON)
OVERLOADED_PENALTY = -1
FREE_SWITCH, SWITCH, LOADED_SWITCH = 0, 1, 2


class RpjPlace(StrEnum):
    """Where an item is."""

    HELD = "held"
    WORN = "worn"
    CARRIED = "carried"
    HANDY = "handy container"
    LARGE = "large container"
    AWAY = "left behind"

    @property
    def container(self) -> Container | None:
        """The kind of container it is in, or None."""
        return {RpjPlace.HANDY: Container.HANDY, RpjPlace.LARGE: Container.LARGE}.get(self)


class Possession(Document):
    """An item a character owns, or several of a kind."""

    item: str  # its id in the module
    count: int = Field(default=1, ge=1, le=1_000_000)  # how many, in one place
    place: RpjPlace = RpjPlace.CARRIED  # where
    # Changes of its quality: steps better for each feature; negative is worse.
    changes: dict[str, int] = Field(default_factory=dict)

    def is_like(self, other: "Possession") -> bool:
        """Whether the two can be counted together."""
        return (self.item, self.place, self.changes) == (other.item, other.place, other.changes)


class RpjTier(StrEnum):
    """How heavy a character's load is. [RPJ-INV-02 to RPJ-INV-05]"""

    FREE = "unburdened"
    OVERLOADED = "overloaded"
    HELPLESS = "far overloaded"
    TOO_MUCH = "more than can be carried"


def load_limit(rules: LoadRules, bonus: int, extra: int) -> int:
    """The load that can be carried without a penalty. [RPJ-INV-02]

    Args:
        rules: The module's load rules.
        bonus: Bonus of the attribute they name.
        extra: What traits add.
    """
    return max(rules.base + bonus + extra, 0)


def tier_of_load(load: int, limit: int) -> RpjTier:
    """The tier of a load. [RPJ-INV-03, RPJ-INV-04, RPJ-INV-05 (INV-05a)]"""
    for times, tier in ((1, RpjTier.FREE), (2, RpjTier.OVERLOADED), (3, RpjTier.HELPLESS)):
        if load <= times * limit:
            return tier
    return RpjTier.TOO_MUCH


def skill_penalty(tier: RpjTier, linked: RpjAttribute) -> int:
    """The penalty of a load to a skill roll, checks and attacks alike. [RPJ-INV-03 (INV-03a, INV-03b)]"""
    return OVERLOADED_PENALTY if tier is not RpjTier.FREE and linked in HEAVY_ATTRIBUTES else 0


def defense_penalty(tier: RpjTier) -> int:
    """The penalty of a load to every defense value. [RPJ-INV-03 (INV-03b)]"""
    return 0 if tier is RpjTier.FREE else OVERLOADED_PENALTY


def forbids(tier: RpjTier, attribute: RpjAttribute) -> bool:
    """Whether nothing linked to an attribute can be rolled: no checks, no saving throws, no attacks.

    Saving throws count as failed; without an initiative roll, the character acts last.

    [RPJ-INV-04 (INV-04a, INV-04c)]
    """
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH) and attribute in HEAVY_ATTRIBUTES


def is_hit_by_everything(tier: RpjTier) -> bool:
    """Whether every attack hits without a roll, and so without criticals. [RPJ-INV-04 (INV-04b)]"""
    return tier in (RpjTier.HELPLESS, RpjTier.TOO_MUCH)


def switch_actions(tier: RpjTier, switched_before: int) -> int:
    """The actions to take something else in hand. [RPJ-INV-06 (INV-06a)]

    Args:
        tier: The load tier.
        switched_before: How often the character has switched this turn.
    """
    if tier is not RpjTier.FREE:
        return LOADED_SWITCH
    return SWITCH if switched_before else FREE_SWITCH


# --- what weighs how much ------------------------------------------------------------------------


def capacity(kind: Container, limit: int) -> int:
    """The load a container holds. [RPJ-INV-07, RPJ-INV-08]"""
    return ceil(limit / 2) if kind is Container.HANDY else limit


def load_of(things: Iterable[Possession], items: Mapping[str, RpjItem]) -> int:
    """The load of everything carried. [RPJ-INV-01, RPJ-INV-07 (INV-07b), RPJ-INV-08]

    Args:
        items: The module's items by id; unknown ones weigh nothing.
    """
    owned = tuple(things)
    return sum(_weighs(thing, owned, items) for thing in owned)


def _weighs(thing: Possession, owned: tuple[Possession, ...], items: Mapping[str, RpjItem]) -> int:
    item = items.get(thing.item)
    if item is None or thing.place is RpjPlace.AWAY:
        return 0
    if thing.place is RpjPlace.WORN:
        worn = 0 if item.container else item.load_worn
        return thing.count * (item.load if worn is None else worn)
    inside = thing.place.container
    if inside is not None and _containers(owned, items, inside, RpjPlace.WORN):
        return 0
    return thing.count * item.load


def _containers(
    owned: Iterable[Possession], items: Mapping[str, RpjItem], kind: Container, *places: RpjPlace
) -> int:
    """The number of containers of a kind in these places."""
    return sum(
        thing.count
        for thing in owned
        if thing.place in places and thing.item in items and items[thing.item].container is kind
    )


def inside_of(things: Iterable[Possession], items: Mapping[str, RpjItem], kind: Container) -> int:
    """The load inside the containers of a kind."""
    return sum(
        thing.count * items[thing.item].load
        for thing in things
        if thing.place.container is kind and thing.item in items
    )


def load_problems(
    things: Iterable[Possession], items: Mapping[str, RpjItem], limit: int, rules: LoadRules
) -> tuple[str, ...]:
    """All problems with what a character carries. [RPJ-INV-05, RPJ-INV-07 (INV-07a), RPJ-INV-08]"""
    owned = tuple(things)
    problems = [
        f"{items[thing.item].name} can't be worn."
        for thing in owned
        if thing.place is RpjPlace.WORN and thing.item in items and not items[thing.item].is_wearable
    ]
    for kind, most in ((Container.HANDY, rules.most_handy), (Container.LARGE, rules.most_large)):
        worn = _containers(owned, items, kind, RpjPlace.WORN)
        if worn > most:
            problems.append(f"You can wear {counted(most, f'{kind} container')} at most, not {worn}.")
        there = worn or _containers(owned, items, kind, RpjPlace.HELD, RpjPlace.CARRIED)
        holds = there * capacity(kind, limit)
        inside = inside_of(owned, items, kind)
        if inside > holds:
            problems.append(
                f"Your {kind} container holds {holds}, not {inside}."
                if there
                else f"You have no {kind} container."
            )
    over = load_of(owned, items) - 3 * limit
    if over > 0:
        problems.append(f"That is {over} more than you can carry at all ({3 * limit}).")
    return tuple(problems)


COIN_A_WEALTH = 10
BURNED_WEALTH = 5
WEALTH_A_COIN = 5


class Earmark(Document):
    """Wealth set aside for a monthly cost; it brings no Coin. [RPJ-MONEY-15]"""

    name: str = Field(min_length=1, max_length=60)  # what it pays for
    amount: int = Field(ge=1, le=10_000)  # how much Wealth


class Holdings(Document):
    """What a sheet stores about money besides Coin and Wealth."""

    earmarks: tuple[Earmark, ...] = Field(default=(), max_length=20)  # wealth that is set aside this month
    # What is set aside from the next month's end on; None where nothing changes.
    planned: tuple[Earmark, ...] | None = Field(default=None, max_length=20)
    # Coin due at the next month's end, with what it is for.
    income: tuple[Earmark, ...] = Field(default=(), max_length=20)
    assets: tuple[str, ...] = Field(default=(), max_length=50)  # what Wealth was invested in


NO_HOLDINGS = Holdings()


class Purse(Struct, frozen=True, kw_only=True):
    """A character's money. [RPJ-MONEY-01]"""

    coin: int = 0  # coin, never below 0
    wealth: int = 0  # wealth, including what is set aside
    holdings: Holdings = NO_HOLDINGS  # earmarks, income and assets

    @property
    def earmarked(self) -> int:
        """Wealth that is set aside."""
        return sum(one.amount for one in self.holdings.earmarks)

    @property
    def free_wealth(self) -> int:
        """Wealth that brings Coin and can be burned or given away."""
        return max(self.wealth - self.earmarked, 0)


def pay(purse: Purse, cost: int) -> Purse:
    """Pay a cost. [RPJ-MONEY-03, RPJ-MONEY-01]

    Args:
        cost: In Coin, 0 or more.

    Raises:
        UserError: If there is not enough.
    """
    if purse.coin < cost:
        raise UserError(
            f"That costs {cost} Coin; you have {purse.coin}.",
            "A GM gives Coin with /gm award.",
        )
    return replace(purse, coin=purse.coin - cost)


def buy_wealth(purse: Purse, amount: int, asset: str) -> Purse:
    """Invest Coin in Wealth. [RPJ-MONEY-14]

    Args:
        amount: Wealth, 1 or more.
        asset: What it is in the story.

    Raises:
        UserError: If there is not enough Coin.
    """
    paid = pay(purse, amount * COIN_A_WEALTH)
    holdings = evolve(paid.holdings, assets=(*paid.holdings.assets, asset))
    return replace(paid, wealth=paid.wealth + amount, holdings=holdings)


def burn(purse: Purse, amount: int) -> Purse:
    """Turn Wealth into Coin permanently. [RPJ-MONEY-16 (MONEY-16a)]

    Raises:
        UserError: If there is less, or it is set aside.
    """
    _assert_free(purse, amount)
    return replace(purse, wealth=purse.wealth - amount, coin=purse.coin + amount * BURNED_WEALTH)


def _assert_free(purse: Purse, amount: int) -> None:
    if amount > purse.free_wealth:
        aside = f" ({purse.earmarked} more is set aside until the month ends)" if purse.earmarked else ""
        raise UserError(f"You can use {purse.free_wealth} Wealth{aside}, not {amount}.", HAS)


def share(giver: Purse, taker: Purse, *, coin: int, wealth: int) -> tuple[Purse, Purse]:
    """Give Coin and Wealth to someone else. [RPJ-MONEY-17]

    Returns:
        The giver's purse and the taker's.

    Raises:
        UserError: If there is less, or it is set aside.
    """
    _assert_free(giver, wealth)
    paid = pay(giver, coin)
    return (
        replace(paid, wealth=paid.wealth - wealth),
        replace(taker, coin=taker.coin + coin, wealth=taker.wealth + wealth),
    )


def plan_earmark(purse: Purse, name: str, amount: int) -> Purse:
    """Set Wealth aside for a monthly cost from the next month's end on, or free it with 0.

    Raises:
        UserError: If that is more than there is.

    [RPJ-MONEY-15 (MONEY-15a)]
    """
    planned = purse.holdings.earmarks if purse.holdings.planned is None else purse.holdings.planned
    rest = tuple(one for one in planned if one.name.casefold() != name.casefold())
    if amount:
        rest = (*rest, Earmark(name=name, amount=amount))
    if sum(one.amount for one in rest) > purse.wealth:
        free = purse.wealth - sum(one.amount for one in rest if one.name != name)
        raise UserError(f"You can set aside {free} Wealth, not {amount}.", HAS)
    return replace(purse, holdings=evolve(purse.holdings, planned=rest))


def income_of(coin: int, wealth: int) -> int:
    """Coin that Wealth brings in a month. [RPJ-MONEY-12 (MONEY-12a)]

    Args:
        coin: Coin before.
        wealth: Wealth that is not set aside.
    """
    return min(wealth - coin, ceil(wealth / WEALTH_A_COIN)) if coin < wealth else 0


def queue_income(purse: Purse, name: str, amount: int) -> Purse:
    """Add income for the next month's end, paid after what Wealth brings. [RPJ-MONEY-13]"""
    income = (*purse.holdings.income, Earmark(name=name, amount=amount))
    return replace(purse, holdings=evolve(purse.holdings, income=income))


def end_month(purse: Purse) -> Purse:
    """The purse after a month: what Wealth brings, then other income, then the new earmarks.

    Where there is less Wealth than planned earmarks, the last of them are dropped.

    [RPJ-MONEY-12, RPJ-MONEY-13, RPJ-MONEY-15 (MONEY-15a)]
    """
    brought = income_of(purse.coin, purse.free_wealth)
    other = sum(one.amount for one in purse.holdings.income)
    planned = purse.holdings.earmarks if purse.holdings.planned is None else purse.holdings.planned
    earmarks: tuple[Earmark, ...] = ()
    for one in planned:
        if sum(kept.amount for kept in earmarks) + one.amount <= purse.wealth:
            earmarks = (*earmarks, one)
    holdings = evolve(purse.holdings, earmarks=earmarks, planned=None, income=())
    return replace(purse, coin=purse.coin + brought + other, holdings=holdings)
