"""Deadlines: how long a follow-up stays open, judged by the later journal entries."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline, Document, FollowUp, LaterEntry, Ruleset
from bot.rules.kernel.errors import UserError
from bot.store.records import Change, EntryId, EntryRecord, FollowUpRecord, JsonObject
from bot.store.transaction import Reader
from bot.table.base.results import HIDDEN, Result, follow_up_from_json, result_of
from bot.table.journal.entry_pages import earliest_first

PAGE = 100  # entries that are looked through at once
MOST_LOOKED_THROUGH = 500  # whatever is older than so many entries is over
PLAYED = "play."  # what the kinds of entries of procedures begin with
UNSAID = "play has gone on since"
OWNED = {"characters": "id", "resources": "character_id", "wounds": "character_id", "timers": "character_id"}


class PlayFacts(Document, extra="ignore"):
    """What the journal stores about a procedure besides its text."""

    against: tuple[CharacterId, ...] = ()  # the characters that its options named
    under: EntryId | None = None  # the entry under which it was pressed
    countdown: int | None = None  # the countdown that the person named for it
    # The range of the entry's changes (end exclusive) that are its effects and not its cost; None if nothing
    # can rewind it.
    came: tuple[int, int] | None = None
    moments: tuple[str, ...] = ()  # events that it also was, by the ruleset's names
    stands_for: str = ""  # the procedure whose result it replaces; empty if it stands for itself
    is_verdict: bool = False  # whether its verdict replaces that of the entry under which it was pressed

    @property
    def as_json(self) -> JsonObject:
        """Return these facts as JSON, without those at their defaults."""
        return self.model_dump(mode="json", exclude_defaults=True)


NO_FACTS = PlayFacts()


def facts_of(entry: EntryRecord) -> PlayFacts:
    """What the journal stores about a procedure besides its text."""
    stored = entry.told.get("facts")
    return PlayFacts.model_validate(stored) if stored else NO_FACTS


def procedure_of(entry: EntryRecord) -> str:
    """Return the procedure whose result an entry tells, even if it replaced an earlier result."""
    return facts_of(entry).stands_for or entry.kind.removeprefix(PLAYED)


def consequences(entry: EntryRecord) -> tuple[Change, ...]:
    """Return an entry's effects, without its cost."""
    came = facts_of(entry).came
    return () if came is None else entry.changes[slice(*came)]


def owners(changes: Sequence[Change]) -> frozenset[CharacterId]:
    """Return the characters whose rows were changed."""
    return frozenset(
        CharacterId(int(str(one.key[OWNED[one.table]]))) for one in changes if one.table in OWNED
    )


def countdowns_in(changes: Sequence[Change]) -> frozenset[int]:
    """Return the countdowns that were changed."""
    return frozenset(int(str(one.key["id"])) for one in changes if one.table == "countdowns")


class TooLate(UserError):
    """The pressed follow-up is gone; the message must be redrawn."""


class Expired(TooLate):
    """Play has moved on, and the follow-up can no longer be pressed."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Too late to change this roll: {why}.")


def refuse_expired(reader: Reader, game: Ruleset, entry: EntryRecord, follow_up: FollowUp) -> None:
    """Raise `Expired` if the deadline of an entry's follow-up has passed."""
    why = _why_expired(reader, game, entry, follow_up.window)
    if why is not None:
        raise Expired(why)


def without_expired(reader: Reader, game: Ruleset, entry: EntryRecord) -> Result:
    """Return an entry's own result as shown now, without follow-ups that have expired."""
    stored = reader.follow_ups(entry.server, entry.id)
    return result_of(entry, [one for one in stored if not _has_expired(reader, game, entry, one)])


def _has_expired(reader: Reader, game: Ruleset, entry: EntryRecord, one: FollowUpRecord) -> bool:
    if one.closed_by is not None:
        return False  # it is not shown anyway
    return _why_expired(reader, game, entry, follow_up_from_json(one.body).window) is not None


def _why_expired(reader: Reader, game: Ruleset, entry: EntryRecord, deadline: Deadline | None) -> str | None:
    if deadline is None:
        return None
    moved = countdowns_in(consequences(entry))
    unknown = moved & _hidden(entry)
    for count, later in enumerate(_later(reader, entry)):
        if count >= MOST_LOOKED_THROUGH:
            return UNSAID
        ended = _ended(later) & moved
        meaning = _meaning(later, entry, is_end_of_countdown=bool(ended))
        why = None if meaning is None else game.closing(deadline, meaning)
        if why is not None:
            return UNSAID if ended and ended <= unknown else why
    return None


def _hidden(entry: EntryRecord) -> frozenset[int]:
    stored = entry.told.get("facts")
    ids = stored.get(HIDDEN) if isinstance(stored, dict) else None
    return frozenset(one for one in ids if isinstance(one, int)) if isinstance(ids, list) else frozenset()


def _later(reader: Reader, entry: EntryRecord) -> Iterator[EntryRecord]:
    """Return the campaign's later entries that still stand, earliest first."""
    later = earliest_first(reader, entry.server, entry.campaign, after=entry.id, page=PAGE)
    return (one for one in later if one.undone_by is None)


def _ended(entry: EntryRecord) -> frozenset[int]:
    """Return the countdowns that an entry ended or removed."""
    ends = [
        one for one in entry.changes if one.after is None or one.after.get("status") in ("resolved", "closed")
    ]
    return countdowns_in(ends)


def _meaning(later: EntryRecord, entry: EntryRecord, *, is_end_of_countdown: bool) -> LaterEntry | None:
    """Return what a later entry means to an earlier one; None if it has nothing to do with it.

    What only the GM knows has not been established in play: it closes nothing for others.
    """
    if later.kind == "session.end":
        return LaterEntry(moments=(SESSION_ENDED,), is_end_of_countdown=is_end_of_countdown)
    facts = facts_of(later)
    is_told = entry.is_secret or not later.is_secret
    if not (later.kind.startswith(PLAYED) and is_told and (later.rolls or later.changes or facts.moments)):
        return LaterEntry(is_end_of_countdown=True) if is_end_of_countdown else None
    return LaterEntry(
        procedure=later.kind.removeprefix(PLAYED),
        by=None if later.character is None else CharacterId(later.character),
        against=frozenset(facts.against) | owners(later.changes),
        is_use=facts.under == entry.id,
        is_end_of_countdown=is_end_of_countdown,
        moments=facts.moments,
    )
