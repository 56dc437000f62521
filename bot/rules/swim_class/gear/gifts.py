"""Gifts between characters: gear and money, which the other has to take."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.implements import SwimItem
from bot.rules.swim_class.character.money import coins
from bot.rules.swim_class.character.resources import PURSE
from bot.rules.swim_class.character.sheet import Character, Outcome, Scene
from bot.rules.swim_class.gear.shop import held_item, load_line

GIFT = "gift"
MOST_GOLD = 10_000


class SwimHandOptions(Document):
    """Who is offered which item, and how many of it."""

    target: CharacterId
    item: str = Field(min_length=1, max_length=60)
    quantity: int = Field(default=1, ge=1, le=1000)


class SwimTakeOptions(Document):
    """Whose item is taken, and how many of it."""

    giver: CharacterId
    item: str = Field(min_length=1, max_length=60)
    quantity: int = Field(default=1, ge=1, le=1000)


class SwimPayOptions(Document):
    """Who is offered how much money."""

    target: CharacterId
    gold: int = Field(default=0, ge=0, le=MOST_GOLD)
    silver: int = Field(default=0, ge=0, le=MOST_GOLD)


class SwimTakeMoneyOptions(Document):
    """Whose money is taken, in silver."""

    giver: CharacterId
    silver: int = Field(ge=1)


def hand(scene: Scene, options: SwimHandOptions, _dice: Dice) -> Outcome:
    """Offer someone an item, who can take it.

    Source: SWIM-ITEM-07.
    """
    actor, taker = scene.actor, _taker(scene, options.target)
    held = held_item(actor, options.item)
    _assert_enough(actor, held, options.quantity)
    words = f"{options.quantity} × {held.name}"
    take = SwimTakeOptions(giver=actor.id, item=held.name, quantity=options.quantity)
    return _offer(scene, taker, words, FollowUp(procedure="take", options=take, label=f"Take {words}"[:80]))


declare("hand", SwimHandOptions, hand)


def take(scene: Scene, options: SwimTakeOptions, _dice: Dice) -> Outcome:
    """Take an item that is offered; both inventories change at once."""
    giver, taker = scene.character(options.giver), scene.actor
    held = held_item(giver, options.item)
    _assert_enough(giver, held, options.quantity)
    left = evolve(held, quantity=held.quantity - options.quantity)
    own = taker.sheet.find_item(held.name)
    more = evolve(held, is_anchored=False) if own is None else own
    more = evolve(more, quantity=options.quantity + (0 if own is None else own.quantity))
    scene = scene.with_sheet(giver, giver.sheet.with_item(left))
    scene = scene.with_sheet(taker, taker.sheet.with_item(more))
    return Outcome(
        scene=scene,
        headline=f"takes {options.quantity} × {held.name} from {giver.name}",
        notes=(load_line(scene, scene.character(taker.id)),),
    )


declare("take", SwimTakeOptions, take)


def pay(scene: Scene, options: SwimPayOptions, _dice: Dice) -> Outcome:
    """Offer someone money, who can take it.

    Source: SWIM-CHAR-03.
    """
    actor, taker = scene.actor, _taker(scene, options.target)
    silver = options.gold * scene.settings.sp_per_gp + options.silver
    if not silver:
        raise UserError("Say how much you give.")
    _assert_money(scene, actor, silver)
    words = coins(silver, scene.settings)
    take = SwimTakeMoneyOptions(giver=actor.id, silver=silver)
    return _offer(scene, taker, words, FollowUp(procedure="take_money", options=take, label=f"Take {words}"))


declare("pay", SwimPayOptions, pay)


def take_money(scene: Scene, options: SwimTakeMoneyOptions, _dice: Dice) -> Outcome:
    """Take money that is offered; both purses change at once."""
    giver, taker = scene.character(options.giver), scene.actor
    _assert_money(scene, giver, options.silver)
    scene = scene.with_character(giver.with_resource(PURSE, giver.resources.get(PURSE, 0) - options.silver))
    scene = scene.with_character(taker.with_resource(PURSE, taker.resources.get(PURSE, 0) + options.silver))
    return Outcome(scene=scene, headline=f"takes {coins(options.silver, scene.settings)} from {giver.name}")


declare("take_money", SwimTakeMoneyOptions, take_money)


def _taker(scene: Scene, who: CharacterId) -> Character:
    if who == scene.actor.id:
        raise UserError("You can't give something to yourself.")
    return scene.character(who)


def _assert_enough(giver: Character, held: SwimItem, quantity: int) -> None:
    if quantity > held.quantity:
        raise UserError(f"{giver.name} has only {held.quantity} × {held.name}.")


def _assert_money(scene: Scene, giver: Character, silver: int) -> None:
    purse = giver.resources.get(PURSE, 0)
    if silver > purse:
        raise UserError(f"{giver.name} has only {coins(purse, scene.settings)}.")


def _offer(scene: Scene, taker: Character, words: str, button: FollowUp) -> Outcome:
    follow_up = replace(button, character=taker.id, group=GIFT)
    return Outcome(scene=scene, headline=f"offers {taker.name} {words}", follow_ups=(follow_up,))
