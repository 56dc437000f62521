"""The inventory commands: items and ammunition, shown, moved, handed over and resupplied."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import (
    assert_carries,
    burden_of,
    everything,
    item_named,
    moved,
    owned,
    sets_off,
    thing_words,
    with_thing,
    without_thing,
)
from bot.rules.rpj.character.sheet import Character, Outcome, RpjSheet, Scene, Stats, figure_in
from bot.rules.rpj.combat.combatant import RpjCombatant, RpjKind
from bot.rules.rpj.combat.commands.turn_commands import active_fighter, begun_stage
from bot.rules.rpj.combat.rules.combatants import weapons_of, wielding
from bot.rules.rpj.combat.rules.shooting import (
    after_fight,
    ammunition_of,
    magazine_of,
    supplied,
    with_ammunition,
)
from bot.rules.rpj.combat.rules.turns import full_task, swap_cost, swapped
from bot.rules.rpj.module.basics import named
from bot.rules.rpj.module.items import MOST_STEPS, Ammunition, RpjWeapon, ammunition_swapped, given, step_name
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import is_on, module_in, require
from bot.rules.rpj.module.possessions import Possession, RpjPlace


class CarryOptions(Document):
    """The options of moving an item."""

    item: str = Field(max_length=100)  # its name or id
    to: RpjPlace  # where it goes
    count: int = Field(default=1, ge=1, le=1_000_000)  # how many
    place: RpjPlace | None = None  # where it is now; wherever it is where left out


class ThingOptions(Document):
    """The options of picking up or dropping an item."""

    item: str = Field(max_length=100)  # its name or id
    count: int = Field(default=1, ge=1, le=1_000_000)  # how many


class HandOptions(ThingOptions):
    """The options of handing over an item."""

    target: CharacterId


class PassedOptions(ThingOptions):
    """The options of taking an offered item."""

    giver: CharacterId


def _plain(scene: Scene, who: Character) -> Stats:
    """A character's stats with items at their usual quality, for listing and moving."""
    return Stats(who.sheet, module_in(scene.settings))


def _require_things(scene: Scene) -> None:
    """Refuse inventory commands where neither loads nor money are played.

    Raises:
        PackIsOff: If neither is on.
    """
    if not is_on(scene.settings, Pack.MONEY):
        require(scene, Pack.INVENTORY)


def _kept(scene: Scene, who: Character, sheet: RpjSheet) -> Scene:
    return scene.with_sheet(who, sheet)


def _paid(scene: Scene, before: RpjPlace, to: RpjPlace) -> tuple[Scene, str]:
    """The scene after paying actions for moving an item in a fight, and the cost in words.

    [RPJ-INV-06, RPJ-INV-09 (INV-09a), RPJ-GCS-13, RPJ-GCS-14]
    """
    who = active_fighter(scene)
    if who is None:
        return scene, ""
    stage = begun_stage(scene)
    if RpjPlace.HELD in (before, to) and before.container is None and to.container is None:
        cost = swap_cost(stage.battle, who)
        battle = swapped(stage.battle, who, stage.fight.fighter(who).wielded)
        price = f"{cost} action{'s' * (cost != 1)}" if cost else "no action"
    else:
        battle, price = full_task(stage.battle, who), "the whole turn"
    return stage.with_battle(battle).saved(), f"That takes {price}."


def _in_hand(scene: Scene, item: str, to: RpjPlace) -> Scene:
    """The scene with an item in or out of a combatant's hands."""
    who = active_fighter(scene)
    if who is None:
        return scene
    stage = begun_stage(scene)
    figure = stage.battle[who].figure
    kept = [one for one in stage.fight.fighter(who).wielded if one != item]
    is_weapon = to is RpjPlace.HELD and any(one.id == item for one in weapons_of(figure))
    wielded = wielding(figure, [*kept, item]) if is_weapon else tuple(kept)
    return stage.with_battle(stage.battle.changed(who, wielded=wielded)).saved()


def _load_notes(scene: Scene, who: Character) -> tuple[str, ...]:
    """The load now, where loads are played."""
    if not is_on(scene.settings, Pack.INVENTORY):
        return ()
    return (f"{str(burden_of(_plain(scene, scene.character(who.id)))).capitalize()}.",)


def load_lines(figure: Stats) -> tuple[str, ...]:
    """A character's items, one line per place, and the load. [RPJ-INV-01, RPJ-INV-02]"""
    things = everything(figure.sheet, figure.module)
    lines = [
        f"{place.capitalize()}: {', '.join(thing_words(thing, figure.module) for thing in there)}"
        for place in RpjPlace
        if (there := [thing for thing in things if thing.place is place])
    ]
    if figure.plays(Pack.INVENTORY):
        lines.insert(0, str(burden_of(figure)).capitalize())
    return tuple(lines)


@procedure("bags")
def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the character's items. [RPJ-INV-01]"""
    _require_things(scene)
    lines = load_lines(_plain(scene, scene.actor))
    return Outcome(
        scene=scene, headline="checks what they carry", notes=lines or ("Nothing.",), is_public=False
    )


@procedure("put")
def put(scene: Scene, options: CarryOptions, _dice: Dice) -> Outcome:
    """Move an item: in hand, worn, packed, or put away. [RPJ-INV-05 to RPJ-INV-09]

    Raises:
        UserError: If it is not there, cannot be there, or the turn of a fight has no room for it.
    """
    _require_things(scene)
    actor = scene.actor
    figure = _plain(scene, actor)
    item = item_named(figure.module, options.item)
    thing = owned(figure, item, options.place)
    if thing.place is options.to:
        raise UserError(f"{item.name}: {options.to} already.")
    if options.to is RpjPlace.WORN and not item.is_wearable:
        raise UserError(f"{item.name} can't be worn.", "You can hold, carry or pack it.")
    to = RpjPlace.WORN if options.to is RpjPlace.HELD and item.is_wearable else options.to
    scene, cost = _paid(scene, thing.place, to)
    scene = _kept(scene, scene.character(actor.id), moved(figure, thing, to, options.count))
    scene = _in_hand(scene, item.id, to)
    words = thing_words(evolve(thing, count=options.count), figure.module)
    where = {
        RpjPlace.HELD: f"takes {words} in hand",
        RpjPlace.WORN: f"puts on {words}",
        RpjPlace.CARRIED: f"carries {words}",
        RpjPlace.AWAY: f"leaves {words} behind",
    }.get(to, f"puts {words} into the {to}")
    off = [f"{armor.name} is taken off and carried." for armor in sets_off(figure, thing, to)]
    notes = (*((cost,) if cost else ()), *off, *_load_notes(scene, actor))
    return Outcome(scene=scene, headline=where, notes=notes)


@procedure("pick_up")
def pick_up(scene: Scene, options: ThingOptions, _dice: Dice) -> Outcome:
    """Pick up an item. [RPJ-INV-05]

    Raises:
        UserError: If it is too much.
    """
    _require_things(scene)
    actor = scene.actor
    figure = _plain(scene, actor)
    item = item_named(figure.module, options.item)
    thing = Possession(item=item.id, count=options.count, place=RpjPlace.CARRIED)
    scene = _kept(scene, actor, _with(figure, thing))
    headline = f"picks up {thing_words(thing, figure.module)}"
    return Outcome(scene=scene, headline=headline, notes=_load_notes(scene, actor))


def _with(figure: Stats, thing: Possession) -> RpjSheet:
    sheet = with_thing(figure.sheet, thing)
    assert_carries(Stats(sheet, figure.module))
    return sheet


@procedure("drop")
def drop(scene: Scene, options: ThingOptions, _dice: Dice) -> Outcome:
    """Remove an item permanently: used up, sold, lost.

    Raises:
        UserError: If there is not so much of it.
    """
    _require_things(scene)
    actor = scene.actor
    figure = _plain(scene, actor)
    item = item_named(figure.module, options.item)
    thing = owned(figure, item)
    scene = _kept(scene, actor, without_thing(figure.sheet, thing, options.count))
    words = thing_words(evolve(thing, count=options.count), figure.module)
    return Outcome(scene=scene, headline=f"gets rid of {words}", notes=_load_notes(scene, actor))


@procedure("hand")
def hand(scene: Scene, options: HandOptions, _dice: Dice) -> Outcome:
    """Offer someone an item, who can take it.

    Raises:
        UserError: If there is not so much of it.
    """
    _require_things(scene)
    actor, taker = scene.actor, scene.character(options.target)
    if taker.id == actor.id:
        raise UserError("You can't hand something to yourself.")
    figure = _plain(scene, actor)
    item = item_named(figure.module, options.item)
    thing = owned(figure, item)
    without_thing(figure.sheet, thing, options.count)
    words = thing_words(evolve(thing, count=options.count), figure.module)
    button = FollowUp(
        procedure="take",
        options=PassedOptions(item=item.id, count=options.count, giver=actor.id),
        label=f"Take {words}"[:80],
        character=taker.id,
        group="hand",
    )
    return Outcome(scene=scene, headline=f"offers {taker.name} {words}", follow_ups=(button,))


@procedure("take")
def take(scene: Scene, options: PassedOptions, _dice: Dice) -> Outcome:
    """Take an offered item; both inventories change at once.

    Raises:
        UserError: If it is not there any more, or too much to carry.
    """
    _require_things(scene)
    giver, taker = scene.character(options.giver), scene.actor
    figure = _plain(scene, giver)
    thing = owned(figure, item_named(figure.module, options.item))
    passed = evolve(thing, count=options.count, place=RpjPlace.CARRIED)
    scene = _kept(scene, giver, without_thing(figure.sheet, thing, options.count))
    scene = _kept(scene, taker, _with(_plain(scene, taker), passed))
    headline = f"takes {thing_words(passed, figure.module)} from {giver.name}"
    return Outcome(scene=scene, headline=headline, notes=_load_notes(scene, taker))


class SwapAmmunitionOptions(Document):
    """The options of swapping ammunition."""

    one: str = Field(min_length=1, max_length=60)
    other: str = Field(min_length=1, max_length=60)


class RpjGiveOptions(Document):
    """The options of giving ammunition."""

    to: CharacterId  # whom
    weapon: str = Field(min_length=1, max_length=60)  # which weapon of one's own it is for
    theirs: str = Field(default="", max_length=60)  # which weapon of theirs; the same where left out
    steps: int = Field(default=1, ge=1, le=MOST_STEPS)  # how many steps


class ResupplyOptions(Document):
    """The options of resupplying."""

    target: CharacterId
    weapon: str = Field(min_length=1, max_length=60)
    # 0 None, 1 A Little, 2 Some, 3 Lots, above that Lots and more.
    step: int = Field(default=3, ge=0, le=MOST_STEPS)
    loaded: int | None = Field(default=None, ge=0, le=100)  # rounds of use in it; full where left out


def resupplied(scene: Scene, fighters: Iterable[RpjCombatant]) -> tuple[Scene, tuple[str, ...]]:
    """The scene after a fight: magazines are full, and ammunition used twice or more is one step lower.

    [RPJ-FIRE-05, RPJ-FIRE-04 (FIRE-04a)]
    """
    notes: list[str] = []
    for fighter in fighters:
        if fighter.character is None or fighter.kind is RpjKind.MOOK:
            continue
        character = scene.character(fighter.character)
        is_tracked = fighter.kind is RpjKind.PLAYER
        figure, less = after_fight(figure_in(scene, character), is_tracked=is_tracked)
        scene = _with_ammunition_saved(scene, character, figure)
        notes += [f"{character.name}'s {words}." for words in less]
    return scene, tuple(notes)


def _with_ammunition_saved(scene: Scene, character: Character, figure: Stats) -> Scene:
    sheet = scene.character(character.id).sheet
    if not figure.sheet.ammunition or figure.sheet == sheet:
        return scene
    return scene.with_sheet(scene.character(character.id), figure.sheet)


def loaded_weapon(figure: Stats, typed: str) -> RpjWeapon:
    """A weapon that needs ammunition, by name or id. [RPJ-FIRE-02]

    Raises:
        UserError: If there is none called so.
    """
    found = [weapon for weapon, _magazine, _had in supplied(figure)]
    if weapon := named(found, typed):
        return weapon
    names = ", ".join(one.name for one in found)
    is_typed = typed.strip()
    what = f"“{typed}” uses no ammunition here." if is_typed else "You have no weapon that uses ammunition."
    raise UserError(what, f"Weapons that do: {names}." if names else "No weapon of yours does.")


def _had(figure: Stats, weapon: RpjWeapon) -> Ammunition:
    magazine = magazine_of(figure, weapon.id)
    assert magazine is not None  # noqa: S101  # the weapon was found by its magazine
    return ammunition_of(figure, weapon.id, magazine)


def ammunition_line(figure: Stats, weapon: str) -> str:
    """A weapon's ammunition: "loaded 2/3 · Lots"; empty if it needs none. [RPJ-FIRE-04]"""
    magazine = magazine_of(figure, weapon)
    if magazine is None:
        return ""
    had = ammunition_of(figure, weapon, magazine)
    return f"loaded {had.loaded}/{magazine.capacity} · {step_name(had.step)}"


@procedure("fire.ammunition")
def show_ammunition(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show what is loaded and carried for each weapon. [RPJ-FIRE-04]"""
    require(scene, Pack.FIRE_AND_MOVEMENT)
    figure = figure_in(scene, scene.actor)
    lines = tuple(
        f"{weapon.name}: {ammunition_line(figure, weapon.id)}" for weapon, _m, _h in supplied(figure)
    )
    none = ("None of their weapons use ammunition.",)
    return Outcome(scene=scene, headline="checks their ammunition", notes=lines or none, is_public=False)


@procedure("fire.swap")
def swap_ammunition(scene: Scene, options: SwapAmmunitionOptions, _dice: Dice) -> Outcome:
    """Swap the ammunition carried for two weapons of the same kind. [RPJ-FIRE-06]"""
    require(scene, Pack.FIRE_AND_MOVEMENT)
    figure = figure_in(scene, scene.actor)
    one, other = loaded_weapon(figure, options.one), loaded_weapon(figure, options.other)
    if one.ammunition is None or other.ammunition is None or one.id == other.id:
        raise UserError("Choose two different weapons.")
    first, second = _had(figure, one), _had(figure, other)
    changed = ammunition_swapped((one.ammunition, first), (other.ammunition, second))
    after = with_ammunition(with_ammunition(figure, one.id, changed[0]), other.id, changed[1])
    notes = (
        f"{one.name}: {step_name(first.step)} → {step_name(second.step)}",
        f"{other.name}: {step_name(second.step)} → {step_name(first.step)}",
    )
    return Outcome(
        scene=_with_ammunition_saved(scene, scene.actor, after), headline="swaps ammunition", notes=notes
    )


@procedure("fire.give")
def give_ammunition(scene: Scene, options: RpjGiveOptions, _dice: Dice) -> Outcome:
    """Give someone ammunition, step by step. [RPJ-FIRE-07 (FIRE-07a)]"""
    require(scene, Pack.FIRE_AND_MOVEMENT)
    actor, taker = scene.actor, scene.character(options.to)
    if actor.id == taker.id:
        raise UserError(
            "You can't give ammunition to yourself.", try_this="Use /rpj-fire swap between your own weapons."
        )
    mine, theirs = figure_in(scene, actor), figure_in(scene, taker)
    own, into = loaded_weapon(mine, options.weapon), loaded_weapon(theirs, options.theirs or options.weapon)
    if own.ammunition is None or into.ammunition is None or own.ammunition.type != into.ammunition.type:
        raise UserError("These two weapons use different ammunition.")
    had, has = _had(mine, own), _had(theirs, into)
    left, more = given(had, has, options.steps)
    scene = _with_ammunition_saved(scene, actor, with_ammunition(mine, own.id, left))
    scene = _with_ammunition_saved(scene, taker, with_ammunition(theirs, into.id, more))
    notes = (
        f"{actor.name}'s {own.name}: {step_name(had.step)} → {step_name(left.step)}",
        f"{taker.name}'s {into.name}: {step_name(has.step)} → {step_name(more.step)}",
    )
    return Outcome(scene=scene, headline=f"gives {taker.name} ammunition", notes=notes)


@procedure("fire.resupply", gm_only=True, needs_actor=False)
def resupply(scene: Scene, options: ResupplyOptions, _dice: Dice) -> Outcome:
    """Set how much ammunition a character carries for a weapon. [RPJ-FIRE-07]"""
    require(scene, Pack.FIRE_AND_MOVEMENT)
    target = scene.character(options.target)
    figure = figure_in(scene, target)
    weapon = loaded_weapon(figure, options.weapon)
    had, capacity = _had(figure, weapon), weapon.ammunition.capacity if weapon.ammunition else 0
    loaded = capacity if options.loaded is None else min(options.loaded, capacity)
    after = evolve(had, loaded=loaded, step=options.step)
    return Outcome(
        scene=_with_ammunition_saved(scene, target, with_ammunition(figure, weapon.id, after)),
        headline=f"resupplies {target.name}",
        notes=(
            f"{weapon.name}: {step_name(had.step)} → {step_name(options.step)}, loaded {loaded}/{capacity}",
        ),
    )
