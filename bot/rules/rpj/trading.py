"""Money and trade: the purse, Wealth, gifts and income; the market, haggling and acquisition checks."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    FollowUp,
    NamedTerm,
    NoOptions,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import signed
from bot.rules.rpj.character.belongings import (
    can_carry,
    item_named,
    items_of,
    pass_month,
    purse_of,
    with_month,
    with_purse,
    with_thing,
)
from bot.rules.rpj.character.lucky_breaks import Rescue, paid_for, rescue_buttons, window_of
from bot.rules.rpj.character.sheet import Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.module.items import CostCategory, Order, Price, RpjItem, own_step, price_of
from bot.rules.rpj.module.module import Module, Pack, RpjSkill, SkillRole
from bot.rules.rpj.module.module_files import is_on, module_in, require
from bot.rules.rpj.module.possessions import (
    BURNED_WEALTH,
    COIN_A_WEALTH,
    Possession,
    Purse,
    RpjPlace,
    burn,
    buy_wealth,
    features_of,
    income_of,
    pay,
    plan_earmark,
    quality_words,
    queue_income,
    share,
)
from bot.rules.rpj.resolution.check import chance_words, check, reading_of
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalRules, RpjCheckInputs

MARKET = "market"
MARKET_KEY = f"{MARKET}/all"


class Market(Document):
    """The current price changes. [RPJ-MONEY-04, RPJ-MONEY-11 (MONEY-11b)]"""

    general: int = Field(default=0, ge=-10, le=10)  # the change for everything, up to each item's limit
    # The changes of single items, by id, instead of the general one.
    shifts: dict[str, int] = Field(default_factory=dict)
    # Failed acquisition checks, as "character/item".
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
    return scene.stored(Market, MARKET_KEY) or Market()


def category_of(module: Module, item: RpjItem) -> CostCategory | None:
    """The cost category of an item, or None."""
    return next((found for found in module.money.categories if found.id == item.category), None)


def offered_price(scene: Scene, module: Module, item: RpjItem, order: Order) -> Price:
    """The current price of an order, before haggling. [RPJ-MONEY-10]

    Raises:
        UserError: If it is not for sale, or has no such feature.
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


def acquisition(coin: int, cost: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of an acquisition check. [RPJ-MONEY-11 (MONEY-11a)]

    Args:
        coin: The buyer's Coin, added to the dice.
        cost: The final price, added to the target number.
        criticals: How the campaign treats criticals.

    Raises:
        UserError: If it could not be paid for.
    """
    if coin < cost:
        raise UserError(f"That costs {cost} Coin; you have {coin}.", "You can only try for what you can pay.")
    return RpjCheckInputs(
        kind=CheckKind.ACQUISITION,
        terms=(NamedTerm(label="Coin", value=coin),) if coin else (),
        opposition=(NamedTerm(label="cost", value=cost),) if cost else (),
        criticals=criticals,
    )


PURCHASE = "purchase"
MOST_SHOWN = 25
LEAST_HAGGLED = 1


class ShopOptions(Document):
    """The options of the shop."""

    search: str = Field(default="", max_length=60)  # part of a name; empty for everything


class RpjBuyOptions(Document):
    """The options of a purchase."""

    item: str = Field(max_length=100)  # its name or id
    quantity: int = Field(default=1, ge=1, le=1_000_000)  # how many, bought together
    better: str = Field(default="", max_length=200)  # features to improve, separated by commas
    # Features to worsen, separated by commas; one may be repeated.
    worse: str = Field(default="", max_length=200)
    seller: int = Field(default=0, ge=-5, le=30)  # the seller's effective haggling level

    def order(self) -> Order:
        """The order.

        Raises:
            UserError: If quality can't change that much.
        """
        try:
            return Order(quantity=self.quantity, better=_features(self.better), worse=_features(self.worse))
        except ValueError as error:
            raise UserError(_sentence(error)) from error


def _features(typed: str) -> tuple[str, ...]:
    parts = (part.strip().casefold().replace(" ", "_") for part in typed.split(","))
    return tuple(part for part in parts if part)


def _sentence(error: ValueError) -> str:
    return str(error).split("Value error, ")[-1].split(" [type=")[0]


class DealOptions(Document):
    """The options of an offered purchase."""

    item: str  # the id of the item
    order: Order  # the quantity and quality
    seller: int = 0  # the seller's effective haggling level
    cost: int = Field(ge=0)  # the price, including haggling
    dice: RpjCheckInputs | None = None  # the check with dice already rolled, or None


@procedure("shop", needs_actor=False)
def shop(scene: Scene, options: ShopOptions, _dice: Dice) -> Outcome:
    """List what is for sale with current prices. [RPJ-MONEY-02, RPJ-MONEY-04]"""
    require(scene, Pack.MONEY)
    module = module_in(scene.settings)
    wanted = options.search.strip().casefold()
    found = [item for item in goods(module) if wanted in item.name.casefold()]
    if not found:
        raise UserError("Nothing like that is for sale here.")
    shown = found[:MOST_SHOWN]
    lines = [f"{item.name} · {offered_price(scene, module, item, Order()).cost} Coin" for item in shown]
    if len(found) > len(shown):
        lines.append(f"and {len(found) - len(shown)} more; search for part of the name")
    return Outcome(scene=scene, headline="looks at the shop", notes=tuple(lines), is_public=False)


@procedure("buy")
def buy(scene: Scene, options: RpjBuyOptions, _dice: Dice) -> Outcome:
    """Ask for a price, with buttons to pay, haggle, or roll an acquisition check.

    [RPJ-MONEY-03, RPJ-MONEY-10]
    """
    require(scene, Pack.MONEY)
    actor = scene.actor
    module = module_in(scene.settings)
    item = item_named(module, options.item)
    order = options.order()
    price = offered_price(scene, module, item, order)
    deal = DealOptions(item=item.id, order=order, seller=options.seller, cost=price.cost)
    ways = _ways_to_buy(scene, item, deal, price)
    if not ways:
        raise _no_way(scene, item, deal)
    return Outcome(
        scene=scene,
        headline=f"wants to buy {thing_of(item, order)}",
        notes=(price_words(price), f"{actor.name} has {purse_of(actor).coin} Coin."),
        follow_ups=ways,
    )


def thing_of(item: RpjItem, order: Order) -> str:
    """The order in words: "Longsword (damage +1) ×10"."""
    changed = f" ({words})" if (words := quality_words(order.changes)) else ""
    count = f" ×{order.quantity}" if order.quantity > 1 else ""
    return f"{item.name}{changed}{count}"


def _button(scene: Scene, procedure: str, deal: DealOptions, label: str) -> FollowUp:
    return FollowUp(procedure=procedure, options=deal, label=label, character=scene.actor.id, group=PURCHASE)


def _ways_to_buy(scene: Scene, item: RpjItem, deal: DealOptions, price: Price) -> tuple[FollowUp, ...]:
    actor, coin = scene.actor, purse_of(scene.actor).coin
    settings = scene.settings
    if is_on(settings, Pack.ACQUISITION_CHECKS):
        tried = attempt_key(actor.id, item) in market_of(scene).tried
        if tried or coin < deal.cost:
            return ()
        inputs = acquisition(coin, deal.cost, module_in(settings).criticals)
        chance = chance_words(inputs)
        return (_button(scene, "acquire", deal, f"Try to get it for {deal.cost} Coin · {chance}"),)
    found: list[FollowUp] = []
    if coin >= deal.cost:
        found.append(_button(scene, "pay", deal, f"Buy for {deal.cost} Coin"))
    skill = haggling_skill(figure_in(scene, actor))
    if skill is not None and price.cost > LEAST_HAGGLED <= coin:
        inputs = _haggling(scene, deal, skill)
        chance = chance_words(inputs)
        found.append(_button(scene, "haggle", deal, f"Haggle with {skill.name} · {chance}"))
    return tuple(found)


def _no_way(scene: Scene, item: RpjItem, deal: DealOptions) -> UserError:
    """Why something can't be bought now: it was tried for before, or there is too little Coin.

    [RPJ-MONEY-11 (MONEY-11a, MONEY-11b)]
    """
    actor = scene.actor
    is_checked = is_on(scene.settings, Pack.ACQUISITION_CHECKS)
    if is_checked and attempt_key(actor.id, item) in market_of(scene).tried:
        return UserError(
            f"{actor.name} has already tried to get {item.name} in this market.",
            try_this="A GM can open a new market with /rpj-gm gear market, or buy something else.",
        )
    return UserError(
        f"{thing_of(item, deal.order)} costs {deal.cost} Coin; {actor.name} has {purse_of(actor).coin}.",
        try_this="/rpj-gear shop lists what is for sale.",
    )


def haggling_skill(figure: Stats) -> RpjSkill | None:
    """A character's best skill for haggling, or None where the module has none."""
    skills = figure.module.skills_for(SkillRole.HAGGLE)
    return max(skills, key=figure.effective_level, default=None)


def _haggling(scene: Scene, deal: DealOptions, skill: RpjSkill) -> RpjCheckInputs:
    seller = (NamedTerm(label="seller", value=deal.seller),) if deal.seller else ()
    return skill_check(figure_in(scene, scene.actor), skill, Situation(opposition=seller))


@procedure("haggle")
def haggle(scene: Scene, options: DealOptions, dice: Dice) -> Outcome:
    """Haggle over a price, once per purchase; each degree of success saves one Coin, down to 1.

    [RPJ-MONEY-05 (MONEY-05a)]
    """
    require(scene, Pack.MONEY)
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = haggling_skill(figure)
    if skill is None:
        raise UserError("This campaign has no skill for haggling.")
    inputs = options.dice or _haggling(scene, options, skill)
    paid = paid_for(scene, actor.id, inputs)
    roll = check(inputs, dice)
    degrees = reading_of(roll).degrees
    cost = max(options.cost - (degrees or 0), min(options.cost, LEAST_HAGGLED))
    deal = evolve(options, cost=cost, dice=None)
    rescue = Rescue(
        procedure="haggle",
        options=lambda rolled: evolve(options, dice=rolled),
        window=window_of(actor.id),
        improves=True,
    )
    can_pay = purse_of(paid.actor).coin >= cost
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"haggles over {thing_of(items_of(figure.module)[options.item], options.order)}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(
            f"{options.cost} → {cost} Coin." if cost < options.cost else f"The price stays at {cost} Coin.",
        ),
        follow_ups=(
            *((_button(paid, "pay", deal, f"Buy for {cost} Coin"),) if can_pay else ()),
            *rescue_buttons(paid.actor, roll, rescue),
        ),
        skill=skill.name,
    )


@procedure("pay")
def pay_for(scene: Scene, options: DealOptions, _dice: Dice) -> Outcome:
    """Pay for a purchase and get the item. [RPJ-MONEY-03]

    Raises:
        UserError: If there is not enough Coin.
    """
    require(scene, Pack.MONEY)
    item, scene = _handed_over(scene, options)
    return Outcome(scene=scene, headline=f"buys {thing_of(item, options.order)} for {options.cost} Coin")


def _handed_over(scene: Scene, deal: DealOptions) -> tuple[RpjItem, Scene]:
    """Pay and get the item: carried where possible, else left behind."""
    actor = scene.actor
    module = module_in(scene.settings)
    item = item_named(module, deal.item)
    changed = with_purse(actor, pay(purse_of(actor), deal.cost))
    thing = Possession(item=item.id, count=deal.order.quantity, changes=deal.order.changes)
    sheet = with_thing(changed.sheet, thing)
    if not can_carry(Stats(sheet, module)):
        sheet = with_thing(changed.sheet, evolve(thing, place=RpjPlace.AWAY))
    return item, with_month(scene.with_sheet(changed, sheet), changed.id)


@procedure("acquire")
def acquire(scene: Scene, options: DealOptions, dice: Dice) -> Outcome:
    """Roll an acquisition check, once per item and market. [RPJ-MONEY-11 (MONEY-11a, MONEY-11b)]

    Raises:
        UserError: If it can't be paid for, or was tried before.
    """
    require(scene, Pack.ACQUISITION_CHECKS)
    actor = scene.actor
    figure = figure_in(scene, actor)
    item = item_named(figure.module, options.item)
    market, key = market_of(scene), attempt_key(actor.id, item)
    if options.dice is None and key in market.tried:
        raise UserError(
            f"{actor.name} has already tried to get {item.name} here.",
            "The GM can allow another try with /rpj-gm gear market.",
        )
    inputs = options.dice or acquisition(purse_of(actor).coin, options.cost, figure.module.criticals)
    paid = paid_for(scene, actor.id, inputs)
    roll = check(inputs, dice)
    rescue = Rescue(
        procedure="acquire",
        options=lambda rolled: evolve(options, dice=rolled),
        window=window_of(actor.id),
    )
    has_it = reading_of(roll).result.is_success
    if has_it:
        _item, after = _handed_over(paid, options)
    else:
        tried = evolve(market, tried=(*market.tried, key))
        after = paid.with_document(MARKET_KEY, tried)
    return Outcome(
        scene=after,
        paid=paid,
        headline=f"tries to get {thing_of(item, options.order)} for {options.cost} Coin",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=() if has_it else ("You pay nothing.",),
        follow_ups=rescue_buttons(after.actor, roll, rescue),
    )


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
