"""Read the journal page by page, and list entries to choose from."""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice, Roll
from bot.rules.kernel.errors import UserError
from bot.store.records import EVERYBODY, EntryId, EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import Message, can_undo, message_from_json
from bot.table.base.stored_rolls import roll_from_json
from bot.table.base.turn import ReadTurn, look
from bot.table.base.typed_options import note_of
from bot.table.journal.entries import latest_first, may_read
from bot.table.journal.journal import is_action

PAGE = 10
BATCH = 100
MOSTLY_READ = 2 * PAGE  # entries that a page is mostly found among
MOST_OFFERED = 25
MOST_SESSIONS, MOST_CHARACTERS = 6, 13  # in the menu of a page
KINDS = {"rolls": "Rolls", "changes": "Changes without dice", "undone": "Undone", "secret": "Secret"}


class LogLine(Struct, frozen=True, kw_only=True):
    """One entry of the journal in a list."""

    entry: EntryId
    number: int  # its number in the campaign's log
    at: int  # when it happened
    message: Message  # the text that was posted
    outcome: str  # the results of its rolls, if the text has no verdict of its own
    session: int | None  # the session it happened in, or None
    is_secret: bool  # whether only the GM sees it, or only those to whom it is revealed
    is_undone: bool


class HiddenLines(Struct, frozen=True):
    """Entries in a row that the reader may not read, by their numbers in the log."""

    first: int
    last: int


class LogFilter(Struct, frozen=True, kw_only=True):
    """What of the log is wanted; None for all."""

    character: str | int | None = None  # the acting character, by name or id
    person: int | None = None  # who did it
    session: int | None = None  # the session it happened in
    kind: str | None = None

    @property
    def is_by_content(self) -> bool:
        """Return whether it would tell something of the entries that it leaves out."""
        return any(one is not None for one in (self.character, self.person, self.kind))


EVERYTHING = LogFilter()


class LogPage(Struct, frozen=True, kw_only=True):
    """A page of the journal, latest entry first."""

    campaign: str  # name of the campaign
    lines: tuple[LogLine | HiddenLines, ...]  # the entries, and between them how many the reader may not read
    only: LogFilter = EVERYTHING  # what of it is wanted; its character by id
    about: str = ""  # the name of that character, and of that person, where known
    is_latest: bool  # whether this is the newest page
    older_than: EntryId | None  # the last entry, if there are older ones; else None
    filters: tuple[Choice, ...] = ()  # what the page can be limited to instead
    is_gm: bool = False  # whether a GM reads it


@look()
def page(
    at: ReadTurn,
    only: LogFilter = EVERYTHING,
    *,
    before: EntryId | None = None,
) -> LogPage:
    """Return a page of the campaign's journal, as far as the person may read it.

    Args:
        only: What of it is wanted.
        before: Only entries older than this one.
    """
    if only.kind not in {None, *KINDS}:
        raise UserError("The log has no entries of that kind.", "Choose one from the list.")
    who = None if only.character is None else at.character(only.character)
    wanted = replace(only, character=None if who is None else who.id)
    lines, last = _lines(at.reader, at.access, wanted, before)
    return LogPage(
        campaign=at.campaign.name,
        lines=tuple(lines),
        only=wanted,
        about="" if who is None else who.name,
        is_latest=before is None,
        older_than=last,
        filters=_filters(at.reader, at.access),
        is_gm=at.is_gm,
    )


def _filters(reader: Reader, access: Access) -> tuple[Choice, ...]:
    """Return what to choose from in the page's menu: kinds, sessions, characters."""
    server, campaign = access.campaign.server, access.campaign.id
    kinds = (Choice(f"kind/{key}", name) for key, name in KINDS.items())
    sessions = reader.sessions(server, campaign)[:MOST_SESSIONS]
    numbered = (Choice(f"session/{one.number}", f"Session {one.number}") for one in sessions)
    found = reader.character_names(server, campaign, with_hidden=access.is_gm)
    by_player = sorted(found, key=lambda one: one.owner is None)[:MOST_CHARACTERS]
    named = (Choice(f"character/{one.id}", one.name) for one in by_player)
    own = Choice(f"person/{access.request.person}", "Done by you")
    return (Choice("all", "Everything"), own, *kinds, *numbered, *named)


def _lines(
    reader: Reader, access: Access, only: LogFilter, before: EntryId | None
) -> tuple[list[LogLine | HiddenLines], EntryId | None]:
    """Return the lines of a page, and its last entry if there are older ones."""
    lines: list[LogLine | HiddenLines] = []
    is_whole = only.character is None and only.person is None and only.session is None
    last, number, known = None, 0, _Numbers(reader, is_whole=is_whole)
    for place, entry in enumerate(_actions(reader, access, only, before)):
        is_readable = may_read(access, entry)
        if not (_is_wanted(entry, only) if is_readable else not only.is_by_content):
            continue
        number = known.of(entry, place)
        latest = lines[-1] if lines else None
        if not is_readable and isinstance(latest, HiddenLines) and latest.first == number + 1:
            lines[-1] = HiddenLines(number, latest.last)
        elif len(lines) == PAGE:
            return lines, last
        else:
            lines.append(_line(access, entry, number) if is_readable else HiddenLines(number, number))
        last = entry.id
    return lines, None


class _Numbers:
    """Numbers entries, latest first.

    Args:
        is_whole: Whether the places of the entries are those among all of the campaign.
    """

    def __init__(self, reader: Reader, *, is_whole: bool) -> None:
        self._reader = reader
        self._is_whole = is_whole
        self._last: tuple[EntryId, int, int] | None = None

    def of(self, entry: EntryRecord, place: int) -> int:
        """Return the number of an entry, which comes before those asked for so far.

        Args:
            entry: The entry; it has rolls or changes.
            place: Its place among the entries that have any, latest first.
        """
        campaign = (entry.server, entry.campaign)
        if self._last is None:
            number = self._reader.count_actions(*campaign, entry.id)
        else:
            later, number, before = self._last
            between = place - before
            if not self._is_whole:
                between = self._reader.count_actions(*campaign, later, after=entry.id)
            number -= between
        self._last = entry.id, number, place
        return number


def _actions(
    reader: Reader, access: Access, only: LogFilter, before: EntryId | None
) -> Iterator[EntryRecord]:
    character = only.character if isinstance(only.character, int) else None
    entries = latest_first(
        reader,
        access.campaign.server,
        access.campaign.id,
        character=character,
        person=only.person,
        session=only.session,
        before=before,
        page=BATCH,
        first=MOSTLY_READ,
    )
    return filter(is_action, entries)


def _is_wanted(entry: EntryRecord, only: LogFilter) -> bool:
    match only.kind:
        case "rolls":
            return bool(entry.rolls)
        case "changes":
            return not entry.rolls
        case "undone":
            return entry.undone_by is not None
        case "secret":
            return entry.is_secret
        case _:
            return True


def _line(access: Access, entry: EntryRecord, number: int) -> LogLine:
    message = message_from_json(entry.told)
    gave_way = note_of(entry) if access.is_gm else None
    if gave_way is not None:
        message = replace(message, headline=f"{message.headline}; {gave_way}")
    titles = () if message.verdict else _titles([roll_from_json(stored) for stored in entry.rolls])
    return LogLine(
        entry=entry.id,
        number=number,
        at=entry.at,
        message=message,
        outcome=", ".join(titles),
        session=entry.session,
        is_secret=entry.is_secret and EVERYBODY not in entry.revealed_to,
        is_undone=entry.undone_by is not None,
    )


def _titles(rolls: Sequence[Roll]) -> Iterator[str]:
    """Return each roll's result, with its roller if there are several."""
    for roll in rolls:
        name = roll.roller.name if roll.roller and len(rolls) > 1 else ""
        yield f"{name}: {roll.verdict.title}" if name else roll.verdict.title


@look(gm=True)
def undo_choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the latest entries that a GM may undo, to choose from; each by its number in the log."""
    place, wanted = (at.server, at.campaign.id), typed.strip().casefold()
    actions = at.reader.newest_actions(*place, among=BATCH)
    newest = at.reader.count_actions(*place, actions[0]) if actions else 0
    numbers = {id_: newest - later for later, id_ in enumerate(actions)}
    entries = at.reader.changing_entries(*place, among=BATCH)
    standing = ((numbers[one.id], one) for one in entries if can_undo(one, with_hidden=True))
    offered = (Choice(str(number), _label(number, entry)) for number, entry in standing)
    return list(islice((one for one in offered if wanted in one.label.casefold()), MOST_OFFERED))


@look()
def numbered(at: ReadTurn, number: int) -> EntryId:
    """Return the entry that has a number in the campaign's log.

    Raises:
        UserError: If there is none.
    """
    found = at.reader.action_at(at.server, at.campaign.id, number)
    if found is None:
        raise UserError("There is no such journal entry.", "Choose one from the list.")
    return found


def _label(number: int, entry: EntryRecord) -> str:
    message = message_from_json(entry.told)
    return f"{number} · {message.sentence}"[:100]
