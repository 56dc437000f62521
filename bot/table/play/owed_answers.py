"""Questions to the GM that stand under results: proposals, details, and what else needs leave."""

import hashlib
import json
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Audience, FollowUp
from bot.store.records import EntryId, EntryRecord, FollowUpRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import follow_up_from_json, follow_up_to_json, message_from_json
from bot.table.journal.deadlines import LATEST

SHOWN_ONLY = ("note", "place", "is_owed", "is_npcs")  # fields of a follow-up that are no part of its key


class Offer(Struct, frozen=True):
    """Something that can be done now; its key identifies it for as long as it is offered."""

    key: str
    follow_up: FollowUp


def key_of(follow_up: FollowUp) -> str:
    """Return a key that tells an offer from every other one, short enough for a button's id.

    Its texts, its menu entries and where its outcome is shown may change meanwhile: what it does and
    for whom is what counts. Boards of earlier releases stand with these keys, so they must never change.
    """
    blanks = tuple(replace(one, choices=one.choices[:1]) for one in follow_up.blanks)
    plain = follow_up_to_json(replace(follow_up, label="", choices=(), blanks=blanks))
    stored = {name: value for name, value in plain.items() if name not in SHOWN_ONLY}
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:16]


REACH = 2000  # entries of the server among which those are looked for
Owed = Sequence[tuple[EntryRecord, Sequence[FollowUpRecord]]]


class GmQuestion(Struct, frozen=True, kw_only=True):
    """Something that a GM has to answer under a result."""

    entry: EntryRecord  # the result
    what: str  # what it is: who did what
    answers: tuple[Offer, ...]  # the buttons that answer it, with the ids of their follow-ups for keys

    def is_about(self, who: int) -> bool:
        """Whether it is about a character."""
        return any(one.follow_up.character == who for one in self.answers)


def owing(reader: Reader, access: Access) -> Owed:
    """Return the entries that still owe an answer, with what they offered, the latest first."""
    server, campaign = access.campaign.server, access.campaign.id
    ids = reader.entries_owing(server, campaign, among=REACH, limit=LATEST)
    offered: dict[EntryId, list[FollowUpRecord]] = {id_: [] for id_ in ids}
    for one in reader.follow_ups_of(server, ids):
        offered[one.entry].append(one)
    entries = (reader.entry(server, id_) for id_ in ids)
    return [(entry, offered[entry.id]) for entry in entries if entry is not None]


def open_offers(entry: EntryRecord, records: Sequence[FollowUpRecord]) -> list[Offer]:
    """Return what can still be pressed under an entry."""
    return [
        Offer(str(one.id), follow_up_from_json(one.body))
        for one in records
        if one.closed_by is None and entry.undone_by is None
    ]


def gm_questions(found: Owed) -> Iterator[GmQuestion]:
    """Return what a GM still has to answer under the latest results, the latest first."""
    for entry, records in found:
        offers = open_offers(entry, records)
        for group in dict.fromkeys(one.follow_up.group for one in offers if is_for_gm(one.follow_up)):
            answers = tuple(one for one in offers if one.follow_up.group == group)
            yield GmQuestion(entry=entry, what=message_from_json(entry.told).sentence, answers=answers)


def is_for_gm(follow_up: FollowUp) -> bool:
    """Return whether a GM still has to press a follow-up."""
    return follow_up.is_owed and follow_up.audience is Audience.GM
