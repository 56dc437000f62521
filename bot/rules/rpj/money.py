"""The money commands: the purse, Wealth, earmarks, gifts, and the GM's market, income and charges."""

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import signed
from bot.rules.rpj.character.belongings import item_named, pass_month, purse_of, with_month, with_purse
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.possessions import (
    BURNED_WEALTH,
    COIN_A_WEALTH,
    Purse,
    burn,
    buy_wealth,
    income_of,
    pay,
    plan_earmark,
    queue_income,
    share,
)
from bot.rules.rpj.module.settings import module_in, require
from bot.rules.rpj.trading import MARKET_KEY, market_of

MOST = 10_000


class WealthOptions(Document):
    """The options of buying Wealth."""

    amount: int = Field(ge=1, le=MOST)  # how much
    asset: str = Field(min_length=1, max_length=100)  # what it is in the story


class AmountOptions(Document):
    """The options of burning Wealth."""

    amount: int = Field(default=1, ge=1, le=MOST)


class EarmarkOptions(Document):
    """The options of setting Wealth aside."""

    name: str = Field(min_length=1, max_length=60)  # what it pays for
    amount: int = Field(ge=0, le=MOST)  # how much; 0 frees it


class GiftOptions(Document):
    """The options of a gift of money."""

    target: CharacterId  # who gets it
    coin: int = Field(default=0, ge=0, le=MOST)  # how much Coin
    wealth: int = Field(default=0, ge=0, le=MOST)  # how much Wealth


class HandOverOptions(Document):
    """The options of accepting a gift."""

    giver: CharacterId  # who gives it
    coin: int = 0  # how much Coin
    wealth: int = 0  # how much Wealth


class MarketOptions(Document):
    """The options of a market change."""

    item: str = Field(default="", max_length=100)  # the item; empty for everything
    shift: int = Field(default=0, ge=-10, le=10)  # the price change; 0 resets it
    anew: bool = False  # whether failed purchases may be tried again


class IncomeOptions(Document):
    """The options of income or a charge."""

    target: CharacterId
    amount: int = Field(ge=1, le=MOST)  # how much
    name: str = Field(default="pay", min_length=1, max_length=60)


class MonthOptions(Document):
    """The options of ending the month."""

    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=50)


def purse_lines(purse: Purse) -> tuple[str, ...]:
    """A purse in short lines. [RPJ-MONEY-01]"""
    holdings = purse.holdings
    planned = [] if holdings.planned is None else [f"{one.name} {one.amount}" for one in holdings.planned]
    lines = (
        f"Coin {purse.coin} · Wealth {purse.wealth}",
        f"Set aside: {', '.join(f'{one.name} {one.amount}' for one in holdings.earmarks)}"
        if holdings.earmarks
        else "",
        f"Set aside from the month's end: {', '.join(planned) or 'nothing'}"
        if holdings.planned is not None
        else "",
        f"At the month's end: {signed(income_of(purse.coin, purse.free_wealth))} Coin from Wealth"
        if purse.wealth
        else "",
        *(f"then {signed(one.amount)} Coin, {one.name}" for one in holdings.income),
        *(f"· {asset}" for asset in holdings.assets),
    )
    return tuple(line for line in lines if line)


@procedure("purse")
def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the purse. [RPJ-MONEY-01]"""
    require(scene, Pack.MONEY)
    lines = purse_lines(purse_of(scene.actor))
    return Outcome(scene=scene, headline="checks their purse", notes=lines, is_public=False)


@procedure("wealth")
def want_wealth(scene: Scene, options: WealthOptions, _dice: Dice) -> Outcome:
    """Ask to buy Wealth; the GM must agree. [RPJ-MONEY-14]

    Raises:
        UserError: If there is not enough Coin.
    """
    require(scene, Pack.MONEY)
    actor, cost = scene.actor, options.amount * COIN_A_WEALTH
    buy_wealth(purse_of(actor), options.amount, options.asset)
    button = FollowUp(
        procedure="agree_wealth",
        options=options,
        label=f"Allow it: {cost} Coin for {options.amount} Wealth (GM)",
        audience=Audience.GM,
        character=actor.id,
        group="wealth",
        is_owed=True,
    )
    return Outcome(
        scene=scene,
        headline=f"wants to invest {cost} Coin in {options.asset.strip()}",
        follow_ups=(button,),
    )


@procedure("agree_wealth", gm_only=True)
def agree_wealth(scene: Scene, options: WealthOptions, _dice: Dice) -> Outcome:
    """Turn Coin into Wealth. [RPJ-MONEY-14]

    Raises:
        UserError: If there is no longer enough Coin.
    """
    require(scene, Pack.MONEY)
    after = buy_wealth(purse_of(scene.actor), options.amount, options.asset.strip())
    return Outcome(scene=_kept(scene, scene.actor.id, after), headline=f"now owns {options.asset.strip()}")


def _kept(scene: Scene, who: CharacterId, purse: Purse) -> Scene:
    return with_month(scene.with_character(with_purse(scene.character(who), purse)), who)


@procedure("want_to_burn")
def want_to_burn(scene: Scene, options: AmountOptions, _dice: Dice) -> Outcome:
    """Ask for confirmation before burning Wealth permanently. [RPJ-MONEY-16]

    Raises:
        UserError: If there is less to burn.
    """
    require(scene, Pack.MONEY)
    actor, coin = scene.actor, options.amount * BURNED_WEALTH
    burn(purse_of(actor), options.amount)
    button = FollowUp(
        procedure="burn",
        options=options,
        label=f"Burn {options.amount} Wealth permanently for {coin} Coin",
        character=actor.id,
        group="burn",
    )
    return Outcome(scene=scene, headline="considers burning Wealth", follow_ups=(button,))


@procedure("burn")
def burn_wealth(scene: Scene, options: AmountOptions, _dice: Dice) -> Outcome:
    """Turn Wealth into Coin permanently. [RPJ-MONEY-16 (MONEY-16a)]"""
    require(scene, Pack.MONEY)
    after = burn(purse_of(scene.actor), options.amount)
    return Outcome(scene=_kept(scene, scene.actor.id, after), headline=f"burns {options.amount} Wealth")


@procedure("earmark")
def set_aside(scene: Scene, options: EarmarkOptions, _dice: Dice) -> Outcome:
    """Set Wealth aside for a monthly cost from the next month's end on, or free it. [RPJ-MONEY-15]"""
    require(scene, Pack.MONEY)
    actor, name = scene.actor, options.name.strip()
    after = plan_earmark(purse_of(actor), name, options.amount)
    done = (
        f"sets {options.amount} Wealth aside for {name}" if options.amount else f"frees the Wealth for {name}"
    )
    return Outcome(
        scene=_kept(scene, actor.id, after), headline=done, notes=("This starts at the end of the month.",)
    )


@procedure("give")
def give(scene: Scene, options: GiftOptions, _dice: Dice) -> Outcome:
    """Offer Coin and Wealth to someone, who can accept it. [RPJ-MONEY-17]

    Raises:
        UserError: If there is less, or nothing is given.
    """
    require(scene, Pack.MONEY)
    actor, taker = scene.actor, scene.character(options.target)
    if taker.id == actor.id:
        raise UserError("You can't give something to yourself.")
    words = _gift_words(options.coin, options.wealth)
    share(purse_of(actor), purse_of(taker), coin=options.coin, wealth=options.wealth)
    button = FollowUp(
        procedure="accept",
        options=HandOverOptions(giver=actor.id, coin=options.coin, wealth=options.wealth),
        label=f"Accept {words}",
        character=taker.id,
        group="gift",
    )
    return Outcome(scene=scene, headline=f"offers {taker.name} {words}", follow_ups=(button,))


def _gift_words(coin: int, wealth: int) -> str:
    parts = [f"{coin} Coin"] * bool(coin) + [f"{wealth} Wealth"] * bool(wealth)
    if not parts:
        raise UserError("You didn't say what to give.", "Enter how much Coin or Wealth.")
    return " and ".join(parts)


@procedure("accept")
def accept(scene: Scene, options: HandOverOptions, _dice: Dice) -> Outcome:
    """Accept a gift; both purses change at once. [RPJ-MONEY-17]

    Raises:
        UserError: If the giver no longer has enough.
    """
    require(scene, Pack.MONEY)
    giver, taker = scene.character(options.giver), scene.actor
    left, got = share(purse_of(giver), purse_of(taker), coin=options.coin, wealth=options.wealth)
    scene = _kept(_kept(scene, giver.id, left), taker.id, got)
    words = _gift_words(options.coin, options.wealth)
    return Outcome(scene=scene, headline=f"accepts {words} from {giver.name}")


@procedure("market", gm_only=True, needs_actor=False)
def shift_market(scene: Scene, options: MarketOptions, _dice: Dice) -> Outcome:
    """Change prices, or allow another try at failed purchases. [RPJ-MONEY-04, RPJ-MONEY-11 (MONEY-11b)]"""
    require(scene, Pack.MONEY)
    market = market_of(scene)
    if options.item:
        item = item_named(module_in(scene.settings), options.item)
        market, what = market.with_shift(item, options.shift), item.name
    else:
        market, what = evolve(market, general=options.shift), "everything"
    if options.anew:
        market = evolve(market, tried=())
    shifted = f"{signed(options.shift)} Coin" if options.shift else "as usual"
    notes = ("Failed purchases can be tried again.",) if options.anew else ()
    return Outcome(
        scene=scene.with_document(MARKET_KEY, market),
        headline=f"changes the market: {what} {shifted}",
        notes=notes,
    )


@procedure("income", gm_only=True, needs_actor=False)
def add_income(scene: Scene, options: IncomeOptions, _dice: Dice) -> Outcome:
    """Add income for the next month's end, paid after what Wealth brings. [RPJ-MONEY-13]"""
    require(scene, Pack.MONEY)
    who = scene.character(options.target)
    after = queue_income(purse_of(who), options.name.strip(), options.amount)
    return Outcome(
        scene=_kept(scene, who.id, after),
        headline=f"gives {who.name} {options.amount} Coin at the month's end ({options.name.strip()})",
    )


@procedure("month", gm_only=True, needs_actor=False)
def close_month(scene: Scene, options: MonthOptions, _dice: Dice) -> Outcome:
    """End the month for some characters. [RPJ-MONEY-12 (MONEY-12b)]"""
    require(scene, Pack.MONEY)
    notes = []
    for who in dict.fromkeys(options.who):
        before = scene.character(who)
        scene, text = pass_month(scene, who)
        is_same = purse_of(scene.character(who)) == purse_of(before)
        notes += [text] if text else [f"{before.name}: no change."] if is_same else []
    return Outcome(scene=scene, headline="ends the month", notes=tuple(notes))


@procedure("charge", gm_only=True, needs_actor=False)
def charge(scene: Scene, options: IncomeOptions, _dice: Dice) -> Outcome:
    """Take Coin from a character: a toll, a fine, a night at the inn. [RPJ-MONEY-03]"""
    require(scene, Pack.MONEY)
    who = scene.character(options.target)
    after = pay(purse_of(who), options.amount)
    return Outcome(
        scene=_kept(scene, who.id, after),
        headline=f"charges {who.name} {options.amount} Coin for {options.name.strip()}",
    )
