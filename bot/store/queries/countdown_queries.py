"""Queries for countdowns with their ticks, and for boards."""

from bot.store.connection import Found
from bot.store.journalled_tables import COUNTDOWN_TICKS, COUNTDOWNS, Key, Row, from_text, to_text
from bot.store.queries.base import Reads, RecordRows, Writes, in_shards
from bot.store.records import BoardRecord, CampaignId, CountdownRecord, DueTask, ServerId, Shards, TickRecord
from bot.store.rows import name_key
from bot.store.store_errors import Contradiction

_COUNTDOWN = f"SELECT id, {', '.join(COUNTDOWNS.columns)} FROM countdowns"  # noqa: S608 - names are constants
_NAMED = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND name_key = ?
ORDER BY status = 'running' DESC, id DESC LIMIT 1
"""
_RUNNING = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND status = 'running' ORDER BY id LIMIT ?
"""
_OVER = f"""
{_COUNTDOWN} WHERE server_id = ? AND campaign_id = ? AND status IN ('resolved', 'closed')
ORDER BY id DESC LIMIT ?
"""
_COUNTDOWNS = RecordRows(
    CountdownRecord, COUNTDOWNS.columns, links=(lambda text: tuple(from_text(text)), to_text)
)
_TICKS = RecordRows(TickRecord, COUNTDOWN_TICKS.columns)
_BOARDS = RecordRows(BoardRecord, ("server_id", "campaign_id", "kind", "channel", "message", "shown"))
_BOARD = "SELECT server_id, campaign_id, kind, channel, message, shown FROM boards"
_KEEP_BOARD = """
INSERT INTO boards (server_id, campaign_id, kind, channel, message, shown) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (server_id, campaign_id, kind)
DO UPDATE SET channel = excluded.channel, message = excluded.message, shown = excluded.shown
"""


class CountdownReads(Reads):
    """Reads countdowns and boards."""

    __slots__ = ()

    def countdown(self, server: ServerId, countdown: int) -> CountdownRecord | None:
        """Return a countdown by id, even if it is over."""
        row = self._rows.row(COUNTDOWNS, server, (countdown,))
        return None if row is None else self._countdown(server, countdown, row)

    def countdown_named(self, server: ServerId, campaign: CampaignId, name: str) -> CountdownRecord | None:
        """Return the campaign's countdown of that name: the running one, else the latest that is over."""
        found = self._one(_NAMED, server, campaign, name_key(name))
        return None if found is None else self._countdown(server, found[0], found[1:])

    def countdowns(
        self, server: ServerId, campaign: CampaignId, *, are_over: bool = False, limit: int = 1000
    ) -> list[CountdownRecord]:
        """Return the campaign's running countdowns, oldest first; or those that are over, latest first."""
        statement = _OVER if are_over else _RUNNING
        found = self._rows.answer(COUNTDOWNS.name, statement, server, campaign, limit)
        return [self._countdown(server, row[0], row[1:]) for row in found]

    def board(self, server: ServerId, campaign: CampaignId, kind: str) -> BoardRecord | None:
        """Return a board of a campaign."""
        where = "WHERE server_id = ? AND campaign_id = ? AND kind = ?"
        found = self._one(f"{_BOARD} {where}", server, campaign, kind)
        return None if found is None else _BOARDS.read(found)

    def boards(self, server: ServerId, campaign: CampaignId) -> list[BoardRecord]:
        """Return every board of a campaign, by kind."""
        found = self._all(f"{_BOARD} WHERE server_id = ? AND campaign_id = ? ORDER BY kind", server, campaign)
        return [_BOARDS.read(row) for row in found]

    def every_board(self, kind: str, shards: Shards) -> list[BoardRecord]:
        """Return the boards of a kind, and of kinds below it, of some shards; only for updating them."""
        here, numbers = in_shards(shards)
        where = f"WHERE (kind = ? OR kind LIKE ? || '/%'){here} ORDER BY server_id, campaign_id, kind"
        return [_BOARDS.read(row) for row in self._all(f"{_BOARD} {where}", kind, kind, *numbers)]

    def _countdown(self, server: ServerId, id_: int, row: Found) -> CountdownRecord:
        ticks = self._rows.rows_of(COUNTDOWN_TICKS, server, id_)
        moves = tuple(_TICKS.read(tick) for tick in ticks.values())
        return _COUNTDOWNS.read(row, id=id_, server=server, ticks=moves)


class CountdownWrites(CountdownReads, Writes):
    """Writes countdowns and boards."""

    __slots__ = ()

    def save_countdown(self, countdown: CountdownRecord) -> int:
        """Save a new countdown (id 0) or a changed one with its ticks; journalled.

        Raises:
            NameTaken: If another running one of the campaign has the name.
            OutOfBounds: If its value is not between 0 and its difficulty.
        """
        server, id_ = countdown.server, countdown.id
        before = self._changes.row(COUNTDOWNS, server, (id_,)) if id_ else None
        if id_ and before is None:
            raise Contradiction(f"there is no countdown {id_} to change")
        id_ = id_ or self._next_id(server, "countdowns")
        self._changes.write(COUNTDOWNS, server, (id_,), before, _COUNTDOWNS.row(countdown))
        after: dict[Key, Row] = {
            (id_, number): _TICKS.row(tick) for number, tick in enumerate(countdown.ticks, start=1)
        }
        self._save_ticks(server, id_, after)
        return id_

    def drop_countdown(self, server: ServerId, countdown: int) -> None:
        """Remove a countdown with its ticks; journalled. Its rival in a duel loses its rival."""
        row = self._changes.row(COUNTDOWNS, server, (countdown,))
        if row is None:
            return
        rivals = "SELECT id FROM countdowns WHERE server_id = ? AND rival = ? ORDER BY id"
        for (id_,) in self._all(rivals, server, countdown):
            rival = self._changes.row(COUNTDOWNS, server, (id_,))
            if rival is not None:
                self._changes.write(COUNTDOWNS, server, (id_,), rival, _without_rival(rival))
        self._save_ticks(server, countdown, {})
        self._changes.put(COUNTDOWNS, server, (countdown,), None)

    def _save_ticks(self, server: ServerId, countdown: int, after: dict[Key, Row]) -> None:
        before = self._rows.rows_of(COUNTDOWN_TICKS, server, countdown)
        for key in sorted(before.keys() | after.keys(), key=lambda one: int(str(one[1]))):
            self._changes.write(COUNTDOWN_TICKS, server, key, before.get(key), after.get(key))

    def save_board(self, board: BoardRecord) -> None:
        """Save where a board is and what it shows; not journalled."""
        self._run(_KEEP_BOARD, *_BOARDS.row(board))

    def drop_board(self, server: ServerId, campaign: CampaignId, kind: str) -> None:
        """Forget a board; not journalled."""
        statement = "DELETE FROM boards WHERE server_id = ? AND campaign_id = ? AND kind = ?"
        self._run(statement, server, campaign, kind)


def _without_rival(row: Row) -> Row:
    place = COUNTDOWNS.columns.index("rival")
    return (*row[:place], None, *row[place + 1 :])


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
