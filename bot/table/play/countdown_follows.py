"""Automatic moves of countdowns: by results of checks, game time and the end of a session."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from bot.rules.kernel import CharacterId, Family, Outcome, Scene, SharedPrompt, SharedResult
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import (
    Attempt,
    Side,
    Status,
    Term,
    Visibility,
    attempted,
    closed,
    day_of,
    objection,
    steps_of,
    timed,
    timed_duel,
)
from bot.store.records import CharacterRecord, CountdownRecord, EntryId, EntryRecord, Json
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import NOTHING_TOLD, Telling, fact_of
from bot.table.journal.entry_pages import earliest_first
from bot.table.journal.rewinds import Rewound, move_back
from bot.table.journal.shared_prompts import MOVES, PART, gathering_at, opened_key
from bot.table.play.countdowns import Moved, as_counted, find_countdown, keep_all, keep_moved, may_read, tell


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
