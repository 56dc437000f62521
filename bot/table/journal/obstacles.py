"""What was built on something that is to be taken back."""

from dataclasses import replace

from bot.store.boundary import Reader, Transaction
from bot.store.records import EntryId, EntryRecord
from bot.table.base.results import known_changes

PAGE = 100  # entries that are looked through at once


def all_obstacles(tx: Transaction, target: EntryRecord, *, with_hidden: bool = True) -> list[EntryRecord]:
    """Everything that was built on *target*, and on that in turn; the latest first.

    Where an undo is among it, taking that back would bring again what it had taken back: of this, whatever
    is later than *target* goes too.
    """
    found: dict[EntryId, EntryRecord] = {}
    waiting = [target]
    while waiting:
        one = waiting.pop()
        for later in tx.obstacles(replace(one, changes=known_changes(one, with_hidden=with_hidden))):
            if later.id not in found:
                again = [one for one in taken_back_by(tx, later) if one.id > target.id]
                new = [one for one in (later, *again) if one.id not in found]
                found.update((one.id, one) for one in new)
                waiting += new
    return sorted(found.values(), key=lambda one: one.id, reverse=True)


def taken_back_by(tx: Reader, undo_entry: EntryRecord) -> list[EntryRecord]:
    """What an undo took back, the earliest first."""
    if undo_entry.undoes is None:
        return []
    taken_back: list[EntryRecord] = []
    after = EntryId(undo_entry.undoes - 1)  # whatever was taken back together with it came later
    while found := tx.entries(
        undo_entry.server,
        undo_entry.campaign,
        after=after,
        before=undo_entry.id,
        newest_first=False,
        limit=PAGE,
    ):
        taken_back += [entry for entry in found if entry.undone_by == undo_entry.id]
        after = found[-1].id
    return taken_back


def is_deed(entry: EntryRecord) -> bool:
    """Whether something was rolled or changed; where somebody only looked, nothing stands in any way."""
    return bool(entry.rolls or entry.changes)
