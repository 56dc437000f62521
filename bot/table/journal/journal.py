"""The journal: record what was done, look entries up, undo them, and revert a result for a re-roll."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Character, CharacterId, Ruleset
from bot.rules.kernel.errors import UserError
from bot.store.connection import Contradiction, NameTaken, OutOfBounds, Overtaken
from bot.store.records import (
    Change,
    CountdownRecord,
    DraftRecord,
    EntryId,
    EntryRecord,
    JsonObject,
    ServerId,
    TickRecord,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, Request, access_in, as_played
from bot.table.base.live_rows import MessagePlace, opening_of
from bot.table.base.results import (
    UNDO,
    ChangeLine,
    Message,
    Result,
    can_undo,
    known_changes,
    message_from_json,
    result_of,
    stands_in_the_way,
    why_it_stays,
)
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, earlier_answer, look, record, unit
from bot.table.journal.entries import (
    consequences,
    countdowns_in,
    earliest_first,
    latest_first,
    may_see,
    owners,
    seen_by,
    without_expired,
)
from bot.table.journal.shared_prompts import is_gathered, shown_with

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


PAGE = 100  # entries that are looked through at once
WITH_FIRST = "+"  # in an interaction's id, before the number of an entry that is undone with the first


def all_obstacles(tx: Transaction, target: EntryRecord, *, with_hidden: bool = True) -> list[EntryRecord]:
    """Return everything built on *target*, directly or indirectly, latest first.

    If an undo is among it, undoing that would restore what it had undone: of this, whatever
    is later than *target* is included too; and so is whatever is undone with *target*.
    """
    together = undone_with(tx, target)
    found: dict[EntryId, EntryRecord] = {one.id: one for one in together}
    waiting = [target, *together]
    while waiting:
        one = waiting.pop()
        for later in tx.obstacles(replace(one, changes=known_changes(one, with_hidden=with_hidden))):
            if later.id not in found and later.id != target.id:
                again = [one for one in taken_back_by(tx, later) if one.id > target.id]
                new = [one for one in (later, *again) if one.id not in found]
                found.update((one.id, one) for one in new)
                waiting += new
    return sorted(found.values(), key=lambda one: one.id, reverse=True)


def undone_with(tx: Reader, first: EntryRecord) -> list[EntryRecord]:
    """Return those further entries of a press that are undone with its first, earliest first."""
    return [one for one in _all_with(tx, first) if one.undone_by is None]


def _all_with(tx: Reader, first: EntryRecord) -> list[EntryRecord]:
    found: list[EntryRecord] = []
    while one := tx.entry_of(first.server, f"{first.interaction}{WITH_FIRST}{len(found) + 1}"):
        found.append(one)
    return found


def taken_back_by(tx: Reader, undo_entry: EntryRecord) -> list[EntryRecord]:
    """Return what an undo took back, earliest first."""
    target = None if undo_entry.undoes is None else tx.entry(undo_entry.server, undo_entry.undoes)
    if target is None:
        return []
    # Whatever was taken back together with it came later, or belongs to the same press.
    after = EntryId(min(one.id for one in (target, *_all_with(tx, target))) - 1)
    place = undo_entry.server, undo_entry.campaign
    between = earliest_first(tx, *place, after=after, before=undo_entry.id, page=PAGE)
    return [entry for entry in between if entry.undone_by == undo_entry.id]


def is_action(entry: EntryRecord) -> bool:
    """Return whether an entry rolled or changed something; mere look-ups are no obstacle."""
    return bool(entry.rolls or entry.changes)


DRAFT = "draft"  # in an entry's facts: the answers of the draft that it finished


def revert(tx: Transaction, entry: EntryRecord) -> None:
    """Revert an entry's changes, as far as they can be undone."""
    tx.revert(replace(entry, changes=known_changes(entry, with_hidden=True)))
    facts = entry.told.get("facts")
    answers = facts.get(DRAFT) if isinstance(facts, dict) else None
    if not isinstance(answers, dict) or tx.draft_of(entry.server, entry.campaign, entry.person):
        return
    tx.save_draft(
        DraftRecord(
            server=entry.server, campaign=entry.campaign, person=entry.person, step="", answers=answers
        )
    )


class UndoAsks(Struct, frozen=True):
    """Nothing was undone yet: a whole character would go."""

    entry: EntryId
    message: Message  # its text
    needs_gm: bool = False  # whether a GM is asked for leave next


def question_before(target: EntryRecord, *, needs_gm: bool) -> UndoAsks | None:
    """Return the question to ask before an undo; None if nothing has to be asked.

    Args:
        target: The entry to undo.
        needs_gm: Whether a GM is asked for leave next.
    """
    if not makes_character(target):
        return None
    return UndoAsks(target.id, message_from_json(target.told), needs_gm)


def makes_character(entry: EntryRecord) -> bool:
    """Return whether an entry made a player's character."""
    return any(
        one.table == "characters" and one.before is None and one.after is not None and one.after.get("owner")
        for one in entry.changes
    )


async def is_kept(table: Table, server: ServerId, interaction: str) -> bool:
    """Return whether the journal has an entry for an interaction."""
    return await table.store.read(lambda reader: reader.entry_of(server, interaction) is not None)


@look()
def entry_result(at: ReadTurn, entry: EntryId) -> Result:
    """The message in which an entry of the journal is shown, as it stands now.

    Raises:
        UserError: If there is none that the person may see.
    """
    found = at.reader.entry(at.server, entry)
    campaign = None if found is None else at.reader.campaign(at.server, found.campaign)
    access = None if campaign is None else access_in(at.table, at.reader, at.request, campaign)
    if found is None or access is None or not may_see(access, found):
        raise UserError("That entry is no longer in the journal.")
    result = (shown_with if found.undone_by is None else without_expired)(at.reader, access.game, found)
    result = seen_by(at.reader, access, found, result)
    return replace(result, number=at.reader.count_actions(at.server, found.campaign, found.id))


# --- taking back -------------------------------------------------------------------------------


class Undone(Struct, frozen=True):
    """The result of an undo."""

    result: Result  # the text of the undo
    target: Result  # the message that shows the undone entry, as it is from now on
    place: MessagePlace  # where that message is


class InTheWay(Struct, frozen=True):
    """A later entry that builds on the one to undo."""

    entry: EntryId
    message: Message


class UndoBlocked(Struct, frozen=True):
    """Nothing was undone, because later entries build on it."""

    entry: EntryId
    message: Message  # its text
    in_the_way: tuple[InTheWay, ...]  # the later entries, latest first; they can be undone together with it
    needs_gm: bool = False  # whether a GM has to give leave for that


class NothingToUndo(UserError):
    """The person's last action changed nothing that can be undone.

    Args:
        last: That action.
    """

    def __init__(self, last: EntryRecord) -> None:
        what = "Your last roll changed nothing" if last.rolls else "Your last action can't be undone"
        super().__init__(
            f"{what}: {message_from_json(last.told).sentence}.",
            try_this="To undo something older, press Undo under it.",
        )


class UndoNeedsGm(Struct, frozen=True):
    """Nothing was undone yet: a GM must confirm. Something that only the GM knows of is no told reason."""

    entry: EntryId
    message: Message  # its text
    together: bool  # whether to undo everything that builds on it too
    asked_by: str  # the name of who asks
    has_dice: bool = False  # whether dice were rolled for any of it
    is_others: bool = False  # whether any of it is somebody else's


@unit()
def undo(
    at: Turn,
    entry: EntryId | None = None,
    *,
    together: bool = False,
    is_sure: bool = False,
) -> Undone | UndoBlocked | UndoNeedsGm | UndoAsks:
    """Undo an entry: everything it changed is as it was before.

    A player may undo their own entries without dice; a GM anything.

    Args:
        entry: The entry to undo; by default the person's own last one.
        together: Whether to undo whatever builds on it too.
        is_sure: Whether the person has confirmed; if not, they are asked before a whole character goes.

    Raises:
        NothingToUndo: If the person's own last action changed nothing.
        UserError: If there is nothing to undo.
    """
    access = at.access if entry is None else _access_of(at, entry)
    again = at.tx.entry_of(at.server, at.request.interaction)
    if again is not None and again.undoes is not None:
        return _undone(at.tx, access.game, result_of(again, ()), again.undoes, at.request)
    target = _last_own(at.tx, access) if entry is None else _standing(at.tx, access, entry)
    obstacles = all_obstacles(at.tx, target, with_hidden=access.is_gm)
    for one in (target, *obstacles):
        _require_reversible(at.tx, one, target)
    with_it = {one.id for one in undone_with(at.tx, target)}
    actions = [one for one in obstacles if is_action(one) and one.id not in with_it]
    needs_gm = not access.is_gm and any(_is_beyond(at.request, one) for one in (target, *actions))
    if actions and not together:
        in_the_way = tuple(InTheWay(one.id, _message_for(access, one)) for one in actions)
        return UndoBlocked(target.id, message_from_json(target.told), in_the_way, needs_gm)
    asked = None if is_sure or together else question_before(target, needs_gm=needs_gm)
    if asked is not None:
        return asked
    if needs_gm:
        return UndoNeedsGm(
            target.id,
            message_from_json(target.told),
            together,
            at.request.person_name,
            has_dice=any(one.seed is not None for one in (target, *actions)),
            is_others=any(one.person != at.request.person for one in (target, *actions)),
        )
    return _take_back(at.within(access), target, obstacles)


HIDDEN_MESSAGE = Message(who="", headline="Something only the GM knows about", is_public=False)


def _message_for(access: Access, entry: EntryRecord) -> Message:
    return message_from_json(entry.told) if may_see(access, entry) else HIDDEN_MESSAGE


def _require_reversible(tx: Reader, entry: EntryRecord, target: EntryRecord) -> None:
    """Raise `UserError` for an entry that can't be undone, ever or any more."""
    if entry is not target and stands_in_the_way(entry, target):
        raise UserError(*why_it_stays(entry.kind))
    if entry.kind == "session.end":
        latest = tx.sessions(entry.server, entry.campaign)[0].number
        if latest != entry.session:
            raise UserError(
                f"Session {latest} has started since, so session {entry.session} stays ended.",
                "You can set what it reset by hand with /gm set.",
            )


def _is_beyond(request: Request, entry: EntryRecord) -> bool:
    """Return whether a player needs a GM to undo an entry: not their own, or with dice in it."""
    return entry.person != request.person or entry.seed is not None or known_changes(entry) != entry.changes


def _last_own(tx: Reader, access: Access) -> EntryRecord:
    """Return the person's last action that stands.

    Raises:
        NothingToUndo: If it changed nothing.
        UserError: If there is none.
    """
    request = access.request
    for entry in latest_first(tx, request.server, access.campaign.id, person=request.person, page=PAGE):
        if entry.kind == UNDO or entry.undone_by is not None or not is_action(entry):
            continue
        if not may_see(access, entry):  # rolled for the GM's eyes only
            continue
        if not can_undo(entry):
            raise NothingToUndo(entry)
        return entry
    raise UserError("You have nothing to undo here.", "See what was done with /log.")


def _access_of(at: ReadTurn, id_: EntryId) -> Access:
    """Return the person's access to the campaign of an entry, wherever they ask."""
    entry = at.reader.entry(at.server, id_)
    campaign = None if entry is None else at.reader.campaign(at.server, entry.campaign)
    return at.access if campaign is None else access_in(at.table, at.reader, at.request, campaign)


def _standing(tx: Reader, access: Access, id_: EntryId) -> EntryRecord:
    entry = tx.entry(access.request.server, id_)
    if entry is None or entry.campaign != access.campaign.id or not may_see(access, entry):
        raise UserError(
            "There is no such entry in this campaign's journal.", try_this="See all of them with /log."
        )
    if entry.undone_by is not None:
        raise UserError("That has already been undone.")
    if not known_changes(entry, with_hidden=access.is_gm):
        raise UserError(*why_it_stays(entry.kind))
    if entry.kind == UNDO and not access.is_gm:
        raise ForGmOnly("Only a GM can undo an undo.")
    return entry


def _take_back(at: Turn, target: EntryRecord, obstacles: Sequence[EntryRecord]) -> Undone:
    together = sorted((*obstacles, target), key=lambda one: one.id, reverse=True)
    for one in together:
        revert(at.tx, one)
    message = message_from_json(target.told)
    known = [one for one in obstacles if is_action(one) and (target.is_secret or not one.is_secret)]
    notes = tuple(
        f"Also undone: {later.sentence}." for later in (message_from_json(one.told) for one in known)
    )
    result = record(
        at.table,
        at.tx,
        at.access,
        UNDO,
        Message(
            who=at.request.person_name,
            headline=_did_to(at.tx, target),
            changes=_put_back([message_from_json(one.told) for one in (*known, target)]),
            notes=notes,
            is_public=message.is_public,
        ),
        undoes=target.id,
        is_secret=target.is_secret,
    )
    for one in together:
        at.tx.mark_undone(one, result.entry)
        _stand_again(at.tx, one)
    return _undone(at.tx, at.game, result, target.id, at.request)


def _did_to(tx: Reader, target: EntryRecord) -> str:
    """What an undo did: it undid an entry, or redid what that had undone."""
    undone = None if target.undoes is None else tx.entry(target.server, target.undoes)
    if undone is None:
        return f"undoes: {message_from_json(target.told).sentence}"
    return f"redoes: {message_from_json(undone.told).sentence}"


def _put_back(taken_back: Sequence[Message]) -> tuple[ChangeLine, ...]:
    """Return what is as it was before, in words, latest undone entry first."""
    lines: dict[tuple[str, str], ChangeLine] = {}
    for line in (line for message in taken_back for line in message.changes):
        was = lines.get((line.who, line.what))
        lines[line.who, line.what] = ChangeLine(
            line.who, line.what, line.after if was is None else was.before, line.before
        )
    return tuple(line for line in lines.values() if line.before != line.after)


def _undone(tx: Reader, game: Ruleset, result: Result, target: EntryId, request: Request) -> Undone:
    entry = tx.entry(request.server, target)
    if entry is None:  # it has just been taken back
        raise LookupError(f"entry {target} is gone")
    place = MessagePlace(request.server, opening_of(tx, entry).id)
    return Undone(result, shown_with(tx, game, entry), place)


def _stand_again(tx: Transaction, undo_entry: EntryRecord) -> None:
    """Restore the entries that an undo had undone, once that undo is undone itself."""
    for entry in taken_back_by(tx, undo_entry):
        tx.mark_undone(entry, None)
        _fall_again(tx, entry)


def _fall_again(tx: Transaction, undo_entry: EntryRecord) -> None:
    """Undo again the entries of an undo that stands again."""
    target = None if undo_entry.undoes is None else tx.entry(undo_entry.server, undo_entry.undoes)
    if target is None:
        return
    for entry in (target, *all_obstacles(tx, target)):
        if entry.id < undo_entry.id and entry.undone_by is None:
            tx.mark_undone(entry, undo_entry.id)
            _stand_again(tx, entry)


EACH = "#"  # in an interaction's id, before the number of an entry that is undone by itself


def as_part(request: Request, number: int, mark: str = EACH) -> Request:
    """Return a request for one of the entries, numbered without gaps.

    Args:
        request: The press.
        number: Which of its entries.
        mark: Whether each is undone by itself, or all with the first; see `WITH_FIRST`.
    """
    return replace(request, interaction=f"{request.interaction}{mark}{number}") if number else request


def told_parts_before(
    reader: Reader, request: Request, mark: str = EACH, *, first: int = 0
) -> tuple[Result, ...]:
    """Return the answers given when the same press came the first time.

    Args:
        request: The press.
        mark: See `as_part`.
        first: The number of the first entry: 1 where an entry without a number would be another answer.
    """
    told: list[Result] = []
    while (one := earlier_answer(reader, as_part(request, first + len(told), mark))) is not None:
        told.append(one)
    return tuple(told)
