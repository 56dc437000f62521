"""An evening of Post-magic-maid that its GM leads from the desk."""

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

BUTLER = "Butler"


async def test_a_gm_leads_an_evening_of_maid_from_the_desk(table: Table) -> None:
    party = gather(table.discord)
    gwen, screen = party.gwen, Screen(table, party)
    await open_other(party, "Post-magic-maid")
    alices, bobs = (await party.alice.is_offered("/character create", "ready"))[:2]
    await gwen.types(f"/gm npc name:{BUTLER}", hears=f"**{BUTLER}** joins")
    await plots(gwen)
    await gwen.types("/gm ask check:check what:Str + Dex difficulty:15", hears="Still to roll")
    desk = DeskGm(table, gwen)
    await desk.opens()

    await decides_for(desk, alices, bobs)
    await begins_evening(desk, gwen, "Blitz Points", ("1", "1", "-1"))
    await asks_all(desk, gwen, "Str + Dex", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(desk, screen, party, "Int + Cha", (alices, bobs))
    await passes_a_note(desk, screen, alices, party)
    for name in (alices, bobs):
        await desk.opens_sheet(name)
        await desk.acts("Damage", "Give a blunt wound", "Tier 15")
        await desk.acts("Damage", "Give a rending wound", "Tier 10")
        await desk.acts("Heal", "Heal a wound", ANY)
        await desk.acts("Give", "Grant level-ups", "2 level-ups")
        await desk.acts("Correct", "Allow magic")
        await desk.acts("Correct", "Swap the dice", fields={"first": "Int", "second": "Str"})
        await desk.returns()
    await starts_fight(desk, (alices, bobs, BUTLER))
    await hides_foes(desk, screen, table, party)
    await ends_fight(desk)
    await ends_evening(desk, gwen)

    desk.assert_only_pressed()
    await screen.assert_kept()
    assert desk.done >= 30
