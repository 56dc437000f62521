"""Queries for timed tasks."""

from bot.store.queries.base import Reads, Writes
from bot.store.queries.shard_conditions import in_shards
from bot.store.records import DueTask, ServerId, Shards

_DUE = "SELECT server_id, kind, id, due FROM due_tasks WHERE kind = ? AND due <= ?"
_DUE_IN = """
SELECT id, due FROM due_tasks WHERE server_id = ? AND kind = ? AND due <= ? ORDER BY due, id
"""
_ONE = "SELECT due FROM due_tasks WHERE server_id = ? AND kind = ? AND id = ?"
_SAVE = """
INSERT INTO due_tasks (server_id, kind, id, due) VALUES (?, ?, ?, ?)
ON CONFLICT (server_id, kind, id) DO UPDATE SET due = excluded.due
"""
_POSTPONE = """
UPDATE due_tasks SET due = ?
WHERE server_id = ? AND kind = ? AND id = ? AND due = ?
RETURNING id
"""


class DueTaskReads(Reads):
    """Reads due tasks."""

    __slots__ = ()

    def due_task(self, server: ServerId, kind: str, id_: int) -> DueTask | None:
        """Return a task of a server, whenever it is due."""
        found = self._one(_ONE, server, kind, id_)
        return None if found is None else DueTask(server=server, kind=kind, id=id_, due=found[0])

    def due_tasks_of(self, server: ServerId, kind: str, now: int) -> list[DueTask]:
        """Return the due tasks of a kind of one server, longest due first."""
        found = self._all(_DUE_IN, server, kind, now)
        return [DueTask(server=server, kind=kind, id=id_, due=due) for id_, due in found]

    def due_tasks(self, kind: str, now: int, shards: Shards) -> list[DueTask]:
        """Return the due tasks of a kind, of every server of some shards, longest due first."""
        here, numbers = in_shards(shards)
        return [
            DueTask(server=ServerId(server), kind=kind, id=id_, due=due)
            for server, kind, id_, due in self._all(f"{_DUE}{here} ORDER BY due, id", kind, now, *numbers)
        ]


class DueTaskWrites(DueTaskReads, Writes):
    """Writes due tasks."""

    __slots__ = ()

    def save_due_task(self, task: DueTask) -> None:
        """Save a task, or a task's new time; not journalled."""
        self._run(_SAVE, task.server, task.kind, task.id, task.due)

    def postpone_due_task(self, task: DueTask, until: int) -> bool:
        """Postpone a task; return False if its time has changed or it is done. Not journalled."""
        return self._one(_POSTPONE, until, task.server, task.kind, task.id, task.due) is not None

    def drop_due_task(self, task: DueTask) -> None:
        """Forget a task; not journalled."""
        statement = "DELETE FROM due_tasks WHERE server_id = ? AND kind = ? AND id = ?"
        self._run(statement, task.server, task.kind, task.id)
