"""The cost of due tasks, however many wait: one statement each, by the index on their time."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.store.migrate import migrate
from bot.store.records import ALL_SHARDS, DueTask, Shards
from bot.store.sqlite import SqliteConnection
from bot.store.transaction import Transaction
from tests.store.rows import HERE

LATER = 5000
TASK = DueTask(server=HERE, kind="press", id=1, due=LATER)


@pytest.fixture
def waiting() -> Iterator[SqliteConnection]:
    """Make a database with 10,000 presses and as many recaps to come."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, factory=SqliteConnection)) as connection:
        migrate(connection)
        rows = ((HERE, kind, id_, LATER + id_) for kind in ("press", "recap") for id_ in range(2, 10_002))
        connection.executemany("INSERT INTO due_tasks VALUES (?, ?, ?, ?)", rows)
        yield connection


def asked_of(connection: SqliteConnection) -> list[str]:
    """Collect every statement that the connection runs from now on."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    return asked


@pytest.mark.parametrize("shards", [ALL_SHARDS, Shards(4, frozenset({0, 2}))])
def test_f_perf_06_finding_due_tasks_is_one_indexed_query_without_writes(
    waiting: SqliteConnection, shards: Shards
) -> None:
    asked, changes = asked_of(waiting), waiting.total_changes

    assert Transaction(waiting).due_tasks("press", LATER, shards) == []

    waiting.set_trace_callback(None)
    (statement,) = asked
    plan = [row[3] for row in waiting.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert plan == ["SEARCH due_tasks USING COVERING INDEX due_tasks_due (kind=? AND due<?)"]
    assert waiting.total_changes == changes


def test_f_perf_06_adding_postponing_or_dropping_a_task_writes_one_row(waiting: SqliteConnection) -> None:
    tx = Transaction(waiting)
    asked, changes = asked_of(waiting), waiting.total_changes

    tx.save_due_task(TASK)
    tx.postpone_due_task(TASK, LATER + 1)
    tx.drop_due_task(TASK)

    assert [statement.split()[0] for statement in asked] == ["INSERT", "UPDATE", "DELETE"]
    assert waiting.total_changes == changes + 3
