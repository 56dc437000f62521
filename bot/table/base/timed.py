"""What presses itself after a while: noted with its time until it is done, found again after a restart."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import FollowUp
from bot.store.boundary import Reader, Transaction
from bot.store.records import EntryId, EntryRecord, FollowUpId, FollowUpRecord, ServerId
from bot.table.base.results import follow_up_to_json

TIMED = "presses to come"


@dataclass(frozen=True, slots=True)
class Timed:
    """A follow-up that presses itself.

    Attributes:
        server: Where.
        id: Which follow-up.
        entry: What it stands under.
        at: When, in whole seconds since 1970.
    """

    server: ServerId
    id: FollowUpId
    entry: EntryId
    at: int


def noted(reader: Reader) -> tuple[Timed, ...]:
    """Everything that is going to press itself, of every server."""
    kept: list[list[int]] = json.loads(reader.meta(TIMED) or "[]")  # of an earlier version with a fifth
    return tuple(
        Timed(ServerId(server), FollowUpId(id_), EntryId(entry), at) for server, id_, entry, at, *_ in kept
    )


def _keep(tx: Transaction, all_of_them: Sequence[Timed]) -> None:
    kept = [[one.server, one.id, one.entry, one.at] for one in all_of_them]
    tx.set_meta(TIMED, json.dumps(kept))


def keep_follow_ups(
    tx: Transaction, entry: EntryRecord, follow_ups: Sequence[FollowUp]
) -> list[FollowUpRecord]:
    """Keep what can be done after an entry; what is secret does not press itself."""
    if entry.is_secret:
        follow_ups = [replace(one, after_seconds=None) for one in follow_ups]
    kept = tx.add_follow_ups(
        [
            FollowUpRecord(
                server=entry.server,
                campaign=entry.campaign,
                entry=entry.id,
                body=follow_up_to_json(one),
                group=one.group,
            )
            for one in follow_ups
        ]
    )
    waits = [(record.id, one.after_seconds) for record, one in zip(kept, follow_ups, strict=True)]
    new = [Timed(entry.server, id_, entry.id, entry.at + wait) for id_, wait in waits if wait]
    if new:
        _keep(tx, (*noted(tx), *new))
    return kept


def forget(tx: Transaction, one: Timed) -> None:
    """Forget something that has pressed itself, or that need not any more."""
    before = noted(tx)
    left = [other for other in before if (other.server, other.id) != (one.server, one.id)]
    if len(left) < len(before):
        _keep(tx, left)
