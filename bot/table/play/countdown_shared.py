"""Countdowns that count a shared prompt as one check, and count it again when its result changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.rules.kernel import Outcome, Scene, SharedPrompt, SharedResult
from bot.rules.shared.countdowns import Attempt, day_of
from bot.store.records import EntryId, EntryRecord, Json
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import fact_of
from bot.table.journal.entry_pages import earliest_first
from bot.table.journal.gathered import MOVES, PART, gathering_at, opened_key
from bot.table.journal.rewinds import Rewound, move_back
from bot.table.play.countdown_follows import PlayedCheck, follow, side_of
from bot.table.play.countdowns import NOTHING_TOLD, Telling

COUNTED = "counted"  # in an entry's facts: the gathering's result that it brought, and what moved with it
PAGE = 100


@dataclass(frozen=True, slots=True)
class SharedPress:
    """An action at a shared prompt.

    Attributes:
        opening: The entry that opened it.
        outcome: Its result.
        rewound: What was rewound before it was done.
        under: The entry under which it was pressed, if that was rewound.
        who: The name it is told under.
        with_hidden: Whether only the GM is told.
    """

    opening: EntryRecord
    outcome: Outcome
    rewound: Rewound
    under: EntryId | None
    who: str
    with_hidden: bool


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


@dataclass(frozen=True, slots=True)
class _Counted:
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
