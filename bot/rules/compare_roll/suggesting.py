"""Suggestions while someone types an option."""

from collections.abc import Sequence

from bot.rules.compare_roll.carried_gear import NO_ARMOUR, things_of
from bot.rules.compare_roll.catalogue import armed, difficulties_of, find_item, own_skills, skill_names
from bot.rules.compare_roll.sheet import Character, CompareSettings
from bot.rules.compare_roll.tables import CATEGORIES, ITEMS, WEAPONS, ItemKind
from bot.rules.kernel import RequestableCheck


def skills(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Skills with their categories, the character's own first. [CMP-SKILL-04]"""
    if character is None:
        return [f"{category}/{name}" for category, name in skill_names(settings)]
    found = sorted(own_skills(character.sheet, settings), key=lambda one: not one.level)
    return [one.key for one in found]


def categories(_character: Character | None, _settings: CompareSettings) -> Sequence[str]:
    """The eight categories."""
    return tuple(CATEGORIES)


def difficulties(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The difficulties by name."""
    return [row.name for row in difficulties_of(settings)]


def weapons(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The weapons a character can attack with."""
    return () if character is None else [one.weapon.name for one in armed(character.sheet, settings)]


def _owned(character: Character | None, settings: CompareSettings, kind: ItemKind) -> Sequence[str]:
    if character is None:
        return ()
    names = [one.name for one in character.sheet.items]
    return [name for name in names if (found := find_item(settings, name)) and found.kind is kind]


def remedies(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The remedies a character carries."""
    return _owned(character, settings, ItemKind.REMEDY)


def armours(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The suits a character carries, and "none" if one is worn."""
    is_worn = character is not None and bool(character.sheet.armour)
    return [*_owned(character, settings, ItemKind.ARMOUR), *((NO_ARMOUR,) if is_worn else ())]


def things(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Everything a GM can hand out."""
    items = (row.name for row in (*settings.items, *ITEMS))
    return [*all_weapons(_character, settings), *items]


def belongings(character: Character | None, _settings: CompareSettings) -> Sequence[str]:
    """Everything a character can hand over."""
    return () if character is None else [name for name, _have in things_of(character)]


def all_weapons(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Every weapon."""
    return [row.name for row in (*settings.weapons, *WEAPONS)]


SUGGESTION_LISTS = {
    "skill": skills,
    "category": categories,
    "difficulty": difficulties,
    "weapon": weapons,
    "remedy": remedies,
    "armour": armours,
    "thing": things,
    "belonging": belongings,
    "any_weapon": all_weapons,
}


ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=skills,
        difficulties=difficulties,
    ),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=difficulties,
    ),
)
