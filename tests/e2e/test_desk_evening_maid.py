"""An evening of Post-magic-maid that its GM leads from the desk."""

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

BUTLER = "Butler"


async def test_a_gm_leads_an_evening_of_maid_from_the_desk(table: Table) -> None:
    evening = await open_evening(
        table, "Post-magic-maid", npc=BUTLER, check="check what:Str + Dex difficulty:15"
    )
    desk, (alices, bobs) = evening.desk, evening.names

    await begins_evening(desk, "Blitz Points", ("1", "1", "-1"))
    await asks_all(evening, "Str + Dex", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(evening, "Int + Cha")
    await passes_a_note(evening)
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
    await hides_foes(evening)
    await close_evening(evening, least=30)
