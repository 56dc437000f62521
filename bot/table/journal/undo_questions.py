"""Questions asked before an undo that the person may not have meant."""

from dataclasses import dataclass

from bot.store.records import EntryId, EntryRecord
from bot.table.base.results import Message, message_from_json


@dataclass(frozen=True, slots=True)
class UndoAsks:
    """Nothing was undone yet: the target is older than the person's last action, or a whole character.

    Attributes:
        entry: The entry to undo.
        message: Its text.
        last: The person's last action, if that is another one; else None.
        last_is_roll: Whether that was a roll.
        is_character: Whether a whole character would go.
    """

    entry: EntryId
    message: Message
    last: Message | None = None
    last_is_roll: bool = False
    is_character: bool = False


def question_before(target: EntryRecord, last: EntryRecord) -> UndoAsks | None:
    """Return the question to ask before an undo; None if the target is clear.

    Args:
        target: The entry to undo.
        last: The person's last action, or *target* itself if they named it.
    """
    is_older, is_character = last.id != target.id, makes_character(target)
    if not (is_older or is_character):
        return None
    return UndoAsks(
        entry=target.id,
        message=message_from_json(target.told),
        last=message_from_json(last.told) if is_older else None,
        last_is_roll=is_older and bool(last.rolls),
        is_character=is_character,
    )


def makes_character(entry: EntryRecord) -> bool:
    """Return whether an entry made a player's character."""
    return any(
        one.table == "characters" and one.before is None and one.after is not None and one.after.get("owner")
        for one in entry.changes
    )
