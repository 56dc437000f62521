"""Find skills, difficulties, weapons and items by name, in the shipped lists and the GM's additions."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from bot.rules.compare_roll.sheet import UNARMED, CompareSettings, CompareSheet
from bot.rules.compare_roll.tables import (
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
from bot.rules.kernel.outcome import name_key, same_name

SEPARATOR = "/"
Named = TypeVar("Named", CompareDifficultyRow, CompareItem, CompareWeapon)


class CompareSkill(Struct, frozen=True):
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


class Difficulty(Struct, frozen=True):
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


class Armed(Struct, frozen=True):
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
