"""What is really stored: the database, read beside the running bot."""

from __future__ import annotations

from tests.databases import Row, columns_of, is_postgres, reading

LATER = ("boards", "messages", "server_commands")
VERSION = "version"  # of a server, which changes with those too

_FAULTS_OF_POSTGRES = """
SELECT conname FROM pg_constraint WHERE NOT convalidated
UNION ALL SELECT CAST(CAST(indexrelid AS regclass) AS text) FROM pg_index WHERE NOT indisvalid
"""


def everything_of(database: str, server: int) -> dict[str, list[Row]]:
    """Return every row of a server, except what is written after the answer."""
    tables = {table: columns for table, columns in columns_of(database).items() if table not in LATER}
    with reading(database) as query:
        return {
            table: sorted(query(_rows_of(table, columns), server), key=repr)
            for table, columns in tables.items()
            if "server_id" in columns
        }


def _rows_of(table: str, columns: list[str]) -> str:
    kept = (column for column in columns if column != VERSION)
    return f"SELECT {', '.join(kept)} FROM {table} WHERE server_id = ?"


def is_registering_noted(database: str) -> bool:
    """Whether the bot has stored which commands it registered."""
    with reading(database) as query:
        return bool(query("SELECT 1 FROM meta WHERE key LIKE 'commands:%'"))


def journalled(database: str) -> set[str]:
    """Return the ids of all interactions in the journal."""
    with reading(database) as query:
        return {str(one) for (one,) in query("SELECT interaction FROM entries")}


def is_whole(database: str) -> bool:
    """Whether the engine finds no fault in the database, and no broken reference."""
    with reading(database) as query:
        if is_postgres(database):
            return query(_FAULTS_OF_POSTGRES) == []
        return query("PRAGMA integrity_check") == [("ok",)] and query("PRAGMA foreign_key_check") == []
