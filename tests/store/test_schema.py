"""The schema of both engines: one and the same, and everything in it belongs to a server."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from bot.store.connection import COUNTED
from bot.store.migrate import newest_version
from bot.store.postgres.postgres_migrations import newest_step
from bot.store.transaction import TABLES, open_store
from tests.store.postgres_server import new_database

BEYOND_SERVERS = frozenset({"meta", "migrations"})
OF_DISCORD = "server_commands"  # says what Discord has; it goes with the commands, a week after a purge
LAST_IDS = "servers"  # outlives a purge, so that no id is used twice
TIME_ORDERED = frozenset({"due_tasks_due"})  # the bot looks for what is due in all servers at once

SQLITE = {
    "columns": """
        SELECT tables.name, columns.name
        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name <> 'sqlite_sequence'
    """,
    "keys": """
        SELECT tables.name, 'its key', columns.name
        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND columns.pk = 1
        UNION ALL
        SELECT tables.name, indexes.name, columns.name
        FROM sqlite_master AS tables, pragma_index_list(tables.name) AS indexes,
            pragma_index_info(indexes.name) AS columns
        WHERE tables.type = 'table' AND columns.seqno = 0
    """,
    "references": """
        SELECT tables.name, refers."table", refers."from", refers."to"
        FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS refers
        WHERE tables.type = 'table' AND refers.seq = 0
    """,
}
POSTGRES = {
    "columns": "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'",
    "keys": """
        SELECT tables.relname, indexes.relname, attname FROM pg_index
        INNER JOIN pg_class AS indexes ON indexes.oid = indexrelid
        INNER JOIN pg_class AS tables ON tables.oid = indrelid
        INNER JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
        WHERE tables.relnamespace = CAST('public' AS regnamespace)
    """,
    "references": """
        SELECT tables.relname, others.relname, own.attname, theirs.attname FROM pg_constraint
        INNER JOIN pg_class AS tables ON tables.oid = conrelid
        INNER JOIN pg_class AS others ON others.oid = confrelid
        INNER JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = conkey[1]
        INNER JOIN pg_attribute AS theirs ON theirs.attrelid = confrelid AND theirs.attnum = confkey[1]
        WHERE contype = 'f'
    """,
}


@dataclass(frozen=True)
class Schema:
    """The schema of a database.

    Attributes:
        columns: Each table with each of its columns.
        keys: Each table with each of its keys and indexes, and the first column of that.
        references: Each table with each table it refers to, and the first columns of both sides.
    """

    columns: frozenset[tuple[str, str]]
    keys: frozenset[tuple[str, str, str]]
    references: frozenset[tuple[str, str, str, str]]

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(table for table, _column in self.columns)


def schema_of_sqlite(path: Path) -> Schema:
    with closing(sqlite3.connect(path)) as connection:
        found = {name: frozenset(connection.execute(query)) for name, query in SQLITE.items()}
    return Schema(**found)


def schema_of_postgres(url: str) -> Schema:
    with psycopg.connect(url) as link:
        found = {name: frozenset(link.execute(query.encode())) for name, query in POSTGRES.items()}
    return Schema(**found)


@pytest.fixture(params=["sqlite", "postgres"])
async def schema(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Schema]:
    if request.param == "sqlite":
        path = tmp_path / "table.db"
        await (await open_store(f"sqlite:///{path}")).close()
        yield schema_of_sqlite(path)
    else:
        url = new_database(request.getfixturevalue("postgres"))
        await (await open_store(url)).close()
        yield schema_of_postgres(url)


def test_every_table_except_those_about_the_bot_belongs_to_servers(schema: Schema) -> None:
    of_servers = {table for table, column in schema.columns if column == "server_id"}

    assert schema.tables - of_servers == BEYOND_SERVERS
    assert of_servers == {*TABLES, OF_DISCORD, LAST_IDS}


def test_every_key_and_index_begins_with_the_server(schema: Schema) -> None:
    others = [key for key in schema.keys if key[2] != "server_id" and key[0] not in BEYOND_SERVERS]

    assert {table for table, _name, _column in schema.keys} == schema.tables
    assert {name for _table, name, _column in others} == TIME_ORDERED


def test_every_reference_begins_with_the_server_on_both_sides(schema: Schema) -> None:
    assert ("follow_ups", "entries", "server_id", "server_id") in schema.references
    assert [one for one in schema.references if one[2:] != ("server_id", "server_id")] == []


def test_a_servers_row_has_the_last_id_of_each_thing_that_is_counted(schema: Schema) -> None:
    assert {column for table, column in schema.columns if table == LAST_IDS} == {
        "server_id",
        *COUNTED,
        "purged_by",
        "version",
    }
    assert {(table, "id") for table in COUNTED} <= schema.columns


async def test_both_engines_have_the_same_tables_and_columns(tmp_path: Path, postgres: Path) -> None:
    url = new_database(postgres)
    for one in (f"sqlite:///{tmp_path}/table.db", url):
        await (await open_store(one)).close()

    assert schema_of_sqlite(tmp_path / "table.db").columns == schema_of_postgres(url).columns
    assert newest_step() == newest_version()
