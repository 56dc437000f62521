"""Find skills, difficulties, weapons and items by name, in the shipped lists and the GM's additions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from pydantic import Field

from bot.rules.compare_roll.sheet import UNARMED, AddedSkill, CompareSettings, CompareSheet, Outcome, Scene
from bot.rules.compare_roll.tables import (
    CATEGORIES,
    DIFFICULTIES,
    ITEMS,
    LEVEL_NAMES,
    WEAPONS,
    CompareDifficultyRow,
    CompareItem,
    CompareRequirement,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    ItemKind,
    Shape,
    Stat,
    ThingName,
)
from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import name_key, same_name

SEPARATOR = "/"
Named = TypeVar("Named", CompareDifficultyRow, CompareItem, CompareWeapon)


@dataclass(frozen=True, slots=True)
class CompareSkill:
    """A character's skill: its category, name, governing stat and level."""

    category: str
    name: str
    stat: Stat
    level: int

    @property
    def key(self) -> str:
        """Its name with its category."""
        return f"{self.category}{SEPARATOR}{self.name}"

    @property
    def words(self) -> str:
        """Its level in words: "Craftsman, +3"."""
        return f"{LEVEL_NAMES[self.level]}, +{self.level}" if self.level else LEVEL_NAMES[0]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A difficulty: its name, and the number added to each d12."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name} (+{self.number})" if self.name else f"+{self.number}"


def skill_names(settings: CompareSettings) -> Iterator[tuple[str, str]]:
    """Yield category and name of every listed skill. [CMP-SKILL-04, CMP-GM-02]"""
    for category in CATEGORIES:
        for name in _listed(category, settings):
            yield category, name


# The shipped skills of each category by what is compared of their names.
SHIPPED = {row.name: {name_key(name): name for name in row.skills} for row in CATEGORIES.values()}


def _listed(category: str, settings: CompareSettings, wanted: str | None = None) -> tuple[str, ...]:
    """Return the skills of a category, or those of them with a certain `name_key`."""
    shipped = SHIPPED[category]
    if wanted is None:
        return (*shipped.values(), *(one.name for one in settings.skills if one.category == category))
    found = (shipped[wanted],) if wanted in shipped else ()
    if not settings.skills:
        return found
    added = (one for one in settings.skills if one.category == category)
    return (*found, *(one.name for one in added if name_key(one.name) == wanted))


def own_skills(
    sheet: CompareSheet, settings: CompareSettings, *, named: str | None = None
) -> Iterator[CompareSkill]:
    """Yield every skill a character can roll, approved custom skills last in their category.

    Args:
        sheet: The character's sheet.
        settings: The campaign's settings.
        named: The name of those wanted, or None for all.
    """
    levels = sheet.levels
    wanted = None if named is None else name_key(named)
    for category, row in CATEGORIES.items():
        for name in _listed(category, settings, wanted):
            yield CompareSkill(category, name, row.stat, levels.get((category, name), 0))
        for one in sheet.customs:
            is_wanted = wanted is None or name_key(one.name) == wanted
            if is_wanted and one.category == category and one.is_approved:
                yield CompareSkill(category, one.name, one.stat or row.stat, one.level)


def find_skill(sheet: CompareSheet, settings: CompareSettings, text: str) -> CompareSkill:
    """Find a skill by "Name" or "Category/Name"; of two with one name, the better or first one.

    Raises:
        UserError: If there is none, or it is a custom skill that the GM has not approved.

    [CMP-SKILL-06 (CMP-R22), CMP-SKILL-05]
    """
    category, _, name = text.rpartition(SEPARATOR)
    found = [
        one
        for one in own_skills(sheet, settings, named=name)
        if not category or same_name(one.category, category)
    ]
    if found:
        return max(found, key=lambda one: one.level)
    if any(same_name(one.name, name) for one in sheet.customs):
        raise UserError(f"The GM hasn't approved {name.strip()} yet.", "You can roll it once they do.")
    raise UserError(
        f"There is no skill “{text.strip()}”.",
        "Choose one from the list, or use /compare luck if none fits.",
    )


def category_named(text: str) -> str:
    """Find a category by name.

    Raises:
        UserError: If there is none.
    """
    found = next((name for name in CATEGORIES if same_name(name, text)), None)
    if found is None:
        raise UserError(f"There is no category “{text.strip()}”.", f"Choose from: {', '.join(CATEGORIES)}.")
    return found


def difficulties_of(settings: CompareSettings) -> tuple[CompareDifficultyRow, ...]:
    """Every difficulty; one that the GM has added replaces a shipped one of the same name. [CMP-GM-02]"""
    changed = {row.name.casefold() for row in settings.difficulties}
    unchanged = (row for row in DIFFICULTIES if row.name.casefold() not in changed)
    return (*unchanged, *settings.difficulties)


def difficulty(settings: CompareSettings, text: str) -> Difficulty:
    """Read a difficulty: a name, or a number from 0 to 20. [CMP-ROLL-02 (CMP-R03), CMP-GM-02]"""
    known = difficulties_of(settings)
    found = _find(known, text)
    if found is not None:
        return Difficulty(found.name, found.number)
    typed = text.strip().removeprefix("+")
    if typed.isdecimal() and int(typed) <= 20:
        return numbered(settings, int(typed))
    names = ", ".join(f"{row.name} +{row.number}" for row in known)
    raise UserError(
        f"There is no difficulty “{text.strip()}”.", f"Choose from: {names}, or give a number from 0 to 20."
    )


def numbered(settings: CompareSettings, number: int) -> Difficulty:
    """The difficulty of a number, with its name if it has one."""
    known = (row.name for row in difficulties_of(settings) if row.number == number)
    return Difficulty(next(known, ""), number)


def default_difficulty(settings: CompareSettings) -> Difficulty:
    """The campaign's default difficulty; Normal if the setting cannot be read. [CMP-ROLL-02 (CMP-R03)]"""
    try:
        return difficulty(settings, settings.default_difficulty)
    except UserError:
        return numbered(settings, 2)


def weapon_named(settings: CompareSettings, text: str) -> CompareWeapon:
    """Find a weapon by name, the GM's additions first.

    Raises:
        UserError: If there is none.
    """
    found = _find((*settings.weapons, *WEAPONS), text)
    if found is None:
        raise UserError(f"There is no weapon “{text.strip()}”.", "A GM can add it with /compare-gm weapon.")
    return found


def find_weapon(settings: CompareSettings, text: str) -> CompareWeapon | None:
    """Find a weapon by name, or return None."""
    return _find((*settings.weapons, *WEAPONS), text)


def find_item(settings: CompareSettings, text: str) -> CompareItem | None:
    """Find an item by name, or return None."""
    return _find((*settings.items, *ITEMS), text)


def _find(rows: Iterable[Named], text: str) -> Named | None:
    return next((row for row in rows if same_name(row.name, text)), None)


@dataclass(frozen=True, slots=True)
class Armed:
    """A weapon in a character's hands: its kind, its level, and the shots left in it (None: no limit)."""

    weapon: CompareWeapon
    level: int
    shots: int | None

    @property
    def words(self) -> str:
        """Its name with the shots loaded: "Pistol 7/10"."""
        loaded = "" if self.shots is None else f" {self.shots}/{self.weapon.reload}"
        return f"{self.weapon.name}{loaded}"


def armed(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Armed]:
    """Yield every weapon a character can use: carried, used up by an attack, and bare hands.

    [CMP-CHAR-01 (CMP-R11), CMP-EQ-01]
    """
    for one in sheet.weapons:
        kind = find_weapon(settings, one.name)
        if kind is not None:
            yield Armed(kind, one.level, one.shots if kind.reload else None)
    for item in sheet.items:
        kind = find_weapon(settings, item.name)
        if kind is not None:
            yield Armed(kind, kind.level, None)
    if sheet.carried(UNARMED) is None:
        bare = weapon_named(settings, UNARMED)
        yield Armed(bare, bare.level, None)


def weapon_in_hand(sheet: CompareSheet, settings: CompareSettings, text: str) -> Armed:
    """Find one of the weapons a character can use; without a name, the first.

    Raises:
        UserError: If the character has no such weapon.
    """
    have = list(armed(sheet, settings))
    if not text:
        return have[0]
    found = next((one for one in have if same_name(one.weapon.name, text)), None)
    if found is None:
        names = ", ".join(one.weapon.name for one in have)
        raise UserError(f"You have no weapon “{text.strip()}”.", f"Choose from: {names}.")
    return found


TAG_KINDS: tuple[type[StrEnum], ...] = (DamageTag, DistanceTag, Shape)


class CompareAddSkillOptions(Document):
    """A new skill for everyone: its category and name."""

    category: str
    name: ThingName


class AddDifficultyOptions(Document):
    """A new difficulty: its name and number."""

    name: ThingName
    number: int = Field(ge=0, le=20)


class AddWeaponOptions(Document):
    """A new weapon."""

    name: ThingName
    tags: str = Field(max_length=100)  # a damage tag, a distance tag and optionally a shape
    level: int = Field(default=1, ge=1, le=20)
    reload: int | None = Field(default=None, ge=1, le=999)  # attacks until it must be reloaded
    extra: str = ""  # extra damage dice, such as 1d6
    # Faces of the die that says how many rounds its targets burn.
    burn: int | None = Field(default=None, ge=2, le=20)
    requires: str = ""  # the skill it needs, as "Category/Skill level"
    skill: str = ""  # the skill of its attacks, as "Category/Skill"


class AddItemOptions(Document):
    """A new item or suit of armour."""

    name: ThingName
    kind: ItemKind
    charges: int = Field(default=4, ge=1, le=99)
    heals: int | None = Field(default=None, ge=2, le=20)
    stress: int = Field(default=0, ge=0, le=3)
    fortitude: int = Field(default=0, ge=0, le=40)
    movement: int = Field(default=0, ge=-5, le=10)


def add_skill(scene: Scene, options: CompareAddSkillOptions, _dice: Dice) -> Outcome:
    """Add a skill to a category for everyone; it does not count as a custom skill. [CMP-GM-02]"""
    settings = scene.settings
    category = category_named(options.category)
    if any(of == category and same_name(name, options.name) for of, name in skill_names(settings)):
        raise UserError(f"{category} already has {options.name}.")
    added = (*settings.skills, AddedSkill(category=category, name=options.name))
    return _added(scene, {"skills": added}, f"adds the skill {options.name} to {category}")


declare("add_skill", CompareAddSkillOptions, add_skill, gm_only=True, needs_actor=False)


def add_difficulty(scene: Scene, options: AddDifficultyOptions, _dice: Dice) -> Outcome:
    """Add a difficulty, or change one of the same name. [CMP-GM-02]"""
    settings = scene.settings
    row = CompareDifficultyRow(name=options.name, number=options.number)
    rest = (one for one in settings.difficulties if not same_name(one.name, row.name))
    return _added(scene, {"difficulties": (*rest, row)}, f"adds the difficulty {row.name} +{row.number}")


declare("add_difficulty", AddDifficultyOptions, add_difficulty, gm_only=True, needs_actor=False, sets=True)


def _added(scene: Scene, update: dict[str, object], headline: str) -> Outcome:
    settings = evolve(scene.settings, **update)
    return Outcome(scene=replace(scene, settings=settings), headline=headline)


def add_weapon(scene: Scene, options: AddWeaponOptions, _dice: Dice) -> Outcome:
    """Add a weapon by its tags, or change one of the same name. [CMP-GM-02, CMP-WPN-01]"""
    damage, distance, shape = read_tags(options.tags)
    count, sides = _dice_of(options.extra)
    wants, _, level = options.requires.rpartition(" ")
    if options.requires and not (wants and level.isdecimal() and 1 <= int(level) <= 5):
        raise UserError(
            f"“{options.requires}” isn't a requirement.",
            "Write a skill and a level, for example Mechanics 3.",
        )
    for skill in (options.skill, wants):
        if skill:
            _assert_skill(scene.settings, skill)
    weapon = CompareWeapon(
        name=options.name,
        damage=damage,
        distance=distance,
        shape=shape,
        level=options.level,
        reload=options.reload,
        extra_dice=count,
        extra_sides=sides,
        burn_sides=options.burn,
        requires=CompareRequirement(skill=wants, level=int(level)) if options.requires else None,
        skill=options.skill,
    )
    rest = (one for one in scene.settings.weapons if not same_name(one.name, weapon.name))
    return _added(scene, {"weapons": (*rest, weapon)}, f"adds the weapon {weapon.name}")


declare("add_weapon", AddWeaponOptions, add_weapon, gm_only=True, needs_actor=False, sets=True)


def read_tags(text: str) -> tuple[DamageTag, DistanceTag, Shape]:
    """Read the tags of a weapon, separated by commas or spaces.

    Raises:
        UserError: If a tag is unknown, or the damage or distance tag is missing.
    """
    damage: DamageTag | None = None
    distance: DistanceTag | None = None
    shape = Shape.SINGLE
    seen: dict[type[StrEnum], str] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        tag = word.capitalize()
        kind = next((kind for kind in TAG_KINDS if tag and tag in set(kind)), None)
        if kind is None:
            raise UserError(f"There is no tag “{word}”.", f"Choose from: {', '.join(_all_tags())}.")
        if kind in seen:
            raise UserError(f"{seen[kind]} and {tag} are tags of the same kind.", "Choose one of them.")
        seen[kind] = tag
        if kind is DamageTag:
            damage = DamageTag(tag)
        elif kind is DistanceTag:
            distance = DistanceTag(tag)
        else:
            shape = Shape(tag)
    if damage is None or distance is None:
        raise UserError("A weapon needs a damage tag and a distance tag.", "For example: Heavy, Room.")
    return damage, distance, shape


def _all_tags() -> list[str]:
    return [str(tag) for tags in TAG_KINDS for tag in tags if tag]


def _dice_of(text: str) -> tuple[int, int]:
    """Read extra dice as their number and faces; none for an empty text."""
    if not text:
        return 0, 6
    found = re.fullmatch(r"\+?(\d{1,2})d(\d{1,2})", text.strip())
    if not found or not 1 <= int(found[1]) <= 20 or not 2 <= int(found[2]) <= 20:
        raise UserError(f"“{text}” can't be read as dice.", "Write them like this: 1d6.")
    return int(found[1]), int(found[2])


def _assert_skill(settings: CompareSettings, text: str) -> None:
    """Raise `UserError` if a weapon names an unknown skill."""
    category, _, name = text.rpartition(SEPARATOR)
    is_known = any(
        same_name(name, known) and (not category or same_name(category, of))
        for of, known in skill_names(settings)
    )
    if not is_known:
        raise UserError(
            f"There is no skill “{text.strip()}”.",
            "Choose one from the list.",
            "Or add it with /compare-gm skill.",
        )


# The options that only one kind of item uses.
ONLY_FOR = {
    "charges": (ItemKind.AMMUNITION, "ammunition"),
    "heals": (ItemKind.REMEDY, "remedies"),
    "stress": (ItemKind.REMEDY, "remedies"),
    "fortitude": (ItemKind.ARMOUR, "armor"),
    "movement": (ItemKind.ARMOUR, "armor"),
}


def add_item(scene: Scene, options: AddItemOptions, _dice: Dice) -> Outcome:
    """Add an item or a suit of armour, or change one of the same name. [CMP-GM-02]"""
    given = options.model_dump(include=set(ONLY_FOR), exclude_defaults=True)
    useless = [name for name in given if ONLY_FOR[name][0] is not options.kind]
    if useless:
        raise UserError(" ".join(f"Only {ONLY_FOR[name][1]} can have {name}." for name in useless))
    item = CompareItem(
        name=options.name,
        kind=options.kind,
        charges=options.charges if options.kind is ItemKind.AMMUNITION else 0,
        heals_sides=options.heals,
        stress=options.stress,
        fortitude=options.fortitude,
        movement=options.movement,
    )
    rest = (one for one in scene.settings.items if not same_name(one.name, item.name))
    return _added(scene, {"items": (*rest, item)}, f"adds the item {item.name}")


declare("add_item", AddItemOptions, add_item, gm_only=True, needs_actor=False, sets=True)
