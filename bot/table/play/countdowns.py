"""Countdowns: what is stored, what the rules see, what may be told of them, what moves them by itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Family, Outcome, Scene, SharedPrompt, SharedResult
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.shared.countdowns import (
    Attempt,
    Countdown,
    Kind,
    Limits,
    Side,
    Status,
    Term,
    Tick,
    Visibility,
    attempted,
    boxes,
    closed,
    day_of,
    duelled,
    lone_hint,
    objection,
    steps_of,
    timed,
    timed_duel,
    weight_of,
)
from bot.store.records import CharacterRecord, CountdownRecord, EntryId, EntryRecord, Json, TickRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import NOTHING_TOLD, ChangeLine, Telling, fact_of
from bot.table.journal.entries import earliest_first
from bot.table.journal.journal import Rewound, move_back
from bot.table.journal.shared_prompts import MOVES, PART, gathering_at, opened_key

LATEST_TICKS = 5


class NoSuchCountdown(UserError):
    """The campaign has no countdown of that name that the person may know of."""

    def __init__(self, name: str = "") -> None:
        super().__init__(
            f"There is no countdown called “{name}” here." if name else "There is no such countdown here.",
            try_this="See all of them with /countdown show.",
        )


def as_counted(record: CountdownRecord) -> Countdown:
    """Return a stored countdown as the rules see it."""
    return Countdown(
        name=record.name,
        kind=Kind(record.kind),
        difficulty=record.difficulty,
        value=record.value,
        start=record.start,
        side=Side(record.side),
        limits=Limits(
            per_day=record.per_day,
            per_member=record.per_member,
            per_skill=record.per_skill,
            distinct_skills=record.distinct_skills,
        ),
        ticks=tuple(_tick(one) for one in record.ticks),
        status=Status(record.status),
        winner=None if record.winner is None else Side(record.winner),
        every_seconds=record.every_seconds,
        since=record.since,
    )


def _tick(tick_record: TickRecord) -> Tick:
    member = None if tick_record.character is None else CharacterId(tick_record.character)
    return Tick(steps=tick_record.steps, member=member, skill=tick_record.skill, day=tick_record.day)


def as_kept(record: CountdownRecord, countdown: Countdown) -> CountdownRecord:
    """Return a countdown of the rules as its record."""
    return replace(
        record,
        value=countdown.value,
        status=countdown.status.value,
        winner=None if countdown.winner is None else countdown.winner.value,
        since=countdown.since,
        ticks=tuple(
            TickRecord(steps=tick.steps, character=tick.member, skill=tick.skill, day=tick.day)
            for tick in countdown.ticks
        ),
    )


def may_know(access: Access, record: CountdownRecord) -> bool:
    """Return whether a person may know that a countdown exists."""
    return access.is_gm or record.visibility != Visibility.GM


def may_read(access: Access, record: CountdownRecord) -> bool:
    """Return whether a person may know a countdown's value."""
    return access.is_gm or record.visibility == Visibility.OPEN


def find_countdown(reader: Reader, access: Access, name: str | int) -> CountdownRecord:
    """Return a countdown of the campaign by name or id.

    Raises:
        NoSuchCountdown: If there is none that the person may know of.
    """
    if isinstance(name, int):
        record = reader.countdown(access.campaign.server, name)
        if record is not None and record.campaign != access.campaign.id:
            record = None
    else:
        record = reader.countdown_named(access.campaign.server, access.campaign.id, name)
    if record is None or not may_know(access, record):
        raise NoSuchCountdown("" if isinstance(name, int) else name)
    return record


# --- moving ------------------------------------------------------------------------------------


class Moved(Struct, frozen=True):
    """A countdown before and after something moved (or closed) it."""

    before: CountdownRecord
    after: CountdownRecord

    @property
    def is_hidden(self) -> bool:
        """Return whether only the GM may know of the move: so it is with a part-hidden one until its end."""
        if self.after.visibility == Visibility.KNOWN:
            return self.after.status == self.before.status == Status.RUNNING
        return self.after.visibility == Visibility.GM


def keep_moved(tx: Transaction, record: CountdownRecord, after: Countdown) -> tuple[Moved, ...]:
    """Save a countdown that moved; if it is resolved, the other one of its duel is closed."""
    rival = None if record.rival is None else tx.countdown(record.server, record.rival)
    if rival is None:
        return keep_all(tx, ((record, after),))
    return keep_all(tx, zip((record, rival), duelled(after, as_counted(rival)), strict=True))


def keep_all(tx: Transaction, pairs: Iterable[tuple[CountdownRecord, Countdown]]) -> tuple[Moved, ...]:
    """Save countdowns as they are afterwards; return those that changed."""
    moved = [Moved(record, as_kept(record, after)) for record, after in pairs]
    changed = tuple(one for one in moved if one.before != one.after)
    for one in changed:
        tx.save_countdown(one.after)
    return changed


def tell(who: str, moves: Sequence[Moved], *, with_hidden: bool = False) -> Telling:
    """Return what to tell about moves.

    Args:
        who: The name it is told under.
        with_hidden: Whether only the GM is told, and so everything.
    """
    if not moves:
        return NOTHING_TOLD
    lines: list[ChangeLine] = []
    notes: list[str] = []
    for one in moves:
        if one.is_hidden and not with_hidden:
            continue
        if one.before.value != one.after.value and (with_hidden or one.after.visibility == Visibility.OPEN):
            lines.append(ChangeLine(who, one.after.name, str(one.before.value), standing(one.after)))
        elif one.before.status == one.after.status and one.after.visibility == Visibility.OPEN:
            notes.append(f"{one.after.name} stays at {standing(one.after)}.")
        if one.before.status != one.after.status:
            notes += _ending(one.after, is_duel=len(moves) > 1, with_note=with_hidden)
    return Telling(
        lines=tuple(lines),
        notes=tuple(notes),
        hidden=() if with_hidden else tuple(one.after.id for one in moves if one.is_hidden),
    )


def check_keys(access: Access) -> tuple[str, ...]:
    """Return the sorted keys of the ruleset's checks that a countdown can follow."""
    procedures = access.game.procedures
    return tuple(sorted(key for key, one in procedures.items() if one.is_check)) or tuple(sorted(procedures))


def standing(record: CountdownRecord) -> str:
    """Return a countdown's value as text: "3 of 4 ◼◼◼◻"."""
    return f"{record.value} of {record.difficulty} {boxes(as_counted(record))}"


def _ending(record: CountdownRecord, *, is_duel: bool, with_note: bool) -> list[str]:
    """Return a note that a countdown is over, with its consequence; or that it runs again."""
    if record.status == Status.RUNNING:
        return [f"{record.name} is running again."]
    if record.status != Status.RESOLVED:
        return [f"{record.name} is closed."]
    for_whom = ""
    if is_duel or record.kind == Kind.TUG:
        for_whom = " for the players" if record.winner == Side.PLAYERS else " for the opposition"
    texts = [f"{record.name} is resolved{for_whom}.", record.consequence]
    return [text for text in (*texts, record.note if with_note else "") if text]


# --- looking -----------------------------------------------------------------------------------


class CountdownView(Struct, frozen=True, kw_only=True):
    """A countdown as a person may see it."""

    id: int  # the countdown's id
    name: str
    kind: Kind  # what moves it; for a hidden one, only the GM is told
    visibility: Visibility  # what everybody may know about it
    status: Status  # whether it runs
    side: Side = Side.PLAYERS  # whose it is; likewise
    winner: Side | None = None  # the side it was resolved for, or None
    term: Term = Term.SHORT  # how long it is meant to run
    value: int | None = None  # its value; None if the person may not know
    difficulty: int | None = None  # the value at which it is resolved; None likewise
    boxes: str = ""  # the same in boxes; empty likewise
    about: tuple[str, ...] = ()  # what moves it, what limits it and its rival, in short phrases
    is_shared: bool = False  # whether players may advance it by hand
    asks_for_skill: bool = False  # whether it matters which skill was used
    consequence: str = ""  # the public text at its end; empty until everybody may know
    note: str = ""  # the GM's private note
    history: tuple[str, ...] = ()  # the latest moves in words, for the GM
    hint: str = ""  # a hint for the GM, or empty


def view(reader: Reader, record: CountdownRecord, *, is_gm: bool) -> CountdownView:
    """Return a countdown as the GM, or everybody else, may see it."""
    counted = as_counted(record)
    seen = CountdownView(
        id=record.id,
        name=record.name,
        kind=Kind.SUCCESS,
        visibility=Visibility(record.visibility),
        status=counted.status,
    )
    if not is_gm and record.visibility != Visibility.OPEN:
        return replace(seen, consequence=record.consequence if counted.status is Status.RESOLVED else "")
    seen = replace(
        seen,
        kind=counted.kind,
        term=Term(record.term),
        winner=counted.winner,
        value=counted.value,
        difficulty=counted.difficulty,
        side=counted.side,
        boxes=boxes(counted),
        about=tuple(_about(reader, record, counted, is_gm=is_gm)),
        is_shared=record.is_shared,
        asks_for_skill=counted.limits.asks_for_skill,
        consequence=record.consequence if is_gm or counted.status is Status.RESOLVED else "",
    )
    if not is_gm:
        return seen
    history = tuple(_tick_words(reader, record, tick) for tick in record.ticks[-LATEST_TICKS:])
    return replace(seen, note=record.note, history=history, hint=lone_hint(counted) or "")


def _about(reader: Reader, record: CountdownRecord, counted: Countdown, *, is_gm: bool) -> list[str]:
    limits = counted.limits
    of = "opposition's " if counted.side is Side.OPPOSITION else ""
    words = [f"{of}{counted.kind.value}", weight_of(counted.kind, counted.difficulty)]
    words += ["once per day"] if limits.per_day else []
    words += ["once per character"] if limits.per_member else []
    words += ["once per skill"] if limits.per_skill else []
    words += [f"{limits.distinct_skills} different skills"] if limits.distinct_skills else []
    words += [f"advances automatically every {span(counted.every_seconds)}"] if counted.every_seconds else []
    words += [f"advances on: {', '.join(record.links)}"] if record.links and is_gm else []
    rival = None if record.rival is None else reader.countdown(record.server, record.rival)
    if rival is not None and (is_gm or rival.visibility != Visibility.GM):
        words.append(f"against {rival.name}")
    return words


def span(seconds: int) -> str:
    """Return a span of game time in its largest whole unit: "1 day", "90 minutes"."""
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds % size == 0:
            return counted(seconds // size, unit)
    return f"{seconds} s"


def _tick_words(reader: Reader, record: CountdownRecord, tick: TickRecord) -> str:
    who = None if tick.character is None else reader.character_name(record.server, tick.character)
    by = " · ".join(part for part in (who or "by hand", tick.skill) if part)
    return f"{'+' if tick.steps >= 0 else '−'}{abs(tick.steps)} {by}"


class PlayedCheck(Struct, frozen=True, kw_only=True):
    """A result that countdowns may count."""

    checks: tuple[str, ...]  # the keys of the checks it counts as: countdowns linked to one of them count it
    attempt: Attempt | None  # what it means to countdowns; None if it is neither a success nor a failure
    who: str  # the name it is told under
    countdown: str | None = None  # the countdown that the person named for it, or None
    with_hidden: bool = False  # whether only the GM is told
    again: int | None = None  # the countdown named for the result that this one replaces
    # Countdowns moved back with that result, as they were before.
    were: Mapping[int, CountdownRecord] = {}


def follow(tx: Transaction, access: Access, played: PlayedCheck) -> Telling:
    """Move every countdown that follows a result: those linked to it, and the one named.

    Raises:
        UserError: If the person may not name that countdown.
    """
    named = None if played.countdown is None else _named(tx, access, played).id
    telling = NOTHING_TOLD
    if played.attempt is not None:
        for id_ in _concerned(tx, access, played, played.again if named is None else named):
            record = tx.countdown(access.campaign.server, id_)
            if record is not None:  # an earlier one may have closed it, so it is read again
                telling += _tried(tx, record, played.attempt, played)
    return telling + _tell_rewound(tx, played)


def _tell_rewound(tx: Transaction, played: PlayedCheck) -> Telling:
    """Return the net change of the countdowns that were moved back."""
    moves: list[Moved] = []
    for was in played.were.values():
        record = tx.countdown(was.server, was.id)
        if record is not None and (record.value, record.status) != (was.value, was.status):
            moves.append(Moved(was, record))
    return tell(played.who, moves, with_hidden=played.with_hidden)


def _named(reader: Reader, access: Access, played: PlayedCheck) -> CountdownRecord:
    record = find_countdown(reader, access, played.countdown or "")
    if record.status != Status.RUNNING:
        raise UserError(f"{record.name} is {record.status} and no longer moves.")
    if not (may_read(access, record) or set(played.checks) & set(record.links)):
        raise UserError(
            f"Only a GM can move {record.name}.", "Leave out the countdown; the GM will take care of it."
        )
    return record


def attempt_of(outcome: Outcome, actor: CharacterRecord | None) -> Attempt | None:
    """Return what an outcome means to countdowns; None if it is neither a success nor a failure."""
    passed = outcome.passed
    if passed is None and outcome.verdict is not None:
        passed = {Family.SUCCESS: True, Family.FAILURE: False}.get(outcome.verdict.family)
    if passed is None:
        return None
    return Attempt(
        succeeded=passed,
        side=side_of(actor),
        member=None if actor is None else CharacterId(actor.id),
        skill=outcome.skill or outcome.headline,
        day=day_of(outcome.scene.clock),
    )


def side_of(actor: CharacterRecord | None) -> Side:
    """Return the side an actor is on."""
    return Side.PLAYERS if actor is not None and actor.owner is not None else Side.OPPOSITION


def _concerned(reader: Reader, access: Access, played: PlayedCheck, named: int | None) -> Iterable[int]:
    """Return the countdowns that a result may move, oldest first.

    Naming one countdown of a duel names both: a success moves one, a failure the other.
    """
    running = reader.countdowns(access.campaign.server, access.campaign.id)
    concerned = [one.id for one in running if set(played.checks) & set(one.links)]
    if named is not None:
        found = reader.countdown(access.campaign.server, named)
        rival = None if found is None else found.rival
        concerned += [named] if rival is None else sorted((named, rival))
    return dict.fromkeys(concerned)


def _tried(tx: Transaction, record: CountdownRecord, attempt: Attempt, played: PlayedCheck) -> Telling:
    counted = as_counted(record)
    steps = steps_of(counted, attempt)
    why_not = objection(counted, attempt) if steps > 0 else None
    if why_not is not None:
        may_tell = played.with_hidden or record.visibility == Visibility.OPEN
        return Telling(notes=(why_not,)) if may_tell else NOTHING_TOLD
    moves = keep_moved(tx, record, attempted(counted, attempt))
    news = [one for one in moves if one.after.id not in played.were]
    return tell(played.who, news, with_hidden=played.with_hidden)


# --- time --------------------------------------------------------------------------------------


def pass_time(tx: Transaction, access: Access, clock: int, who: str, *, with_hidden: bool = False) -> Telling:
    """Move the countdowns that advance by themselves once the game clock reaches *clock*."""
    if clock <= access.campaign.clock:
        return NOTHING_TOLD
    telling = NOTHING_TOLD
    server = access.campaign.server
    for found in tx.countdowns(server, access.campaign.id):
        record = tx.countdown(server, found.id)
        if record is None or record.every_seconds is None or record.status != Status.RUNNING:
            continue
        rival = None if record.rival is None else tx.countdown(server, record.rival)
        if rival is None:
            moves = keep_all(tx, ((record, timed(as_counted(record), clock)),))
        else:
            first, second, is_tie = timed_duel(as_counted(record), as_counted(rival), clock)
            moves = keep_all(tx, ((record, first), (rival, second)))
            is_open = {record.visibility, rival.visibility} == {Visibility.OPEN}
            if is_tie and moves and (with_hidden or is_open):
                telling += Telling(notes=(_tie(record, rival),))
        telling += tell(who, moves, with_hidden=with_hidden)
    return telling


def _tie(record: CountdownRecord, rival: CountdownRecord) -> str:
    return (
        f"{record.name} and {rival.name} finish at the same moment: "
        "the GM decides which is first with its buttons."
    )


# --- the end of a session ----------------------------------------------------------------------


def short_ones(reader: Reader, access: Access) -> list[CountdownRecord]:
    """Return the countdowns that the end of the session closes."""
    running = reader.countdowns(access.campaign.server, access.campaign.id)
    return [one for one in running if one.term == Term.SHORT]


def close_short_ones(tx: Transaction, access: Access) -> tuple[Moved, ...]:
    """Close the countdowns meant for a scene."""
    return keep_all(tx, [(one, closed(as_counted(one))) for one in short_ones(tx, access)])


COUNTED = "counted"  # in an entry's facts: the gathering's result that it brought, and what moved with it
PAGE = 100


class SharedPress(Struct, frozen=True):
    """An action at a shared prompt."""

    opening: EntryRecord
    outcome: Outcome  # its result
    rewound: Rewound  # what was rewound before it was done
    under: EntryId | None  # the entry under which it was pressed, if that was rewound
    who: str  # the name it is told under
    with_hidden: bool  # whether only the GM is told


def counts_whole(access: Access, opening: EntryRecord) -> bool:
    """Return whether a shared prompt counts as one check, instead of each answer."""
    key = opened_key(opening)
    return key is not None and gathering_at(access.game, key).result is not None


def count_shared(tx: Transaction, access: Access, press: SharedPress) -> Telling:
    """Count the result of a shared prompt after a press, if it changed."""
    key = opened_key(press.opening) or ""
    gathering = gathering_at(access.game, key)
    result = _result(gathering, key, press.outcome.scene)
    before = _counted_before(tx, press)
    if (None if result is None else result.passed) == (None if before is None else before.passed):
        return NOTHING_TOLD
    were = dict(press.rewound.countdowns)
    if before is not None:
        start, end = before.came
        were |= move_back(tx, access.campaign.server, before.entry.changes[start:end])
    start = tx.changes_so_far()
    linked = fact_of(press.opening, MOVES)
    telling = follow(
        tx,
        access,
        PlayedCheck(
            checks=(key.split("/", 1)[0], *gathering.counts_as),
            attempt=None if result is None else _attempt(tx, access, result, press.outcome.scene),
            who=press.who,
            with_hidden=press.with_hidden,
            again=linked if isinstance(linked, int) else None,
            were=were,
        ),
    )
    came: list[Json] = [start, tx.changes_so_far()]
    passed = None if result is None else result.passed
    return telling + Telling(counted={COUNTED: {"passed": passed, "came": came}})


class _Counted(Struct, frozen=True):
    """The result counted last, and the range of its entry's changes that came of it."""

    entry: EntryRecord
    passed: bool
    came: tuple[int, int]


def _result(gathering: SharedPrompt[Any], key: str, scene: Scene) -> SharedResult | None:
    document = scene.document(key)
    return None if document is None or gathering.result is None else gathering.result(document, scene)


def _attempt(reader: Reader, access: Access, result: SharedResult, scene: Scene) -> Attempt:
    by = reader.character(access.campaign.server, result.by)
    return Attempt(
        succeeded=result.passed,
        side=side_of(by),
        member=result.by,
        skill=result.skill,
        day=day_of(scene.clock),
    )


def _counted_before(reader: Reader, press: SharedPress) -> _Counted | None:
    """Return what was counted last at a shared prompt, if it stands and was not rewound."""
    last = None
    for entry in _parts(reader, press.opening):
        stored = fact_of(entry, COUNTED)
        if isinstance(stored, dict) and isinstance(stored["came"], list):
            passed, (start, end) = stored["passed"], stored["came"]
            is_back = entry.id == press.under or passed is None
            last = None if is_back else _Counted(entry, passed is True, (int(str(start)), int(str(end))))
    return last


def _parts(reader: Reader, opening: EntryRecord) -> Iterator[EntryRecord]:
    """Return the standing entries of a shared prompt, earliest first."""
    later = earliest_first(reader, opening.server, opening.campaign, after=opening.id, page=PAGE)
    return (one for one in later if one.undone_by is None and fact_of(one, PART) == opening.id)
