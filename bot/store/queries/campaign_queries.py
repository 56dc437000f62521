"""Queries for campaigns, their places, their GMs and their documents."""

from collections.abc import Sequence

from bot.store.connection import Found
from bot.store.documents import from_text, to_text
from bot.store.journalled_tables import CAMPAIGNS, DOCUMENTS, GMS, PLACES, Row
from bot.store.name_keys import name_key
from bot.store.queries.base import Reads, Writes
from bot.store.queries.shard_conditions import in_shards
from bot.store.records import CampaignId, CampaignRecord, JsonObject, ServerId, Shards
from bot.store.store_errors import Contradiction, NameTaken

_CAMPAIGN = f"SELECT id, {', '.join(CAMPAIGNS.columns)} FROM campaigns"  # noqa: S608 - names are constants
_DEFAULT = f"{_CAMPAIGN} WHERE server_id = ? AND is_default = 1"
_ALL = f"{_CAMPAIGN} WHERE server_id = ? ORDER BY is_archived, is_default DESC, name_key"
_KEEP_META = """
INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
_DOCUMENT_KEYS = """
SELECT key FROM documents
WHERE server_id = ? AND campaign_id = ? AND key >= ? AND (CAST(? AS TEXT) = '' OR key < ?) ORDER BY key
"""
_PICTURE = "SELECT picture FROM handout_pictures WHERE server_id = ? AND campaign_id = ? AND handout = ?"
_SAVE_PICTURE = """
INSERT INTO handout_pictures (server_id, campaign_id, handout, picture) VALUES (?, ?, ?, ?)
ON CONFLICT (server_id, campaign_id, handout) DO UPDATE SET picture = excluded.picture
"""
_LAST = "\U0010ffff"  # nothing that begins with a text comes after that text and this
_SERVERS = """
SELECT server_id FROM servers WHERE (
    EXISTS (SELECT 1 FROM campaigns WHERE campaigns.server_id = servers.server_id)
    OR EXISTS (SELECT 1 FROM seeds WHERE seeds.server_id = servers.server_id)
)
"""
_PLACES = "SELECT place FROM places WHERE server_id = ? AND campaign_id = ? ORDER BY place"


class CampaignReads(Reads):
    """Reads campaigns."""

    __slots__ = ()

    def meta(self, key: str) -> str | None:
        """Return a note of the bot about itself, or None."""
        found = self._one("SELECT value FROM meta WHERE key = ?", key)
        return None if found is None else found[0]

    def servers(self, shards: Shards) -> list[ServerId]:
        """Return every server of some shards with a campaign or its seeds; only for what is done to all."""
        here, numbers = in_shards(shards)
        found = self._all(f"{_SERVERS}{here} ORDER BY server_id", *numbers)
        return [ServerId(row[0]) for row in found]

    def campaign(self, server: ServerId, campaign: CampaignId) -> CampaignRecord | None:
        """Return a campaign by id."""
        row = self._rows.row(CAMPAIGNS, server, (campaign,))
        return None if row is None else _record(server, campaign, row)

    def campaigns(self, server: ServerId) -> list[CampaignRecord]:
        """Return the server's campaigns: the default one first, then by name; archived ones last."""
        return [_record(server, found[0], found[1:]) for found in self._all(_ALL, server)]

    def campaign_at(self, server: ServerId, places: Sequence[int]) -> CampaignRecord | None:
        """Return the campaign of a place: that of the first bound place, else the server's default.

        Args:
            server: The server.
            places: Thread, channel and category, nearest first.
        """
        for place in places:
            bound = self._rows.row(PLACES, server, (place,))
            if bound is not None:
                return self.campaign(server, CampaignId(int(bound[0] or 0)))
        found = self._rows.answer(CAMPAIGNS.name, _DEFAULT, server)
        return _record(server, found[0][0], found[0][1:]) if found else None

    def places(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """Return the channels, categories and threads bound to a campaign, by id."""
        return [found[0] for found in self._all(_PLACES, server, campaign)]

    def gms(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """Return the people named as GMs of a campaign, by id."""
        statement = "SELECT person FROM gms WHERE server_id = ? AND campaign_id = ? ORDER BY person"
        return [found[0] for found in self._rows.answer(GMS.name, statement, server, campaign)]

    def handout_picture(self, server: ServerId, campaign: CampaignId, handout: str) -> bytes:
        """Return the picture of a handout, a file; nothing if it has none."""
        found = self._one(_PICTURE, server, campaign, handout)
        return b"" if found is None else bytes(found[0])

    def document(self, server: ServerId, campaign: CampaignId, key: str) -> JsonObject | None:
        """Return a document by key."""
        text = self.document_text(server, campaign, key)
        return None if text is None else from_text(text)

    def document_text(self, server: ServerId, campaign: CampaignId, key: str) -> str | None:
        """Return the stored text of a document by key."""
        row = self._rows.row(DOCUMENTS, server, (campaign, key))
        return None if row is None else str(row[0])

    def document_keys(self, server: ServerId, campaign: CampaignId, under: str = "") -> list[str]:
        """Return the keys of a campaign's documents that begin with *under*, in order."""
        span = (under, under, f"{under}{_LAST}")
        return [found[0] for found in self._all(_DOCUMENT_KEYS, server, campaign, *span)]


class CampaignWrites(CampaignReads, Writes):
    """Writes campaigns."""

    __slots__ = ()

    def set_meta(self, key: str, value: str) -> None:
        """Save a note of the bot about itself."""
        self._run(_KEEP_META, key, value)

    def save_campaign(self, campaign: CampaignRecord) -> CampaignId:
        """Save a new campaign (id 0) or a changed one; journalled. A new default replaces the old one.

        Raises:
            NameTaken: If another campaign of the server has the name.
        """
        server, id_ = campaign.server, campaign.id
        before = self._changes.row(CAMPAIGNS, server, (id_,)) if id_ else None
        if id_ and before is None:
            raise Contradiction(f"there is no campaign {id_} to change")
        self._refuse_taken_name(campaign)
        if campaign.is_default and not campaign.is_archived:
            self._undefault(server, but=id_)
        id_ = id_ or CampaignId(self._next_id(server, "campaigns"))
        self._changes.write(CAMPAIGNS, server, (id_,), before, _row(campaign))
        if campaign.is_archived:
            for place in self.places(server, id_):
                self.bind(server, place, None)
        return id_

    def _refuse_taken_name(self, campaign: CampaignRecord) -> None:
        statement = "SELECT id FROM campaigns WHERE server_id = ? AND name_key = ?"
        found = self._one(statement, campaign.server, name_key(campaign.name))
        if found is not None and found[0] != campaign.id:
            raise NameTaken(campaign.name)

    def _undefault(self, server: ServerId, *, but: CampaignId) -> None:
        found = self._one("SELECT id FROM campaigns WHERE server_id = ? AND is_default = 1", server)
        if found is None or found[0] == but:
            return
        before = self._changes.row(CAMPAIGNS, server, found)
        column = CAMPAIGNS.columns.index("is_default")
        if before is not None:
            after = (*before[:column], 0, *before[column + 1 :])
            self._changes.write(CAMPAIGNS, server, found, before, after)

    def bind(self, server: ServerId, place: int, campaign: CampaignId | None) -> None:
        """Bind a channel, category or thread to a campaign, or unbind it; journalled."""
        self._changes.put(PLACES, server, (place,), None if campaign is None else (campaign,))

    def set_gm(self, server: ServerId, campaign: CampaignId, person: int, *, is_gm: bool) -> None:
        """Name a person a GM of a campaign, or remove them; journalled."""
        self._changes.put(GMS, server, (campaign, person), () if is_gm else None)

    def save_document(
        self, server: ServerId, campaign: CampaignId, key: str, body: JsonObject | None
    ) -> None:
        """Save a document, or remove it; journalled."""
        after = None if body is None else (to_text(body),)
        self._changes.put(DOCUMENTS, server, (campaign, key), after)

    def save_handout_picture(
        self, server: ServerId, campaign: CampaignId, handout: str, picture: bytes
    ) -> None:
        """Save the picture of a handout; not journalled."""
        self._run(_SAVE_PICTURE, server, campaign, handout, picture)


def _record(server: ServerId, id_: CampaignId, row: Found) -> CampaignRecord:
    name, _name_key, ruleset, settings, clock, gm_role, is_default, is_archived, created_at = row
    return CampaignRecord(
        server=server,
        id=id_,
        name=name,
        ruleset=ruleset,
        settings=from_text(settings),
        clock=clock,
        gm_role=gm_role,
        is_default=bool(is_default),
        is_archived=bool(is_archived),
        created_at=created_at,
    )


def _row(campaign: CampaignRecord) -> Row:
    return (
        campaign.name,
        name_key(campaign.name),
        campaign.ruleset,
        to_text(campaign.settings),
        campaign.clock,
        campaign.gm_role,
        int(campaign.is_default and not campaign.is_archived),
        int(campaign.is_archived),
        campaign.created_at,
    )
