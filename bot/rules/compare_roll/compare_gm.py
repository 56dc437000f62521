"""What the GM has: foes, acts on a character, and lists to add to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.carried_gear import KIND_WORDS, things_of
from bot.rules.compare_roll.catalogue import (
    SEPARATOR,
    category_named,
    find_item,
    find_weapon,
    skill_names,
    weapon_named,
)
from bot.rules.compare_roll.creation import plain_sheet
from bot.rules.compare_roll.fortunes import HIGH, MOST_HIGH, MOST_STRESS, hp_now
from bot.rules.compare_roll.sheet import (
    LEAST_STAT,
    MOST_STAT,
    AddedSkill,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    Foe,
    Outcome,
    Scene,
    carried_weapon,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.tables import (
    CATEGORIES,
    ITEMS,
    STAT_NAMES,
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
from bot.rules.kernel import (
    Audience,
    Choice,
    Column,
    Document,
    EditableList,
    FieldRows,
    Procedure,
    Row,
    TextField,
    evolve,
    menu_of,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import same_name, shown_number
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.shared.offering import MOST_CHOICES, Offering, numbers

RECORDS = {
    FoeLevel.WEAK: Foe(hp=6, hp_max=6, ft_max=0, rating=0, attack=-1),
    FoeLevel.ABLE: Foe(hp=12, hp_max=12, ft_max=1, rating=2, attack=0),
    FoeLevel.STRONG: Foe(hp=20, hp_max=20, ft_max=2, rating=4, attack=2),
    FoeLevel.MIGHTY: Foe(hp=35, hp_max=35, ft_max=4, rating=6, attack=4),
}


def _make(level: FoeLevel, _settings: CompareSettings) -> CompareSheet:
    """An opponent as hard to hit as the difficulty of its level. [CMP-COM-12, CMP-ROLL-02]"""
    return plain_sheet().changed(foe=RECORDS[level])


def _give(
    sheet: CompareSheet, level: FoeLevel, names: Sequence[str], settings: CompareSettings
) -> CompareSheet:
    for name in names:
        sheet = sheet.with_carried(carried_weapon(weapon_named(settings, name), level.step + 1))
    return sheet


def _fresh(sheet: CompareSheet) -> CompareSheet:
    foe = sheet.foe and evolve(sheet.foe, hp=sheet.foe.hp_max)
    return sheet.changed(foe=foe, ft_lost=0, status=CompareStatus.ACTIVE, downed_by=None, door=())


READY = (
    ReadyFoe("Corner Lookout", FoeLevel.WEAK, ("Unarmed",)),
    ReadyFoe("Street Brawler", FoeLevel.WEAK, ("Baseball Bat",)),
    ReadyFoe("Night Guard", FoeLevel.ABLE, ("Pistol",)),
    ReadyFoe("Getaway Driver", FoeLevel.ABLE, ("Revolver",)),
    ReadyFoe("Debt Collector", FoeLevel.ABLE, ("Baseball Bat", "Revolver")),
    ReadyFoe("Riot Officer", FoeLevel.STRONG, ("Shotgun",)),
    ReadyFoe("Hired Gun", FoeLevel.STRONG, ("Assault Rifle",)),
    ReadyFoe("Warehouse Boss", FoeLevel.MIGHTY, ("Shotgun", "Grenade")),
)
FOES: FoeRules[CompareSheet, CompareSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in (*settings.weapons, *WEAPONS)],
    make=_make,
    give=_give,
    ready=READY,
    fresh=_fresh,
)


MOST_POINTS = 10
MOST_QUICK = 3  # amounts of damage with a button of their own


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """HP, Stress, High, points, gear, and what a GM corrects by hand.

    [CMP-GM-01, CMP-HP-01, CMP-STRESS-01, CMP-SKILL-08, CMP-CHAR-01, CMP-CHAR-07, CMP-COM-12]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    return (
        *_body(scene, offering),
        *_gifts(scene, offering),
        *_corrections(scene, offering),
    )


def _body(scene: Scene, offering: Offering) -> Iterator[Act]:
    now, most = hp_now(scene.actor), hp_max(scene.actor.sheet)
    if status_of(scene.actor) is CompareStatus.DEAD:
        hp = numbers(range(1, min(most, MOST_CHOICES) + 1), lambda n: f"With {n} HP")
        yield from offering.menu(ActGroup.HEAL, "fate", "Revive …", "hp", hp, revive=True)
        return
    lower = numbers(_shortened(range(now - 1, -1, -1)), lambda n: f"{now - n} damage: HP {now} → {n}")
    label = f"Take HP … ({now} of {most})"
    quick = tuple(Choice(one.value, shown_number(int(one.value) - now)) for one in lower[:MOST_QUICK])
    yield from offering.menu(ActGroup.DAMAGE, "fate", label, "hp", lower, quick=quick)
    higher = numbers(_shortened(range(now + 1, most + 1)), lambda n: f"{n - now} HP: {now} → {n}")
    label = f"Give HP back … ({now} of {most})"
    yield from offering.menu(ActGroup.HEAL, "fate", label, "hp", higher)
    points = numbers(range(1, MOST_STRESS + 1), lambda n: f"{n} Stress")
    yield from offering.menu(ActGroup.CONDITION, "fate", "Give Stress …", "stress", points)


def _shortened(steps: range) -> tuple[int, ...]:
    """Every number of it; of many, the nearest and the last one."""
    return tuple(steps) if len(steps) <= MOST_CHOICES else (*steps[: MOST_CHOICES - 1], steps[-1])


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    settings = scene.settings
    high = numbers(range(1, MOST_HIGH - scene.actor.left(HIGH) + 1), lambda n: f"{n} High")
    yield from offering.menu(ActGroup.GIVE, "fate", "Give High …", "high", high)
    if scene.actor.sheet.foe is None:
        for field, what in (("skill_points", "skill points"), ("stat_points", "stat points")):
            points = numbers(range(1, MOST_POINTS + 1))
            yield from offering.menu(ActGroup.GIVE, "award", f"Award {what} …", field, points)
    for label, rows in (
        ("Give a weapon …", (*settings.weapons, *WEAPONS)),
        ("Give an item …", (*settings.items, *ITEMS)),
    ):
        names = dict.fromkeys(one.name for one in rows)
        things = [Choice(one, one[:100]) for one in names]
        adjusts = {"count": "How many"} if "item" in label else {}
        yield from offering.menu(ActGroup.GIVE, "give", label, "thing", things, adjusts=adjusts)
    own = [
        Choice(name, name[:100], f"×{count}")
        for name, count in things_of(scene.actor)
        if find_item(settings, name) or find_weapon(settings, name)
    ]
    yield from offering.menu(ActGroup.GIVE, "give", "Take 1 away …", "thing", own, count=-1)


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    sheet = scene.actor.sheet
    yield offering.act(ActGroup.GM, "look", "Look at the numbers (only you see them)")
    if scene.actor.owner is None:
        blanks = tuple(
            TextField(key=key, prompt=prompt, longest=40, is_required=False)
            for key, prompt in (
                ("hp", "HP"),
                ("fortitude", "Fortitude"),
                ("rating", "Rating"),
                ("attack", "Attack"),
                ("weapon", "Weapon"),
            )
        )
        yield offering.act(ActGroup.GM, "foe", "Set up as an opponent …", blanks=blanks)
    if sheet.foe is not None:
        return
    for stat in Stat:
        now = sheet.stats[stat]
        others = [n for n in range(LEAST_STAT, MOST_STAT + 1) if n != now]
        scores = [Choice(str(n), f"{now} → {n}") for n in others]
        label = f"Set {STAT_NAMES[stat]} … ({now})"
        yield from offering.menu(ActGroup.GM, "set_stat", label, "score", scores, stat=stat)


NAME = Column(key="name", title="Name", longest=40)
AMMUNITION_CHARGES = 4
TAG_KINDS: tuple[type[StrEnum], ...] = (DamageTag, DistanceTag, Shape)
# The fields that only one kind of item has.
ONLY_FOR = {
    "charges": (ItemKind.AMMUNITION, "Only ammunition has reloads."),
    "heals_sides": (ItemKind.REMEDY, "Only remedies heal."),
    "stress": (ItemKind.REMEDY, "Only remedies give Stress."),
    "fortitude": (ItemKind.ARMOUR, "Only armor adds Fortitude."),
    "movement": (ItemKind.ARMOUR, "Only armor changes movement."),
}


def _added_skill(settings: CompareSettings, before: Row | None, row: Row) -> Row:
    """A skill that its category doesn't have yet. [CMP-GM-02]"""
    own = None if before is None else (str(before["category"]), str(before["name"]))
    category, name = str(row["category"]), str(row.get("name") or "")
    for of, known in skill_names(settings):
        if of == category and same_name(known, name) and (of, known) != own:
            raise UserError(f"{category} already has {known}.", "Choose another name.")
    return row


def _item(_settings: object, _before: Row | None, row: Row) -> Row:
    """An item with the numbers of its kind only. [CMP-GM-02]"""
    wrong = [
        sentence
        for field, (kind, sentence) in ONLY_FOR.items()
        if row.get(field) not in (None, "0", 0) and row["kind"] != kind
    ]
    if wrong:
        raise UserError(" ".join(wrong), "Leave it empty, or choose another kind.")
    if row["kind"] == ItemKind.AMMUNITION and row.get("charges") is None:
        return {**row, "charges": AMMUNITION_CHARGES}
    return row


KINDS = tuple(Choice(one, KIND_WORDS.get(one, one).capitalize()) for one in ItemKind)
ADDED_SKILLS: EditableList[CompareSettings] = EditableList(
    key="skills",
    title="Skills",
    noun="skill",
    columns=(Column(key="category", title="Category", choices=menu_of(tuple(CATEGORIES))), NAME),
    source=FieldRows("skills"),
    model=AddedSkill,
    complete=_added_skill,
    identity=lambda row: f"{row['category']}/{row['name']}".casefold(),
    about=lambda row: str(row["category"]),
)
ADDED_WEAPONS: EditableList[CompareSettings] = EditableList(
    key="weapons",
    title="Weapons",
    noun="weapon",
    columns=(
        NAME,
        Column(key="damage", title="Damage", choices=menu_of(tuple(DamageTag))),
        Column(key="distance", title="Distance", choices=menu_of(tuple(DistanceTag))),
        Column(key="shape", title="Whom it hits", choices=menu_of(tuple(Shape), "one target")),
        Column(key="level", title="Level", note="Damage dice, 1 to 20; empty: 1", is_required=False),
    ),
    source=FieldRows("weapons"),
    model=CompareWeapon,
    about=lambda row: f"{row['damage']}, {row['distance']}",
)
ADDED_ITEMS: EditableList[CompareSettings] = EditableList(
    key="items",
    title="Items and armor",
    noun="item",
    columns=(
        NAME,
        Column(key="kind", title="Kind", choices=KINDS),
        Column(key="charges", title="Reloads in one (ammunition)", is_required=False),
        Column(key="heals_sides", title="Die it heals (remedies)", note="Such as 6", is_required=False),
        Column(key="fortitude", title="Fortitude while worn (armor)", is_required=False),
    ),
    source=FieldRows("items"),
    model=CompareItem,
    complete=_item,
    about=lambda row: KIND_WORDS.get(str(row["kind"]), str(row["kind"])),
)
ADDED_DIFFICULTIES: EditableList[CompareSettings] = EditableList(
    key="hard",
    title="Difficulties",
    noun="difficulty",
    columns=(NAME, Column(key="number", title="Number added to each d12", note="0 to 20")),
    source=FieldRows("difficulties"),
    model=CompareDifficultyRow,
    about=lambda row: f"+{row['number']}",
)
LISTS = (ADDED_SKILLS, ADDED_WEAPONS, ADDED_ITEMS, ADDED_DIFFICULTIES)


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
    charges: int = Field(default=AMMUNITION_CHARGES, ge=1, le=99)
    heals: int | None = Field(default=None, ge=2, le=20)
    stress: int = Field(default=0, ge=0, le=3)
    fortitude: int = Field(default=0, ge=0, le=40)
    movement: int = Field(default=0, ge=-5, le=10)


def _listed(
    scene: Scene, which: EditableList[CompareSettings], entry: Row, headline: str, *, replaces: bool = True
) -> Outcome:
    """Add an entry to a list; one of the same name is replaced where that is allowed."""
    settings, _row = which.with_row(scene.settings, entry, replaces=replaces)
    return Outcome(scene=replace(scene, settings=settings), headline=headline)


@procedure("add_skill", gm_only=True, needs_actor=False)
def add_skill(scene: Scene, options: CompareAddSkillOptions, _dice: Dice) -> Outcome:
    """Add a skill to a category for everyone; it does not count as a custom skill. [CMP-GM-02]"""
    category = category_named(options.category)
    headline = f"adds the skill {options.name} to {category}"
    row = {"category": category, "name": options.name}
    return _listed(scene, ADDED_SKILLS, row, headline, replaces=False)


@procedure("add_difficulty", gm_only=True, needs_actor=False, sets=True)
def add_difficulty(scene: Scene, options: AddDifficultyOptions, _dice: Dice) -> Outcome:
    """Add a difficulty, or change one of the same name. [CMP-GM-02]"""
    headline = f"adds the difficulty {options.name} +{options.number}"
    return _listed(scene, ADDED_DIFFICULTIES, options.model_dump(mode="json"), headline)


@procedure("add_weapon", gm_only=True, needs_actor=False, sets=True)
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
    return _listed(scene, ADDED_WEAPONS, weapon.model_dump(mode="json"), f"adds the weapon {weapon.name}")


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


@procedure("add_item", gm_only=True, needs_actor=False, sets=True)
def add_item(scene: Scene, options: AddItemOptions, _dice: Dice) -> Outcome:
    """Add an item or a suit of armour, or change one of the same name. [CMP-GM-02]"""
    row = options.model_dump(mode="json", exclude_defaults=True)
    row["heals_sides"] = row.pop("heals", None)
    return _listed(scene, ADDED_ITEMS, row, f"adds the item {options.name}")
