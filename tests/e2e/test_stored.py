"""Data stored wrongly, by an older version or by hand, is repaired or refused with a way out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from tests.e2e.opening import ALICES, open_other
from tests.e2e.people import gather
from tests.e2e.table import Table


def rewrite(table: Table, what: str, column: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the JSON of every row of a table directly in the database."""
    with closing(sqlite3.connect(table.database_file)) as connection, connection:
        for (text,) in connection.execute(f"SELECT {column} FROM {what}").fetchall():
            document = json.loads(text)
            change(document)
            connection.execute(
                f"UPDATE {what} SET {column} = ? WHERE {column} = ?", (json.dumps(document), text)
            )


async def test_f_rel_04_a_stored_fight_with_an_impossible_turn_continues(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    await open_other(party, "Post-magic-maid")
    await gwen.types("/encounter start others:Nettle Quickwater, Bram Ostergard", hears="Bram Ostergard")
    begun = await gwen.types("/encounter next", hears="goes first")
    first = next(
        name for name in ("Nettle Quickwater", "Bram Ostergard") if f"{name} goes first" in begun.text
    )
    await table.stop()
    rewrite(table, "documents", "body", lambda fight: fight.update(turn=9) if "combatants" in fight else None)
    await table.start()

    await gwen.types("/encounter status", hears="Round 1")
    await gwen.types("/encounter next", hears=f"{first} is on, round 2")
    await alice.types("/maid check first:Int second:Dex", hears=ALICES)


async def test_f_rel_03_an_unknown_trait_on_an_old_sheet_has_no_effect(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    await open_other(party, "Project Swim Class")
    await table.stop()
    nonsense = [{"key": "nonsense", "degree": 1, "penalty": None}]
    rewrite(table, "characters", "sheet", lambda sheet: sheet.update(traits=nonsense))
    await table.start()

    await alice.types("/character sheet", hears="Sable Thornwick")
    await alice.types("/swim roll skill:Stealth difficulty:2", hears="Sable Thornwick")
    await gwen.types(
        "/gm set field character:Sable Thornwick field:kind value:Winged Folk", hears="Winged folk"
    )


async def test_f_rel_04_an_unreadable_sheet_is_reported_with_a_way_out(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_other(party, "Sword & Swarm")
    await table.stop()
    rewrite(table, "characters", "sheet", lambda sheet: sheet.update(level="high"))
    await table.start()
    table.expect_trace("stored document unsound")

    said = ["sheet is stored in a form I can't read.", "/undo"]
    await alice.types("/character sheet", hears=said)
    await bob.types("/swarm test attribute:Key", hears=said)
    await gwen.types("/roll expression:2d6", hears="2d6")
