"""What the bot does by itself at a certain time: saved until it is done, found again after a restart."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.rules.kernel import FollowUp
from bot.store.boundary import Transaction
from bot.store.records import DueTask, EntryRecord, FollowUpRecord
from bot.table.base.results import follow_up_to_json
from bot.table.base.table import Table

__all__ = ["PRESS", "RECAP", "DueTask", "claim", "due", "note_done", "save_follow_ups"]

PRESS: Final = "press"  # press a follow-up that nobody has pressed; its id
RECAP: Final = "recap"  # post the recap of a session that ended by itself; the id of the entry that ended it
CLAIM_SECONDS = 60  # how long somebody has who does a task, before another tries


async def due(table: Table, kind: str) -> tuple[DueTask, ...]:
    """What is to be done now, also from before a restart; the longest due comes first."""
    return tuple(await table.store.read(lambda reader: reader.due_tasks(kind, table.now())))


def claim(table: Table, tx: Transaction, task: DueTask) -> bool:
    """Take a task for yourself for a while; False where somebody else has it, or has done it."""
    return tx.postpone_due_task(task, table.now() + CLAIM_SECONDS)


async def note_done(table: Table, task: DueTask) -> None:
    """Note that a task has been done and told, or need not be done any more."""
    await table.store.run(lambda tx: tx.drop_due_task(task))


def save_follow_ups(
    tx: Transaction, entry: EntryRecord, follow_ups: Sequence[FollowUp]
) -> list[FollowUpRecord]:
    """Save what can be done after an entry; what is secret does not press itself."""
    if entry.is_secret:
        follow_ups = [replace(one, after_seconds=None) for one in follow_ups]
    saved = tx.add_follow_ups(
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
    for record, follow_up in zip(saved, follow_ups, strict=True):
        if follow_up.after_seconds:
            due_at = entry.at + follow_up.after_seconds
            tx.save_due_task(DueTask(server=entry.server, kind=PRESS, id=record.id, due=due_at))
    return saved
