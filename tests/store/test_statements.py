"""Every statement says of which server it is, so that rows can be distributed by server."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from bot.store.migrate import migrate
from bot.store.postgres.postgres_connection import for_postgres
from bot.store.records import EntryId, EntryRecord
from bot.store.sqlite import SqliteConnection
from bot.store.transaction import TABLES, Reader, Transaction
from tests.store.contract.test_scoping import QUERIES, fill
from tests.store.rows import HERE, an_entry

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
