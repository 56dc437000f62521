"""What one carries: remedies, armour, ammunition, Comms, money."""

from pydantic import Field

from bot.rules.compare_roll.character.catalogue import armed, find_item, weapon_in_hand
from bot.rules.compare_roll.character.fortunes import (
    AMMUNITION,
    ASSETS,
    ft_max,
    ft_now,
    gain_stress,
    heal,
    movement,
    with_sheet,
)
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import (
    Character,
    CompareSheet,
    CompareStatus,
    Outcome,
    Scene,
    assert_can_act,
    status_of,
)
from bot.rules.compare_roll.combat.state.encounter import on_turn, spend_attack, with_fighter
from bot.rules.compare_roll.combat.state.ranges import MOST_FEET
from bot.rules.compare_roll.resolution.amounts import AMOUNT, AmountInputs
from bot.rules.compare_roll.resolution.purposes import ComparePurpose
from bot.rules.compare_roll.resolution.tables import CompareItem, ItemKind
from bot.rules.kernel import CharacterId, Document, Roll, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name

EARSHOT_FEET = 20
NO_ARMOUR = "none"  # as the option says; a suit of that name would come first
KIND_WORDS = {ItemKind.REMEDY: "remedy", ItemKind.ARMOUR: "armour"}


class CompareUseOptions(Document):
    """What is used, and on whom; on oneself without a name."""

    item: str = "Stim"
    target: CharacterId | None = None


class CompareEquipOptions(Document):
    """Which suit is put on; none takes it off."""

    armour: str = ""


class CompareReloadOptions(Document):
    """Which weapon is loaded; the first that is not full without a name."""

    weapon: str = ""


class TuneOptions(Document):
    """To which channel Comms are tuned."""

    label: str = Field(min_length=1, max_length=40)


class TalkOptions(Document):
    """With whom one talks, and how far they are in feet."""

    target: CharacterId
    distance: int = Field(ge=0, le=MOST_FEET)


class MoneyOptions(Document):
    """What is earned or, below 0, spent, and what for."""

    amount: int = Field(ge=-100_000, le=100_000)
    reason: str = Field(default="", max_length=100)


def use(scene: Scene, options: CompareUseOptions, dice: Dice) -> Outcome:
    """Use a remedy: it heals first, then its Stress falls on whoever is treated.

    Source: CMP-EQ-09 (CMP-R53), CMP-COM-05 (CMP-R29), CMP-DEATH-03.
    """
    actor = scene.actor
    assert_can_act(actor)
    item = _owned(actor.sheet, scene.settings, options.item, ItemKind.REMEDY)
    target = scene.character(options.target or actor.id)
    if status_of(target) is CompareStatus.DEAD:
        raise UserError(f"{target.name} is dead.")
    scene = spend_attack(scene, actor)
    actor = scene.character(actor.id)
    scene = with_sheet(scene, actor, actor.sheet.with_items(item.name, -1))
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    if item.heals_sides:
        inputs = AmountInputs(what="heals", count=1, sides=item.heals_sides)
        roll = AMOUNT.resolve(inputs, dice).by(actor, ComparePurpose.HEALING)
        rolls = (roll,)
        healed = heal(scene, target.id, roll.total or 0)
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


declare("use", CompareUseOptions, use)


def _owned(sheet: CompareSheet, settings: CompareSettings, name: str, kind: ItemKind) -> CompareItem:
    found = find_item(settings, name)
    if found is None or found.kind is not kind:
        raise UserError(
            f"There is no {KIND_WORDS[kind]} called “{name.strip()}”.",
            "See what you carry with /character sheet.",
        )
    if sheet.belonging(found.name) is None:
        raise UserError(f"There is no {found.name} left.", "The GM hands items out.")
    return found


def _suit(sheet: CompareSheet, settings: CompareSettings, typed: str) -> str:
    """The name of the suit that is put on; nothing where it is taken off."""
    is_off = not typed.strip() or (same_name(typed, NO_ARMOUR) and find_item(settings, typed) is None)
    return "" if is_off else _owned(sheet, settings, typed, ItemKind.ARMOUR).name


def equip(scene: Scene, options: CompareEquipOptions, _dice: Dice) -> Outcome:
    """Put a suit of armour on, or take it off; wear of Fortitude stays.

    Source: CMP-EQ-11 to CMP-EQ-13 (CMP-R55), CMP-FT-04 (CMP-R45), CMP-COM-05 (CMP-R29).
    """
    actor = scene.actor
    assert_can_act(actor)
    sheet, settings = actor.sheet, scene.settings
    name = _suit(sheet, settings, options.armour)
    if same_name(name, sheet.armour):
        raise UserError(f"{actor.name} is already wearing {name or 'no armour'}.")
    scene = spend_attack(scene, actor)
    worn = sheet.changed(armour=name)
    before, after = (f"{ft_now(one, settings)}/{ft_max(one, settings)}" for one in (sheet, worn))
    paces = f"movement {movement(sheet, settings)} → {movement(worn, settings)}"
    return Outcome(
        scene=with_sheet(scene, actor, worn),
        headline=f"puts on {name}" if name else f"takes off {sheet.armour}",
        notes=(f"FT {before} → {after} · {paces}",),
    )


declare("equip", CompareEquipOptions, equip)


def reload_weapon(scene: Scene, options: CompareReloadOptions, _dice: Dice) -> Outcome:
    """Fill a weapon for one charge of ammunition; in a fight it takes the turn.

    Source: CMP-WPN-08 (CMP-R38), CMP-EQ-08.
    """
    actor = scene.actor
    assert_can_act(actor)
    sheet, settings = actor.sheet, scene.settings
    name = options.weapon or _empty(sheet, settings)
    weapon = weapon_in_hand(sheet, settings, name)
    carried = sheet.carried(weapon.weapon.name)
    full = weapon.weapon.reload
    if weapon.shots is None or carried is None or full is None:
        raise UserError(f"{weapon.weapon.name} is not reloaded.")
    if weapon.shots >= full:
        raise UserError(f"{weapon.words}: it is full.")
    charges = actor.resources.get(AMMUNITION, 0)
    is_foe = sheet.foe is not None
    if not charges and not is_foe:
        raise UserError(f"{actor.name} has no Ammunition left.", "One unit is enough for 4 reloads.")
    scene = _spend_turn(scene, actor, settings)
    loaded = sheet.with_carried(carried.model_copy(update={"shots": full}))
    left = actor if is_foe else actor.with_resource(AMMUNITION, charges - 1)
    return Outcome(
        scene=with_sheet(scene, left, loaded),
        headline=f"reloads {weapon.weapon.name}: {full}/{full}",
    )


declare("reload", CompareReloadOptions, reload_weapon)


def _empty(sheet: CompareSheet, settings: CompareSettings) -> str:
    """The first weapon that is not full, else the one in hand."""
    have = list(armed(sheet, settings))
    needs = (one for one in have if one.shots is not None and one.shots < (one.weapon.reload or 0))
    return next(needs, have[0]).weapon.name


def _spend_turn(scene: Scene, actor: Character, settings: CompareSettings) -> Scene:
    """Spend what reloading costs: movement and attack, or the attack alone.

    Source: CMP-WPN-08 (CMP-R38).
    """
    fighter = on_turn(scene, actor)
    if fighter is None:
        return scene
    if settings.reload_cost == "turn" and fighter.moved:
        raise UserError(
            f"{actor.name} has moved {fighter.moved} spaces this turn.", "Reloading takes the whole turn."
        )
    scene = spend_attack(scene, actor)
    if settings.reload_cost == "attack":
        return scene
    allowance = movement(actor.sheet, settings)
    return with_fighter(scene, fighter.changed(moved=allowance, has_attacked=True))


def tune(scene: Scene, options: TuneOptions, _dice: Dice) -> Outcome:
    """Tune one's Comms to a channel.

    Source: CMP-EQ-14.
    """
    actor = scene.actor
    sheet, settings = actor.sheet, scene.settings
    device = next((one for one in sheet.items if _is_comms(one.name, settings)), None)
    if device is None:
        raise UserError(f"{actor.name} has no Comms.", "The GM hands items out.")
    tuned = device.model_copy(update={"channel": options.label.strip()})
    items = tuple(tuned if one == device else one for one in sheet.items)
    return Outcome(
        scene=with_sheet(scene, actor, sheet.changed(items=items)),
        headline=f"tunes Comms to {tuned.channel}",
    )


declare("tune", TuneOptions, tune)


def _is_comms(name: str, settings: CompareSettings) -> bool:
    found = find_item(settings, name)
    return found is not None and found.kind is ItemKind.COMMS


def channels(sheet: CompareSheet, settings: CompareSettings) -> set[str]:
    """The channels a character's Comms are tuned to."""
    return {one.channel for one in sheet.items if one.channel and _is_comms(one.name, settings)}


def talk(scene: Scene, options: TalkOptions, _dice: Dice) -> Outcome:
    """Say whether two can talk: within 20 feet, or over Comms on one channel; else it is flagged.

    Source: CMP-EQ-14 (CMP-R56).
    """
    actor, target = scene.actor, scene.character(options.target)
    settings = scene.settings
    shared = channels(actor.sheet, settings) & channels(target.sheet, settings)
    if shared:
        told = f"Linked on {', '.join(sorted(shared))}."
    elif options.distance <= EARSHOT_FEET:
        told = "Within earshot."
    else:
        told = f"Out of earshot: without Comms talk carries {EARSHOT_FEET} ft. The GM decides."
    return Outcome(
        scene=scene, headline=f"talks with {target.name}, {options.distance} ft away", notes=(told,)
    )


declare("talk", TalkOptions, talk)


def money(scene: Scene, options: MoneyOptions, _dice: Dice) -> Outcome:
    """Earn or spend Assets; there is no debt.

    Source: CMP-CHAR-05 (CMP-R14).
    """
    actor = scene.actor
    have = actor.resources.get(ASSETS, 0)
    if not options.amount:
        raise UserError("An amount of 0 changes nothing.")
    if have + options.amount < 0:
        raise UserError(f"{actor.name} has {have} Assets, not {-options.amount}.")
    what = f": {options.reason.strip()}" if options.reason.strip() else ""
    word = "earns" if options.amount > 0 else "spends"
    return Outcome(
        scene=scene.with_character(actor.with_resource(ASSETS, have + options.amount)),
        headline=f"{word} {abs(options.amount)} Assets{what}",
    )


declare("money", MoneyOptions, money)
