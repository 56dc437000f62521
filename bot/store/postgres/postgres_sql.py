"""SQLite's SQL as PostgreSQL wants it: marks of parameters, and functions with another name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MOST_STATEMENTS = 2048  # remembered; those with lists of parameters come in several lengths

_FUNCTIONS = (
    (
        re.compile(r"\bLIKE\b"),
        "ILIKE",
    ),  # in the order of bytes it ignores the case of a to z, as SQLite's does
    (re.compile(r"\binstr\("), "strpos("),
    (re.compile(r"\bgroup_concat\(([\w.]+)\)"), r"string_agg(CAST(\1 AS TEXT), ',' ORDER BY \1)"),
)
_SCOPE = re.compile(r"\bserver_id = \?")
_INSERT = re.compile(r"INSERT INTO \w+ \(([^)]*)\)\s*VALUES")
_WRITES = ("INSERT", "UPDATE", "DELETE")
# No undo can break a constraint of these, and no name is taken there.
_PATIENT = re.compile(
    r"(?:INSERT INTO|UPDATE|DELETE FROM) (?:boards|drafts|due_tasks|entries|follow_ups|messages|meta)\b"
    r"|UPDATE documents\b"
    r"|UPDATE sessions SET active_at = %s WHERE"
)


@dataclass(frozen=True, slots=True)
class PostgresStatement:
    """A statement for PostgreSQL.

    Attributes:
        text: Its text.
        is_write: Whether it changes something.
        can_wait: Whether it may be run later: it has no result, and no unit goes on if it is refused.
        server_at: Which parameter is the server; None if it concerns no single one.
    """

    text: bytes
    is_write: bool
    can_wait: bool
    server_at: int | None

    def server_of(self, parameters: Sequence[object]) -> int | None:
        """Return the server that the statement concerns; None if it concerns no single one."""
        server = None if self.server_at is None else parameters[self.server_at]
        return server if isinstance(server, int) else None


@lru_cache(maxsize=MOST_STATEMENTS)
def for_postgres(statement: str) -> PostgresStatement:
    """Return a statement of the queries as PostgreSQL wants it."""
    text = statement.strip().replace("%", "%%").replace("?", "%s")
    for theirs, ours in _FUNCTIONS:
        text = theirs.sub(ours, text)
    can_wait = _PATIENT.match(text) is not None and "RETURNING" not in text
    return PostgresStatement(text.encode(), text.startswith(_WRITES), can_wait, _server_at(statement.strip()))


def _server_at(statement: str) -> int | None:
    """Return which parameter is the server: the one compared with `server_id`, or inserted there."""
    inserted = _INSERT.match(statement)
    if inserted:
        columns = [column.strip() for column in inserted[1].split(",")]
        return columns.index("server_id") if "server_id" in columns else None
    compared = _SCOPE.search(statement)
    return statement.count("?", 0, compared.end() - 1) if compared else None
