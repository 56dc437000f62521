"""Suggestions while someone types an option, and the rolls a GM can ask for."""

from collections.abc import Sequence

from bot.rules.kernel import Naming, RequestableCheck
from bot.rules.swim_class.resources import COMPOSURE
from bot.rules.swim_class.rolling import HARDEST
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import CATALOGUE, Character, Skillbook, book_of, is_special, parent_of
from bot.rules.swim_class.tables import PRESETS, SwimAttack
from bot.rules.swim_class.tasks import Task


def skill_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """Every skill of the campaign, the character's specialisations first."""
    book = book_of(settings)
    return [*_specialisations(character, book), *(skill.name for skill in book.skills.values())]


def _specialisations(character: Character | None, book: Skillbook) -> list[str]:
    ranks = () if character is None else character.sheet.ranks
    return [book.typed(key) for key in ranks if is_special(key) and book.knows(key)]


def rollable_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The skills a character has dice for; without a character, all that can be rolled.

    [SWIM-TASK-01, SWIM-SKILL-07, SWIM-IMPL-04]
    """
    book = book_of(settings)
    if character is None:
        return [skill.name for skill in book.skills.values() if skill.key != COMPOSURE]
    sheet = character.sheet
    special = [key for key in sheet.ranks if is_special(key) and book.knows(key)]
    keys = [*special, *(key for key in book.skills if key != COMPOSURE)]
    lent = {item.dice_skill for item in sheet.items if item.is_equipped and item.bonus_dice}
    return [book.typed(key) for key in keys if book.rank(sheet.ranks, key) > 0 or parent_of(key) in lent]


def attack_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The attack skills."""
    book = book_of(settings)
    special = [name for name in _specialisations(character, book) if book.definition(book.find(name)).attacks]
    return [*(skill.name for skill in book.skills.values() if skill.attacks), *special]


def hiding_names(_character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The stealth skills, the book's and the campaign's own."""
    return [skill.name for skill in book_of(settings).skills.values() if skill.attack is SwimAttack.STEALTH]


def item_names(_character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The items that the shop sells."""
    return [item.name for item in CATALOGUE.values() if settings.artifacts_for_sale or not item.is_quest_only]


def every_item(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """Every item of the price list."""
    return list(CATALOGUE)


def own_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The character's items."""
    return [] if character is None else [item.name for item in character.sheet.items]


def lying_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The character's thrown items."""
    return [] if character is None else [item.name for item in character.sheet.lying]


def preset_names(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The book's combatants."""
    return list(PRESETS)


def _work_name(task: Task) -> str | None:
    return None if task.material is not None else task.name


def _craft_name(task: Task) -> str | None:
    return None if task.material is None else task.name


NAMED = {
    "task": Naming(document="task", name=_work_name, owner=lambda task: task.owner),
    "unfinished": Naming(document="task", name=_craft_name, owner=lambda task: task.owner),
}
SUGGESTION_LISTS = {
    "skill": skill_names,
    "rollable": rollable_names,
    "attack": attack_names,
    "hiding": hiding_names,
    "item": item_names,
    "every_item": every_item,
    "own_item": own_items,
    "lying": lying_items,
    "preset": preset_names,
}


ASKS = (
    RequestableCheck(
        procedure="roll",
        title="roll",
        what="skill",
        always={"anyway": True},  # the GM has chosen how hard it is
        difficulty="difficulty",
        names=rollable_names,
        difficulties=lambda _who, _settings: tuple(str(number) for number in range(1, HARDEST + 1)),
    ),
)
