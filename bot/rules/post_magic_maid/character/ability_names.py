"""Autocompletion of ability names."""

from collections.abc import Sequence

from bot.rules.kernel.wording import same_name
from bot.rules.post_magic_maid.character.scene import Character
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.resolution.tables import SUGGESTIONS


def own_abilities(character: Character | None, _settings: MaidSettings) -> Sequence[str]:
    """The active abilities of a character."""
    return () if character is None else [ability.name for ability in character.sheet.actives()]


def own_passives(character: Character | None, _settings: MaidSettings) -> Sequence[str]:
    """The passive abilities of a character."""
    return () if character is None else [ability.name for ability in character.sheet.passives()]


def active_names(character: Character | None, settings: MaidSettings) -> Sequence[str]:
    """A character's active abilities, then names for new ones.

    Source: PMM-ABL-07.
    """
    names = [*settings.suggestions, *(row.name for row in SUGGESTIONS if row.kind == "active")]
    return _with_own(own_abilities(character, settings), names)


def passive_names(character: Character | None, settings: MaidSettings) -> Sequence[str]:
    """A character's passive abilities, then names for new ones."""
    names = [row.name for row in SUGGESTIONS if row.kind == "passive"]
    return _with_own(own_passives(character, settings), names)


def _with_own(own: Sequence[str], names: Sequence[str]) -> list[str]:
    found = list(own)
    for name in names:
        if not any(same_name(name, other) for other in found):
            found.append(name)
    return found


SUGGESTION_LISTS = {
    "ability": own_abilities,
    "passive": own_passives,
    "active_name": active_names,
    "passive_name": passive_names,
}
