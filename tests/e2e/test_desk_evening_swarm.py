"""An evening of Sword & Swarm that its GM leads from the desk."""

from __future__ import annotations

from tests.e2e.leading import (
    ANY,
    DeskGm,
    begins_evening,
    decides_for,
    ends_evening,
    ends_fight,
    plots,
    starts_fight,
)
from tests.e2e.opening import open_other
from tests.e2e.people import gather
from tests.e2e.screened import Screen, asks_all, asks_blind, hides_foes, passes_a_note
from tests.e2e.table import Table

RAIDER = "Raider"


async def test_a_gm_leads_an_evening_of_sword_and_swarm_from_the_desk(table: Table) -> None:
    party = gather(table.discord)
    gwen, screen = party.gwen, Screen(table, party)
    await open_other(party, "Sword & Swarm")
    alices, bobs = (await party.alice.is_offered("/character create", "ready"))[:2]
    await gwen.types(f"/gm npc name:{RAIDER}", hears=f"**{RAIDER}** joins")
    await plots(gwen)
    await gwen.types("/gm ask check:attribute test what:Mallet", hears="Still to roll")
    desk = DeskGm(table, gwen)
    await desk.opens()

    await decides_for(desk, alices, bobs)
    await begins_evening(desk, gwen, "Levels")
    await asks_all(desk, gwen, "Mallet")
    await decides_for(desk, alices, bobs)
    await asks_blind(desk, screen, party, "Key", (alices, bobs))
    await passes_a_note(desk, screen, alices, party)
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
    await hides_foes(desk, screen, table, party)
    await ends_fight(desk)
    await ends_evening(desk, gwen)

    desk.assert_only_pressed()
    await screen.assert_kept()
    assert desk.done >= 30
