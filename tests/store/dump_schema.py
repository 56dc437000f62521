"""Save a sample database of the newest schema for the tests of later migrations.

Run it once after adding a migration: ``python -m tests.store.dump_schema``.
"""

import asyncio
import sqlite3
import tempfile
from pathlib import Path

from bot.store.journalled_tables import to_text
from bot.store.migrate import schema_version
from bot.store.records import EntryRecord
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from tests.store.contract.test_scoping import fill
from tests.store.rows import HERE, a_campaign, a_character, an_entry

SCHEMAS = Path(__file__).parent / "schemas"


def fill_all(tx: Transaction) -> EntryRecord:
    """Put a row into every table."""
    tx.set_meta("commands", "abc")
    fill(tx, HERE, [])
    campaign = tx.save_campaign(a_campaign("Dawn", settings={"tone": "grim"}, clock=60))
    counted = {"resources": {"luck": (2, 5)}, "wounds": {"body": ((1, 2),)}}
    tx.save_character(a_character(campaign, "Zoë", sheet=to_text({"might": 2}), **counted))
    return tx.add_entry(an_entry(campaign, "more"))


async def make(path: Path) -> None:
    """Make a database of the newest schema with a row in every table."""
    store = await open_store(f"sqlite:///{path}")
    await store.run(fill_all)
    await store.close()


def dump(path: Path) -> None:
    """Write a database as SQL into a file named after its schema's number."""
    connection = sqlite3.connect(path)
    connection.execute("UPDATE migrations SET at = 1000")
    version = schema_version(connection)
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    head = f"PRAGMA application_id = {application};\nPRAGMA user_version = {version};\n"
    # A table of SQLite's own, left by earlier schemas.
    lines = (line for line in connection.iterdump() if "sqlite_sequence" not in line)
    text = head + "\n".join(lines) + "\n"
    connection.close()
    (SCHEMAS / f"{version:04}.sql").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder) / "table.db"))
        dump(Path(folder) / "table.db")
