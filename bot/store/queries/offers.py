"""Queries for follow-ups of journal entries and for drafts of characters."""

from collections.abc import Collection, Sequence

from bot.store.connection import Found
from bot.store.documents import from_text, to_text
from bot.store.queries.base import Reads, Writes
from bot.store.records import (
    CampaignId,
    DraftRecord,
    EntryId,
    FollowUpId,
    FollowUpRecord,
    ServerId,
)

_FOLLOW_UP = "SELECT server_id, id, campaign_id, entry_id, body, group_key, closed_by FROM follow_ups"
_ADD_FOLLOW_UP = """
INSERT INTO follow_ups (id, server_id, campaign_id, entry_id, body, group_key, closed_by)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_CLOSE = """
UPDATE follow_ups SET closed_by = ?
WHERE server_id = ? AND entry_id = ? AND group_key = ? AND closed_by IS NULL
"""
_DRAFT = "SELECT server_id, id, campaign_id, person, step, answers FROM drafts"
_ADD_DRAFT = """
INSERT INTO drafts (server_id, id, campaign_id, person, step, answers) VALUES (?, ?, ?, ?, ?, ?)
"""


class OfferReads(Reads):
    """Reads follow-ups and drafts."""

    __slots__ = ()

    def follow_up(self, server: ServerId, follow_up: FollowUpId) -> FollowUpRecord | None:
        """Return a follow-up by id."""
        found = self._rows.newest(server).follow_ups.get((server, follow_up))
        if found is None:
            found = self._one(f"{_FOLLOW_UP} WHERE server_id = ? AND id = ?", server, follow_up)
        return None if found is None else _follow_up(found)

    def follow_ups(self, server: ServerId, entry: EntryId) -> list[FollowUpRecord]:
        """Return all follow-ups of an entry, in order."""
        newest = self._rows.newest(server)
        found = newest.offers(server, entry)
        if found is None:
            found = self._all(f"{_FOLLOW_UP} WHERE server_id = ? AND entry_id = ? ORDER BY id", server, entry)
            newest.know_offers(server, entry, found)
        return [_follow_up(one) for one in found]

    def follow_ups_of(self, server: ServerId, entries: Collection[EntryId]) -> list[FollowUpRecord]:
        """Return all follow-ups of some entries, in order."""
        if not entries:
            return []
        within = ", ".join("?" for _ in entries)
        statement = f"{_FOLLOW_UP} WHERE server_id = ? AND entry_id IN ({within}) ORDER BY +id"
        return [_follow_up(found) for found in self._all(statement, server, *entries)]

    def draft(self, server: ServerId, draft: int) -> DraftRecord | None:
        """Return a draft by id."""
        found = self._one(f"{_DRAFT} WHERE server_id = ? AND id = ?", server, draft)
        return None if found is None else _draft(found)

    def draft_of(self, server: ServerId, campaign: CampaignId, person: int) -> DraftRecord | None:
        """Return a person's draft in a campaign."""
        statement = f"{_DRAFT} WHERE server_id = ? AND campaign_id = ? AND person = ?"
        found = self._one(statement, server, campaign, person)
        return None if found is None else _draft(found)


class OfferWrites(OfferReads, Writes):
    """Writes follow-ups and drafts."""

    __slots__ = ()

    def add_follow_ups(self, follow_ups: Sequence[FollowUpRecord]) -> list[FollowUpId]:
        """Save an entry's follow-ups and return their ids; undoing the entry removes them (see `revert`)."""
        if not follow_ups:
            return []
        first = self._next_id(follow_ups[0].server, "follow_ups", len(follow_ups))
        ids = [FollowUpId(first + place) for place in range(len(follow_ups))]
        newest = self._changes.written(follow_ups[0].server)
        for id_, one in zip(ids, follow_ups, strict=True):
            parts = (one.campaign, one.entry, to_text(one.body), one.group, one.closed_by)
            self._run(_ADD_FOLLOW_UP, id_, one.server, *parts)
            newest.offer(one.server, (one.server, id_, *parts))
        return ids

    def close_follow_ups(self, server: ServerId, entry: EntryId, group: str, closed_by: EntryId) -> None:
        """Close an entry's open follow-ups of a group. Undoing *closed_by* reopens them."""
        self._run(_CLOSE, closed_by, server, entry, group)
        self._changes.written(server).close(server, entry, group, closed_by)

    def save_draft(self, draft: DraftRecord) -> int:
        """Save a person's draft in place of their older one in the campaign; not journalled."""
        id_ = draft.id or self._next_id(draft.server, "drafts")
        older = "DELETE FROM drafts WHERE server_id = ? AND campaign_id = ? AND person = ?"
        self._run(older, draft.server, draft.campaign, draft.person)
        answers = to_text(draft.answers)
        self._run(_ADD_DRAFT, draft.server, id_, draft.campaign, draft.person, draft.step, answers)
        return id_

    def drop_draft(self, server: ServerId, draft: int) -> None:
        """Discard a draft; not journalled."""
        self._run("DELETE FROM drafts WHERE server_id = ? AND id = ?", server, draft)


def _follow_up(found: Found) -> FollowUpRecord:
    server, id_, campaign, entry, body, group, closed_by = found
    return FollowUpRecord(
        server=server,
        id=id_,
        campaign=campaign,
        entry=entry,
        body=from_text(body),
        group=group,
        closed_by=closed_by,
    )


def _draft(found: Found) -> DraftRecord:
    server, id_, campaign, person, step, answers = found
    return DraftRecord(
        server=server, id=id_, campaign=campaign, person=person, step=step, answers=from_text(answers)
    )
