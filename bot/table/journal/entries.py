"""Journal entries: who may read them, page by page, and how long what they offer stays open."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from bot.rules.kernel import (
    SESSION_ENDED,
    CharacterId,
    Deadline,
    Document,
    FollowUp,
    LaterEntry,
    Outcome,
    Place,
    Ruleset,
    Scene,
    Verdict,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.procedures import SettledThing, over_once_happened
from bot.rules.kernel.tracker import ENCOUNTER, JOIN, encounter_key
from bot.rules.shared.encounters import Encounter
from bot.store.records import (
    EVERYBODY,
    CampaignId,
    Change,
    DeadlineRecord,
    EntryId,
    EntryRecord,
    FollowUpRecord,
    JsonObject,
    ServerId,
)
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import (
    HIDDEN,
    Result,
    deadline_from_json,
    follow_up_from_json,
    is_blind,
    result_of,
)


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


READ_AT_ONCE = 500


def latest_first(
    reader: Reader,
    server: ServerId,
    campaign: CampaignId,
    *,
    session: int | None = None,
    person: int | None = None,
    character: int | None = None,
    before: EntryId | None = None,
    page: int = READ_AT_ONCE,
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
    page: int = READ_AT_ONCE,
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


PAGE = 100  # entries that are looked through at once
MOST_LOOKED_THROUGH = 500  # whatever is older than so many entries is over
PLAYED = "play."  # what the kinds of entries of procedures begin with
LATEST = 30  # entries whose follow-ups are looked at
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
    settled: tuple[SettledThing, ...] = ()  # what was open under other results and came out with it
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


class TurnOver(TooLate):
    """The fight has gone on, and the follow-up can no longer be pressed."""

    def __init__(self) -> None:
        super().__init__(
            "The fight has gone on since.", "Its newest message and its board show what can be done."
        )


def refuse_expired(reader: Reader, game: Ruleset, entry: EntryRecord, follow_up: FollowUp) -> None:
    """Raise `TooLate` if the deadline of an entry's follow-up has passed.

    A button of a turn that a newer message has too can be pressed where it is still seen.
    """
    window = follow_up.window
    if window is not None:
        window = replace(window, until=tuple(one for one in window.until if not _is_newer(one, window)))
    expiry = _expiry(reader, game, entry, window)
    if expiry is not None:
        raise TurnOver if _is_of_fight(window) else Expired(expiry[0])


def _is_newer(moment: str, deadline: Deadline) -> bool:
    """Whether a moment is that a newer message has the buttons of a turn that the deadline names."""
    return any(" " in turn and moment.startswith(f"{turn} ") for turn in deadline.until)


def _is_of_fight(deadline: Deadline | None) -> bool:
    return deadline is not None and any(one.startswith(f"{ENCOUNTER}/") for one in deadline.until)


def with_turns(game: Ruleset, before: Scene, outcome: Outcome) -> Outcome:
    """Return an outcome whose buttons of a turn go with it, or once a newer message has them.

    Its moments say which fights and turns are over. The buttons of boards have no such deadlines, as those
    would be part of their keys.
    """
    if game.tracker is None:
        return outcome
    after = outcome.scene
    moments = [
        key if now is None else _turn(key, was)
        for key, now in after.documents.items()
        if key.startswith(f"{ENCOUNTER}/") and (was := before.document(key)) is not None
        if _turn(key, was) != _turn(key, now)
    ]
    of_turn = {*game.tracker.ends, *game.tracker.in_turn}
    if not moments and not any(one.procedure in (JOIN, *of_turn) for one in outcome.follow_ups):
        return outcome
    here = encounter_key(after.channel)
    follow_ups = []
    for one in outcome.follow_ups:
        until: tuple[str, ...] = (here,) if one.procedure == JOIN else ()
        if one.procedure in of_turn:
            turn = _turn(here, after.document(here))
            until = (here, turn, f"{turn} {one.character}")
            moments.append(until[-1])
        if until:
            window = one.window or Deadline()
            one = replace(one, window=replace(window, until=(*window.until, *until)))
        follow_ups.append(one)
    moments = [*outcome.moments, *dict.fromkeys(moments)]
    return replace(outcome, follow_ups=tuple(follow_ups), moments=tuple(moments))


def _turn(key: str, fight: Document | None) -> str:
    return f"{key} {fight.turn_key}" if isinstance(fight, Encounter) else key


def without_expired(reader: Reader, game: Ruleset, entry: EntryRecord) -> Result:
    """Return an entry's own result as shown now, without follow-ups that have expired.

    Where the end of a fight or session has settled what they offered, it says how.
    """
    left: list[FollowUpRecord] = []
    result = result_of(entry, ())
    for one in reader.follow_ups(entry.server, entry.id):
        expiry = _expiry(reader, game, entry, deadline_from_json(one.body)) if one.closed_by is None else None
        if expiry is None:
            left.append(one)
        else:
            result = _as_settled(result, facts_of(expiry[1]).settled, follow_up_from_json(one.body))
    shown = result_of(entry, left)
    return replace(shown, message=result.message, was=result.was)


def _as_settled(result: Result, settled: Sequence[SettledThing], follow_up: FollowUp) -> Result:
    """Return a result that says how what a follow-up offered was settled."""
    until = () if follow_up.window is None else follow_up.window.until
    message = result.message
    for one in settled:
        verdict = Verdict(one.family, one.title)
        if one.moment not in until or verdict == message.verdict:
            continue
        if follow_up.place is Place.VERDICT:
            result = replace(result, was=message.verdict, message=replace(message, verdict=verdict))
        elif (note := f"{one.what}: {one.title}.") not in message.notes:
            result = replace(result, message=replace(message, notes=(*message.notes, note)))
        message = result.message
    return result


def closed_by(reader: Reader, game: Ruleset, later: EntryRecord) -> list[EntryId]:
    """Return the latest entries in other messages that offered something until a later one.

    A roll that is no press and ends no turn counts for none: it would redraw the message before it each time.
    """
    facts = facts_of(later)
    if later.rolls and facts.under is None and not _is_of_fight(Deadline(until=facts.moments)):
        return []
    ended = _ended(later)
    if _meaning(later, facts, later, is_end_of_countdown=bool(ended)) is None:
        return []
    message = later.shown_in or later.id
    closed: dict[EntryId, None] = {}
    for one in reader.deadlines(later.server, later.campaign, before=later.id, among=LATEST):
        window = deadline_from_json(one.body)
        if window is None or one.id in closed or one.message == message:
            continue
        whole = reader.entry(later.server, one.id) if ended else None
        has_ended = whole is not None and bool(ended & countdowns_in(consequences(whole)))
        if _closes(game, window, _meaning(later, facts, one, is_end_of_countdown=has_ended)) is not None:
            closed[one.id] = None
    return list(closed)


def _expiry(
    reader: Reader, game: Ruleset, entry: EntryRecord, deadline: Deadline | None
) -> tuple[str, EntryRecord] | None:
    """Return why a deadline has passed, and by which later entry; None if it has not."""
    if deadline is None:
        return None
    moved = countdowns_in(consequences(entry))
    unknown = moved & _hidden(entry)
    for count, later in enumerate(_later(reader, entry)):
        if count >= MOST_LOOKED_THROUGH:
            return UNSAID, later
        ended = _ended(later) & moved
        meaning = _meaning(later, facts_of(later), entry, is_end_of_countdown=bool(ended))
        why = _closes(game, deadline, meaning)
        if why is not None:
            return UNSAID if ended and ended <= unknown else why, later
    return None


def _closes(game: Ruleset, deadline: Deadline, meaning: LaterEntry | None) -> str | None:
    """Return why a later entry closes a deadline, or None."""
    if meaning is None:
        return None
    return (
        over_once_happened(deadline, meaning) if _is_of_fight(deadline) else game.closing(deadline, meaning)
    )


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


def _meaning(
    later: EntryRecord, facts: PlayFacts, entry: EntryRecord | DeadlineRecord, *, is_end_of_countdown: bool
) -> LaterEntry | None:
    """Return what a later entry means to an earlier one; None if it has nothing to do with it.

    What only the GM knows has not been established in play: it closes nothing for others.
    """
    if later.kind == "session.end":
        gone = (
            str(one.key["key"]) for one in later.changes if one.table == "documents" and one.after is None
        )
        return LaterEntry(moments=(SESSION_ENDED, *gone), is_end_of_countdown=is_end_of_countdown)
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
