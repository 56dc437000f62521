"""Carried gear: remedies, armour, ammunition, Comms and money."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.catalogue import armed, find_item, weapon_in_hand
from bot.rules.compare_roll.fortunes import AMMUNITION, ASSETS, ft_max, ft_now, gain_stress, heal, movement
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    Outcome,
    Scene,
    assert_can_act,
    status_of,
)
from bot.rules.compare_roll.strikes import MOST_FEET, on_turn, spend_attack, with_fighter
from bot.rules.compare_roll.tables import CompareItem, ComparePurpose, ItemKind
from bot.rules.compare_roll.two_d12s import AMOUNT, AmountInputs
from bot.rules.kernel import CharacterId, Document, Roll, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name

EARSHOT_FEET = 20
NO_ARMOUR = "none"  # as the option says; a suit of that name would come first
KIND_WORDS: dict[str, str] = {ItemKind.REMEDY: "remedy", ItemKind.ARMOUR: "armor"}


class CompareUseOptions(Document):
    """The remedy to use and its target; None: the actor."""

    item: str = "Stim"
    target: CharacterId | None = None


class CompareEquipOptions(Document):
    """The suit to put on; empty or "none" takes the worn one off."""

    armour: str = ""


class CompareReloadOptions(Document):
    """The weapon to reload; empty: the first that is not full."""

    weapon: str = ""


class TuneOptions(Document):
    """The channel to tune Comms to."""

    label: str = Field(min_length=1, max_length=40)


class TalkOptions(Document):
    """The person to talk to, and their distance in feet."""

    target: CharacterId
    distance: int = Field(ge=0, le=MOST_FEET)


class MoneyOptions(Document):
    """The Assets earned or (below 0) spent, and the reason."""

    amount: int = Field(ge=-100_000, le=100_000)
    reason: str = Field(default="", max_length=100)


@procedure("use", can_repeat=True)
def use(scene: Scene, options: CompareUseOptions, dice: Dice) -> Outcome:
    """Use a remedy: it heals first, then gives its Stress to the target.

    [CMP-EQ-09 (CMP-R53), CMP-COM-05 (CMP-R29), CMP-DEATH-03]
    """
    actor = scene.actor
    assert_can_act(actor)
    item = _owned(actor.sheet, scene.settings, options.item, ItemKind.REMEDY)
    target = scene.character(options.target or actor.id)
    if status_of(target) is CompareStatus.DEAD:
        raise UserError(f"{target.name} is dead.")
    scene = spend_attack(scene, actor)
    actor = scene.character(actor.id)
    scene = scene.with_sheet(actor, actor.sheet.with_items(item.name, -1))
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    if item.heals_sides:
        inputs = AmountInputs(what="heals", count=1, sides=item.heals_sides)
        roll = AMOUNT.resolve(inputs, dice).by(actor, ComparePurpose.HEALING)
        rolls = (roll,)
        healed = heal(scene, target.id, roll.sum)
        scene, notes = healed.scene, healed.notes
    stressed = gain_stress(scene, target.id, 0 if target.sheet.foe else item.stress)
    whom = "" if target.id == actor.id else f" on {target.name}"
    return Outcome(
        scene=stressed.scene,
        headline=f"uses {item.name}{whom}",
        rolls=rolls,
        notes=(*notes, *stressed.notes),
        follow_ups=stressed.follow_ups,
    )


def _owned(sheet: CompareSheet, settings: CompareSettings, name: str, kind: ItemKind) -> CompareItem:
    found = find_item(settings, name)
    if found is None or found.kind is not kind:
        raise UserError(
            f"There is no {KIND_WORDS[kind]} called “{name.strip()}”.",
            "See what you carry with /character sheet.",
        )
    if sheet.belonging(found.name) is None:
        raise UserError(f"You have no {found.name} left.", "The GM hands out items.")
    return found


def _suit(sheet: CompareSheet, settings: CompareSettings, typed: str) -> str:
    """The name of the suit to put on; empty to take it off."""
    is_off = not typed.strip() or (same_name(typed, NO_ARMOUR) and find_item(settings, typed) is None)
    return "" if is_off else _owned(sheet, settings, typed, ItemKind.ARMOUR).name


@procedure("equip", sets=True)
def equip(scene: Scene, options: CompareEquipOptions, _dice: Dice) -> Outcome:
    """Put armour on or take it off; lost Fortitude stays lost.

    [CMP-EQ-11 to CMP-EQ-13 (CMP-R55), CMP-FT-04 (CMP-R45), CMP-COM-05 (CMP-R29)]
    """
    actor = scene.actor
    assert_can_act(actor)
    sheet, settings = actor.sheet, scene.settings
    name = _suit(sheet, settings, options.armour)
    if same_name(name, sheet.armour):
        raise UserError(
            f"{actor.name} is already wearing {name}." if name else f"{actor.name} isn't wearing armor."
        )
    scene = spend_attack(scene, actor)
    worn = sheet.changed(armour=name)
    changes = (
        ("FT", *(f"{ft_now(one, settings)}/{ft_max(one, settings)}" for one in (sheet, worn))),
        ("movement", *(str(movement(one, settings)) for one in (sheet, worn))),
    )
    note = " · ".join(f"{label} {before} → {after}" for label, before, after in changes if before != after)
    return Outcome(
        scene=scene.with_sheet(actor, worn),
        headline=f"puts on {name}" if name else f"takes off {sheet.armour}",
        notes=(note,) if note else (),
    )


@procedure("reload")
def reload_weapon(scene: Scene, options: CompareReloadOptions, _dice: Dice) -> Outcome:
    """Reload a weapon for one charge of ammunition; in a fight this takes the turn.

    [CMP-WPN-08 (CMP-R38), CMP-EQ-08]
    """
    actor = scene.actor
    assert_can_act(actor)
    sheet, settings = actor.sheet, scene.settings
    name = options.weapon or _empty(sheet, settings)
    weapon = weapon_in_hand(sheet, settings, name)
    carried = sheet.carried(weapon.weapon.name)
    full = weapon.weapon.reload
    if weapon.shots is None or carried is None or full is None:
        raise UserError(f"{weapon.weapon.name} doesn't need reloading.")
    if weapon.shots >= full:
        raise UserError(f"{weapon.words} is already full.")
    charges = actor.left(AMMUNITION)
    is_foe = sheet.foe is not None
    if not charges and not is_foe:
        raise UserError(f"{actor.name} has no Ammunition left.", "One unit is good for 4 reloads.")
    scene = _spend_turn(scene, actor, settings)
    loaded = sheet.with_carried(evolve(carried, shots=full))
    left = actor if is_foe else actor.with_resource(AMMUNITION, charges - 1)
    return Outcome(
        scene=scene.with_sheet(left, loaded),
        headline=f"reloads {weapon.weapon.name}: {full}/{full}",
    )


def _empty(sheet: CompareSheet, settings: CompareSettings) -> str:
    """The first weapon that is not full, or the one in hand."""
    have = list(armed(sheet, settings))
    needs = (one for one in have if one.shots is not None and one.shots < (one.weapon.reload or 0))
    return next(needs, have[0]).weapon.name


def _spend_turn(scene: Scene, actor: Character, settings: CompareSettings) -> Scene:
    """Spend what reloading costs: movement and attack, or only the attack. [CMP-WPN-08 (CMP-R38)]"""
    fighter = on_turn(scene, actor)
    if fighter is None:
        return scene
    if settings.reload_cost == "turn" and fighter.moved:
        raise UserError(f"{actor.name} has already moved this turn.", "Reloading takes the whole turn.")
    scene = spend_attack(scene, actor)
    if settings.reload_cost == "attack":
        return scene
    allowance = movement(actor.sheet, settings)
    return with_fighter(scene, fighter.changed(moved=allowance, has_attacked=True))


@procedure("tune")
def tune(scene: Scene, options: TuneOptions, _dice: Dice) -> Outcome:
    """Tune the actor's Comms to a channel. [CMP-EQ-14]"""
    actor = scene.actor
    sheet, settings = actor.sheet, scene.settings
    device = next((one for one in sheet.items if _is_comms(one.name, settings)), None)
    if device is None:
        raise UserError(f"{actor.name} has no Comms.", "The GM hands out items.")
    tuned = evolve(device, channel=options.label.strip())
    items = tuple(tuned if one == device else one for one in sheet.items)
    return Outcome(
        scene=scene.with_sheet(actor, sheet.changed(items=items)),
        headline=f"tunes Comms to {tuned.channel}",
    )


def _is_comms(name: str, settings: CompareSettings) -> bool:
    found = find_item(settings, name)
    return found is not None and found.kind is ItemKind.COMMS


def channels(sheet: CompareSheet, settings: CompareSettings) -> set[str]:
    """The channels a character's Comms are tuned to."""
    return {one.channel for one in sheet.items if one.channel and _is_comms(one.name, settings)}


@procedure("talk", can_repeat=True)
def talk(scene: Scene, options: TalkOptions, _dice: Dice) -> Outcome:
    """Report whether two characters can talk: within 20 feet, or over Comms on a shared channel.

    [CMP-EQ-14 (CMP-R56)]
    """
    actor, target = scene.actor, scene.character(options.target)
    settings = scene.settings
    shared = channels(actor.sheet, settings) & channels(target.sheet, settings)
    if shared:
        note = f"Linked over Comms: {', '.join(sorted(shared))}."
    elif options.distance <= EARSHOT_FEET:
        note = "Within earshot."
    else:
        note = f"Out of earshot: without Comms, a voice carries {EARSHOT_FEET} ft. The GM decides."
    return Outcome(
        scene=scene, headline=f"talks with {target.name}, {options.distance} ft away", notes=(note,)
    )


@procedure("money")
def money(scene: Scene, options: MoneyOptions, _dice: Dice) -> Outcome:
    """Earn or spend Assets; they cannot go below 0. [CMP-CHAR-05 (CMP-R14)]"""
    actor = scene.actor
    have = actor.left(ASSETS)
    if not options.amount:
        raise UserError("Give an amount other than 0.")
    if have + options.amount < 0:
        raise UserError(f"{actor.name} has only {have} Assets.")
    what = f": {options.reason.strip()}" if options.reason.strip() else ""
    word = "earns" if options.amount > 0 else "spends"
    return Outcome(
        scene=scene.with_character(actor.with_resource(ASSETS, have + options.amount)),
        headline=f"{word} {abs(options.amount)} Assets{what}",
    )


COUNTED = {"Assets": ASSETS, "Ammunition": AMMUNITION}


class CompareHandOptions(Document):
    """What to hand over, to whom, and how many of it."""

    thing: str = Field(min_length=1, max_length=100)
    target: CharacterId
    count: int = Field(default=1, ge=1, le=100_000)


def things_of(character: Character) -> tuple[tuple[str, int], ...]:
    """What a character can hand over, and how many of each."""
    sheet = character.sheet
    counted = ((name, character.left(key)) for name, key in COUNTED.items())
    return (
        *((one.name, one.count) for one in sheet.items),
        *((one.name, 1) for one in sheet.weapons),
        *((name, have) for name, have in counted if have),
    )


@procedure("hand")
def hand(scene: Scene, options: CompareHandOptions, _dice: Dice) -> Outcome:
    """Hand something over; it costs no action. [CMP-CHAR-01 (CMP-R11), CMP-CHAR-05 (CMP-R14), CMP-EQ-08]"""
    giver, receiver = scene.actor, scene.character(options.target)
    assert_can_act(giver)
    if giver.id == receiver.id:
        raise UserError("You can't hand things to yourself.", try_this="Choose someone else.")
    if status_of(receiver) is CompareStatus.DEAD:
        raise UserError(f"{receiver.name} is dead.", try_this="Choose someone else.")
    found = next((one for one in things_of(giver) if same_name(one[0], options.thing)), None)
    if found is None:
        raise UserError(f"{giver.name} doesn't carry “{options.thing}”.", "Your sheet lists what you carry.")
    name, have = found
    if options.count > have:
        raise UserError(f"{giver.name} has only {have} {name}.", "Hand over fewer.")
    left, more = _moved(giver, receiver, name, options.count)
    many = f"{options.count} {name}" if options.count > 1 or name in COUNTED else name
    return Outcome(
        scene=scene.with_character(left).with_character(more),
        headline=f"hands {many} to {receiver.name}",
    )


def _moved(giver: Character, receiver: Character, name: str, count: int) -> tuple[Character, Character]:
    """Both characters once the things have changed hands."""
    key = COUNTED.get(name)
    if key is not None:
        if receiver.sheet.foe is not None:
            raise UserError(f"{receiver.name} is an opponent and keeps no count of {name}.")
        have, gets = (one.left(key) for one in (giver, receiver))
        return giver.with_resource(key, have - count), receiver.with_resource(key, gets + count)
    mine, theirs = giver.sheet, receiver.sheet
    weapon = mine.carried(name)
    if mine.belonging(name) is not None:
        mine, theirs = mine.with_items(name, -count), theirs.with_items(name, count)
        if mine.belonging(name) is None and same_name(mine.armour, name):
            mine = mine.changed(armour="")
    elif weapon is not None:
        if theirs.carried(name) is not None:
            raise UserError(f"{receiver.name} already carries {name}.", "Each weapon can be carried once.")
        kept = tuple(one for one in mine.weapons if one != weapon)
        mine, theirs = mine.changed(weapons=kept), theirs.with_carried(weapon)
    return replace(giver, sheet=mine), replace(receiver, sheet=theirs)
