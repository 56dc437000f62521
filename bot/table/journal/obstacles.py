"""Obstacles to an undo: what was built on the entry to undo."""

from dataclasses import replace

from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.results import known_changes
from bot.table.journal.entry_pages import earliest_first

PAGE = 100  # entries that are looked through at once
WITH_FIRST = "+"  # in an interaction's id, before the number of an entry that is undone with the first


def all_obstacles(tx: Transaction, target: EntryRecord, *, with_hidden: bool = True) -> list[EntryRecord]:
    """Return everything built on *target*, directly or indirectly, latest first.

    If an undo is among it, undoing that would restore what it had undone: of this, whatever
    is later than *target* is included too; and so is whatever is undone with *target*.
    """
    together = undone_with(tx, target)
    found: dict[EntryId, EntryRecord] = {one.id: one for one in together}
    waiting = [target, *together]
    while waiting:
        one = waiting.pop()
        for later in tx.obstacles(replace(one, changes=known_changes(one, with_hidden=with_hidden))):
            if later.id not in found:
                again = [one for one in taken_back_by(tx, later) if one.id > target.id]
                new = [one for one in (later, *again) if one.id not in found]
                found.update((one.id, one) for one in new)
                waiting += new
    return sorted(found.values(), key=lambda one: one.id, reverse=True)


def undone_with(tx: Reader, first: EntryRecord) -> list[EntryRecord]:
    """Return those further entries of a press that are undone with its first, earliest first."""
    found: list[EntryRecord] = []
    while one := tx.entry_of(first.server, f"{first.interaction}{WITH_FIRST}{len(found) + 1}"):
        found.append(one)
    return [one for one in found if one.undone_by is None]


def taken_back_by(tx: Reader, undo_entry: EntryRecord) -> list[EntryRecord]:
    """Return what an undo took back, earliest first."""
    if undo_entry.undoes is None:
        return []
    after = EntryId(undo_entry.undoes - 1)  # whatever was taken back together with it came later
    place = undo_entry.server, undo_entry.campaign
    between = earliest_first(tx, *place, after=after, before=undo_entry.id, page=PAGE)
    return [entry for entry in between if entry.undone_by == undo_entry.id]


def is_action(entry: EntryRecord) -> bool:
    """Return whether an entry rolled or changed something; mere look-ups are no obstacle."""
    return bool(entry.rolls or entry.changes)
