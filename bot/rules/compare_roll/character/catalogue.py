"""Looking things up by name: in the shipped lists and in what the GM has added."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import UNARMED, CompareSheet
from bot.rules.compare_roll.resolution.tables import (
    CATEGORIES,
    DIFFICULTIES,
    ITEMS,
    LEVEL_NAMES,
    WEAPONS,
    CompareDifficultyRow,
    CompareItem,
    CompareWeapon,
    Stat,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name

SEPARATOR = "/"
Named = TypeVar("Named", CompareDifficultyRow, CompareItem, CompareWeapon)


@dataclass(frozen=True, slots=True)
class CompareSkill:
    """A skill as somebody has it: where it stands, what governs it, its level."""

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
    """What is added to each d12, and its name."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name} (+{self.number})" if self.name else f"+{self.number}"


def skill_names(settings: CompareSettings) -> Iterator[tuple[str, str]]:
    """Category and name of every skill of the lists, left to right.

    Source: CMP-SKILL-04, CMP-GM-02.
    """
    for category, row in CATEGORIES.items():
        for name in (*row.skills, *(one.name for one in settings.skills if one.category == category)):
            yield category, name


def own_skills(sheet: CompareSheet, settings: CompareSettings) -> Iterator[CompareSkill]:
    """Every skill a character can roll, its own approved ones behind those of their category."""
    for category, row in CATEGORIES.items():
        for of, name in skill_names(settings):
            if of == category:
                yield CompareSkill(category, name, row.stat, sheet.level(category, name))
        for one in sheet.customs:
            if one.category == category and one.is_approved:
                yield CompareSkill(category, one.name, one.stat or row.stat, one.level)


def find_skill(sheet: CompareSheet, settings: CompareSettings, text: str) -> CompareSkill:
    """The skill meant by "Name" or "Category/Name"; of two the better one, else the one further left.

    Raises:
        UserError: If there is none, or the GM has not agreed to it.

    Source: CMP-SKILL-06 (CMP-R22), CMP-SKILL-05.
    """
    category, _, name = text.rpartition(SEPARATOR)
    found = [
        one
        for one in own_skills(sheet, settings)
        if same_name(one.name, name) and (not category or same_name(one.category, category))
    ]
    if found:
        return max(found, key=lambda one: one.level)
    if any(same_name(one.name, name) for one in sheet.customs):
        raise UserError(f"The GM has not agreed to {name.strip()} yet.", "Until then it cannot be rolled.")
    raise UserError(
        f"There is no skill “{text.strip()}”.",
        "Choose one of the list, or roll /compare luck where none fits.",
    )


def category_named(text: str) -> str:
    """A category by name.

    Raises:
        UserError: If there is none.
    """
    found = next((name for name in CATEGORIES if same_name(name, text)), None)
    if found is None:
        raise UserError(f"There is no category “{text.strip()}”.", f"There are {', '.join(CATEGORIES)}.")
    return found


def difficulties_of(settings: CompareSettings) -> tuple[CompareDifficultyRow, ...]:
    """Every difficulty there is; one that the GM has added stands for that of the same name.

    Source: CMP-GM-02.
    """
    changed = {row.name.casefold() for row in settings.difficulties}
    kept = (row for row in DIFFICULTIES if row.name.casefold() not in changed)
    return (*kept, *settings.difficulties)


def difficulty(settings: CompareSettings, text: str) -> Difficulty:
    """A difficulty by name, or by a number from 0 to 20.

    Source: CMP-ROLL-02 (CMP-R03), CMP-GM-02.
    """
    known = difficulties_of(settings)
    found = _find(known, text)
    if found is not None:
        return Difficulty(found.name, found.number)
    typed = text.strip().removeprefix("+")
    if typed.isdecimal() and int(typed) <= 20:
        return numbered(settings, int(typed))
    names = ", ".join(f"{row.name} +{row.number}" for row in known)
    raise UserError(
        f"There is no difficulty “{text.strip()}”.", f"There are {names}, or a number from 0 to 20."
    )


def numbered(settings: CompareSettings, number: int) -> Difficulty:
    """The difficulty of a number, with its name where it has one."""
    known = (row.name for row in difficulties_of(settings) if row.number == number)
    return Difficulty(next(known, ""), number)


def default_difficulty(settings: CompareSettings) -> Difficulty:
    """The difficulty where none is named; Normal where the setting names none.

    Source: CMP-ROLL-02 (CMP-R03).
    """
    try:
        return difficulty(settings, settings.default_difficulty)
    except UserError:
        return numbered(settings, 2)


def weapon_named(settings: CompareSettings, text: str) -> CompareWeapon:
    """A kind of weapon by name; what the GM has added stands before what is shipped.

    Raises:
        UserError: If there is none.
    """
    found = _find((*settings.weapons, *WEAPONS), text)
    if found is None:
        raise UserError(f"There is no weapon “{text.strip()}”.", "A GM adds one with /compare gm weapon.")
    return found


def find_weapon(settings: CompareSettings, text: str) -> CompareWeapon | None:
    """A kind of weapon by name, or None."""
    return _find((*settings.weapons, *WEAPONS), text)


def find_item(settings: CompareSettings, text: str) -> CompareItem | None:
    """A kind of item by name, or None."""
    return _find((*settings.items, *ITEMS), text)


def _find(rows: Iterable[Named], text: str) -> Named | None:
    return next((row for row in rows if same_name(row.name, text)), None)


@dataclass(frozen=True, slots=True)
class Armed:
    """A weapon as somebody holds it: its kind, its level there, and the shots in it (None: no limit)."""

    weapon: CompareWeapon
    level: int
    shots: int | None

    @property
    def words(self) -> str:
        """Its name with what is loaded: "Pistol 7/10"."""
        loaded = "" if self.shots is None else f" {self.shots}/{self.weapon.reload}"
        return f"{self.weapon.name}{loaded}"


def armed(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Armed]:
    """Every weapon somebody can use: carried ones, those used up by an attack, and bare hands.

    Source: CMP-CHAR-01 (CMP-R11), CMP-EQ-01.
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
    """One of the weapons somebody can use; the first without a name.

    Raises:
        UserError: If they have none of that name.
    """
    have = list(armed(sheet, settings))
    if not text:
        return have[0]
    found = next((one for one in have if same_name(one.weapon.name, text)), None)
    if found is None:
        names = ", ".join(one.weapon.name for one in have)
        raise UserError(f"There is no “{text.strip()}” at hand.", f"At hand: {names}.")
    return found
