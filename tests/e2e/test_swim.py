"""An evening of Project Swim Class as it is played: creation, a jump, an attack and its defence, the end."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.opening import open_campaign
from tests.e2e.people import gather
from tests.e2e.records import is_whole
from tests.e2e.table import Table
from tests.e2e.test_evening import exported, verified


async def test_an_evening_is_played_and_its_journal_is_proved(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Project Swim Class")
    await alice.types(
        "/character create ready:Sable Thornwick", hears="**Sable Thornwick** joins the campaign"
    )
    await bob.types("/character create ready:Maris Fen", hears="**Maris Fen** joins the campaign")
    await gwen.types("/session start")

    await alice.types("/swim-gear buy item:Great Sword", hears=["Great Sword for 25 GP", "Purse 75 GP"])
    await alice.types("/swim move", hears="1 square, automatic")
    await alice.types("/swim attack skill:Basic Melee targets:Maris Fen", hears="Maris Fen may oppose")
    await bob.presses("Maris Fen: do not oppose", hears="3 hits")
    await table.restart()
    await bob.types("/swim stabilise", hears="Maris Fen")
    await gwen.types("/swim-gm skill name:Hacking synergies:Finesse: 2", hears="adds the skill Hacking")
    await alice.types("/swim roll skill:Hacking", hears="1 progress, automatic")
    await alice.types("/character sheet", hears="Basic Melee")

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0
