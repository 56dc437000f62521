"""Every statement says of which server it is, so that rows can be distributed by server."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.store.connection import StoreUnavailable
from bot.store.migrate import migrate
from bot.store.postgres.postgres_connection import for_postgres
from bot.store.postgres.server_turns import GivenUp, ServerBusy, ServerTurns, UnitTurn, WaitingUnit
from bot.store.records import ALL_SHARDS, DueTask, EntryId, EntryRecord, Shards
from bot.store.sqlite import SqliteConnection
from bot.store.transaction import TABLES, Reader, Transaction
from tests.store.contract.test_scoping import QUERIES, fill
from tests.store.rows import ELSEWHERE, HERE, an_entry

ABOUT_PEOPLE = frozenset({"entries_by", "names_of", "rows_naming"})  # for one who asks what is stored
OF_SERVERS = frozenset({*TABLES, "server_commands", "servers"})


class Recording(SqliteConnection):
    """A connection that remembers what it was asked."""

    asked: list[str]

    def execute(self, statement: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement."""
        self.asked.append(statement)
        return super().execute(statement, parameters)


@pytest.fixture
def connection() -> Iterator[Recording]:
    """A connection to an empty database in memory."""
    Recording.asked = []
    with closing(sqlite3.connect(":memory:", isolation_level=None, factory=Recording)) as opened:
        migrate(opened)
        opened.asked = []
        yield opened


def beyond_servers(connection: Recording) -> list[str]:
    """Return what was asked of servers' tables without saying which server."""
    asked = [for_postgres(statement) for statement in connection.asked]
    return [one.text.decode() for one in asked if one.tables & OF_SERVERS and one.server_at is None]


def read_whole(connection: Recording) -> list[str]:
    """Return what was asked that goes through all entries or follow-ups of a server."""
    found = []
    for statement in dict.fromkeys(connection.asked):
        values = (None,) * statement.count("?")
        plan = sqlite3.Connection.execute(connection, f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
        if any(re.match(r"SEARCH (entries|follow_ups) .*\(server_id=\?\)$", row[3]) for row in plan):
            found.append(statement)
    return found


def make(connection: Recording) -> EntryRecord:
    return fill(Transaction(connection), HERE, [])


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_says_its_server_and_reads_no_more_than_it_wants(name: str, connection: Recording) -> None:
    entry = make(connection)
    connection.asked.clear()

    QUERIES[name](Reader(connection), HERE, entry)
    QUERIES[name](Transaction(connection), HERE, entry)  # which may ask for more, to remember it

    assert connection.asked
    assert beyond_servers(connection) == []
    assert name in ABOUT_PEOPLE or read_whole(connection) == []


def test_what_waits_for_an_answer_is_found_among_nothing_else(connection: Recording) -> None:
    entry = make(connection)
    connection.asked.clear()

    Reader(connection).entries_owing(HERE, entry.campaign, among=99, limit=9)

    (statement,) = connection.asked
    values = (None,) * statement.count("?")
    plan = sqlite3.Connection.execute(connection, f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    assert plan[0][3].startswith("SEARCH follow_ups USING INDEX follow_ups_owed ")


def test_writes_say_their_server_and_read_no_more_than_they_want(connection: Recording) -> None:
    entry = make(connection)
    tx = Transaction(connection)
    connection.asked.clear()
    tx.follow_ups_of(HERE, [entry.id, EntryId(2), EntryId(3)])
    tx.obstacles(entry)
    tx.revert(entry)
    undo = tx.add_entry(an_entry(entry.campaign, "undo"))
    tx.mark_undone(entry, undo.id)
    tx.close_follow_ups(HERE, entry.id, "a", undo.id)
    for task in tx.due_tasks_of(HERE, "own", 5000):
        tx.postpone_due_task(task, 6000)
        tx.drop_due_task(task)
    assert read_whole(connection) == []

    tx.replace_person(HERE, 11, 5, "Nobody", lambda told, rolls, _is_theirs: (told, rolls))
    tx.purge_server(HERE, "purge")

    assert len(connection.asked) > 50
    assert beyond_servers(connection) == []


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


@pytest.fixture
def turns() -> ServerTurns:
    return ServerTurns()


@dataclass
class Unit:
    """A unit that waits for its turn, and what became of it."""

    turns: ServerTurns
    is_cancelled: bool = False
    has_begun: bool = False
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turn = UnitTurn(self.turns)
        self.turn.wait(HERE, WaitingUnit(self.begin, lambda error: self.errors.append(error.reason)))

    def begin(self) -> bool:
        self.has_begun = not self.is_cancelled
        return self.has_begun


def test_the_unit_that_has_waited_longest_is_next(turns: ServerTurns) -> None:
    running = UnitTurn(turns)
    running.take(HERE)
    first, second = Unit(turns), Unit(turns)

    running.end(None)

    assert (first.has_begun, second.has_begun) == (True, False)
    first.turn.end(ZeroDivisionError())
    assert second.has_begun


def test_a_busy_server_is_said_and_is_free_again_at_the_end(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    one.take(HERE)

    with pytest.raises(ServerBusy) as busy:
        other.take(HERE)
    one.end(None)

    assert busy.value.server == HERE
    other.take(HERE)


def test_a_second_server_needs_no_turn(turns: ServerTurns) -> None:
    one, other = UnitTurn(turns), UnitTurn(turns)
    other.take(ELSEWHERE)
    one.take(HERE)

    one.take(ELSEWHERE)
    one.end(None)

    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(ELSEWHERE)


def test_a_unit_whose_turn_is_free_by_now_begins_at_once(turns: ServerTurns) -> None:
    unit = Unit(turns)

    assert unit.has_begun
    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(HERE)


def test_cancelled_units_are_passed_over(turns: ServerTurns) -> None:
    running = UnitTurn(turns)
    running.take(HERE)
    cancelled = [Unit(turns, is_cancelled=True) for _ in range(2000)]
    last = Unit(turns)

    running.end(None)

    assert last.has_begun
    assert not any(unit.has_begun for unit in cancelled)
    cancelled[0].turn.end(None)  # it has no turn that it could end
    with pytest.raises(ServerBusy):
        UnitTurn(turns).take(HERE)


def test_a_cancelled_unit_leaves_a_free_server_free(turns: ServerTurns) -> None:
    Unit(turns, is_cancelled=True)

    assert turns.take(HERE)


def test_units_that_would_wait_in_vain_fail_together(turns: ServerTurns) -> None:
    failing = UnitTurn(turns)
    failing.take(HERE)
    units = [Unit(turns) for _ in range(3)]

    failing.end(StoreUnavailable("It is down."))

    assert [unit.errors for unit in units] == [["It is down."]] * 3
    assert turns.take(HERE)


def test_a_transaction_that_is_given_up_fails_alone(turns: ServerTurns) -> None:
    failing = UnitTurn(turns)
    failing.take(HERE)
    unit = Unit(turns)

    failing.end(GivenUp("Try again."))

    assert unit.has_begun
    assert unit.errors == []
