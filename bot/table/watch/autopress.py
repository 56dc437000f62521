"""Autopress: press a button once, after a while, if nobody has pressed it."""

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord, FollowUpId, FollowUpRecord
from bot.store.transaction import Transaction
from bot.table.base import timed
from bot.table.base.request import Request, by_itself
from bot.table.base.results import follow_up_from_json
from bot.table.base.table import Table
from bot.table.base.timed import DueTask
from bot.table.play.play import Pressed, press_in


async def press_if_open(table: Table, task: DueTask) -> tuple[Pressed, int] | None:
    """Press a follow-up whose time has come; it is pressed only once, however often this is called.

    Args:
        table: The table.
        task: What to press; see `timed.due`.

    Returns:
        The result and its channel; call `timed.note_done` once it is posted. None if somebody
        else has the task or was faster, if play has moved on since, and if the press was undone.
    """

    def unit(tx: Transaction) -> tuple[Pressed, int] | None:
        if not timed.claim(table, tx, task):
            return None
        follow_up = tx.follow_up(task.server, FollowUpId(task.id))
        entry = None if follow_up is None else tx.entry(task.server, follow_up.entry)
        if follow_up is None or entry is None or _is_over(tx, task, follow_up, entry):
            tx.drop_due_task(task)
            return None
        return press_in(table, tx, _request(task, entry), follow_up.id), entry.channel

    try:
        return await table.store.run(unit)
    except UserError:  # what it offers can no longer be done
        await timed.note_done(table, task)
        return None


def _interaction(task: DueTask) -> str:
    return f"press:{task.id}"


def _request(task: DueTask, entry: EntryRecord) -> Request:
    """Return a request in nobody's name; the same follow-up gives the same request."""
    return by_itself(task.server, entry.channel, _interaction(task))


def _is_over(tx: Transaction, task: DueTask, follow_up: FollowUpRecord, entry: EntryRecord) -> bool:
    """Return whether there is nothing left to press or to post.

    A deadline names what closes it, and is checked when the follow-up is pressed. Without one, that is
    any later change to what the follow-up's entry changed.
    """
    pressed = tx.entry_of(task.server, _interaction(task))
    if pressed is not None:
        return pressed.undone_by is not None
    if follow_up.closed_by is not None or entry.undone_by is not None:
        return True
    return follow_up_from_json(follow_up.body).window is None and bool(tx.obstacles(entry))
