"""Re-roll support: revert a result's effects, keep its cost."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Character, CharacterId
from bot.rules.kernel.errors import UserError
from bot.store.records import Change, CountdownRecord, EntryRecord, JsonObject, ServerId, TickRecord
from bot.store.store_errors import Contradiction, NameTaken, OutOfBounds, Overtaken
from bot.store.transaction import Transaction
from bot.table.base.access import Access, as_played
from bot.table.journal.deadlines import consequences, countdowns_in, owners
from bot.table.journal.shared_prompts import is_gathered

COUNTED = frozenset({"countdowns", "countdown_ticks"})


class Overgrown(UserError):
    """One of a result's effects has been changed again since."""

    def __init__(self) -> None:
        super().__init__(
            "You can't change this roll any more: one of its effects has changed since.",
            "A GM can undo the later change first.",
        )


class Rewound(Struct, frozen=True):
    """What a rewind changed, as it was before."""

    characters: Mapping[CharacterId, Character] = {}
    countdowns: Mapping[int, CountdownRecord] = {}


NOTHING = Rewound()


def rewind(tx: Transaction, access: Access, entry: EntryRecord) -> Rewound:
    """Revert an entry's effects.

    A countdown moves back by as much as the entry moved it, whatever has moved it since. A shared
    prompt keeps the old answer until the new one replaces it.

    Raises:
        Overgrown: If one of the effects has been changed again since.
    """
    came = consequences(entry)
    characters = {id_: who for id_ in owners(came) if (who := _character(tx, access, id_)) is not None}
    try:
        tx.take_back(entry.server, [one for one in came if not _is_kept(access, one)])
        countdowns = move_back(tx, entry.server, came)
    except (Contradiction, NameTaken, OutOfBounds, Overtaken) as error:
        raise Overgrown from error
    return Rewound(characters, countdowns)


def move_back(tx: Transaction, server: ServerId, came: Sequence[Change]) -> dict[int, CountdownRecord]:
    """Move countdowns back by as much as they were moved; return them as they were before that.

    Raises:
        Overgrown: If one of them has ended, or was removed, since.
    """
    were: dict[int, CountdownRecord] = {}
    for id_ in sorted(countdowns_in(came)):
        record = tx.countdown(server, id_)
        if record is None:
            raise Overgrown
        were[id_] = record
        tx.save_countdown(_moved_back(record, came))
    return were


def _is_kept(access: Access, change: Change) -> bool:
    """Return whether a change is not simply reverted."""
    if change.table == "documents":
        return is_gathered(access.game, str(change.key["key"]))
    return change.table in COUNTED


def _character(tx: Transaction, access: Access, id_: CharacterId) -> Character | None:
    record = tx.character(access.campaign.server, id_)
    return None if record is None or record.is_retired else as_played(access.game, record)


def _moved_back(record: CountdownRecord, came: Sequence[Change]) -> CountdownRecord:
    """Return a countdown without a move: later moves stay; if the move had ended it, it runs again."""
    for one in came:
        if one.table == "countdowns" and one.key["id"] == record.id:
            record = _with_cells(record, one.before or {}, one.after or {})
        elif one.table == "countdown_ticks" and one.key["countdown_id"] == record.id and one.before is None:
            record = _without_tick(record, int(str(one.key["number"])), one.after or {})
    return record


def _with_cells(record: CountdownRecord, was: JsonObject, now: JsonObject) -> CountdownRecord:
    if "value" in was:
        back = record.value - int(str(now["value"])) + int(str(was["value"]))
        record = replace(record, value=min(max(back, 0), record.difficulty))
    if "status" in was:
        if record.status != now["status"]:
            raise Overgrown
        winner = was.get("winner", record.winner)
        record = replace(record, status=str(was["status"]), winner=None if winner is None else str(winner))
    if "since" in was and record.since == now["since"]:
        record = replace(record, since=int(str(was["since"])))
    return record


def _without_tick(record: CountdownRecord, number: int, tick: JsonObject) -> CountdownRecord:
    """Remove a move if it is the last; otherwise leave a move of 0 steps in its place.

    Args:
        number: The move's number, counted from 1; lower if moves before it were undone.
        tick: The move as stored.
    """
    was = TickRecord(
        steps=int(str(tick["steps"])),
        character=None if tick["character_id"] is None else int(str(tick["character_id"])),
        skill=str(tick["skill"]),
        day=int(str(tick["day"])),
    )
    ticks = list(record.ticks)
    places = [place for place, one in enumerate(ticks[:number]) if one == was]
    if not places:
        raise Overgrown
    if places[-1] == len(ticks) - 1:
        return replace(record, ticks=record.ticks[:-1])
    ticks[places[-1]] = replace(was, steps=0)
    return replace(record, ticks=tuple(ticks))
