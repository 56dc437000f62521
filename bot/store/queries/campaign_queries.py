"""Queries for campaigns: their places, GMs and documents, their countdowns with ticks, and boards."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from bot.store.changes import Reads, RecordRows, Writes, in_shards
from bot.store.connection import Contradiction, Found, NameTaken
from bot.store.journalled_tables import (
    CAMPAIGNS,
    COUNTDOWN_TICKS,
    COUNTDOWNS,
    DOCUMENTS,
    GMS,
    PLACES,
    SESSIONS,
    Key,
    Row,
    from_text,
    to_text,
)
from bot.store.records import (
    BoardRecord,
    CampaignId,
    CampaignRecord,
    CommandsState,
    CountdownRecord,
    DueTask,
    IdleRule,
    JsonObject,
    MeetingRecord,
    OwnGameRecord,
    OwnGameVersion,
    SeedRecord,
    ServerCommandsRecord,
    ServerId,
    SessionRecord,
    Shards,
    TickRecord,
)
from bot.store.rows import name_key

_CAMPAIGNS = RecordRows(CampaignRecord, CAMPAIGNS.columns)
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
        return None if row is None else _CAMPAIGNS.read(row, server=server, id=campaign)

    def campaigns(self, server: ServerId) -> list[CampaignRecord]:
        """Return the server's campaigns: the default one first, then by name; archived ones last."""
        return [_CAMPAIGNS.read(row[1:], server=server, id=row[0]) for row in self._all(_ALL, server)]

    def campaign_at(self, server: ServerId, places: Sequence[int]) -> CampaignRecord | None:
        """Return the campaign of a place: that of the first bound place, else the server's default.

        Args:
            places: Thread, channel and category, nearest first.
        """
        for place in places:
            bound = self._rows.row(PLACES, server, (place,))
            if bound is not None:
                return self.campaign(server, CampaignId(int(bound[0] or 0)))
        found = self._rows.answer(CAMPAIGNS.name, _DEFAULT, server)
        return _CAMPAIGNS.read(found[0][1:], server=server, id=found[0][0]) if found else None

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
        is_default = campaign.is_default and not campaign.is_archived
        row = _CAMPAIGNS.row(replace(campaign, is_default=is_default))
        self._changes.write(CAMPAIGNS, server, (id_,), before, row)
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


_ALL_COMMANDS = """
SELECT known.server_id, ruleset, settings, seen, fingerprint, ids, needs
FROM (
    SELECT server_id FROM campaigns WHERE is_archived = 0 UNION SELECT server_id FROM server_commands
) AS known
LEFT JOIN server_commands ON server_commands.server_id = known.server_id
LEFT JOIN campaigns ON campaigns.server_id = known.server_id AND is_archived = 0
WHERE TRUE
"""
_PLAYED = "SELECT ruleset, settings FROM campaigns WHERE server_id = ? AND is_archived = 0 ORDER BY id"
_COMMANDS = RecordRows(ServerCommandsRecord, ("seen", "fingerprint", "ids", "needs"))
_SENT = "SELECT seen, fingerprint, ids, needs FROM server_commands WHERE server_id = ?"
_SAVE_COMMANDS = """
INSERT INTO server_commands (server_id, seen, fingerprint, ids, needs) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (server_id) DO UPDATE SET
    seen = excluded.seen, fingerprint = excluded.fingerprint, ids = excluded.ids, needs = excluded.needs
"""


class CommandReads(Reads):
    """Reads which commands Discord has."""

    __slots__ = ()

    def commands_state(self, server: ServerId) -> CommandsState:
        """Return a server's commands, with the campaigns they depend on."""
        played = tuple((ruleset, settings) for ruleset, settings in self._all(_PLAYED, server))
        return CommandsState(server, played, _command_record(server, self._one(_SENT, server)))

    def campaign_rulesets(self) -> frozenset[str]:
        """Return the rulesets of all campaigns of all servers."""
        return frozenset(str(ruleset) for (ruleset,) in self._all("SELECT DISTINCT ruleset FROM campaigns"))

    def commands_states(self, shards: Shards) -> Iterator[CommandsState]:
        """Yield that of every server of some shards with a campaign or commands; only to update these."""
        here, numbers = in_shards(shards, "known.server_id")
        rows = self._connection.each(f"{_ALL_COMMANDS}{here} ORDER BY known.server_id, campaigns.id", numbers)
        for id_, of_server in groupby(rows, key=itemgetter(0)):
            server, found = ServerId(id_), list(of_server)
            played = tuple((row[1], row[2]) for row in found if row[1] is not None)
            yield CommandsState(server, played, _command_record(server, found[0][3:]))


class CommandWrites(CommandReads, Writes):
    """Writes which commands Discord has."""

    __slots__ = ()

    def save_server_commands(self, record: ServerCommandsRecord) -> None:
        """Save which commands Discord has for a server; not journalled."""
        self._run(_SAVE_COMMANDS, record.server, *_COMMANDS.row(record))

    def drop_server_commands(self, server: ServerId) -> None:
        """Forget which commands Discord has for a server; not journalled."""
        self._run("DELETE FROM server_commands WHERE server_id = ?", server)


def _command_record(server: ServerId, found: Found | None) -> ServerCommandsRecord | None:
    return None if found is None or found[0] is None else _COMMANDS.read(found, server=server)


_SESSION_COLUMNS = ("server_id", *SESSIONS.key, *SESSIONS.columns)
_SESSIONS = RecordRows(SessionRecord, _SESSION_COLUMNS)
_SESSION = f"SELECT {', '.join(_SESSION_COLUMNS)} FROM sessions"  # noqa: S608 - names are constants
_OPEN = f"{_SESSION} WHERE ended_at IS NULL"
_MAY_END = """
SELECT sessions.server_id, sessions.campaign_id, number, channel, started_at, ended_at, active_at, event,
    voice, empty_since, settings
FROM sessions
LEFT JOIN campaigns ON campaigns.server_id = sessions.server_id AND campaigns.id = sessions.campaign_id
WHERE ended_at IS NULL AND (event IS NOT NULL OR voice IS NOT NULL OR active_at <= ?)
"""
_SEED_COLUMNS = ("server_id", "campaign_id", "number", "secret", "commitment", "revealed_at")
_SEED_ROWS = RecordRows(SeedRecord, _SEED_COLUMNS)
_SEED = f"SELECT {', '.join(_SEED_COLUMNS)} FROM seeds"  # noqa: S608 - names are constants
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
        return None if found is None else _SESSIONS.read(found)

    def sessions(self, server: ServerId, campaign: CampaignId) -> list[SessionRecord]:
        """Return all sessions of a campaign, latest first."""
        statement = f"{_SESSION} WHERE server_id = ? AND campaign_id = ? ORDER BY number DESC"
        return [_SESSIONS.read(found) for found in self._all(statement, server, campaign)]

    def open_sessions(self, where: ServerId | Shards) -> list[SessionRecord]:
        """Return every running session of a server or of some shards; only for automatic ends."""
        here, numbers = in_shards(where) if isinstance(where, Shards) else (" AND server_id = ?", (where,))
        found = self._all(f"{_OPEN}{here} ORDER BY server_id, campaign_id", *numbers)
        return [_SESSIONS.read(row) for row in found]

    def ending_sessions(self, rule: IdleRule, shards: Shards) -> list[SessionRecord]:
        """Return the running sessions of some shards that are idle or have an event or a voice channel."""
        here, numbers = in_shards(shards, "sessions.server_id")
        in_order = "ORDER BY sessions.server_id, sessions.campaign_id"
        found = self._all(f"{_MAY_END}{here} {in_order}", rule.quiet_since, *numbers)
        running = ((_SESSIONS.read(row[:-1]), row[-1]) for row in found)
        return [one for one, settings in running if one.event or one.voice or _is_idle(one, settings, rule)]

    def seed(self, server: ServerId, campaign: CampaignId, number: int | None = None) -> SeedRecord | None:
        """Return a seed by number; by default the one in use."""
        if number is None:
            found = self._rows.answer(_SEEDS, _SEED_IN_USE, server, campaign)
        else:
            found = self._all(f"{_SEEDS_OF} AND number = ?", server, campaign, number)
        return _SEED_ROWS.read(found[0]) if found else None

    def seeds(self, server: ServerId, campaign: CampaignId) -> list[SeedRecord]:
        """Return all seeds of a campaign, oldest first."""
        return [
            _SEED_ROWS.read(found) for found in self._all(f"{_SEEDS_OF} ORDER BY number", server, campaign)
        ]


class SessionWrites(SessionReads, Writes):
    """Writes sessions and seeds."""

    __slots__ = ()

    def save_session(self, session: SessionRecord) -> None:
        """Save a new or changed session; journalled, but for `active_at` and `empty_since`."""
        _, campaign, number, *after = _SESSIONS.row(session)
        self._changes.put(SESSIONS, session.server, (campaign, number), tuple(after))

    def save_seed(self, seed: SeedRecord) -> None:
        """Save a seed, or mark it revealed; never journalled, never undone."""
        kept = self._one(_KEEP_SEED, *_SEED_ROWS.row(seed))
        self._changes.forget_answers(_SEEDS, seed.server)
        if kept is None:
            raise Contradiction(f"seed {seed.number} is kept already, with another secret")


def _is_idle(session: SessionRecord, settings: str | None, rule: IdleRule) -> bool:
    own_hours = None if settings is None else from_text(settings).get(rule.setting)
    hours = rule.usual_hours if own_hours is None else float(own_hours)
    return session.active_at <= rule.now - 3600 * hours


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


_BEFORE = "\f"  # parts a draft from the one before it; no TOML has this sign
_OWN_GAME = "SELECT server_id, key, draft, hash, version FROM own_games"
_SAVE_OWN_GAME = """
INSERT INTO own_games (server_id, key, draft, hash, version) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (server_id, key) DO UPDATE SET
    draft = excluded.draft, hash = excluded.hash, version = excluded.version
"""
_SAVE_OWN_VERSION = """
INSERT INTO own_game_versions (server_id, hash, text) VALUES (?, ?, ?)
ON CONFLICT (server_id, hash) DO NOTHING
"""
# The versions that no game, campaign, journal entry or button refers to.
_UNUSED_VERSIONS = """
SELECT hash FROM own_game_versions AS kept WHERE server_id = ?
    AND NOT EXISTS (
        SELECT 1 FROM own_games WHERE own_games.server_id = kept.server_id AND own_games.hash = kept.hash
    )
    AND NOT EXISTS (
        SELECT 1 FROM campaigns
        WHERE campaigns.server_id = kept.server_id AND instr(campaigns.settings, kept.hash) > 0
    )
    AND NOT EXISTS (
        SELECT 1 FROM entries WHERE entries.server_id = kept.server_id
            AND (instr(entries.rolls, kept.hash) > 0 OR instr(entries.changes, kept.hash) > 0)
    )
    AND NOT EXISTS (
        SELECT 1 FROM follow_ups
        WHERE follow_ups.server_id = kept.server_id AND instr(follow_ups.body, kept.hash) > 0
    )
"""


_USED_VERSIONS = """
SELECT hash, text FROM own_game_versions AS kept WHERE server_id = ? AND EXISTS (
    SELECT 1 FROM entries WHERE entries.server_id = kept.server_id AND entries.campaign_id = ?
        AND instr(entries.rolls, kept.hash) > 0
) ORDER BY hash
"""


class OwnGameReads(Reads):
    """Reads the games of one's own."""

    __slots__ = ()

    def own_game(self, server: ServerId, key: str) -> OwnGameRecord | None:
        """Return a server's own game by its key, or None."""
        found = self._one(f"{_OWN_GAME} WHERE server_id = ? AND key = ?", server, key)
        return None if found is None else _own_game(found)

    def own_games(self, server: ServerId) -> list[OwnGameRecord]:
        """Return all own games of a server, by key."""
        return [_own_game(one) for one in self._all(f"{_OWN_GAME} WHERE server_id = ? ORDER BY key", server)]

    def own_version(self, server: ServerId, hash_: str) -> OwnGameVersion | None:
        """Return a published version by its hash, or None."""
        found = self._one(
            "SELECT text FROM own_game_versions WHERE server_id = ? AND hash = ?", server, hash_
        )
        return None if found is None else OwnGameVersion(server=server, hash=hash_, text=found[0])

    def own_versions_used(self, server: ServerId, campaign: CampaignId) -> list[OwnGameVersion]:
        """Return the published versions that the rolls of a campaign were made under."""
        found = self._all(_USED_VERSIONS, server, campaign)
        return [OwnGameVersion(server=server, hash=hash_, text=text) for hash_, text in found]


class OwnGameWrites(OwnGameReads, Writes):
    """Writes the games of one's own."""

    __slots__ = ()

    def save_own_game(self, game: OwnGameRecord) -> None:
        """Save an own game; not journalled."""
        whole = (
            game.draft
            if game.before is None or game.draft is None
            else _BEFORE.join((game.draft, game.before))
        )
        self._run(_SAVE_OWN_GAME, game.server, game.key, whole, game.hash, game.version)

    def drop_own_game(self, server: ServerId, key: str) -> None:
        """Remove an own game; its published versions stay as long as something refers to them."""
        self._run("DELETE FROM own_games WHERE server_id = ? AND key = ?", server, key)

    def save_own_version(self, version: OwnGameVersion) -> None:
        """Save a published version; not journalled."""
        self._run(_SAVE_OWN_VERSION, version.server, version.hash, version.text)

    def drop_unused_versions(self, server: ServerId) -> None:
        """Remove the versions that no game, campaign, journal entry or button refers to."""
        for (hash_,) in self._all(_UNUSED_VERSIONS, server):
            self._run("DELETE FROM own_game_versions WHERE server_id = ? AND hash = ?", server, hash_)


def _own_game(found: Found) -> OwnGameRecord:
    server, key, whole, hash_, version = found
    draft, _, before = (whole or "").partition(_BEFORE)
    return OwnGameRecord(
        server=ServerId(server),
        key=key,
        draft=None if whole is None else draft,
        before=before or None,
        hash=hash_,
        version=version,
    )


_COUNTDOWN = f"SELECT id, {', '.join(COUNTDOWNS.columns)} FROM countdowns"  # noqa: S608 - names are constants
_NAMED = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND name_key = ?
ORDER BY status = 'running' DESC, id DESC LIMIT 1
"""
_RUNNING = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND status = 'running' ORDER BY id LIMIT ?
"""
_OVER = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND status IN ('resolved', 'closed')
ORDER BY id DESC LIMIT ?
"""
_COUNTDOWNS = RecordRows(
    CountdownRecord, COUNTDOWNS.columns, links=(lambda text: tuple(from_text(text)), to_text)
)
_TICKS = RecordRows(TickRecord, COUNTDOWN_TICKS.columns)
_BOARDS = RecordRows(BoardRecord, ("server_id", "campaign_id", "kind", "channel", "message", "shown"))
_BOARD = "SELECT server_id, campaign_id, kind, channel, message, shown FROM boards"
_KEEP_BOARD = """
INSERT INTO boards (server_id, campaign_id, kind, channel, message, shown) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (server_id, campaign_id, kind)
DO UPDATE SET channel = excluded.channel, message = excluded.message, shown = excluded.shown
"""


class CountdownReads(Reads):
    """Reads countdowns and boards."""

    __slots__ = ()

    def countdown(self, server: ServerId, countdown: int) -> CountdownRecord | None:
        """Return a countdown by id, even if it is over."""
        row = self._rows.row(COUNTDOWNS, server, (countdown,))
        return None if row is None else self._countdown(server, countdown, row)

    def countdown_named(self, server: ServerId, campaign: CampaignId, name: str) -> CountdownRecord | None:
        """Return the campaign's countdown of that name: the running one, else the latest that is over."""
        found = self._one(_NAMED, server, campaign, name_key(name))
        return None if found is None else self._countdown(server, found[0], found[1:])

    def countdowns(
        self, server: ServerId, campaign: CampaignId, *, are_over: bool = False, limit: int = 1000
    ) -> list[CountdownRecord]:
        """Return the campaign's running countdowns, oldest first; or those that are over, latest first."""
        statement = _OVER if are_over else _RUNNING
        found = self._rows.answer(COUNTDOWNS.name, statement, server, campaign, limit)
        return [self._countdown(server, row[0], row[1:]) for row in found]

    def board(self, server: ServerId, campaign: CampaignId, kind: str) -> BoardRecord | None:
        """Return a board of a campaign."""
        where = "WHERE server_id = ? AND campaign_id = ? AND kind = ?"
        found = self._one(f"{_BOARD} {where}", server, campaign, kind)
        return None if found is None else _BOARDS.read(found)

    def boards(self, server: ServerId, campaign: CampaignId) -> list[BoardRecord]:
        """Return every board of a campaign, by kind."""
        found = self._all(f"{_BOARD} WHERE server_id = ? AND campaign_id = ? ORDER BY kind", server, campaign)
        return [_BOARDS.read(row) for row in found]

    def every_board(self, kind: str, shards: Shards) -> list[BoardRecord]:
        """Return the boards of a kind, and of kinds below it, of some shards; only for updating them."""
        here, numbers = in_shards(shards)
        where = f"WHERE (kind = ? OR kind LIKE ? || '/%'){here} ORDER BY server_id, campaign_id, kind"
        return [_BOARDS.read(row) for row in self._all(f"{_BOARD} {where}", kind, kind, *numbers)]

    def _countdown(self, server: ServerId, id_: int, row: Found) -> CountdownRecord:
        ticks = self._rows.rows_of(COUNTDOWN_TICKS, server, id_)
        moves = tuple(_TICKS.read(tick) for tick in ticks.values())
        return _COUNTDOWNS.read(row, id=id_, server=server, ticks=moves)


class CountdownWrites(CountdownReads, Writes):
    """Writes countdowns and boards."""

    __slots__ = ()

    def save_countdown(self, countdown: CountdownRecord) -> int:
        """Save a new countdown (id 0) or a changed one with its ticks; journalled.

        Raises:
            NameTaken: If another running one of the campaign has the name.
            OutOfBounds: If its value is not between 0 and its difficulty.
        """
        server, id_ = countdown.server, countdown.id
        before = self._changes.row(COUNTDOWNS, server, (id_,)) if id_ else None
        if id_ and before is None:
            raise Contradiction(f"there is no countdown {id_} to change")
        id_ = id_ or self._next_id(server, "countdowns")
        self._changes.write(COUNTDOWNS, server, (id_,), before, _COUNTDOWNS.row(countdown))
        after: dict[Key, Row] = {
            (id_, number): _TICKS.row(tick) for number, tick in enumerate(countdown.ticks, start=1)
        }
        self._save_ticks(server, id_, after)
        return id_

    def drop_countdown(self, server: ServerId, countdown: int) -> None:
        """Remove a countdown with its ticks; journalled. Its rival in a duel loses its rival."""
        row = self._changes.row(COUNTDOWNS, server, (countdown,))
        if row is None:
            return
        rivals = "SELECT id FROM countdowns WHERE server_id = ? AND rival = ? ORDER BY id"
        for (id_,) in self._all(rivals, server, countdown):
            rival = self._changes.row(COUNTDOWNS, server, (id_,))
            if rival is not None:
                self._changes.write(COUNTDOWNS, server, (id_,), rival, _without_rival(rival))
        self._save_ticks(server, countdown, {})
        self._changes.put(COUNTDOWNS, server, (countdown,), None)

    def _save_ticks(self, server: ServerId, countdown: int, after: dict[Key, Row]) -> None:
        before = self._rows.rows_of(COUNTDOWN_TICKS, server, countdown)
        for key in sorted(before.keys() | after.keys(), key=lambda one: int(str(one[1]))):
            self._changes.write(COUNTDOWN_TICKS, server, key, before.get(key), after.get(key))

    def save_board(self, board: BoardRecord) -> None:
        """Save where a board is and what it shows; not journalled."""
        self._run(_KEEP_BOARD, *_BOARDS.row(board))

    def drop_board(self, server: ServerId, campaign: CampaignId, kind: str) -> None:
        """Forget a board; not journalled."""
        statement = "DELETE FROM boards WHERE server_id = ? AND campaign_id = ? AND kind = ?"
        self._run(statement, server, campaign, kind)


def _without_rival(row: Row) -> Row:
    place = COUNTDOWNS.columns.index("rival")
    return (*row[:place], None, *row[place + 1 :])


_DUE = "SELECT server_id, kind, id, due FROM due_tasks WHERE kind = ? AND due <= ?"
_DUE_IN = """
SELECT id, due FROM due_tasks WHERE server_id = ? AND kind = ? AND due <= ? ORDER BY due, id
"""
_ONE = "SELECT due FROM due_tasks WHERE server_id = ? AND kind = ? AND id = ?"
_SAVE_COUNTDOWN = """
INSERT INTO due_tasks (server_id, kind, id, due) VALUES (?, ?, ?, ?)
ON CONFLICT (server_id, kind, id) DO UPDATE SET due = excluded.due
"""
_POSTPONE = """
UPDATE due_tasks SET due = ?
WHERE server_id = ? AND kind = ? AND id = ? AND due = ?
RETURNING id
"""


class DueTaskReads(Reads):
    """Reads due tasks."""

    __slots__ = ()

    def due_task(self, server: ServerId, kind: str, id_: int) -> DueTask | None:
        """Return a task of a server, whenever it is due."""
        found = self._one(_ONE, server, kind, id_)
        return None if found is None else DueTask(server=server, kind=kind, id=id_, due=found[0])

    def due_tasks_of(self, server: ServerId, kind: str, now: int) -> list[DueTask]:
        """Return the due tasks of a kind of one server, longest due first."""
        found = self._all(_DUE_IN, server, kind, now)
        return [DueTask(server=server, kind=kind, id=id_, due=due) for id_, due in found]

    def due_tasks(self, kind: str, now: int, shards: Shards) -> list[DueTask]:
        """Return the due tasks of a kind, of every server of some shards, longest due first."""
        here, numbers = in_shards(shards)
        return [
            DueTask(server=ServerId(server), kind=kind, id=id_, due=due)
            for server, kind, id_, due in self._all(f"{_DUE}{here} ORDER BY due, id", kind, now, *numbers)
        ]


class DueTaskWrites(DueTaskReads, Writes):
    """Writes due tasks."""

    __slots__ = ()

    def save_due_task(self, task: DueTask) -> None:
        """Save a task, or a task's new time; not journalled."""
        self._run(_SAVE_COUNTDOWN, task.server, task.kind, task.id, task.due)

    def postpone_due_task(self, task: DueTask, until: int) -> bool:
        """Postpone a task; return False if its time has changed or it is done. Not journalled."""
        return self._one(_POSTPONE, until, task.server, task.kind, task.id, task.due) is not None

    def drop_due_task(self, task: DueTask) -> None:
        """Forget a task; not journalled."""
        statement = "DELETE FROM due_tasks WHERE server_id = ? AND kind = ? AND id = ?"
        self._run(statement, task.server, task.kind, task.id)
