"""Timed tasks: saved until they are done, and found again after a restart."""

from typing import Final

from bot.store.records import DueTask
from bot.store.transaction import Transaction
from bot.table.base.table import Table

__all__ = [
    "LEFT_SERVER",
    "MISSED",
    "PRESS",
    "RECAP",
    "REMIND",
    "REMIND_EARLY",
    "WELCOMED",
    "DueTask",
    "claim",
    "due",
    "note_done",
]

PRESS: Final = "press"  # press a follow-up that nobody has pressed; its id
RECAP: Final = "recap"  # post the recap of a session that ended by itself; the id of the entry that ended it
LEFT_SERVER: Final = (
    "left"  # delete the data of a server that removed the bot; its id is 0, due since that was
)
MISSED: Final = "missed"  # tell a result about which Discord took no answer; the id of its entry
REMIND: Final = "remind"  # remind people of a planned session; the id of its campaign
REMIND_EARLY: Final = "early"  # remind people of it a day before; the id of its campaign
WELCOMED: Final = "welcomed"  # forget that a server was welcomed; its id is 0, due since that was
CLAIM_SECONDS = 60  # how long somebody has who does a task, before another tries


async def due(table: Table, kind: str) -> tuple[DueTask, ...]:
    """Return the tasks due now that this process has to do, also from before a restart, longest due first."""
    return tuple(await table.store.read(lambda reader: reader.due_tasks(kind, table.now(), table.shards)))


def claim(table: Table, tx: Transaction, task: DueTask) -> bool:
    """Claim a task for a while; return False if somebody else has it or has done it."""
    return tx.postpone_due_task(task, table.now() + CLAIM_SECONDS)


async def note_done(table: Table, task: DueTask) -> None:
    """Note that a task has been done and posted, or is no longer needed."""
    await table.store.run(lambda tx: tx.drop_due_task(task))
