"""Crafting: materials, progress, ruined material and finished items."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import decisive
from bot.rules.swim_class.character.implements import CATALOGUE, Mod, SwimItem, SwimRole
from bot.rules.swim_class.character.money import coins
from bot.rules.swim_class.character.resources import PURSE
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import (
    Character,
    Outcome,
    Scene,
    book,
)
from bot.rules.swim_class.character.skills import folded
from bot.rules.swim_class.checks.reach import warned
from bot.rules.swim_class.checks.rolling import PoolOptions, headline, option_words
from bot.rules.swim_class.checks.tasks import (
    Material,
    Task,
    begin,
    find_task,
    progress_bar,
    with_task,
    work_on,
    work_plan,
)
from bot.rules.swim_class.gear.shop import catalogue_item, with_more

DIFFICULTY = 4
QUARTER_GP = 10  # 2.5 GP are ten quarters of one
LIMITED_SHARE = 10
ROPE = "Rope (10 ft)"


class CraftOptions(Document):
    """Options of a new crafting task.

    Attributes:
        item: Its name; a listed item is made as listed.
        rank: The bonus of a new item.
        skill: The skill that a new item helps.
        role: Whether it helps attacks, defenses or tasks.
        material: The material, for a specialised crafter.
        limited: Whether it can fall apart after each use.
        rope: Lengths of rope used as material.
    """

    item: str = Field(min_length=1, max_length=60)
    rank: int = Field(default=1, ge=1, le=12)
    skill: str = Field(default="", max_length=100)
    role: SwimRole = SwimRole.TASK
    material: str = Field(default="", max_length=40)
    limited: bool = False
    rope: int = Field(default=0, ge=0, le=100)


class CraftWorkOptions(PoolOptions):
    """The item to work on, with the options of the roll."""

    item: str = Field(min_length=1, max_length=60)


def material_sp(value: int, settings: SwimSettings, *, limited: bool = False) -> int:
    """The price of the material of an implement, rounded up to whole silver.

    Source: SWIM-CRAFT-01 (SWIM-R81, SWIM-R117), SWIM-CRAFT-04 (SWIM-R84).
    """
    quarters = QUARTER_GP * value * value * settings.sp_per_gp
    return -(-quarters // (4 * (LIMITED_SHARE if limited else 1)))


def progress_needed(value: int) -> int:
    """The progress that an implement needs.

    Source: SWIM-CRAFT-01.
    """
    return value * value


def ruined_sp(criticals: int, settings: SwimSettings, *, limited: bool = False) -> int:
    """The price of material ruined by criticals: one success's worth each.

    Source: SWIM-CRAFT-02 (SWIM-R83).
    """
    return criticals * material_sp(1, settings, limited=limited)


def start_craft(scene: Scene, options: CraftOptions, _dice: Dice) -> Outcome:
    """Buy the material and start crafting.

    Source: SWIM-CRAFT-01 to SWIM-CRAFT-04, SWIM-ITEM-06 (SWIM-R109).
    """
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


declare("start_craft", CraftOptions, start_craft)


def _work_button(scene: Scene, task: Task) -> FollowUp:
    """The button to continue crafting, with the price of ruined material."""
    ruined = task.material.ruined_sp if task.material else 0
    cost = f", buy material for {coins(ruined, scene.settings)}" if ruined else ""
    return FollowUp(
        procedure="craft",
        options=CraftWorkOptions(item=task.name),
        label=f"Work on {task.name[:40]} ({book(scene).title(task.skill)[:20]}){cost}"[:80],
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
    purse, settings = actor.resources.get(PURSE, 0), scene.settings
    if cost > purse:
        raise UserError(f"The material costs {coins(cost, settings)}.", f"You have {coins(purse, settings)}.")
    actor = actor.with_resource(PURSE, purse - cost)
    return scene.with_character(actor), actor


def _rope_used(scene: Scene, actor: Character, lengths: int) -> Scene:
    """Take rope as material.

    Source: SWIM-ITEM-06.
    """
    if not lengths:
        return scene
    sheet = actor.sheet
    rope = sheet.find_item(ROPE)
    if rope is None or rope.quantity < lengths:
        raise UserError(f"{actor.name} doesn't have {lengths * 10} ft of rope.")
    return scene.with_sheet(actor, sheet.with_item(evolve(rope, quantity=rope.quantity - lengths)))


def craft(scene: Scene, options: CraftWorkOptions, dice: Dice) -> Outcome:
    """Continue crafting; ruined material is bought again first.

    Source: SWIM-CRAFT-01, SWIM-CRAFT-02.
    """
    task = find_task(scene, options.item)
    material = task.material
    if material is None:
        raise UserError(f"{task.name} isn't a crafting task.", try_this="Use /swim task work.")
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
        follow_ups=(*done.follow_ups, *((_work_button(scene, task),) if task.is_open else ())),
    )


declare("craft", CraftWorkOptions, craft, can_repeat=True)


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
