"""What happens by itself: buttons pressed after a while, data of left servers deleted."""

from collections.abc import Callable
from functools import partial

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord, FollowUpId, FollowUpRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base import timed
from bot.table.base.live_rows import MessagePlace, place_with
from bot.table.base.request import Request, by_itself
from bot.table.base.results import follow_up_from_json
from bot.table.base.table import Table
from bot.table.base.timed import LEFT_SERVER, WELCOMED, DueTask
from bot.table.play.play import Pressed, press_in


async def press_if_open(table: Table, task: DueTask) -> tuple[Pressed, int] | None:
    """Press a follow-up whose time has come; it is pressed only once, however often this is called.

    Args:
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


async def message_of(table: Table, task: DueTask) -> MessagePlace | None:
    """Return the message under which a follow-up stands; None if it is gone."""

    def query(reader: Reader) -> MessagePlace | None:
        follow_up = reader.follow_up(task.server, FollowUpId(task.id))
        return None if follow_up is None else place_with(reader, MessagePlace(task.server, follow_up.entry))

    return await table.store.read(query)


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


DAY_SECONDS = 24 * 3600
Presence = Callable[[ServerId], bool | None]


async def welcome(table: Table, server: ServerId) -> bool:
    """Return whether a server that has added the bot is to be told how to begin; it is told once.

    One that takes the bot back is told again only after its data would have been deleted, and one that
    has a campaign never.
    """

    def unit(tx: Transaction) -> bool:
        if tx.campaigns(server) or tx.due_task(server, WELCOMED, 0) is not None:
            return False
        tx.save_due_task(DueTask(server=server, kind=WELCOMED, id=0, due=table.now()))
        return True

    return await table.store.run(unit)


async def look_after(table: Table, presence: Presence) -> tuple[ServerId, ...]:
    """Note which servers removed the bot or took it back, and delete what has waited long enough.

    Args:
        presence: Whether the bot is in a server; None if somebody else has to know.

    Returns:
        The servers whose data was deleted now.
    """
    new, back = await table.store.read(lambda reader: _changed(table, reader, presence))
    for server in (*new, *back):
        await table.store.run(partial(_note, server=server, now=table.now(), presence=presence))
    before = table.now() - round(table.left_server_days * DAY_SECONDS)
    waited = await table.store.read(lambda reader: reader.due_tasks(LEFT_SERVER, before, table.shards))
    gone = [task for task in waited if presence(task.server) is False]
    for task in await table.store.read(lambda reader: reader.due_tasks(WELCOMED, before, table.shards)):
        await timed.note_done(table, task)
    return tuple([task.server for task in gone if await _delete(table, task, presence)])


async def look_at(table: Table, server: ServerId, presence: Presence) -> None:
    """Note that one server removed the bot or took it back, if it has a campaign."""
    if await table.store.read(lambda reader: reader.campaigns(server)):
        await table.store.run(lambda tx: _note(tx, server, table.now(), presence))


def _changed(table: Table, reader: Reader, presence: Presence) -> tuple[list[ServerId], list[ServerId]]:
    """Return the servers that removed the bot and are not noted, and those noted that have it again."""
    noted = [task.server for task in reader.due_tasks(LEFT_SERVER, table.now(), table.shards)]
    known = frozenset(noted)
    new = [
        server for server in reader.servers(table.shards) if server not in known and presence(server) is False
    ]
    return new, [server for server in noted if presence(server)]


def _note(tx: Transaction, server: ServerId, now: int, presence: Presence) -> None:
    """Note that a server removed the bot, or forget it; each in a unit of its own, which locks one server."""
    noted, is_there = tx.due_task(server, LEFT_SERVER, 0), presence(server)
    if noted is None and is_there is False:
        tx.save_due_task(DueTask(server=server, kind=LEFT_SERVER, id=0, due=now))
    elif noted is not None and is_there:
        tx.drop_due_task(noted)


async def _delete(table: Table, task: DueTask, presence: Presence) -> bool:
    """Delete everything of a server, unless that is done or no longer to be done."""

    def unit(tx: Transaction) -> bool:
        is_due = tx.due_task(task.server, task.kind, task.id) == task and presence(task.server) is False
        if is_due:
            tx.purge_server(task.server)  # this task too
        return is_due

    return await table.store.run(unit)
