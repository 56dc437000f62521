"""GM commands that add skills, difficulties, weapons and items to the campaign."""

import re
from dataclasses import replace
from enum import StrEnum

from pydantic import Field

from bot.rules.compare_roll.character.catalogue import SEPARATOR, category_named, skill_names
from bot.rules.compare_roll.character.settings import AddedSkill, CompareSettings
from bot.rules.compare_roll.character.sheet import Outcome, Scene
from bot.rules.compare_roll.resolution.tables import (
    CompareDifficultyRow,
    CompareItem,
    CompareRequirement,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    ItemKind,
    Shape,
    ThingName,
)
from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name

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
    """A new weapon.

    Attributes:
        name: Its name.
        tags: A damage tag, a distance tag and optionally a shape.
        level: Its level.
        reload: Attacks until it must be reloaded.
        extra: Extra damage dice, such as 1d6.
        burn: Faces of the die that says how many rounds its targets burn.
        requires: The skill it needs, as "Category/Skill level".
        skill: The skill of its attacks, as "Category/Skill".
    """

    name: ThingName
    tags: str = Field(max_length=100)
    level: int = Field(default=1, ge=1, le=20)
    reload: int | None = Field(default=None, ge=1, le=999)
    extra: str = ""
    burn: int | None = Field(default=None, ge=2, le=20)
    requires: str = ""
    skill: str = ""


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
    """Add a skill to a category for everyone; it does not count as a custom skill.

    Source: CMP-GM-02.
    """
    settings = scene.settings
    category = category_named(options.category)
    if any(of == category and same_name(name, options.name) for of, name in skill_names(settings)):
        raise UserError(f"{category} already has {options.name}.")
    added = (*settings.skills, AddedSkill(category=category, name=options.name))
    return _added(scene, {"skills": added}, f"adds the skill {options.name} to {category}")


declare("add_skill", CompareAddSkillOptions, add_skill, gm_only=True, needs_actor=False)


def add_difficulty(scene: Scene, options: AddDifficultyOptions, _dice: Dice) -> Outcome:
    """Add a difficulty, or change one of the same name.

    Source: CMP-GM-02.
    """
    settings = scene.settings
    row = CompareDifficultyRow(name=options.name, number=options.number)
    rest = (one for one in settings.difficulties if not same_name(one.name, row.name))
    return _added(scene, {"difficulties": (*rest, row)}, f"adds the difficulty {row.name} +{row.number}")


declare("add_difficulty", AddDifficultyOptions, add_difficulty, gm_only=True, needs_actor=False)


def _added(scene: Scene, update: dict[str, object], headline: str) -> Outcome:
    settings = evolve(scene.settings, **update)
    return Outcome(scene=replace(scene, settings=settings), headline=headline)


def add_weapon(scene: Scene, options: AddWeaponOptions, _dice: Dice) -> Outcome:
    """Add a weapon by its tags, or change one of the same name.

    Source: CMP-GM-02, CMP-WPN-01.
    """
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


declare("add_weapon", AddWeaponOptions, add_weapon, gm_only=True, needs_actor=False)


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
    "fortitude": (ItemKind.ARMOUR, "armour"),
    "movement": (ItemKind.ARMOUR, "armour"),
}


def add_item(scene: Scene, options: AddItemOptions, _dice: Dice) -> Outcome:
    """Add an item or a suit of armour, or change one of the same name.

    Source: CMP-GM-02.
    """
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


declare("add_item", AddItemOptions, add_item, gm_only=True, needs_actor=False)
