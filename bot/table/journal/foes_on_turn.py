"""The foe whose turn it is: a GM acts with it without naming it."""

from dataclasses import replace

from bot.rules.shared.encounters import npcs_on
from bot.store.records import CharacterRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, NoCharacter, own_character, require_character
from bot.table.journal.gathered import scene_to_look_at

MOST_NAMED = 5


def foes_on_turn(reader: Reader, access: Access) -> list[CharacterRecord]:
    """Return the GM's characters whose turn it is in the channel; nobody for a player."""
    if not access.is_gm or access.game.tracker is None:
        return []
    scene = replace(scene_to_look_at(reader, access, for_gm=True), channel=str(access.request.channel))
    found = (reader.character(access.request.server, who) for who in npcs_on(scene))
    return [one for one in found if one is not None]


def acting_character(reader: Reader, access: Access, name: str | None = None) -> CharacterRecord | None:
    """Return whom a person acts with: the one named, their own, or for a GM the only foe on turn.

    A GM who also plays a character of their own keeps acting with that one.

    Raises:
        UserError: If the one named is not theirs to play.
    """
    own = own_character(reader, access, name)
    if name is not None or not access.is_gm or (own is not None and own.owner is not None):
        return own
    foes = foes_on_turn(reader, access)
    return foes[0] if len(foes) == 1 else own


def require_acting(reader: Reader, access: Access) -> CharacterRecord:
    """Return the same, or raise if there is none.

    Raises:
        NoCharacter: If nobody acts; a GM is told how to name an NPC.
    """
    found = acting_character(reader, access)
    if found is not None:
        return found
    acting = [one.name for one in foes_on_turn(reader, access)[:MOST_NAMED]]
    try:
        return require_character(reader, access)
    except NoCharacter as refusal:
        if acting or (access.is_gm and not refusal.has_several):
            raise NoCharacter(for_gm=True, acting=acting) from None
        raise
