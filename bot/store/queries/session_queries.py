"""Queries for the sessions and seeds of a campaign."""

from bot.store.connection import Found
from bot.store.documents import from_text
from bot.store.journalled_tables import SESSIONS
from bot.store.queries.base import Reads, Writes
from bot.store.queries.shard_conditions import in_shards
from bot.store.records import CampaignId, IdleRule, SeedRecord, ServerId, SessionRecord, Shards
from bot.store.store_errors import Contradiction

_SESSION = """
SELECT server_id, campaign_id, number, channel, started_at, ended_at, active_at, event, voice, empty_since
FROM sessions
"""
_OPEN = f"{_SESSION} WHERE ended_at IS NULL"
_MAY_END = """
SELECT sessions.server_id, sessions.campaign_id, number, channel, started_at, ended_at, active_at, event,
    voice, empty_since, settings
FROM sessions
LEFT JOIN campaigns ON campaigns.server_id = sessions.server_id AND campaigns.id = sessions.campaign_id
WHERE ended_at IS NULL AND (event IS NOT NULL OR voice IS NOT NULL OR active_at <= ?)
"""
_SEED = "SELECT server_id, campaign_id, number, secret, commitment, revealed_at FROM seeds"
_SEEDS_OF = f"{_SEED} WHERE server_id = ? AND campaign_id = ?"
_SEED_IN_USE = f"{_SEEDS_OF} ORDER BY number DESC LIMIT 1"
_SEEDS = "seeds"
_KEEP_SEED = """
INSERT INTO seeds (server_id, campaign_id, number, secret, commitment, revealed_at)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (server_id, campaign_id, number) DO UPDATE SET revealed_at = excluded.revealed_at
WHERE seeds.secret = excluded.secret AND seeds.commitment = excluded.commitment
RETURNING number
"""


class SessionReads(Reads):
    """Reads sessions and seeds."""

    __slots__ = ()

    def open_session(self, server: ServerId, campaign: CampaignId) -> SessionRecord | None:
        """Return the campaign's running session."""
        statement = f"{_SESSION} WHERE server_id = ? AND campaign_id = ? AND ended_at IS NULL"
        found = self._one(statement, server, campaign)
        return None if found is None else _session(found)

    def sessions(self, server: ServerId, campaign: CampaignId) -> list[SessionRecord]:
        """Return all sessions of a campaign, latest first."""
        statement = f"{_SESSION} WHERE server_id = ? AND campaign_id = ? ORDER BY number DESC"
        return [_session(found) for found in self._all(statement, server, campaign)]

    def open_sessions(self, where: ServerId | Shards) -> list[SessionRecord]:
        """Return every running session of a server or of some shards; only for automatic ends."""
        here, numbers = in_shards(where) if isinstance(where, Shards) else (" AND server_id = ?", (where,))
        found = self._all(f"{_OPEN}{here} ORDER BY server_id, campaign_id", *numbers)
        return [_session(row) for row in found]

    def ending_sessions(self, rule: IdleRule, shards: Shards) -> list[SessionRecord]:
        """Return the running sessions of some shards that are idle or have an event or a voice channel."""
        here, numbers = in_shards(shards, "sessions.server_id")
        in_order = "ORDER BY sessions.server_id, sessions.campaign_id"
        found = self._all(f"{_MAY_END}{here} {in_order}", rule.quiet_since, *numbers)
        running = ((_session(row[:-1]), row[-1]) for row in found)
        return [one for one, settings in running if one.event or one.voice or _is_idle(one, settings, rule)]

    def seed(self, server: ServerId, campaign: CampaignId, number: int | None = None) -> SeedRecord | None:
        """Return a seed by number; by default the one in use."""
        if number is None:
            found = self._rows.answer(_SEEDS, _SEED_IN_USE, server, campaign)
        else:
            found = self._all(f"{_SEEDS_OF} AND number = ?", server, campaign, number)
        return _seed(found[0]) if found else None

    def seeds(self, server: ServerId, campaign: CampaignId) -> list[SeedRecord]:
        """Return all seeds of a campaign, oldest first."""
        return [_seed(found) for found in self._all(f"{_SEEDS_OF} ORDER BY number", server, campaign)]


class SessionWrites(SessionReads, Writes):
    """Writes sessions and seeds."""

    __slots__ = ()

    def save_session(self, session: SessionRecord) -> None:
        """Save a new or changed session; journalled, but for `active_at` and `empty_since`."""
        after = (
            session.channel,
            session.started_at,
            session.ended_at,
            session.active_at,
            session.event,
            session.voice,
            session.empty_since,
        )
        self._changes.put(SESSIONS, session.server, (session.campaign, session.number), after)

    def save_seed(self, seed: SeedRecord) -> None:
        """Save a seed, or mark it revealed; never journalled, never undone."""
        kept = self._one(
            _KEEP_SEED,
            seed.server,
            seed.campaign,
            seed.number,
            seed.secret,
            seed.commitment,
            seed.revealed_at,
        )
        self._changes.forget_answers(_SEEDS, seed.server)
        if kept is None:
            raise Contradiction(f"seed {seed.number} is kept already, with another secret")


def _is_idle(session: SessionRecord, settings: str | None, rule: IdleRule) -> bool:
    own_hours = None if settings is None else from_text(settings).get(rule.setting)
    hours = rule.usual_hours if own_hours is None else float(own_hours)
    return session.active_at <= rule.now - 3600 * hours


def _session(found: Found) -> SessionRecord:
    server, campaign, number, channel, started_at, ended_at, active_at, event, voice, empty_since = found
    return SessionRecord(
        server=server,
        campaign=campaign,
        number=number,
        channel=channel,
        started_at=started_at,
        ended_at=ended_at,
        active_at=active_at,
        event=event,
        voice=voice,
        empty_since=empty_since,
    )


def _seed(found: Found) -> SeedRecord:
    server, campaign, number, secret, commitment, revealed_at = found
    return SeedRecord(
        server=server,
        campaign=campaign,
        number=number,
        secret=secret,
        commitment=commitment,
        revealed_at=revealed_at,
    )
