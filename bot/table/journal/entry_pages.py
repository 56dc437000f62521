"""Journal entries one after the other, read page by page: take no more of them than you need."""

from collections.abc import Iterator

from bot.store.records import CampaignId, EntryId, EntryRecord, ServerId
from bot.store.transaction import Reader

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
        reader: The store.
        server: The server.
        campaign: The campaign.
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
        reader: The store.
        server: The server.
        campaign: The campaign.
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
