"""A connection to PostgreSQL, with what it does in its own way."""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from secrets import randbits
from typing import Any, TypeAlias

import psycopg
from msgspec import Struct
from psycopg import errors
from psycopg.conninfo import make_conninfo

from bot.store.connection import COUNTED, Found, StatementResult, TableColumn, refusal_of
from bot.store.postgres.impatient_link import (
    BEGIN_READING,
    LONG_ANSWER_SECONDS,
    TAKE_LONG,
    CommitUnanswered,
    ImpatientLink,
    address_of,
    name_of,
    outage,
)
from bot.store.postgres.server_turns import UNKNOWN, GivenUp, ServerMemories, UnitTurn
from bot.store.records import ServerId
from bot.store.rows import Memory, put_answer
from bot.store.transaction import StoreObserver

MOST_STATEMENTS = 2048  # remembered; those with lists of parameters come in several lengths

_FUNCTIONS = (
    # In the order of bytes this ignores the case of a to z, as SQLite's does.
    (re.compile(r"\bLIKE\b"), "ILIKE"),
    (re.compile(r"\binstr\("), "strpos("),
    (re.compile(r"\bgroup_concat\(([\w.]+)\)"), r"string_agg(CAST(\1 AS TEXT), ',' ORDER BY \1)"),
)
_SCOPE = re.compile(r"\bserver_id = \?")
_INSERT = re.compile(r"INSERT INTO \w+ \(([^)]*)\)\s*VALUES")
_WRITES = ("INSERT", "UPDATE", "DELETE")
_PATIENT_TABLES = frozenset(
    [
        "boards",
        "countdown_ticks",
        "current_characters",
        "documents",
        "drafts",
        "due_tasks",
        "entries",
        "follow_ups",
        "gms",
        "meetings",
        "messages",
        "meta",
        "places",
        "resources",
        "reveals",
        "timers",
        "wounds",
    ]
)
_PATIENT_UPDATES = ("UPDATE characters SET sheet = %s WHERE", "UPDATE sessions SET active_at = %s WHERE")
_TABLES = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?!SET\b)(\w+)")


class PostgresStatement(Struct, frozen=True):
    """A statement for PostgreSQL."""

    text: bytes
    tables: frozenset[str]  # what it reads or writes
    is_write: bool  # whether it changes something
    # Whether it may be run later: it has no result, and no unit goes on after its refusal, unless it says so
    # by `at_once`.
    can_wait: bool
    server_at: int | None  # which parameter is the server; None if it concerns no single one

    def server_of(self, parameters: Sequence[object]) -> ServerId | None:
        """Return the server that the statement concerns; None if it concerns no single one."""
        server = None if self.server_at is None else parameters[self.server_at]
        return ServerId(server) if isinstance(server, int) else None


@lru_cache(maxsize=MOST_STATEMENTS)
def for_postgres(statement: str) -> PostgresStatement:
    """Return a statement of the queries as PostgreSQL wants it."""
    text = statement.strip().replace("%", "%%").replace("?", "%s")
    for theirs, ours in _FUNCTIONS:
        text = theirs.sub(ours, text)
    is_write, tables = text.startswith(_WRITES), frozenset(_TABLES.findall(text))
    is_patient = tables <= _PATIENT_TABLES or text.startswith(_PATIENT_UPDATES)
    return PostgresStatement(
        text.encode(),
        tables,
        is_write=is_write,
        can_wait=is_write and is_patient and "RETURNING" not in text,
        server_at=_server_at(statement.strip()),
    )


def _server_at(statement: str) -> int | None:
    """Return which parameter is the server: the one compared with `server_id`, or inserted there."""
    inserted = _INSERT.match(statement)
    if inserted:
        columns = [column.strip() for column in inserted[1].split(",")]
        return columns.index("server_id") if "server_id" in columns else None
    compared = _SCOPE.search(statement)
    return statement.count("?", 0, compared.end() - 1) if compared else None


Link: TypeAlias = "psycopg.Connection[Found]"
Sent: TypeAlias = tuple[bytes, Sequence[Any]]  # a statement with its parameters

_VERSION = b"SELECT version FROM servers WHERE server_id = %s"
_HOLD = f"SELECT version, {', '.join(COUNTED)} FROM servers WHERE server_id = %s FOR NO KEY UPDATE".encode()  # noqa: S608 - constants
_KNOW = b"INSERT INTO servers (server_id) VALUES (%s) ON CONFLICT (server_id) DO NOTHING"
_COUNT = f"UPDATE servers SET version = %s, {' = %s, '.join(COUNTED)} = %s WHERE server_id = %s".encode()  # noqa: S608 - the same
_VERSION_BITS = 62
_MOST_ROWS_REMEMBERED = 64  # of one query
_NOT_REMEMBERED = frozenset({"handout_pictures", "portraits"})
_OF_NO_SERVER = frozenset({"meta"})
_COLUMNS = """
SELECT
    pg_class.relname,
    attname,
    atttypid = CAST('text' AS REGTYPE),
    array_position(CAST(indkey AS SMALLINT []), attnum)
FROM pg_class
INNER JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_index ON pg_index.indrelid = pg_class.oid AND indisprimary
WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS REGNAMESPACE)
ORDER BY pg_class.relname, attnum
"""


class PostgresReading:
    """A connection to PostgreSQL in a read-only transaction; see `bot.store.connection.DatabaseConnection`.

    It begins with the first statement, and sees what was committed then.

    Args:
        link: psycopg's connection.
        memories: What is remembered of servers.
    """

    IntegrityError: type[Exception] = psycopg.IntegrityError
    _begin = BEGIN_READING

    def __init__(self, link: Link, memories: ServerMemories) -> None:
        self._link = link
        self._memories = memories
        self._known: dict[ServerId, Memory] = {}  # of the servers that were asked about
        self._older: dict[ServerId, int] = {}  # the version that was remembered of each before
        self._has_begun = False

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> StatementResult:
        """Run a statement."""
        return self._sent(for_postgres(statement), parameters)

    def look_up(self, statement: str, parameters: Sequence[Any] = (), /) -> list[Found]:
        """Run a statement, and return its rows; those of a query about one server are remembered."""
        asked = for_postgres(statement)
        server = asked.server_of(parameters)
        if server is None or asked.is_write or not asked.tables.isdisjoint(_NOT_REMEMBERED):
            return self._sent(asked, parameters).fetchall()
        key = (asked.text, *parameters)
        if server not in self._known:
            found = self._get_to_know(server, (asked.text, parameters))
        else:
            remembered = self._known[server].asked.get(asked.tables, {}).get(key)
            found = self._sent(asked, parameters).fetchall() if remembered is None else remembered
        if len(found) <= _MOST_ROWS_REMEMBERED:
            put_answer(self._known[server].asked.setdefault(asked.tables, {}), key, found)
        return list(found)

    def of(self, server: ServerId) -> Memory:
        """Return what is remembered of a server, as the transaction sees it."""
        if server not in self._known:
            self._get_to_know(server)
        return self._known[server]

    def at_once(self) -> AbstractContextManager[None]:
        """Do nothing: nothing is written."""
        return nullcontext()

    def take_long(self) -> None:
        """Do nothing: no query does."""

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        self._open()
        with self._link.cursor() as cursor:
            yield from cursor.stream(for_postgres(statement).text, parameters)

    def refusal(self, error: Exception) -> Exception:
        """Return the store's error for a broken constraint."""
        constraint = error.diag.constraint_name if isinstance(error, psycopg.Error) else None
        return refusal_of(constraint, str(error), is_check=isinstance(error, errors.CheckViolation))

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Refuse: nothing can be made."""
        raise PermissionError(f"no {thing} is made in a read-only transaction")

    def columns(self) -> list[TableColumn]:
        """Return the columns of every table, by table."""
        self._open()
        return columns_of(self._link)

    def end(self) -> None:
        """End the transaction without what it wrote, if anything; what it has read is remembered."""
        if not self._has_begun:
            return
        try:
            self._link.execute(self._last_word())
        except psycopg.OperationalError:  # of a lost connection the server does so itself
            return
        for server, memory in self._known.items():
            self._memories.keep(server, memory, instead_of=self._older.get(server))

    def _last_word(self) -> bytes:
        return b"COMMIT"  # after a rollback, psycopg would prepare every statement again

    def _open(self) -> None:
        """Begin the transaction, if it has not begun."""
        if not self._has_begun:
            self._together()

    def _sent(self, asked: PostgresStatement, parameters: Sequence[Any]) -> "psycopg.Cursor[Found]":
        self._open()
        return self._link.execute(asked.text, parameters)

    def _get_to_know(self, server: ServerId, *question: Sent) -> list[Found]:
        """Find out whether what is remembered of a server is still so; answer a question with it, if any."""
        self._older[server] = self._memories.version(server)
        answers = _answers(self._together((_VERSION, (server,)), *question))
        found = answers[-1 - len(question)]
        self._known[server] = self._memories.at(server, found[0][0] if found else UNKNOWN)
        return answers[-1]

    def _together(self, *statements: Sent) -> "psycopg.Cursor[Found]":
        """Run statements in one round trip, the first ones of a transaction with its beginning.

        As one text: of a pipeline that fails, psycopg believes statements prepared that are not.
        """
        cursor: psycopg.ClientCursor[Found] = psycopg.ClientCursor(self._link)
        texts = [text for text, _ in statements]
        values = [value for _, several in statements for value in several]
        if not self._has_begun:
            self._has_begun = True
            texts.insert(0, self._begin)
        return cursor.execute(b"; ".join(texts), values)


class PostgresWriting(PostgresReading):
    """A connection to PostgreSQL in a transaction that may write; it begins with the first statement.

    The first statement that concerns a server waits until no other transaction writes there. The lock is a
    statement of its own: one that locks and reads at once would read what was there before it waited.

    Most writes wait until their tables are read or the transaction is committed, and go together: on a
    network, each answer takes as long as many statements. They have no results. Those about names are sent at
    once; one that breaks a constraint then changes nothing, and the transaction goes on.

    Args:
        link: psycopg's connection.
        memories: What is remembered of servers.
        turn: The unit's turn at the server.
        observer: Hears how long the server's row is waited for.
    """

    _link: ImpatientLink

    def __init__(
        self, link: ImpatientLink, memories: ServerMemories, turn: UnitTurn, observer: StoreObserver
    ) -> None:
        super().__init__(link, memories)
        self._begin = f"BEGIN; {link.patience.limits}".encode()
        self._turn = turn
        self._observer = observer
        self._last_ids: dict[ServerId, dict[str, int]] = {}
        self._changed: set[ServerId] = set()
        self._waiting: list[Sent] = []
        self._written: set[str] = set()  # the tables of those that wait
        self._is_at_once = False
        self._has_written = False
        self._has_savepoint = False

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Send every write at once."""
        if self._waiting:
            self._flush()
        self._is_at_once = True
        try:
            yield
        finally:
            self._is_at_once = False

    def take_long(self) -> None:
        """Let the rest of the transaction take longer than Discord waits."""
        self._open()
        self._waiting.append((TAKE_LONG.encode(), ()))
        self._link.answer_seconds = LONG_ANSWER_SECONDS

    def each(self, statement: str, parameters: Sequence[Any] = (), /) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at."""
        if self._waiting:
            self._flush()
        yield from super().each(statement, parameters)

    def next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things, counted for each server."""
        self.of(server)
        self._changed.add(server)
        last_ids = self._last_ids[server]
        first = last_ids[thing] + 1
        last_ids[thing] += count
        return first

    def commit(self) -> None:
        """Commit the transaction, with how far ids were counted; what is known then is remembered.

        Raises:
            Exception: If a write that waited breaks a constraint: its `refusal`.
            GivenUp: If the database gave the transaction up.
            CommitUnanswered: If the connection was lost before the answer.
        """
        if not self._has_begun and not self._waiting:
            return
        for server in sorted(self._changed):
            version = self._known[server].version = 1 + randbits(_VERSION_BITS)
            self._waiting.append((_COUNT, (version, *self._last_ids[server].values(), server)))
        try:
            last_word = self._flush(b"COMMIT")
        except psycopg.OperationalError as error:
            raise (CommitUnanswered(str(error)) if self._link.broken else error) from error
        if last_word != "COMMIT":
            raise GivenUp("The database gave a transaction up; try again.")
        for server, memory in self._known.items():
            self._memories.keep(server, memory)

    def end(self) -> None:
        """End the transaction without what it wrote, if anything; what it has read is remembered."""
        for server in self._changed:
            del self._known[server]
        super().end()

    def _last_word(self) -> bytes:
        return b"ROLLBACK" if self._has_written else b"COMMIT"

    def _sent(self, asked: PostgresStatement, parameters: Sequence[Any]) -> "psycopg.Cursor[Found]":
        server = asked.server_of(parameters)
        if asked.is_write:
            return self._write(asked, parameters, server)
        if server is not None:
            self.of(server)
        if not self._written.isdisjoint(asked.tables):
            self._flush()
        return super()._sent(asked, parameters)

    def _write(
        self, asked: PostgresStatement, parameters: Sequence[Any], server: ServerId | None
    ) -> "psycopg.Cursor[Found]":
        if server is not None:
            self.of(server).forget_asked(asked.tables)
            self._changed.add(server)
        elif not asked.tables <= _OF_NO_SERVER:
            raise PermissionError(f"a write to {sorted(asked.tables)} has to say of which server")
        if not asked.can_wait or self._is_at_once:
            return self._write_now(asked.text, parameters)
        self._waiting.append((asked.text, parameters))
        self._written.update(asked.tables)
        return self._link.cursor()

    def _get_to_know(self, server: ServerId, *question: Sent) -> list[Found]:
        """Lock the row of a server until the transaction ends, and do the same."""
        self._turn.take(server)
        held: Sent = (_HOLD, (server,))
        with self._observer.during("row"):
            answers = _answers(self._together(held, *question))
        if not answers[-1 - len(question)]:
            self._has_written = True
            answers = _answers(self._together((_KNOW, (server,)), held, *question))
        ((version, *last_ids),) = answers[-1 - len(question)]
        self._known[server] = self._memories.at(server, version)
        self._last_ids[server] = dict(zip(COUNTED, last_ids, strict=True))
        return answers[-1]

    def _write_now(self, text: bytes, parameters: Sequence[Any]) -> "psycopg.Cursor[Found]":
        """Write at once; after a broken constraint, the transaction is as it was before."""
        self._open()
        if self._waiting:
            self._flush()
        savepoint = b"RELEASE one; SAVEPOINT one" if self._has_savepoint else b"SAVEPOINT one"
        self._has_savepoint = self._has_written = True
        try:
            return _last(self._together((savepoint, ()), (text, parameters)))
        except psycopg.IntegrityError:
            self._link.execute("ROLLBACK TO one")
            raise

    def _flush(self, *last: bytes) -> str | None:
        """Write what waits, and run one more statement; return the word that the server ends with.

        Raises:
            Exception: If one of the writes breaks a constraint: its `refusal`, which ends the unit.
        """
        waiting, self._waiting = self._waiting, []
        self._written.clear()
        self._has_written = self._has_written or bool(waiting)
        try:
            return _last(self._together(*waiting, *((text, ()) for text in last))).statusmessage
        except psycopg.IntegrityError as error:
            raise self.refusal(error) from error


@contextmanager
def reached(url: str, program: str) -> Iterator[Link]:
    """Connect for a while as a program beside the bot, in autocommit mode.

    Nothing is prepared: a pooler may hand each transaction to another connection.

    Args:
        url: libpq's address of the database.
        program: What the server's list of connections calls it; not "tablekeeper", as it does bots.

    Raises:
        StoreUnavailable: If the database can't be used, then or later in the context.
    """
    address = make_conninfo(address_of(url), application_name=program)
    try:
        with psycopg.connect(address, autocommit=True, prepare_threshold=None) as link:
            yield link
    except psycopg.Error as error:
        raise outage(error, name_of(url)) or error from error


def columns_of(link: Link) -> list[TableColumn]:
    """Return the columns of every table, by table."""
    return [TableColumn(*found) for found in link.execute(_COLUMNS)]


def _answers(cursor: "psycopg.Cursor[Found]") -> list[list[Found]]:
    """Return what each of several statements found; nothing for one that finds nothing."""
    answers = []
    has_more: bool | None = True
    while has_more:
        # The row number says whether there are rows, without describing their columns as `description` does.
        answers.append([] if cursor.rownumber is None else cursor.fetchall())
        has_more = cursor.nextset()
    return answers


def _last(cursor: "psycopg.Cursor[Found]") -> "psycopg.Cursor[Found]":
    """Return the result of the last of several statements."""
    while cursor.nextset():
        pass
    return cursor
