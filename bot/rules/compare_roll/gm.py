"""What the GM alone does: numbers, opponents, gear."""

from dataclasses import replace

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
    with_sheet,
)
from bot.rules.compare_roll.making import changed_stat
from bot.rules.compare_roll.sheet import (
    LEAST_STAT,
    MOST_STAT,
    UNARMED,
    Carried,
    CompareSheet,
    Foe,
    Status,
    carried_weapon,
    hp_max,
    settings_of,
    sheet_of,
)
from bot.rules.compare_roll.tables import (
    ItemKind,
    Stat,
    same_name,
)
from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Character, CharacterId, Document, Outcome, Procedure, Scene


class StatOptions(Document):
    """Whose stat is set to what."""

    target: CharacterId
    stat: Stat
    score: int = Field(ge=LEAST_STAT, le=MOST_STAT)


class AwardOptions(Document):
    """Points handed out."""

    target: CharacterId
    skill_points: int = Field(default=0, ge=0, le=50)
    stat_points: int = Field(default=0, ge=0, le=50)


class FateOptions(Document):
    """What happens to somebody outside the rules: HP set, Stress and High gained, back from the dead."""

    target: CharacterId
    hp: int | None = Field(default=None, ge=0, le=9999)
    stress: int = Field(default=0, ge=0, le=9)
    high: int = Field(default=0, ge=0, le=5)
    revive: bool = False


class FoeOptions(Document):
    """The record of an opponent; what is left out stays."""

    target: CharacterId
    hp: int | None = Field(default=None, ge=1, le=9999)
    fortitude: int | None = Field(default=None, ge=0, le=999)
    rating: int | None = Field(default=None, ge=0, le=20)
    attack: int | None = Field(default=None, ge=-20, le=20)
    movement: int | None = Field(default=None, ge=0, le=60)
    weapon: str = ""


class LookOptions(Document):
    """Whose numbers the GM looks at."""

    target: CharacterId


class GiveOptions(Document):
    """What is handed out; below 0 it is taken."""

    target: CharacterId
    thing: str
    count: int = Field(default=1, ge=-50, le=50)
    level: int | None = Field(default=None, ge=1, le=20)


def set_stat(scene: Scene, options: StatOptions, _dice: Dice) -> Outcome:
    """Set a score; everything that follows from it follows at once.

    Source: CMP-CHAR-07 (CMP-R15), CMP-STAT-02.
    """
    scene, line = changed_stat(scene, options.target, options.stat, options.score)
    name = scene.character(options.target).name
    return Outcome(scene=scene, headline=f"sets a stat of {name}", notes=(line,))


def award(scene: Scene, options: AwardOptions, _dice: Dice) -> Outcome:
    """Hand out skill points and stat points.

    Source: CMP-SKILL-08 (CMP-R15).
    """
    if not options.skill_points and not options.stat_points:
        raise Mistake("Nothing is awarded.", "Give skill points or stat points.")
    character = scene.character(options.target)
    sheet = sheet_of(character)
    changed = sheet.changed(
        skill_points=sheet.skill_points + options.skill_points,
        stat_points=sheet.stat_points + options.stat_points,
    )
    told = f"Now {changed.skill_points} skill points and {changed.stat_points} stat points."
    return Outcome(
        scene=with_sheet(scene, character, changed),
        headline=f"awards points to {character.name}",
        notes=(told,),
    )


def set_fate(scene: Scene, options: FateOptions, _dice: Dice) -> Outcome:
    """Set HP, give Stress or High, or bring somebody back.

    Source: CMP-GM-01, CMP-STRESS-01, CMP-HP-01.
    """
    character = scene.character(options.target)
    turned = Turned(scene)
    if options.revive:
        alive = sheet_of(character).changed(status=Status.STABLE, door=(), downed_by=None)
        back = f"{character.name} is back among the living."
        turned = turned.then(Turned(with_sheet(scene, character, alive), (back,)))
    if options.hp is not None:
        turned = turned.then(_set_hp(turned.scene, options.target, options.hp))
    for gain, points in ((gain_stress, options.stress), (gain_high, options.high)):
        if points:
            turned = turned.then(gain(turned.scene, options.target, points))
    return Outcome(
        scene=turned.scene,
        headline=f"decides the fate of {character.name}",
        notes=turned.notes,
        follow_ups=turned.follow_ups,
    )


def _set_hp(scene: Scene, who: CharacterId, hp: int) -> Turned:
    character = scene.character(who)
    most = hp_max(sheet_of(character))
    over = (f"{hp} HP are more than {most}; set to {most}.",) if hp > most else ()
    step = min(hp, most) - hp_now(character)
    moved = heal(scene, who, step) if step >= 0 else lose_hp(scene, who, -step)
    return Turned(scene, over).then(moved)


def set_foe(scene: Scene, options: FoeOptions, _dice: Dice) -> Outcome:
    """Write the record of an opponent, and put a weapon in its hand.

    Source: CMP-COM-12.
    """
    character = scene.character(options.target)
    if character.owner is not None:
        raise Mistake(
            f"{character.name} is a player’s.", "Opponents are characters of the GM.", "/gm npc makes one."
        )
    sheet = sheet_of(character)
    old = sheet.foe or Foe()
    given = {
        "hp": options.hp,
        "hp_max": options.hp,
        "ft_max": options.fortitude,
        "rating": options.rating,
        "attack": options.attack,
        "movement": options.movement,
    }
    foe = old.model_copy(update={key: value for key, value in given.items() if value is not None})
    changed = sheet.changed(foe=foe)
    if options.weapon:
        armed = carried_weapon(weapon_named(settings_of(scene), options.weapon))
        rest = tuple(one for one in changed.weapons if not same_name(one.name, armed.name))
        changed = changed.changed(weapons=(armed, *rest))
    scene = scene.with_character(replace(character, sheet=changed).with_resource(HP, 0))
    return Outcome(
        scene=scene,
        headline=f"readies {character.name}",
        notes=_numbers(scene, options.target),
        is_public=False,
    )


def look(scene: Scene, options: LookOptions, _dice: Dice) -> Outcome:
    """Show the GM somebody's numbers.

    Source: CMP-COM-12.
    """
    name = scene.character(options.target).name
    return Outcome(
        scene=scene, headline=f"looks at {name}", notes=_numbers(scene, options.target), is_public=False
    )


def _numbers(scene: Scene, who: CharacterId) -> tuple[str, ...]:
    character, settings = scene.character(who), settings_of(scene)
    sheet = sheet_of(character)
    foe = sheet.foe
    body = f"HP {hp_now(character)}/{hp_max(sheet)} · FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}"
    if foe is None:
        return (body,)
    rating = "the usual" if foe.rating is None else f"+{foe.rating}"
    arms = ", ".join(one.name for one in sheet.weapons) or UNARMED
    return (
        body,
        f"Rating {rating} · attack {foe.attack:+d} · movement {foe.movement} · {arms}".replace("-", "−"),
    )


def give(scene: Scene, options: GiveOptions, _dice: Dice) -> Outcome:
    """Hand out, or take, a weapon or items.

    Source: CMP-CHAR-01 (CMP-R11), CMP-EQ-08.
    """
    if not options.count:
        raise Mistake("None of it changes nothing.")
    character, settings = scene.character(options.target), settings_of(scene)
    weapon, item = find_weapon(settings, options.thing), find_item(settings, options.thing)
    if item is not None and item.kind is ItemKind.AMMUNITION:
        changed = _with_ammunition(character, options.count * item.charges)
        name = item.name
    elif item is not None or (weapon is not None and weapon.is_used_up):
        name = item.name if item is not None else weapon_named(settings, options.thing).name
        changed = replace(character, sheet=_with_items(sheet_of(character), name, options.count))
    else:
        weapon = weapon_named(settings, options.thing)
        name = weapon.name
        carried = carried_weapon(weapon, options.level)
        changed = replace(character, sheet=_with_weapon(sheet_of(character), carried, options.count))
    verb, word = ("gives", "to") if options.count > 0 else ("takes", "from")
    number = f"{abs(options.count)} × " if abs(options.count) > 1 else ""
    return Outcome(
        scene=scene.with_character(changed), headline=f"{verb} {number}{name} {word} {character.name}"
    )


def _with_ammunition(character: Character, charges: int) -> Character:
    have = character.resources.get(AMMUNITION, 0)
    return character.with_resource(AMMUNITION, max(0, have + charges))


def _with_items(sheet: CompareSheet, name: str, count: int) -> CompareSheet:
    changed = sheet.with_items(name, count)
    return changed if changed.belonging(name) or changed.armour != name else changed.changed(armour="")


def _with_weapon(sheet: CompareSheet, weapon: Carried, count: int) -> CompareSheet:
    if count > 0:
        return sheet.with_carried(weapon)
    return sheet.changed(weapons=tuple(one for one in sheet.weapons if not same_name(one.name, weapon.name)))


GM_PROCEDURES = (
    Procedure(key="set_stat", options=StatOptions, run=set_stat, gm_only=True, needs_actor=False),
    Procedure(key="award", options=AwardOptions, run=award, gm_only=True, needs_actor=False),
    Procedure(key="fate", options=FateOptions, run=set_fate, gm_only=True, needs_actor=False),
    Procedure(key="foe", options=FoeOptions, run=set_foe, gm_only=True, needs_actor=False),
    Procedure(key="look", options=LookOptions, run=look, gm_only=True, needs_actor=False),
    Procedure(key="give", options=GiveOptions, run=give, gm_only=True, needs_actor=False),
)
