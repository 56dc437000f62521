"""A purse: Coin to spend, Wealth that brings income, and what is set aside."""

from dataclasses import dataclass, replace
from math import ceil

from pydantic import Field

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError

COIN_A_WEALTH = 10
BURNED_WEALTH = 5
WEALTH_A_COIN = 5


class Earmark(Document):
    """Wealth set aside for a monthly cost; it brings no Coin.

    Attributes:
        name: What it pays for.
        amount: How much Wealth.

    Source: RPJ-MONEY-15.
    """

    name: str = Field(min_length=1, max_length=60)
    amount: int = Field(ge=1, le=10_000)


class Holdings(Document):
    """What a sheet stores about money besides Coin and Wealth.

    Attributes:
        earmarks: Wealth that is set aside this month.
        planned: What is set aside from the next month's end on; None where nothing changes.
        income: Coin due at the next month's end, with what it is for.
        assets: What Wealth was invested in.
    """

    earmarks: tuple[Earmark, ...] = Field(default=(), max_length=20)
    planned: tuple[Earmark, ...] | None = Field(default=None, max_length=20)
    income: tuple[Earmark, ...] = Field(default=(), max_length=20)
    assets: tuple[str, ...] = Field(default=(), max_length=50)


NO_HOLDINGS = Holdings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """A character's money.

    Attributes:
        coin: Coin, never below 0.
        wealth: Wealth, including what is set aside.
        holdings: Earmarks, income and assets.

    Source: RPJ-MONEY-01.
    """

    coin: int = 0
    wealth: int = 0
    holdings: Holdings = NO_HOLDINGS

    @property
    def earmarked(self) -> int:
        """Wealth that is set aside."""
        return sum(one.amount for one in self.holdings.earmarks)

    @property
    def free_wealth(self) -> int:
        """Wealth that brings Coin and can be burned or given away."""
        return max(self.wealth - self.earmarked, 0)


def pay(purse: Purse, cost: int) -> Purse:
    """Pay a cost.

    Args:
        purse: Whose.
        cost: In Coin, 0 or more.

    Raises:
        UserError: If there is not enough.

    Source: RPJ-MONEY-03, RPJ-MONEY-01.
    """
    if purse.coin < cost:
        raise UserError(f"That costs {cost} Coin; you have {purse.coin}.")
    return replace(purse, coin=purse.coin - cost)


def buy_wealth(purse: Purse, amount: int, asset: str) -> Purse:
    """Invest Coin in Wealth.

    Args:
        purse: Whose.
        amount: Wealth, 1 or more.
        asset: What it is in the story.

    Raises:
        UserError: If there is not enough Coin.

    Source: RPJ-MONEY-14.
    """
    paid = pay(purse, amount * COIN_A_WEALTH)
    holdings = evolve(paid.holdings, assets=(*paid.holdings.assets, asset))
    return replace(paid, wealth=paid.wealth + amount, holdings=holdings)


def burn(purse: Purse, amount: int) -> Purse:
    """Turn Wealth into Coin permanently.

    Raises:
        UserError: If there is less, or it is set aside.

    Source: RPJ-MONEY-16 (MONEY-16a).
    """
    _assert_free(purse, amount)
    return replace(purse, wealth=purse.wealth - amount, coin=purse.coin + amount * BURNED_WEALTH)


def _assert_free(purse: Purse, amount: int) -> None:
    if amount > purse.free_wealth:
        aside = f" ({purse.earmarked} more is set aside until the month ends)" if purse.earmarked else ""
        raise UserError(f"You can use {purse.free_wealth} Wealth{aside}, not {amount}.")


def share(giver: Purse, taker: Purse, *, coin: int = 0, wealth: int = 0) -> tuple[Purse, Purse]:
    """Give Coin and Wealth to someone else.

    Returns:
        The giver's purse and the taker's.

    Raises:
        UserError: If there is less, or it is set aside.

    Source: RPJ-MONEY-17.
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

    Source: RPJ-MONEY-15 (MONEY-15a).
    """
    planned = purse.holdings.earmarks if purse.holdings.planned is None else purse.holdings.planned
    rest = tuple(one for one in planned if one.name.casefold() != name.casefold())
    if amount:
        rest = (*rest, Earmark(name=name, amount=amount))
    if sum(one.amount for one in rest) > purse.wealth:
        free = purse.wealth - sum(one.amount for one in rest if one.name != name)
        raise UserError(f"You can set aside {free} Wealth, not {amount}.")
    return replace(purse, holdings=evolve(purse.holdings, planned=rest))


def income_of(coin: int, wealth: int) -> int:
    """Coin that Wealth brings in a month.

    Args:
        coin: Coin before.
        wealth: Wealth that is not set aside.

    Source: RPJ-MONEY-12 (MONEY-12a).
    """
    return min(wealth - coin, ceil(wealth / WEALTH_A_COIN)) if coin < wealth else 0


def queue_income(purse: Purse, name: str, amount: int) -> Purse:
    """Add income for the next month's end, paid after what Wealth brings.

    Source: RPJ-MONEY-13.
    """
    income = (*purse.holdings.income, Earmark(name=name, amount=amount))
    return replace(purse, holdings=evolve(purse.holdings, income=income))


def end_month(purse: Purse) -> Purse:
    """The purse after a month: what Wealth brings, then other income, then the new earmarks.

    Where there is less Wealth than planned earmarks, the last of them are dropped.

    Source: RPJ-MONEY-12, RPJ-MONEY-13, RPJ-MONEY-15 (MONEY-15a).
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
