"""Read the journal page by page, and list entries to choose from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import Choice, Roll
from bot.store.boundary import Reader
from bot.store.records import EntryId, EntryRecord
from bot.table.base.access import Access, access_here, find_character
from bot.table.base.giving_way import note_of
from bot.table.base.request import Request
from bot.table.base.results import Message, known_changes, message_from_json
from bot.table.base.stored_rolls import roll_from_json
from bot.table.base.table import Table
from bot.table.journal.export import may_read
from bot.table.journal.obstacles import is_action

PAGE = 10
BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the journal in a list.

    Attributes:
        entry: Its id.
        at: When it happened.
        message: The text that was posted.
        outcome: The results of its rolls, if the text has no verdict of its own.
        session: The session it happened in, or None.
        is_secret: Whether only the GM sees it.
        is_undone: Whether it was undone.
    """

    entry: EntryId
    at: int
    message: Message
    outcome: str
    session: int | None
    is_secret: bool
    is_undone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """A page of the journal, latest entry first.

    Attributes:
        campaign: Name of the campaign.
        lines: The entries.
        character: Id of the character that they are about, or None for all.
        is_latest: Whether this is the newest page.
        older_than: The last entry, if there are older ones; else None.
    """

    campaign: str
    lines: tuple[LogLine, ...]
    character: int | None
    is_latest: bool
    older_than: EntryId | None


async def page(
    table: Table, request: Request, *, character: str | int | None = None, before: EntryId | None = None
) -> LogPage:
    """Return a page of the campaign's journal, as far as the person may read it.

    Args:
        table: The table.
        request: Who asks.
        character: Only this character's entries; by name or id.
        before: Only entries older than this one.
    """

    def query(reader: Reader) -> LogPage:
        access = access_here(table, reader, request)
        who = None if character is None else find_character(reader, access, character).id
        found: list[EntryRecord] = []
        for entry in _readable(reader, access, who, before):
            found.append(entry)
            if len(found) > PAGE:
                break
        shown = found[:PAGE]
        return LogPage(
            campaign=access.campaign.name,
            lines=tuple(_line(access, entry) for entry in shown),
            character=who,
            is_latest=before is None,
            older_than=shown[-1].id if len(found) > PAGE else None,
        )

    return await table.store.read(query)


def _readable(
    reader: Reader, access: Access, character: int | None, before: EntryId | None
) -> Iterator[EntryRecord]:
    while True:
        batch = reader.entries(
            access.campaign.server, access.campaign.id, character=character, before=before, limit=BATCH
        )
        yield from (entry for entry in batch if is_action(entry) and may_read(access, entry))
        if len(batch) < BATCH:
            return
        before = batch[-1].id


def _line(access: Access, entry: EntryRecord) -> LogLine:
    message = message_from_json(entry.told)
    gave_way = note_of(entry) if access.is_gm else None
    if gave_way is not None:
        message = replace(message, headline=f"{message.headline}; {gave_way}")
    titles = () if message.verdict else _titles([roll_from_json(stored) for stored in entry.rolls])
    return LogLine(
        entry=entry.id,
        at=entry.at,
        message=message,
        outcome=", ".join(titles),
        session=entry.session,
        is_secret=entry.is_secret,
        is_undone=entry.undone_by is not None,
    )


def _titles(rolls: Sequence[Roll]) -> Iterator[str]:
    """Return each roll's result, with its roller if there are several."""
    for roll in rolls:
        name = roll.roller.name if roll.roller and len(rolls) > 1 else ""
        yield f"{name}: {roll.verdict.title}" if name else roll.verdict.title


async def undo_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the latest entries that a GM may undo, to choose from."""

    def query(reader: Reader) -> list[Choice]:
        access = access_here(table, reader, request)
        access.require_gm()
        latest = reader.entries(access.campaign.server, access.campaign.id, limit=BATCH)
        standing = (one for one in latest if known_changes(one, with_hidden=True) and one.undone_by is None)
        offered = [Choice(str(entry.id), _label(entry)) for entry in standing]
        return [one for one in offered if typed.strip().casefold() in one.label.casefold()][:25]

    return await table.store.read(query)


def _label(entry: EntryRecord) -> str:
    message = message_from_json(entry.told)
    return f"{entry.id} · {message.who} {message.headline}"[:100]
