"""An evening of Compare Roll that its GM leads from the desk."""

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

BANDIT = "Bandit"


async def test_a_gm_leads_an_evening_of_compare_from_the_desk(table: Table) -> None:
    party = gather(table.discord)
    gwen, screen = party.gwen, Screen(table, party)
    await open_other(party, "Compare Roll")
    alices, bobs = (await party.alice.is_offered("/character create", "ready"))[:2]
    await gwen.types(f"/gm npc name:{BANDIT}", hears=f"**{BANDIT}** joins")
    await plots(gwen)
    await gwen.types("/gm ask check:Luck check difficulty:Normal", hears="Still to roll")
    desk = DeskGm(table, gwen)
    await desk.opens()

    await decides_for(desk, alices, bobs)
    await begins_evening(desk, gwen, "High")
    await asks_all(desk, gwen, "Luck check", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(desk, screen, party, "Luck check", (alices, bobs), hard=4)
    await passes_a_note(desk, screen, alices, party)
    for name in (alices, bobs):
        await desk.opens_sheet(name)
        await desk.acts("Damage", "Take HP", "2 damage")
        await desk.acts("Heal", "Give HP back", "1 HP")
        await desk.acts("Condition", "Give Stress", "1 Stress")
        await desk.acts("Give", "Give High", "1 High")
        await desk.acts("Give", "Award skill points", "1")
        await desk.acts("Give", "Give an item", ANY)
        await desk.acts("Give", "Take 1 away", ANY)
        await desk.returns()
    await starts_fight(desk, (alices, bobs, BANDIT), "Start round 1", "Start the opp", "Start")
    await hides_foes(desk, screen, table, party)
    await ends_fight(desk)
    await ends_evening(desk, gwen)

    desk.assert_only_pressed()
    await screen.assert_kept()
    assert desk.done >= 30
