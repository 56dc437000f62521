"""Queries for the journal: its entries, obstacles to an undo, and reverts."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from bot.store.changes import Reads, RecordRows, Writes, changes_from_text, changes_to_text, collide, marks_of
from bot.store.connection import Overtaken
from bot.store.journalled_tables import FOLLOW_UPS, REVEALS, SESSIONS, from_text, to_text
from bot.store.records import (
    BEFORE_ALL,
    CampaignId,
    Change,
    DeadlineRecord,
    DraftRecord,
    EntryId,
    EntryRecord,
    FollowUpId,
    FollowUpRecord,
    JsonObject,
    Kept,
    MessageRecord,
    ServerId,
)

_COLUMNS = """
server_id, campaign_id, session_number, at, interaction, channel, person, person_name, character_id,
kind, told, rolls, changes, seed, is_secret, undone_by, undoes, shown_in
"""
_ENTRIES = RecordRows(
    EntryRecord,
    ("id", *_COLUMNS.replace(",", " ").split(), "revealed_to"),
    rolls=(from_text, to_text),
    changes=(changes_from_text, changes_to_text),
    revealed_to=(lambda text: tuple(map(int, text.split(","))), lambda _: None),
)
_REVEALED_TO = """
CASE WHEN is_secret = 1 THEN (
    SELECT group_concat(reveals.person) FROM reveals
    WHERE reveals.server_id = entries.server_id AND reveals.entry_id = entries.id
) END
"""
_REVEALED = """
EXISTS (
    SELECT 1 FROM reveals
    WHERE reveals.server_id = entries.server_id AND reveals.entry_id = entries.id AND reveals.person = 0
)
"""
_ENTRY = f"SELECT id, {_COLUMNS}, {_REVEALED_TO} FROM entries"  # noqa: S608 - a constant
_BRIEF = _ENTRY.replace(" rolls, changes,", " '[]', '[]',")
_KINDS = f"""
SELECT kind FROM entries
WHERE server_id = ? AND campaign_id = ? AND (? = 1 OR is_secret = 0 OR {_REVEALED}) ORDER BY id DESC LIMIT ?
"""  # noqa: S608 - a constant
_ACTIONS = """
FROM entries WHERE server_id = ? AND campaign_id = ? AND (rolls <> '[]' OR changes <> '[]')
"""
_NEWEST = "SELECT * FROM entries WHERE server_id = ? AND campaign_id = ? ORDER BY id DESC LIMIT ?"
_CHANGING = f"""
{_ENTRY.removesuffix("entries").replace(" rolls,", " '[]',").replace("entries.", "newest.")}
({_NEWEST}) AS newest WHERE changes <> '[]' AND undone_by IS NULL ORDER BY id DESC
"""
_NEWEST_ACTIONS = f"""
SELECT id FROM ({_NEWEST}) AS newest WHERE rolls <> '[]' OR changes <> '[]' ORDER BY id DESC
"""  # noqa: S608 - a constant
_WITH = """
SELECT id FROM (
    SELECT id, told FROM entries WHERE server_id = ? AND campaign_id = ? ORDER BY id DESC LIMIT ?
) AS newest WHERE told LIKE ? ORDER BY id DESC
"""
_COUNT = f"SELECT count(*) {_ACTIONS} AND id > ? AND id <= ?"
_AT = f"SELECT id {_ACTIONS} ORDER BY id LIMIT 1 OFFSET ?"
_ADD = f"""
INSERT INTO entries (id, {_COLUMNS})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""  # noqa: S608 - a constant
_OPEN_SESSION = """
SELECT number, active_at FROM sessions WHERE server_id = ? AND campaign_id = ? AND ended_at IS NULL
"""
_TOUCH_SESSION = """
UPDATE sessions SET active_at = ? WHERE server_id = ? AND campaign_id = ? AND number = ?
"""
_MESSAGE = "SELECT channel, message FROM messages WHERE server_id = ? AND entry_id = ?"
_SAVE_MESSAGE = """
INSERT INTO messages (server_id, entry_id, channel, message) VALUES (?, ?, ?, ?)
ON CONFLICT (server_id, entry_id) DO UPDATE SET channel = excluded.channel, message = excluded.message
"""
_LATER = f"{_ENTRY} WHERE server_id = ? AND id > ? AND undone_by IS NULL"
# The sign keeps SQLite from reading everything that was pressed since, by the index on that.
_PRESSED = """
SELECT closed_by FROM follow_ups WHERE server_id = ? AND entry_id = ? AND +closed_by > entry_id
"""
_REOPENED_AND_PRESSED = "SELECT closed_by FROM follow_ups WHERE server_id = ? AND id = ? AND closed_by > ?"


class JournalReads(Reads):
    """Reads journal entries."""

    __slots__ = ()

    def entry(self, server: ServerId, entry: EntryId) -> EntryRecord | None:
        """Return a journal entry by id."""
        newest = self._rows.newest(server)
        found = newest.entries.get((server, entry))
        if found is None:
            found = self._one(f"{_ENTRY} WHERE server_id = ? AND id = ?", server, entry)
            if found is not None:
                newest.know(server, entry, found)
        return None if found is None else _ENTRIES.read(found)

    def entry_of(self, server: ServerId, interaction: str) -> EntryRecord | None:
        """Return the journal entry of an interaction."""
        found = self._one(f"{_ENTRY} WHERE server_id = ? AND interaction = ?", server, interaction)
        return None if found is None else _ENTRIES.read(found)

    def entries(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        session: int | None = None,
        person: int | None = None,
        character: int | None = None,
        after: EntryId | None = None,
        before: EntryId | None = None,
        with_secret: bool = True,
        only_secret: bool = False,
        newest_first: bool = True,
        is_brief: bool = False,
        limit: int = 1000,
    ) -> list[EntryRecord]:
        """Return a campaign's journal entries, filtered; *after* and *before* are exclusive.

        Without the secret ones, those that are revealed to everybody are among them. Rolls and changes are
        the most of an entry: who needs none reads brief ones, which have neither.
        """
        filters = {
            "session_number = ?": session,
            "person = ?": person,
            "character_id = ?": character,
            "id > ?": after,
            "id < ?": before,
            f"(is_secret = ? OR {_REVEALED})": None if with_secret else 0,
            "is_secret = ?": 1 if only_secret else None,
        }
        wanted = {condition: value for condition, value in filters.items() if value is not None}
        where = " AND ".join(("server_id = ?", "campaign_id = ?", *wanted))
        order = "DESC" if newest_first else "ASC"
        selected = _BRIEF if is_brief else _ENTRY
        statement = f"{selected} WHERE {where} ORDER BY id {order} LIMIT ?"
        return [
            _ENTRIES.read(found) for found in self._all(statement, server, campaign, *wanted.values(), limit)
        ]

    def entries_with(self, server: ServerId, campaign: CampaignId, part: str, *, among: int) -> list[EntryId]:
        """Return those of a campaign's newest entries whose stored text may contain a part, newest first.

        Args:
            part: The part; upper and lower case are the same.
            among: How many entries are looked at.
        """
        return [EntryId(id_) for (id_,) in self._all(_WITH, server, campaign, among, f"%{part}%")]

    def changing_entries(
        self, server: ServerId, campaign: CampaignId, *, among: int
    ) -> Iterator[EntryRecord]:
        """Return those of a campaign's newest entries that stand and changed something, newest first.

        Their rolls are left out.

        Args:
            among: How many entries are looked at.
        """
        found = self._all(_CHANGING, server, campaign, among)
        return (_ENTRIES.read(one) for one in found)

    def newest_actions(self, server: ServerId, campaign: CampaignId, *, among: int) -> list[EntryId]:
        """Return those of a campaign's newest entries that have rolls or changes, newest first."""
        return [EntryId(id_) for (id_,) in self._all(_NEWEST_ACTIONS, server, campaign, among)]

    def kinds_used(
        self, server: ServerId, campaign: CampaignId, *, with_secret: bool, limit: int
    ) -> list[str]:
        """Return the kinds of a campaign's newest journal entries, each as often as it is among them."""
        found = self._all(_KINDS, server, campaign, int(with_secret), limit)
        return [kind for (kind,) in found]

    def count_actions(
        self, server: ServerId, campaign: CampaignId, entry: EntryId, *, after: EntryId = BEFORE_ALL
    ) -> int:
        """Return how many entries with rolls or changes a campaign has up to the given one."""
        found = self._one(_COUNT, server, campaign, after, entry)
        return int(found[0]) if found else 0

    def action_at(self, server: ServerId, campaign: CampaignId, number: int) -> EntryId | None:
        """Return the entry that is a campaign's *number*-th with rolls or changes; None if there is none."""
        found = self._one(_AT, server, campaign, number - 1) if number > 0 else None
        return None if found is None else EntryId(found[0])

    def shown_in(self, server: ServerId, entry: EntryId) -> list[EntryRecord]:
        """Return the entries shown in the message of an earlier one, in order."""
        shown = self._rows.newest(server).shown(server, entry)
        if shown is None:
            shown = self._all(f"{_ENTRY} WHERE server_id = ? AND shown_in = ? ORDER BY id", server, entry)
        return [_ENTRIES.read(found) for found in shown]

    def message(self, server: ServerId, entry: EntryId) -> MessageRecord | None:
        """Return where the message of an entry is, if known."""
        newest = self._rows.newest(server)
        if (server, entry) in newest.messages:
            found = newest.messages[server, entry]
        else:
            found = self._one(_MESSAGE, server, entry)
            newest.put_message(server, entry, found)
        return (
            None
            if found is None
            else MessageRecord(server=server, entry=entry, channel=found[0], message=found[1])
        )


class JournalWrites(JournalReads, Writes):
    """Writes the journal."""

    __slots__ = ()

    def add_entry(self, entry: EntryRecord) -> EntryRecord:
        """Add a journal entry with every change collected so far, and touch the open session.

        Returns:
            The entry as saved, with its id, its changes and the number of its session.

        Raises:
            AlreadyDone: If the interaction has an entry already.
        """
        session = self._touch_open_session(entry)
        if entry.session is not None:
            session = entry.session
        changes = tuple(self._changes.collected)
        id_ = EntryId(self._next_id(entry.server, "entries"))
        entry = replace(entry, id=id_, session=session, changes=changes)
        row = _ENTRIES.row(entry)
        self._run(_ADD, *row[:-1])
        self._changes.written(entry.server).add(entry.server, id_, row, entry.shown_in)
        self._changes.collected.clear()
        tables = frozenset(one.table for one in changes)
        self.kept.append(Kept(entry.server, entry.campaign, tables, character=entry.character, entry=id_))
        return entry

    def _touch_open_session(self, entry: EntryRecord) -> int | None:
        """Note activity in the campaign's running session; return its number."""
        found = self._rows.answer(SESSIONS.name, _OPEN_SESSION, entry.server, entry.campaign)
        if not found:
            return None
        number, active_at = found[0]
        if active_at < entry.at:
            self._run(_TOUCH_SESSION, entry.at, entry.server, entry.campaign, number)
            asked = (SESSIONS.name, _OPEN_SESSION, entry.server, entry.campaign)
            self._changes.remember_answer(*asked, found=[(number, entry.at)])
        return int(number)

    def obstacles(self, entry: EntryRecord) -> list[EntryRecord]:
        """Return the later standing entries that changed what *entry* changed, latest first."""
        standing = {one.id: one for one in self._pressers(entry)}
        marks = marks_of(entry.changes)
        if marks:
            looks_alike = " OR ".join("instr(changes, ?) > 0" for _ in marks)
            later = self._all(f"{_LATER} AND ({looks_alike})", entry.server, entry.id, *marks)
            candidates = [_ENTRIES.read(found) for found in later]
            standing.update((one.id, one) for one in candidates if self._builds_on(one, entry))
        return sorted(standing.values(), key=lambda one: one.id, reverse=True)

    def _builds_on(self, later: EntryRecord, entry: EntryRecord) -> bool:
        if not collide(entry.changes, later.changes):
            return False
        if later.undoes is None:
            return True
        # An undo of what came after *entry* left everything as *entry* left it.
        statement = f"{_ENTRY} WHERE server_id = ? AND undone_by = ? AND id < ?"
        taken_back = self._all(statement, entry.server, later.id, entry.id)
        return any(collide(_ENTRIES.read(found).changes, entry.changes) for found in taken_back)

    def _pressers(self, entry: EntryRecord) -> list[EntryRecord]:
        """Return the standing entries that pressed a follow-up which *entry* offers or reopened."""
        found = self._all(_PRESSED, entry.server, entry.id)
        for change in entry.changes:
            if change.table == FOLLOW_UPS.name:
                found += self._all(_REOPENED_AND_PRESSED, entry.server, change.key["id"], entry.id)
        pressers = [self.entry(entry.server, EntryId(id_)) for id_ in {row[0] for row in found}]
        return [one for one in pressers if one is not None and one.undone_by is None]

    def revert(self, entry: EntryRecord) -> None:
        """Revert every row to before *entry*; journalled as changes of the next entry.

        Its follow-ups are removed, and those it closed are open again.

        Raises:
            Overtaken: If an entry that still stands has changed something since.
        """
        if self._pressers(entry):
            raise Overtaken("what it offered has been done")
        server = entry.server
        for column in ("entry_id", "closed_by"):
            statement = f"SELECT id FROM follow_ups WHERE server_id = ? AND {column} = ? ORDER BY id"  # noqa: S608 - constants
            for key in self._all(statement, server, entry.id):
                row = self._changes.row(FOLLOW_UPS, server, key)
                reopened = None if row is None or column == "entry_id" else (*row[:-1], None)
                self._changes.write(FOLLOW_UPS, server, key, row, reopened)
        self._changes.revert(server, entry.changes)

    def changes_so_far(self) -> int:
        """Return how many changes are collected for the next entry."""
        return len(self._changes.collected)

    def take_back(self, server: ServerId, changes: Sequence[Change]) -> None:
        """Revert *changes* and nothing else; journalled.

        Raises:
            Overtaken: If something has been changed since.
        """
        self._changes.revert(server, changes)

    def mark_undone(self, entry: EntryRecord, by: EntryId | None) -> None:
        """Mark an entry as undone by another; None if that was undone itself."""
        statement = "UPDATE entries SET undone_by = ? WHERE server_id = ? AND id = ?"
        self._run(statement, by, entry.server, entry.id)
        self._changes.written(entry.server).forget(entry.server, entry.id)
        self.kept.append(Kept(entry.server, entry.campaign, frozenset(), turned=entry.id, entry=entry.id))

    def set_revealed(self, entry: EntryRecord, people: Collection[int]) -> None:
        """Set to whom a secret entry is revealed; journalled."""
        for person in sorted({*entry.revealed_to, *people}):
            self._changes.put(REVEALS, entry.server, (entry.id, person), () if person in people else None)

    def save_message(self, message: MessageRecord) -> None:
        """Save where the message of an entry is; not journalled."""
        server, place = message.server, (message.channel, message.message)
        self._run(_SAVE_MESSAGE, server, message.entry, *place)
        self._changes.written(server).put_message(server, message.entry, place)


_OFFER_COLUMNS = ("server_id", "id", "campaign_id", "entry_id", "body", "group_key", "closed_by")
_OFFERS = RecordRows(FollowUpRecord, _OFFER_COLUMNS)
_FOLLOW_UP = f"SELECT {', '.join(_OFFER_COLUMNS)} FROM follow_ups"  # noqa: S608 - names are constants
_DEADLINES = """
SELECT entry_id, coalesce(shown_in, entry_id), is_secret, body
FROM follow_ups JOIN entries ON entries.server_id = follow_ups.server_id AND entries.id = entry_id
WHERE follow_ups.server_id = ? AND follow_ups.campaign_id = ? AND entry_id < ? AND entry_id >= (
    SELECT min(id) FROM (
        SELECT id FROM entries WHERE server_id = ? AND campaign_id = ? AND id < ? ORDER BY id DESC LIMIT ?
    ) AS newest
)
AND closed_by IS NULL AND body LIKE '%"window":{%'
ORDER BY +follow_ups.id
"""
# What it looks for stands in the index of migration 13, too.
_OWING = """
SELECT DISTINCT entry_id FROM follow_ups
WHERE server_id = ? AND entry_id > (
    SELECT min(bound) FROM (
        SELECT entries - ? AS bound FROM servers WHERE server_id = ?
        UNION ALL SELECT min(id) - 1 FROM (
            SELECT id FROM entries WHERE server_id = ? AND campaign_id = ? ORDER BY id DESC LIMIT ?
        ) AS newest
    ) AS bounds
)
AND campaign_id = ? AND closed_by IS NULL AND body LIKE '%"is_owed":true%'
ORDER BY entry_id DESC
LIMIT ?
"""
_OFFERED = """
SELECT at, body
FROM follow_ups JOIN entries ON entries.server_id = follow_ups.server_id AND entries.id = entry_id
WHERE follow_ups.server_id = ? AND follow_ups.campaign_id = ? AND entry_id IN (
    SELECT id FROM (
        SELECT id FROM entries WHERE server_id = ? AND campaign_id = ? ORDER BY id DESC LIMIT ?
    ) AS newest
    UNION SELECT id FROM entries WHERE server_id = ? AND id IN"""
_ADD_FOLLOW_UP = """
INSERT INTO follow_ups (server_id, id, campaign_id, entry_id, body, group_key, closed_by)
VALUES """
_NEW_FOLLOW_UP = "(?, ?, ?, ?, ?, ?, ?)"
_CLOSE = """
UPDATE follow_ups SET closed_by = ?
WHERE server_id = ? AND entry_id = ? AND group_key = ? AND closed_by IS NULL
"""
_DRAFTS = RecordRows(DraftRecord, ("server_id", "id", "campaign_id", "person", "step", "answers"))
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
        return None if found is None else _OFFERS.read(found)

    def follow_ups(self, server: ServerId, entry: EntryId) -> list[FollowUpRecord]:
        """Return all follow-ups of an entry, in order."""
        newest = self._rows.newest(server)
        found = newest.offers(server, entry)
        if found is None:
            found = self._all(f"{_FOLLOW_UP} WHERE server_id = ? AND entry_id = ? ORDER BY id", server, entry)
            newest.know_offers(server, entry, found)
        return [_OFFERS.read(one) for one in found]

    def follow_ups_of(self, server: ServerId, entries: Collection[EntryId]) -> list[FollowUpRecord]:
        """Return all follow-ups of some entries, in order."""
        if not entries:
            return []
        within = ", ".join("?" for _ in entries)
        statement = f"{_FOLLOW_UP} WHERE server_id = ? AND entry_id IN ({within}) ORDER BY +id"
        return [_OFFERS.read(found) for found in self._all(statement, server, *entries)]

    def deadlines(
        self, server: ServerId, campaign: CampaignId, *, before: EntryId, among: int
    ) -> list[DeadlineRecord]:
        """Return the deadlines of all open follow-ups of a campaign's newest entries, in order.

        Args:
            before: The entry before which those are.
            among: How many entries are looked at.
        """
        newest = (server, campaign, before)
        return [
            DeadlineRecord(id=entry, message=message, is_secret=bool(is_secret), body=from_text(body))
            for entry, message, is_secret, body in self._all(_DEADLINES, *newest, *newest, among)
        ]

    def offered(
        self,
        server: ServerId,
        campaign: CampaignId,
        values: Sequence[str],
        *,
        among: int,
        besides: Collection[EntryId] = (),
    ) -> list[tuple[int, JsonObject]]:
        """Return when follow-ups with some values were offered, and those, in order, closed ones too.

        Args:
            values: Texts that each of them has somewhere as a value.
            among: How many of the campaign's newest entries are looked at.
            besides: Earlier entries that are looked at, too.
        """
        ids = (BEFORE_ALL, *besides)  # never none: a list may not be empty
        earlier = ", ".join("?" for _ in ids)
        having = " AND instr(body, ?) > 0" * len(values)
        statement = f"{_OFFERED} ({earlier})){having} ORDER BY +follow_ups.id"
        bounds = (server, campaign, server, campaign, among, server)
        found = self._all(statement, *bounds, *ids, *map(to_text, values))
        return [(at, from_text(body)) for at, body in found]

    def entries_owing(
        self, server: ServerId, campaign: CampaignId, *, among: int, limit: int
    ) -> list[EntryId]:
        """Return a campaign's entries with open follow-ups that may wait for an answer, newest first.

        Args:
            among: How many of the server's newest entries are looked at.
            limit: How many are wanted; so many of the campaign's newest entries are looked at in any case.
        """
        bounds = (among, server, server, campaign, limit)
        found = self._all(_OWING, server, *bounds, campaign, limit)
        return [EntryId(id_) for (id_,) in found]

    def draft(self, server: ServerId, draft: int) -> DraftRecord | None:
        """Return a draft by id."""
        found = self._one(f"{_DRAFT} WHERE server_id = ? AND id = ?", server, draft)
        return None if found is None else _DRAFTS.read(found)

    def draft_of(self, server: ServerId, campaign: CampaignId, person: int) -> DraftRecord | None:
        """Return a person's draft in a campaign."""
        statement = f"{_DRAFT} WHERE server_id = ? AND campaign_id = ? AND person = ?"
        found = self._one(statement, server, campaign, person)
        return None if found is None else _DRAFTS.read(found)


class OfferWrites(OfferReads, Writes):
    """Writes follow-ups and drafts."""

    __slots__ = ()

    def add_follow_ups(self, follow_ups: Sequence[FollowUpRecord]) -> list[FollowUpId]:
        """Save an entry's follow-ups and return their ids; undoing the entry removes them (see `revert`)."""
        if not follow_ups:
            return []
        server, entry, count = follow_ups[0].server, follow_ups[0].entry, len(follow_ups)
        first = self._next_id(server, "follow_ups", count)
        ids = [FollowUpId(first + place) for place in range(count)]
        rows = [
            (server, id_, one.campaign, entry, to_text(one.body), one.group, one.closed_by)
            for id_, one in zip(ids, follow_ups, strict=True)
        ]
        self._run(_ADD_FOLLOW_UP + ", ".join([_NEW_FOLLOW_UP] * count), *chain.from_iterable(rows))
        self._changes.written(server).offer(server, entry, rows)
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
        self._run(_ADD_DRAFT, *_DRAFTS.row(replace(draft, id=id_)))
        return id_

    def drop_draft(self, server: ServerId, draft: int) -> None:
        """Discard a draft; not journalled."""
        self._run("DELETE FROM drafts WHERE server_id = ? AND id = ?", server, draft)
