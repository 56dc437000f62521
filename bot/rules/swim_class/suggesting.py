"""Names to offer while somebody types."""

from collections.abc import Sequence

from bot.rules.ruleset import Character
from bot.rules.swim_class.implements import CATALOGUE
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import sheet_of
from bot.rules.swim_class.skills import book_of, is_special
from bot.rules.swim_class.tables import PRESETS, Attack


def skill_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """Every skill of the campaign, the character's specialisations first."""
    book = book_of(settings)
    special = [] if character is None else [key for key in sheet_of(character).ranks if is_special(key)]
    return [*special, *(skill.name for skill in book.skills.values())]


def attack_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The skills one attacks with."""
    closed = {Attack.NONE, Attack.MAGIC, Attack.STEALTH}
    open_ = [
        skill.name
        for skill in book_of(settings).skills.values()
        if skill.attack not in closed and skill.deals_damage
    ]
    special = [] if character is None else [key for key in sheet_of(character).ranks if is_special(key)]
    return [*open_, *special]


def item_names(_character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """What the shop sells."""
    return [item.name for item in CATALOGUE.values() if settings.artifacts_for_sale or not item.is_quest_only]


def every_item(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """Everything in the lists."""
    return list(CATALOGUE)


def own_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """What the character has."""
    return [] if character is None else [item.name for item in sheet_of(character).items]


def lying_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """What of the character's lies about."""
    return [] if character is None else [item.name for item in sheet_of(character).lying]


def preset_names(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The book's combatants."""
    return list(PRESETS)


SUGGESTION_LISTS = {
    "skill": skill_names,
    "attack": attack_names,
    "item": item_names,
    "every_item": every_item,
    "own_item": own_items,
    "lying": lying_items,
    "preset": preset_names,
}
