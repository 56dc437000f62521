"""What is asked before something is taken back that the person may not have meant."""

from dataclasses import dataclass

from bot.store.records import EntryId, EntryRecord
from bot.table.base.results import Message, told_from_json


@dataclass(frozen=True, slots=True)
class UndoAsks:
    """Nothing was taken back yet: it is older than what the person did last, or a player's whole character.

    Attributes:
        entry: What would be taken back.
        told: What it was.
        last: What the person did last, where that is something else; else None.
        last_is_roll: Whether that was a roll.
        is_character: Whether a whole character would go.
    """

    entry: EntryId
    told: Message
    last: Message | None = None
    last_is_roll: bool = False
    is_character: bool = False


def question_before(target: EntryRecord, last: EntryRecord) -> UndoAsks | None:
    """What to ask before something is taken back; None where it can only be meant.

    Args:
        target: What would be taken back.
        last: What the person did last, or the same where they have named what they mean.
    """
    is_older, is_character = last.id != target.id, makes_character(target)
    if not (is_older or is_character):
        return None
    return UndoAsks(
        entry=target.id,
        told=told_from_json(target.told),
        last=told_from_json(last.told) if is_older else None,
        last_is_roll=is_older and bool(last.rolls),
        is_character=is_character,
    )


def makes_character(entry: EntryRecord) -> bool:
    """Whether a player's character came with it."""
    return any(
        one.table == "characters" and one.before is None and one.after is not None and one.after.get("owner")
        for one in entry.changes
    )
