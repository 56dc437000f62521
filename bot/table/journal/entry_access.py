"""Who may know of a journal entry, and who may read it."""

from bot.store.records import EVERYBODY, EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import Result, is_blind, result_of


def is_public(entry: EntryRecord) -> bool:
    """Return whether everybody may read an entry: it was posted for all, or is revealed to all."""
    return (_is_for_all(entry) and not entry.is_secret) or EVERYBODY in entry.revealed_to


def may_read(access: Access, entry: EntryRecord) -> bool:
    """Return whether a person may read an entry: a GM any, others those for all or for them."""
    is_theirs = entry.person == access.request.person or access.is_shown(entry.revealed_to)
    return may_see(access, entry) and (is_theirs or _is_for_all(entry))


def may_see(access: Access, entry: EntryRecord) -> bool:
    """Return whether a person may see an entry.

    A secret one is seen by the GM, by whoever did it (unless it was for the GM's eyes only), and by
    those to whom it is revealed.
    """
    is_own = entry.person == access.request.person and not is_blind(entry)
    return not entry.is_secret or is_own or access.is_shown(entry.revealed_to)


def seen_by(reader: Reader, access: Access, entry: EntryRecord, result: Result) -> Result:
    """Return a message's result without later presses in it that are not revealed to the person."""
    if not entry.is_secret or access.is_gm:
        return result
    later = (one for one in reader.shown_in(entry.server, entry.id) if one.undone_by is None)
    return result if all(may_see(access, one) for one in later) else result_of(entry, ())


def _is_for_all(entry: EntryRecord) -> bool:
    return entry.told.get("is_public") is not False
