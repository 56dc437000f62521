"""The shop, the purse and carried gear."""

from pydantic import Field

from bot.rules.kernel import Document, Family, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.implements import CATALOGUE, Implement, SwimItem, item_of
from bot.rules.swim_class.character.money import coins, priced
from bot.rules.swim_class.character.resources import PURSE
from bot.rules.swim_class.character.sheet import (
    Character,
    Outcome,
    Scene,
    SwimSheet,
    book,
)
from bot.rules.swim_class.character.skills import folded
from bot.rules.swim_class.movement.movement import free_load, load_of, pounds_words


class SwimBuyOptions(Document):
    """The item and quantity to buy or sell."""

    item: str = Field(min_length=1, max_length=60)
    quantity: int = Field(default=1, ge=1, le=1000)


class ItemOptions(Document):
    """The item to show or pick up."""

    item: str = Field(min_length=1, max_length=60)


class SwimEquipOptions(Document):
    """The item to use, put away or anchor."""

    item: str = Field(min_length=1, max_length=60)
    equipped: bool = True
    anchored: bool = False


class ListOptions(Document):
    """Nothing to choose."""


def catalogue_item(name: str) -> Implement:
    """Find an implement of the price list by name.

    Raises:
        UserError: If there is none.
    """
    found = next((one for one in CATALOGUE.values() if folded(one.name) == folded(name)), None)
    if found is None:
        raise UserError(f"There is no “{name.strip()}” on the price list.", "Craft it, or ask your GM.")
    return found


def buy(scene: Scene, options: SwimBuyOptions, _dice: Dice) -> Outcome:
    """Buy something from the price list.

    Source: SWIM-CHAR-02 (SWIM-R03), SWIM-IMPL-08, SWIM-ITEM-01, SWIM-ITEM-07 (SWIM-R110).
    """
    actor, settings = scene.actor, scene.settings
    found = catalogue_item(options.item)
    if found.is_quest_only and not (scene.is_gm or settings.artifacts_for_sale):
        raise UserError(f"{found.name} isn't for sale.", "Find it on a quest, or get it from the GM.")
    cost = priced(found, settings) * options.quantity
    purse = actor.resources.get(PURSE, 0)
    if cost > purse:
        raise UserError(
            f"{options.quantity} × {found.name} cost {coins(cost, settings)}.",
            f"You have {coins(purse, settings)}.",
        )
    actor = actor.with_resource(PURSE, purse - cost)
    scene = scene.with_sheet(actor, with_more(actor.sheet, found, options.quantity))
    rare = (f"Value {found.value}: very expensive and rare.",) if found.is_rare else ()
    return Outcome(
        scene=scene,
        headline=f"buys {options.quantity} × {found.name} for {coins(cost, settings)}",
        notes=(*rare, load_line(scene, scene.character(actor.id))),
    )


declare("buy", SwimBuyOptions, buy)


def with_more(sheet: SwimSheet, implement: Implement, quantity: int) -> SwimSheet:
    """Return the sheet with more of an item."""
    held = sheet.find_item(implement.name)
    if held is None:
        return sheet.with_item(item_of(implement, quantity))
    return sheet.with_item(evolve(held, quantity=held.quantity + quantity))


def load_line(scene: Scene, character: Character) -> str:
    """A character's load and free load, in words.

    Source: SWIM-ITEM-10, SWIM-SKILL-19.
    """
    load, free = load_of(character), free_load(scene, character)
    over = " · encumbered" if load > free * 10 else ""
    return f"Carries {pounds_words(load)} of {free} lb{over}"


def purse_line(scene: Scene, character: Character) -> str:
    """A character's money, in words."""
    return f"Purse {coins(character.resources.get(PURSE, 0), scene.settings)}"


def held_item(character: Character, name: str) -> SwimItem:
    """Find an item that a character has.

    Raises:
        UserError: If they have none.
    """
    found = character.sheet.find_item(name)
    if found is None:
        raise UserError(f"{character.name} has no “{name.strip()}”.", try_this="See /swim-gear list.")
    return found


def sell(scene: Scene, options: SwimBuyOptions, _dice: Dice) -> Outcome:
    """Sell something at its list price.

    Source: SWIM-ITEM-07.
    """
    actor, settings = scene.actor, scene.settings
    held = held_item(actor, options.item)
    if options.quantity > held.quantity:
        raise UserError(f"{actor.name} has only {held.quantity} × {held.name}.")
    price = priced(held, settings) * options.quantity
    actor = actor.with_resource(PURSE, actor.resources.get(PURSE, 0) + price)
    left = evolve(held, quantity=held.quantity - options.quantity)
    scene = scene.with_sheet(actor, actor.sheet.with_item(left))
    return Outcome(
        scene=scene,
        headline=f"sells {options.quantity} × {held.name} for {coins(price, settings)}",
        notes=(load_line(scene, scene.character(actor.id)),),
    )


declare("sell", SwimBuyOptions, sell)


def equip(scene: Scene, options: SwimEquipOptions, _dice: Dice) -> Outcome:
    """Use something, put it away or anchor it.

    Source: SWIM-IMPL-04, SWIM-ITEM-04.
    """
    actor = scene.actor
    held = held_item(actor, options.item)
    if options.anchored and not held.must_be_anchored:
        raise UserError(f"You can't anchor {held.name}.", "Pitons can be anchored.")
    changed = evolve(held, is_equipped=options.equipped, is_anchored=options.anchored)
    words = "anchors" if options.anchored else "uses" if options.equipped else "puts away"
    scene = scene.with_sheet(actor, actor.sheet.with_item(changed))
    return Outcome(scene=scene, headline=f"{words} {held.name}")


declare("equip", SwimEquipOptions, equip)


def pick_up(scene: Scene, options: ItemOptions, _dice: Dice) -> Outcome:
    """Pick up something that was thrown.

    Source: SWIM-SKILL-13.
    """
    actor = scene.actor
    sheet = actor.sheet
    found = next((one for one in sheet.lying if folded(one.name) == folded(options.item)), None)
    if found is None:
        raise UserError(f"{actor.name} hasn't thrown a “{options.item.strip()}”.")
    lying = list(sheet.lying)
    lying.remove(found)
    held = sheet.find_item(found.name)
    whole = found if held is None else evolve(held, quantity=held.quantity + found.quantity)
    changed = evolve(sheet, lying=tuple(lying)).with_item(whole)
    return Outcome(scene=scene.with_sheet(actor, changed), headline=f"picks up {found.name}")


declare("pick_up", ItemOptions, pick_up)


def item_words(item: Implement, scene: Scene) -> tuple[str, ...]:
    """The description of a piece of equipment.

    Source: SWIM-IMPL-01 to SWIM-IMPL-03, SWIM-IMPL-07, SWIM-ITEM-08, SWIM-ITEM-09.
    """
    title = book(scene).title
    bonuses = [
        f"+{mod.bonus} {mod.role.value}{': ' if mod.skills else ''}{', '.join(map(title, mod.skills))}"
        for mod in item.mods
    ]
    bonuses += [f"{item.cancels}-crit: {', '.join(map(title, item.cancel_skills))}"] if item.cancels else []
    bonuses += [f"+{item.bonus_dice}D {title(item.dice_skill)}"] if item.bonus_dice else []
    price = coins(priced(item, scene.settings), scene.settings)
    rare = " · rare" if item.is_rare else ""
    value = f"value {item.value}{rare} · {price} · {pounds_words(item.weight_tenths)}"
    range_ = (f"+1 defense every {item.increment} squares",) if item.increment else ()
    return (*bonuses, *range_, *((item.note,) if item.note else ()), value)


def show_item(scene: Scene, options: ItemOptions, _dice: Dice) -> Outcome:
    """Show what a piece of equipment does."""
    held = None if scene.actor_id is None else scene.actor.sheet.find_item(options.item)
    found = held or catalogue_item(options.item)
    return Outcome(
        scene=scene, headline=f"looks at {found.name}", notes=item_words(found, scene), is_public=False
    )


declare("item", ItemOptions, show_item, needs_actor=False)


def show_shop(scene: Scene, _options: ListOptions, _dice: Dice) -> Outcome:
    """Show the price list.

    Source: SWIM-ITEM-01, SWIM-ITEM-07.
    """
    settings = scene.settings
    lines = tuple(
        f"{one.name}: {', '.join(item_words(one, scene))}"
        for one in CATALOGUE.values()
        if settings.artifacts_for_sale or not one.is_quest_only
    )
    return Outcome(scene=scene, headline="looks at the price list", notes=lines, is_public=False)


declare("shop", ListOptions, show_shop, needs_actor=False)


def show_gear(scene: Scene, _options: ListOptions, _dice: Dice) -> Outcome:
    """Show the actor's gear."""
    actor = scene.actor
    return Outcome(
        scene=scene,
        headline="looks through the gear",
        notes=(*gear_lines(actor.sheet), purse_line(scene, actor), load_line(scene, actor)),
        is_public=False,
    )


declare("gear", ListOptions, show_gear)


def gear_lines(sheet: SwimSheet) -> tuple[str, ...]:
    """All items of a sheet, one line each."""
    lines = [
        f"{item.name}{f' × {item.quantity}' if item.quantity > 1 else ''}"
        f"{'' if item.is_equipped else ' (put away)'}{' (anchored)' if item.is_anchored else ''}"
        f"{' (limited use)' if item.is_limited else ''}"
        for item in sheet.items
    ]
    return (*lines, *(f"{item.name} (on the ground)" for item in sheet.lying))


def light_of(sheet: SwimSheet) -> int:
    """The range of a character's best light, in squares.

    Source: SWIM-ITEM-09, SWIM-MAGIC-07.
    """
    lit = (item.light for item in sheet.items if item.is_equipped)
    return max((sheet.states.light, *lit), default=0)


class WaterOptions(Document):
    """For how many rounds to pour."""

    rounds: int = Field(ge=1, le=10_000)


def pour(scene: Scene, options: WaterOptions, _dice: Dice) -> Outcome:
    """Pour clean water from the Bottomless Amphora: a cup per round.

    Source: SWIM-ITEM-08.
    """
    held = held_item(scene.actor, "Bottomless Amphora")
    verdict = Verdict(Family.NEWS, "1 cup" if options.rounds == 1 else f"{options.rounds} cups")
    return Outcome(scene=scene, headline=f"pours from the {held.name}", verdict=verdict)


declare("pour", WaterOptions, pour)
