"""Journal entries one after the other, read page by page: take no more of them than you need."""

from collections.abc import Iterator

from bot.store.records import EVERYBODY, CampaignId, EntryId, EntryRecord, ServerId
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


PAGE = 500


def latest_first(
    reader: Reader,
    server: ServerId,
    campaign: CampaignId,
    *,
    session: int | None = None,
    person: int | None = None,
    character: int | None = None,
    before: EntryId | None = None,
    page: int = PAGE,
    first: int | None = None,
) -> Iterator[EntryRecord]:
    """Yield a campaign's entries, the latest first.

    Args:
        session: Only those of this session.
        person: Only those of this person.
        character: Only those of this character.
        before: Only those before this one.
        page: How many are read at once.
        first: How many are read at first, where mostly no more are wanted; by default as many as later.
    """
    limit = first or page
    while True:
        found = reader.entries(
            server,
            campaign,
            session=session,
            person=person,
            character=character,
            before=before,
            limit=limit,
        )
        yield from found
        if len(found) < limit:
            return
        before, limit = found[-1].id, page


def earliest_first(
    reader: Reader,
    server: ServerId,
    campaign: CampaignId,
    *,
    session: int | None = None,
    person: int | None = None,
    after: EntryId | None = None,
    before: EntryId | None = None,
    with_secret: bool = True,
    page: int = PAGE,
) -> Iterator[EntryRecord]:
    """Yield a campaign's entries, the earliest first.

    Args:
        session: Only those of this session.
        person: Only those of this person.
        after: Only those after this one.
        before: Only those before this one.
        with_secret: Whether secret ones are among them that are not revealed to everybody.
        page: How many are read at once.
    """
    while True:
        found = reader.entries(
            server,
            campaign,
            session=session,
            person=person,
            after=after,
            before=before,
            with_secret=with_secret,
            newest_first=False,
            limit=page,
        )
        yield from found
        if len(found) < page:
            return
        after = found[-1].id
