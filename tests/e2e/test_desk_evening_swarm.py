"""An evening of Sword & Swarm that its GM leads from the desk."""

from __future__ import annotations

from tests.e2e.leading import begins_evening, decides_for, starts_fight
from tests.e2e.pressing import ANY
from tests.e2e.screened import (
    asks_all,
    asks_blind,
    close_evening,
    hides_foes,
    open_evening,
    passes_a_note,
)
from tests.e2e.table import Table

RAIDER = "Raider"


async def test_a_gm_leads_an_evening_of_sword_and_swarm_from_the_desk(table: Table) -> None:
    evening = await open_evening(table, "Sword & Swarm", npc=RAIDER, check="attribute test what:Mallet")
    desk, (alices, bobs) = evening.desk, evening.names

    await begins_evening(desk, "Levels")
    await asks_all(evening, "Mallet")
    await decides_for(desk, alices, bobs)
    await asks_blind(evening, "Key")
    await passes_a_note(evening)
    for name in (alices, bobs):
        await desk.opens_sheet(name)
        await desk.acts("Damage", "Take Star", "2: ")
        await desk.acts("Heal", "Give Star back", "1: ")
        await desk.acts("Condition", "Set the load", "Boots −1")
        await desk.acts("Give", "Give a trait", fields={"name": "Lantern oath"})
        await desk.acts("Give", "Take away", "Lantern oath")
        await desk.acts("Correct", "Set Mallet", ANY)
        await desk.returns()
    await table.restart()
    await starts_fight(desk, (alices, bobs, RAIDER), "Start round 1", "End", "End", "End")
    await hides_foes(evening)
    await close_evening(evening, least=30)
