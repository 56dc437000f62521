"""Results that were saved, and that nobody was told because Discord took no answer."""

from collections.abc import Sequence

from msgspec import Struct

from bot.rules.kernel.errors import UserError
from bot.store.records import DueTask, EntryId, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base import live_rows
from bot.table.base.access import Request
from bot.table.base.live_rows import MISSED, RECAP, MessagePlace, opening_of
from bot.table.base.results import Result, result_of
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.journal import entry_result

SESSION_END = "session.end"
Waiting = tuple[int, int]  # a server and a person


class Missed(Struct, frozen=True, kw_only=True):
    """A saved result that is still to be told."""

    task: DueTask  # the task of telling it; `timed.note_done` ends it
    at: int  # when it was done
    channel: int  # where
    has_rolls: bool  # whether dice were rolled
    result: Result | None  # the result; None where only a GM may see it
    place: MessagePlace  # the message that shows it

    @property
    def is_public(self) -> bool:
        """Whether everybody may be told."""
        return self.result is not None and self.result.message.is_public


async def note(table: Table, server: ServerId, interaction: str) -> Missed | None:
    """Note that the answer to an interaction was not taken; return what of it is to be told, if anything."""

    def unit(tx: Transaction) -> Missed | None:
        entry = tx.entry_of(server, interaction)
        if entry is None:
            return None
        if entry.kind == SESSION_END:  # its recap is posted as after an end that nobody pressed
            tx.save_due_task(DueTask(server=server, kind=RECAP, id=entry.id, due=table.now()))
            return None
        task = DueTask(server=server, kind=MISSED, id=entry.id, due=table.now())
        tx.save_due_task(task)
        return Missed(
            task=task,
            at=entry.at,
            channel=entry.channel,
            has_rolls=bool(entry.rolls),
            result=None if entry.is_secret else result_of(entry, tx.follow_ups(server, entry.id)),
            place=MessagePlace(server, opening_of(tx, entry).id),
        )

    return await table.store.run(unit)


async def waiting(table: Table) -> set[Waiting]:
    """Return who is still to be told something."""

    def query(reader: Reader) -> set[Waiting]:
        return _waiting(reader, reader.due_tasks(MISSED, _claimed_until(table), table.shards))

    return await table.store.read(query)


@look()
def is_waiting(at: ReadTurn) -> bool:
    """Return whether whoever asks is still to be told something."""
    server = at.server
    tasks = at.reader.due_tasks_of(server, MISSED, _claimed_until(at.table))
    return (server, at.request.person) in _waiting(at.reader, tasks)


def _claimed_until(table: Table) -> int:
    """Return when also that is due which somebody has just begun to tell, and may never have told."""
    return table.now() + live_rows.CLAIM_SECONDS


def _waiting(reader: Reader, tasks: Sequence[DueTask]) -> set[Waiting]:
    found = [reader.entry(task.server, EntryId(task.id)) for task in tasks]
    return {(one.server, one.person) for one in found if one is not None}


async def claim(table: Table, request: Request) -> Sequence[Missed]:
    """Return what is to be told to whoever asks now, oldest first; nobody else gets it meanwhile."""

    def unit(tx: Transaction) -> list[tuple[DueTask, int, int, bool, MessagePlace]]:
        claimed = []
        for task in tx.due_tasks_of(request.server, MISSED, table.now()):
            entry = tx.entry(task.server, EntryId(task.id))
            if entry is not None and entry.person == request.person and live_rows.claim(table, tx, task):
                place = MessagePlace(task.server, opening_of(tx, entry).id)
                claimed.append((task, entry.at, entry.channel, bool(entry.rolls), place))
        return claimed

    return [
        Missed(
            task=task,
            at=at,
            channel=channel,
            has_rolls=has_rolls,
            result=await _result(table, request, EntryId(task.id)),
            place=place,
        )
        for task, at, channel, has_rolls, place in await table.store.run(unit)
    ]


async def _result(table: Table, request: Request, entry: EntryId) -> Result | None:
    try:
        return await entry_result(table, request, entry)
    except UserError:  # only a GM may see it
        return None
