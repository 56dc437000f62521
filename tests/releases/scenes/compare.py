"""Compare Roll: an open counterattack and defense, a roll open for High, a Death's Door."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord
from tests.e2e.people import Party
from tests.releases.scenes.opening import board_shown, left_open, newcomer, opened

JUNO = "Juno Marsh"


async def play(discord: LocalDiscord) -> list[Party]:
    """Play the scene.

    Returns:
        The parties that played.
    """
    party = await opened(discord, "The Dome", "Compare Roll", stat_points="30", grid="hex")
    gwen, alice, bob = party.everybody
    ready = await alice.is_offered("/character create", "ready")
    await alice.types(f"/character create ready:{ready[1]} name:Ash", hears="Ash")
    await bob.types(f"/character create ready:{JUNO}", hears=JUNO)
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/compare-gm foe target:Ogre hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80")
    await gwen.types(f"/compare-gm give target:{JUNO} thing:Pistol", hears="gives Pistol")
    for name in ("Ash", JUNO):
        await gwen.types(f"/compare-gm fate target:{name} high:5 stress:2", hears="High")
    await left_open(party, "check:Luck check difficulty:Normal", "Ash", JUNO)
    await alice.types("/compare luck difficulty:Hard", hears="Ash")
    await gwen.types(f"/encounter start others:Ash, {JUNO}, Ogre at_once:True", hears="Fighting")
    await gwen.types(
        f"/compare attack as:{JUNO} targets:Ogre distance:5 outcome:Cost weapon:Unarmed", hears="counter"
    )
    await board_shown(party, "Round 1")
    cara = newcomer(party)
    await cara.types("/character create", hears="**Who**")
    await cara.chooses("How do you make your stats?", "Rolled")
    await cara.presses("Next", hears="**Skills 1**")
    await cara.chooses("Acrobatics", "Stealth", "Dodging", hears=" left")
    return [party, await an_attack(discord)]


async def an_attack(discord: LocalDiscord) -> Party:
    """Have the ogre attack Juno, who may defend, while Ash is dying."""
    party = await opened(discord, "The Crater", "Compare Roll")
    gwen, alice, bob = party.everybody
    ready = await alice.is_offered("/character create", "ready")
    await alice.types(f"/character create ready:{ready[1]} name:Ash", hears="Ash")
    await bob.types(f"/character create ready:{JUNO}", hears=JUNO)
    await gwen.types("/gm npc name:Ogre", hears="Ogre")
    await gwen.types("/compare-gm foe target:Ogre hp:80 rating:0 weapon:Baseball Bat", hears="HP 80/80")
    await gwen.types("/compare-gm fate target:Ash hp:0", hears="Death's Door, or a Blaze of Glory?")
    await gwen.types(f"/encounter start others:{JUNO}, Ogre at_once:True", hears="Fighting")
    await gwen.types("/encounter next", hears="the opponents' turn")
    await gwen.types(f"/compare attack as:Ogre targets:{JUNO}", hears=f"[{JUNO} defends")
    await board_shown(party, "The opponents' turn")
    return party
