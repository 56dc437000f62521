"""An evening of Project Swim Class that its players play by pressing."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.fighting import board_says, end_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather
from tests.e2e.pressing import (
    ChosenDice,
    Pressers,
    composes,
    faces,
    fills,
    plays,
    sets_off,
    switches,
)
from tests.e2e.table import Table
from tests.e2e.test_evening import assert_verifies

GAME, MAGE, OGRE, WOLF = "Project Swim Class", "Maris Fen", "Ogre", "Wolf"
RANKS = {
    "Ash": {
        "Basic Melee": 3,
        "Basic Ranged": 3,
        "Grapple": 3,
        "Walk / Run": 3,
        "Brawn": 3,
        "Physical Defense": 4,
    },
    MAGE: {"Earth": 3, "Life": 3, "Stealth": 2},
    OGRE: {"Physical Defense": 12},
    WOLF: {"Physical Defense": 12},
}
SIX, FIVE, FOUR, THREE = ((6, range(face, face + 1)) for face in (6, 5, 4, 3))
HIGH = (6, range(4, 7))
CALM = faces((6, range(2, 4)), *[(6, range(2, 6))] * 9)  # nothing goes wrong, and no skill grows


async def test_players_press_through_an_evening_of_swim_class(table: Table, tmp_path: Path) -> None:
    """F-SWIM-09: after joining, nobody needs a command, nor after a restart."""
    party = gather(table.discord)
    dice = ChosenDice(table, party)
    await characters(party)
    players = Pressers(party.alice, party.bob)

    await gear(party)
    await checks(party, dice, players)
    await a_fight_begins(party, dice)
    with dice.fall(CALM):
        await first_round(table, party, players)
        await second_round(table, party)
        await table.restart()
        await third_round(table, party, players)
        await fourth_round(table, party)
        await fifth_round(table, party)
        await rest_and_growth(party)
    await the_recap(party)

    players.assert_only_pressed()
    assert players.taps == {"check": 2, "own attack": 3, "defence": 1}
    await assert_verifies(table, party, tmp_path)


async def characters(party: Party) -> None:
    """One player makes a character step by step; the other takes a ready-made one."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game=GAME)
    await alice.types("/character create", hears=["**Kind**", "1 of "])
    await alice.chooses("Kind", "None in particular")
    await alice.presses("Next", hears="**Two skills**")
    await alice.chooses("Skills everyone has", "Basic Melee", "Climb")
    await alice.presses("Next", hears="**Gear**")
    await alice.chooses("Gear", "Great Sword", "Knife")
    await alice.presses("Next", hears="**Name**")
    await alice.presses("Enter a name")
    await alice.writes("Ash", hears="**Ash**")
    await alice.presses("Finish", hears=["[Check …]", "**Ash** joins the campaign"])
    await bob.types(f"/character create ready:{MAGE}", hears=["[Check …]", f"**{MAGE}** joins"])
    await gwen.types("/session start", hears="**Session 1 started**")
    for name in (OGRE, WOLF):
        await gwen.types(f"/gm npc name:{name}", hears=f"**{name}** joins")
    for name, ranks in RANKS.items():
        for skill, rank in ranks.items():
            await gwen.types(f"/swim-gm rank target:{name} skill:{skill} rank:{rank}")


async def gear(party: Party) -> None:
    """Buy from the price list, undo that, and give gear and money to each other."""
    _gwen, alice, bob = party.everybody
    await plays(alice, "Spend", "Buy …", "Common Bow", hears="**Ash** buys 1 × Common Bow for 5 GP")
    await composes(alice, "Spend", "Buy …", How_many="20")
    await sets_off(alice, "Choose …", "Arrow", hears="**Ash** buys 20 × Arrow for 2 GP")
    await plays(bob, "Spend", "Buy …", "Knife", hears=f"**{MAGE}** buys 1 × Knife")
    await bob.presses("Undo", hears="Undone.")
    await fills(
        alice,
        "Spend",
        "Give gear",
        {"What you give": "Knife", "Whom you give it": MAGE},
        hears=f"**Ash** offers {MAGE} 1 × Knife",
    )
    await bob.presses("Take 1 × Knife", hears=f"**{MAGE}** takes 1 × Knife from Ash")
    await fills(
        bob,
        "Spend",
        "Give money",
        {"Whom you give it": "Ash", "Gold pieces": "3"},
        hears=f"**{MAGE}** offers Ash 3 GP",
    )
    await alice.presses("Take 3 GP", hears=f"**Ash** takes 3 GP from {MAGE}")


async def checks(party: Party, dice: ChosenDice, players: Pressers) -> None:
    """Checks alone, composed, with help, against somebody, and one that grows a skill."""
    gwen, alice, bob = party.everybody
    with dice.fall(faces(HIGH, HIGH, HIGH)):
        await plays(alice, "Check", "Climb 3", hears=["**Ash** rolls Climb 3", "Climb 3 → 4"])
    await alice.presses("Undo", hears="asks the GM to undo")
    await gwen.presses("Undo it (GM)", hears="undoes")
    with players.counts("check", alice), dice.fall(faces(HIGH, HIGH, HIGH)):
        await plays(alice, "Check", "Climb 3", hears=["**Ash** rolls Climb 3", "Climb 3 → 4"])
    with dice.fall(CALM):
        await composes(alice, "Check", "Basic Melee 3", What_each_die_must_reach="3")
        await switches(alice, "Roll even if")
        await sets_off(alice, "Roll", hears="**Ash** rolls Basic Melee 3")
        await composes(alice, "Check", "Climb 4", Combine_it_with="Brawn 3", What_each_die_must_reach="5")
        await sets_off(alice, "Roll", hears="Climb 4 \\(with Brawn")
        await plays(alice, "Check", "Help with Brawn", MAGE, hears="Brawn")
        await plays(bob, "Check", "Brawn 1", hears="Ash helps")
        await plays(bob, "Check", "Hide from: Stealth 2", OGRE, hears=f"hides from {OGRE}")
        await gwen.presses(f"{OGRE}: don't oppose", hears=f"**unnoticed by {OGRE}**")
        await composes(alice, "Check", "Spot 1", What_each_die_must_reach="12")
        await sets_off(alice, "Do it", hears="**Ash** would roll Spot\\: out of reach")
        await alice.presses("Roll anyway", hears="**Ash** rolls Spot 1")


async def a_fight_begins(party: Party, dice: ChosenDice) -> None:
    """A player starts it, the other joins, and the dice set the order."""
    gwen, alice, bob = party.everybody
    await plays(alice, "Fight", "Start a fight with", OGRE, hears="**Ash** starts a fight")
    await gwen.types(f"/gm encounter add name:{WOLF}", hears=WOLF)
    await plays(bob, "Fight", "Join the fight", hears=f"**{MAGE}** joins the fight")
    with dice.fall(faces(SIX, FOUR, THREE, FIVE)):
        await alice.presses("Roll for initiative", hears="**Ash acts**")


async def is_on(table: Table, party: Party, name: str, *fragments: str) -> None:
    """Wait for somebody's turn on the board."""
    await board_says(table, party, f"▶ **{name}**", *fragments)


async def passes(table: Table, party: Party, *names: str) -> None:
    """Let the GM's characters do nothing."""
    for name in names:
        await is_on(table, party, name)
        await party.gwen.types("/encounter next", hears="acts**")


async def first_round(table: Table, party: Party, players: Pressers) -> None:
    """A shot with half an action and a move with the other; a power at several; a defense."""
    gwen, alice, bob = party.everybody
    await is_on(table, party, "Ash", "Round 1")
    await composes(alice, "Fight", "Attack: Basic Ranged 3", Equipment="Common Bow")
    await switches(alice, "As a half action")
    await sets_off(alice, "Choose …", WOLF, hears=f"aims at {WOLF}")
    await alice.chooses(
        f"How far away is {WOLF}?", "3 squares", hears=f"attacks {WOLF} at 3 squares \\(half action\\)"
    )
    await gwen.presses(f"{WOLF}: don't oppose", hears=WOLF)
    await alice.presses("Move: Walk / Run 3 · half an action", hears="**Ash** moves")
    await alice.presses("End turn", hears=f"**{MAGE} acts**")
    await is_on(table, party, MAGE)
    await fills(
        bob,
        "Use",
        "Quake at several: Earth 3",
        {"Who is in it": [OGRE, WOLF]},
        hears=f"**{MAGE}** casts Quake at {OGRE}, {WOLF}",
    )
    await gwen.presses(f"{OGRE}: don't oppose", hears=OGRE)
    await gwen.presses(f"{WOLF}: don't oppose", hears=WOLF)
    await bob.presses("End turn", hears="acts**")
    await is_on(table, party, OGRE)
    await gwen.types(f"/swim attack skill:Basic Melee targets:Ash as:{OGRE}", hears="Ash can oppose")
    with players.counts("defence", alice):
        await alice.presses("Ash: ", hears="**Ash** defends")
    await gwen.types("/encounter next", hears="acts**")
    await passes(table, party, WOLF)


async def second_round(table: Table, party: Party) -> None:
    """An attack built up; a prepared action carried out when it is triggered."""
    gwen, alice, bob = party.everybody
    await is_on(table, party, "Ash", "Round 2")
    await plays(alice, "Fight", "Build up an attack", "Basic Melee 3", hears="**Ash** builds up Basic Melee")
    await alice.presses("End turn", hears="acts**")
    await is_on(table, party, MAGE)
    await fills(
        bob,
        "Fight",
        "Prepare an action",
        {"What you will do": "Throw 1", "What triggers it": "the wolf jumps"},
        hears=f"**{MAGE}** holds Throw in reserve",
    )
    await bob.presses("End turn", hears="acts**")
    await is_on(table, party, OGRE)
    await bob.chooses("Trigger Throw", WOLF, hears=f"aims at {WOLF}")
    await bob.chooses(f"How far away is {WOLF}?", "2 squares", hears=f"attacks {WOLF} at 2 squares")
    await gwen.presses(f"{WOLF}: don't oppose", hears=WOLF)
    await passes(table, party, OGRE, WOLF)


async def third_round(table: Table, party: Party, players: Pressers) -> None:
    """What was built up is released; a skill is held for a defense and used."""
    gwen, alice, bob = party.everybody
    await is_on(table, party, "Ash", "Round 3")
    with players.counts("own attack", alice):
        await plays(alice, "Fight", "Attack: Basic Melee 3", OGRE, hears=f"**Ash** attacks {OGRE}")
    await gwen.presses(f"{OGRE}: don't oppose", hears=OGRE)
    await alice.presses("End turn", hears="acts**")
    await is_on(table, party, MAGE)
    await plays(
        bob, "Fight", "Hold a skill for a defense", "Earth 3", hears=f"**{MAGE}** holds Earth in reserve"
    )
    await bob.presses("End turn", hears="acts**")
    await is_on(table, party, OGRE)
    await gwen.types(f"/swim attack skill:Basic Melee targets:{MAGE} as:{OGRE}", hears="can oppose")
    with players.counts("defence", bob):
        await bob.presses(f"{MAGE}: ", hears=f"**{MAGE}** defends")
    await passes(table, party, OGRE, WOLF)


async def fourth_round(table: Table, party: Party) -> None:
    """A grapple, and letting go; a wound is healed by magic in the fight."""
    gwen, alice, bob = party.everybody
    await gwen.types("/swim-gm harm target:Ash pool:physical points:3", hears="Ash")
    await is_on(table, party, "Ash", "Round 4")
    await alice.chooses("Grapple 3", OGRE, hears=f"**Ash** grapples {OGRE}")
    await gwen.presses(f"{OGRE}: don't oppose", hears=OGRE)
    await alice.presses(f"Let go of {OGRE}", hears=f"lets go of {OGRE}")
    await alice.presses("End turn", hears="acts**")
    await is_on(table, party, MAGE)
    await plays(bob, "Rest", "Healing: Life 3", hears="How far away is Ash?")
    await bob.chooses("How far away is Ash?", "1 square", hears=f"**{MAGE}** casts Healing")
    await bob.presses("End turn", hears="acts**")
    await passes(table, party, OGRE, WOLF)


async def fifth_round(table: Table, party: Party) -> None:
    """One attack divided among two foes ends the fight."""
    gwen, alice, _bob = party.everybody
    await is_on(table, party, "Ash", "Round 5")
    await fills(
        alice,
        "Fight",
        "Attack several: Basic Melee 3",
        {"Whom you attack": [OGRE, WOLF], "Dice for each (empty: as even as can be)": "2,1"},
        hears=[f"**Ash** attacks {OGRE}, {WOLF}", f"{OGRE} can oppose"],
    )
    await gwen.presses(f"{OGRE}: don't oppose", hears=OGRE)
    await gwen.presses(f"{WOLF}: don't oppose", hears=WOLF)
    await alice.presses("End turn", hears="acts**")
    await end_fight(gwen, "ends the")


async def rest_and_growth(party: Party) -> None:
    """A rest for both, and the page of what can grow."""
    alice = party.alice
    await composes(alice, "Rest", "Rest for 8 hours")
    await switches(alice, "At once")
    await sets_off(alice, "Roll", hears="Ash")
    await plays(
        alice,
        "Grow",
        "See what can grow",
        hears=["Climb 4 · earned 1 rank", "the next rank pulls Throw 1 → 2"],
    )
    await plays(alice, "Grow", "See the rolls", hears="Climb 3 → 4")
    await plays(alice, "Grow", "See what a skill pulls", "Climb 4", hears="looks at Climb 4")
    await fills(
        alice,
        "Grow",
        "Start a specialization",
        {"Skill": "Craft", "What you specialize in": "Rope"},
        hears="specializes in",
    )


async def the_recap(party: Party) -> None:
    """The GM ends the session; everybody reads the recap."""
    gwen, _alice, _bob = party.everybody
    await gwen.types("/session end", hears="**Ending session 1**")
    await gwen.presses("End the session", hears="**Session 1 ended**")
