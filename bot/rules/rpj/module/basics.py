"""What every module is built on: entries, attributes, damage scales, costs of levels, difficulties."""

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from math import ceil
from typing import Annotated, Protocol, TypeVar

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import DataFiles, Document, TableRow
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, name_key, shown_number
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET

DATA = DataFiles("bot.rules.rpj")


Id = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,60}$")]
IdOrNothing = Annotated[str, Field(pattern=r"^[a-z0-9_]{0,60}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Text = Annotated[str, Field(max_length=600)]


class ModuleEntry(Document):
    """Something with an id, a name and a description."""

    id: Id
    name: Name
    description: Text = ""


class Named(Protocol):
    """Something with a name and an id."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def name(self) -> str:
        """Its name."""


NamedT = TypeVar("NamedT", bound=Named)


def named(entries: Iterable[NamedT], typed: str) -> NamedT | None:
    """The entry that somebody typed, by its name or id; case and spaces do not matter."""
    wanted = name_key(typed)
    return next((one for one in entries if wanted in (one.name.casefold(), one.id)), None)


def id_of(name: str) -> str:
    """A name as an id: "Slow to React" becomes slow_to_react; only an empty name has none.

    A name in another script, or of signs, becomes a number that no other name has.
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    plain = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")[:60]
    has_others = any(letter.isalpha() and not letter.isascii() for letter in folded)
    if not folded or (plain and not (has_others and plain.replace("_", "").isdecimal())):
        return plain
    return f"name_{sha256(folded.encode()).hexdigest()[:16]}"


def own_id(name: str) -> str:
    """The id of something a GM names.

    Raises:
        UserError: If the name is empty.
    """
    id_ = id_of(name)
    if not id_:
        raise UserError("A name needs at least one visible character.")
    return id_


class RpjAttribute(StrEnum):
    """The attributes, in the order of the sheet. [RPJ-ATTR-01]"""

    STR = "STR"
    CON = "CON"
    DEX = "DEX"
    CHA = "CHA"
    WIL = "WIL"
    INT = "INT"
    LUCK = "LUCK"

    @property
    def word(self) -> str:
        """Its full name."""
        return _WORDS[self]


_WORDS = {
    RpjAttribute.STR: "Strength",
    RpjAttribute.CON: "Constitution",
    RpjAttribute.DEX: "Dexterity",
    RpjAttribute.CHA: "Charisma",
    RpjAttribute.WIL: "Willpower",
    RpjAttribute.INT: "Intelligence",
    RpjAttribute.LUCK: "Luck",
}


class Category(StrEnum):
    """The three pairs of attributes; Luck belongs to none. [RPJ-ATTR-01]"""

    BRAWNY = "Brawny"
    SHIFTY = "Shifty"
    BRAINY = "Brainy"

    @property
    def members(self) -> tuple[RpjAttribute, RpjAttribute]:
        """Its two attributes."""
        return _MEMBERS[self]


_MEMBERS = {
    Category.BRAWNY: (RpjAttribute.STR, RpjAttribute.CON),
    Category.SHIFTY: (RpjAttribute.DEX, RpjAttribute.CHA),
    Category.BRAINY: (RpjAttribute.WIL, RpjAttribute.INT),
}

GENERATED = tuple(attribute for category in Category for attribute in category.members)


def category_of(attribute: RpjAttribute) -> Category | None:
    """The category of an attribute; None for Luck."""
    return next((category for category in Category if attribute in category.members), None)


def attribute_bonus(level: int) -> int:
    """The bonus of an attribute level: a third of it, rounded down, also below zero. [RPJ-ATTR-02 (R-008)]"""
    return level // 3


class Scale(StrEnum):
    """The scale of damage, or of what a layer withstands. [RPJ-SCALE-01]"""

    NORMAL = "normal"
    MEGA = "mega"
    GIGA = "giga"

    @property
    def step(self) -> int:
        """From 0 to 2."""
        return list(Scale).index(self)

    @property
    def tag(self) -> str:
        """The tag of a layer of this scale: M or G; empty for normal."""
        return "" if self is Scale.NORMAL else self[0].upper()


STEP_DAMAGE = 4
HARMLESS, UPWARD, DOWNWARD, CRUSHING = -2, -1, 1, 2


def gap(attack: Scale, layer: Scale) -> int:
    """How many scales damage is above the layer it strikes; negative where below. [RPJ-SCALE-01]"""
    return attack.step - layer.step


def highest(scales: Iterable[Scale]) -> Scale:
    """The highest of several scales; normal where there is none. [RPJ-SCALE-09 (SCALE-09a)]"""
    return max(scales, key=lambda scale: scale.step, default=Scale.NORMAL)


POINTS_A_TIER = 10


class _Named(TableRow):
    """A word and the lowest number it applies to."""

    name: str
    least: int = Field(alias="from")


_GRADES = DATA.rows("levels", "grade", _Named)
_POWERS = DATA.rows("levels", "power", _Named)


def triangle(level: int) -> int:
    """The sum of the numbers from 1 to a level; 0 for a level below 1."""
    return level * (level + 1) // 2 if level > 0 else 0


def raise_cost(now: int, wanted: int) -> int:
    """The cost of raising an attribute or a skill: each level costs its own number.

    [RPJ-ATTR-13 (R-014), RPJ-SKILL-02]
    """
    return max(triangle(wanted) - triangle(now), 0)


def grade(effective_level: int) -> str:
    """The word for an effective level of a skill. [RPJ-SKILL-05 (R-028)]"""
    return [row.name for row in _GRADES if row.least <= max(effective_level, 0)][-1]


def power_word(points: int) -> str:
    """The word for a character power; empty below the first. [RPJ-CHAR-04 (R-063)]"""
    reached = [row.name for row in _POWERS if row.least <= points]
    return reached[-1] if reached else ""


def tier_of(total_points: int) -> int:
    """The character tier of a character power. [RPJ-CHAR-05]"""
    return total_points // POINTS_A_TIER


def sessions_to(target: int, total_points: int, points_a_session: int) -> int:
    """The number of sessions until a character power is reached. [RPJ-CHAR-20]

    Args:
        target: The character power wanted.
        total_points: The character power now.
        points_a_session: Character points per session, at least 1.
    """
    return max(ceil((target - total_points) / points_a_session), 0)


def character_points(count: int) -> str:
    """A number of character points."""
    return counted(count, "character point")


def lucky_breaks(count: int) -> str:
    """A number of Lucky Breaks."""
    return counted(count, "Lucky Break")


def left_words(left: int) -> str:
    """How much is left: "1 is left", "5 are left"."""
    return f"{shown_number(left)} {'is' if left == 1 else 'are'} left"


_NUMBER = re.compile(r"([+-]?\d{1,3})(\+?)")


class Rung(Document):
    """A name of the ladder and the difficulties it covers."""

    name: str
    lowest: int  # the lowest difficulty it covers
    highest: int | None = None  # the highest; None for no limit
    aliases: tuple[str, ...] = ()  # other names

    @property
    def targets(self) -> str:
        """Its target numbers ("9-10+")."""
        least = BASE_TARGET + self.lowest
        if self.highest is None or self.highest == self.lowest:
            return f"{least}+"
        return f"{least}-{BASE_TARGET + self.highest}+"


class _RungRow(Rung, TableRow):
    """A rung in the data."""


class _ChanceRow(TableRow):
    """An approximate chance, and how far above the effective level its target number is."""

    percent: int
    above_level: int


LADDER: tuple[Rung, ...] = tuple(
    Rung(name=row.name, lowest=row.lowest, highest=row.highest, aliases=row.aliases)
    for row in DATA.rows("difficulties", "rung", _RungRow)
)
_CHANCES = {row.percent: row.above_level for row in DATA.rows("difficulties", "chance", _ChanceRow)}


def difficulty_label(difficulty: int, ladder: tuple[Rung, ...] = LADDER) -> str:
    """The ladder's name of a difficulty; the higher of two overlapping rungs, below all the lowest.

    [RPJ-SKILL-24 (R-044)]
    """
    reached = [rung.name for rung in ladder if rung.lowest <= difficulty]
    return reached[-1] if reached else ladder[0].name


def difficulty_named(text: str, ladder: tuple[Rung, ...] = LADDER) -> int:
    """Read a typed difficulty: a number, a target number ("10+"), or a name.

    A name means the lowest difficulty it covers.

    Raises:
        UserError: If it is none of these.

    [RPJ-DICE-02, RPJ-SKILL-24 (R-044)]
    """
    typed = text.strip()
    if number := _NUMBER.fullmatch(typed):
        value = int(number[1])
        return value - BASE_TARGET if number[2] else value
    said = " ".join(typed.split()).casefold()
    for rung in ladder:
        if said in (rung.name.casefold(), *(alias.casefold() for alias in rung.aliases)):
            return rung.lowest
    begun = [rung for rung in ladder if said and rung.name.casefold().startswith(said)]
    if len(begun) == 1:
        return begun[0].lowest
    names = ", ".join(rung.name for rung in ladder)
    raise UserError(
        f"I can't read the difficulty “{typed}”.", f"Type a number, a target such as 10+, or {names}."
    )


class SuitingTarget(Struct, frozen=True):
    """A target number and how often an effective level reaches it, in percent."""

    percent: int
    target: int


def suiting_targets(level: int) -> tuple[SuitingTarget, ...]:
    """The target numbers an effective level reaches in about 95, 75, 50, 25 and 5 of 100 rolls.

    [RPJ-SKILL-25 (R-046)]
    """
    return tuple(SuitingTarget(percent, level + above) for percent, above in _CHANCES.items())


def average_difficulty(level: int) -> int:
    """The difficulty of a routine task for an effective level, which succeeds in about 75 of 100 rolls.

    [RPJ-SKILL-26]
    """
    return level + _CHANCES[75] - BASE_TARGET
