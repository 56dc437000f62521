"""An evening of Compare Roll that its GM leads from the desk."""

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

BANDIT = "Bandit"


async def test_a_gm_leads_an_evening_of_compare_from_the_desk(table: Table) -> None:
    evening = await open_evening(table, "Compare Roll", npc=BANDIT, check="Luck check difficulty:Normal")
    desk, (alices, bobs) = evening.desk, evening.names

    await begins_evening(desk, "High")
    await asks_all(evening, "Luck check", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(evening, "Luck check", hard=4)
    await passes_a_note(evening)
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
    await hides_foes(evening)
    await close_evening(evening, least=30)
