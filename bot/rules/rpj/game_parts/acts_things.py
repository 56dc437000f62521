"""What a character can do with their things, their money and their Lucky Breaks."""

from collections.abc import Iterator

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.rpj.character.carrying import everything, items_of
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.pockets import purse_of
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.commands.carry_commands import CarryOptions, HandOptions, ThingOptions
from bot.rules.rpj.combat.rules.ammunition_in_fights import supplied
from bot.rules.rpj.combat.rules.carried_ammunition import RpjGiveOptions, SwapAmmunitionOptions
from bot.rules.rpj.damage.layer_commands import LayerOptions
from bot.rules.rpj.gear.gm_money import AmountOptions, EarmarkOptions, GiftOptions, WealthOptions
from bot.rules.rpj.gear.market import goods, offered_price
from bot.rules.rpj.gear.prices import Order
from bot.rules.rpj.gear.trading import RpjBuyOptions
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.loads import Possession, RpjPlace
from bot.rules.rpj.module.require_rules import Pack
from bot.rules.rpj.teamwork.flashbacks import FLASHBACK, FlashbackOptions
from bot.rules.shared.offering import Offering, choice_of, others_of

MOST_GIFTS = 4
PLACES = {
    RpjPlace.HELD: "Take in hand …",
    RpjPlace.WORN: "Put on …",
    RpjPlace.CARRIED: "Carry …",
    RpjPlace.HANDY: "Put into a handy container …",
    RpjPlace.LARGE: "Put into a large container …",
    RpjPlace.AWAY: "Leave behind …",
}


def thing_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Moving, picking up and dropping things, ammunition, and layers of defense.

    Source: RPJ-INV-05 to RPJ-INV-09, RPJ-FIRE-06, RPJ-HEALTH-06.
    """
    figure = figure_in(scene, scene.actor)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.MONEY) or figure.plays(Pack.INVENTORY):
        yield from _carried(figure, offering)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        names = [(weapon.id, weapon.name) for weapon, _magazine, _had in supplied(figure)]
        for one, name in names:
            swaps = (
                (Choice(other, words), SwapAmmunitionOptions(one=one, other=other))
                for other, words in names
                if other > one
            )
            label = f"Swap ammunition: {name} with …"
            yield from offering.menu(ActGroup.USE, "fire.swap", label, "other", swaps)
    asked = (
        TextField(key="name", prompt="Its name", longest=40),
        TextField(key="saves", prompt="Its target numbers, such as 5 6", longest=60),
    )
    layer = LayerOptions(name="?", saves="6")
    yield offering.act(ActGroup.USE, "layer", layer, "Add a layer of defense …", blanks=asked)


def _carried(figure: Stats, offering: Offering) -> Iterator[Act]:
    own = everything(figure.sheet, figure.module)
    for place, label in PLACES.items():
        moves = (
            (_choice(figure, thing), CarryOptions(item=thing.item, to=place))
            for thing in _once(own)
            if all(one.place is not place for one in own if one.item == thing.item)
        )
        yield from offering.menu(ActGroup.USE, "put", label, "item", moves)
    blank = (TextField(key="item", prompt="What you pick up", longest=100),)
    if items_of(figure.module):
        thing = ThingOptions(item="?")
        yield offering.act(ActGroup.USE, "pick_up", thing, "Pick something up …", blanks=blank)
    drops = ((_choice(figure, thing), ThingOptions(item=thing.item)) for thing in _once(own))
    yield from offering.menu(ActGroup.USE, "drop", "Get rid of one …", "item", drops)


def _once(own: tuple[Possession, ...]) -> tuple[Possession, ...]:
    return tuple({thing.item: thing for thing in reversed(own)}.values())[::-1]


def _choice(figure: Stats, thing: Possession) -> Choice:
    item = items_of(figure.module).get(thing.item)
    count = f" ×{thing.count}" if thing.count > 1 else ""
    return Choice(thing.item, f"{item.name if item else thing.item}{count}"[:100], str(thing.place))


# --- spending ----------------------------------------------------------------------------------


def spending_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """A flashback, purchases, and gifts to others.

    Source: RPJ-LUCK-04, RPJ-MONEY-03, RPJ-MONEY-14 to RPJ-MONEY-17, RPJ-FIRE-07.
    """
    figure = figure_in(scene, scene.actor)
    yield from _flashback(scene, figure, offering)
    if figure.plays(Pack.MONEY):
        yield from _buying(scene, figure, offering)
        yield from _money(scene, offering)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.MONEY) or figure.plays(Pack.INVENTORY):
        yield from _handing(scene, figure, offering)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        for weapon, _magazine, _had in supplied(figure):
            found = (
                (choice_of(one), RpjGiveOptions(to=one.id, weapon=weapon.id)) for one in others_of(scene)
            )
            label = f"Give ammunition of {weapon.name} to …"
            yield from offering.menu(ActGroup.SPEND, "fire.give", label, "to", found)


def _flashback(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    left, cost = lucky_breaks_left(scene.actor), figure.module.luck.flashback_cost
    if scene.actor.owner is None or scene.actor.is_hidden:
        return
    unit = "Lucky Break" if cost == 1 else "Lucky Breaks"
    yield offering.act(
        ActGroup.SPEND,
        FLASHBACK,
        FlashbackOptions(words="?"),
        f"Flashback: {cost} {unit} · {left} left (GM) …",
        blanks=(TextField(key="words", prompt="What you did earlier", longest=300, is_long=True),),
        why_not="" if left >= cost else f"A flashback costs {cost} {unit}; you have {left}.",
    )


def _buying(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    coin = purse_of(scene.actor).coin
    found = []
    for item in goods(figure.module):
        cost = offered_price(scene, figure.module, item, Order()).cost
        if cost <= coin:
            found.append((Choice(item.id, item.name[:100], f"{cost} Coin"), RpjBuyOptions(item=item.id)))
    label = f"Buy … · you have {coin} Coin"
    yield from offering.menu(ActGroup.SPEND, "buy", label, "item", found, is_tried=False)


def _money(scene: Scene, offering: Offering) -> Iterator[Act]:
    purse = purse_of(scene.actor)
    if purse.coin:
        for other in others_of(scene)[:MOST_GIFTS]:
            coin = (TextField(key="coin", prompt=f"How much Coin (you have {purse.coin})", longest=6),)
            label = f"Give Coin to {other.name} …"
            yield offering.act(
                ActGroup.SPEND, "give", GiftOptions(target=other.id, coin=1), label, blanks=coin
            )
    asset = TextField(key="asset", prompt="What it is in the story", longest=100)
    wealth = WealthOptions(amount=1, asset="something")
    label = "Buy 1 Wealth for 10 Coin (GM) …"
    yield from offering.if_possible(ActGroup.SPEND, "wealth", wealth, label, blanks=(asset,))
    label = "Burn 1 Wealth for 5 Coin, permanently"
    yield from offering.if_possible(ActGroup.SPEND, "want_to_burn", AmountOptions(), label)
    pays = TextField(key="name", prompt="What it pays for", longest=60)
    label = "Set 1 Wealth aside each month …"
    aside = EarmarkOptions(name="something", amount=1)
    yield from offering.if_possible(ActGroup.SPEND, "earmark", aside, label, blanks=(pays,))


def _handing(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    """Things for each of a few others.

    Source: RPJ-INV-05.
    """
    own = _once(everything(figure.sheet, figure.module))
    for other in others_of(scene)[:MOST_GIFTS]:
        found = ((_choice(figure, one), HandOptions(item=one.item, target=other.id)) for one in own)
        label = f"Hand {other.name[:40]} something …"
        yield from offering.menu(ActGroup.SPEND, "hand", label, "item", found)
