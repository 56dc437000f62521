"""An evening of Project Swim Class that its GM leads from the desk."""

from __future__ import annotations

from tests.e2e.leading import DeskGm, begins_evening, decides_for, starts_fight
from tests.e2e.pressing import ANY
from tests.e2e.screened import (
    asks_all,
    asks_blind,
    changes_the_rules,
    close_evening,
    hides_foes,
    open_evening,
    passes_a_note,
    springs_an_ambush,
)
from tests.e2e.table import Table

ORC = "Grim Orc"
SAILING = {"Name": "Sailing", "How it attacks": ["None"], "When it defends": ["Never"]}


async def test_a_gm_leads_an_evening_of_swim_class_from_the_desk(table: Table) -> None:
    evening = await open_evening(table, "Project Swim Class", npc=ORC, check="roll what:Stealth difficulty:2")
    desk, (alices, bobs) = evening.desk, evening.names

    await begins_evening(desk, "Purse (SP)", ("4", "3", "2", "-1"))
    await asks_all(evening, "Stealth", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(evening, "Spot")
    await passes_a_note(evening)
    await changes_the_rules(evening, "Learning", "Skills", SAILING)
    await desk.opens_sheet(ORC)
    await desk.acts("Correct", "Use the stats of the book's", ANY)
    await desk.returns()
    for name in (alices, bobs, ORC):
        await desk.opens_sheet(name)
        await harm_and_healing(desk)
        await states_and_gifts(desk)
        await desk.returns()
    await starts_fight(desk, (alices, bobs, ORC))
    await hides_foes(evening)
    await springs_an_ambush(evening)
    await close_evening(evening, least=60)


async def harm_and_healing(desk: DeskGm) -> None:
    """Wounds of two pools, one of them healed, and a fall."""
    await desk.acts("Damage", "Deal physical damage", "2 ")
    await desk.acts("Heal", "Heal physical wounds", "1 ")
    await desk.acts("Damage", "Deal mental damage", "1 ")
    await desk.acts("Heal", "Heal mental wounds", "1 ")
    await desk.acts("Damage", "Fall", "1 damage")


async def states_and_gifts(desk: DeskGm) -> None:
    """States that begin and end, something given, a rank and a trait."""
    for state in ("Soaked", "Hovering", "Undead"):
        await desk.acts("Condition", "Begin a state", state)
        await desk.acts("Condition", "End a state", state)
    await desk.acts("Give", "Give an item", ANY)
    await desk.acts("Correct", "Give a trait", ANY)
    await desk.acts("Correct", "Take a trait away", ANY)
