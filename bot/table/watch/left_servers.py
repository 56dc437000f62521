"""Delete the data of servers that removed the bot, after some time."""

from collections.abc import Callable

from bot.store.boundary import Reader, Transaction
from bot.store.records import DueTask, ServerId
from bot.table.base.table import Table
from bot.table.base.timed import LEFT_SERVER

DAY_SECONDS = 24 * 3600
Presence = Callable[[ServerId], bool | None]


async def look_after(table: Table, presence: Presence) -> tuple[ServerId, ...]:
    """Note which servers removed the bot or took it back, and delete what has waited long enough.

    Args:
        table: The table.
        presence: Whether the bot is in a server; None if somebody else has to know.

    Returns:
        The servers whose data was deleted now.
    """
    new, back = await table.store.read(lambda reader: _changed(table, reader, presence))
    if new or back:
        await table.store.run(lambda tx: _note(table, tx, presence))
    before = table.now() - round(table.left_server_days * DAY_SECONDS)
    waited = await table.store.read(lambda reader: reader.due_tasks(LEFT_SERVER, before, table.shards))
    gone = [task for task in waited if presence(task.server) is False]
    return tuple([task.server for task in gone if await _delete(table, task, presence)])


def _changed(table: Table, reader: Reader, presence: Presence) -> tuple[list[DueTask], list[DueTask]]:
    """Return the tasks to save for servers that removed the bot, and those of servers that have it again."""
    now, shards = table.now(), table.shards
    noted = reader.due_tasks(LEFT_SERVER, now, shards)
    known = {task.server for task in noted}
    new = [server for server in reader.servers(shards) if server not in known and presence(server) is False]
    back = [task for task in noted if presence(task.server)]
    return [DueTask(server=server, kind=LEFT_SERVER, id=0, due=now) for server in new], back


def _note(table: Table, tx: Transaction, presence: Presence) -> None:
    new, back = _changed(table, tx, presence)
    for task in new:
        tx.save_due_task(task)
    for task in back:
        tx.drop_due_task(task)


async def _delete(table: Table, task: DueTask, presence: Presence) -> bool:
    """Delete everything of a server, unless that is done or no longer to be done."""

    def unit(tx: Transaction) -> bool:
        is_due = task in tx.due_tasks(LEFT_SERVER, task.due, table.shards) and presence(task.server) is False
        if is_due:
            tx.purge_server(task.server)  # this task too
        return is_due

    return await table.store.run(unit)
