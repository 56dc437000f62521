"""An evening of Compare Roll that its players play by pressing."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.fighting import board_says, end_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather
from tests.e2e.pressing import (
    ChosenDice,
    Pressers,
    Wish,
    composes,
    faces,
    fills,
    option_of,
    plays,
    sets_off,
    switches,
)
from tests.e2e.table import Table
from tests.e2e.test_evening import assert_verifies

JUNO = "Juno Marsh"


def roll(*dice: int) -> Wish:
    """Wish for a compare roll: two d12s, then two d6s."""
    wanted = zip((12, 12, 6, 6), dice, strict=True)
    return faces(*((sides, range(face, face + 1)) for sides, face in wanted))


GOOD = roll(2, 3, 5, 4)


async def test_players_press_through_an_evening_of_compare_roll(table: Table, tmp_path: Path) -> None:
    """F-SMALL-09: after joining, nobody needs a command, nor after a restart."""
    party = gather(table.discord)
    dice = ChosenDice(table, party)
    await characters(party)
    players = Pressers(party.alice, party.bob)

    await finishing(party)
    await checks(party, dice, players)
    await gear(party)
    await a_fight_begins(table, party)
    await first_round(table, party, dice, players)
    await second_round(table, party, dice, players)
    await table.restart()
    await third_round(table, party, dice)
    await fourth_round(table, party, dice)
    await after_the_fight(party)
    await at_deaths_door(party)
    await the_recap(party)

    players.assert_only_pressed()
    assert players.taps == {"check": 2, "own attack": 3, "defence": 1}
    await assert_verifies(table, party, tmp_path)


async def characters(party: Party) -> None:
    """One player makes a character step by step; the other takes a ready-made one."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Compare Roll")
    await alice.types("/character create", hears="**Who**")
    await alice.chooses("How do you make your stats?", "Rolled")
    await alice.presses("Next", hears="**Skills 1**")
    await alice.chooses("Acrobatics", "Stealth", "Dodging", hears="14 left")
    await alice.presses("Next")
    await alice.presses("Next", hears="**Levels 1**")
    await alice.chooses("Stealth", "4 · Artisan", hears="11 left")
    await alice.presses("Next", hears="**Custom skills**")
    await alice.presses("Next", hears="**Name**")
    await alice.presses("Enter a name")
    await alice.writes("Ash", hears="**Ash**")
    await alice.presses("Finish", hears=["[Grow …]", "**Ash** joins the campaign"])
    await bob.types(f"/character create ready:{JUNO}", hears=["[Check …]", f"**{JUNO}** joins"])
    await gwen.types("/session start", hears="**Session 1 started**")


async def finishing(party: Party) -> None:
    """The sheet leads through what a new character lacks."""
    alice = party.alice
    await plays(alice, "Grow", "Roll the stats", hears="**Ash** rolls six stats")
    for stat in ("Agility", "Strength", "Luck", "Education", "Influence"):
        await plays(alice, "Grow", "Place the", stat, hears=f"on {stat}")
    await plays(alice, "Grow", "Place the", hears="on Intelligence")
    await plays(alice, "Grow", "Finish", hears="skill points left")
    await plays(alice, "Grow", "Roll Assets", hears="Assets 0 →")


async def checks(party: Party, dice: ChosenDice, players: Pressers) -> None:
    """A check, one that High rescues, one set up first, and Stress that High takes."""
    gwen, alice, bob = party.everybody
    with players.counts("check", alice), dice.fall(GOOD):
        await plays(alice, "Check", "Stealth", hears="**Ash** checks Stealth")
    await gwen.types("/compare-gm fate target:Juno Marsh high:5 stress:2", hears="Stress 0 → 2")
    with dice.fall(roll(9, 4, 3, 3)):
        await plays(bob, "Check", "Precision", hears="checks Precision")
    await bob.presses("Burn 3 High → Crit", hears="High 5 → 3")
    await composes(bob, "Check", "Stealth", Difficulty="Hard")
    with dice.fall(GOOD):
        await sets_off(bob, "Roll", hears="against Hard")
    await plays(bob, "Spend", "Burn High against Stress", "1 High", hears="against Stress")
    with dice.fall(roll(12, 11, 1, 1)):
        await plays(bob, "Check", "Social …", "Intimidation", hears="**Failure")


async def gear(party: Party) -> None:
    """Armour, money, a channel, somebody to talk to, and a gift."""
    gwen, alice, bob = party.everybody
    for who, thing in (
        (JUNO, "Pistol"),
        (JUNO, "Ammunition"),
        (JUNO, "Stim"),
        (JUNO, "Comms"),
        ("Ash", "Grenade"),
        ("Ash", "Light Armor"),
    ):
        await gwen.types(f"/compare-gm give target:{who} thing:{thing}", hears=f"gives {thing} to {who}")
    await plays(alice, "Use", "Put on Light Armor", hears="puts on Light Armor")
    await fills(
        bob,
        "Use",
        "Hand something over",
        {"What": "Stim", "To whom": "Ash", "How many": "1"},
        hears="hands Stim to Ash",
    )
    await fills(bob, "Use", "Tune Comms", "docks", hears="tunes Comms to docks")
    await fills(bob, "Use", "Talk", {"Who": "Ash", "Feet between you": "50"}, hears="Out of earshot")
    await fills(
        bob,
        "Spend",
        "Earn or spend Assets",
        {"How much (below 0: you spend it)": "500", "What for": "a reward"},
        hears="Assets 0 → 500",
    )
    await bob.presses("Undo", hears="Undone.")


async def a_fight_begins(table: Table, party: Party) -> None:
    """A player starts a fight, the other joins it."""
    gwen, alice, bob = party.everybody
    for name in ("Ogre", "Wolf"):
        await gwen.types(f"/gm npc name:{name}", hears=f"**{name}** joins")
        await gwen.types(
            f"/compare-gm foe target:{name} hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80"
        )
    await plays(alice, "Fight", "Start a fight with", "Ogre", hears="**Ash** starts a fight")
    await gwen.types("/gm encounter add name:Wolf", hears="Wolf")
    await plays(bob, "Fight", "Join the fight", hears=f"**{JUNO}** joins the fight")
    await board_says(table, party, "Before round 1")
    await gwen.presses("Start round 1", hears="the players' turn")


async def first_round(table: Table, party: Party, dice: ChosenDice, players: Pressers) -> None:
    """A shot, movement and cover; the ogre strikes, and its target defends."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 1", "players' turn")
    with players.counts("own attack", bob), dice.fall(GOOD):
        await plays(bob, "Fight", "Attack: Pistol", "Ogre", hears=f"**{JUNO}** attacks Ogre with Pistol")
    await plays(alice, "Fight", "Move up to", "2 spaces", hears="**Ash** moves 2 spaces")
    await plays(alice, "Fight", "Cover: no", "half cover", hears="half cover")
    await alice.presses("End turn", hears="**Ash** ends the turn")
    await gwen.presses("Start the opponents' turn", hears="the opponents' turn")
    await board_says(table, party, "opponents' turn")
    await gwen.chooses("Ogre attacks", JUNO, hears=f"{JUNO} can defend")
    with players.counts("defence", bob), dice.fall(GOOD):
        await bob.presses("Juno: Dodging", hears="with Dodging")
    await gwen.presses("Start round 2", hears="round 2")


async def second_round(table: Table, party: Party, dice: ChosenDice, players: Pressers) -> None:
    """A grenade for two foes, a reload, and another skill to defend with."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 2", "players' turn")
    grenade, foes = "Attack several: Grenade", {"Targets": ["Ogre", "Wolf"]}
    with dice.fall(GOOD):
        await fills(alice, "Fight", grenade, foes, hears="attacks Ogre, Wolf with Grenade")
    await plays(bob, "Use", "Reload Pistol", hears="Ammunition 4 → 3")
    await gwen.presses("Start the opponents' turn", hears="the opponents' turn")
    await board_says(table, party, "opponents' turn")
    await gwen.chooses("Wolf attacks", "Ash", hears="Ash can defend")
    with dice.fall(GOOD):
        await alice.chooses("Ash defends", option_of(alice, "Ash defends", "Stealth"), hears="with Stealth")
    await gwen.presses("Start round 3", hears="round 3")


async def third_round(table: Table, party: Party, dice: ChosenDice) -> None:
    """A hit from the board, at a cost that the ogre answers, and a stimulant for a friend."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 3", "players' turn")
    await plays(alice, "Use", "Use Stim on", JUNO, hears=f"uses Stim on {JUNO}")
    with dice.fall(roll(2, 12, 3, 4)):
        await bob.chooses(f"{JUNO} attacks: Pistol 10/10", "Ogre", hears="**Cost")
    await gwen.presses("Ogre counters", hears=f"counters {JUNO}")
    await gwen.presses("Start the opponents' turn", hears="the opponents' turn")
    await gwen.presses("Start round 4", hears="round 4")


async def fourth_round(table: Table, party: Party, dice: ChosenDice) -> None:
    """A check that affects the fight, a shot set up first, and a retreat."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 4", "players' turn")
    await composes(alice, "Check", "Stealth")
    await switches(alice, "Affects the fight")
    await sets_off(alice, "Roll", hears="checks Stealth")
    await composes(bob, "Fight", "Attack: Pistol", Distance="15 ft", Skill="Dodging")
    with dice.fall(GOOD):
        await sets_off(bob, "Choose …", "Wolf", hears="attacks Wolf with Pistol")
    await plays(alice, "Fight", "Leave the fight", hears="leaves the fight")
    await end_fight(gwen, "ends the fight in round 4")


async def after_the_fight(party: Party) -> None:
    """Both rest; one learns, and proposes a skill."""
    gwen, alice, bob = party.everybody
    await plays(alice, "Rest", "Rest: 1d6 + Luck HP", "2 hours", hears="about to rest")
    await plays(bob, "Rest", "Rest: 1d6 + Luck HP", "2 hours", hears="joins the rest")
    await alice.presses("Rest now: 2 hours pass", hears="Rested")
    await gwen.types(f"/compare-gm award target:{JUNO} skill_points:2 stat_points:1", hears=JUNO)
    await plays(bob, "Grow", "Raise a stat", "Agility", hears="Agility 10 → 11")
    await plays(bob, "Grow", "Raise a trained skill", "Precision", hears="Precision")
    await fills(
        bob,
        "Grow",
        "Propose a skill of your own",
        {"Name of your own skill": "Robotics", "Category, for example Physical": "Technical"},
        hears="Robotics",
    )
    await gwen.presses("Approve Robotics", hears="approves")


async def at_deaths_door(party: Party) -> None:
    """A character at 0 HP is asked what to do, on the sheet too."""
    gwen, bob = party.gwen, party.bob
    await gwen.types(f"/compare-gm fate target:{JUNO} hp:0", hears="Death's Door, or a Blaze of Glory?")
    await plays(bob, "Check", "Death's Door", hears="the first roll")
    await bob.presses("Make the second roll", hears="the second roll")
    await plays(bob, "Check", "Make the third roll", hears="the third roll")
    await bob.presses("Hear the verdict", hears="hears the verdict")


async def the_recap(party: Party) -> None:
    """The GM ends the session; everybody reads the recap."""
    gwen, bob = party.gwen, party.bob
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="**Session 1 ended**")
    await bob.presses("Download recap", hears="session-1.md")
