"""The shop, carried gear, gifts and crafting."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, Family, FollowUp, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.kernel.outcome import counted, decisive, label_with, short_name
from bot.rules.swim_class.growth import PURSE, coins, priced
from bot.rules.swim_class.movement import free_load, load_of, pounds_words
from bot.rules.swim_class.rolling import (
    Material,
    PoolOptions,
    Task,
    begin,
    find_task,
    headline,
    option_words,
    progress_bar,
    warned,
    with_task,
    work_on,
    work_plan,
)
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Character,
    Implement,
    Mod,
    Outcome,
    Scene,
    SwimItem,
    SwimRole,
    SwimSettings,
    SwimSheet,
    book,
    folded,
    item_of,
)


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
        what, typed = f"There is no “{name.strip()}” on the price list.", folded(name)
        if near := tuple(one.name for one in CATALOGUE.values() if typed and typed in folded(one.name)):
            raise Misnamed(what, name, near[:3])
        raise UserError(what, "Craft it, or ask your GM.")
    return found


@procedure("buy")
def buy(scene: Scene, options: SwimBuyOptions, _dice: Dice) -> Outcome:
    """Buy something from the price list.

    [SWIM-CHAR-02 (SWIM-R03), SWIM-IMPL-08, SWIM-ITEM-01, SWIM-ITEM-07 (SWIM-R110)]
    """
    actor, settings = scene.actor, scene.settings
    found = catalogue_item(options.item)
    if found.is_quest_only and not (scene.is_gm or settings.artifacts_for_sale):
        raise UserError(f"{found.name} isn't for sale.", "Find it on a quest, or get it from the GM.")
    cost = priced(found, settings) * options.quantity
    purse = actor.left(PURSE)
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


def with_more(sheet: SwimSheet, implement: Implement, quantity: int) -> SwimSheet:
    """Return the sheet with more of an item."""
    held = sheet.find_item(implement.name)
    if held is None:
        return sheet.with_item(item_of(implement, quantity))
    return sheet.with_item(evolve(held, quantity=held.quantity + quantity))


def load_line(scene: Scene, character: Character) -> str:
    """A character's load and free load, in words. [SWIM-ITEM-10, SWIM-SKILL-19]"""
    load, free = load_of(character), free_load(scene, character)
    over = " · encumbered" if load > free * 10 else ""
    return f"Carries {pounds_words(load)} of {free} lb{over}"


def purse_line(scene: Scene, character: Character) -> str:
    """A character's money, in words."""
    return f"Purse {coins(character.left(PURSE), scene.settings)}"


def held_item(character: Character, name: str) -> SwimItem:
    """Find an item that a character has.

    Raises:
        UserError: If they have none.
    """
    found = character.sheet.find_item(name)
    if found is None:
        raise UserError(f"{character.name} has no “{name.strip()}”.", try_this="See /swim-gear list.")
    return found


@procedure("sell")
def sell(scene: Scene, options: SwimBuyOptions, _dice: Dice) -> Outcome:
    """Sell something at its list price. [SWIM-ITEM-07]"""
    actor, settings = scene.actor, scene.settings
    held = held_item(actor, options.item)
    if options.quantity > held.quantity:
        raise UserError(f"{actor.name} has only {held.quantity} × {held.name}.")
    price = priced(held, settings) * options.quantity
    actor = actor.with_resource(PURSE, actor.left(PURSE) + price)
    left = evolve(held, quantity=held.quantity - options.quantity)
    scene = scene.with_sheet(actor, actor.sheet.with_item(left))
    return Outcome(
        scene=scene,
        headline=f"sells {options.quantity} × {held.name} for {coins(price, settings)}",
        notes=(load_line(scene, scene.character(actor.id)),),
    )


@procedure("equip", sets=True)
def equip(scene: Scene, options: SwimEquipOptions, _dice: Dice) -> Outcome:
    """Use something, put it away or anchor it. [SWIM-IMPL-04, SWIM-ITEM-04]"""
    actor = scene.actor
    held = held_item(actor, options.item)
    if options.anchored and not held.must_be_anchored:
        raise UserError(f"You can't anchor {held.name}.", "Pitons can be anchored.")
    changed = evolve(held, is_equipped=options.equipped, is_anchored=options.anchored)
    words = "anchors" if options.anchored else "uses" if options.equipped else "puts away"
    scene = scene.with_sheet(actor, actor.sheet.with_item(changed))
    return Outcome(scene=scene, headline=f"{words} {held.name}")


@procedure("pick_up")
def pick_up(scene: Scene, options: ItemOptions, _dice: Dice) -> Outcome:
    """Pick up something that was thrown. [SWIM-SKILL-13]"""
    actor = scene.actor
    sheet = actor.sheet
    found = next((one for one in sheet.lying if folded(one.name) == folded(options.item)), None)
    if found is None:
        raise UserError(
            f"{actor.name} hasn't thrown a “{options.item.strip()}”.",
            try_this="See what is carried with /swim-gear list.",
        )
    lying = list(sheet.lying)
    lying.remove(found)
    held = sheet.find_item(found.name)
    whole = found if held is None else evolve(held, quantity=held.quantity + found.quantity)
    changed = evolve(sheet, lying=tuple(lying)).with_item(whole)
    return Outcome(scene=scene.with_sheet(actor, changed), headline=f"picks up {found.name}")


def item_words(item: Implement, scene: Scene) -> tuple[str, ...]:
    """The description of a piece of equipment.

    [SWIM-IMPL-01 to SWIM-IMPL-03, SWIM-IMPL-07, SWIM-ITEM-08, SWIM-ITEM-09]
    """
    title = book(scene).title
    bonuses = [
        f"+{mod.bonus} {mod.role.word}{': ' if mod.skills else ''}{', '.join(map(title, mod.skills))}"
        for mod in item.mods
    ]
    bonuses += [f"{item.cancels}-crit: {', '.join(map(title, item.cancel_skills))}"] if item.cancels else []
    bonuses += [f"+{item.bonus_dice}D {title(item.dice_skill)}"] if item.bonus_dice else []
    price = coins(priced(item, scene.settings), scene.settings)
    rare = " · rare" if item.is_rare else ""
    value = f"value {item.value}{rare} · {price} · {pounds_words(item.weight_tenths)}"
    range_ = (f"+1 defense every {item.increment} squares",) if item.increment else ()
    return (*bonuses, *range_, *((item.note,) if item.note else ()), value)


@procedure("item", needs_actor=False)
def show_item(scene: Scene, options: ItemOptions, _dice: Dice) -> Outcome:
    """Show what a piece of equipment does."""
    held = None if scene.actor_id is None else scene.actor.sheet.find_item(options.item)
    found = held or catalogue_item(options.item)
    return Outcome(
        scene=scene, headline=f"looks at {found.name}", notes=item_words(found, scene), is_public=False
    )


@procedure("shop", needs_actor=False)
def show_shop(scene: Scene, _options: ListOptions, _dice: Dice) -> Outcome:
    """Show the price list. [SWIM-ITEM-01, SWIM-ITEM-07]"""
    settings = scene.settings
    lines = tuple(
        f"{one.name}: {', '.join(item_words(one, scene))}"
        for one in CATALOGUE.values()
        if settings.artifacts_for_sale or not one.is_quest_only
    )
    return Outcome(scene=scene, headline="looks at the price list", notes=lines, is_public=False)


@procedure("gear")
def show_gear(scene: Scene, _options: ListOptions, _dice: Dice) -> Outcome:
    """Show the actor's gear."""
    actor = scene.actor
    return Outcome(
        scene=scene,
        headline="looks through the gear",
        notes=(*gear_lines(actor.sheet), purse_line(scene, actor), load_line(scene, actor)),
        is_public=False,
    )


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
    """The range of a character's best light, in squares. [SWIM-ITEM-09, SWIM-MAGIC-07]"""
    lit = (item.light for item in sheet.items if item.is_equipped)
    return max((sheet.states.light, *lit))


class WaterOptions(Document):
    """For how many rounds to pour."""

    rounds: int = Field(ge=1, le=10_000)


@procedure("pour")
def pour(scene: Scene, options: WaterOptions, _dice: Dice) -> Outcome:
    """Pour clean water from the Bottomless Amphora: a cup per round. [SWIM-ITEM-08]"""
    held = held_item(scene.actor, "Bottomless Amphora")
    verdict = Verdict(Family.NEWS, counted(options.rounds, "cup"))
    return Outcome(scene=scene, headline=f"pours from the {held.name}", verdict=verdict)


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


@procedure("hand")
def hand(scene: Scene, options: SwimHandOptions, _dice: Dice) -> Outcome:
    """Offer someone an item, who can take it. [SWIM-ITEM-07]"""
    actor, taker = scene.actor, _taker(scene, options.target)
    held = held_item(actor, options.item)
    _assert_enough(actor, held, options.quantity)
    words = f"{options.quantity} × {held.name}"
    take = SwimTakeOptions(giver=actor.id, item=held.name, quantity=options.quantity)
    return _offer(scene, taker, words, FollowUp(procedure="take", options=take, label=f"Take {words}"[:80]))


@procedure("take")
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


@procedure("pay")
def pay(scene: Scene, options: SwimPayOptions, _dice: Dice) -> Outcome:
    """Offer someone money, who can take it. [SWIM-CHAR-03]"""
    actor, taker = scene.actor, _taker(scene, options.target)
    silver = options.gold * scene.settings.sp_per_gp + options.silver
    if not silver:
        raise UserError("Say how much you give.")
    _assert_money(scene, actor, silver)
    words = coins(silver, scene.settings)
    take = SwimTakeMoneyOptions(giver=actor.id, silver=silver)
    return _offer(scene, taker, words, FollowUp(procedure="take_money", options=take, label=f"Take {words}"))


@procedure("take_money")
def take_money(scene: Scene, options: SwimTakeMoneyOptions, _dice: Dice) -> Outcome:
    """Take money that is offered; both purses change at once."""
    giver, taker = scene.character(options.giver), scene.actor
    _assert_money(scene, giver, options.silver)
    scene = scene.with_character(giver.with_resource(PURSE, giver.left(PURSE) - options.silver))
    scene = scene.with_character(taker.with_resource(PURSE, taker.left(PURSE) + options.silver))
    return Outcome(scene=scene, headline=f"takes {coins(options.silver, scene.settings)} from {giver.name}")


def _taker(scene: Scene, who: CharacterId) -> Character:
    if who == scene.actor.id:
        raise UserError("You can't give something to yourself.")
    return scene.character(who)


def _assert_enough(giver: Character, held: SwimItem, quantity: int) -> None:
    if quantity > held.quantity:
        raise UserError(f"{giver.name} has only {held.quantity} × {held.name}.")


def _assert_money(scene: Scene, giver: Character, silver: int) -> None:
    purse = giver.left(PURSE)
    if silver > purse:
        raise UserError(f"{giver.name} has only {coins(purse, scene.settings)}.")


def _offer(scene: Scene, taker: Character, words: str, button: FollowUp) -> Outcome:
    follow_up = replace(button, character=taker.id, group=GIFT)
    return Outcome(scene=scene, headline=f"offers {taker.name} {words}", follow_ups=(follow_up,))


DIFFICULTY = 4
QUARTER_GP = 10  # 2.5 GP are ten quarters of one
LIMITED_SHARE = 10
ROPE = "Rope (10 ft)"


class CraftOptions(Document):
    """Options of a new crafting task."""

    item: str = Field(min_length=1, max_length=60)  # its name; a listed item is made as listed
    rank: int = Field(default=1, ge=1, le=12)  # the bonus of a new item
    skill: str = Field(default="", max_length=100)  # the skill that a new item helps
    role: SwimRole = SwimRole.TASK  # whether it helps attacks, defenses or tasks
    material: str = Field(default="", max_length=40)  # the material, for a specialized crafter
    limited: bool = False  # whether it can fall apart after each use
    rope: int = Field(default=0, ge=0, le=100)  # lengths of rope used as material


class CraftWorkOptions(PoolOptions):
    """The item to work on, with the options of the roll."""

    item: str = Field(min_length=1, max_length=60)


def material_sp(value: int, settings: SwimSettings, *, limited: bool = False) -> int:
    """The price of the material of an implement, rounded up to whole silver.

    [SWIM-CRAFT-01 (SWIM-R81, SWIM-R117), SWIM-CRAFT-04 (SWIM-R84)]
    """
    quarters = QUARTER_GP * value * value * settings.sp_per_gp
    return -(-quarters // (4 * (LIMITED_SHARE if limited else 1)))


def progress_needed(value: int) -> int:
    """The progress that an implement needs. [SWIM-CRAFT-01]"""
    return value * value


def ruined_sp(criticals: int, settings: SwimSettings, *, limited: bool = False) -> int:
    """The price of material ruined by criticals: one success's worth each. [SWIM-CRAFT-02 (SWIM-R83)]"""
    return criticals * material_sp(1, settings, limited=limited)


@procedure("start_craft")
def start_craft(scene: Scene, options: CraftOptions, _dice: Dice) -> Outcome:
    """Buy the material and start crafting. [SWIM-CRAFT-01 to SWIM-CRAFT-04, SWIM-ITEM-06 (SWIM-R109)]"""
    actor, settings = scene.actor, scene.settings
    item = _product(scene, options)
    if item.is_artifact and not scene.is_gm:
        raise UserError("You can't craft artifacts.", "A GM can.")
    cost = material_sp(item.value, settings, limited=options.limited)
    scene, actor = _paid(scene, actor, cost)
    scene = _rope_used(scene, actor, options.rope)
    skill = f"craft:{folded(options.material)}" if options.material else "craft"
    task = Task(
        name=item.name,
        owner=actor.id,
        skill=skill,
        difficulty=DIFFICULTY - options.limited,
        needed=progress_needed(item.value),
        is_long=True,
        material=Material(item=item, cost_sp=cost),
    )
    begun = begin(scene, task)
    return replace(begun, follow_ups=(_work_button(scene, task),))


def _work_button(scene: Scene, task: Task, ruined: int = 0) -> FollowUp:
    """The button to continue crafting, with the price of ruined material."""
    cost = f", buy material for {coins(ruined, scene.settings)}" if ruined else ""
    words = f" ({short_name(book(scene).title(task.skill), 20)}){cost}"
    return FollowUp(
        procedure="craft",
        options=CraftWorkOptions(item=task.name),
        label=label_with(task.name, words, before="Work on "),
        audience=Audience.ANYONE,
        group="work",
    )


def _product(scene: Scene, options: CraftOptions) -> SwimItem:
    """The item to be made: a listed one, or a new one."""
    listed = {folded(name) for name in CATALOGUE}
    if folded(options.item) in listed:
        made = catalogue_item(options.item)
        if made.value == 0:
            raise UserError(f"You can't craft {made.name}.", "Only things with a bonus are crafted.")
        return SwimItem(**made.model_dump(), is_limited=options.limited)
    if not options.skill:
        raise UserError(
            f"{options.item} isn't on the price list.",
            try_this="Give the option “skill” to make something new.",
        )
    mod = Mod(role=options.role, skills=(book(scene).find(options.skill),), bonus=options.rank)
    return SwimItem(name=options.item.strip(), mods=(mod,), is_limited=options.limited)


def _paid(scene: Scene, actor: Character, cost: int) -> tuple[Scene, Character]:
    purse, settings = actor.left(PURSE), scene.settings
    if cost > purse:
        raise UserError(f"The material costs {coins(cost, settings)}.", f"You have {coins(purse, settings)}.")
    actor = actor.with_resource(PURSE, purse - cost)
    return scene.with_character(actor), actor


def _rope_used(scene: Scene, actor: Character, lengths: int) -> Scene:
    """Take rope as material. [SWIM-ITEM-06]"""
    if not lengths:
        return scene
    sheet = actor.sheet
    rope = sheet.find_item(ROPE)
    if rope is None or rope.quantity < lengths:
        raise UserError(f"{actor.name} doesn't have {lengths * 10} ft of rope.")
    return scene.with_sheet(actor, sheet.with_item(evolve(rope, quantity=rope.quantity - lengths)))


@procedure("craft", can_repeat=True)
def craft(scene: Scene, options: CraftWorkOptions, dice: Dice) -> Outcome:
    """Continue crafting; ruined material is bought again first. [SWIM-CRAFT-01, SWIM-CRAFT-02]"""
    task = find_task(scene, options.item)
    material = task.material
    if material is None:
        raise UserError(f"{task.name} isn't a crafting task.", try_this="Your sheet has it under Check.")
    plan = work_plan(scene, task, options)[1]
    warning = warned(scene, "craft", options, plan, f"would work on {task.name}")
    if warning is not None:
        return warning
    scene, actor = _paid(scene, scene.actor, material.ruined_sp)
    settings = scene.settings
    again = (f"Buys new material for {coins(material.ruined_sp, settings)}.",) if material.ruined_sp else ()
    done, task = work_on(scene, task, options, dice)
    lost = min(ruined_sp(done.judged.criticals, settings, limited=material.item.is_limited), material.cost_sp)
    ruin = (f"Material worth {coins(lost, settings)} is ruined.",) if lost else ()
    task = evolve(task, material=evolve(material, ruined_sp=lost))
    scene, made = _finished(done.scene, actor, task, material.item)
    title = book(scene).title(done.planned.skill)
    words = headline(f"crafts {task.name} with {title} {done.planned.rank}", option_words(options))
    return Outcome(
        scene=scene,
        headline=words,
        verdict=done.verdict,
        rolls=done.rolls,
        notes=(*again, progress_bar(task), *done.notes, *ruin, *made),
        follow_ups=(*done.follow_ups, *((_work_button(scene, task, lost),) if task.is_open else ())),
    )


def _finished(scene: Scene, actor: Character, task: Task, item: SwimItem) -> tuple[Scene, tuple[str, ...]]:
    """Add a finished item to the sheet."""
    if task.is_open:
        return with_task(scene, task, task.name), ()
    character = scene.character(actor.id)
    sheet = character.sheet
    is_new = sheet.find_item(item.name) is None
    whole = sheet.with_item(item) if is_new else with_more(sheet, item, 1)
    scene = scene.with_sheet(character, whole)
    return with_task(scene, None, task.name), (decisive(f"{item.name} is finished."),)
