"""An evening of Compare Roll: the wizard, High by button, a fight, a rest, death, the session's end."""

from __future__ import annotations

from pathlib import Path

from tests.databases import on_both_engines
from tests.e2e.fighting import end_fight
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import Table
from tests.e2e.test_evening import exported, verified

GAME = "Compare Roll"


@on_both_engines
async def test_an_evening_is_played_and_its_journal_verifies(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)

    await characters(party)
    await checks(party)
    await a_fight(party)
    await table.restart()
    await after_the_fight(party)
    await a_death(party)
    await the_end(party)

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0


async def characters(party: Party) -> None:
    """One player uses the wizard and rolls stats; the other takes a ready-made character."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game=GAME)
    await bob.types("/character create ready:Juno Marsh", hears="**Juno Marsh** joins the campaign")
    await alice.types("/character create", hears=["**Who**", "page 1"])
    await alice.presses("Next", hears="**Stats 1**")
    await alice.presses("Back", hears="How do you make your stats?")
    await alice.chooses("How do you make your stats?", "Rolled")
    await alice.presses("Next", hears="**Skills 1**")
    await alice.chooses("Acrobatics", "Stealth", "Dodging", hears="14 left")
    await alice.presses("Next")
    await alice.presses("Next", hears="**Levels 1**")
    await alice.chooses("Stealth", "4 · Artisan", hears="11 left")
    await alice.presses("Next", hears="**Custom skills**")
    await alice.presses("Write")
    await alice.writes({"own_1": "Technical: Robotics 2"}, hears="Robotics 2")
    await alice.presses("Next", hears="**Name**")
    await alice.presses("Enter a name")
    await alice.writes("Ash", hears="**Ash**")
    await alice.presses("Finish", hears="**Ash** joins the campaign")
    await alice.types("/compare roll skill:Stealth", hears="Ash isn't finished.")
    await alice.types("/compare create stats", hears=["**Ash** rolls six stats", r"To place\:"])
    for stat in ("Agility", "Strength", "Luck", "Education", "Influence", "Intelligence"):
        await alice.chooses("Place the", stat, hears=f"on {stat}")
    await alice.presses("Finish", hears="9 skill points left")
    await alice.presses("Roll Assets", hears="rolls for Assets")
    await gwen.presses("Approve Robotics", hears="approves Ash's skill Robotics")
    await alice.types("/character sheet", hears=["### Ash", "Robotics 2"])
    await gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")
    await gwen.types("/compare-gm foe target:Ogre hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80")
    await gwen.types("/session start", hears="**Session 1 started**")


async def checks(party: Party) -> None:
    """Players burn High before and after a roll; every roll shows its chances."""
    gwen, alice, bob = party.everybody
    await alice.types(
        "/compare roll skill:Stealth difficulty:Trivial outcome:Crit", hears="Only a GM can set the outcome."
    )
    await gwen.types("/compare luck as:Ash outcome:Failure", hears="Stress 0 → 1")
    await gwen.types("/undo", hears="Stress 1 → 0")
    await gwen.types("/compare-gm fate target:Ash high:5", hears="High 0 → 5")
    await alice.types(
        "/compare roll skill:Acrobatics/Stealth difficulty:Hard", hears=["checks Stealth", "Hard", "%"]
    )
    await alice.types("/compare calm count:1")
    await gwen.types("/compare-gm fate target:Juno Marsh high:5 stress:3", hears="Stress 0 → 3")
    await bob.types("/compare calm count:2", hears="High 5 → 3")
    await bob.types("/odds compare skill:2 difficulty:Hard", hears="Failure 60%")


async def a_fight(party: Party) -> None:
    """An attack, with counterattack and defense by button."""
    gwen, alice, bob = party.everybody
    await gwen.types("/compare-gm give target:Juno Marsh thing:Pistol", hears="gives Pistol to Juno Marsh")
    await gwen.types("/encounter start others:Ash, Juno Marsh, Ogre at_once:True", hears="Fighting")
    await gwen.types(
        "/compare attack as:Juno Marsh targets:Ogre distance:5 outcome:Cost weapon:Unarmed", hears="counter"
    )
    await bob.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Ogre counters", hears="counters Juno Marsh with Baseball Bat")
    await gwen.types("/encounter next", hears="the opponents' turn")
    await gwen.types("/compare attack as:Ogre targets:Juno Marsh", hears="can defend against")
    await bob.presses("Juno: Dodging", hears="with Dodging")
    await gwen.types("/encounter next", hears="round 2, the players' turn")
    await alice.types("/encounter status", hears="Round 2")
    await end_fight(gwen, "ends the fight in round 2")


async def after_the_fight(party: Party) -> None:
    """Rest, gain money, and undo that."""
    bob = party.bob
    await bob.types("/compare rest hours:2 now:True", hears="rests for")
    await bob.types("/compare money amount:500 reason:reward", hears="Assets 0 → 500")
    await bob.types("/undo", hears="undoes")


async def a_death(party: Party) -> None:
    """Each roll at Death's Door is its own step."""
    gwen, bob = party.gwen, party.bob
    await gwen.types("/compare-gm fate target:Juno Marsh hp:0", hears="Death's Door, or a Blaze of Glory?")
    await bob.presses("Death's Door", hears="the first roll")
    await bob.presses("Make the second roll", hears="the second roll")
    await bob.presses("Make the third roll", hears="the third roll")
    await bob.presses("Hear the verdict", hears="hears the verdict")


async def the_end(party: Party) -> None:
    """The end resets nothing; the recap lists everybody."""
    gwen = party.gwen
    preview = await gwen.types("/session end", hears="Juno Marsh")
    assert preview.ephemeral
    await gwen.presses("End the session", hears="Session 1 has ended.")
