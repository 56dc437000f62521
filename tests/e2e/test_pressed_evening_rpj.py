"""An evening of RPJ Core that its players play by pressing."""

from __future__ import annotations

import contextlib
from pathlib import Path

from bot.playground.discord import read
from tests.e2e.fighting import end_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather
from tests.e2e.pressing import ChosenDice, Pressers, composes, faces, fills, plays, sets_off
from tests.e2e.table import Table
from tests.e2e.test_evening import assert_verifies
from tests.e2e.test_rpj_fight import Fighting

ARCHER, KNIGHT, OGRE = "Ilsa Roan", "Gorm Halvard", "Ogre"
PACKS = ("structured_magic", "money", "fire_and_movement", "maneuvers")
CALM = faces((6, range(3, 6)), (6, range(4, 6)), *[(6, range(3, 6))] * 6)
TWO, THREE, FIVE = ((6, range(face, face + 1)) for face in (2, 3, 5))


async def test_players_press_through_an_evening_of_rpj_core(table: Table, tmp_path: Path) -> None:
    """F-OPT-23: after joining, nobody needs a command, nor after a restart."""
    party = gather(table.discord)
    dice = ChosenDice(table, party)
    fighting = Fighting(table, party, {ARCHER: party.alice, KNIGHT: party.bob})
    await characters(party)
    players = Pressers(party.alice, party.bob)

    await growth(party)
    await gifts(party)
    await checks(party, dice, players)
    await a_fight_begins(party)
    with dice.fall(CALM):
        await first_round(party, fighting, players)
        await second_round(party, fighting, dice, players)
        await table.restart()
        await third_round(party, fighting, dice, players)
        await fourth_round(party, fighting, players)
        await end_fight(party.gwen, "ends the fight")
        await healing(party, dice)
    await the_recap(party)

    players.assert_only_pressed()
    assert players.taps == {"check": 2, "own attack": 3, "defence": 1}
    await assert_verifies(table, party, tmp_path)


async def characters(party: Party) -> None:
    """Both take ready-made characters; the GM gives points and money."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="RPJ Core")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="fantasy")
    for pack in PACKS:
        await gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await alice.types(f"/character create ready:{ARCHER}", hears="[Check …]")
    await bob.types(f"/character create ready:{KNIGHT}", hears="[Check …]")
    await gwen.types(
        f"/gm award resource:Character points amount:40 characters:{ARCHER}, {KNIGHT}", hears="40"
    )
    await gwen.types(f"/gm set resource character:{ARCHER} resource:Coin value:30", hears="30")
    await gwen.types("/session start", hears="**Session 1 started**")
    await gwen.types(f"/gm npc name:{OGRE}", hears=f"**{OGRE}** joins")


async def growth(party: Party) -> None:
    """Prices as menus: skills at once, a trait with the GM's leave."""
    gwen, alice, bob = party.everybody
    await plays(
        alice,
        "Grow",
        "Learn a skill, level 1 … (2",
        "Primitive Magic",
        hears=f"**{ARCHER}** learns Primitive Magic 1",
    )
    await plays(alice, "Grow", "Primitive Magic 1 → 2", hears=f"**{ARCHER}**")
    await plays(bob, "Grow", "Take a trait (GM)", "Prepare", hears=f"**{KNIGHT}** wants to take")
    await gwen.presses("Allow it for 5 points", hears="Prepare")


async def gifts(party: Party) -> None:
    """Something bought, undone and bought again; money and things change hands."""
    _gwen, alice, bob = party.everybody
    await plays(alice, "Spend", "Buy …", "Dagger", hears=f"**{ARCHER}** wants to buy Dagger")
    await alice.presses("Buy for", hears=f"**{ARCHER}** buys Dagger")
    await alice.presses("Undo", hears="[Buy for 3 Coin]")
    await alice.presses("Buy for", hears=f"**{ARCHER}** buys Dagger")
    await fills(alice, "Spend", f"Give Coin to {KNIGHT}", "5", hears=f"offers {KNIGHT} 5 Coin")
    await bob.presses("Accept 5 Coin", hears=f"**{KNIGHT}** accepts 5 Coin")
    await plays(alice, "Spend", f"Hand {KNIGHT} something", "Dagger", hears=f"**{ARCHER}** offers {KNIGHT}")
    await bob.presses("Take", hears=f"**{KNIGHT}** takes")


async def checks(party: Party, dice: ChosenDice, players: Pressers) -> None:
    """Checks without and with a rescue, composed, with help, and against somebody."""
    _gwen, alice, bob = party.everybody
    with players.counts("check", alice), dice.fall(CALM):
        await plays(alice, "Check", "Concealment", hears=f"**{ARCHER}**")
    with dice.fall(faces(TWO, THREE)):
        await plays(bob, "Check", "Athleticism", hears="[Lucky Break")
    await bob.presses("Lucky Break", hears="Lucky Breaks 2 → 1")
    await composes(alice, "Check", "Archery", Bonus_or_penalty="−2")
    await sets_off(alice, "Roll", hears=f"**{ARCHER}**")
    await plays(alice, "Check", "With someone's help", "Perception", hears=f"**{ARCHER}** asks for help")
    await bob.presses("Help", hears=f"**{KNIGHT}**")
    await alice.presses(f"{ARCHER}: roll", hears=f"**{ARCHER}**")
    await plays(alice, "Check", "Against someone: Concealment", OGRE, hears=OGRE)


async def a_fight_begins(party: Party) -> None:
    """A player starts it, the other joins."""
    gwen, alice, bob = party.everybody
    await plays(alice, "Fight", "Start a fight with", OGRE, hears=f"**{ARCHER}** starts a fight")
    await plays(bob, "Fight", "Join the fight", hears=f"**{KNIGHT}** joins the fight")
    await gwen.types("/rpj-gm-fight field regions:3 names:Gate, Yard, Hall", hears="about 90 yards")
    await gwen.types(
        "/rpj-gm-fight mooks name:Goblin count:3 attack:2 defense:9 damage:0 region:Gate", hears="Goblin ×3"
    )
    await gwen.types(
        f"/gm encounter order characters:{ARCHER}, {KNIGHT}, {OGRE}", hears="sets the initiative order"
    )
    await gwen.types("/encounter next", hears="turn.")


async def settles(fighting: Fighting, gwen: Actor, players: Pressers) -> None:
    """Press what the board asks for, until nothing is asked any more."""
    for _ in range(20):
        board = await fighting.board()
        if "**First:**" not in read(board):
            return
        asked = await fighting.asked(board)
        actor = fighting.actor_of(asked)
        with players.counts("defence", actor) if actor is not gwen else contextlib.nullcontext():
            await fighting.press(board, asked, actor)


async def turns_to(fighting: Fighting, party: Party, players: Pressers, name: str) -> None:
    """Let everybody else end their turns."""
    for _ in range(8):
        await settles(fighting, party.gwen, players)
        board = await fighting.board()
        if f"{name} acts" in read(board).splitlines()[0]:
            return
        await fighting.press(board, "End turn", party.gwen)


async def chooses(fighting: Fighting, menu: str, by: Actor, *likes: str) -> None:
    """Choose in a menu of the board."""
    board = await fighting.board()
    assert await fighting.choose(board, menu, by, *likes), f"{likes} in {menu}: {read(board)}"


async def ends_turn(fighting: Fighting, by: Actor) -> None:
    """Press the button of the board that ends the turn."""
    await fighting.press(await fighting.board(), "End turn", by)


async def first_round(party: Party, fighting: Fighting, players: Pressers) -> None:
    """A shot, a watch, a maneuver, and a move to the foes, who attack."""
    gwen, alice, bob = party.everybody
    with players.counts("own attack", alice):
        await plays(alice, "Fight", "Attack …", f"{OGRE} · Bow", hears=f"**{ARCHER}**")
    await settles(fighting, gwen, players)
    await chooses(fighting, "Watch …", alice, "Yard")
    await ends_turn(fighting, alice)
    await turns_to(fighting, party, players, KNIGHT)
    await plays(bob, "Fight", "Defenses", "Ask me for each attack", hears=f"**{KNIGHT}**")
    await bob.presses("Prepare (1 action)", hears=f"**{KNIGHT}** prepares")
    await chooses(fighting, "Move …", bob, "join Goblin")
    await settles(fighting, gwen, players)
    await ends_turn(fighting, bob)
    await turns_to(fighting, party, players, OGRE)
    await ends_turn(fighting, gwen)
    await chooses(fighting, "Mooks attack", gwen, KNIGHT)
    await turns_to(fighting, party, players, ARCHER)


async def second_round(party: Party, fighting: Fighting, dice: ChosenDice, players: Pressers) -> None:
    """A spell and an aimed shot; a blow and a grapple."""
    gwen, alice, bob = party.everybody
    await chooses(fighting, "Magic …", alice, "Pelt")
    await settles(fighting, gwen, players)
    await chooses(fighting, "Fire …", alice, f"Aim at {OGRE}")
    await settles(fighting, gwen, players)
    await ends_turn(fighting, alice)
    await turns_to(fighting, party, players, KNIGHT)
    await chooses(fighting, "Attack …", bob, "Goblin")
    await settles(fighting, gwen, players)
    with dice.fall(faces(FIVE, FIVE, TWO, THREE)):
        await bob.presses("Grapple Goblin", hears=f"**{KNIGHT}** grapples Goblin 2 · **loses**")
    await ends_turn(fighting, bob)
    await turns_to(fighting, party, players, ARCHER)


async def third_round(party: Party, fighting: Fighting, dice: ChosenDice, players: Pressers) -> None:
    """Suppressive fire; the grapple goes on."""
    gwen, alice, bob = party.everybody
    await chooses(fighting, "Fire …", alice, f"Suppress {OGRE}")
    await settles(fighting, gwen, players)
    await ends_turn(fighting, alice)
    await turns_to(fighting, party, players, KNIGHT)
    with dice.fall(faces(*[FIVE] * 4)):
        await bob.presses("Grapple check", hears="**wins**")
    await bob.presses(f"{KNIGHT}: break free", hears=f"**{KNIGHT}** breaks free of Goblin 2")
    await ends_turn(fighting, bob)
    await turns_to(fighting, party, players, ARCHER)


async def fourth_round(party: Party, fighting: Fighting, players: Pressers) -> None:
    """A task of their own, and another way to defend."""
    gwen, alice, _bob = party.everybody
    await fills(alice, "Fight", "Do something else … (1 action)", "bars the gate", hears=f"**{ARCHER}**")
    await plays(alice, "Fight", "Defenses", "Always dodge", hears=f"**{ARCHER}**")
    await chooses(fighting, "Move …", alice, "Yard")
    await settles(fighting, gwen, players)
    await ends_turn(fighting, alice)
    await turns_to(fighting, party, players, KNIGHT)


async def healing(party: Party, dice: ChosenDice) -> None:
    """A friend who is out is treated."""
    gwen, alice, bob = party.everybody
    for _ in range(6):  # his armor and base saves, one after the other
        await gwen.types(f"/rpj-gm health harm targets:{KNIGHT} damage:30 nonlethal:True", hears=KNIGHT)
        await bob.presses(f"{KNIGHT}: save", hears="against 3")
    with dice.fall(faces(FIVE, FIVE)):
        await plays(alice, "Rest", "Help up … (1 minute)", hears="**back in action**")


async def the_recap(party: Party) -> None:
    """The GM ends the session; everybody reads the recap."""
    gwen, _alice, _bob = party.everybody
    await gwen.types("/session end", hears="**Ending session 1**")
    await gwen.presses("End the session", hears="**Session 1 ended**")
