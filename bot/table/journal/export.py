"""Export the journal as a file anybody can check: JSON Lines, described in ``docs/journal.md``."""

import json
from collections.abc import AsyncIterator
from functools import partial

from bot.store.records import EntryId, EntryRecord, JsonObject, SeedRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, access_here
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.journal.entry_access import may_read

FORMAT = "tablekeeper-journal"
VERSION = 1
PAGE = 500


async def export_lines(table: Table, request: Request, session: int | None = None) -> AsyncIterator[str]:
    """Yield the campaign's journal line by line, with one page in memory at a time.

    The GM gets everything; others get what is public and what was told to them alone.

    Args:
        table: The table.
        request: Who asks.
        session: Only entries of this session.

    Yields:
        Lines with their line ends.
    """
    head, last = await table.store.read(partial(_head, table=table, request=request, session=session))
    for line in head:
        yield _text(line)
    count, after = 0, EntryId(0)
    while after < last:
        lines, after = await table.store.read(
            partial(_page, table=table, request=request, session=session, after=after, last=last)
        )
        count += len(lines)
        for line in lines:
            yield _text(line)
    yield _text({"type": "end", "entries": count})


def _text(line: JsonObject) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _head(
    reader: Reader, table: Table, request: Request, session: int | None
) -> tuple[list[JsonObject], EntryId]:
    """Return the first lines, and the id of the latest entry."""
    access = access_here(table, reader, request)
    server, campaign = access.campaign.server, access.campaign.id
    first: JsonObject = {
        "type": "journal",
        "format": FORMAT,
        "version": VERSION,
        "campaign": access.campaign.name,
        "ruleset": access.game.key,
        "title": access.game.title,
        "exported_at": table.now(),
        "session": session,
        "is_whole": access.is_gm,
    }
    latest = reader.entries(server, campaign, limit=1)
    return [first, *map(_seed_line, reader.seeds(server, campaign))], latest[0].id if latest else EntryId(0)


def _seed_line(seed: SeedRecord) -> JsonObject:
    return {
        "type": "seed",
        "number": seed.number,
        "commitment": seed.commitment,
        "secret": None if seed.revealed_at is None else seed.secret.hex(),
        "revealed_at": seed.revealed_at,
    }


def _page(
    reader: Reader, table: Table, request: Request, session: int | None, after: EntryId, last: EntryId
) -> tuple[list[JsonObject], EntryId]:
    """Return the next entries up to *last* that the person may read, and where the next page starts."""
    access = access_here(table, reader, request)
    server, campaign = access.campaign.server, access.campaign.id
    page = reader.entries(server, campaign, session=session, after=after, newest_first=False, limit=PAGE)
    lines = [_entry_line(access, one) for one in page if one.id <= last and may_read(access, one)]
    return lines, page[-1].id if len(page) == PAGE else last


def _entry_line(access: Access, entry: EntryRecord) -> JsonObject:
    message = dict(entry.told)
    message.pop("facts", None)
    line: JsonObject = {
        "type": "entry",
        "entry": entry.id,
        "at": entry.at,
        "session": entry.session,
        "kind": entry.kind,
        "interaction": entry.interaction,
        "seed": entry.seed,
        "person": entry.person,
        "person_name": entry.person_name,
        "character": entry.character,
        "told": message,
        "rolls": entry.rolls,
        "is_secret": entry.is_secret,
        "undone_by": entry.undone_by,
        "undoes": entry.undoes,
    }
    if access.is_gm:
        line["rows"] = [
            {"table": change.table, "key": change.key, "before": change.before, "after": change.after}
            for change in entry.changes
        ]
    return line
