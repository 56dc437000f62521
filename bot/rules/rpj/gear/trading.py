"""Buying: the price step by step, haggling, paying, and checks that say whether something can be had."""

from dataclasses import replace
from fractions import Fraction

from pydantic import Field

from bot.rules.kernel import Document, FollowUp, NamedTerm, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.carrying import can_carry, item_named, items_of, with_thing
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.pockets import purse_of, with_month, with_purse
from bot.rules.rpj.character.purse import pay
from bot.rules.rpj.character.quality import quality_words
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, paid_for, rescue_buttons
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.gear.acquisition import acquisition
from bot.rules.rpj.gear.market import (
    MARKET_KEY,
    attempt_key,
    goods,
    market_of,
    offered_price,
    price_words,
)
from bot.rules.rpj.gear.prices import Order, Price
from bot.rules.rpj.module.items import RpjItem
from bot.rules.rpj.module.loads import Possession, RpjPlace
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.module.require_rules import Pack, is_on, require
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import check, check_odds, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

PURCHASE = "purchase"
MOST_SHOWN = 25
LEAST_HAGGLED = 1


class ShopOptions(Document):
    """What to look for.

    Attributes:
        search: A part of its name; nothing for everything.
    """

    search: str = Field(default="", max_length=60)


class RpjBuyOptions(Document):
    """What somebody wants to buy.

    Attributes:
        item: Its name or id.
        quantity: How many, as one lot.
        better: Features to be better, with commas between.
        worse: Features to be worse, with commas between; the same one may stand there again.
        seller: The seller's effective level in haggling.
    """

    item: str = Field(max_length=100)
    quantity: int = Field(default=1, ge=1, le=1_000_000)
    better: str = Field(default="", max_length=200)
    worse: str = Field(default="", max_length=200)
    seller: int = Field(default=0, ge=-5, le=30)

    def order(self) -> Order:
        """The order.

        Raises:
            UserError: If quality does not go so far.
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
    """A purchase that is on the table.

    Attributes:
        item: The id of what is bought.
        order: How many, and how good.
        seller: The seller's effective level in haggling.
        cost: What it comes to, haggling included.
        dice: The check that is rolled over it, as far as dice lie on the table.
    """

    item: str
    order: Order
    seller: int = 0
    cost: int = Field(ge=0)
    dice: RpjCheckInputs | None = None


def shop(scene: Scene, options: ShopOptions, _dice: Dice) -> Outcome:
    """List what is for sale, with what it costs here and now.

    Source: RPJ-MONEY-02, RPJ-MONEY-04.
    """
    require(scene, Pack.MONEY)
    module = module_in(scene.settings)
    wanted = options.search.strip().casefold()
    found = [item for item in goods(module) if wanted in item.name.casefold()]
    if not found:
        raise UserError("Nothing of the kind is for sale here.")
    shown = found[:MOST_SHOWN]
    lines = [f"{item.name} · {offered_price(scene, module, item, Order()).cost} Coin" for item in shown]
    if len(found) > len(shown):
        lines.append(f"and {len(found) - len(shown)} more; search for a part of the name")
    return Outcome(scene=scene, headline="looks at what is for sale", notes=tuple(lines), is_public=False)


declare("shop", ShopOptions, shop, needs_actor=False)


def buy(scene: Scene, options: RpjBuyOptions, _dice: Dice) -> Outcome:
    """Ask for a price; buttons pay it, haggle about it, or try to have the thing at all.

    Source: RPJ-MONEY-03, RPJ-MONEY-10.
    """
    require(scene, Pack.MONEY)
    actor = scene.actor
    module = module_in(scene.settings)
    item = item_named(module, options.item)
    order = options.order()
    price = offered_price(scene, module, item, order)
    deal = DealOptions(item=item.id, order=order, seller=options.seller, cost=price.cost)
    return Outcome(
        scene=scene,
        headline=f"asks for {thing_of(item, order)}",
        notes=(price_words(price), f"{actor.name} has {purse_of(actor).coin} Coin."),
        follow_ups=_ways_to_buy(scene, item, deal, price),
    )


declare("buy", RpjBuyOptions, buy)


def thing_of(item: RpjItem, order: Order) -> str:
    """What is bought, in words: "Longsword (damage +1) ×10"."""
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
        chance = percent(check_odds(inputs).enough or Fraction(0))
        return (_button(scene, "acquire", deal, f"Try to have it for {deal.cost} Coin · {chance}"),)
    found: list[FollowUp] = []
    if coin >= deal.cost:
        found.append(_button(scene, "pay", deal, f"Buy for {deal.cost} Coin"))
    skill = haggling_skill(figure_in(scene, actor))
    if skill is not None and price.cost > 1:
        inputs = _haggling(scene, deal, skill)
        chance = percent(check_odds(inputs).enough or Fraction(0))
        found.append(_button(scene, "haggle", deal, f"Haggle with {skill.name} · {chance}"))
    return tuple(found)


def haggling_skill(figure: Stats) -> RpjSkill | None:
    """The best skill that somebody haggles with, or None where the module has none for it."""
    skills = figure.module.skills_for(SkillRole.HAGGLE)
    return max(skills, key=figure.effective_level, default=None)


def _haggling(scene: Scene, deal: DealOptions, skill: RpjSkill) -> RpjCheckInputs:
    seller = (NamedTerm(label="seller", value=deal.seller),) if deal.seller else ()
    return skill_check(figure_in(scene, scene.actor), skill, Situation(opposition=seller))


def haggle(scene: Scene, options: DealOptions, dice: Dice) -> Outcome:
    """Haggle about a price, once a purchase; each degree of success is one Coin less, down to 1.

    Source: RPJ-MONEY-05 (MONEY-05a).
    """
    require(scene, Pack.MONEY)
    actor = scene.actor
    figure = figure_in(scene, actor)
    skill = haggling_skill(figure)
    if skill is None:
        raise UserError(f"{figure.module.name} has no skill to haggle with.")
    inputs = options.dice or _haggling(scene, options, skill)
    paid = paid_for(scene, actor.id, inputs)
    roll = check(inputs, dice)
    degrees = reading_of(roll).degrees
    cost = max(options.cost - (degrees or 0), min(options.cost, LEAST_HAGGLED))
    deal = options.model_copy(update={"cost": cost, "dice": None})
    rescue = Rescue(
        procedure="haggle",
        options=lambda rolled: options.model_copy(update={"dice": rolled}),
        window=window_of(actor.id),
        improves=True,
    )
    can_pay = purse_of(paid.actor).coin >= cost
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"haggles about {thing_of(items_of(figure.module)[options.item], options.order)}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(f"{options.cost} → {cost} Coin." if cost < options.cost else f"It stays at {cost} Coin.",),
        follow_ups=(
            *((_button(paid, "pay", deal, f"Buy for {cost} Coin"),) if can_pay else ()),
            *rescue_buttons(paid.actor, figure.lucky_breaks, roll, rescue),
        ),
        skill=skill.name,
    )


declare("haggle", DealOptions, haggle)


def pay_for(scene: Scene, options: DealOptions, _dice: Dice) -> Outcome:
    """Pay for a purchase, and have it.

    Raises:
        UserError: If there is not enough Coin, or it cannot be carried.

    Source: RPJ-MONEY-03.
    """
    require(scene, Pack.MONEY)
    item, scene = _handed_over(scene, options)
    return Outcome(scene=scene, headline=f"buys {thing_of(item, options.order)} for {options.cost} Coin")


declare("pay", DealOptions, pay_for)


def _handed_over(scene: Scene, deal: DealOptions) -> tuple[RpjItem, Scene]:
    """Pay, and have the thing: carried where that is possible, else it waits where it was bought."""
    actor = scene.actor
    module = module_in(scene.settings)
    item = item_named(module, deal.item)
    changed = with_purse(actor, pay(purse_of(actor), deal.cost))
    thing = Possession(item=item.id, count=deal.order.quantity, changes=deal.order.changes)
    sheet = with_thing(changed.sheet, thing)
    if not can_carry(Stats(sheet, module)):
        sheet = with_thing(changed.sheet, thing.model_copy(update={"place": RpjPlace.AWAY}))
    return item, with_month(scene.with_character(replace(changed, sheet=sheet)), changed.id)


def acquire(scene: Scene, options: DealOptions, dice: Dice) -> Outcome:
    """Roll whether something can be had for its price; once an item and market.

    Raises:
        UserError: If it cannot be paid, or was tried before.

    Source: RPJ-MONEY-11 (MONEY-11a, MONEY-11b).
    """
    require(scene, Pack.ACQUISITION_CHECKS)
    actor = scene.actor
    figure = figure_in(scene, actor)
    item = item_named(figure.module, options.item)
    market, key = market_of(scene), attempt_key(actor.id, item)
    if options.dice is None and key in market.tried:
        raise UserError(f"{actor.name} has tried to have {item.name} here.", "The GM opens the market anew.")
    inputs = options.dice or acquisition(purse_of(actor).coin, options.cost, figure.module.criticals)
    paid = paid_for(scene, actor.id, inputs)
    roll = check(inputs, dice)
    rescue = Rescue(
        procedure="acquire",
        options=lambda rolled: options.model_copy(update={"dice": rolled}),
        window=window_of(actor.id),
    )
    has_it = reading_of(roll).result.is_success
    if has_it:
        _item, after = _handed_over(paid, options)
    else:
        tried = market.model_copy(update={"tried": (*market.tried, key)})
        after = paid.with_document(MARKET_KEY, tried)
    return Outcome(
        scene=after,
        paid=paid,
        headline=f"tries to have {thing_of(item, options.order)} for {options.cost} Coin",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=() if has_it else ("Nothing is paid.",),
        follow_ups=rescue_buttons(after.actor, figure.lucky_breaks, roll, rescue),
    )


declare("acquire", DealOptions, acquire)
