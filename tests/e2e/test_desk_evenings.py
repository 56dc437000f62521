"""An evening of Post-magic-maid that its GM leads from the desk."""

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
    open_evening,
    passes_a_note,
    springs_an_ambush,
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


ORC = "Grim Orc"
SWIM_SAILING = {"Name": "Sailing", "How it attacks": ["None"], "When it defends": ["Never"]}


async def test_a_gm_leads_an_evening_of_swim_class_from_the_desk(table: Table) -> None:
    evening = await open_evening(table, "Project Swim Class", npc=ORC, check="roll what:Stealth difficulty:2")
    desk, (alices, bobs) = evening.desk, evening.names

    await begins_evening(desk, "Purse (SP)", ("4", "3", "2", "-1"))
    await asks_all(evening, "Stealth", hard=1)
    await decides_for(desk, alices, bobs)
    await asks_blind(evening, "Spot")
    await passes_a_note(evening)
    await changes_the_rules(evening, "Learning", "Skills", SWIM_SAILING)
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
