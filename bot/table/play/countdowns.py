"""Countdowns: convert between records and rules, and decide what may be told about them."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.shared.countdowns import (
    Countdown,
    Kind,
    Limits,
    Side,
    Status,
    Term,
    Tick,
    Visibility,
    boxes,
    duelled,
    lone_hint,
    weight_of,
)
from bot.store.records import CountdownRecord, TickRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import NOTHING_TOLD, ChangeLine, Telling

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
