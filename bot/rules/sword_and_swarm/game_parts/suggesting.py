"""Suggestions while someone types an option."""

from collections.abc import Sequence

from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import Character
from bot.rules.sword_and_swarm.checks.trials import difficulty_choices
from bot.rules.sword_and_swarm.gm.lists import LISTS


def proficiencies(character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The campaign's proficiencies, the character's own first."""
    own = [] if character is None else list(character.sheet.proficiencies)
    known = [one.name for one in settings.all_proficiencies]
    return [*(name for name in known if name in own), *(name for name in known if name not in own)]


def difficulties(_character: Character | None, _settings: SwarmSettings) -> Sequence[str]:
    """The book's difficulties of proficiency tests."""
    return difficulty_choices()


def obstacles(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The campaign's obstacles."""
    return [one.name for one in settings.all_obstacles]


def benefits(character: Character | None, _settings: SwarmSettings) -> Sequence[str]:
    """The character's equipment and traits."""
    return [] if character is None else [benefit.name for benefit in character.sheet.benefits]


def equipment(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The equipment on the campaign's list."""
    return [one.name for one in settings.all_equipment]


def added(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """Every entry the GM has added to the lists."""
    return [text.partition(":")[0] for which in LISTS for text in getattr(settings, which.field)]


SUGGESTION_LISTS = {
    "proficiency": proficiencies,
    "difficulty": difficulties,
    "obstacle": obstacles,
    "benefit": benefits,
    "equipment": equipment,
    "added": added,
}
