"""The inventory commands: showing, moving, dropping and handing over items."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import (
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
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import Character, Outcome, RpjSheet, Scene
from bot.rules.rpj.combat.commands.turn_commands import active_fighter, begun_stage
from bot.rules.rpj.combat.rules.arms import weapons_of, wielding
from bot.rules.rpj.combat.rules.turns import full_task, swap_cost, swapped
from bot.rules.rpj.module.loads import Possession, RpjPlace
from bot.rules.rpj.module.require_rules import Pack, is_on, require
from bot.rules.rpj.module.settings import module_in


class CarryOptions(Document):
    """The options of moving an item.

    Attributes:
        item: Its name or id.
        to: Where it goes.
        count: How many.
        place: Where it is now; wherever it is where left out.
    """

    item: str = Field(max_length=100)
    to: RpjPlace
    count: int = Field(default=1, ge=1, le=1_000_000)
    place: RpjPlace | None = None


class ThingOptions(Document):
    """The options of picking up or dropping an item.

    Attributes:
        item: Its name or id.
        count: How many.
    """

    item: str = Field(max_length=100)
    count: int = Field(default=1, ge=1, le=1_000_000)


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

    Raises:
        UserError: If it is not one's turn, or not enough of it is left.

    Source: RPJ-INV-06, RPJ-INV-09 (INV-09a), RPJ-GCS-13, RPJ-GCS-14.
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
    """A character's items, one line per place, and the load.

    Source: RPJ-INV-01, RPJ-INV-02.
    """
    things = everything(figure.sheet, figure.module)
    lines = [
        f"{place.capitalize()}: {', '.join(thing_words(thing, figure.module) for thing in there)}"
        for place in RpjPlace
        if (there := [thing for thing in things if thing.place is place])
    ]
    if figure.plays(Pack.INVENTORY):
        lines.insert(0, str(burden_of(figure)).capitalize())
    return tuple(lines)


def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the character's items.

    Source: RPJ-INV-01.
    """
    _require_things(scene)
    lines = load_lines(_plain(scene, scene.actor))
    return Outcome(
        scene=scene, headline="checks what they carry", notes=lines or ("Nothing.",), is_public=False
    )


declare("bags", NoOptions, look)


def put(scene: Scene, options: CarryOptions, _dice: Dice) -> Outcome:
    """Move an item: in hand, worn, packed, or put away.

    Raises:
        UserError: If it is not there, cannot be there, or the turn of a fight has no room for it.

    Source: RPJ-INV-05 to RPJ-INV-09.
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


declare("put", CarryOptions, put)


def pick_up(scene: Scene, options: ThingOptions, _dice: Dice) -> Outcome:
    """Pick up an item.

    Raises:
        UserError: If it is too much.

    Source: RPJ-INV-05.
    """
    _require_things(scene)
    actor = scene.actor
    figure = _plain(scene, actor)
    item = item_named(figure.module, options.item)
    thing = Possession(item=item.id, count=options.count, place=RpjPlace.CARRIED)
    scene = _kept(scene, actor, _with(figure, thing))
    headline = f"picks up {thing_words(thing, figure.module)}"
    return Outcome(scene=scene, headline=headline, notes=_load_notes(scene, actor))


declare("pick_up", ThingOptions, pick_up)


def _with(figure: Stats, thing: Possession) -> RpjSheet:
    sheet = with_thing(figure.sheet, thing)
    assert_carries(Stats(sheet, figure.module))
    return sheet


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


declare("drop", ThingOptions, drop)


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


declare("hand", HandOptions, hand)


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


declare("take", PassedOptions, take)
