"""What a character can do with gear and money, and how they rest and learn."""

from collections.abc import Iterator

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.shared.nearby import first_id, friends_first
from bot.rules.shared.offering import MOST_CHOICES, Offering, choice_of, is_allowed
from bot.rules.shared.resting import REST
from bot.rules.swim_class.character.implements import CATALOGUE, SwimItem
from bot.rules.swim_class.character.learning import (
    EpicOptions,
    GrowthOptions,
    SwimSkillOptions,
    SwimSpecialiseOptions,
)
from bot.rules.swim_class.character.money import coins, priced
from bot.rules.swim_class.character.resources import PURSE, wounds_key
from bot.rules.swim_class.character.sheet import Scene, book, rank_of
from bot.rules.swim_class.checks.rolling import assert_rollable
from bot.rules.swim_class.checks.tasks import Task
from bot.rules.swim_class.damage.damage import SoakOptions, StabiliseOptions, composure_left, is_dying
from bot.rules.swim_class.game_parts.acts_rolls import adjustable, is_halved
from bot.rules.swim_class.gear.crafting import CraftOptions, CraftWorkOptions, material_sp
from bot.rules.swim_class.gear.gifts import SwimHandOptions, SwimPayOptions
from bot.rules.swim_class.gear.shop import ItemOptions, SwimBuyOptions, SwimEquipOptions, WaterOptions
from bot.rules.swim_class.recovery.resting import SwimRest
from bot.rules.swim_class.resolution.tables import Pool

AMPHORA = "Bottomless Amphora"


def gear_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Using and putting away gear, picking it up, and crafting.

    Source: SWIM-IMPL-04, SWIM-ITEM-04, SWIM-ITEM-08, SWIM-SKILL-13, SWIM-CRAFT-01 to SWIM-CRAFT-04.
    """
    sheet, settings = scene.actor.sheet, scene.settings
    lying = ((_choice(item), ItemOptions(item=item.name)) for item in sheet.lying)
    yield from offering.menu(ActGroup.USE, "pick_up", "Pick up what you threw …", "item", lying)
    for label, is_used in (("Use an item …", False), ("Put an item away …", True)):
        found = (
            (_choice(item), SwimEquipOptions(item=item.name, equipped=not is_used))
            for item in sheet.items
            if item.is_equipped is is_used
        )
        yield from offering.menu(ActGroup.USE, "equip", label, "item", found)
    anchors = (
        (_choice(item), SwimEquipOptions(item=item.name, anchored=True))
        for item in sheet.items
        if item.must_be_anchored and not item.is_anchored
    )
    yield from offering.menu(ActGroup.USE, "equip", "Anchor …", "item", anchors)
    if sheet.find_item(AMPHORA) is not None:
        water, rounds = WaterOptions(rounds=1), {"rounds": "For how many rounds"}
        yield offering.act(ActGroup.USE, "pour", water, f"Pour from the {AMPHORA}", adjusts=rounds)
    yield from _crafting(scene, offering)
    purse = scene.actor.resources.get(PURSE, 0)
    crafts = [
        (
            Choice(one.name, one.name, f"material {coins(material_sp(one.value, settings), settings)}"),
            CraftOptions(item=one.name),
        )
        for one in CATALOGUE.values()
        if one.value and material_sp(one.value, settings) <= purse
    ]
    yield from offering.menu(ActGroup.USE, "start_craft", "Start crafting …", "item", crafts)


def _crafting(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Going on with what is being made."""
    tasks = [task for key in scene.keys("task") if isinstance(task := scene.document(key), Task)]
    for task in (task for task in tasks if task.is_open and task.material is not None):
        rank = rank_of(scene, scene.actor, task.skill)
        options = CraftWorkOptions(item=task.name, half=is_halved(scene))
        label = f"Work on {task.name[:40]}"
        yield from offering.if_possible(
            ActGroup.USE, "craft", options, label, adjusts=adjustable(scene, rank)
        )


def _choice(item: SwimItem) -> Choice:
    count = f" ×{item.quantity}" if item.quantity > 1 else ""
    return Choice(item.name, f"{item.name}{count}"[:100])


def spending_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Buying and selling at list prices, and Composure for wounds.

    Source: SWIM-ITEM-01, SWIM-ITEM-07, SWIM-COMB-06.
    """
    actor, settings = scene.actor, scene.settings
    if composure_left(scene, actor) > 0:
        for pool in Pool:
            wounds = actor.resources.get(wounds_key(pool), 0)
            if wounds:
                points = min(wounds, composure_left(scene, actor))
                soak = SoakOptions(pool=pool, points=points)
                label = f"Soak {points} {pool.value} with Composure"
                adjusts = {"points": "How many wounds"}
                yield from offering.if_possible(ActGroup.SPEND, "soak", soak, label, adjusts=adjusts)
    purse = actor.resources.get(PURSE, 0)
    goods = sorted(
        (priced(item, settings), item.name)
        for item in CATALOGUE.values()
        if settings.artifacts_for_sale or not item.is_quest_only
    )
    sold = [
        (Choice(name, name, coins(price, settings)), SwimBuyOptions(item=name))
        for price, name in goods
        if price <= purse
    ]
    label = f"Buy … · you have {coins(purse, settings)}"
    yield from offering.menu(
        ActGroup.SPEND, "buy", label, "item", sold, is_tried=False, adjusts={"quantity": "How many"}
    )
    own = [
        (
            Choice(item.name, item.name, coins(priced(item, settings), settings)),
            SwimBuyOptions(item=item.name),
        )
        for item in actor.sheet.items
    ]
    many = {"quantity": "How many"}
    yield from offering.menu(ActGroup.SPEND, "sell", "Sell …", "item", own, is_tried=False, adjusts=many)
    yield from _gifts(scene, offering)


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Gear and money for others, who have to take it.

    Source: SWIM-CHAR-03, SWIM-ITEM-07.
    """
    actor = scene.actor
    people = tuple(choice_of(one) for one in friends_first(scene) if not one.sheet.is_dead)[:MOST_CHOICES]
    if not people:
        return
    target, first = TextField(key="target", prompt="Whom you give it", choices=people), first_id(people)
    if actor.sheet.items:
        items = tuple(_choice(item) for item in actor.sheet.items)[:MOST_CHOICES]
        blanks = (
            TextField(key="item", prompt="What you give", choices=items),
            target,
            TextField(key="quantity", prompt="How many (empty: 1)", longest=4, is_required=False),
        )
        gift = SwimHandOptions(target=first, item=items[0].value)
        yield offering.act(ActGroup.SPEND, "hand", gift, "Give gear to someone …", blanks=blanks)
    purse = actor.resources.get(PURSE, 0)
    if purse:
        silver = TextField(key="silver", prompt="Silver pieces", longest=5, is_required=False)
        gold = TextField(key="gold", prompt="Gold pieces", longest=5, is_required=False)
        money = SwimPayOptions(target=first, silver=1)
        label = f"Give money to someone … · you have {coins(purse, scene.settings)}"
        yield offering.act(ActGroup.SPEND, "pay", money, label, blanks=(target, gold, silver))


def rest_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Stabilising, and rests.

    Source: SWIM-COMB-09, SWIM-COMB-11, SWIM-COMB-12.
    """
    for pool in Pool:
        if is_dying(scene, scene.actor, pool):
            label = f"Roll to stabilise ({pool.value})"
            options = StabiliseOptions(pool=pool)
            yield from offering.if_possible(ActGroup.REST, "stabilise", options, label)
    brief, label = SwimRest(), "Brief rest: Composure comes back"
    yield from offering.if_possible(ActGroup.REST, REST, brief, label)
    hours = {"hours": "How many hours", "now": "At once, without waiting for others"}
    label = "Rest for 8 hours: each can heal"
    yield from offering.if_possible(ActGroup.REST, REST, SwimRest(hours=8), label, adjusts=hours)


def growth_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """What pulls what, what has been learned, and new specialisations; ranks grow by rolling.

    Source: SWIM-SYN-04, SWIM-SYN-05, SWIM-ADV-07.
    """
    yield offering.act(ActGroup.GROW, "growth", GrowthOptions(), "See what can grow, and what it pulls along")
    skills, sheet = book(scene), scene.actor.sheet
    keys = sorted(skills.skills, key=lambda key: -skills.rank(sheet.ranks, key))
    able = [key for key in keys if skills.rank(sheet.ranks, key) > 0]
    pulls = [
        (Choice(key, f"{skills.title(key)} {skills.rank(sheet.ranks, key)}"), SwimSkillOptions(skill=key))
        for key in able
        if is_allowed(lambda key=key: assert_rollable(key))  # type: ignore[misc]
    ]
    yield from offering.menu(
        ActGroup.GROW, "synergy", "See what a skill pulls along …", "skill", pulls, is_tried=False
    )
    yield offering.act(ActGroup.GROW, "epics", EpicOptions(), "See the rolls that earned ranks")
    parents = [key for key in able if skills.definition(key).special_degree is not None]
    if parents:
        menu = tuple(Choice(key, skills.title(key)) for key in parents)[:MOST_CHOICES]
        blanks = (
            TextField(key="skill", prompt="Skill", choices=menu),
            TextField(key="tag", prompt="What you specialise in", longest=40),
        )
        special = SwimSpecialiseOptions(skill=parents[0], tag="?")
        label = "Start a specialisation …"
        yield offering.act(ActGroup.GROW, "specialise", special, label, blanks=blanks)
