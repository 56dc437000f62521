"""An evening of Sword & Swarm that its players play by pressing."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.fighting import board_says, end_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather
from tests.e2e.pressing import ChosenDice, Pressers, composes, faces, fills, plays, sets_off, switches
from tests.e2e.table import Table
from tests.e2e.test_evening import assert_verifies

CORVIN = "Corvin Asher"
GOOD, BAD = range(1, 2), range(6, 7)  # of a test at or below an attribute


async def test_players_press_through_an_evening_of_sword_and_swarm(table: Table, tmp_path: Path) -> None:
    """F-SMALL-09: after joining, nobody needs a command, nor after a restart."""
    party = gather(table.discord)
    dice = ChosenDice(table, party)
    await characters(party)
    players = Pressers(party.alice, party.bob)

    await checks(party, dice, players)
    await a_fight_begins(table, party)
    await first_round(table, party, dice, players)
    await second_round(table, party)
    await table.restart()
    await third_round(table, party, dice)
    await fourth_round(table, party)
    await after_the_fight(party)
    await the_recap(party)

    players.assert_only_pressed()
    assert players.taps == {"check": 2, "own attack": 3, "defence": 1}
    await assert_verifies(table, party, tmp_path)


async def characters(party: Party) -> None:
    """One player makes a character step by step; the other takes a ready-made one."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Sword & Swarm")
    await alice.types("/character create", hears="**Four attributes**")
    for attribute, value in (("Mallet", "4"), ("Key", "7 (2)"), ("Runes", "5"), ("Coronet", "3")):
        await alice.chooses(f"{attribute}: ", value)
    await alice.presses("Next", hears="**Star and class**")
    await alice.chooses("Star: ", "4")
    await alice.presses("Write")
    await alice.writes(
        {"Class": "Mason", "Ranks, for example: Architecture 2": "Architecture 2"}, hears="**Architecture 2**"
    )
    await alice.presses("Next", hears="**Name**")
    await alice.presses("Enter a name")
    await alice.writes("Odile", hears="**Odile**")
    await alice.presses("Finish", hears=["[Check …]", "**Odile** joins the campaign"])
    await bob.types(f"/character create ready:{CORVIN}", hears=["[Check …]", f"**{CORVIN}** joins"])
    await gwen.types("/session start", hears="**Session 1 started**")


async def checks(party: Party, dice: ChosenDice, players: Pressers) -> None:
    """Every kind of test; a failure with advantage is rolled again."""
    gwen, alice, bob = party.everybody
    with players.counts("check", alice):
        await plays(alice, "Check", "Test Mallet", hears=r"**Odile** tests Mallet \(own attribute\)")
    await plays(alice, "Check", "Architecture", "12", hears="tests Architecture")
    await plays(bob, "Check", "Test an obstacle", "Difficulty 4", hears=f"**{CORVIN}** tests difficulty 4")
    await plays(alice, "Use", "Failed attribute tests", "ask me each time", hears="you choose each time")
    await composes(alice, "Check", "Test Runes")
    await switches(alice, "Advantage")
    with dice.fall(faces((6, BAD))):
        await sets_off(alice, "Roll", hears="Advantage allows one re-roll.")
    with dice.fall(faces((6, GOOD))):
        await alice.presses("Roll again", hears="The second result stands.")
    await gwen.types("/swarm-gm call character:Odile attribute:Coronet", hears="asks Odile to test Coronet")
    with players.counts("defence", alice):
        await alice.presses("Test Coronet", hears="**Odile** tests Coronet")


async def a_fight_begins(table: Table, party: Party) -> None:
    """A player starts a fight, the other joins it, and the GM sets the order that the table agrees on."""
    gwen, alice, bob = party.everybody
    for name in ("Raider", "Thug"):
        await gwen.types(f"/gm npc name:{name}", hears=f"**{name}** joins")
        await gwen.types(f"/swarm-gm attributes target:{name} mallet:4 shield:3 star:5", hears="Shield 3")
    await plays(alice, "Fight", "Start a fight with", "Raider", hears="**Odile** starts a fight")
    await gwen.types("/gm encounter add name:Thug", hears="Thug")
    await plays(bob, "Fight", "Join the fight", hears=f"**{CORVIN}** joins the fight")
    await gwen.types(f"/gm encounter order characters:Odile, {CORVIN}, Raider, Thug", hears="sets the order")
    await bob.presses("Start round 1", hears="**Odile acts**")


async def first_round(table: Table, party: Party, dice: ChosenDice, players: Pressers) -> None:
    """Attacks on a foe's Shield from the sheet and from the board; the GM takes Star."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 1", "▶ **Odile**")
    with players.counts("own attack", alice), dice.fall(faces((6, range(5, 6)))):
        await plays(alice, "Fight", "Test Shield of an opponent", "Raider", hears="tests Raider's Shield")
    await gwen.types("/swarm-gm star target:Raider change:-2", hears="Condition unhurt → hurt")
    await ends_turn(table, party, alice, CORVIN)
    await bob.chooses("Test Shield of an opponent", "Thug", hears="tests Thug's Shield")
    await ends_turn(table, party, bob, "Raider")
    await the_foes_wait(table, party)


async def second_round(table: Table, party: Party) -> None:
    """A gift that is taken back and given again, used at once; and a delay."""
    alice, bob = party.alice, party.bob
    await board_says(table, party, "Round 2", "▶ **Odile**")
    await hands_over_a_coat(bob)
    await bob.presses("Undo", hears="Undone.")
    await hands_over_a_coat(bob)
    await plays(alice, "Use", "Use Padded coat", hears="Shield 0 → 2")
    await plays(alice, "Fight", "Delay", CORVIN, hears="delays and acts later")
    await board_says(table, party, f"▶ **{CORVIN}**")
    await plays(bob, "Use", "Stop using Fencing gloves", hears="no longer uses Fencing gloves")
    await ends_turn(table, party, bob, "Odile")
    await ends_turn(table, party, alice, "Raider")
    await the_foes_wait(table, party)


async def hands_over_a_coat(bob: Actor) -> None:
    await fills(
        bob,
        "Use",
        "Hand equipment over",
        {"What": "Padded coat", "To whom": "Odile"},
        hears=f"**{CORVIN}** hands Padded coat to Odile",
    )


async def third_round(table: Table, party: Party, dice: ChosenDice) -> None:
    """A test with a bonus and disadvantage, one against somebody without a sheet, and a wound."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 3", f"▶ **{CORVIN}**")
    await composes(bob, "Fight", "Test Mallet of an opponent", Bonus_or_penalty="1")
    await switches(bob, "Disadvantage")
    await sets_off(bob, "Choose …", "Raider", hears="with disadvantage")
    await ends_turn(table, party, bob, "Odile")
    await fills(
        alice,
        "Fight",
        "Test someone without a sheet",
        {"Their attribute": "Boots", "Its value": "2"},
        hears="tests Boots",
    )
    await gwen.types("/swarm-gm star target:Odile change:-3", hears="Star 4 → 1 of 4")
    await ends_turn(table, party, alice, "Raider")
    await the_foes_wait(table, party)


async def fourth_round(table: Table, party: Party) -> None:
    """A proficiency in the middle of a fight, an own attribute from the board, and a retreat."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 4", f"▶ **{CORVIN}**")
    await bob.chooses("Test own attribute", "Key 5", hears="tests Key")
    await ends_turn(table, party, bob, "Odile")
    await plays(alice, "Check", "Architecture", "8", hears="tests Architecture")
    await plays(alice, "Fight", "Leave the fight", hears="leaves the fight")
    await end_fight(gwen, "ends the fight in round 4")


async def after_the_fight(party: Party) -> None:
    """The GM gives Star back and ranks for a new level; the sheet offers them at once."""
    gwen, alice = party.gwen, party.alice
    await gwen.types("/swarm-gm star target:Odile change:3", hears="Star 1 → 4 of 4")
    await gwen.types("/swarm-gm ranks target:Odile proficiency:Architecture ranks:3", hears="Architecture")
    await plays(alice, "Check", "Architecture +4", "12", hears="ranks 3")


async def the_recap(party: Party) -> None:
    """The GM ends the session; everybody reads the recap."""
    gwen, bob = party.gwen, party.bob
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="**Session 1 ended**")
    await bob.presses("Download recap", hears="session-1.md")


async def the_foes_wait(table: Table, party: Party) -> None:
    """The GM ends the turns of both foes."""
    await ends_turn(table, party, party.gwen, "Thug")
    await party.gwen.presses("End turn")


async def ends_turn(table: Table, party: Party, who: Actor, then: str) -> None:
    await who.presses("End turn")
    await board_says(table, party, f"▶ **{then}**")
