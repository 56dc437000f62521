"""News between processes: who holds a server's shard is told of what another process has written there.

PostgreSQL's NOTIFY takes a lock that all of its databases share, so that nothing is sent for what a process
writes in its own servers. It is a hint: whoever was not listening at that moment is never told.
"""

from collections.abc import Iterable

from bot.store.records import EntryId, EntryRecord, Kept, ServerId, Shards

CHANNEL = "tablekeeper"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', ?)"


def payloads(kept: Iterable[Kept], shards: Shards) -> list[str]:
    """Return what others have to be told: each entry in a server that this process doesn't hold, once."""
    of_others = (f"{one.server} {one.entry}" for one in kept if not shards.has(one.server))
    return list(dict.fromkeys(of_others))


def read_payload(payload: str) -> tuple[ServerId, EntryId] | None:
    """Return the server and the entry of a payload; None if it has no sense."""
    parts = payload.split(" ")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    return ServerId(int(parts[0])), EntryId(int(parts[1]))


def news_of(entry: EntryRecord) -> Kept:
    """Return news of an entry that another process added, undid or restored: whatever it may have changed."""
    return Kept(
        entry.server,
        entry.campaign,
        frozenset(change.table for change in entry.changes),
        turned=entry.id,
        character=entry.character,
        entry=entry.id,
    )
