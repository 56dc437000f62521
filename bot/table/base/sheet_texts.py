"""What sheets say, remembered for as long as nothing in them changes."""

from dataclasses import dataclass

from bot.rules.kernel import Character, Document, Glance, Ruleset, Section
from bot.store.records import ServerId

MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class SheetTexts:
    """A sheet's sections, and what its picture shows."""

    sections: tuple[Section, ...]
    glance: Glance


@dataclass(frozen=True, slots=True)
class _Known:
    """The texts of a character as it was, with the settings that they follow from."""

    game: str
    character: Character
    settings: Document
    texts: SheetTexts


class SheetCache:
    """The texts of the sheets read last: a ruleset describes a character anew only once it has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[ServerId, int], _Known] = {}

    def texts(self, game: Ruleset, server: ServerId, character: Character, settings: Document) -> SheetTexts:
        """Return what a character's sheet says.

        Args:
            game: Its ruleset.
            server: Its server.
            character: The character as it is now.
            settings: The settings of its campaign.
        """
        place = (server, character.id)
        known = self._known.pop(place, None)
        if known is None or (known.game, known.character, known.settings) != (game.key, character, settings):
            texts = SheetTexts(game.describe(character, settings), game.glance(character, settings))
            known = _Known(game.key, character, settings, texts)
        self._known[place] = known
        for oldest in list(self._known)[: max(0, len(self._known) - MOST_KEPT)]:
            self._known.pop(oldest, None)
        return known.texts
