"""Queries for planned sessions: at most one for each campaign."""

from bot.store.documents import from_text, to_text
from bot.store.queries.base import Reads, Writes
from bot.store.records import CampaignId, JsonObject, MeetingRecord, ServerId

_MEETING = "SELECT body FROM meetings WHERE server_id = ? AND campaign_id = ?"
_MEETINGS = "SELECT campaign_id, body FROM meetings WHERE server_id = ? ORDER BY campaign_id"
_SAVE = """
INSERT INTO meetings (server_id, campaign_id, body) VALUES (?, ?, ?)
ON CONFLICT (server_id, campaign_id) DO UPDATE SET body = excluded.body
"""


class MeetingReads(Reads):
    """Reads planned sessions."""

    __slots__ = ()

    def meeting(self, server: ServerId, campaign: CampaignId) -> JsonObject | None:
        """Return what is stored about a campaign's planned session."""
        found = self._one(_MEETING, server, campaign)
        return None if found is None else dict(from_text(found[0]))

    def meetings(self, server: ServerId) -> list[MeetingRecord]:
        """Return the planned sessions of a server."""
        return [
            MeetingRecord(server=server, campaign=CampaignId(campaign), body=dict(from_text(body)))
            for campaign, body in self._all(_MEETINGS, server)
        ]


class MeetingWrites(MeetingReads, Writes):
    """Writes planned sessions."""

    __slots__ = ()

    def save_meeting(self, meeting: MeetingRecord) -> None:
        """Save a campaign's planned session in place of an earlier one; not journalled."""
        self._run(_SAVE, meeting.server, meeting.campaign, to_text(meeting.body))

    def drop_meeting(self, server: ServerId, campaign: CampaignId) -> None:
        """Forget a campaign's planned session; not journalled."""
        self._run("DELETE FROM meetings WHERE server_id = ? AND campaign_id = ?", server, campaign)
