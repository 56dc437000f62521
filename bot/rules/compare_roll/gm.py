"""GM commands for stats, awards, HP, opponents and gear."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.catalogue import find_item, find_weapon, weapon_named
from bot.rules.compare_roll.fortunes import (
    AMMUNITION,
    HP,
    Turned,
    ft_max,
    ft_now,
    gain_high,
    gain_stress,
    heal,
    hp_now,
    lose_hp,
)
from bot.rules.compare_roll.making import changed_stat
from bot.rules.compare_roll.sheet import (
    LEAST_STAT,
    MOST_STAT,
    UNARMED,
    Carried,
    Character,
    CompareStatus,
    Foe,
    Outcome,
    Scene,
    carried_weapon,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.tables import STAT_NAMES, CompareItem, ItemKind, Stat
from bot.rules.kernel import CharacterId, Document, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, same_name, signed


class StatOptions(Document):
    """The character, stat and new score."""

    target: CharacterId
    stat: Stat
    score: int = Field(ge=LEAST_STAT, le=MOST_STAT)


class AwardOptions(Document):
    """The points to award."""

    target: CharacterId
    skill_points: int = Field(default=0, ge=0, le=50)
    stat_points: int = Field(default=0, ge=0, le=50)


class CompareFateOptions(Document):
    """HP to set, Stress and High to give, and whether to revive the character."""

    target: CharacterId
    hp: int | None = Field(default=None, ge=0, le=9999)
    stress: int = Field(default=0, ge=0, le=9)
    high: int = Field(default=0, ge=0, le=5)
    revive: bool = False


class CompareFoeOptions(Document):
    """An opponent's record; options left out do not change."""

    target: CharacterId
    hp: int | None = Field(default=None, ge=1, le=9999)
    fortitude: int | None = Field(default=None, ge=0, le=999)
    rating: int | None = Field(default=None, ge=0, le=20)
    attack: int | None = Field(default=None, ge=-20, le=20)
    movement: int | None = Field(default=None, ge=0, le=60)
    weapon: str = ""


class LookOptions(Document):
    """The character whose numbers the GM looks at."""

    target: CharacterId


class CompareGiveOptions(Document):
    """The gear to give, or with a negative count to take."""

    target: CharacterId
    thing: str
    count: int = Field(default=1, ge=-50, le=50)
    level: int | None = Field(default=None, ge=1, le=20)


@procedure("set_stat", gm_only=True, needs_actor=False, sets=True)
def set_stat(scene: Scene, options: StatOptions, _dice: Dice) -> Outcome:
    """Set a score, and every value derived from it. [CMP-CHAR-07 (CMP-R15), CMP-STAT-02]"""
    scene, line = changed_stat(scene, options.target, options.stat, options.score)
    name = scene.character(options.target).name
    return Outcome(scene=scene, headline=f"sets {name}'s {STAT_NAMES[options.stat]}", notes=(line,))


@procedure("award", gm_only=True, needs_actor=False)
def award(scene: Scene, options: AwardOptions, _dice: Dice) -> Outcome:
    """Award skill points and stat points. [CMP-SKILL-08 (CMP-R15)]"""
    if not options.skill_points and not options.stat_points:
        raise UserError("Give skill points or stat points.")
    character = scene.character(options.target)
    sheet = character.sheet
    changed = sheet.changed(
        skill_points=sheet.skill_points + options.skill_points,
        stat_points=sheet.stat_points + options.stat_points,
    )
    skill, stat = (
        counted(points, f"{what} point")
        for what, points in (("skill", changed.skill_points), ("stat", changed.stat_points))
    )
    note = f"Now {skill} and {stat} to spend."
    given = (("Skill points", options.skill_points), ("Stat points", options.stat_points))
    return Outcome(
        scene=scene.with_sheet(character, changed),
        headline=f"awards points to {character.name}",
        notes=(note,),
        awards=tuple((title, points) for title, points in given if points),
    )


@procedure("fate", gm_only=True, needs_actor=False)
def set_fate(scene: Scene, options: CompareFateOptions, _dice: Dice) -> Outcome:
    """Set HP, give Stress or High, or revive a character. [CMP-GM-01, CMP-STRESS-01, CMP-HP-01]"""
    character = scene.character(options.target)
    if not options.revive and options.hp is None and not options.stress and not options.high:
        raise UserError(
            "Choose at least one option.", "Set HP, give Stress or High, or revive the character."
        )
    if options.revive and status_of(character) is not CompareStatus.DEAD:
        raise UserError(f"{character.name} isn't dead.", "Set HP instead.")
    turned = Turned(scene)
    if options.revive:
        alive = character.sheet.changed(status=CompareStatus.STABLE, door=(), downed_by=None)
        back = f"{character.name} is back among the living."
        turned = turned.then(Turned(scene.with_sheet(character, alive), (back,)))
    if options.hp is not None:
        turned = turned.then(_set_hp(turned.scene, options.target, options.hp))
    for gain, points in ((gain_stress, options.stress), (gain_high, options.high)):
        if points:
            turned = turned.then(gain(turned.scene, options.target, points))
    return Outcome(
        scene=turned.scene,
        headline=_fate_words(character, options),
        notes=turned.notes,
        follow_ups=turned.follow_ups,
    )


def _fate_words(character: Character, options: CompareFateOptions) -> str:
    """What a GM does to a character: "revives Ash, gives Ash 5 HP, gives Ash 1 Stress"."""
    name = character.name
    points = ((options.stress, "Stress"), (options.high, "High"))
    given = " and ".join(f"{count} {what}" for count, what in points if count)
    acts = (
        f"revives {name}" if options.revive else "",
        "" if options.hp is None else _hp_words(character, options.hp),
        f"gives {name} {given}" if given else "",
    )
    return ", ".join(act for act in acts if act)


def _hp_words(character: Character, hp: int) -> str:
    """How HP change, as everybody reads it; how many there are may be the GM's secret."""
    step = min(hp, hp_max(character.sheet)) - hp_now(character)
    if step < 0:
        return f"takes {-step} HP from {character.name}"
    return f"gives {character.name} {step} HP" if step else f"leaves {character.name}'s HP as they are"


def _set_hp(scene: Scene, who: CharacterId, hp: int) -> Turned:
    character = scene.character(who)
    most = hp_max(character.sheet)
    over = (f"{character.name} can't have more than {most} HP.",) if hp > most else ()
    step = min(hp, most) - hp_now(character)
    moved = heal(scene, who, step) if step >= 0 else lose_hp(scene, who, -step)
    return Turned(scene, over).then(moved)


@procedure("foe", gm_only=True, needs_actor=False)
def set_foe(scene: Scene, options: CompareFoeOptions, _dice: Dice) -> Outcome:
    """Write an opponent's record, and give it a weapon. [CMP-COM-12]"""
    character = scene.character(options.target)
    if character.owner is not None:
        raise UserError(
            f"{character.name} is a player's character.", "Opponents are NPCs.", "Add one with /gm npc."
        )
    sheet = character.sheet
    old = sheet.foe or Foe()
    given = {
        "hp": options.hp,
        "hp_max": options.hp,
        "ft_max": options.fortitude,
        "rating": options.rating,
        "attack": options.attack,
        "movement": options.movement,
    }
    foe = evolve(old, **({key: value for key, value in given.items() if value is not None}))
    changed = sheet.changed(foe=foe)
    if options.weapon:
        armed = carried_weapon(weapon_named(scene.settings, options.weapon))
        rest = tuple(one for one in changed.weapons if not same_name(one.name, armed.name))
        changed = changed.changed(weapons=(armed, *rest))
    scene = scene.with_character(replace(character, sheet=changed).with_resource(HP, 0))
    return Outcome(
        scene=scene,
        headline=f"sets up {character.name}",
        notes=_numbers(scene, options.target),
        is_public=False,
    )


@procedure("look", gm_only=True, needs_actor=False)
def look(scene: Scene, options: LookOptions, _dice: Dice) -> Outcome:
    """Show the GM a character's numbers. [CMP-COM-12]"""
    name = scene.character(options.target).name
    return Outcome(
        scene=scene, headline=f"looks at {name}", notes=_numbers(scene, options.target), is_public=False
    )


def _numbers(scene: Scene, who: CharacterId) -> tuple[str, ...]:
    character, settings = scene.character(who), scene.settings
    sheet = character.sheet
    foe = sheet.foe
    body = f"HP {hp_now(character)}/{hp_max(sheet)} · FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}"
    if foe is None:
        return (body,)
    rating = "the campaign's default" if foe.rating is None else f"+{foe.rating}"
    arms = ", ".join(one.name for one in sheet.weapons) or UNARMED
    return (
        body,
        f"Rating: {rating} · attack {signed(foe.attack)} · movement {foe.movement} · {arms}",
    )


@procedure("give", gm_only=True, needs_actor=False)
def give(scene: Scene, options: CompareGiveOptions, _dice: Dice) -> Outcome:
    """Give or take a weapon or items. [CMP-CHAR-01 (CMP-R11), CMP-EQ-08]"""
    if not options.count:
        raise UserError("Give a count other than 0.")
    character, settings = scene.character(options.target), scene.settings
    weapon, item = find_weapon(settings, options.thing), find_item(settings, options.thing)
    is_counted = item is not None or (weapon is not None and weapon.is_used_up)
    if is_counted and options.level is not None:
        raise UserError("Only reusable weapons have a level.", "Leave out the level.")
    if item is not None and item.kind is ItemKind.AMMUNITION:
        changed, number, name = _with_ammunition(character, options.count, item)
    elif is_counted:
        name = item.name if item is not None else weapon_named(settings, options.thing).name
        changed, number = _with_items(character, name, options.count)
    else:
        weapon = weapon_named(settings, options.thing)
        number, name = abs(options.count), weapon.name
        changed = _with_weapon(character, carried_weapon(weapon, options.level), options.count)
    verb, word = ("gives", "to") if options.count > 0 else ("takes", "from")
    many = f"{number} × " if number > 1 else ""
    return Outcome(
        scene=scene.with_character(changed), headline=f"{verb} {many}{name} {word} {character.name}"
    )


def _with_ammunition(character: Character, units: int, item: CompareItem) -> tuple[Character, int, str]:
    """Give or take ammunition; return the character, the units moved, and their name."""
    have = character.left(AMMUNITION)
    if units < 0 and not have:
        raise UserError(f"{character.name} has no {item.name}.")
    after = max(0, have + units * item.charges)
    name = item.name if after == have + units * item.charges else f"the last {item.name}"
    return character.with_resource(AMMUNITION, after), 1 if name != item.name else abs(units), name


def _with_items(character: Character, name: str, count: int) -> tuple[Character, int]:
    """Give or take items; return the character and how many were moved.

    Raises:
        UserError: If there are none to take.
    """
    sheet = character.sheet
    old = sheet.belonging(name)
    is_gift = count > 0
    if not is_gift and old is None:
        raise UserError(f"{character.name} has no {name}.")
    changed = sheet.with_items(name, count)
    if changed.belonging(name) is None and same_name(changed.armour, name):
        changed = changed.changed(armour="")
    number = count if is_gift or old is None else min(-count, old.count)
    return replace(character, sheet=changed), number


def _with_weapon(character: Character, weapon: Carried, count: int) -> Character:
    """Give or take a weapon.

    Raises:
        UserError: If more than one is given, or there is none to take.
    """
    sheet = character.sheet
    if abs(count) > 1:
        raise UserError(
            "A character can carry each weapon only once.",
            "Add a second one by another name with /compare-gm weapon.",
        )
    if count > 0:
        return replace(character, sheet=sheet.with_carried(weapon))
    if sheet.carried(weapon.name) is None:
        raise UserError(f"{character.name} has no {weapon.name}.")
    rest = tuple(one for one in sheet.weapons if not same_name(one.name, weapon.name))
    return replace(character, sheet=sheet.changed(weapons=rest))
