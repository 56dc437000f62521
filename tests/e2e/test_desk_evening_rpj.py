"""An evening of RPJ Core that its GM leads from the desk."""

from __future__ import annotations

from tests.e2e.leading import DeskGm, begins_evening, decides_for, starts_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import gather
from tests.e2e.pressing import ANY
from tests.e2e.screened import (
    asks_all,
    asks_blind,
    changes_the_rules,
    close_evening,
    hides_foes,
    open_desk,
    passes_a_note,
    springs_an_ambush,
)
from tests.e2e.table import Table

ARCHER, KNIGHT, OGRE = "Ilsa Roan", "Gorm Halvard", "Ogre"
SAILING = {"Name": "Sailing", "Linked attributes": ["Dexterity"], "Can be rolled at level 0": "Yes"}
PACKS = ("conditions", "money", "structured_magic", "fire_and_movement", "damage_scales")


async def test_a_gm_leads_an_evening_of_rpj_core_from_the_desk(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    for pack in PACKS:
        await gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await alice.types(f"/character create ready:{ARCHER}", hears="[Check …]")
    await bob.types(f"/character create ready:{KNIGHT}", hears="[Check …]")
    evening = await open_desk(
        table, party, (ARCHER, KNIGHT), npc=OGRE, check="skill check what:Athleticism difficulty:13"
    )
    desk = evening.desk

    await begins_evening(desk, "Coin", ("4", "3", "2", "-1"))
    await asks_all(evening, "Athleticism", hard=1)
    await decides_for(desk, ARCHER, KNIGHT)
    await asks_blind(evening, "Perception")
    await passes_a_note(evening)
    await changes_the_rules(evening, "Optional rules: fights", "Skills", SAILING)
    for number, name in enumerate((ARCHER, KNIGHT, OGRE)):
        await desk.opens_sheet(name)
        await coin_and_conditions(desk)
        await desk.acts("Give", "Make up a trait", fields={"name": f"Moonlit step {number}"})
        await desk.acts("Give", "Teach a spell", ANY)
        await desk.acts("Give", "Make a spell forgotten", ANY)
        await desk.acts("Correct", "Make their rolls final")
        for _ in range(2):
            await desk.acts("Correct", "Change the damage scale", ANY)
        await desk.returns()
    await desk.opens_sheet(OGRE)
    await desk.acts("Damage", "Strike while helpless", "0: ")
    await gwen.presses("Out of action", hears="puts out of action Ogre")
    await desk.presses("Refresh", hears="[Desk]")
    await desk.acts("Heal", "Bring back into action")
    await desk.returns()
    await starts_fight(desk, (ARCHER, KNIGHT, OGRE))
    await desk.opens_sheet(KNIGHT)
    await desk.acts("Correct", "Offer a way out", fields={"reason": "a loose rope"})
    await desk.acts("Damage", "Deal damage", "+4")
    await desk.returns()
    await hides_foes(evening)
    await springs_an_ambush(evening)
    await close_evening(evening, "3 points", least=60)


async def coin_and_conditions(desk: DeskGm) -> None:
    """Money in and out, damage, and conditions that come and go."""
    await desk.acts("Give", "Pay Coin", fields={"amount": "9", "name": "wages"})
    await desk.acts("Give", "Pay Coin", fields={"amount": "2", "name": "a gift"})
    await desk.acts("Damage", "Deal damage", "+1")
    await desk.acts("Condition", "Apply a custom condition", fields={"name": "Deaf in one ear"})
    await desk.acts("Condition", "Remove a condition")
    await desk.acts("Condition", "Apply a custom condition", fields={"name": "Dazzled by gold"})
    await desk.acts("Condition", "Remove a condition")
