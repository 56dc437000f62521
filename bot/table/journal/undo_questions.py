"""The question asked before an undo that the person may not have meant."""

from dataclasses import dataclass

from bot.store.records import EntryId, EntryRecord
from bot.table.base.results import Message, message_from_json


@dataclass(frozen=True, slots=True)
class UndoAsks:
    """Nothing was undone yet: a whole character would go.

    Attributes:
        entry: The entry to undo.
        message: Its text.
        needs_gm: Whether a GM is asked for leave next.
    """

    entry: EntryId
    message: Message
    needs_gm: bool = False


def question_before(target: EntryRecord, *, needs_gm: bool) -> UndoAsks | None:
    """Return the question to ask before an undo; None if nothing has to be asked.

    Args:
        target: The entry to undo.
        needs_gm: Whether a GM is asked for leave next.
    """
    if not makes_character(target):
        return None
    return UndoAsks(target.id, message_from_json(target.told), needs_gm)


def makes_character(entry: EntryRecord) -> bool:
    """Return whether an entry made a player's character."""
    return any(
        one.table == "characters" and one.before is None and one.after is not None and one.after.get("owner")
        for one in entry.changes
    )
