"""An evening of Compare Roll that its GM leads from the desk."""

from __future__ import annotations

from tests.e2e.leading import ANY, DeskGm, begins_evening, decides_for, ends_evening, leads_fight, plots
from tests.e2e.opening import open_other
from tests.e2e.people import gather
from tests.e2e.table import Table

BANDIT = "Bandit"


async def test_a_gm_leads_an_evening_of_compare_from_the_desk(table: Table) -> None:
    party = gather(table.discord)
    gwen = party.gwen
    await open_other(party, "Compare Roll")
    alices, bobs = (await gwen.is_offered("/gm hide", "character"))[:2]
    await gwen.types(f"/gm npc name:{BANDIT}", hears=f"**{BANDIT}** joins")
    await plots(gwen)
    await gwen.types("/gm ask check:Luck check difficulty:Normal", hears="Still to roll")
    desk = DeskGm(table, gwen)
    await desk.opens()

    await decides_for(desk, alices, bobs)
    await begins_evening(desk, gwen, "High")
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
    await leads_fight(desk, (alices, bobs, BANDIT), "Start round 1", "Start the opp", "Start")
    await ends_evening(desk, gwen)

    desk.assert_only_pressed()
    assert desk.done >= 30
