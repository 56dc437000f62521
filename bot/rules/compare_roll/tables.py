"""The tables of the rules, read from the data files; every row names its source."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from bot.rules.kernel import DataFiles, Document


class ComparePurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice; stored with open rolls."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENSE = "defense"
    DAMAGE = "damage"
    BURNING = "burning"
    HEALING = "healing"
    REST = "rest"
    DOOR = "Death's Door"
    STAT = "stat"
    ASSETS = "Assets"

    @classmethod
    def _missing_(cls, value: object) -> "ComparePurpose | None":
        """Open rolls of earlier versions spell it so."""
        return cls.DEFENSE if value == "defence" else None


ThingName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]


class Stat(StrEnum):
    """The six stats. [CMP-STAT-01]"""

    STR = "STR"
    AGI = "AGI"
    INT = "INT"
    EDU = "EDU"
    INF = "INF"
    LCK = "LCK"


class CompareShare(StrEnum):
    """The share of rolled damage that is dealt."""

    NONE = "none"
    HALF = "half"
    FULL = "full"
    DOUBLE = "double"


class DamageTag(StrEnum):
    """The tag that sets a weapon's damage die."""

    LIGHT = "Light"
    MEDIUM = "Medium"
    HEAVY = "Heavy"
    TECH = "Tech"


class DistanceTag(StrEnum):
    """The tag that sets a weapon's range."""

    MELEE = "Melee"
    ROOM = "Room"
    CLOSE = "Close"
    FIELD = "Field"
    FAR = "Far"


class Shape(StrEnum):
    """The tag that sets whom an attack hits."""

    SINGLE = ""
    LINE = "Line"
    PIERCING = "Piercing"
    ARC = "Arc"
    EXPLOSIVE = "Explosive"


class ItemKind(StrEnum):
    """The use of an item."""

    AMMUNITION = "ammunition"
    REMEDY = "remedy"
    ARMOUR = "armour"
    COMMS = "comms"
    OTHER = "other"


class CompareRow(Document):
    """One row of a table."""

    source: str = ""  # the ledger id it rests on; empty for a GM's addition


class OutcomeRow(CompareRow):
    """A row of the chart."""

    name: str
    doubles: bool  # whether both d6 show the same
    beaten: int  # how many d12s are beaten
    damage: CompareShare  # the share of damage an attack deals
    defence: CompareShare  # the share of damage a defender takes
    stress: int = 0  # Stress gained
    high: int = 0  # high gained
    suffix: int = 0  # the number in brackets


class CompareDifficultyRow(CompareRow):
    """A difficulty and the number it adds to each d12."""

    name: ThingName
    number: int = Field(ge=0, le=20)


class StatRow(CompareRow):
    """A stat and its name."""

    code: Stat
    name: str


class BandRow(CompareRow):
    """The bonus from a score upwards."""

    at_least: int
    bonus: int


class CategoryRow(CompareRow):
    """A category of skills with its governing stat."""

    name: str
    stat: Stat
    skills: tuple[str, ...]


class LevelRow(CompareRow):
    """The name of a skill level."""

    level: int
    name: str


class DamageRow(CompareRow):
    """A damage tag and its die."""

    name: DamageTag
    sides: int


class DistanceRow(CompareRow):
    """A distance tag and its range in feet."""

    name: DistanceTag
    nearest: int
    farthest: int


class ShapeRow(CompareRow):
    """A shape tag and whether it hits several targets."""

    name: Shape
    hits_several: bool


class CompareRequirement(Document):
    """The level of a skill ("Category/Name") that a weapon needs."""

    skill: str
    level: int = Field(ge=1, le=5)


class CompareWeapon(CompareRow):
    """A kind of weapon."""

    name: ThingName
    damage: DamageTag  # the tag of its damage die
    distance: DistanceTag  # the tag of its range
    shape: Shape = Shape.SINGLE  # the tag of whom it hits
    level: int = Field(default=1, ge=1, le=20)  # number of damage dice, and half the radius of an explosion
    reload: int | None = Field(default=None, ge=1, le=999)  # attacks until it must be reloaded, or None
    extra_dice: int = Field(default=0, ge=0, le=20)  # further damage dice at any level
    extra_sides: int = Field(default=6, ge=2, le=20)  # their faces
    requires: CompareRequirement | None = None  # the skill it needs, or None
    # Faces of the die for the rounds its targets burn, or None.
    burn_sides: int | None = Field(default=None, ge=2, le=20)
    is_used_up: bool = False  # whether an attack uses it up
    skill: str = ""  # the skill of its attacks ("Category/Name"), or empty
    stat: Stat | None = None  # the stat of its attacks, if its tags do not decide it


class CompareItem(CompareRow):
    """A kind of item."""

    name: ThingName
    kind: ItemKind = ItemKind.OTHER  # its use
    charges: int = Field(default=0, ge=0, le=99)  # reloads in one unit of ammunition
    # Faces of the die for the HP it heals, or None.
    heals_sides: int | None = Field(default=None, ge=2, le=20)
    stress: int = Field(default=0, ge=0, le=3)  # Stress it gives
    fortitude: int = Field(default=0, ge=0, le=40)  # Fortitude it adds while worn
    movement: int = Field(default=0, ge=-5, le=10)  # spaces of movement it adds while worn


DATA = DataFiles("bot.rules.compare_roll")
OUTCOME_ROWS = DATA.rows("outcomes", "outcome", OutcomeRow)
DIFFICULTIES = DATA.rows("difficulties", "difficulty", CompareDifficultyRow)
STAT_NAMES = {row.code: row.name for row in DATA.rows("stats", "stat", StatRow)}
BANDS = DATA.rows("stats", "band", BandRow)
CATEGORIES = {row.name: row for row in DATA.rows("skills", "category", CategoryRow)}
LEVEL_NAMES = tuple(row.name for row in DATA.rows("skills", "level", LevelRow))
DAMAGE_SIDES = {row.name: row.sides for row in DATA.rows("tags", "damage", DamageRow)}
REACHES = {row.name: row for row in DATA.rows("tags", "distance", DistanceRow)}
HITS_SEVERAL = {row.name: row.hits_several for row in DATA.rows("tags", "shape", ShapeRow)}
WEAPONS = DATA.rows("weapons", "weapon", CompareWeapon)
ITEMS = DATA.rows("items", "item", CompareItem)


def stat_bonus(score: int) -> int:
    """The bonus of a score: −1 below 5, then +1 for every five points, up to +3.

    [CMP-STAT-03, CMP-STAT-02 (CMP-R16: scores above 20 stay in the last band)]
    """
    return max(row.bonus for row in BANDS if score >= row.at_least)
