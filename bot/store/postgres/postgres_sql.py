"""SQLite's SQL as PostgreSQL wants it: marks of parameters, and functions with another name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.store.records import ServerId

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


@dataclass(frozen=True, slots=True)
class PostgresStatement:
    """A statement for PostgreSQL.

    Attributes:
        text: Its text.
        tables: What it reads or writes.
        is_write: Whether it changes something.
        can_wait: Whether it may be run later: it has no result, and no unit goes on after its refusal,
            unless it says so by `at_once`.
        server_at: Which parameter is the server; None if it concerns no single one.
    """

    text: bytes
    tables: frozenset[str]
    is_write: bool
    can_wait: bool
    server_at: int | None

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
