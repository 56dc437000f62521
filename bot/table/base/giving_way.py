"""Hidden names give way: a player may take one, or trying names would reveal what the GM hides."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from bot.store.records import CharacterRecord, EntryRecord, Json
from bot.store.transaction import Transaction
from bot.table.base.access import Access
from bot.table.base.clean_names import LONGEST_NAME
from bot.table.base.results import fact_of

GAVE_WAY = "gave_way"  # in an entry's facts: the names that something hidden had before and after


def gives_way(access: Access, bearer: CharacterRecord) -> bool:
    """Return whether somebody may take a name because its bearer is hidden from them."""
    return bearer.is_hidden and not access.is_gm and bearer.owner != access.request.person


def make_room(tx: Transaction, access: Access, name: str) -> dict[str, Json]:
    """Rename the hidden bearer of a name; return facts for the entry."""
    server, campaign = access.request.server, access.campaign.id
    bearer = tx.character_named(server, campaign, name)
    if bearer is None or not gives_way(access, bearer):
        return {}
    numbered = (f"{bearer.name[: LONGEST_NAME - 4]} {number}" for number in count(2))
    other = next(one for one in numbered if tx.character_named(server, campaign, one) is None)
    tx.save_character(replace(bearer, name=other))
    return {GAVE_WAY: [bearer.name, other]}


def note_of(entry: EntryRecord) -> str | None:
    """Return the note about it that the GM reads in the log."""
    names = fact_of(entry, GAVE_WAY)
    if not isinstance(names, list):
        return None
    return f"your hidden {names[0]} is now called {names[1]}"
